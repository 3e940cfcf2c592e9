/* SPDX-License-Identifier: MIT */
/*
 * code_text.h - symbol, text and source line of many instructions of a kernel at once
 *
 * Depends on: subject/kernel.h, x86/scan.h.
 */
#ifndef FNP_CLI_CODE_TEXT_H
#define FNP_CLI_CODE_TEXT_H

#include <stdio.h>

#include "base/arena.h"
#include "subject/kernel.h"
#include "subject/lines.h"

struct fnp_code_text {
    uint64_t addr;
    const char *symbol;   /* NULL: it has none */
    uint64_t offset;      /* from the symbol */
    char insn[96];        /* AT&T */
    struct fnp_line line; /* line 0: unknown */
};

/* Those of addr[0, count), sorted by address, each once; owned by the arena. */
struct fnp_code_text *fnp_code_texts(struct fnp_arena *arena,
                                     const struct fnp_kernel *kernel,
                                     const uint64_t *addr, size_t count, size_t *found);

/* The one of an address that was asked for. */
const struct fnp_code_text *fnp_code_text_at(const struct fnp_code_text *texts,
                                             size_t count, uint64_t addr);

/* "copy+0x12", or the bare address.  Static storage, as is that of the next. */
const char *fnp_code_place(const struct fnp_code_text *text);

/* "copy.S:41", the folder left out; "" when it is not known. */
const char *fnp_code_source(const struct fnp_code_text *text);

/* symbol, offset, insn, file and line as members of a JSON object. */
void fnp_code_text_json(FILE *out, const struct fnp_code_text *text);

#endif
