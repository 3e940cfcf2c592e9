/* SPDX-License-Identifier: MIT */
/*
 * shrink.c - descend to the smallest case in canonical order
 *
 * Fields are lowered one after another in the order in which cases are compared, then
 * size and dst offset together, until nothing helps.  Candidates go out in ascending
 * order, so the first one that shows the finding is the smallest of its batch.  Never
 * runs a kernel and never draws a random number: equal starts give equal ends.
 */
#include "verify/shrink.h"

#include <string.h>

#include "base/rng.h"
#include "run/pool.h"
#include "verify/plan.h"

enum {
    BATCH = 64,
    SEEN = 1 << 14, /* remembered cases; a collision only costs a second try */
    OFFSETS = 65,   /* not given, 0..63 */
    FIRST = 48,     /* values tried one by one from zero */
    WINDOW = 128,   /* and below the current one */
    FIRST_CONTENTS = 32,
    SEEDS = 3, /* contents of each kind tried with a small size */
    JOINT_FIRST = 16,
    JOINT_WINDOW = 64,
};

struct shrink {
    const struct fnp_contract *contract;
    struct fnp_case best;
    size_t left; /* tries */
    fnp_shrink_try *attempt;
    void *arg;
    struct fnp_case batch[BATCH];
    size_t n_batch;
    struct fnp_sizes sizes; /* of the contract, a list sorted */
    uint64_t seen[SEEN];    /* hashes of cases already tried in vain */
};

static uint64_t hash_of(const struct fnp_case *c)
{
    unsigned char bytes[FNP_CASE_BYTES];
    uint64_t hash = 1;

    fnp_case_encode(c, bytes);
    for (size_t i = 0; i < sizeof(bytes); i += sizeof(hash)) {
        uint64_t word = 0;

        memcpy(&word, bytes + i, sizeof(word));
        hash = fnp_mix(hash ^ word);
    }
    return hash;
}

/* Run what has been proposed; true when `best` became smaller. */
static bool flush(struct shrink *s)
{
    size_t count = s->n_batch < s->left ? s->n_batch : s->left;
    size_t hit = count > 0 ? s->attempt(s->arg, s->batch, count) : count;

    s->n_batch = 0;
    for (size_t i = 0; i < hit; i++) {
        uint64_t hash = hash_of(&s->batch[i]);

        s->seen[hash % SEEN] = hash;
    }
    if (hit >= count) {
        s->left -= count;
        return false;
    }
    s->left -= hit + 1;
    s->best = s->batch[hit];
    return true;
}

/* Queue a candidate if it is smaller, legal and new; true when `best` became smaller. */
static bool propose(struct shrink *s, struct fnp_case c)
{
    uint64_t hash = 0;

    fnp_case_canonical(&c);
    if (fnp_case_compare(&c, &s->best) >= 0 || !fnp_case_allowed(s->contract, &c, NULL))
        return false;
    hash = hash_of(&c);
    if (s->seen[hash % SEEN] == hash)
        return false;
    s->batch[s->n_batch++] = c;
    return s->n_batch == BATCH && flush(s);
}

/* A member of struct fnp_case as a number that counts up from its default. */
struct field {
    size_t at, size;
    uint64_t usual;
    bool bits; /* searched bit by bit, else value by value */
};

#define FIELD(member, usual, bits)                                                     \
    { offsetof(struct fnp_case, member), sizeof(((struct fnp_case *)NULL)->member),    \
      usual, bits }

/* Those before size and placement, and those after, in the order of comparison. */
static const struct field early[] = {
    FIELD(field, 0, false),
    FIELD(huge, 0, false),
    FIELD(repeat, 0, false),
    FIELD(x87, 0, false),
    FIELD(ymm, 0, false),
    FIELD(fcw, FNP_FCW_DEFAULT, true),
    FIELD(mxcsr, FNP_MXCSR_DEFAULT, true),
    FIELD(upper, 0, false),
};
static const struct field dst_offset = FIELD(offset[0], 0, false);
static const struct field src_offset = FIELD(offset[1], 0, false);
static const struct field dst_line = FIELD(line[0], 0, false);
static const struct field src_line = FIELD(line[1], 0, false);
static const struct field late[] = {
    FIELD(fill, 0, false),     FIELD(offset[1], 0, false), FIELD(offset[2], 0, false),
    FIELD(place[0], 0, false), FIELD(place[1], 0, false),  FIELD(place[2], 0, false),
    FIELD(line[0], 0, false),  FIELD(line[1], 0, false),   FIELD(line[2], 0, false),
    FIELD(value[0], 0, true),  FIELD(value[1], 0, true),   FIELD(value[2], 0, true),
    FIELD(junk, 0, true),      FIELD(seed, 0, true),
};

static uint64_t get(const struct fnp_case *c, const struct field *f)
{
    uint64_t value = 0;

    memcpy(&value, (const unsigned char *)c + f->at, f->size);
    return value ^ f->usual;
}

static struct fnp_case with(const struct fnp_case *c, const struct field *f,
                            uint64_t value)
{
    struct fnp_case out = *c;

    value ^= f->usual;
    memcpy((unsigned char *)&out + f->at, &value, f->size);
    return out;
}

/* Small values, single bits, then the value without one of its own, the highest first. */
static bool lower_bits_once(struct shrink *s, const struct field *f)
{
    struct fnp_case c = s->best;
    uint64_t value = get(&c, f);

    for (uint64_t k = 0; k < 4 && k < value; k++) {
        if (propose(s, with(&c, f, k)))
            return true;
    }
    for (uint64_t bit = 1; bit < value; bit <<= 1) {
        if (propose(s, with(&c, f, bit)))
            return true;
        if (bit > 1ull << 62)
            break;
    }
    for (uint64_t bit = 1ull << 63; bit > 0; bit >>= 1) {
        if (value & bit && propose(s, with(&c, f, value ^ bit)))
            return true;
    }
    return flush(s);
}

static bool lower_field(struct shrink *s, const struct field *f)
{
    struct fnp_case c = s->best;
    uint64_t value = get(&c, f);
    bool lower = false;

    if (f->bits) {
        while (lower_bits_once(s, f))
            lower = true;
        return lower;
    }
    for (uint64_t k = 0; k < value; k++) {
        if (propose(s, with(&c, f, k)))
            return true;
    }
    return flush(s);
}

/* A number searched over a wide range: how to put a value into a case. */
typedef struct fnp_case setter(const struct shrink *s, const struct fnp_case *c,
                               uint64_t value);
/* And how to read it from the best case. */
typedef uint64_t getter(const struct shrink *s);

/* The k-th size the contract names. */
static struct fnp_case with_size(const struct shrink *s, const struct fnp_case *c,
                                 uint64_t k)
{
    struct fnp_case out = *c;

    if (s->sizes.count > 0)
        out.n = s->sizes.list[k < s->sizes.count ? k : s->sizes.count - 1];
    else
        out.n = s->sizes.least + k * s->sizes.step;
    return out;
}

static struct fnp_case with_reach(const struct shrink *s, const struct fnp_case *c,
                                  uint64_t value)
{
    struct fnp_case out = *c;

    (void)s;
    out.distance = (int32_t)(c->distance < 0 ? -(int64_t)value : (int64_t)value);
    return out;
}

/* How many of the contract's sizes lie below n. */
static uint64_t rank_of(const struct shrink *s, uint64_t n)
{
    uint64_t rank = 0;

    if (s->sizes.count == 0)
        return n < s->sizes.least
                   ? 0
                   : (n - s->sizes.least + s->sizes.step - 1) / s->sizes.step;
    while (rank < s->sizes.count && s->sizes.list[rank] < n)
        rank++;
    return rank;
}

/*
 * [lo, current) by even steps that become finer and finer: exact when everything from
 * some value on shows the finding, else a smaller value if one is met.
 */
static bool narrow(struct shrink *s, uint64_t lo, setter *set, getter *current)
{
    uint64_t hi = current(s), step = 0;
    bool lower = false;

    while (lo < hi && s->left > 0 && step != 1) {
        struct fnp_case c = s->best;
        bool hit = false;

        step = (hi - lo) / BATCH + 1;
        for (uint64_t k = lo; k < hi && !hit; k += step)
            hit = propose(s, set(s, &c, k));
        hit = hit || flush(s);
        lower |= hit;
        if (hit) {
            hi = current(s);
            lo = hi - lo < step ? lo : hi - step + 1;
        } else {
            lo = hi - (hi - lo - 1) % step;
        }
    }
    return lower;
}

/* From zero one by one, then around powers of two; the last one tried in vain is *lo. */
static bool try_usual(struct shrink *s, uint64_t below, setter *set,
                      uint64_t (*number)(const struct shrink *, uint64_t), uint64_t *lo)
{
    struct fnp_case c = s->best;

    *lo = 0;
    for (uint64_t k = 0; k < FIRST && k < below; k++) {
        *lo = k;
        if (propose(s, set(s, &c, k)))
            return true;
    }
    for (unsigned bit = 5; bit < 64; bit++) {
        for (uint64_t n = (1ull << bit) - 1; n <= (1ull << bit) + 1; n++) {
            uint64_t k = number(s, n);

            if (k >= below || k <= *lo)
                continue;
            *lo = k;
            if (propose(s, set(s, &c, k)))
                return true;
        }
    }
    return flush(s);
}

static uint64_t itself(const struct shrink *s, uint64_t n)
{
    (void)s;
    return n;
}

static uint64_t current_reach(const struct shrink *s)
{
    int64_t distance = s->best.distance;

    return (uint64_t)(distance < 0 ? -distance : distance);
}

static uint64_t current_rank(const struct shrink *s)
{
    return rank_of(s, s->best.n);
}

static bool lower_number(struct shrink *s, setter *set,
                         uint64_t (*number)(const struct shrink *, uint64_t),
                         getter *current)
{
    uint64_t lo = 0;
    bool lower = false;

    while (try_usual(s, current(s), set, number, &lo))
        lower = true;
    lower |= narrow(s, lo, set, current);
    /* Huge cases cost a hundred times as much, and their sizes are no remainders. */
    for (bool again = s->best.n < FNP_HUGE_N_MIN; again;) {
        struct fnp_case c = s->best;
        uint64_t value = current(s);

        again = false;
        for (uint64_t k = value > WINDOW ? value - WINDOW : 0; k < value && !again; k++)
            again = propose(s, set(s, &c, k));
        again = again || flush(s);
        lower |= again;
    }
    return lower;
}

static bool lower_size(struct shrink *s)
{
    if (!s->contract->has_n)
        return false;
    return lower_number(s, with_size, rank_of, current_rank);
}

/* One distance in all its spellings, simplest first. */
static bool try_reach(struct shrink *s, uint64_t magnitude)
{
    if (magnitude > INT32_MAX)
        return false;
    for (unsigned k = 0; k < 4; k++) {
        struct fnp_case c = s->best;

        c.relation = k < 2 ? FNP_REL_DISTANCE : FNP_REL_LAP;
        c.distance = k % 2 ? -(int32_t)magnitude : (int32_t)magnitude;
        if (propose(s, c))
            return true;
    }
    return false;
}

static bool lower_relation(struct shrink *s)
{
    const struct fnp_buf *dst = fnp_contract_buf(s->contract, FNP_DST);
    uint64_t reach = current_reach(s);
    int64_t distance = 0;
    bool lower = false;

    if (s->best.relation == FNP_REL_NONE || !dst)
        return false;
    for (uint64_t k = 0; k <= 17 && k <= reach; k++) {
        if (try_reach(s, k))
            return true;
    }
    /* The same placement counted the other way, if that is the smaller number. */
    distance = fnp_case_distance(&s->best, fnp_buf_len(dst, s->best.n));
    if (distance < 0)
        distance = -distance;
    if (s->best.relation == FNP_REL_DISTANCE)
        distance = (int64_t)fnp_buf_len(dst, s->best.n) - distance;
    if (distance > 0 && try_reach(s, (uint64_t)distance))
        return true;
    lower = flush(s);
    return lower_number(s, with_reach, itself, current_reach) || lower;
}

static bool lower_related(struct shrink *s)
{
    struct fnp_case c = s->best;

    c.relation = FNP_REL_NONE;
    return propose(s, c) || flush(s);
}

/* Size and dst offset together, for faults that need a sum or a difference of both. */
static bool lower_joint(struct shrink *s)
{
    uint64_t rank = current_rank(s);
    struct fnp_case c = s->best;

    if (!s->contract->has_n || !fnp_contract_buf(s->contract, FNP_DST) ||
        s->best.n >= FNP_HUGE_N_MIN)
        return false;
    for (uint64_t k = 0; k < rank; k++) {
        struct fnp_case at;

        if (k == JOINT_FIRST && rank > JOINT_FIRST + JOINT_WINDOW)
            k = rank - JOINT_WINDOW;
        at = with_size(s, &c, k);
        for (unsigned offset = 0; offset < OFFSETS; offset++) {
            if (propose(s, with(&at, &dst_offset, offset)))
                return true;
        }
    }
    return flush(s);
}

/*
 * A smaller size with the source off its alignment, in the middle of its field: what
 * showed only at a guard may need no guard there.
 */
static bool lower_joint_src(struct shrink *s)
{
    uint64_t rank = current_rank(s);
    struct fnp_case c = s->best;

    if (!s->contract->has_n || !fnp_contract_buf(s->contract, FNP_SRC) ||
        s->best.n >= FNP_FIELD_N_MAX)
        return false;
    memset(c.place, 0, sizeof(c.place));
    for (uint64_t k = rank > JOINT_WINDOW ? rank - JOINT_WINDOW : 0; k < rank; k++) {
        struct fnp_case at = with_size(s, &c, k);

        for (unsigned offset = 0; offset < OFFSETS; offset++) {
            if (propose(s, with(&at, &src_offset, offset)))
                return true;
        }
    }
    return flush(s);
}

/* Offsets or lines of dst and src together: faults that need both to agree. */
static bool lower_pair(struct shrink *s, const struct field *dst,
                       const struct field *src)
{
    struct fnp_case c = s->best;

    if (get(&c, dst) == 0 || get(&c, src) == 0)
        return false;
    for (uint64_t k = 0; k < get(&c, dst); k++) {
        struct fnp_case both = with(&c, dst, k);

        if (propose(s, with(&both, src, k)))
            return true;
    }
    return flush(s);
}

/* Everything about placement at once. */
static bool lower_placement(struct shrink *s)
{
    struct fnp_case c = s->best;

    memset(c.offset, 0, sizeof(c.offset));
    memset(c.place, 0, sizeof(c.place));
    memset(c.line, 0, sizeof(c.line));
    return propose(s, c) || flush(s);
}

/* All at once, for cases so slow that the caller runs only a few: little by little more. */
static bool lower_all(struct shrink *s)
{
    const struct fnp_case *best = &s->best;
    struct fnp_case c = fnp_case_default();

    c.n = best->n;
    memcpy(c.value, best->value, sizeof(c.value));
    if (propose(s, c))
        return true;
    c.huge = best->huge;
    if (c.huge && propose(s, c))
        return true;
    c.offset[FNP_DST] = best->offset[FNP_DST];
    c.relation = best->relation;
    c.distance = best->distance;
    if (propose(s, c))
        return true;
    memcpy(c.offset, best->offset, sizeof(c.offset));
    memcpy(c.place, best->place, sizeof(c.place));
    memcpy(c.line, best->line, sizeof(c.line));
    if (propose(s, c))
        return true;
    c.fill = best->fill;
    return propose(s, c) || flush(s);
}

/* A small size with other contents: what bytes hold may be all that matters. */
static bool lower_by_contents(struct shrink *s)
{
    struct fnp_case c = s->best;
    uint64_t rank = current_rank(s);

    for (uint64_t k = 0; s->contract->has_n && k < rank && k <= FIRST_CONTENTS; k++) {
        struct fnp_case at = with_size(s, &c, k);

        for (unsigned fill = 0; fill < FNP_N_FILLS * SEEDS; fill++) {
            at.fill = (uint8_t)(fill / SEEDS);
            at.seed = fill % SEEDS;
            if (propose(s, at))
                return true;
        }
    }
    return flush(s);
}

static bool lower_fields(struct shrink *s)
{
    bool lower = false;

    for (size_t i = 0; i < FNP_ARRAY_LEN(early); i++)
        lower |= lower_field(s, &early[i]);
    lower |= lower_related(s);
    lower |= lower_size(s);
    lower |= lower_field(s, &dst_offset);
    lower |= lower_relation(s);
    for (size_t i = 0; i < FNP_ARRAY_LEN(late); i++)
        lower |= lower_field(s, &late[i]);
    lower |= lower_placement(s);
    lower |= lower_pair(s, &dst_offset, &src_offset);
    lower |= lower_pair(s, &dst_line, &src_line);
    return lower;
}

static void take_sizes(struct shrink *s)
{
    s->sizes = s->contract->sizes;
    if (s->sizes.step == 0)
        s->sizes.step = 1;
    for (size_t i = 1; i < s->sizes.count; i++) {
        uint64_t n = s->sizes.list[i];
        size_t k = i;

        for (; k > 0 && s->sizes.list[k - 1] > n; k--)
            s->sizes.list[k] = s->sizes.list[k - 1];
        s->sizes.list[k] = n;
    }
}

void fnp_shrink(const struct fnp_contract *contract, struct fnp_case *c,
                size_t max_tries, fnp_shrink_try *attempt, void *arg)
{
    struct shrink s = {
        .contract = contract,
        .best = *c,
        .left = max_tries,
        .attempt = attempt,
        .arg = arg,
    };

    fnp_case_canonical(&s.best);
    take_sizes(&s);
    lower_all(&s);
    do {
        while (s.left > 0 && lower_fields(&s))
            continue;
    } while (s.left > 0 &&
             (lower_by_contents(&s) || lower_joint(&s) || lower_joint_src(&s)));
    *c = s.best;
}
