/* SPDX-License-Identifier: MIT */
/*
 * plan_sizes.c - which sizes are worth trying: small ones, boundaries, constants
 * from the code, and lengths of 2^31 and more
 */
#include <string.h>

#include "verify/plan_parts.h"

enum {
    SMALL_MOST = 288, /* every size up to here is tried on its own */
    SMALL_LEAST = 16, /* or at least so many sizes */
    LIST_MAX = 4096,
    STEP_SEARCH = 4096,
    ALIAS_SIZES = 2,
};

/* A growing list of sizes the contract allows. */
struct list {
    const struct fnp_plan_parts *parts;
    uint64_t item[LIST_MAX];
    size_t count;
};

uint64_t fnp_plan_fit_size(const struct fnp_plan_parts *parts, uint64_t n)
{
    const struct fnp_sizes *sizes = &parts->sizes;

    if (n > parts->n_most)
        n = parts->n_most;
    if (sizes->count > 0) {
        size_t k = sizes->count - 1;

        while (k > 0 && sizes->list[k] > n)
            k--;
        return sizes->list[k];
    }
    if (n <= sizes->least)
        return sizes->least;
    return sizes->step == 1 ? n : n - (n - sizes->least) % sizes->step;
}

/* Does every buffer fit an ordinary field? */
static bool fits_field(const struct fnp_contract *contract, uint64_t n)
{
    for (size_t i = 0; i < contract->n_bufs; i++) {
        if (fnp_buf_len(&contract->bufs[i], n) > fnp_plan_n_most)
            return false;
    }
    return true;
}

/* A list of sizes: sorted, only what can be passed and laid out. */
static bool take_list(const struct fnp_contract *contract, struct fnp_sizes *out)
{
    for (size_t i = 0; i < contract->sizes.count; i++) {
        uint64_t n = contract->sizes.list[i];
        size_t k = out->count;

        if (!fnp_plan_size_allowed(contract, n) || !fits_field(contract, n))
            continue;
        for (; k > 0 && out->list[k - 1] > n; k--)
            out->list[k] = out->list[k - 1];
        out->list[k] = n;
        out->count++;
    }
    return out->count > 0;
}

/* least:most:step narrowed to what every divisor allows; false when nothing is left. */
static bool take_range(const struct fnp_contract *contract,
                       struct fnp_plan_parts *parts)
{
    struct fnp_sizes *out = &parts->sizes;
    uint64_t step = contract->sizes.step ? contract->sizes.step : 1;
    uint64_t first = contract->sizes.least, second = 0, high = fnp_plan_n_most;
    unsigned tries = 0;

    while (tries < STEP_SEARCH && !fnp_plan_size_allowed(contract, first)) {
        first += step;
        tries++;
    }
    if (tries == STEP_SEARCH || !fits_field(contract, first))
        return false;
    second = first + step;
    for (tries = 0; tries < STEP_SEARCH && !fnp_plan_size_allowed(contract, second);
         tries++)
        second += step;
    out->least = first;
    out->step = tries == STEP_SEARCH ? step : second - first;
    if (high > contract->sizes.most)
        high = contract->sizes.most;
    if (high < first)
        return false;
    /* The largest k with both limits met; lengths grow with n, so halving finds it. */
    uint64_t lo = 0, hi = (high - first) / out->step;

    while (lo < hi) {
        uint64_t mid = lo + (hi - lo + 1) / 2, n = first + mid * out->step;

        if (fits_field(contract, n) && fnp_plan_size_allowed(contract, n))
            lo = mid;
        else
            hi = mid - 1;
    }
    parts->n_most = first + lo * out->step;
    return true;
}

static bool take_sizes(const struct fnp_contract *contract,
                       struct fnp_plan_parts *parts)
{
    parts->sizes = (struct fnp_sizes){ .step = 1, .most = UINT64_MAX };
    if (!contract->has_n) {
        parts->sizes.count = 1; /* the one size 0 */
        return fits_field(contract, 0);
    }
    if (contract->sizes.count > 0) {
        bool any = take_list(contract, &parts->sizes);

        parts->n_most = any ? parts->sizes.list[parts->sizes.count - 1] : 0;
        return any;
    }
    return take_range(contract, parts);
}

/* Add the allowed size at or below n, and the one above it. */
static void add(struct list *list, uint64_t n, uint64_t most)
{
    uint64_t at = fnp_plan_fit_size(list->parts, n);

    if (n > most || list->count + 2 > LIST_MAX)
        return;
    list->item[list->count++] = at;
    if (at < n && fnp_plan_fit_size(list->parts, at + list->parts->sizes.step) > at)
        list->item[list->count++] =
            fnp_plan_fit_size(list->parts, at + list->parts->sizes.step);
}

static void add_around(struct list *list, uint64_t n, uint64_t reach, uint64_t most)
{
    for (uint64_t k = 0; k <= reach; k++) {
        if (n >= k)
            add(list, n - k, most);
        add(list, n + k, most);
    }
}

static void sort_unique(uint64_t *item, size_t *count)
{
    size_t kept = 0;

    for (size_t i = 1; i < *count; i++) {
        uint64_t n = item[i];
        size_t k = i;

        for (; k > 0 && item[k - 1] > n; k--)
            item[k] = item[k - 1];
        item[k] = n;
    }
    for (size_t i = 0; i < *count; i++) {
        if (kept == 0 || item[kept - 1] != item[i])
            item[kept++] = item[i];
    }
    *count = kept;
}

static uint64_t *keep(struct fnp_arena *arena, struct list *list, size_t *count)
{
    uint64_t *out = NULL;

    sort_unique(list->item, &list->count);
    out = fnp_arena_array(arena, list->count, sizeof(*out));
    if (list->count > 0)
        memcpy(out, list->item, list->count * sizeof(*out));
    *count = list->count;
    list->count = 0;
    return out;
}

static void add_small(struct list *list)
{
    const struct fnp_sizes *sizes = &list->parts->sizes;
    uint64_t n = sizes->count ? sizes->list[0] : sizes->least;

    if (sizes->count > 0) {
        for (size_t i = 0; i < sizes->count; i++)
            add(list, sizes->list[i], list->parts->n_most);
        return;
    }
    for (unsigned k = 0; n <= list->parts->n_most; k++, n += sizes->step) {
        if (n > SMALL_MOST && k >= SMALL_LEAST)
            break;
        add(list, n, list->parts->n_most);
    }
}

static void add_core(struct list *list, uint64_t most)
{
    for (uint64_t n = 32; n <= most; n *= 2)
        add_around(list, n, 3, most);
}

static void add_rim(struct list *list, uint64_t most)
{
    static const uint64_t widths[] = { 8, 16, 32, 64, 128, 256 };
    static const uint64_t past_page[] = { 8, 16, 32, 64, 128, 256 };

    add_around(list, 0, 17, most);
    for (size_t i = 0; i < FNP_ARRAY_LEN(widths); i++) {
        for (uint64_t k = 1; k <= 5; k++)
            add_around(list, k * widths[i], 1, most);
    }
    for (uint64_t n = 48; n <= most; n *= 2)
        add_around(list, n, 1, most);
    for (uint64_t page = 4096; page <= 12288; page += 4096) {
        for (size_t i = 0; i < FNP_ARRAY_LEN(past_page); i++) {
            add_around(list, page + past_page[i], 1, most);
            add_around(list, page - past_page[i], 1, most);
        }
    }
    /* Beyond that only a few: each costs as much as a hundred small ones. */
    for (uint64_t n = 32768; n <= fnp_plan_n_most; n *= 2)
        add_around(list, n, 1, list->parts->n_most);
    add(list, list->parts->n_most, list->parts->n_most);
}

/* Numbers that may be sizes: those in the code, then those in words that it reads. */
static size_t n_numbers(const struct fnp_scan *scan)
{
    return scan->n_constants + scan->n_words;
}

static uint64_t number(const struct fnp_scan *scan, size_t i)
{
    return i < scan->n_constants ? scan->constants[i]
                                 : scan->words[i - scan->n_constants];
}

uint64_t fnp_plan_magnitude(uint64_t constant)
{
    if (constant >> 63)
        return 0 - constant;
    if (constant > INT32_MAX && constant <= UINT32_MAX)
        return 0x100000000u - constant;
    return constant;
}

/* 0 is the oddest: the less a number looks like a width, the more it may mean. */
static unsigned plainness(uint64_t n)
{
    if ((n & (n - 1)) == 0)
        return 3;
    if (((n + 1) & n) == 0 || ((n - 1) & (n - 2)) == 0)
        return 2;
    return n % 8 == 0;
}

/*
 * Sizes from the code: exact ones before their neighbours, the oddest first, and large
 * ones before small ones, which other stages try anyway.
 */
static void mine(const struct fnp_scan *scan, struct fnp_plan_parts *parts)
{
    for (unsigned round = 0; round < 16; round++) {
        unsigned apart = round / 8, plain = round / 2 % 4;
        bool small = round % 2;

        for (size_t i = 0; i < n_numbers(scan); i++) {
            uint64_t n = fnp_plan_magnitude(number(scan, i));
            uint64_t around[2] = { n - apart, n + apart };

            if (n < 2 || plainness(n) != plain || (n < 64) != small)
                continue;
            for (unsigned k = 0; k <= apart; k++) {
                bool fits = around[k] <= parts->n_most &&
                            fnp_plan_fit_size(parts, around[k]) == around[k];

                if (fits && parts->n_mined < FNP_PLAN_MINED)
                    parts->mined[parts->n_mined++] = around[k];
            }
        }
    }
}

/* What a constant may stand for: a count of bytes, or of larger units. */
static void add_mined(struct list *list, const struct fnp_scan *scan, uint64_t most)
{
    static const uint64_t units[] = { 2, 8, 16, 32, 64 };

    for (size_t i = 0; i < n_numbers(scan); i++) {
        uint64_t n = fnp_plan_magnitude(number(scan, i));

        if (n == 0 || n > list->parts->n_most)
            continue;
        add_around(list, n, 1, list->parts->n_most);
        for (size_t k = 0; k < FNP_ARRAY_LEN(units); k++)
            add(list, n * units[k], most);
        add(list, n + 7, most);
        add(list, n + 15, most);
        add(list, n + 33, most);
        add(list, n + 63, most);
        /* Beyond sixteen times its threshold glibc's copy takes another loop. */
        if (i >= scan->n_constants)
            add_around(list, 16 * n, 1, list->parts->n_most);
    }
}

/*
 * Lengths that lose bits when they are cut to 32 bits or compared as signed numbers.
 * A field's reserved range ends below 6 GiB; beyond, only lengths no memory can hold.
 */
/* Bytes of the longest extent for one more n; 1 when there is none. */
static uint64_t bytes_per_n(const struct fnp_contract *c)
{
    uint64_t most = 1;

    for (size_t i = 0; i < c->n_bufs; i++)
        most = c->bufs[i].mul > most ? c->bufs[i].mul : most;
    return most;
}

static void add_one_huge(struct fnp_plan *plan, uint64_t n, size_t room)
{
    const struct fnp_contract *c = plan->contract;
    const struct fnp_sizes *sizes = &plan->parts->sizes;
    struct fnp_case probe = fnp_case_default();

    probe.n = n;
    if (!c->sizes.count && n >= sizes->least)
        probe.n -= (n - sizes->least) % sizes->step;
    if (plan->n_huge >= room || fits_field(c, probe.n))
        return;
    for (size_t i = 0; i < plan->n_huge; i++) {
        if (plan->huge[i] == probe.n)
            return;
    }
    /* In the list first: sizes that are not are fitted to the ordinary ones. */
    plan->huge[plan->n_huge++] = probe.n;
    fnp_plan_fit(plan, &probe);
    if (!fnp_case_allowed(c, &probe, NULL))
        plan->n_huge--;
}

/* Around a threshold, and an odd way behind it where a tail is due. */
static void add_threshold(struct fnp_plan *plan, uint64_t n)
{
    uint64_t mul = bytes_per_n(plan->contract);

    /* Sizes that an ordinary field holds are tried as such. */
    if (n + 45 <= fnp_plan_n_most || n > FNP_LARGE_N_MAX - 4096)
        return;
    add_one_huge(plan, n + 45, FNP_LARGE_SIZES);
    add_one_huge(plan, n, FNP_LARGE_SIZES);
    add_one_huge(plan, n - 1, FNP_LARGE_SIZES);
    if (mul > 1)
        add_one_huge(plan, n / mul + 5, FNP_LARGE_SIZES);
}

/* Thresholds above the ordinary sizes; those in words come first. */
static void add_large(struct fnp_plan *plan, const struct fnp_scan *scan)
{
    for (size_t i = 0; i < scan->n_words; i++)
        add_threshold(plan, scan->words[i]);
    for (size_t i = 0; i < scan->n_constants; i++)
        add_threshold(plan, scan->constants[i]);
}

/*
 * Sizes at which 32 bits of a length, or of a count made from it, are not enough; the
 * last is beyond every object and only the budget's last place is kept for it.
 */
static void add_huge(struct fnp_arena *arena, const struct fnp_scan *scan,
                     struct fnp_plan *plan)
{
    static const uint64_t wanted[] = {
        (1ull << 31) + 5,  (1ull << 32) + 64,   (1ull << 32) + 3, (1ull << 31) + 4096,
        (1ull << 32) - 1,  (1ull << 32) + 4109, 1ull << 31,       (1ull << 31) + 77,
        (1ull << 32) - 63, 1ull << 32,          5ull << 30,
    };
    const struct fnp_contract *c = plan->contract;
    size_t room = plan->parts->budget->huge;
    uint64_t mul = bytes_per_n(c);

    plan->huge = fnp_arena_array(arena, room + FNP_LARGE_SIZES + 1 + ALIAS_SIZES,
                                 sizeof(*plan->huge));
    if (!c->has_n || c->faults == FNP_FAULTS_LEFT || room == 0)
        return;
    add_large(plan, scan);
    room += plan->n_huge;
    if (c->sizes.count) {
        for (size_t i = 0; i < c->sizes.count; i++)
            add_one_huge(plan, c->sizes.list[i], room);
        return;
    }
    /* Of wider units also those whose own number, or that of a part of them, is huge. */
    for (uint64_t part = mul; mul > 1 && part > 0; part /= part > 8 ? 8 : 2)
        add_one_huge(plan, (1ull << 32) / part + 3, room - 1);
    for (size_t i = 0; i < FNP_ARRAY_LEN(wanted); i++)
        add_one_huge(plan, wanted[i] / mul, room - 1);
    add_one_huge(plan, mul == 1 ? (1ull << 63) + 69 : (1ull << 62) / mul + 3, room);
}

/*
 * Sizes for buffers that are all there: past 4 GiB with a tail, and past 2 GiB.  They
 * stand behind the others, which are not to be chosen twice.
 */
static void add_alias(struct fnp_plan *plan)
{
    static const uint64_t wanted[ALIAS_SIZES] = { (1ull << 32) + 141,
                                                  (1ull << 31) + 4189 };
    const struct fnp_contract *c = plan->contract;
    const size_t n_huge = plan->n_huge;

    if (!plan->parts->budget->alias || !c->has_n || c->faults == FNP_FAULTS_LEFT)
        return;
    for (size_t i = 0; i < ALIAS_SIZES; i++) {
        size_t before = plan->n_huge;
        struct fnp_case probe = fnp_case_default();

        add_one_huge(plan, wanted[i] / bytes_per_n(c), before + 1);
        if (plan->n_huge == before)
            continue;
        probe.n = plan->huge[before];
        probe.huge = FNP_HUGE_ALIAS;
        fnp_plan_fit(plan, &probe);
        if (!fnp_case_allowed(c, &probe, NULL))
            plan->n_huge--;
    }
    plan->n_alias = plan->n_huge - n_huge;
    plan->n_huge = n_huge;
}

void fnp_plan_sizes(struct fnp_arena *arena, const struct fnp_scan *scan,
                    struct fnp_plan *plan)
{
    struct fnp_plan_parts *parts = plan->parts;
    struct list list = { .parts = parts };
    uint64_t most = parts->budget->n_most;

    if (!take_sizes(plan->contract, parts))
        return;
    if (most > parts->n_most)
        most = parts->n_most;
    add_small(&list);
    parts->small = keep(arena, &list, &parts->n_small);
    add_core(&list, most);
    if (list.count == 0)
        add(&list, parts->n_most, parts->n_most);
    parts->core = keep(arena, &list, &parts->n_core);
    add_rim(&list, most);
    add_core(&list, most);
    add_mined(&list, scan, most);
    plan->sizes = keep(arena, &list, &plan->n_sizes);
    if (plan->contract->has_n)
        mine(scan, parts);
    else
        parts->mined[parts->n_mined++] = 0;
    add_huge(arena, scan, plan);
    add_alias(plan);
}
