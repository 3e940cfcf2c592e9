/* SPDX-License-Identifier: MIT */
#include "run/field.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/rng.h"
#include "run/raw.h"

/*
 * No low half points at anything mapped, so an address cut to 32 bits, sign-extended
 * or not, faults.  The low half of dst's field passes 0x80000000 in its middle: code
 * that compares low halves as signed numbers is wrong for blocks placed across it.
 */
static const uint64_t bases[FNP_FIELD_KINDS][FNP_MAX_BUFS] = {
    [FNP_FIELD_HIGH] = { 0x12557ff80000u, 0x1a57b0000000u, 0x2259c0000000u },
    [FNP_FIELD_LOW] = { 0x61000000u,     0x62800000u,     0x64000000u     },
    [FNP_FIELD_SPLIT31] = { 0x7ff80000u,     0x90000000u,     0xa0000000u     },
    [FNP_FIELD_LARGE] = { 0x32557fc00000u, 0x3457b0000000u, 0x3659c0000000u },
    [FNP_FIELD_LARGE_LOW] = { 0x41000000u,     0x49000000u,     0x51000000u     },
};

/* No-access bytes before and behind the fields of a kind; 0: see `reserves`. */
static const uint64_t guards[FNP_FIELD_KINDS][2] = {
    [FNP_FIELD_HIGH] = { FNP_GUARD_LEN, 0             },
    [FNP_FIELD_LOW] = { FNP_LOW_GUARD, FNP_LOW_GUARD },
    [FNP_FIELD_SPLIT31] = { FNP_LOW_GUARD, FNP_LOW_GUARD },
    [FNP_FIELD_LARGE] = { FNP_GUARD_LEN, FNP_GUARD_LEN },
    [FNP_FIELD_LARGE_LOW] = { FNP_LOW_GUARD, FNP_LOW_GUARD },
};

/* No-access bytes behind a high field: the first that can be had. */
static const uint64_t reserves[] = { 4ull << 40, 6ull << 30 };

/* Top bit set for fields a kernel writes into, clear for the one it only reads. */
static void fill_pristine(unsigned char *bytes, enum fnp_role role)
{
    for (size_t i = 0; i < FNP_FIELD_LEN; i += 8) {
        uint64_t word = fnp_mix(i / 8 + ((uint64_t)role << 40));
        const uint64_t top = 0x8080808080808080u;

        word = role == FNP_SRC ? word & ~top : word | top;
        memcpy(bytes + i, &word, sizeof(word));
    }
}

static unsigned char *patterns[FNP_MAX_BUFS];

enum fnp_status fnp_fields_patterns(struct fnp_err *err)
{
    unsigned char *all = NULL;

    if (patterns[0])
        return FNP_OK;
    all = mmap(NULL, FNP_MAX_BUFS * (size_t)FNP_FIELD_LEN, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        return fnp_err_set(err, FNP_FAILED, "no memory for the patterns of fields");
    for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
        patterns[role] = all + role * (size_t)FNP_FIELD_LEN;
        fill_pristine(patterns[role], (enum fnp_role)role);
    }
    return FNP_OK;
}

static bool reserve(uint64_t addr, uint64_t len)
{
    void *want = (void *)(uintptr_t)addr;
    void *got =
        mmap(want, len, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

    if (got != MAP_FAILED && got != want)
        munmap(got, len);
    return got == want;
}

/* Guards and field in one piece; settles how long the guard behind is. */
static bool reserve_around(struct fnp_field_place *place, uint64_t base)
{
    uint64_t low = place->guard_low;

    if (place->guard_high)
        return reserve(base - low, low + place->len + place->guard_high);
    for (size_t i = 0; i < FNP_ARRAY_LEN(reserves); i++) {
        place->guard_high = reserves[i];
        if (reserve(base - low, low + place->len + place->guard_high))
            return true;
    }
    return false;
}

/* Ordinary fields share the pattern; a large one repeats it in memory of its own. */
static bool choose_pristine(struct fnp_field_place *place, enum fnp_role role)
{
    place->pristine = patterns[role];
    if (place->len > FNP_FIELD_LEN)
        place->pristine = mmap(NULL, place->len, PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return place->pristine != MAP_FAILED;
}

static enum fnp_status map_one(struct fnp_field_place *place, uint64_t base,
                               enum fnp_role role, struct fnp_err *err)
{
    int fd = memfd_create("field", MFD_CLOEXEC);

    if (fd < 0 || ftruncate(fd, (off_t)place->len) != 0)
        goto fail;
    place->harness = mmap(NULL, place->len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (place->harness == MAP_FAILED || !choose_pristine(place, role))
        goto fail;
    if (!reserve_around(place, base)) {
        close(fd);
        return FNP_OK;
    }
    place->kernel = mmap((void *)(uintptr_t)base, place->len, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_FIXED, fd, 0);
    if (place->kernel == MAP_FAILED)
        goto fail;
    place->usable = true;
    close(fd);
    return FNP_OK;
fail:
    if (fd >= 0)
        close(fd);
    return fnp_err_set(err, FNP_FAILED, "cannot map a memory field of %zu bytes",
                       place->len);
}

enum fnp_status fnp_fields_map(struct fnp_fields *fields, struct fnp_err *err)
{
    for (unsigned kind = 0; kind < FNP_FIELD_KINDS; kind++) {
        for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
            struct fnp_field_place *place = &fields->place[kind][role];
            enum fnp_status status = FNP_OK;

            place->len = kind >= FNP_FIELD_LARGE ? FNP_LARGE_LEN : FNP_FIELD_LEN;
            place->guard_low = guards[kind][0];
            place->guard_high = guards[kind][1];
            status = map_one(place, bases[kind][role], role, err);
            if (status != FNP_OK)
                return status;
            if (kind == FNP_FIELD_HIGH && !place->usable)
                return fnp_err_set(err, FNP_FAILED,
                                   "no memory field at 0x%llx: the range is taken, or "
                                   "address space is limited",
                                   (unsigned long long)bases[kind][role]);
        }
    }
    return FNP_OK;
}

void fnp_field_ready(struct fnp_field_place *place, enum fnp_role role)
{
    if (place->ready || !place->usable)
        return;
    for (size_t at = 0; at < place->len; at += FNP_FIELD_LEN) {
        if (place->pristine != patterns[role])
            memcpy(place->pristine + at, patterns[role], FNP_FIELD_LEN);
        memcpy(place->harness + at, patterns[role], FNP_FIELD_LEN);
    }
    place->ready = true;
}

/* An address of a high field cut to 32 bits must not find the fields of 32-bit code. */
static bool is_reachable(unsigned kind, const struct fnp_contract *c)
{
    switch (kind) {
    case FNP_FIELD_LOW:
        return true;
    case FNP_FIELD_SPLIT31:
    case FNP_FIELD_LARGE_LOW:
        return c->is32;
    default:
        return !c->is32;
    }
}

void fnp_fields_protect(const struct fnp_fields *fields, const struct fnp_contract *c)
{
    for (size_t i = 0; i < c->n_bufs; i++) {
        int prot = c->bufs[i].writes ? PROT_READ | PROT_WRITE : PROT_READ;

        for (unsigned kind = 0; kind < FNP_FIELD_KINDS; kind++) {
            const struct fnp_field_place *place = &fields->place[kind][c->bufs[i].role];

            if (place->usable)
                fnp_raw_mprotect(place->kernel, place->len,
                                 is_reachable(kind, c) ? prot : PROT_NONE);
        }
    }
}
