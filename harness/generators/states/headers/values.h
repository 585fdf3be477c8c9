/* Python's values in C, and the state space that rep_ok reads: included before the translated functions.

   A word is a payload above four bits of tag; integers have tag 0, so they add and compare as they are.
   With OUTCOME, a value carries the field it was read from, and what is asked of it narrows `mask[field]`,
   the values (by index, one bit each) on which this execution of rep_ok would be the same. Together the
   masks are a box: every combination of their values gives the same execution. */
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LIKELY(c) __builtin_expect(!!(c), 1)
#define UNLIKELY(c) __builtin_expect(!!(c), 0)
#define COLD __attribute__((noinline, cold))

typedef int64_t word;
enum { INT, NONE, BOOL, OBJECT, STRING, LIST, TUPLE, SET, DICT, ARRAY, CLASS, IDENTITY, ITERATOR, VIEW, INFINITE, ABSENT = 15 };
enum { FAILED_RAISES = 1, FAILED_OVERFLOW, FAILED_MEMORY, FAILED_DEPTH, FAILED_STEPS, FAILED_UNSUPPORTED };

#define TAG(w) ((int)((w) & 15))
#define PAYLOAD(w) ((w) >> 4)
#define WORD(tag, payload) ((word)((uint64_t)(payload) << 4) | (tag))
#define POINTER(type, w) ((type *)((w) & ~(word)15))
#define W_NONE ((word)NONE)
#define W_FALSE ((word)BOOL)
#define W_TRUE ((word)BOOL | 16)
#define W_ABSENT ((word)ABSENT)

#ifdef OUTCOME
typedef struct { word w; int32_t field; } V;
#define W(v) ((v).w)
#define FROM(w, f) ((V){(w), (f)})
#define PURE(w) ((V){(w), -1})
#else
typedef word V;
#define W(v) (v)
#define FROM(w, f) (w)
#define PURE(w) (w)
#endif
#define V_INT(i) PURE((word)(i) * 16)
#define V_BOOL(c) PURE((c) ? W_TRUE : W_FALSE)

/* A field domain: `n` values; the class domain, index and object number of those that are objects, else -1. */
typedef struct {
    int32_t n, run_count;
    const int64_t *words;
    const int32_t *classes, *indices, *ends, *objects;
    const int32_t *runs; /* class domain, first position, count: of each run of one class domain */
    int64_t lowest;      /* the first of consecutive integers, or NO_RANGE */
} Domain;
#define NO_RANGE INT64_MIN
#define UNKNOWN (-1)

typedef struct {
    int32_t width, object_count, domain_count, name_count;
    const int32_t *first, *count, *is_list; /* by object */
    const int32_t *type;                    /* by object: its class's number in the translation */
    const int32_t *owner;    /* by field: its object */
    const int16_t *field_of; /* by name and object: a field, or -1 */
    const int32_t *domain_of; /* by field */
    const Domain *domains;
    const uint8_t *compares; /* by class: it defines __eq__, __hash__ or __bool__ of its own */
} Space;

/* Where rep_ok stood, outside calls, when `height` fields had been read: what ran up to there need not run
   again while they keep their values. */
typedef struct {
    int32_t site, height;
    char *arena_top;
    size_t trail;
} Checkpoint;

typedef struct {
    Space space;
    word *value; /* by field: W_ABSENT where it is to be read and not on the stack */
    uint16_t *vector;
    int32_t *stack, *before, *maxima, *agenda;
    uint8_t *seen, *structural; /* by object; by field: its value decides what is reachable */
    uint8_t *fixed;             /* by field: it has one value, no object, and is never on the stack */
    int32_t *most;              /* by class domain: fields of one object that are not fixed, at most */
    int32_t own;                /* fields of all objects that one place only can have */
    const Domain **domain; /* by field */
    const int16_t *field_of;
    uint64_t *mask, *failed; /* without OUTCOME, `mask` tells only of the field on top of the stack */
    int64_t most_explored;   /* executions that may be counted before the search pauses */
    int32_t height, decided, valid, must_run;
    int32_t reachable; /* as many fields as are reachable while no structural one changes, or UNKNOWN */
    int64_t unexecuted; /* vectors that needed no execution of rep_ok */
    int64_t explored, fuel, fuel_limit, depth;
    char *arena, *arena_top, *arena_end;
    size_t arena_size;
    Checkpoint *checkpoints; /* heights ascend */
    char *saved;             /* the variables at each checkpoint */
    size_t stride;
    int32_t checkpoint_count, resume;
    char *older;             /* what lies below in the arena was there at the last checkpoint */
    char *trail;             /* what it was before it changed since: bytes, then address and size */
    size_t trail_size, trail_end;
    int32_t failure, failure_place;
    jmp_buf *catcher; /* of the innermost try, or NULL; which exception it is to catch */
    int32_t raised;
    int32_t *position, watched; /* of a field on the stack; with CRITERION, the highest that eq_class has read */
    word *classes;              /* the classes covered, each as CLASS_WORDS words */
    uint16_t *class_vectors;    /* the first valid vector of each */
    int32_t class_count, class_last; /* the one met last, which is likely to be met again */
    /* Of eq_class, what rep_ok has above; its memory and its trail lie behind those of rep_ok. */
    Checkpoint *class_checkpoints;
    char *class_saved;
    size_t class_stride, class_trail, root_trail; /* sizes of the trail of the one that does not run */
    int32_t class_checkpoint_count, classifying;
} Search;

static Search S;
static jmp_buf escape;

#define DEEPEST 400

static COLD __attribute__((noreturn)) void fail(int why, int place) {
    S.failure = why;
    S.failure_place = place;
    longjmp(escape, 1);
}
/* Exceptions whose type is certain, so that a try may catch them: these, and those of raise statements, from RAISED on. */
enum { NOTHING_RAISED, ATTRIBUTE_ERROR, INDEX_ERROR, KEY_ERROR, TYPE_ERROR, ZERO_DIVISION_ERROR, ASSERTION_ERROR, RAISED };
static COLD __attribute__((noreturn)) void raise_error(int type, int place) {
    if (!S.catcher) fail(FAILED_RAISES, place);
    S.raised = type;
    longjmp(*S.catcher, 1);
}
#define TICK(place) do { if (UNLIKELY(--S.fuel < 0)) fail(FAILED_STEPS, place); } while (0)
#define ENTER(place) do { TICK(place); if (UNLIKELY(++S.depth > DEEPEST)) fail(FAILED_DEPTH, place); } while (0)
#define LEAVE() (S.depth--)

static inline void *allocate(size_t size, int place) {
    char *at = S.arena_top;
    size = (size + 15) & ~(size_t)15;
    if (UNLIKELY(size > (size_t)(S.arena_end - at))) fail(FAILED_MEMORY, place);
    S.arena_top = at + size;
    return at;
}

/* -- checkpoints ---------------------------------------------------------------------------------------- */

/* Called before memory of the arena changes, except where it was allocated just now. An entry of the trail ends with the
   address; that of a single word is odd, and has only the word before it. */
static COLD void remember(void *at, size_t size) {
    size_t rounded = (size + 15) & ~(size_t)15;
    if (S.trail_size + rounded + 16 > S.trail_end) fail(FAILED_MEMORY, 0);
    char *to = S.trail + S.trail_size;
    memcpy(to, at, size);
    memcpy(to + rounded, &size, sizeof size);
    memcpy(to + rounded + 8, &at, sizeof at);
    S.trail_size += rounded + 16;
}
#define CHANGES(at, size) do { if (UNLIKELY((char *)(at) < S.older)) remember(at, size); } while (0)
static inline void changes_word(uint64_t *at) {
    if ((char *)at >= S.older) return;
    if (UNLIKELY(S.trail_size + 16 > S.trail_end)) fail(FAILED_MEMORY, 0);
    uint64_t *to = (uint64_t *)(S.trail + S.trail_size);
    to[0] = *at;
    to[1] = (uint64_t)(uintptr_t)at | 1;
    S.trail_size += 16;
}
static void restore(size_t trail) {
    while (S.trail_size > trail) {
        const uint64_t *end = (uint64_t *)(S.trail + S.trail_size);
        if (LIKELY(end[-1] & 1)) {
            *(uint64_t *)(uintptr_t)(end[-1] - 1) = end[-2];
            S.trail_size -= 16;
            continue;
        }
        size_t size = end[-2];
        S.trail_size -= 16 + ((size + 15) & ~(size_t)15);
        memcpy((void *)(uintptr_t)end[-1], S.trail + S.trail_size, size);
    }
}
static inline void *checkpoint(int site) {
    int n = S.checkpoint_count;
    if (!n || S.checkpoints[n - 1].height != S.height) S.checkpoint_count = ++n;
    S.checkpoints[n - 1] = (Checkpoint){site, S.height, S.arena_top, S.trail_size};
    S.older = S.arena_top;
    return S.saved + (size_t)(n - 1) * S.stride;
}
/* The same of eq_class, which has read no field above the highest that it has read. */
static inline void *class_checkpoint(int site) {
    int n = S.class_checkpoint_count, height = S.watched + 1;
    if (!n || S.class_checkpoints[n - 1].height != height) S.class_checkpoint_count = ++n;
    S.class_checkpoints[n - 1] = (Checkpoint){site, height, S.arena_top, S.trail_size};
    S.older = S.arena_top;
    return S.class_saved + (size_t)(n - 1) * S.class_stride;
}

/* -- the stack of accessed fields (AccessStack) ------------------------------------------------------- */

static inline void count_object(const Domain *d, int index) {
    int c = d->classes[index];
    if (c >= 0) {
        S.before[S.height - 1] = S.maxima[c];
        if (d->indices[index] > S.maxima[c]) S.maxima[c] = d->indices[index];
    }
}

static __attribute__((noinline)) word push(int field) {
    const Domain *d = S.domain[field];
    S.stack[S.height++] = field;
    S.before[S.height - 1] = -1;
#ifdef CRITERION
    S.position[field] = S.height - 1;
#endif
    S.vector[field] = 0;
    count_object(d, 0);
    S.mask[field] = ~(uint64_t)0;
#ifdef OUTCOME
    S.failed[field] = 0;
#endif
    return S.value[field] = d->words[0];
}

static int compared; /* the field that an operand of a comparison was read from just now, or -1 */

/* A field whose value is about to be compared, and nothing else: what the answer says of it is told to `narrow_top`. */
static inline V read_to_compare(int field) {
    word w = S.value[field];
    if (UNLIKELY(w == W_ABSENT)) w = push(field);
#ifdef CRITERION
    if (S.position[field] > S.watched) S.watched = S.position[field];
#endif
    return FROM(w, field);
}
static inline V read_field(int field) {
    V v = read_to_compare(field);
#ifndef OUTCOME
    S.mask[field] = 0; /* anything may hang on the value */
#endif
    return v;
}

/* -- outcomes ------------------------------------------------------------------------------------------- */

enum { LT, LE, GT, GE };

#ifdef OUTCOME
#define BIT(i) ((uint64_t)1 << (i))
static inline uint64_t only(int field) { return BIT(S.vector[field] & 63); }
static inline void fix(V v) { if (v.field >= 0) S.mask[v.field] &= only(v.field); }
static inline int is_open(V v) { return v.field >= 0 && S.mask[v.field] != only(v.field); }
static inline uint64_t whole(const Domain *d) { return d->n >= 64 ? ~(uint64_t)0 : BIT(d->n) - 1; }
static inline uint64_t below(int64_t i) { return i <= 0 ? 0 : i >= 64 ? ~(uint64_t)0 : BIT(i) - 1; }
/* Narrows by `agrees`, the values for which the question has the answer it has. */
static inline void narrow(V v, uint64_t agrees) {
    S.mask[v.field] &= S.domain[v.field]->n > 64 ? only(v.field) : agrees;
}
/* The values w of a domain for which `w op bound`; for integers only. */
static uint64_t ordered(const Domain *d, int op, int64_t bound) {
    uint64_t found = 0;
    if (LIKELY(d->lowest != NO_RANGE)) {
        switch (op) {
        case LT: return below(bound - d->lowest);
        case LE: return below(bound - d->lowest + 1);
        case GT: return ~below(bound - d->lowest + 1);
        default: return ~below(bound - d->lowest);
        }
    }
    for (int i = 0; i < d->n && i < 64; i++) {
        int64_t value = PAYLOAD(d->words[i]);
        int tag = TAG(d->words[i]);
        if (tag != INT && tag != BOOL) continue;
        if (op == LT ? value < bound : op == LE ? value <= bound : op == GT ? value > bound : value >= bound)
            found |= BIT(i);
    }
    return found;
}
static uint64_t numbers(const Domain *d) {
    uint64_t found = 0;
    if (d->lowest != NO_RANGE) return whole(d);
    for (int i = 0; i < d->n && i < 64; i++)
        if (TAG(d->words[i]) == INT || TAG(d->words[i]) == BOOL) found |= BIT(i);
    return found;
}
/* The smallest and the largest number among the values of a field's mask. */
static int64_t extreme(int field, int largest) {
    const Domain *d = S.domain[field];
    uint64_t mask = S.mask[field] & whole(d);
    int64_t found = PAYLOAD(d->words[S.vector[field]]);
    if (d->n > 64) return found;
    if (d->lowest != NO_RANGE) return d->lowest + (largest ? 63 - __builtin_clzll(mask) : __builtin_ctzll(mask));
    for (int i = 0; i < d->n; i++)
        if (mask & BIT(i)) {
            int64_t value = PAYLOAD(d->words[i]);
            if (largest ? value > found : value < found) found = value;
        }
    return found;
}
static void narrow_order(int op, V a, V b, int answer) {
    static const int mirrored[] = {GT, GE, LT, LE}, negated[] = {GE, GT, LE, LT};
    if (a.field == b.field && a.field >= 0) { fix(a); return; }
    if (!answer) op = negated[op]; /* among numbers the answer no is the answer yes to another question */
    if (is_open(b)) {
        const Domain *d = S.domain[b.field];
        narrow(b, ordered(d, mirrored[op], PAYLOAD(W(a))) & numbers(d));
    }
    if (is_open(a)) {
        const Domain *d = S.domain[a.field];
        int64_t bound = PAYLOAD(W(b));
        if (b.field >= 0) bound = extreme(b.field, op == GT || op == GE);
        narrow(a, ordered(d, op, bound) & numbers(d));
    }
}
#define NARROW_ORDER(op, a, b, answer) do { if (is_open(a) || is_open(b)) narrow_order(op, a, b, answer); } while (0)
#else
#define fix(v) ((void)0)
#define NARROW_ORDER(op, a, b, answer) ((void)0)
#endif

/* -- containers ---------------------------------------------------------------------------------------- */

typedef struct { int64_t n, capacity; V *items; int64_t is_deque, changes; } List;
typedef struct { int64_t n; V items[]; } Tuple;
/* Objects and integers below 64 by bit, the others in `items`. Elements are fixed as they are added. */
typedef struct { uint64_t objects, integers; int64_t n, capacity; word *items; } Set;
typedef struct { int64_t n, capacity; word *keys; V *values; int64_t changes; } Dict;
typedef struct { Dict *dict; int64_t of; } View; /* live, as Python's: of KEYS, VALUES or ITEMS */
enum { KEYS, VALUES, ITEMS };

static int equal_words(word a, word b, int place);

static inline word simple_key(word w) { return TAG(w) == BOOL ? WORD(INT, PAYLOAD(w)) : w; }

/* A word that may be an element of a set or a key. */
static word key_of(V v, int place) {
    word w = W(v);
    fix(v);
    switch (TAG(w)) {
    case INT: case NONE: case STRING: case CLASS: case IDENTITY: return w;
    case BOOL: return WORD(INT, PAYLOAD(w));
    case OBJECT:
        if (S.space.compares[S.space.type[PAYLOAD(w)]]) fail(FAILED_UNSUPPORTED, place);
        return w;
    case TUPLE: {
        Tuple *t = POINTER(Tuple, w);
        for (int64_t i = 0; i < t->n; i++) key_of(t->items[i], place);
        return w;
    }
    default: fail(TAG(w) == ARRAY || TAG(w) == LIST || TAG(w) == SET || TAG(w) == DICT ? FAILED_RAISES : FAILED_UNSUPPORTED, place);
    }
}

static int64_t dict_find(const Dict *d, word key, int place);
static inline int64_t set_size(const Set *s);
static COLD int set_scan(const Set *s, word w, int place);
static inline int set_has(const Set *s, word w, int place);

/* Whether all of `s` is in `t`. */
static int set_within(const Set *s, const Set *t, int place) {
    if ((s->objects & ~t->objects) || (s->integers & ~t->integers)) return 0;
    for (int64_t i = 0; i < s->n; i++)
        if (!set_scan(t, s->items[i], place)) return 0;
    return 1;
}

/* Whether all keys of `d` are keys of `e`; with `values`, of equal values. */
static int keys_within(const Dict *d, const Dict *e, int values, int place) {
    for (int64_t i = 0; i < d->n; i++) {
        int64_t at = dict_find(e, d->keys[i], place);
        if (at < 0) return 0;
        if (!values) continue;
        fix(d->values[i]), fix(e->values[at]);
        if (W(d->values[i]) != W(e->values[at]) && !equal_words(W(d->values[i]), W(e->values[at]), place)) return 0;
    }
    return 1;
}

static int equal_views(const View *u, const View *v, int place) {
    if (u->of == VALUES || v->of == VALUES) return u == v; /* these compare by identity */
    if (u->of != v->of) fail(FAILED_UNSUPPORTED, place);
    if (u->of == ITEMS) /* hashes the values of one, so all of them can be hashed */
        for (int64_t i = 0; i < v->dict->n; i++) key_of(v->dict->values[i], place);
    if (u->of == ITEMS)
        for (int64_t i = 0; i < u->dict->n; i++) key_of(u->dict->values[i], place);
    return u->dict->n == v->dict->n && keys_within(u->dict, v->dict, u->of == ITEMS, place);
}

static int64_t length_of_list(word w) {
    if (TAG(w) == LIST) return POINTER(List, w)->n;
    V n = read_field(S.space.first[PAYLOAD(w)]);
    fix(n);
    return PAYLOAD(W(n));
}
/* Lists of the state space and others: elements are read until two differ. */
static int equal_arrays(word a, word b, int place) {
    if (TAG(a) == LIST) {
        word other = a;
        a = b, b = other;
    }
    if (TAG(b) == LIST && POINTER(List, b)->is_deque) return 0;
    int64_t n = length_of_list(a);
    if (n != length_of_list(b)) return 0;
    for (int64_t i = 0; i < n; i++) {
        V v = read_field(S.space.first[PAYLOAD(a)] + 1 + (int)i);
        V u = TAG(b) == LIST ? POINTER(List, b)->items[i] : read_field(S.space.first[PAYLOAD(b)] + 1 + (int)i);
        fix(v), fix(u);
        if (W(v) != W(u) && !equal_words(W(v), W(u), place)) return 0;
    }
    return 1;
}

static COLD int equal_slowly(word a, word b, int place) {
    int x = TAG(a), y = TAG(b);
    if ((x == INT || x == BOOL) && (y == INT || y == BOOL)) return PAYLOAD(a) == PAYLOAD(b);
    if (x == OBJECT && S.space.compares[S.space.type[PAYLOAD(a)]]) fail(FAILED_UNSUPPORTED, place);
    if (y == OBJECT && S.space.compares[S.space.type[PAYLOAD(b)]]) fail(FAILED_UNSUPPORTED, place);
    if ((x == ARRAY && (y == ARRAY || y == LIST)) || (x == LIST && y == ARRAY)) return equal_arrays(a, b, place);
    if (a == b) return 1;
    if (x == TUPLE && y == TUPLE) {
        Tuple *s = POINTER(Tuple, a), *t = POINTER(Tuple, b);
        for (int64_t i = 0; i < s->n; i++) fix(s->items[i]);
        for (int64_t i = 0; i < t->n; i++) fix(t->items[i]);
        if (s->n != t->n) return 0;
        for (int64_t i = 0; i < s->n; i++)
            if (W(s->items[i]) != W(t->items[i]) && !equal_words(W(s->items[i]), W(t->items[i]), place)) return 0;
        return 1;
    }
    if (x == LIST && y == LIST && POINTER(List, a)->is_deque == POINTER(List, b)->is_deque) {
        List *s = POINTER(List, a), *t = POINTER(List, b);
        for (int64_t i = 0; i < s->n; i++) fix(s->items[i]);
        for (int64_t i = 0; i < t->n; i++) fix(t->items[i]);
        if (s->n != t->n) return 0;
        for (int64_t i = 0; i < s->n; i++)
            if (W(s->items[i]) != W(t->items[i]) && !equal_words(W(s->items[i]), W(t->items[i]), place)) return 0;
        return 1;
    }
    if (x == ARRAY || y == ARRAY) { /* another kind of thing than a list */
        int other = x == ARRAY ? y : x;
        if (other <= BOOL || other == STRING || other == TUPLE || other == SET || other == DICT) return 0;
        fail(FAILED_UNSUPPORTED, place);
    }
    if (x == SET && y == SET) {
        const Set *s = POINTER(Set, a), *t = POINTER(Set, b);
        return set_size(s) == set_size(t) && set_within(s, t, place);
    }
    if (x == DICT && y == DICT)
        return POINTER(Dict, a)->n == POINTER(Dict, b)->n && keys_within(POINTER(Dict, a), POINTER(Dict, b), 1, place);
    if ((x == VIEW && y == SET) || (x == SET && y == VIEW)) {
        const View *v = POINTER(View, x == VIEW ? a : b);
        const Set *t = POINTER(Set, x == SET ? a : b);
        if (v->of != KEYS) fail(FAILED_UNSUPPORTED, place);
        for (int64_t i = 0; i < v->dict->n; i++)
            if (!set_has(t, simple_key(v->dict->keys[i]), place)) return 0;
        return v->dict->n == set_size(t);
    }
    if (x == VIEW && y == VIEW) return equal_views(POINTER(View, a), POINTER(View, b), place);
    if (x == ARRAY || y == ARRAY || x == y || x == ITERATOR || y == ITERATOR || x == VIEW || y == VIEW) {
        if (x == y && (x == NONE || x == STRING || x == OBJECT || x == IDENTITY || x == CLASS || x == INFINITE)) return 0;
        fail(FAILED_UNSUPPORTED, place);
    }
    if (x == IDENTITY || y == IDENTITY) fail(FAILED_UNSUPPORTED, place);
    return 0;
}

static inline int equal_words(word a, word b, int place) {
    if (LIKELY(TAG(a) == INT && TAG(b) == INT)) return a == b;
    if (TAG(a) == NONE || TAG(b) == NONE) {
        word other = TAG(a) == NONE ? b : a;
        if (TAG(other) != OBJECT) return a == b;
    }
    return equal_slowly(a, b, place);
}

static COLD int set_scan(const Set *s, word w, int place) {
    for (int64_t i = 0; i < s->n; i++)
        if (s->items[i] == w || (TAG(w) == TUPLE && TAG(s->items[i]) == TUPLE && equal_words(s->items[i], w, place)))
            return (int)i + 1;
    return 0;
}

static inline int set_has(const Set *s, word w, int place) {
    uint64_t p = (uint64_t)PAYLOAD(w);
    if (LIKELY(TAG(w) == OBJECT && p < 64)) return (int)(s->objects >> p & 1);
    if (LIKELY(TAG(w) == INT && p < 64)) return (int)(s->integers >> p & 1);
    return set_scan(s, w, place) != 0;
}

/* How many bits are 1; by itself the compiler calls a function for it where not all processors have an instruction. */
static inline int64_t ones(uint64_t bits) {
    bits -= bits >> 1 & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
    return (int64_t)(((bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56);
}

static inline int64_t set_size(const Set *s) {
    return s->n + (s->objects ? ones(s->objects) : 0) + (s->integers ? ones(s->integers) : 0);
}

static COLD void set_append(Set *s, word w, int place) {
    TICK(place);
    CHANGES(s, sizeof *s);
    if (s->n == s->capacity) {
        word *items = allocate(sizeof(word) * (size_t)(s->capacity = 2 * s->n + 4), place);
        if (s->n) memcpy(items, s->items, sizeof(word) * (size_t)s->n);
        s->items = items;
    }
    CHANGES(s->items + s->n, sizeof(word));
    s->items[s->n++] = w;
}

static inline void set_add(Set *s, V v, int place) {
    word w = W(v);
    if (LIKELY(TAG(w) == INT || (TAG(w) == OBJECT && !S.space.compares[S.space.type[PAYLOAD(w)]]))) fix(v);
    else w = key_of(v, place);
    uint64_t p = (uint64_t)PAYLOAD(w), *bits = TAG(w) == OBJECT ? &s->objects : &s->integers;
    if (LIKELY((TAG(w) == OBJECT || TAG(w) == INT) && p < 64)) {
        if (*bits >> p & 1) return;
        changes_word(bits);
        *bits |= (uint64_t)1 << p;
    } else if (!set_scan(s, w, place)) set_append(s, w, place);
}

static int set_take(Set *s, V v, int place) {
    word w = key_of(v, place);
    uint64_t p = (uint64_t)PAYLOAD(w);
    if (!set_has(s, w, place)) return 0;
    CHANGES(s, sizeof *s);
    if (s->n) CHANGES(s->items, sizeof(word) * (size_t)s->n);
    if (TAG(w) == OBJECT && p < 64) s->objects &= ~((uint64_t)1 << p);
    else if (TAG(w) == INT && p < 64) s->integers &= ~((uint64_t)1 << p);
    else s->items[set_scan(s, w, place) - 1] = s->items[--s->n];
    return 1;
}

static inline V new_set(int place) {
    Set *s = allocate(sizeof *s, place);
    memset(s, 0, sizeof *s);
    return PURE((word)s | SET);
}

static inline V new_list(int64_t capacity, int is_deque, int place) {
    List *l = allocate(sizeof *l, place);
    l->n = 0;
    l->is_deque = is_deque;
    l->changes = 0;
    l->capacity = capacity;
    l->items = capacity ? allocate(sizeof(V) * (size_t)capacity, place) : 0;
    return PURE((word)l | LIST);
}

static COLD void list_grow(List *l, int place) {
    V *items = allocate(sizeof(V) * (size_t)(l->capacity = 2 * l->n + 8), place);
    if (l->n) memcpy(items, l->items, sizeof(V) * (size_t)l->n);
    l->items = items;
}

static inline void list_append(List *l, V v, int place) {
    CHANGES(l, sizeof *l);
    if (UNLIKELY(l->n == l->capacity)) list_grow(l, place);
    CHANGES(l->items + l->n, sizeof(V));
    l->changes++;
    l->items[l->n++] = v;
}

static inline V list_pop_first(List *l, int place) {
    if (UNLIKELY(!l->n)) raise_error(INDEX_ERROR, place);
    CHANGES(l, sizeof *l);
    l->changes++;
    l->n--;
    l->capacity--;
    return *l->items++;
}

static inline V list_pop_last(List *l, int place) {
    if (UNLIKELY(!l->n)) raise_error(INDEX_ERROR, place);
    CHANGES(l, sizeof *l);
    l->changes++;
    return l->items[--l->n];
}

static V list_pop_at(List *l, int64_t at, int place) {
    if (at < 0) at += l->n;
    if (at < 0 || at >= l->n) raise_error(INDEX_ERROR, place);
    if (at == 0) return list_pop_first(l, place);
    CHANGES(l, sizeof *l);
    CHANGES(l->items, sizeof(V) * (size_t)l->n);
    l->changes++;
    V found = l->items[at];
    memmove(l->items + at, l->items + at + 1, sizeof(V) * (size_t)(l->n - at - 1));
    l->n--;
    return found;
}

static void list_insert(List *l, int64_t at, V v, int place) {
    if (at < 0 && (at += l->n) < 0) at = 0;
    if (at > l->n) at = l->n;
    list_append(l, v, place);
    CHANGES(l->items, sizeof(V) * (size_t)l->n);
    memmove(l->items + at + 1, l->items + at, sizeof(V) * (size_t)(l->n - 1 - at));
    l->items[at] = v;
}

static inline V new_tuple(int64_t n, const V *items, int place) {
    Tuple *t = allocate(sizeof *t + sizeof(V) * (size_t)n, place);
    t->n = n;
    for (int64_t i = 0; i < n; i++) t->items[i] = items[i]; /* memcpy would wait for what has just been written */
    return PURE((word)t | TUPLE);
}

static V new_dict(int place) {
    Dict *d = allocate(sizeof *d, place);
    memset(d, 0, sizeof *d);
    return PURE((word)d | DICT);
}

static int64_t dict_find(const Dict *d, word key, int place) {
    key = simple_key(key);
    for (int64_t i = 0; i < d->n; i++) {
        word k = simple_key(d->keys[i]);
        if (k == key || (TAG(k) == TUPLE && TAG(key) == TUPLE && equal_words(k, key, place))) return i;
    }
    return -1;
}

static void dict_put(Dict *d, V key, V value, int place) {
    int64_t at = dict_find(d, key_of(key, place), place);
    if (at >= 0) {
        CHANGES(d->values + at, sizeof(V));
        d->values[at] = value;
        return;
    }
    TICK(place);
    CHANGES(d, sizeof *d);
    d->changes++;
    if (d->n == d->capacity) {
        d->capacity = 2 * d->n + 8;
        word *keys = allocate(sizeof(word) * (size_t)d->capacity, place);
        V *values = allocate(sizeof(V) * (size_t)d->capacity, place);
        if (d->n) memcpy(keys, d->keys, sizeof(word) * (size_t)d->n), memcpy(values, d->values, sizeof(V) * (size_t)d->n);
        d->keys = keys;
        d->values = values;
    }
    CHANGES(d->keys + d->n, sizeof(word));
    CHANGES(d->values + d->n, sizeof(V));
    d->keys[d->n] = W(key);
    d->values[d->n++] = value;
}

static void dict_delete(Dict *d, int64_t at) {
    CHANGES(d, sizeof *d);
    CHANGES(d->keys, sizeof(word) * (size_t)d->n);
    CHANGES(d->values, sizeof(V) * (size_t)d->n);
    memmove(d->keys + at, d->keys + at + 1, sizeof(word) * (size_t)(d->n - at - 1));
    memmove(d->values + at, d->values + at + 1, sizeof(V) * (size_t)(d->n - at - 1));
    d->n--;
    d->changes++;
}
