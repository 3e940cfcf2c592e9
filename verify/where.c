/* SPDX-License-Identifier: MIT */
#include "verify/where.h"

#include <stdio.h>
#include <string.h>

#include "subject/lines.h"
#include "x86/scan.h"

void fnp_where_at(const struct fnp_kernel *kernel, uint64_t rip, struct fnp_where *out)
{
    const struct fnp_symbol *symbol = NULL;
    struct fnp_code code = { .addr = rip, .is32 = kernel->image.is32 };

    memset(out, 0, sizeof(*out));
    symbol = fnp_image_symbol(&kernel->image, rip);
    code.bytes = fnp_image_bytes(&kernel->image, rip, &code.len);
    if (!symbol || !code.bytes)
        return;
    out->known = true;
    out->offset = rip - symbol->addr;
    snprintf(out->symbol, sizeof(out->symbol), "%s", symbol->name);
    struct fnp_str insn = fnp_str_over(out->insn, sizeof(out->insn));

    fnp_insn_text(&code, rip, &insn);
    struct fnp_line line;

    if (fnp_lines_find(&kernel->object, symbol->name, out->offset, &line)) {
        snprintf(out->file, sizeof(out->file), "%s", line.file);
        out->line = line.line;
    }
}

void fnp_where_fill(const struct fnp_kernel *kernel, const struct fnp_outcome *outcome,
                    struct fnp_where *out)
{
    memset(out, 0, sizeof(*out));
    /* Where a hang was interrupted says when the timer fired, and differs each time. */
    if (outcome->end == FNP_END_FAULT || outcome->end == FNP_END_SYSCALL)
        fnp_where_at(kernel, outcome->fault.rip, out);
}

struct fnp_origin fnp_where_origin(const struct fnp_kernel *kernel, bool source)
{
    const struct fnp_symbol *symbol =
        fnp_image_symbol(&kernel->image, kernel->image.entry);
    struct fnp_origin out = { .kernel = kernel->name };
    struct fnp_line line;

    /* The objects of built-in kernels are no files. */
    if (strcmp(kernel->contract.read_from, "builtin") != 0)
        out.object = kernel->object.path;
    if (source && symbol &&
        fnp_lines_find(&kernel->object, symbol->name,
                       kernel->image.entry - symbol->addr, &line)) {
        snprintf(out.file, sizeof(out.file), "%s", line.file);
        out.line = line.line;
    }
    return out;
}
