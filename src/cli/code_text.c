/* SPDX-License-Identifier: MIT */
/*
 * code_text.c - looks instructions up in the image and in the object's DWARF
 */
#include "cli/code_text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json_line.h"
#include "x86/scan.h"

static int by_addr(const void *a, const void *b)
{
    const struct fnp_code_text *x = a, *y = b;

    return (x->addr > y->addr) - (x->addr < y->addr);
}

static void name(const struct fnp_kernel *k, struct fnp_code_text *t)
{
    const struct fnp_symbol *symbol = fnp_image_symbol(&k->image, t->addr);
    struct fnp_code code = { .addr = t->addr, .is32 = k->image.is32 };
    struct fnp_str insn = fnp_str_over(t->insn, sizeof(t->insn));

    t->symbol = symbol ? symbol->name : NULL;
    t->offset = symbol ? t->addr - symbol->addr : 0;
    code.bytes = fnp_image_bytes(&k->image, t->addr, &code.len);
    if (code.bytes) {
        fnp_insn_text(&code, t->addr, &insn);
    }
}

struct fnp_code_text *fnp_code_texts(struct fnp_arena *arena,
                                     const struct fnp_kernel *kernel,
                                     const uint64_t *addr, size_t count, size_t *found)
{
    struct fnp_code_text *out = fnp_arena_array(arena, count, sizeof(*out));
    struct fnp_line_query *queries = fnp_arena_array(arena, count, sizeof(*queries));
    size_t n = 0;

    for (size_t i = 0; i < count; i++) {
        out[i].addr = addr[i];
    }
    qsort(out, count, sizeof(*out), by_addr);
    for (size_t i = 0; i < count; i++) {
        if (n == 0 || out[i].addr != out[n - 1].addr) {
            out[n++] = out[i];
        }
    }
    for (size_t i = 0; i < n; i++) {
        name(kernel, &out[i]);
        queries[i].symbol = out[i].symbol;
        queries[i].offset = out[i].offset;
    }
    fnp_lines_find_all(&kernel->object, queries, n);
    for (size_t i = 0; i < n; i++) {
        out[i].line = queries[i].line;
    }
    *found = n;
    return out;
}

const struct fnp_code_text *fnp_code_text_at(const struct fnp_code_text *texts,
                                             size_t count, uint64_t addr)
{
    const struct fnp_code_text key = { .addr = addr };
    const struct fnp_code_text *found =
        bsearch(&key, texts, count, sizeof(*texts), by_addr);

    assert(found);
    return found;
}

const char *fnp_code_place(const struct fnp_code_text *text)
{
    static char place[160];

    if (text->symbol) {
        snprintf(place, sizeof(place), "%s+0x%llx", text->symbol,
                 (unsigned long long)text->offset);
    } else {
        snprintf(place, sizeof(place), "0x%llx", (unsigned long long)text->addr);
    }
    return place;
}

const char *fnp_code_source(const struct fnp_code_text *text)
{
    static char source[200];
    const char *slash = strrchr(text->line.file, '/');

    source[0] = '\0';
    if (text->line.line) {
        snprintf(source, sizeof(source), "%s:%u", slash ? slash + 1 : text->line.file,
                 text->line.line);
    }
    return source;
}

void fnp_code_text_json(FILE *out, const struct fnp_code_text *text)
{
    fnp_json_text(out, "symbol", text->symbol);
    if (text->symbol) {
        fnp_json_count(out, "offset", text->offset);
    }
    fnp_json_text(out, "insn", text->insn);
    if (text->line.line) {
        fnp_json_text(out, "file", text->line.file);
        fnp_json_count(out, "line", text->line.line);
    }
}
