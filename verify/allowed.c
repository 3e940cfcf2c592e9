/* SPDX-License-Identifier: MIT */
/*
 * allowed.c - is a case one the contract allows?
 *
 * The only place where the limits of a contract are written down as a question; the
 * planner only makes what passes here, the shrinker never leaves it.
 */
#include <inttypes.h>

#include "verify/plan.h"
#include "verify/plan_parts.h"

enum {
    NEAR = 4096,
    PAIR_MAX = 880 * 1024
}; /* bytes; a pair shares one field */

static bool refuse(struct fnp_err *why, const char *text)
{
    fnp_err_set(why, FNP_INPUT, "%s", text);
    return false;
}

/* The largest number a parameter can carry. */
static uint64_t most_of(const struct fnp_param *p)
{
    unsigned bits = p->width < 8 ? 8u * p->width : 64;

    if (p->is_signed)
        bits--;
    return bits >= 64 ? UINT64_MAX : (1ull << bits) - 1;
}

bool fnp_plan_size_allowed(const struct fnp_contract *contract, uint64_t n)
{
    if (!contract->has_n)
        return n == 0;
    if (!fnp_sizes_allow(&contract->sizes, n))
        return false;
    for (size_t i = 0; i < contract->n_params; i++) {
        const struct fnp_param *p = &contract->params[i];

        if (p->kind != FNP_PARAM_LEN)
            continue;
        if (p->divisor > 1 && n % p->divisor != 0)
            return false;
        if (n / (p->divisor ? p->divisor : 1) > most_of(p))
            return false;
    }
    return true;
}

/* Where src would start modulo its alignment, seen from dst. */
static const char *misaligned(const struct fnp_buf *dst, const struct fnp_buf *src,
                              const struct fnp_case *c, int64_t distance)
{
    uint64_t from = c->offset[FNP_DST] ? c->offset[FNP_DST] - 1u : 0;

    if (src->align <= 1)
        return NULL;
    if (src->align > dst->align && (src->align > 64 || !c->offset[FNP_DST]))
        return "the overlap leaves the alignment of src to chance";
    if ((from - (uint64_t)distance) % src->align)
        return "the overlap puts src on an address its alignment forbids";
    return NULL;
}

/* Lengths and distance: can a pair stand like this at all? */
static const char *unplaceable(const struct fnp_case *c, uint64_t dst_len,
                               uint64_t src_len)
{
    uint64_t longer = dst_len > src_len ? dst_len : src_len;
    uint64_t shorter = dst_len > src_len ? src_len : dst_len;
    int64_t distance = 0;
    uint64_t apart = (uint64_t)(c->distance < 0 ? -(int64_t)c->distance : c->distance);

    if (shorter == 0)
        return "empty buffers cannot overlap";
    if (longer > fnp_plan_n_most)
        return "buffers this long cannot share a field";
    if (c->relation == FNP_REL_LAP && apart > shorter)
        return "more bytes overlap than there are";
    distance = fnp_case_distance(c, dst_len);
    apart = (uint64_t)(distance < 0 ? -distance : distance);
    if (apart > longer + NEAR)
        return "dst and src are further apart than their length + 4096";
    if (apart + longer > PAIR_MAX)
        return "dst and src do not fit into one field";
    return NULL;
}

/* Overlapping buffers at this distance: what the contract says against it. */
static const char *undeclared(enum fnp_overlap overlap, int64_t distance)
{
    if (overlap == FNP_OVERLAP_ANY)
        return NULL;
    if (overlap == FNP_OVERLAP_NONE)
        return "the contract says overlap = none";
    if (overlap == FNP_OVERLAP_SAME)
        return distance == 0 ? NULL : "the contract says overlap = same";
    if (distance == 0)
        return "the contract allows overlap in one direction, not dst == src";
    if (overlap == FNP_OVERLAP_FORWARD && distance > 0)
        return "overlap = forward allows no overlap with dst above src";
    if (overlap == FNP_OVERLAP_BACKWARD && distance < 0)
        return "overlap = backward allows no overlap with dst below src";
    return NULL;
}

const char *fnp_plan_relation_objection(const struct fnp_contract *contract,
                                        const struct fnp_case *c)
{
    const struct fnp_buf *dst = fnp_contract_buf(contract, FNP_DST);
    const struct fnp_buf *src = fnp_contract_buf(contract, FNP_SRC);
    const char *objection = NULL;
    int64_t distance = 0;
    uint64_t dst_len = 0, src_len = 0;

    if (c->relation == FNP_REL_NONE)
        return NULL;
    if (!dst || !src)
        return "overlap needs a dst and a src";
    dst_len = fnp_buf_len(dst, c->n);
    src_len = fnp_buf_len(src, c->n);
    objection = unplaceable(c, dst_len, src_len);
    if (objection)
        return objection;
    distance = fnp_case_distance(c, dst_len);
    objection = misaligned(dst, src, c, distance);
    if (objection)
        return objection;
    if (distance > 0 ? (uint64_t)distance >= src_len : (uint64_t)-distance >= dst_len)
        return NULL; /* disjoint, in one field */
    return undeclared(contract->overlap, distance);
}

/* What is wrong with a buffer of more than an ordinary field, or NULL. */
static const char *long_objection(const struct fnp_contract *contract, uint64_t len)
{
    if (len == UINT64_MAX)
        return "no buffer is longer than the address space";
    if (contract->is32 && len > FNP_HUGE32_N_MAX)
        return "no buffer of 32-bit code is longer than 0x98000000";
    if (len < FNP_HUGE_N_MIN && len > FNP_LARGE_N_MAX)
        return "a buffer is longer than a field (6 MiB) and shorter than a huge one "
               "(2^31)";
    return NULL;
}

static bool size_ok(const struct fnp_contract *contract, const struct fnp_case *c,
                    struct fnp_err *why)
{
    bool big = false;

    if (!fnp_plan_size_allowed(contract, c->n)) {
        if (!contract->has_n)
            return refuse(why, "this kernel's extents are constant; n has no meaning");
        fnp_err_set(why, FNP_INPUT, "the contract does not allow n=%" PRIu64, c->n);
        return false;
    }
    for (size_t i = 0; i < contract->n_bufs; i++) {
        uint64_t len = fnp_buf_len(&contract->bufs[i], c->n);

        if (len <= fnp_plan_n_most)
            continue;
        if (long_objection(contract, len))
            return refuse(why, long_objection(contract, len));
        big = true;
    }
    if (big && c->relation != FNP_REL_NONE)
        return refuse(why, "buffers above 512 KiB cannot overlap");
    if (big && c->field != FNP_FIELD_HIGH)
        return refuse(why, "buffers above 512 KiB stand only in the usual field");
    if (big && c->fill != FNP_FILL_POS)
        return refuse(why, "buffers above 512 KiB hold fill=pos");
    return true;
}

/* Whole huge buffers: what run/layout.c cannot lay out, or nobody could compare. */
static const char *alias_objection(const struct fnp_contract *contract,
                                   const struct fnp_case *c)
{
    bool huge = false;

    if (c->huge != FNP_HUGE_ALIAS)
        return NULL;
    if (contract->is32)
        return "huge=alias has no room in a 32-bit address space";
    if (contract->op == FNP_OP_REF)
        return "huge=alias compares copies and fills only, not op = ref";
    if (c->repeat)
        return "huge=alias is one call";
    for (size_t i = 0; i < contract->n_bufs; i++) {
        uint64_t len = fnp_buf_len(&contract->bufs[i], c->n);

        huge |= len >= FNP_HUGE_N_MIN;
        if (len > FNP_ALIAS_N_MAX)
            return "huge=alias is for buffers of at most 5.5 GiB";
        if (contract->bufs[i].reads && contract->bufs[i].writes)
            return "huge=alias is not for buffers that are both read and written";
    }
    return huge ? NULL : "huge=alias is for buffers of 2^31 bytes and more";
}

static bool places_ok(const struct fnp_contract *contract, const struct fnp_case *c,
                      struct fnp_err *why)
{
    for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
        const struct fnp_buf *buf = fnp_contract_buf(contract, (enum fnp_role)role);
        unsigned offset = c->offset[role] ? c->offset[role] - 1u : 0;
        uint64_t align = buf && buf->align > 4096 ? 4096 : buf ? buf->align : 1;

        if (!buf && (c->offset[role] || c->place[role] || c->line[role]))
            return refuse(why, "the case places a buffer this kernel does not have");
        if (align <= 1)
            continue;
        if ((64 * (uint64_t)c->line[role] + offset) % align == 0)
            continue;
        fnp_err_set(why, FNP_INPUT, "the contract aligns %s to %" PRIu64 " bytes",
                    buf->name, align);
        return false;
    }
    return true;
}

static bool values_ok(const struct fnp_contract *contract, const struct fnp_case *c,
                      struct fnp_err *why)
{
    for (size_t i = 0; i < contract->n_params; i++) {
        const struct fnp_param *p = &contract->params[i];
        uint64_t mask = p->width < 8 ? (1ull << 8 * p->width) - 1 : UINT64_MAX;
        const struct fnp_value_list *list = &contract->values[p->value];
        size_t k = 0;

        if (p->kind != FNP_PARAM_VALUE)
            continue;
        if (c->value[p->value] & ~mask)
            return refuse(why, "a value is wider than its parameter");
        while (k < list->count && (list->item[k] & mask) != c->value[p->value])
            k++;
        if (list->count > 0 && k == list->count)
            return refuse(why, "a value is not in the contract's list");
    }
    for (size_t k = contract->n_values; k < FNP_MAX_VALUES; k++) {
        if (c->value[k])
            return refuse(why, "the case gives a value this kernel does not take");
    }
    return true;
}

static bool state_ok(const struct fnp_contract *contract, const struct fnp_case *c,
                     struct fnp_err *why)
{
    bool preserve = contract->state == FNP_STATE_PRESERVE;
    bool mmx = contract->state == FNP_STATE_MMX_LIVE && c->x87 == FNP_X87_MMX;

    if (c->x87 && !preserve && !mmx)
        return refuse(why, "the ABI promises an empty x87 stack at entry");
    if (c->field == FNP_FIELD_SPLIT31 && !contract->is32)
        return refuse(why, "field=split31 is for 32-bit code");
    return true;
}

bool fnp_case_allowed(const struct fnp_contract *contract, const struct fnp_case *c,
                      struct fnp_err *why)
{
    const char *objection = NULL;

    if (!size_ok(contract, c, why) || !places_ok(contract, c, why) ||
        !values_ok(contract, c, why) || !state_ok(contract, c, why))
        return false;
    objection = fnp_plan_relation_objection(contract, c);
    if (!objection)
        objection = alias_objection(contract, c);
    return !objection || refuse(why, objection);
}
