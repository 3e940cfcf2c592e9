/* SPDX-License-Identifier: MIT */
/*
 * emit_c.c - the data part of a stand-alone replay program
 *
 * Puts what was prepared into C initialisers; the code around it is the template's.
 */
#include "cli/emit_c.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "run/gate.h"
#include "run/lab.h"
#include "verify/kept.h"

/* emit/replay_template.c and replay_judging.c, brought in by template.S. */
extern const char fnp_replay_template[], fnp_replay_template_end[];

enum {
    MARGIN = 256
}; /* bytes of a field kept around each buffer */

static const char marker[] = "/* @DATA@ */\n";
static const char *const roles[FNP_MAX_BUFS] = { "dst", "src", "third" };

/* Text inside a comment: one line, and nothing that ends the comment. */
static void put_comment(FILE *out, const char *label, const char *text, size_t len)
{
    fprintf(out, " * %-9s", label);
    for (size_t i = 0; i < len; i++) {
        bool ends = text[i] == '/' && i > 0 && text[i - 1] == '*';
        fprintf(out, "%s%c", ends ? " " : "",
                (unsigned char)text[i] < 0x20 || text[i] == '\\' ? ' ' : text[i]);
    }
    fprintf(out, "\n");
}

static void put_string(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\' || c == '?' || c < 0x20 || c > 0x7e) {
            fprintf(out, "\\%03o", c);
        } else {
            putc(c, out);
        }
    }
    putc('"', out);
}

static void put_array(FILE *out, const char *name, unsigned index,
                      const unsigned char *bytes, size_t len)
{
    fprintf(out, "static const unsigned char %s_%u[] = {", name, index);
    for (size_t i = 0; i < len; i++) {
        fprintf(out, "%s0x%02x,", i % 16 ? " " : "\n    ", bytes[i]);
    }
    fprintf(out, "%s\n};\n", len ? "" : " 0");
}

static void put_head(FILE *out, struct fnp_arena *arena, const struct fnp_emit *e,
                     const char *case_text)
{
    const char *ini = fnp_contract_ini(arena, &e->kernel->contract);

    fprintf(out, "/*\n");
    put_comment(out, "kernel", e->kernel->name, strlen(e->kernel->name));
    put_comment(out, "case", case_text, strlen(case_text));
    if (e->finding) {
        const char *slug = fnp_rule_info(e->finding->rule)->slug;
        put_comment(out, "finding", slug, strlen(slug));
        put_comment(out, "", e->finding->message, strlen(e->finding->message));
    } else {
        put_comment(out, "finding", "none", 4);
    }
    put_comment(out, "try", "gcc THIS.c && ./a.out", 21);
    for (const char *line = ini; *line;) {
        size_t len = strcspn(line, "\n");
        put_comment(out, line == ini ? "contract" : "", line, len);
        line += len + (line[len] == '\n');
    }
    fprintf(out, " */\n");
}

static void put_prot(FILE *out, unsigned prot)
{
    if (!prot) {
        fprintf(out, "PROT_NONE");
        return;
    }
    fprintf(out, "PROT_READ%s%s", prot & FNP_PROT_W ? " | PROT_WRITE" : "",
            prot & FNP_PROT_X ? " | PROT_EXEC" : "");
}

/* Code and data without the zeros at the end of each run of pages. */
static void put_image(FILE *out, const struct fnp_image *image)
{
    size_t used[FNP_ARRAY_LEN(image->segments)] = { 0 };
    unsigned n = 0;

    fprintf(out, "/* ---- the kernel as it was loaded */\n\n");
    for (unsigned i = 0; i < image->n_segments; i++) {
        const struct fnp_segment *s = &image->segments[i];
        used[i] = s->len;
        while (used[i] && !s->bytes[used[i] - 1]) {
            used[i]--;
        }
        put_array(out, "image", i, s->bytes, used[i]);
    }
    fprintf(out, "\nstatic const struct pages image[] = {\n");
    for (unsigned i = 0; i < image->n_segments; i++) {
        const struct fnp_segment *s = &image->segments[i];
        if (!s->len) {
            continue;
        }
        n++;
        fprintf(out, "    { 0x%" PRIx64 "u, %zu, ", s->addr, s->len);
        put_prot(out, s->prot);
        fprintf(out, ", image_%u, %zu },\n", i, used[i]);
    }
    fprintf(out, "};\nenum { N_IMAGE = %u };\n\n", n);
}

/* What of a buffer's field is written down: [lo, hi), around its mapped part. */
static uint64_t piece_lo(const struct fnp_placed *p)
{
    return p->addr - p->lo > MARGIN ? p->addr - MARGIN : p->lo;
}

static uint64_t piece_hi(const struct fnp_placed *p)
{
    uint64_t end = p->addr + (p->mapped < p->len ? p->mapped : p->len);

    return p->hi - end > MARGIN ? end + MARGIN : p->hi;
}

/* Does an earlier buffer stand in the same field? */
static bool is_shared(const struct fnp_prepared *p, unsigned role)
{
    for (unsigned i = 0; i < role; i++) {
        if (p->buf[i].present && p->buf[i].lo == p->buf[role].lo) {
            return true;
        }
    }
    return false;
}

static void put_fields(FILE *out, const struct fnp_prepared *p)
{
    unsigned n_fields = 0, n_pieces = 0;

    fprintf(out, "/* ---- memory before the call */\n\n");
    for (unsigned i = 0; i < FNP_MAX_BUFS; i++) {
        const struct fnp_placed *b = &p->buf[i];
        if (b->present) {
            put_array(out, "piece", i, p->bytes[i] + (piece_lo(b) - b->lo),
                      piece_hi(b) - piece_lo(b));
        }
    }
    fprintf(out, "\nstatic const struct field fields[] = {\n");
    for (unsigned i = 0; i < FNP_MAX_BUFS; i++) {
        const struct fnp_placed *b = &p->buf[i];
        if (!b->present || is_shared(p, i)) {
            continue;
        }
        n_fields++;
        fprintf(out, "    { 0x%" PRIx64 "u, 0x%" PRIx64 "u, ", b->lo, b->hi);
        put_prot(out, b->read_only ? FNP_PROT_R : FNP_PROT_R | FNP_PROT_W);
        fprintf(out, ", 0x%02x },\n", b->read_only ? 0x55u : 0xd5u);
    }
    fprintf(out, "};\nstatic const struct piece pieces[] = {\n");
    for (unsigned i = 0; i < FNP_MAX_BUFS; i++) {
        const struct fnp_placed *b = &p->buf[i];
        if (b->present) {
            n_pieces++;
            fprintf(out, "    { 0x%" PRIx64 "u, sizeof(piece_%u), piece_%u },\n",
                    piece_lo(b), i, i);
        }
    }
    if (n_pieces == 0) {
        fprintf(out, "    { 0 },\n");
    }
    fprintf(out, "};\nenum { N_FIELDS = %u, N_PIECES = %u };\n\n", n_fields, n_pieces);
}

/* All bytes equal: that byte, else -1. */
static int constant_of(const unsigned char *bytes, uint64_t len)
{
    for (uint64_t i = 1; i < len; i++) {
        if (bytes[i] != bytes[0]) {
            return -1;
        }
    }
    return len ? bytes[0] : 0;
}

/* The source when what is expected is its contents: then it is not written twice. */
static bool is_source(const struct fnp_prepared *p, const unsigned char *expect,
                      uint64_t len)
{
    const struct fnp_placed *src = &p->buf[FNP_SRC];

    return src->present && src->len >= len && src->mapped >= len &&
           !memcmp(p->bytes[FNP_SRC] + (src->addr - src->lo), expect, len);
}

static void put_buffer(FILE *out, const struct fnp_emit *e, unsigned role)
{
    const struct fnp_prepared *p = e->prepared;
    const struct fnp_placed *b = &p->buf[role];
    const unsigned char *expect = p->expect[role];
    bool output = fnp_contract_buf(&e->kernel->contract, (enum fnp_role)role)->writes;
    int constant = expect && b->mapped >= b->len ? constant_of(expect, b->len) : -1;
    bool spelled = expect && b->mapped >= b->len && constant < 0;

    fprintf(out, "    { \"%s\", 0x%" PRIx64 "u, %" PRIu64 "u, %" PRIu64 "u, %d, ",
            roles[role], b->addr, b->len, b->mapped, output);
    if (spelled && is_source(p, expect, b->len)) {
        fprintf(out, "piece_%d + %" PRIu64, FNP_SRC,
                p->buf[FNP_SRC].addr - piece_lo(&p->buf[FNP_SRC]));
    } else if (spelled) {
        fprintf(out, "expect_%u", role);
    } else {
        fprintf(out, "0");
    }
    fprintf(out, ", %d },\n", constant);
}

static void put_buffers(FILE *out, const struct fnp_emit *e)
{
    const struct fnp_prepared *p = e->prepared;
    unsigned n = 0;

    fprintf(out,
            "/* ---- the buffers and what the outputs must hold afterwards */\n\n");
    for (unsigned i = 0; i < FNP_MAX_BUFS; i++) {
        const struct fnp_placed *b = &p->buf[i];
        if (b->present && p->expect[i] && b->mapped >= b->len &&
            constant_of(p->expect[i], b->len) < 0 &&
            !is_source(p, p->expect[i], b->len)) {
            put_array(out, "expect", i, p->expect[i], b->len);
        }
    }
    fprintf(out, "static const struct buffer buffers[] = {\n");
    for (unsigned i = 0; i < FNP_MAX_BUFS; i++) {
        if (p->buf[i].present) {
            put_buffer(out, e, i);
            n++;
        }
    }
    if (n == 0) {
        fprintf(out, "    { 0 },\n");
    }
    fprintf(out, "};\nenum { N_BUFFERS = %u };\n\n", n);
}

static void put_rows(FILE *out, const char *name, const unsigned char *bytes,
                     unsigned rows, unsigned width)
{
    fprintf(out, "    .%s = {\n", name);
    for (unsigned i = 0; i < rows; i++) {
        fprintf(out, "        {");
        for (unsigned k = 0; k < width; k++) {
            fprintf(out, " 0x%02x,", bytes[i * width + k]);
        }
        fprintf(out, " },\n");
    }
    fprintf(out, "    },\n");
}

static uint64_t stack_base(const struct fnp_contract *c)
{
    return c->is32 ? FNP_STACK_LOW : FNP_STACK_BASE;
}

static void put_start(FILE *out, const struct fnp_emit *e)
{
    const struct fnp_prepared *p = e->prepared;
    const struct fnp_state *s = &p->start;
    const struct fnp_contract *c = &e->kernel->contract;
    uint64_t stack = stack_base(c);
    /* There it points at the return address. */
    uint64_t rsp = s->gpr[FNP_RSP] + fnp_word_len(c->is32);

    fprintf(out, "    .entry = 0x%" PRIx64 "u,\n", e->kernel->image.entry);
    if (c->is32) {
        fprintf(out, "    .gate = 0x%xu,\n    .gs_page = 0x%xu,\n", FNP_GATE_BASE,
                FNP_GATE_TLS);
    }
    fprintf(out, "    .stack_lo = 0x%" PRIx64 "u,\n    .stack_hi = 0x%" PRIx64 "u,\n",
            stack, stack + FNP_STACK_LEN);
    fprintf(out, "    .gpr = {\n");
    for (unsigned i = 0; i < FNP_N_GPRS; i++) {
        fprintf(out, "        0x%" PRIx64 "u, /* %s */\n",
                i == FNP_RSP ? rsp : s->gpr[i], fnp_gpr_name(i, c->is32));
    }
    fprintf(out, "    },\n    .flags = 0x%" PRIx64 "u,\n    .mxcsr = 0x%xu,\n",
            s->rflags, s->mxcsr);
    fprintf(out, "    .fcw = 0x%x,\n    .fsw = 0x%x,\n    .ftw = 0x%x,\n", s->fcw,
            s->fsw, s->ftw);
    put_rows(out, "st", s->st[0], 8, 10);
    put_rows(out, "xmm", s->xmm[0], 16, 16);
    put_rows(out, "ymm_high", s->ymm_high[0], 16, 16);
    fprintf(out, "    .stack_args = {");
    for (unsigned i = 0; i < p->stack_args_len; i++) {
        fprintf(out, " 0x%02x,", p->stack_args[i]);
    }
    fprintf(out, "%s },\n    .stack_args_at = %u,\n    .stack_args_len = %u,\n",
            p->stack_args_len ? "" : " 0", p->stack_args_at, p->stack_args_len);
    fprintf(out, "    .frame_free = %u,\n    .calls = %d,\n", p->callee_bytes,
            1 + e->c->repeat);
}

/* Bytes at the stack's lower end that code which never moves rsp has to leave alone. */
static uint64_t below_stack(const struct fnp_emit *e)
{
    const struct fnp_scan *scan = &e->kernel->scan;
    uint64_t room = e->prepared->start.gpr[FNP_RSP] - stack_base(&e->kernel->contract);
    uint64_t redzone = e->kernel->contract.redzone;

    return scan->moves_stack || scan->indirect || room < redzone ? 0 : room - redzone;
}

/* What must hold at return: the same rules as verify/check_state.c. */
static void put_demands(FILE *out, const struct fnp_emit *e)
{
    const struct fnp_contract *c = &e->kernel->contract;
    const struct fnp_prepared *p = e->prepared;
    bool preserve = c->state == FNP_STATE_PRESERVE;
    bool upper = e->finding && e->finding->rule == FNP_RULE_UPPER_DIRTY;

    fprintf(out, "    .keep_gprs = 0x%x,\n    .below = %" PRIu64 ",\n",
            fnp_kept_gprs(c), below_stack(e));
    if (p->has_want_return) {
        fprintf(out,
                "    .has_return = 1,\n    .return_reg = %u,\n    .return_bytes = %u,\n"
                "    .want_return = 0x%" PRIx64 "u,\n",
                c->returns_reg, c->returns_width ? c->returns_width : 8,
                p->want_return);
    }
    fprintf(out, "    .keep_mxcsr = 0x%xu,\n    .keep_fcw = 1,\n",
            preserve ? 0xffffu : FNP_MXCSR_CONTROL);
    fprintf(out, "    .keep_top = %d,\n", c->state != FNP_STATE_KERNEL_FPU);
    fprintf(out, "    .empty_tags = %d,\n    .keep_x87 = %d,\n    .clean_upper = %d,\n",
            !preserve && c->state != FNP_STATE_MMX_LIVE, preserve, upper);
    fprintf(out, "    .keep_xmm = 0x%x,\n    .keep_ymm = 0x%x,\n", fnp_kept_xmm(c),
            fnp_kept_ymm(c));
}

void fnp_emit_c(FILE *out, struct fnp_arena *arena, const struct fnp_emit *e)
{
    size_t len = (size_t)(fnp_replay_template_end - fnp_replay_template);
    const char *at = memmem(fnp_replay_template, len, marker, sizeof(marker) - 1);
    char text[FNP_CASE_TEXT_MAX];
    struct fnp_str s = fnp_str_over(text, sizeof(text));

    assert(at);
    fnp_case_text(e->c, e->kernel->contract.has_n, &s);
    put_head(out, arena, e, text);
    fwrite(fnp_replay_template, 1, (size_t)(at - fnp_replay_template), out);
    fprintf(out, "static const char kernel_name[] = ");
    put_string(out, e->kernel->name);
    fprintf(out, ";\nstatic const char case_text[] = ");
    put_string(out, text);
    fprintf(out, ";\n\n");
    put_image(out, &e->kernel->image);
    put_fields(out, e->prepared);
    put_buffers(out, e);
    fprintf(out, "static const struct call call = {\n");
    put_start(out, e);
    put_demands(out, e);
    fprintf(out, "};\n");
    at += sizeof(marker) - 1;
    fwrite(at, 1, (size_t)(fnp_replay_template_end - at), out);
}
