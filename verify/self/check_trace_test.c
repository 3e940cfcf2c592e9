/* SPDX-License-Identifier: MIT */
/*
 * check_trace_test.c - events of a footprint and what becomes of them
 *
 * Every row is one event as the recorder would tell it, under one contract.
 */
#include <string.h>

#include "subject/contract.h"
#include "verify/check_trace.h"
#include "verify/self/tap.h"

#define NONE FNP_N_RULES

enum {
    LEN = 100,
    SRC_AT = 0x10000,
    DST_AT = 0x20000
};

/* What the comparison of memory saw beside the events. */
enum seen {
    SAW_NOTHING,
    SAW_TAIL,   /* bytes behind dst differ */
    SAW_SOURCE, /* bytes of src differ */
    SAW_FAULT,  /* the kernel did not return */
    SAW_SAME,   /* dst and src are one buffer */
};

static const struct row {
    const char *name, *keys;
    enum fnp_event event;
    struct fnp_event_seen what;
    enum seen seen;
    enum fnp_rule rule;
    enum fnp_severity severity;
    const char *region, *message;
} rows[] = {
    { "a byte behind the source",
     "",                    FNP_EVENT_READ_OUTSIDE,
     { .count = 1, .first = LEN, .role = FNP_SRC },
     SAW_NOTHING, FNP_RULE_STRAY_READ,
     FNP_ERROR,   "src-tail",
     "1 byte past the end of src read, first at src+100"                            },
    { "eight bytes before it",
     "",                    FNP_EVENT_READ_OUTSIDE,
     { .count = 8, .first = -8, .role = FNP_SRC },
     SAW_NOTHING, FNP_RULE_STRAY_READ,
     FNP_ERROR,   "src-head",
     "8 bytes before the start of src read, first at src-8"                         },
    { "a write that shows",
     "",                    FNP_EVENT_WRITE_OUTSIDE,
     { .count = 64, .first = LEN, .role = FNP_DST },
     SAW_TAIL,    FNP_RULE_STRAY_WRITE,
     FNP_ERROR,   "dst-tail",
     "64 bytes past the end of dst written, first at dst+100"                       },
    { "a write that is put back",
     "",                    FNP_EVENT_WRITE_OUTSIDE,
     { .count = 64, .first = LEN, .role = FNP_DST },
     SAW_NOTHING, FNP_RULE_RESTORED_WRITE,
     FNP_ERROR,   "dst-tail",
     "64 bytes past the end of dst written and left as they were, first at dst+100" },
    { "a write before a fault",
     "",                    FNP_EVENT_WRITE_OUTSIDE,
     { .count = 64, .first = LEN, .role = FNP_DST },
     SAW_FAULT,   FNP_RULE_STRAY_WRITE,
     FNP_ERROR,   "dst-tail",
     "64 bytes past the end of dst written, first at dst+100"                       },
    { "an input changed",
     "",                    FNP_EVENT_SOURCE_WRITE,
     { .count = 4, .first = 8, .role = FNP_SRC },
     SAW_SOURCE,  FNP_RULE_SOURCE_CHANGED,
     FNP_ERROR,   "src-body",
     "4 bytes of src, which is only read, were written, first at src+8"             },
    { "an input written with its own bytes",
     "",                    FNP_EVENT_SOURCE_WRITE,
     { .count = 4, .first = 8, .role = FNP_SRC },
     SAW_NOTHING, FNP_RULE_RESTORED_WRITE,
     FNP_ERROR,   "src-body",
     "4 bytes of src, which is only read, were written and left as they were, first "
      "at "
      "src+8"                                                                       },
    { "an output read",
     "",                    FNP_EVENT_READ_EARLY,
     { .count = 2, .first = 1, .role = FNP_DST },
     SAW_NOTHING, FNP_RULE_STRAY_READ,
     FNP_WARNING, "dst-body",
     "2 bytes of dst read before it is written, and the contract has it as an output"
      ", first at dst+1"                                                            },
    { "a byte nobody wrote",
     "",                    FNP_EVENT_NOT_WRITTEN,
     { .count = 1, .first = 99, .role = FNP_DST },
     SAW_NOTHING, FNP_RULE_WRONG_BYTES,
     FNP_ERROR,   "dst-body",
     "1 byte of dst never written, first at dst+99"                                 },
    { "a copy onto itself",
     "op = move\n",         FNP_EVENT_NOT_WRITTEN,
     { .count = 100, .first = 0, .role = FNP_DST },
     SAW_SAME,    NONE,
     FNP_ERROR,   "",
     ""                                                                             },
    { "what a reference may leave",
     "op = ref:g\n",        FNP_EVENT_NOT_WRITTEN,
     { .count = 100, .first = 0, .role = FNP_DST },
     SAW_NOTHING, NONE,
     FNP_ERROR,   "",
     ""                                                                             },
    { "stored twice, as usual",
     "",                    FNP_EVENT_REWRITTEN,
     { .count = 3, .first = 16, .role = FNP_DST },
     SAW_NOTHING, NONE,
     FNP_ERROR,   "",
     ""                                                                             },
    { "stored twice, once was promised",
     "writes = once\n",     FNP_EVENT_REWRITTEN,
     { .count = 3, .first = 16, .role = FNP_DST },
     SAW_NOTHING, FNP_RULE_REWRITTEN,
     FNP_ERROR,   "dst-body",
     "3 bytes of dst written more than once, first at dst+16"                       },
    { "a torn word",
     "writes = atomic:8\n", FNP_EVENT_TORN,
     { .count = 1, .first = 8, .role = FNP_DST },
     SAW_NOTHING, FNP_RULE_TORN_WRITE,
     FNP_ERROR,   "dst-body",
     NULL                                                                           },
    { "beyond the red zone",
     "",                    FNP_EVENT_BELOW_STACK,
     { .count = 1, .first = -136, .is_write = true },
     SAW_NOTHING, FNP_RULE_BELOW_STACK,
     FNP_ERROR,   "stack",
     "memory below the stack is used at rsp-136, beyond the red zone of 128 bytes"  },
    { "below the stack, no red zone",
     "redzone = 0\n",       FNP_EVENT_BELOW_STACK,
     { .count = 1, .first = -8 },
     SAW_NOTHING, FNP_RULE_BELOW_STACK,
     FNP_ERROR,   "stack",
     "memory below the stack is read at rsp-8"                                      },
    { "the caller's frame",
     "",                    FNP_EVENT_ABOVE_STACK,
     { .count = 1, .first = 0, .is_write = true },
     SAW_NOTHING, FNP_RULE_STACK_SMASHED,
     FNP_ERROR,   "stack",
     "the caller's frame is written, at rsp+0 of the entry"                         },
    { "no fence",
     "",                    FNP_EVENT_PENDING,
     { .count = 16, .first = 0, .role = FNP_DST },
     SAW_NOTHING, FNP_RULE_FENCE_MISSING,
     FNP_ERROR,   "dst-body",
     "16 bytes of dst stored weakly and not fenced before the return, first at "
      "dst+0"                                                                       },
    { "no fence, drained was promised",
     "order = drained\n",   FNP_EVENT_PENDING,
     { .count = 16, .first = 0, .role = FNP_DST },
     SAW_NOTHING, FNP_RULE_FENCE_MISSING,
     FNP_ERROR,   "dst-body",
     NULL                                                                           },
    { "no fence, the caller does it",
     "order = weak\n",      FNP_EVENT_PENDING,
     { .count = 16, .first = 0, .role = FNP_DST },
     SAW_NOTHING, NONE,
     FNP_ERROR,   "",
     ""                                                                             },
    { "no fence, but overwritten",
     "",                    FNP_EVENT_PENDING_ELSE,
     { .count = 8, .first = 0, .role = FNP_DST },
     SAW_NOTHING, FNP_RULE_FENCE_MISSING,
     FNP_WARNING, "elsewhere",
     NULL                                                                           },
    { "the same, the caller does it",
     "order = weak\n",      FNP_EVENT_PENDING_ELSE,
     { .count = 8, .first = 0, .role = FNP_DST },
     SAW_NOTHING, NONE,
     FNP_ERROR,   "",
     ""                                                                             },
};

/* Keys of the row replace those of COPY. */
static struct fnp_contract contract_of(struct fnp_arena *arena, const char *keys)
{
    const char *op = strstr(keys, "op = ") ? "" : "op = copy\n";
    const char *text = fnp_arena_printf(
        arena,
        "[f]\nobject = f.o\nproto = void f(void dst[n], const void src[n], "
        "size_t n)\n%s%s",
        op, keys);
    struct fnp_contract_file file = { 0 };
    struct fnp_err err = { "" };

    if (fnp_contract_parse(arena, "x.ini", text, strlen(text), &file, &err))
        fnp_die("%s", err.text);
    return file.contracts[0];
}

static struct fnp_outcome outcome_of(enum seen seen)
{
    struct fnp_outcome o = { .end = FNP_END_RETURNED };
    const uint64_t at[FNP_MAX_BUFS] = { [FNP_DST] = DST_AT, [FNP_SRC] = SRC_AT };

    for (unsigned role = 0; role < FNP_MAX_BUFS; role++)
        o.buf[role] = (struct fnp_placed){ .addr = at[role],
                                           .len = LEN,
                                           .present = at[role] != 0 };
    o.end = seen == SAW_FAULT ? FNP_END_FAULT : FNP_END_RETURNED;
    o.tail[FNP_DST].count = seen == SAW_TAIL;
    o.body[FNP_SRC].count = seen == SAW_SOURCE;
    if (seen == SAW_SAME)
        o.buf[FNP_DST].addr = SRC_AT;
    return o;
}

static bool is_as_told(const struct row *row, const struct fnp_traced_finding *f,
                       size_t count)
{
    if (row->rule == NONE)
        return count == 0;
    return count == 1 && f->finding.rule == row->rule &&
           f->finding.severity == row->severity &&
           !strcmp(f->finding.region, row->region) && f->insn == 0x1234 &&
           f->round == 65 && f->finding.first == row->what.first &&
           (!row->message || !strcmp(f->finding.message, row->message));
}

static void test_rows(bool tripped[FNP_N_EVENTS])
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        const struct row *row = &rows[i];
        struct fnp_arena arena = { 0 };
        const struct fnp_contract c = contract_of(&arena, row->keys);
        const struct fnp_outcome o = outcome_of(row->seen);
        struct fnp_footprint footprint = { .complete = true };
        struct fnp_traced_finding found[FNP_CHECK_MAX];

        footprint.events[row->event] = row->what;
        footprint.events[row->event].insn = 0x1234;
        footprint.events[row->event].round = 65;
        size_t n = fnp_check_footprint(&c, &o, &footprint, found);
        tap_ok(is_as_told(row, found, n), "%s: %s", row->name,
               n ? found[0].finding.message : "nothing");
        tripped[row->event] |= row->rule != NONE;
        fnp_arena_release(&arena);
    }
}

static void test_rules(void)
{
    struct fnp_arena arena = { 0 };
    struct fnp_contract c = contract_of(&arena, "reads = aligned:16\nredzone = 0\n");
    struct fnp_footprint_rules rules = fnp_trace_rules(&c);

    tap_ok(rules.is_input[FNP_SRC] && !rules.is_output[FNP_SRC] &&
               rules.is_output[FNP_DST] && !rules.is_input[FNP_DST] &&
               rules.reads_aligned == 16 && rules.redzone == 0 && rules.word == 0,
           "what a contract says about bytes");
    c = contract_of(&arena, "writes = atomic:4\nabi = ms64\n");
    rules = fnp_trace_rules(&c);
    tap_ok(rules.word == 4 && rules.frame_args == 32, "words, and ms64's home space");
    fnp_arena_release(&arena);
}

int main(void)
{
    bool tripped[FNP_N_EVENTS] = { false };
    const struct fnp_footprint nothing = { .complete = true };
    const struct fnp_outcome o = outcome_of(SAW_NOTHING);
    struct fnp_traced_finding found[FNP_CHECK_MAX];
    struct fnp_arena arena = { 0 };
    const struct fnp_contract c = contract_of(&arena, "");

    test_rows(tripped);
    test_rules();
    tap_ok(fnp_check_footprint(&c, &o, &nothing, found) == 0, "no event, no finding");
    for (unsigned i = 0; i < FNP_N_EVENTS; i++)
        tap_ok(tripped[i], "event %u has a row", i);
    fnp_arena_release(&arena);
    return tap_done();
}
