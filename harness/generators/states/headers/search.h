/* Korat's search over the translated rep_ok. Mirrors harness.generators.states.reference.search. */

static int advance(int failed_on_top) {
    (void)failed_on_top;
    while (S.height) {
        int field = S.stack[S.height - 1], index = S.vector[field];
        const Domain *d = S.domain[field];
        int c = d->classes[index], fresh = 0;
        if (S.structural[field]) S.reachable = UNKNOWN;
        if (c >= 0) {
            int deeper = S.maxima[c] = S.before[S.height - 1];
            fresh = d->indices[index] > deeper;
        }
#ifdef OUTCOME
        /* Objects that are not on the stack stand for each other: they have failed all or not at all. */
        uint64_t mask = S.mask[field];
        if (d->n > 64) mask = 0;
        for (int i = 0; i < d->run_count && mask; i++) {
            const int32_t *run = d->runs + 3 * i;
            uint64_t others = below(run[1] + run[2]) & ~below(run[1] + S.maxima[run[0]] + 1);
            if ((mask & others) != others) mask &= ~others;
        }
        uint64_t failed = S.failed[field] |= mask;
        index = fresh ? d->ends[index] + 1 : index + 1;
        while (index < d->n && d->n <= 64 && failed >> index & 1) {
            int k = d->classes[index];
            index = k >= 0 && d->indices[index] > S.maxima[k] ? d->ends[index] + 1 : index + 1;
        }
#else
        index = fresh ? d->ends[index] + 1 : index + 1;
#endif
#ifndef OUTCOME
        /* rep_ok has said no, and would again, after the same reads: such candidates count as explored. */
        if (failed_on_top && !d->run_count && d->n <= 64)
            for (uint64_t mask = S.mask[field]; index < d->n && mask >> index & 1 && S.explored < S.most_explored; index++)
                S.explored++;
        failed_on_top = 0;
#endif
        if (index < d->n) {
            S.vector[field] = (uint16_t)index;
            S.value[field] = d->words[index];
            S.mask[field] = ~(uint64_t)0;
            count_object(d, index);
            while (S.checkpoint_count && S.checkpoints[S.checkpoint_count - 1].height >= S.height) S.checkpoint_count--;
            while (S.class_checkpoint_count && S.class_checkpoints[S.class_checkpoint_count - 1].height >= S.height)
                S.class_checkpoint_count--;
            return 1;
        }
        S.vector[field] = 0;
        S.value[field] = W_ABSENT;
        S.height--;
    }
    return 0;
}

static int reach(int object, int n) {
    if (S.seen[object]) return n;
    S.seen[object] = 1;
    int fields = S.space.is_list[object] ? 1 : S.space.count[object];
    for (int i = 0; i < fields; i++)
        if (!S.fixed[S.space.first[object] + i]) S.agenda[n++] = S.space.first[object] + i;
    return n;
}

/* Pushes the reachable fields that are not on the stack, breadth first, in declaration order. */
static void read_reachable(void) {
    if (S.reachable == S.height) return;
    /* Objects are numbered as they come, so there are no more than these; and what is on the stack is reachable. */
    int fields = S.own;
    for (int c = 0; c < S.space.domain_count; c++) fields += (S.maxima[c] + 1) * S.most[c];
    if (fields == S.height) {
        S.reachable = fields;
        return;
    }
    memset(S.seen, 0, (size_t)S.space.object_count);
    int n = reach(0, 0);
    for (int i = 0; i < n; i++) {
        int field = S.agenda[i];
        if (S.value[field] == W_ABSENT) push(field);
        word w = S.value[field];
        int owner = S.space.owner[field];
        if (S.space.is_list[owner] && field == S.space.first[owner] && !S.fixed[field + 1])
            for (int64_t k = 0; k < PAYLOAD(w); k++) S.agenda[n++] = field + 1 + (int)k;
        int other = S.domain[field]->objects[S.vector[field]];
        if (other >= 0) n = reach(other, n);
    }
    S.reachable = n;
}

/* Runs rep_ok on the present candidate. */
static int execute(void) {
    if (S.checkpoint_count) {
        const Checkpoint *c = S.checkpoints + S.checkpoint_count - 1;
        restore(c->trail);
        S.arena_top = c->arena_top;
        S.resume = c->site;
    } else {
        S.trail_size = 0;
        S.arena_top = S.arena;
        S.resume = 0;
    }
    S.older = S.arena_top;
    S.catcher = 0;
    S.depth = 0;
    S.fuel = S.fuel_limit;
    S.explored++;
    int place = 0;
    V found = root_call();
    return truth(found, place);
}

#ifdef CRITERION
#define MOST_CLASSES 4096
#define CLASS_WORDS 64

/* A class as words that are equal where the values are: numbers, texts, None, and tuples of them. */
static int flatten(word w, word *out, int n) {
    if (n == CLASS_WORDS) fail(FAILED_UNSUPPORTED, 0);
    switch (TAG(w)) {
    case INT: case NONE: case STRING: case BOOL: out[n++] = simple_key(w); return n;
    case TUPLE: {
        Tuple *t = POINTER(Tuple, w);
        out[n++] = WORD(TUPLE, t->n);
        for (int64_t i = 0; i < t->n; i++) {
            word item = W(t->items[i]);
            if (LIKELY((TAG(item) == INT || TAG(item) == BOOL) && n < CLASS_WORDS)) out[n++] = simple_key(item);
            else n = flatten(item, out, n);
        }
        return n;
    }
    default: fail(FAILED_UNSUPPORTED, 0);
    }
}

/* Whether a class covered has these words; none begins with those of another one. */
static inline int is_class(int32_t number, const word *words, int n) {
    const word *known = S.classes + (size_t)number * CLASS_WORDS;
    int same = 0;
    while (same < n && known[same] == words[same]) same++;
    return same == n;
}

/* Goes to the memory and the trail of eq_class, and to where it can go on. */
static void begin_class(void) {
    S.classifying = 1;
    S.root_trail = S.trail_size;
    S.trail_size = S.class_trail;
    S.trail_end += S.arena_size;
    S.arena_end += S.arena_size;
    if (S.class_checkpoint_count) {
        const Checkpoint *c = S.class_checkpoints + S.class_checkpoint_count - 1;
        restore(c->trail);
        S.arena_top = c->arena_top;
        S.watched = c->height - 1;
        S.resume = c->site;
    } else {
        S.trail_size = S.arena_size;
        S.arena_top = S.arena + S.arena_size;
        S.watched = -1;
        S.resume = 0;
    }
    S.older = S.arena_top;
}

static void end_class(void) {
    S.classifying = 0;
    S.class_trail = S.trail_size;
    S.trail_size = S.root_trail;
    S.trail_end -= S.arena_size;
    S.arena_end -= S.arena_size;
}

/* Runs eq_class on the present, valid candidate; whether it is the first one of its class. */
static int classify(void) {
    word found[CLASS_WORDS];
    begin_class();
    S.catcher = 0;
    S.depth = 0;
    S.fuel = S.fuel_limit;
    V value = class_call();
    if (S.watched < 0) fail(FAILED_UNSUPPORTED, 0);
    int n = flatten(W(value), found, 0);
    end_class();
    if (S.class_last < S.class_count && is_class(S.class_last, found, n)) return 0;
    for (int32_t i = 0; i < S.class_count; i++)
        if (is_class(i, found, n)) {
            S.class_last = i;
            return 0;
        }
    if (S.class_count == MOST_CLASSES) fail(FAILED_UNSUPPORTED, 0);
    memcpy(S.classes + (size_t)S.class_count * CLASS_WORDS, found, sizeof *found * (size_t)n);
    size_t width = (size_t)S.space.width;
    memcpy(S.class_vectors + (size_t)S.class_count++ * width, S.vector, sizeof(uint16_t) * width);
    return 1;
}

/* Korat+ (criteria_pruning2011, section 3): mirrors harness.generators.states.reference.plus_search. */

/* Drops the fields above the last one that eq_class has read. */
static void drop_unwatched(void) {
    while (S.height - 1 > S.watched && S.height) {
        int field = S.stack[S.height - 1];
        const Domain *d = S.domain[field];
        int c = d->classes[S.vector[field]];
        if (S.structural[field]) S.reachable = UNKNOWN;
        if (c >= 0) S.maxima[c] = S.before[S.height - 1];
        S.vector[field] = 0;
        S.value[field] = W_ABSENT;
        S.height--;
    }
}
#endif

enum { MORE, END, FAILED };

/* Goes on until `room` vectors are written to `out`, or about `budget` steps are done, or rep_ok is to be
   executed for the `most`-and-first time, or the end.
   Returns MORE, END or FAILED; `*written` vectors are there in each case. */
int mutascope_search(Search *search, uint16_t *out, int64_t room, int64_t budget, int64_t most, int64_t *written) {
    volatile int64_t count = 0;
    volatile int status = MORE;
    S = *search;
    S.most_explored = most;
    if (setjmp(escape)) {
        status = FAILED;
#ifdef CRITERION
        if (S.classifying) end_class();
#endif
    } else {
        size_t size = sizeof(uint16_t) * (size_t)S.space.width;
        while (budget > 0) {
            if (S.must_run) {
                if (S.explored >= most) break;
                S.valid = execute();
                budget -= 8 + S.fuel_limit - S.fuel;
                S.decided = S.height;
#ifdef CRITERION
                if (S.valid) {
                    read_reachable();
                    int fresh = classify();
                    budget -= 8 + S.fuel_limit - S.fuel;
                    if (fresh || !FIRST_ONLY) {
                        memcpy(out + count * S.space.width, S.vector, size);
                        count++;
                    }
                    drop_unwatched();
                }
                S.decided = S.space.width;
#else
                if (S.valid) {
                    read_reachable();
                    memcpy(out + count * S.space.width, S.vector, size);
                    count++;
                }
#endif
                S.must_run = 0; /* only now: where eq_class has failed, it is to fail again */
            } else {
                budget -= 8;
                S.unexecuted++;
                read_reachable();
                memcpy(out + count * S.space.width, S.vector, size);
                count++;
            }
#ifdef OUTCOME
            if (S.valid)
                for (int i = 0; i < S.height; i++) S.mask[S.stack[i]] = only(S.stack[i]);
#endif
            int64_t executed = S.explored;
            int more = advance(!S.valid);
            budget -= 8 * (S.explored - executed);
            if (!more) {
                status = END;
                break;
            }
            S.must_run = !S.valid || S.height <= S.decided;
            if (count == room) break;
        }
    }
    *written = count;
    *search = S;
    return status;
}

static int32_t unfixed(const Search *s, int object) {
    int32_t n = 0;
    for (int32_t i = 0; i < s->space.count[object]; i++) n += !s->fixed[s->space.first[object] + i];
    return n;
}

/* A search at its start, or NULL without memory. */
Search *mutascope_open(const Space *space, int64_t fuel_limit, int64_t arena_size) {
    size_t width = (size_t)space->width, objects = (size_t)space->object_count;
    Search *s = calloc(1, sizeof *s);
    if (!s) return 0;
    s->space = *space;
    s->field_of = space->field_of;
    s->fuel_limit = fuel_limit;
    s->must_run = 1;
    s->reachable = UNKNOWN;
    s->value = calloc(width, sizeof *s->value);
    s->vector = calloc(width, sizeof *s->vector);
    s->stack = calloc(width, sizeof *s->stack);
    s->before = calloc(width, sizeof *s->before);
    s->agenda = calloc(width, sizeof *s->agenda);
    s->maxima = calloc((size_t)space->domain_count, sizeof *s->maxima);
    s->seen = calloc(objects, 1);
    s->structural = calloc(width, 1);
    s->fixed = calloc(width + 1, 1);
    s->most = calloc((size_t)space->domain_count, sizeof *s->most);
    s->domain = calloc(width, sizeof *s->domain);
    s->mask = calloc(width, sizeof *s->mask);
    s->failed = calloc(width, sizeof *s->failed);
    s->arena = malloc(2 * (size_t)arena_size);
    s->trail = malloc(2 * (size_t)arena_size);
    s->arena_size = s->class_trail = (size_t)arena_size;
    s->checkpoints = calloc(width + 1, sizeof *s->checkpoints);
    s->saved = calloc(width + 1, LARGEST_SAVED);
    if (!s->value || !s->vector || !s->stack || !s->before || !s->agenda || !s->maxima || !s->seen || !s->structural || !s->fixed || !s->most || !s->domain ||
        !s->mask || !s->failed || !s->arena || !s->trail || !s->checkpoints || !s->saved)
        return 0;
#ifdef CRITERION
    s->position = calloc(width + 1, sizeof *s->position);
    s->classes = calloc(MOST_CLASSES, CLASS_WORDS * sizeof *s->classes);
    s->class_vectors = calloc(MOST_CLASSES, (width + 1) * sizeof *s->class_vectors);
    s->class_checkpoints = calloc(width + 1, sizeof *s->class_checkpoints);
    s->class_saved = calloc(width + 1, LARGEST_CLASS_SAVED);
    s->class_stride = LARGEST_CLASS_SAVED;
    if (!s->position || !s->classes || !s->class_vectors || !s->class_checkpoints || !s->class_saved) return 0;
#endif
    s->arena_end = s->arena + arena_size;
    s->older = s->arena;
    s->trail_end = (size_t)arena_size;
    s->stride = LARGEST_SAVED;
    for (size_t f = 0; f < width; f++) {
        s->value[f] = W_ABSENT;
        s->domain[f] = &space->domains[space->domain_of[f]];
        int owner = space->owner[f];
        s->structural[f] = space->is_list[owner] && (size_t)space->first[owner] == f;
        for (int i = 0; i < s->domain[f]->n; i++) {
            int other = s->domain[f]->objects[i];
            s->structural[f] |= other >= 0 && space->count[other] > 0;
        }
#ifndef CRITERION
        s->fixed[f] = s->domain[f]->n == 1 && s->domain[f]->objects[0] < 0 && !s->structural[f];
        if (s->fixed[f]) s->value[f] = s->domain[f]->words[0], s->mask[f] = 1;
#endif
    }
    s->most[0] = unfixed(s, 0);
    for (size_t f = 0; f < width; f++)
        for (int i = 0; i < s->domain[f]->n; i++) {
            int c = s->domain[f]->classes[i], fields = c < 0 ? 0 : unfixed(s, s->domain[f]->objects[i]);
            if (fields && fields > s->most[c]) s->most[c] = fields;
            if (c < 0 && s->domain[f]->objects[i] >= 0) s->own += unfixed(s, s->domain[f]->objects[i]);
        }
    for (int c = 0; c < space->domain_count; c++) s->maxima[c] = c ? -1 : 0;
    return s;
}

void mutascope_close(Search *s) {
    void *parts[] = {s->value, s->vector, s->stack, s->before, s->agenda, s->maxima, s->seen, s->structural, s->fixed, s->most, s->domain,
                     s->mask, s->failed, s->arena, s->trail, s->checkpoints, s->saved, s->position, s->classes,
                     s->class_vectors, s->class_checkpoints, s->class_saved};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) free(parts[i]);
    free(s);
}

int64_t mutascope_unexecuted(const Search *s) { return s->unexecuted; }
/* The first valid vector of each class covered, one after the other; their number. */
const uint16_t *mutascope_classes(const Search *s, int32_t *count) { *count = s->class_count; return s->class_vectors; }
int64_t mutascope_explored(const Search *s) { return s->explored; }
const uint16_t *mutascope_vector(const Search *s) { return s->vector; }
int32_t mutascope_failure(const Search *s, int32_t *place) { *place = s->failure_place; return s->failure; }
