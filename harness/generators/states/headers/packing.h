/* Valid vectors as a suite's files hold them: included after search.h. */

/* What becomes of all vectors with the same key: states, each the vector with some fields changed, and calls on them. */
typedef struct {
    int32_t states;
    const int32_t *changes; /* by state: so many fields are changed */
    const int32_t *fields;  /* one state's after the other's, with the indices that they get */
    const int32_t *indices;
    const int32_t *rows;    /* by state: the row of the calls on it */
} Template;

enum { ALIKE, BY_REACH, BY_HEAD };

typedef struct {
    int32_t kind;     /* what the key of a vector is: nothing; objects reached, by class domain; the indices at its head */
    int32_t skipped;  /* fields at a vector's head that are not the state's */
    int32_t itemsize;
    const int64_t *strides; /* of the key, by class domain or position in the head */
    const Template **templates; /* by key; NULL where none has been asked for */
    int32_t *agenda, *maxima;
    uint8_t *seen;
} Packing;

#define ODD (-1)

static int32_t reached(const Space *s, const Packing *p, int object, int32_t n, int64_t *objects) {
    if (p->seen[object]) return n;
    p->seen[object] = 1;
    ++*objects;
    int fields = s->is_list[object] ? 1 : s->count[object];
    for (int i = 0; i < fields; i++) p->agenda[n++] = s->first[object] + i;
    return n;
}

/* By class domain, how many objects the root reaches; ODD where those are not its first ones. */
static int64_t key_by_reach(const Space *s, const Packing *p, const uint16_t *vector) {
    memset(p->seen, 0, (size_t)s->object_count);
    for (int c = 0; c < s->domain_count; c++) p->maxima[c] = c ? -1 : 0;
    int64_t objects = 0, expected = 0, key = 0;
    int32_t n = reached(s, p, 0, 0, &objects);
    for (int32_t i = 0; i < n; i++) {
        int field = p->agenda[i], owner = s->owner[field];
        const Domain *d = s->domains + s->domain_of[field];
        int index = vector[field], c = d->classes[index];
        if (s->is_list[owner] && field == s->first[owner])
            for (int64_t k = 0; k < PAYLOAD(d->words[index]); k++) p->agenda[n++] = field + 1 + (int)k;
        if (c < 0) continue;
        if (d->indices[index] > p->maxima[c]) p->maxima[c] = d->indices[index];
        n = reached(s, p, d->objects[index], n, &objects);
    }
    for (int c = 0; c < s->domain_count; c++) {
        expected += p->maxima[c] + 1;
        key += p->strides[c] * (p->maxima[c] + 1);
    }
    return objects == expected ? key : ODD;
}

static int64_t key_of_vector(const Space *s, const Packing *p, const uint16_t *vector) {
    if (p->kind == ALIKE) return 0;
    if (p->kind == BY_REACH) return key_by_reach(s, p, vector);
    int64_t key = 0;
    for (int32_t i = 0; i < p->skipped; i++) key += p->strides[i] * vector[i];
    return key;
}

static inline void put_state(const Template *t, int itemsize, const uint16_t *vector, int32_t width, int32_t changes,
                             int32_t change, void *out) {
    if (itemsize == 1) {
        uint8_t *to = out;
        for (int32_t i = 0; i < width; i++) to[i] = (uint8_t)vector[i];
        for (int32_t i = change; i < change + changes; i++) to[t->fields[i]] = (uint8_t)t->indices[i];
    } else {
        uint16_t *to = out;
        memcpy(to, vector, sizeof *to * (size_t)width);
        for (int32_t i = change; i < change + changes; i++) to[t->fields[i]] = (uint16_t)t->indices[i];
    }
}

/* What has become of how many vectors. */
typedef struct {
    int64_t vectors, states, runs;
    int64_t key; /* where it ended for want of a template */
} Packed;
enum { PACKED, NO_TEMPLATE, NO_ROOM };

/* Writes the states of the vectors, and how many in a row have calls of the same row: two numbers, the row and how
   many. Stops where there is no template for a vector, or no room left for so many states. */
int mutascope_pack(const Space *s, const Packing *p, const uint16_t *vectors, int64_t n, char *states, int32_t *runs,
                   int64_t room, Packed *packed) {
    int32_t width = s->width - p->skipped;
    size_t size = (size_t)width * (size_t)p->itemsize;
    int64_t made = 0, begun = 0, at = 0;
    int status = PACKED;
    packed->key = ODD;
    for (; at < n; at++) {
        const uint16_t *vector = vectors + at * s->width;
        int64_t key = key_of_vector(s, p, vector);
        const Template *t = key == ODD ? 0 : p->templates[key];
        if (!t) {
            packed->key = key;
            status = NO_TEMPLATE;
            break;
        }
        if (made + t->states > room) {
            status = NO_ROOM;
            break;
        }
        int32_t change = 0;
        for (int32_t i = 0; i < t->states; i++, made++) {
            put_state(t, p->itemsize, vector + p->skipped, width, t->changes[i], change, states + (size_t)made * size);
            change += t->changes[i];
            if (!begun || runs[2 * begun - 2] != t->rows[i]) {
                runs[2 * begun] = t->rows[i];
                runs[2 * begun++ + 1] = 0;
            }
            runs[2 * begun - 1]++;
        }
    }
    packed->vectors = at;
    packed->states = made;
    packed->runs = begun;
    return status;
}
