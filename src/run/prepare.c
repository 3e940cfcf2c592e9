/* SPDX-License-Identifier: MIT */
#include "run/prepare.h"

#include <string.h>

#include "run/lab.h"
#include "run/start.h"

static void copy_buffers(const struct fnp_lab *lab, const struct fnp_case *c,
                         struct fnp_arena *arena, struct fnp_prepared *out)
{
    const struct fnp_contract *contract = &lab->kernel->contract;

    for (size_t i = 0; i < contract->n_bufs; i++) {
        unsigned role = contract->bufs[i].role;
        const struct fnp_placed *p = &lab->layout.buf[role];

        out->bytes[role] = (const unsigned char *)fnp_arena_text(
            arena, (const char *)lab->layout.field[role]->harness,
            lab->layout.field[role]->len);
        if (contract->bufs[i].writes)
            out->expect[role] = (const unsigned char *)fnp_arena_text(
                arena, (const char *)fnp_lab_expected(lab, c, role), p->len);
    }
}

static void copy_stack_arguments(const struct fnp_lab *lab, struct fnp_prepared *out)
{
    const struct fnp_arguments *arguments = &lab->arguments;
    uint64_t at = 0;
    size_t len = 0;

    out->stack_args_at = arguments->first;
    out->stack_args_len = (unsigned)(arguments->end - arguments->first);
    out->callee_bytes = fnp_arguments_callee_bytes(&lab->kernel->contract, arguments);
    memcpy(out->stack_args, fnp_start_frame(&at, &len) + out->stack_args_at,
           out->stack_args_len);
}

enum fnp_status fnp_prepare(const struct fnp_kernel *kernel, const struct fnp_case *c,
                            struct fnp_arena *arena, struct fnp_prepared *out,
                            struct fnp_err *err)
{
    struct fnp_lab *lab = fnp_arena_alloc(arena, sizeof(*lab));
    struct fnp_outcome *outcome = fnp_arena_alloc(arena, sizeof(*outcome));
    enum fnp_status status = fnp_lab_map(lab, err);

    memset(out, 0, sizeof(*out));
    if (status != FNP_OK)
        return status;
    fnp_lab_attach(lab, kernel);
    if (kernel->contract.op == FNP_OP_REF)
        return fnp_err_set(err, FNP_INPUT, "op = ref: the reference would have to run");
    if (!fnp_layout_make(&lab->fields, &kernel->contract, c, &lab->layout))
        return fnp_err_set(err, FNP_INPUT, "the case cannot be laid out in memory");
    if (lab->layout.huge || lab->layout.alias)
        return fnp_err_set(err, FNP_INPUT,
                           "a buffer of 2^31 bytes and more cannot be written out");
    memcpy(out->buf, lab->layout.buf, sizeof(out->buf));
    fnp_lab_fill(lab, c, 0);
    fnp_start_make(lab, c, kernel->image.entry, true);
    fnp_start_observe(true, &out->start);
    copy_buffers(lab, c, arena, out);
    copy_stack_arguments(lab, out);
    fnp_lab_want_return(lab, outcome);
    out->want_return = outcome->want_return;
    out->has_want_return = outcome->has_want_return;
    return FNP_OK;
}
