/* Python's operations on values: included after values.h, before the translated functions. */

/* -- questions: answers are C integers, and narrow what was asked about -------------------------------- */

static inline int truth_of_word(word w, int place) {
    switch (TAG(w)) {
    case BOOL: case INT: case STRING: return PAYLOAD(w) != 0; /* string 0 is the empty one */
    case NONE: return 0;
    case LIST: return POINTER(List, w)->n != 0;
    case TUPLE: return POINTER(Tuple, w)->n != 0;
    case SET: return set_size(POINTER(Set, w)) != 0;
    case DICT: return POINTER(Dict, w)->n != 0;
    case VIEW: return POINTER(View, w)->dict->n != 0;
    case OBJECT:
        if (S.space.compares[S.space.type[PAYLOAD(w)]]) fail(FAILED_UNSUPPORTED, place);
        return 1;
    case ITERATOR: case CLASS: case INFINITE: return 1;
    default: fail(FAILED_UNSUPPORTED, place);
    }
}

#ifdef OUTCOME
/* Whether two words of field domains are equal; -1 where that is not ours to say. */
static int domain_words_equal(word a, word b) {
    int x = TAG(a), y = TAG(b);
    if ((x == INT || x == BOOL) && (y == INT || y == BOOL)) return PAYLOAD(a) == PAYLOAD(b);
    if (x == OBJECT && S.space.compares[S.space.type[PAYLOAD(a)]]) return -1;
    if (y == OBJECT && S.space.compares[S.space.type[PAYLOAD(b)]]) return -1;
    if (x > STRING || y > STRING) return -1;
    return a == b;
}
static COLD uint64_t equal_to(const Domain *d, word w, int identical, int answer) {
    uint64_t found = 0;
    for (int i = 0; i < d->n && i < 64; i++)
        if ((identical ? d->words[i] == w : domain_words_equal(d->words[i], w)) == answer) found |= BIT(i);
    return found;
}
static inline uint64_t agreeing(const Domain *d, word w, int identical, int answer) {
    if (TAG(w) == INT && d->lowest != NO_RANGE) {
        uint64_t i = (uint64_t)PAYLOAD(w) - (uint64_t)d->lowest;
        uint64_t found = i < 64 ? BIT(i) & whole(d) : 0;
        return answer ? found : whole(d) & ~found;
    }
    return equal_to(d, w, identical, answer);
}
static void narrow_equal(V a, V b, int identical, int answer) {
    if (a.field == b.field) return;
    if (is_open(b)) narrow(b, agreeing(S.domain[b.field], W(a), identical, answer));
    if (!is_open(a)) return;
    if (b.field < 0 || S.mask[b.field] == only(b.field))
        narrow(a, agreeing(S.domain[a.field], W(b), identical, answer));
    else
        fix(a);
}
#define NARROW_EQUAL(a, b, identical, answer) \
    do { if (is_open(a) || is_open(b)) narrow_equal(a, b, identical, answer); } while (0)
static COLD void narrow_truth(V v, int answer) {
    const Domain *d = S.domain[v.field];
    uint64_t found = 0;
    for (int i = 0; i < d->n && i < 64; i++) {
        word w = d->words[i];
        int tag = TAG(w);
        if (tag > STRING || (tag == OBJECT && S.space.compares[S.space.type[PAYLOAD(w)]])) continue;
        if ((tag == OBJECT || (tag != NONE && PAYLOAD(w) != 0)) == answer) found |= BIT(i);
    }
    narrow(v, found);
}
static COLD void narrow_member(const Set *s, V v, int answer, int place) {
    const Domain *d = S.domain[v.field];
    uint64_t found = 0;
    for (int i = 0; i < d->n && i < 64; i++) {
        word w = d->words[i];
        if (TAG(w) > STRING || (TAG(w) == OBJECT && S.space.compares[S.space.type[PAYLOAD(w)]])) continue;
        if (set_has(s, simple_key(w), place) == answer) found |= BIT(i);
    }
    narrow(v, found);
}
#else
#define NARROW_EQUAL(a, b, identical, answer) ((void)0)
#endif

static inline V array_length(V v) {
    fix(v);
    return read_field(S.space.first[PAYLOAD(W(v))]);
}

static inline int truth(V v, int place) {
    if (UNLIKELY(TAG(W(v)) == ARRAY)) v = array_length(v);
    int answer = truth_of_word(W(v), place);
#ifdef OUTCOME
    if (is_open(v)) narrow_truth(v, answer);
#endif
    return answer;
}

/* Sets: whether one is within the other, and smaller where that is asked. */
static COLD int order_sets(int op, const Set *s, const Set *t, int place) {
    if (op == GT || op == GE) return order_sets(op == GT ? LT : LE, t, s, place);
    return set_within(s, t, place) && (op == LE || set_size(s) < set_size(t));
}

static COLD int order_slowly(int op, word a, word b, int place) {
    int x = TAG(a), y = TAG(b);
    if (x == SET && y == SET) return order_sets(op, POINTER(Set, a), POINTER(Set, b), place);
    if (x == INFINITE || y == INFINITE) {
        if (x != INT && x != BOOL && x != INFINITE) fail(FAILED_UNSUPPORTED, place);
        if (y != INT && y != BOOL && y != INFINITE) fail(FAILED_UNSUPPORTED, place);
        a = x == INFINITE ? PAYLOAD(a) : 0, b = y == INFINITE ? PAYLOAD(b) : 0; /* 1 or -1: beyond all integers */
        return op == LT ? a < b : op == LE ? a <= b : op == GT ? a > b : a >= b;
    }
    if ((x == NONE && (y == INT || y == BOOL || y == NONE)) || (y == NONE && (x == INT || x == BOOL)))
        raise_error(TYPE_ERROR, place);
    if ((x != INT && x != BOOL) || (y != INT && y != BOOL))
        fail(x == NONE || y == NONE || x == OBJECT || y == OBJECT ? FAILED_RAISES : FAILED_UNSUPPORTED, place);
    a = PAYLOAD(a), b = PAYLOAD(b);
    return op == LT ? a < b : op == LE ? a <= b : op == GT ? a > b : a >= b;
}

static inline int order(int op, V v, V u, int place) {
    word a = W(v), b = W(u);
    int answer;
    if (LIKELY(((a | b) & 15) == INT)) answer = op == LT ? a < b : op == LE ? a <= b : op == GT ? a > b : a >= b;
    else answer = order_slowly(op, a, b, place);
    if (UNLIKELY(TAG(a) >= LIST || TAG(b) >= LIST)) { /* sets, infinity: bounds are for integers */
        fix(v), fix(u);
        return answer;
    }
    NARROW_ORDER(op, v, u, answer);
    return answer;
}

static inline int equal(V a, V b, int place) {
    int answer = equal_words(W(a), W(b), place);
    NARROW_EQUAL(a, b, 0, answer);
    return answer;
}

/* -- comparisons of fields as they are read ------------------------------------------------------------- */

/* As `order` and `equal`; `f` and `g` are the fields that the operands were read from by `read_to_compare`, or -1. So for
   the field on top of the stack, `mask` has the values with which this execution of rep_ok would be the same: they are
   consecutive integers, as a rule, and need not be tried. */
#ifndef OUTCOME
static inline uint64_t bits_below(int64_t i) { return i <= 0 ? 0 : i >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << i) - 1; }
static inline void narrow_top(int field, uint64_t below, uint64_t at, int64_t bound, int answer) {
    const Domain *d = S.domain[field];
    if (d->lowest == NO_RANGE) { S.mask[field] = 0; return; }
    int64_t i = bound - d->lowest;
    uint64_t before = bits_below(i), up_to = bits_below(i + 1);
    uint64_t agrees = (below ? before : 0) | (at ? up_to & ~before : 0);
    S.mask[field] &= answer ? agrees : ~agrees;
}
static inline int compare_fields(V a, int f, V b, int g) {
    int both = ((W(a) | W(b)) & 15) == INT && (f != g || f < 0);
    if (LIKELY(both)) return 1;
    if (f >= 0) S.mask[f] = 0;
    if (g >= 0) S.mask[g] = 0;
    return 0;
}
static inline int order_fields(int op, V a, int f, V b, int g, int place) {
    if (!compare_fields(a, f, b, g)) return order(op, a, b, place);
    int answer = op == LT ? a < b : op == LE ? a <= b : op == GT ? a > b : a >= b;
    /* `a > b` is the other answer to `a <= b`, and `a op b` is about b what the mirrored question is. */
    if (f >= 0) narrow_top(f, 1, op == LE || op == GT, PAYLOAD(b), op == LT || op == LE ? answer : !answer);
    if (g >= 0) narrow_top(g, 1, op == GE || op == LT, PAYLOAD(a), op == GT || op == GE ? answer : !answer);
    return answer;
}
static inline int equal_fields(V a, int f, V b, int g, int place) {
    if (!compare_fields(a, f, b, g)) return equal(a, b, place);
    if (f >= 0) narrow_top(f, 0, 1, PAYLOAD(b), a == b);
    if (g >= 0) narrow_top(g, 0, 1, PAYLOAD(a), a == b);
    return a == b;
}
#else
#define order_fields(op, a, f, b, g, place) order(op, a, b, place)
#define equal_fields(a, f, b, g, place) equal(a, b, place)
#endif

/* Whether equal words of this kind are one object in Python, too, is the interpreter's affair for some kinds. */
static inline int identical(V a, V b, int place) {
    word w = W(a);
    if (w == W(b)) {
        int tag = TAG(w);
        if (UNLIKELY((tag == INT && (PAYLOAD(w) < -5 || PAYLOAD(w) > 256)) || tag == STRING || tag == IDENTITY || tag == INFINITE))
            fail(FAILED_UNSUPPORTED, place);
    } else if (UNLIKELY(TAG(w) == TUPLE && TAG(W(b)) == TUPLE)) fail(FAILED_UNSUPPORTED, place);
    NARROW_EQUAL(a, b, 1, w == W(b));
    return w == W(b);
}

static inline int same_or_equal(V a, V b, int place) {
    int answer = W(a) == W(b) || equal_words(W(a), W(b), place);
    NARROW_EQUAL(a, b, 0, answer);
    return answer;
}

static V element(V array, int64_t position, int place);

static int view_has(const View *view, V v, int place) {
    const Dict *d = view->dict;
    if (view->of == KEYS) return dict_find(d, key_of(v, place), place) >= 0;
    if (view->of == VALUES) {
        for (int64_t i = 0; i < d->n; i++)
            if (same_or_equal(d->values[i], v, place)) return 1;
        return 0;
    }
    if (TAG(W(v)) != TUPLE || POINTER(Tuple, W(v))->n != 2) fail(FAILED_UNSUPPORTED, place);
    const V *pair = POINTER(Tuple, W(v))->items;
    int64_t at = dict_find(d, key_of(pair[0], place), place);
    return at >= 0 && same_or_equal(d->values[at], pair[1], place);
}

static COLD int contains_slowly(V v, V within, int place) {
    word w = W(within);
    fix(within);
    switch (TAG(w)) {
    case LIST:
        for (int64_t i = 0; i < POINTER(List, w)->n; i++) {
            TICK(place);
            if (same_or_equal(POINTER(List, w)->items[i], v, place)) return 1;
        }
        return 0;
    case TUPLE:
        for (int64_t i = 0; i < POINTER(Tuple, w)->n; i++)
            if (same_or_equal(POINTER(Tuple, w)->items[i], v, place)) return 1;
        return 0;
    case ARRAY:
        for (int64_t i = 0; order(LT, V_INT(i), array_length(within), place); i++) {
            TICK(place);
            if (same_or_equal(element(within, i, place), v, place)) return 1;
        }
        return 0;
    case DICT: return dict_find(POINTER(Dict, w), key_of(v, place), place) >= 0;
    case VIEW: return view_has(POINTER(View, w), v, place);
    case INT: case NONE: case BOOL: raise_error(TYPE_ERROR, place);
    default: fail(FAILED_UNSUPPORTED, place);
    }
}

static inline int contains(V v, V within, int place) {
    if (LIKELY(TAG(W(within)) == SET)) {
        const Set *s = POINTER(Set, W(within));
        word w = W(v);
        if (UNLIKELY(TAG(w) > STRING || (TAG(w) == OBJECT && S.space.compares[S.space.type[PAYLOAD(w)]])))
            w = key_of(v, place);
        int answer = set_has(s, simple_key(w), place);
#ifdef OUTCOME
        if (is_open(v)) narrow_member(s, v, answer, place);
#endif
        return answer;
    }
    return contains_slowly(v, within, place);
}

/* `tags` has a bit for each tag, `types` for each class of the translation, deques and lists apart. */
enum { IS_DEQUE = 16 };
static int is_instance_word(word w, uint32_t tags, uint64_t types, int place) {
    int tag = TAG(w);
    if (tag == OBJECT) return (int)(types >> S.space.type[PAYLOAD(w)] & 1);
    if (tag == LIST && POINTER(List, w)->is_deque) tag = IS_DEQUE;
    if (tag == ITERATOR || tag == CLASS || tag == VIEW) fail(FAILED_UNSUPPORTED, place);
    return (int)(tags >> tag & 1);
}
static inline int is_instance(V v, uint32_t tags, uint64_t types, int place) {
    int answer = is_instance_word(W(v), tags, types, place);
#ifdef OUTCOME
    if (is_open(v)) {
        const Domain *d = S.domain[v.field];
        uint64_t found = 0;
        for (int i = 0; i < d->n && i < 64; i++)
            if (is_instance_word(d->words[i], tags, types, place) == answer) found |= BIT(i);
        narrow(v, found);
    }
#endif
    return answer;
}

/* -- integers ------------------------------------------------------------------------------------------- */

static inline int64_t integer(V v, int place) {
    int tag = TAG(W(v));
    if (UNLIKELY(tag != INT && tag != BOOL)) fail(tag == NONE || tag == OBJECT ? FAILED_RAISES : FAILED_UNSUPPORTED, place);
    fix(v);
    return PAYLOAD(W(v));
}
static inline V from_int64(int64_t i, int place) {
    word w;
    if (UNLIKELY(__builtin_mul_overflow((word)i, (word)16, &w))) fail(FAILED_OVERFLOW, place);
    return PURE(w);
}

static V join(V a, V b, int place);
static V repeat(V a, V b, int place);

static inline V add(V a, V b, int place) {
    word w;
    if (LIKELY(((W(a) | W(b)) & 15) == INT)) {
        fix(a), fix(b);
        if (UNLIKELY(__builtin_add_overflow(W(a), W(b), &w))) fail(FAILED_OVERFLOW, place);
        return PURE(w);
    }
    if (TAG(W(a)) >= LIST && TAG(W(b)) >= LIST) return join(a, b, place);
    return from_int64(integer(a, place) + integer(b, place), place);
}
static V set_combined(V a, V b, int op, int place);
static inline V subtract(V a, V b, int place) {
    if (UNLIKELY(TAG(W(a)) == SET && TAG(W(b)) == SET)) return set_combined(a, b, '-', place);
    word w, x = (word)((uint64_t)integer(a, place) << 4), y = (word)((uint64_t)integer(b, place) << 4);
    if (UNLIKELY(__builtin_sub_overflow(x, y, &w))) fail(FAILED_OVERFLOW, place);
    return PURE(w);
}
static inline V multiply(V a, V b, int place) {
    word w;
    if (UNLIKELY(TAG(W(a)) >= LIST || TAG(W(b)) >= LIST)) return repeat(a, b, place);
    int64_t x = integer(a, place), y = integer(b, place);
    if (UNLIKELY(__builtin_mul_overflow(x * 16, y, &w))) fail(FAILED_OVERFLOW, place);
    return PURE(w);
}
static inline V floor_divide(V a, V b, int place) {
    int64_t x = integer(a, place), y = integer(b, place);
    if (UNLIKELY(y == 0)) raise_error(ZERO_DIVISION_ERROR, place);
    int64_t q = x / y;
    return from_int64(q - (x % y != 0 && (x < 0) != (y < 0)), place);
}
static inline V modulo(V a, V b, int place) {
    int64_t x = integer(a, place), y = integer(b, place);
    if (UNLIKELY(y == 0)) raise_error(ZERO_DIVISION_ERROR, place);
    int64_t r = x % y;
    return V_INT(r != 0 && (r < 0) != (y < 0) ? r + y : r);
}
static inline V negative(V a, int place) {
    if (TAG(W(a)) == INFINITE) return PURE(WORD(INFINITE, -PAYLOAD(W(a))));
    return from_int64(-integer(a, place), place);
}
static inline V positive(V a, int place) { return V_INT(integer(a, place)); }
static inline V inverted(V a, int place) { return V_INT(~integer(a, place)); }
static inline V absolute(V a, int place) {
    int64_t i = integer(a, place);
    return from_int64(i < 0 ? -i : i, place);
}
#define BITWISE(name, op)                                                                              \
    static inline V name(V a, V b, int place) {                                                        \
        if (UNLIKELY(BOTH_SETS(a, b))) return set_combined(a, b, #op[0], place);                       \
        int both = TAG(W(a)) == BOOL && TAG(W(b)) == BOOL;                                             \
        int64_t found = integer(a, place) op integer(b, place);                                        \
        return both ? V_BOOL(found) : V_INT(found);                                                    \
    }
#define BOTH_SETS(a, b) (TAG(W(a)) == SET && TAG(W(b)) == SET)
BITWISE(bit_and, &)
BITWISE(bit_or, |)
BITWISE(bit_xor, ^)
static inline V shift_left(V a, V b, int place) {
    int64_t x = integer(a, place), by = integer(b, place);
    if (by < 0) fail(FAILED_RAISES, place);
    if (by > 40 || x > ((int64_t)1 << 18) || x < -((int64_t)1 << 18)) fail(FAILED_OVERFLOW, place);
    return V_INT((int64_t)((uint64_t)x << by));
}
static inline V shift_right(V a, V b, int place) {
    int64_t x = integer(a, place), by = integer(b, place);
    if (by < 0) fail(FAILED_RAISES, place);
    return V_INT(x >> (by > 62 ? 62 : by));
}

/* -- sequences ------------------------------------------------------------------------------------------ */

static inline V length(V v, int place) {
    word w = W(v);
    switch (TAG(w)) {
    case ARRAY: return array_length(v);
    case LIST: return V_INT(POINTER(List, w)->n);
    case TUPLE: return V_INT(POINTER(Tuple, w)->n);
    case SET: return V_INT(set_size(POINTER(Set, w)));
    case DICT: return V_INT(POINTER(Dict, w)->n);
    case VIEW: return V_INT(POINTER(View, w)->dict->n);
    case INT: case NONE: case BOOL: raise_error(TYPE_ERROR, place);
    default: fail(FAILED_UNSUPPORTED, place);
    }
}

/* Element `position` of an array whose length is known to be larger. */
static inline V element(V array, int64_t position, int place) {
    (void)place;
    fix(array);
    return read_field(S.space.first[PAYLOAD(W(array))] + 1 + (int)position);
}

static V subscript_slowly(V v, V index, int place) {
    word w = W(v);
    if (TAG(w) == DICT) {
        int64_t at = dict_find(POINTER(Dict, w), key_of(index, place), place);
        if (at < 0) raise_error(KEY_ERROR, place);
        return POINTER(Dict, w)->values[at];
    }
    if (TAG(w) == NONE) raise_error(TYPE_ERROR, place);
    if (TAG(w) != LIST && TAG(w) != TUPLE) fail(FAILED_UNSUPPORTED, place);
    int64_t n = TAG(w) == LIST ? POINTER(List, w)->n : POINTER(Tuple, w)->n, at = integer(index, place);
    if (at < 0) at += n;
    if (at < 0 || at >= n) raise_error(INDEX_ERROR, place);
    return TAG(w) == LIST ? POINTER(List, w)->items[at] : POINTER(Tuple, w)->items[at];
}
static inline V subscript(V v, V index, int place) {
    if (LIKELY(TAG(W(v)) == ARRAY)) {
        V size = array_length(v);
        int64_t at = integer(index, place);
        if (at < 0) fix(size), at += PAYLOAD(W(size));
        if (at < 0 || !order(LT, V_INT(at), size, place)) raise_error(INDEX_ERROR, place);
        return element(v, at, place);
    }
    return subscript_slowly(v, index, place);
}

/* As `subscript`; an element that is a field is read to be compared. */
static inline V subscript_to_compare(V v, V index, int place) {
#ifndef OUTCOME
    if (LIKELY(TAG(W(v)) == ARRAY)) {
        V size = array_length(v);
        int64_t at = integer(index, place);
        if (at < 0) at += PAYLOAD(W(size));
        if (at < 0 || at >= PAYLOAD(W(size))) raise_error(INDEX_ERROR, place);
        return read_to_compare(compared = S.space.first[PAYLOAD(W(v))] + 1 + (int)at);
    }
#endif
    V found = subscript(v, index, place);
    compared = -1; /* computing the length may have compared */
    return found;
}

static void put_subscript(V v, V index, V value, int place) {
    word w = W(v);
    if (TAG(w) == DICT) { dict_put(POINTER(Dict, w), index, value, place); return; }
    if (TAG(w) != LIST) fail(TAG(w) == ARRAY ? FAILED_UNSUPPORTED : FAILED_RAISES, place);
    int64_t n = POINTER(List, w)->n, at = integer(index, place);
    if (at < 0) at += n;
    if (at < 0 || at >= n) raise_error(INDEX_ERROR, place);
    CHANGES(POINTER(List, w)->items + at, sizeof(V));
    POINTER(List, w)->items[at] = value;
}

/* Walks a sequence by index, as Python's iterators do; `state` is what must not change meanwhile. */
static inline int64_t iteration_state(V v) {
    word w = W(v);
    if (TAG(w) == LIST && POINTER(List, w)->is_deque) return POINTER(List, w)->changes;
    return TAG(w) == DICT ? POINTER(Dict, w)->changes : TAG(w) == VIEW ? POINTER(View, w)->dict->changes : 0;
}
/* What iterating over a dict, or a view of one, gives at a position. */
static int next_entry(const Dict *d, int of, int64_t i, int64_t state, V *item, int place) {
    if (d->changes != state) fail(FAILED_UNSUPPORTED, place);
    if (i >= d->n) return 0;
    if (of != ITEMS) {
        *item = of == KEYS ? PURE(d->keys[i]) : d->values[i];
        return 1;
    }
    V pair[] = {PURE(d->keys[i]), d->values[i]};
    *item = new_tuple(2, pair, place);
    return 1;
}
static inline int next_item(V v, int64_t i, int64_t state, V *item, int place) {
    word w = W(v);
    switch (TAG(w)) {
    case ARRAY:
        if (!order(LT, V_INT(i), array_length(v), place)) return 0;
        *item = element(v, i, place);
        return 1;
    case LIST: {
        List *l = POINTER(List, w);
        if (UNLIKELY(l->is_deque && l->changes != state)) fail(FAILED_RAISES, place);
        if (i >= l->n) return 0;
        *item = l->items[i];
        return 1;
    }
    case TUPLE:
        if (i >= POINTER(Tuple, w)->n) return 0;
        *item = POINTER(Tuple, w)->items[i];
        return 1;
    case DICT: return next_entry(POINTER(Dict, w), KEYS, i, state, item, place);
    case VIEW: return next_entry(POINTER(View, w)->dict, (int)POINTER(View, w)->of, i, state, item, place);
    case INT: case NONE: case BOOL: fail(FAILED_RAISES, place);
    default: fail(FAILED_UNSUPPORTED, place);
    }
}

/* Where `reversed` starts: the length. */
static int64_t reversed_start(V v, int place) {
    word w = W(v);
    switch (TAG(w)) {
    case ARRAY: { V n = array_length(v); fix(n); return PAYLOAD(W(n)); }
    case LIST: if (POINTER(List, w)->is_deque) fail(FAILED_UNSUPPORTED, place); return POINTER(List, w)->n;
    case TUPLE: return POINTER(Tuple, w)->n;
    default: fail(FAILED_UNSUPPORTED, place);
    }
}
static int previous_item(V v, int64_t i, V *item, int place) {
    word w = W(v);
    if (TAG(w) == ARRAY) { *item = element(v, i, place); return 1; }
    if (TAG(w) == LIST) {
        if (i >= POINTER(List, w)->n) return 0;
        *item = POINTER(List, w)->items[i];
        return 1;
    }
    *item = POINTER(Tuple, w)->items[i];
    return 1;
}

/* A list of the items of any sequence. */
static V listed(V v, int is_deque, int place) {
    V made = new_list(8, is_deque, place), item = PURE(W_NONE);
    int64_t state = iteration_state(v);
    for (int64_t i = 0; next_item(v, i, state, &item, place); i++) {
        TICK(place);
        list_append(POINTER(List, W(made)), item, place);
    }
    return made;
}
static V tupled(V v, int place) {
    List *l = POINTER(List, W(listed(v, 0, place)));
    return new_tuple(l->n, l->items, place);
}
static void extend(List *l, V v, int place) {
    List *more = POINTER(List, W(listed(v, 0, place)));
    for (int64_t i = 0; i < more->n; i++) list_append(l, more->items[i], place);
}
static void set_update(Set *s, V v, int place) {
    if (TAG(W(v)) == SET) {
        const Set *t = POINTER(Set, W(v));
        CHANGES(s, sizeof *s);
        s->objects |= t->objects;
        s->integers |= t->integers;
        for (int64_t i = 0; i < t->n; i++) set_add(s, PURE(t->items[i]), place);
        return;
    }
    V item = PURE(W_NONE);
    int64_t state = iteration_state(v);
    for (int64_t i = 0; next_item(v, i, state, &item, place); i++) {
        TICK(place);
        set_add(s, item, place);
    }
}
/* A new set: `a op b`. */
static V set_combined(V a, V b, int op, int place) {
    const Set *s = POINTER(Set, W(a)), *t = POINTER(Set, W(b));
    V made = new_set(place);
    Set *m = POINTER(Set, W(made));
    m->objects = op == '&' ? s->objects & t->objects : op == '|' ? s->objects | t->objects
               : op == '^' ? s->objects ^ t->objects : s->objects & ~t->objects;
    m->integers = op == '&' ? s->integers & t->integers : op == '|' ? s->integers | t->integers
                : op == '^' ? s->integers ^ t->integers : s->integers & ~t->integers;
    for (int64_t i = 0; i < s->n; i++) {
        int in_both = set_scan(t, s->items[i], place) != 0;
        if (op == '|' || in_both == (op == '&')) set_add(m, PURE(s->items[i]), place);
    }
    for (int64_t i = 0; i < t->n && (op == '|' || op == '^'); i++)
        if (!set_scan(s, t->items[i], place)) set_add(m, PURE(t->items[i]), place);
    return made;
}
static V join(V a, V b, int place) {
    int x = TAG(W(a)), y = TAG(W(b));
    if (x == TUPLE && y == TUPLE) {
        V l = listed(a, 0, place);
        extend(POINTER(List, W(l)), b, place);
        return new_tuple(POINTER(List, W(l))->n, POINTER(List, W(l))->items, place);
    }
    if ((x != LIST && x != ARRAY) || (y != LIST && y != ARRAY)) fail(FAILED_UNSUPPORTED, place);
    if (x == LIST && y == ARRAY) fail(FAILED_UNSUPPORTED, place);
    if (x == LIST && (POINTER(List, W(a))->is_deque || POINTER(List, W(b))->is_deque)) fail(FAILED_UNSUPPORTED, place);
    V l = listed(a, 0, place);
    extend(POINTER(List, W(l)), b, place);
    return l;
}
static V repeat(V a, V b, int place) {
    if (TAG(W(a)) != LIST || POINTER(List, W(a))->is_deque) fail(FAILED_UNSUPPORTED, place);
    int64_t times = integer(b, place), n = POINTER(List, W(a))->n;
    V made = new_list(8, 0, place);
    for (int64_t i = 0; i < times; i++)
        for (int64_t j = 0; j < n; j++) {
            TICK(place);
            list_append(POINTER(List, W(made)), POINTER(List, W(a))->items[j], place);
        }
    return made;
}
/* With a step that is not 0. */
static V slice(V v, V from, V to, int64_t step, int place) {
    int tag = TAG(W(v));
    if (tag != ARRAY && (tag != LIST || POINTER(List, W(v))->is_deque) && tag != TUPLE) fail(FAILED_UNSUPPORTED, place);
    V size = length(v, place);
    fix(size), fix(from), fix(to);
    int64_t n = PAYLOAD(W(size)), least = step < 0 ? -1 : 0, most = step < 0 ? n - 1 : n;
    int64_t a = step < 0 ? most : least, b = step < 0 ? least : most;
    if (W(from) != W_NONE && (a = integer(from, place)) < 0 && (a += n) < least) a = least;
    if (a > most) a = most;
    if (W(to) != W_NONE && (b = integer(to, place)) < 0 && (b += n) < least) b = least;
    if (b > most) b = most;
    V made = new_list(8, 0, place), item = PURE(W_NONE);
    for (int64_t i = a; step < 0 ? i > b : i < b; i += step) {
        TICK(place);
        if (!next_item(v, i, 0, &item, place)) fail(FAILED_UNSUPPORTED, place);
        list_append(POINTER(List, W(made)), item, place);
    }
    if (tag != TUPLE) return made;
    return new_tuple(POINTER(List, W(made))->n, POINTER(List, W(made))->items, place);
}
/* The items of a set of integers in ascending order, as sorted gives them whatever their order there. */
static V sorted_set(V v, int place) {
    const Set *s = POINTER(Set, W(v));
    if (s->objects) fail(FAILED_UNSUPPORTED, place);
    V made = new_list(8, 0, place);
    for (int i = 0; i < 64; i++)
        if (s->integers >> i & 1) list_append(POINTER(List, W(made)), V_INT(i), place);
    for (int64_t i = 0; i < s->n; i++) {
        if (TAG(s->items[i]) != INT) fail(FAILED_UNSUPPORTED, place);
        list_append(POINTER(List, W(made)), PURE(s->items[i]), place);
    }
    return made;
}
/* Sorts by the keys at the same positions, one by one as Python's stable sort ends. */
static V sorted_by(V list, V keys, int op, int place) {
    List *l = POINTER(List, W(list)), *k = POINTER(List, W(keys));
    for (int64_t i = 0; i < l->n; i++) fix(l->items[i]), fix(k->items[i]);
    for (int64_t i = 1; i < l->n; i++) {
        V item = l->items[i], key = k->items[i];
        int64_t j = i;
        for (; j > 0 && order(op, key, k->items[j - 1], place); j--) {
            TICK(place);
            l->items[j] = l->items[j - 1];
            k->items[j] = k->items[j - 1];
        }
        l->items[j] = item;
        k->items[j] = key;
    }
    return list;
}
static V sorted_list(V list, int place) {
    List *l = POINTER(List, W(list));
    CHANGES(l, sizeof *l);
    if (l->n) CHANGES(l->items, sizeof(V) * (size_t)l->n);
    l->changes++;
    return sorted_by(list, list, LT, place);
}
static void unpack(V v, int64_t n, V *into, int place) {
    word w = W(v);
    if (TAG(w) != TUPLE && (TAG(w) != LIST || POINTER(List, w)->is_deque)) fail(FAILED_UNSUPPORTED, place);
    int64_t size = TAG(w) == TUPLE ? POINTER(Tuple, w)->n : POINTER(List, w)->n;
    const V *items = TAG(w) == TUPLE ? POINTER(Tuple, w)->items : POINTER(List, w)->items;
    if (size != n) fail(FAILED_RAISES, place);
    for (int64_t i = 0; i < n; i++) into[i] = items[i];
}
static V identity_of(V v, int place) {
    int tag = TAG(W(v));
    fix(v);
    if (tag == NONE || tag == BOOL) return v;
    if (tag != OBJECT && tag != ARRAY) fail(FAILED_UNSUPPORTED, place);
    return PURE(WORD(IDENTITY, PAYLOAD(W(v))));
}
static V as_integer(V v, int place) { return V_INT(integer(v, place)); }

/* -- methods of containers ------------------------------------------------------------------------------ */

static List *own_list(V v, int place) {
    if (UNLIKELY(TAG(W(v)) != LIST)) fail(TAG(W(v)) == NONE ? FAILED_RAISES : FAILED_UNSUPPORTED, place);
    return POINTER(List, W(v));
}
static List *own_deque(V v, int place) {
    List *l = own_list(v, place);
    if (!l->is_deque) fail(FAILED_RAISES, place);
    return l;
}
static Set *own_set(V v, int place) {
    if (UNLIKELY(TAG(W(v)) != SET)) fail(TAG(W(v)) == NONE ? FAILED_RAISES : FAILED_UNSUPPORTED, place);
    return POINTER(Set, W(v));
}
static Dict *own_dict(V v, int place) {
    if (UNLIKELY(TAG(W(v)) != DICT)) fail(TAG(W(v)) == NONE ? FAILED_RAISES : FAILED_UNSUPPORTED, place);
    return POINTER(Dict, W(v));
}
#define NOTHING PURE(W_NONE)
static inline V m_append_1(V v, V x, int place) { list_append(own_list(v, place), x, place); return NOTHING; }
static inline V m_appendleft_1(V v, V x, int place) { list_insert(own_deque(v, place), 0, x, place); return NOTHING; }
static inline V m_extend_1(V v, V x, int place) { extend(own_list(v, place), x, place); return NOTHING; }
static inline V m_insert_2(V v, V at, V x, int place) {
    list_insert(own_list(v, place), integer(at, place), x, place);
    return NOTHING;
}
static inline V m_pop_0(V v, int place) { return list_pop_last(own_list(v, place), place); }
static inline V m_pop_1(V v, V at, int place) {
    if (TAG(W(v)) == DICT) {
        Dict *d = POINTER(Dict, W(v));
        int64_t i = dict_find(d, key_of(at, place), place);
        if (i < 0) fail(FAILED_RAISES, place);
        V found = d->values[i];
        dict_delete(d, i);
        return found;
    }
    if (own_list(v, place)->is_deque) fail(FAILED_RAISES, place);
    return list_pop_at(POINTER(List, W(v)), integer(at, place), place);
}
static inline V m_popleft_0(V v, int place) { return list_pop_first(own_deque(v, place), place); }
static inline V m_reverse_0(V v, int place) {
    List *l = own_list(v, place);
    CHANGES(l, sizeof *l);
    if (l->n) CHANGES(l->items, sizeof(V) * (size_t)l->n);
    l->changes++;
    for (int64_t i = 0, j = l->n - 1; i < j; i++, j--) {
        V kept = l->items[i];
        l->items[i] = l->items[j];
        l->items[j] = kept;
    }
    return NOTHING;
}
static inline V m_sort_0(V v, int place) {
    if (own_list(v, place)->is_deque) fail(FAILED_RAISES, place);
    sorted_list(v, place);
    return NOTHING;
}
static void check_counts(V v, int place) {
    int tag = TAG(W(v));
    if (tag != ARRAY && tag != LIST && tag != TUPLE) fail(FAILED_UNSUPPORTED, place);
}
static inline V m_count_1(V v, V x, int place) {
    check_counts(v, place);
    int64_t found = 0, state = iteration_state(v);
    V item = NOTHING;
    if (TAG(W(v)) == ARRAY) v = listed(v, 0, place); /* reads all elements first */
    for (int64_t i = 0; next_item(v, i, state, &item, place); i++) found += same_or_equal(item, x, place);
    return V_INT(found);
}
static inline V m_index_1(V v, V x, int place) {
    check_counts(v, place);
    V item = NOTHING;
    if (TAG(W(v)) == ARRAY) v = listed(v, 0, place);
    int64_t state = iteration_state(v);
    for (int64_t i = 0; next_item(v, i, state, &item, place); i++)
        if (same_or_equal(item, x, place)) return V_INT(i);
    fail(FAILED_RAISES, place);
}
static inline V m_copy_0(V v, int place) {
    switch (TAG(W(v))) {
    case ARRAY: return listed(v, 0, place);
    case LIST: return listed(v, (int)POINTER(List, W(v))->is_deque, place);
    case SET: { V made = new_set(place); set_update(POINTER(Set, W(made)), v, place); return made; }
    default: fail(FAILED_UNSUPPORTED, place);
    }
}
static inline V m_clear_0(V v, int place) {
    if (TAG(W(v)) == SET) {
        CHANGES(POINTER(Set, W(v)), sizeof(Set));
        memset(POINTER(Set, W(v)), 0, sizeof(Set));
    } else if (TAG(W(v)) == DICT) {
        CHANGES(POINTER(Dict, W(v)), sizeof(Dict));
        POINTER(Dict, W(v))->n = 0;
        POINTER(Dict, W(v))->changes++;
    } else {
        List *l = own_list(v, place);
        CHANGES(l, sizeof *l);
        l->n = 0;
        l->changes++;
    }
    return NOTHING;
}
static inline V m_add_1(V v, V x, int place) { set_add(own_set(v, place), x, place); return NOTHING; }
static inline V m_discard_1(V v, V x, int place) { set_take(own_set(v, place), x, place); return NOTHING; }
static inline V m_remove_1(V v, V x, int place) {
    if (TAG(W(v)) == LIST) {
        List *l = POINTER(List, W(v));
        for (int64_t i = 0; i < l->n; i++)
            if (same_or_equal(l->items[i], x, place)) { list_pop_at(l, i, place); return NOTHING; }
        fail(FAILED_RAISES, place);
    }
    if (!set_take(own_set(v, place), x, place)) fail(FAILED_RAISES, place);
    return NOTHING;
}
static inline V m_update_1(V v, V x, int place) { set_update(own_set(v, place), x, place); return NOTHING; }
static inline V m_get_2(V v, V key, V otherwise, int place) {
    int64_t at = dict_find(own_dict(v, place), key_of(key, place), place);
    return at < 0 ? otherwise : POINTER(Dict, W(v))->values[at];
}
static inline V m_get_1(V v, V key, int place) { return m_get_2(v, key, NOTHING, place); }
static inline V m_setdefault_2(V v, V key, V otherwise, int place) {
    int64_t at = dict_find(own_dict(v, place), key_of(key, place), place);
    if (at >= 0) return POINTER(Dict, W(v))->values[at];
    dict_put(POINTER(Dict, W(v)), key, otherwise, place);
    return otherwise;
}
static inline V view_of(V v, int of, int place) {
    View *made = allocate(sizeof *made, place);
    made->dict = own_dict(v, place);
    made->of = of;
    return PURE((word)made | VIEW);
}
static inline V m_keys_0(V v, int place) { return view_of(v, KEYS, place); }
static inline V m_values_0(V v, int place) { return view_of(v, VALUES, place); }
static inline V m_items_0(V v, int place) { return view_of(v, ITEMS, place); }
