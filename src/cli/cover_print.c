/* SPDX-License-Identifier: MIT */
/*
 * cover_print.c - what ran and what did not: blocks, branches, loops, indirect jumps
 */
#include "cli/cover_print.h"

#include <inttypes.h>

#include "cli/code_text.h"
#include "cli/json_line.h"

/* Everything about one kernel that is printed. */
struct facts {
    FILE *out;
    const struct fnp_coverage *c;
    struct fnp_cover_counts counts;
    struct fnp_cover_insn *insns;
    struct fnp_cover_loop *loops;
    struct fnp_cover_indirect *indirects;
    struct fnp_code_text *texts; /* one for each of insns, in the same order */
    size_t n_insns, n_loops, n_indirects, n_texts;
};

/* A block that did not run, or a branch that went one way only. */
struct gap {
    const char *what; /* NULL: no gap */
    size_t insns;     /* of a block */
};

static struct facts gather(FILE *out, struct fnp_arena *arena,
                           const struct fnp_coverage *c)
{
    struct facts f = { .out = out, .c = c, .counts = fnp_cover_counts(c->cover) };
    uint64_t *addr;

    f.insns = fnp_cover_insns(c->cover, arena, &f.n_insns);
    f.loops = fnp_cover_loops(c->cover, arena, &f.n_loops);
    f.indirects = fnp_cover_indirects(c->cover, arena, &f.n_indirects);
    addr = fnp_arena_array(arena, f.n_insns, sizeof(*addr));
    for (size_t i = 0; i < f.n_insns; i++) {
        addr[i] = f.insns[i].addr;
    }
    f.texts = fnp_code_texts(arena, c->kernel, addr, f.n_insns, &f.n_texts);
    return f;
}

static const struct fnp_code_text *text_of(const struct facts *f, uint64_t addr)
{
    return fnp_code_text_at(f->texts, f->n_texts, addr);
}

static struct gap gap_at(const struct facts *f, size_t i)
{
    const struct fnp_cover_insn *insn = &f->insns[i];
    struct gap out = { .what = NULL };

    if (insn->count == 0 && insn->is_start) {
        out.what = "not run";
        do {
            out.insns++;
        } while (!f->insns[i].is_end && ++i < f->n_insns);
    } else if (insn->count && insn->flow == FNP_FLOW_BRANCH && insn->taken == 0) {
        out.what = "never taken";
    } else if (insn->count && insn->flow == FNP_FLOW_BRANCH &&
               insn->taken == insn->count) {
        out.what = "always taken";
    }
    return out;
}

static void print_place(FILE *out, const char *what, const struct fnp_code_text *t)
{
    fprintf(out, "  %-12s  %-24s  %s", what, fnp_code_place(t), t->insn);
    if (t->line.line) {
        fprintf(out, "  %s", fnp_code_source(t));
    }
}

static void print_gaps(const struct facts *f)
{
    for (size_t i = 0; i < f->n_insns; i++) {
        struct gap gap = gap_at(f, i);

        if (!gap.what) {
            continue;
        }
        print_place(f->out, gap.what, &f->texts[i]);
        if (gap.insns) {
            fprintf(f->out, "  (%zu instruction%s)", gap.insns,
                    gap.insns == 1 ? "" : "s");
        }
        fprintf(f->out, "\n");
    }
}

static void print_loops(const struct facts *f)
{
    for (size_t i = 0; i < f->n_loops; i++) {
        const struct fnp_cover_loop *loop = &f->loops[i];

        print_place(f->out, "loop", text_of(f, loop->from));
        fprintf(f->out,
                "  gone back 0 times %" PRIu64 ", once %" PRIu64 ", more %" PRIu64,
                loop->none, loop->once, loop->more);
        fprintf(f->out, "\n");
    }
}

static void print_indirects(const struct facts *f)
{
    for (size_t i = 0; i < f->n_indirects; i++) {
        const struct fnp_cover_indirect *j = &f->indirects[i];

        print_place(f->out, "indirect", text_of(f, j->addr));
        if (j->is_bounded) {
            fprintf(f->out, "  went to %zu of %zu targets\n", j->targets_run,
                    j->targets);
        } else {
            fprintf(f->out, "  went to %zu targets, more may exist\n", j->targets_run);
        }
    }
}

/* Every instruction; what lies between functions is left out. */
static void print_code(const struct facts *f)
{
    for (size_t i = 0; i < f->n_insns; i++) {
        const struct fnp_cover_insn *insn = &f->insns[i];
        const struct fnp_code_text *t = &f->texts[i];
        char count[32] = "-";

        if (insn->count) {
            snprintf(count, sizeof(count), "%" PRIu64, insn->count);
        }
        fprintf(f->out, "%s%10s  %-24s  %s", i && insn->is_start ? "\n" : "", count,
                fnp_code_place(t), t->insn);
        if (insn->flow == FNP_FLOW_BRANCH && insn->count) {
            fprintf(f->out, "  taken %" PRIu64, insn->taken);
        }
        if (t->line.line) {
            fprintf(f->out, "  %s", fnp_code_source(t));
        }
        fprintf(f->out, "\n");
    }
}

void fnp_cover_print(FILE *out, struct fnp_arena *arena, const struct fnp_coverage *c,
                     bool verbose)
{
    const struct facts f = gather(out, arena, c);

    fprintf(out, "%s: blocks %zu of %zu, edges %zu of %zu", c->kernel->name,
            f.counts.blocks_run, f.counts.blocks, f.counts.edges_run, f.counts.edges);
    fprintf(out, "%s  (%" PRIu64 " case%s recorded",
            f.counts.more ? ", indirect: more may exist" : "", c->cases,
            c->cases == 1 ? "" : "s");
    if (c->unfinished) {
        fprintf(out, ", %" PRIu64 " not to their end", c->unfinished);
        if (c->why) {
            fprintf(out, ": %s", c->why);
        }
    }
    fprintf(out, ")\n");
    print_gaps(&f);
    print_loops(&f);
    print_indirects(&f);
    if (verbose) {
        print_code(&f);
    }
}

/* ---- JSON */

static void begin(const struct facts *f, const char *type,
                  const struct fnp_code_text *t)
{
    fnp_json_begin(f->out, type);
    fnp_json_text(f->out, "kernel", f->c->kernel->name);
    fnp_code_text_json(f->out, t);
}

static void json_gaps(const struct facts *f)
{
    for (size_t i = 0; i < f->n_insns; i++) {
        struct gap gap = gap_at(f, i);

        if (!gap.what) {
            continue;
        }
        begin(f, "uncovered", &f->texts[i]);
        fnp_json_text(f->out, "what", gap.what);
        if (gap.insns) {
            fnp_json_count(f->out, "instructions", gap.insns);
        }
        fnp_json_end(f->out);
    }
}

static void json_ways(const struct facts *f)
{
    for (size_t i = 0; i < f->n_loops; i++) {
        begin(f, "loop", text_of(f, f->loops[i].from));
        fnp_json_count(f->out, "none", f->loops[i].none);
        fnp_json_count(f->out, "once", f->loops[i].once);
        fnp_json_count(f->out, "more", f->loops[i].more);
        fnp_json_end(f->out);
    }
    for (size_t i = 0; i < f->n_indirects; i++) {
        begin(f, "indirect", text_of(f, f->indirects[i].addr));
        fnp_json_count(f->out, "targets", f->indirects[i].targets_run);
        if (f->indirects[i].is_bounded) {
            fnp_json_count(f->out, "of", f->indirects[i].targets);
        }
        fnp_json_end(f->out);
    }
}

static void json_code(const struct facts *f)
{
    for (size_t i = 0; i < f->n_insns; i++) {
        begin(f, "instruction", &f->texts[i]);
        fnp_json_bool(f->out, "block", f->insns[i].is_start);
        fnp_json_count(f->out, "count", f->insns[i].count);
        if (f->insns[i].flow == FNP_FLOW_BRANCH) {
            fnp_json_count(f->out, "taken", f->insns[i].taken);
        }
        fnp_json_end(f->out);
    }
}

void fnp_cover_json(FILE *out, struct fnp_arena *arena, const struct fnp_coverage *c,
                    bool verbose)
{
    const struct facts f = gather(out, arena, c);

    fnp_json_begin(out, "coverage");
    fnp_json_text(out, "kernel", c->kernel->name);
    fnp_json_count(out, "blocks", f.counts.blocks_run);
    fnp_json_count(out, "of", f.counts.blocks);
    fnp_json_count(out, "edges", f.counts.edges_run);
    fnp_json_count(out, "edges_of", f.counts.edges);
    fnp_json_bool(out, "more", f.counts.more);
    fnp_json_count(out, "cases", c->cases);
    fnp_json_count(out, "unfinished", c->unfinished);
    fnp_json_text(out, "reason", c->why);
    fnp_json_end(out);
    json_gaps(&f);
    json_ways(&f);
    if (verbose) {
        json_code(&f);
    }
}
