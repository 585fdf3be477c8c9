/* A rep_ok that stays in Python, on objects that it reads its fields from: between values.h and search.h.

   A field is given its value in its object when rep_ok first reads it, and stays there as long as it is on the
   stack; so between two candidates one field changes, and those popped are taken out (Observer, in Python). The
   interpreter's functions come as pointers: nothing of it is needed to compile this, or to link it. */
#define HOSTED
#define LARGEST_SAVED 16

typedef void Object;

typedef struct {
    Object *(*call)(Object *, Object *const *, size_t, Object *);
    int (*set_item)(Object *, Object *, Object *);
    int (*del_item)(Object *, Object *);
    int (*add)(Object *, Object *);
    long (*as_long)(Object *);
    intptr_t (*set_size)(Object *);
    Object *(*type)(Object *);
    void (*keep)(Object *), (*drop)(Object *);
    Object *yes, *no, *none;
    Object *rep_ok, *root;
    Object *truth;           /* tells of anything that rep_ok returns but True and False whether it is true */
    Object *changed, *undo;  /* the set of the objects that rep_ok has written to, and what takes that back */
    Object *unread;          /* what an element of a list that nobody has read holds */
    Object *integer, *string; /* the types */
    Object *results;         /* phase memo: the answer of a site, a call of a helper, where it is valid */
    uint8_t *valid;          /* by site */
    int32_t *sites, *heights; /* the valid ones, and the stack's height when they ended, which ascends */
    Object **places, **keys; /* by field: places[f][keys[f]] holds its value */
    Object ***values;        /* by field and index */
    const uint8_t *listed;   /* by field: it is an element of a list */
    int32_t given;           /* so many of the fields at the bottom of the stack have their values in the objects */
    int32_t site_count;      /* so many are valid */
    int32_t broken;          /* giving or taking one failed, and left an exception */
    int32_t first_only;      /* Korat+: one vector of each class */
    Object *complete;        /* pushes and gives the reachable fields, where containers are read as a whole; or None */
    Object *judge;           /* runs eq_class between `hide` and `show`; whether the class is a new one */
    Object *read;            /* the set of the fields that eq_class has read */
    uint8_t *hidden;         /* by field: eq_class is running, and has not read it */
} Host;

#define HOST ((Host *)S.host)

static int searching;
static Object *no; /* False, for who asks while nobody searches */
static void (*keep)(Object *);

static inline void give(int field) {
    Host *h = HOST;
    if (UNLIKELY(h->set_item(h->places[field], h->keys[field], h->values[field][S.vector[field]]) < 0)) h->broken = 1;
}

static inline void take(int field) {
    Host *h = HOST;
    int failed = h->listed[field] ? h->set_item(h->places[field], h->keys[field], h->unread)
                                  : h->del_item(h->places[field], h->keys[field]);
    if (UNLIKELY(failed < 0)) h->broken = 1;
}

/* Phases that ended above the field that has changed are to be run again. */
static inline void forget(void) {
    Host *h = HOST;
    while (h->site_count && h->heights[h->site_count - 1] >= S.height) h->valid[h->sites[--h->site_count]] = 0;
}

static inline void forget_all(void) {
    while (HOST->site_count) HOST->valid[HOST->sites[--HOST->site_count]] = 0;
}

/* Fields above `given` were pushed by nobody's reading: they differ among vectors that need no execution. */
#define CHANGED(field) do { forget(); if (S.height <= HOST->given) give(field); } while (0)
#define LEAVES(field) do { if (S.height <= HOST->given) { take(field); HOST->given = S.height - 1; } } while (0)
#define ENTERED(field) do { HOST->given = S.height; give(field); } while (0)
#define RESTARTS() forget_all()
#define BROKEN() UNLIKELY(HOST->broken)

/* observer.read_field(field): gives an absent field its value; False where rep_ok has deleted it. */
Object *mutascope_read(Object *self, Object *number) {
    Object *answer = no;
    long field = searching ? HOST->as_long(number) : 0;
    if (searching && S.value[field] == W_ABSENT) {
        push((int)field);
        give((int)field);
        if (HOST->broken) return 0;
        answer = HOST->yes;
    }
#ifdef CRITERION
    else if (searching && HOST->hidden[field]) {
        HOST->hidden[field] = 0;
        if (S.position[field] > S.watched) S.watched = S.position[field];
        give((int)field);
        if (HOST->broken || HOST->add(HOST->read, number) < 0) return 0;
        answer = HOST->yes;
    }
#endif
    keep(answer);
    return answer;
}

/* keep(result), for the site that the function is bound to: returns the result, kept if nothing can change it. */
Object *mutascope_keep(Object *site, Object *result) {
    Host *h = HOST;
    keep(result);
    if (!searching || h->set_size(h->changed)) return result;
    int is_atom = result == h->yes || result == h->no || result == h->none;
    if (!is_atom) {
        Object *type = h->type(result);
        is_atom = type == h->integer || type == h->string;
        h->drop(type);
    }
    if (!is_atom) return result;
    if (h->set_item(h->results, site, result) < 0) {
        h->drop(result);
        return 0;
    }
    int32_t number = (int32_t)h->as_long(site);
    h->valid[number] = 1;
    h->sites[h->site_count] = number;
    h->heights[h->site_count++] = S.height;
    return result;
}

static int truth(V answer, int place) { return W(answer) == W_TRUE; }

static V root_call(void) {
    Host *h = HOST;
    Object *result = h->call(h->rep_ok, (Object *const *)&h->root, 1, 0), *answer = result;
    if (result && result != h->yes && result != h->no) {
        answer = h->call(h->truth, (Object *const *)&result, 1, 0);
        h->drop(result);
    }
    if (!answer) fail(FAILED_RAISES, 0);
    int accepted = answer == h->yes;
    h->drop(answer);
    h->given = S.height;
    if (UNLIKELY(h->set_size(h->changed))) {
        Object *none = h->call(h->undo, 0, 0, 0);
        if (!none) fail(FAILED_RAISES, 0);
        h->drop(none);
    }
    return accepted ? W_TRUE : W_FALSE;
}

#ifdef CRITERION
#define FIRST_ONLY (HOST->first_only)

static void read_reachable(void);

/* Gives every reachable field its value: eq_class may read any. */
static void complete(void) {
    Host *h = HOST;
    if (h->complete != h->none) {
        Object *none = h->call(h->complete, 0, 0, 0);
        if (!none) fail(FAILED_RAISES, 0);
        h->drop(none);
        h->given = S.height;
        S.reachable = UNKNOWN;
    } else {
        read_reachable();
        while (h->given < S.height) give(S.stack[h->given++]);
    }
    if (BROKEN()) fail(FAILED_RAISES, 0);
}

/* Takes all values out of the objects, so that reads show; returns 0, or -1 with an exception. */
int mutascope_hide(void) {
    S.watched = -1;
    for (int i = S.height - 1; i >= 0; i--) {
        take(S.stack[i]);
        HOST->hidden[S.stack[i]] = 1;
    }
    return -HOST->broken;
}

/* Gives those back that eq_class has not read; a list's length comes before its elements. */
int mutascope_show(void) {
    for (int i = 0; i < S.height; i++)
        if (HOST->hidden[S.stack[i]]) {
            HOST->hidden[S.stack[i]] = 0;
            give(S.stack[i]);
        }
    return -HOST->broken;
}

/* Runs eq_class on the present, valid candidate; whether it is the first one of its class. */
static int classify(void) {
    Host *h = HOST;
    Object *fresh = h->call(h->judge, 0, 0, 0);
    if (!fresh) fail(FAILED_RAISES, 0);
    h->drop(fresh);
    h->given = S.height;
    return fresh == h->yes;
}
#endif
