/* SPDX-License-Identifier: MIT */
/*
 * finding.h - one broken promise, a kernel's verdict, a run's summary: plain data
 *
 * A finding is filled by a check and printed by a writer.  It owns nothing.
 *
 * Depends on: base.
 */
#ifndef FNP_REPORT_FINDING_H
#define FNP_REPORT_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/rules.h"

#define FNP_ALSO_MAX 6

/* Where in the code; unknown parts are empty or zero. */
struct fnp_where {
    bool known;
    char symbol[96];
    uint64_t offset; /* bytes from symbol */
    char insn[96];   /* AT&T text */
    char file[160];
    unsigned line;      /* 0: unknown */
    uint64_t iteration; /* 1 is the first; 0: unknown */
};

struct fnp_finding {
    enum fnp_rule rule;
    enum fnp_severity severity;
    char message[256];   /* what was wrong, without kernel and slug */
    char region[24];     /* dst-head dst-tail rbx stack ...; part of the dedup key */
    char text_case[256]; /* "v1 ...", filled by whoever knows the case */
    bool has_first;
    int64_t first;  /* offset of the first wrong byte, in the terms of the message */
    uint64_t count; /* bytes */
    char reg[12];   /* real register name, empty: none */
    char want[68];  /* hex, empty: not applicable */
    char got[68];
    enum fnp_rule also[FNP_ALSO_MAX]; /* other rules the same case broke */
    size_t n_also;
    struct fnp_where where;
    char replay[1024]; /* command line, shell-quoted */
    bool waived;
    char reason[96]; /* of the waiver */
};

/* Whose finding it is: a kernel, and where its code comes from. */
struct fnp_origin {
    const char *kernel; /* borrowed, as is `object` */
    const char *object; /* the file it was loaded from; NULL: built in */
    char file[160];     /* source of its first instruction; empty: unknown */
    unsigned line;
};

enum fnp_verdict {
    FNP_VERDICT_PASS,
    FNP_VERDICT_FAIL,
    FNP_VERDICT_SKIP,
    FNP_VERDICT_INCONCLUSIVE,
};

enum {
    FNP_N_VERDICTS = FNP_VERDICT_INCONCLUSIVE + 1
};

/* "pass" "fail" "skip" "inconclusive" */
const char *fnp_verdict_name(enum fnp_verdict verdict);

/* Groups of checks whose state is reported with each verdict. */
enum fnp_check_group {
    FNP_CHECK_BYTES,
    FNP_CHECK_FOOTPRINT,
    FNP_CHECK_STATE,
    FNP_CHECK_ORDER,
    FNP_CHECK_COVERAGE,
    FNP_N_CHECK_GROUPS,
};

/* "bytes" "footprint" "state" "order" "coverage" */
const char *fnp_check_group_name(enum fnp_check_group group);

enum {
    FNP_NOTES_MAX = 6,
    FNP_OFFERS_MAX = 3
};

/* A promise nobody wrote down, under which what was found would be allowed. */
struct fnp_offer {
    char promise[192];  /* a line of a contract: "sizes = 0:-:64" */
    uint64_t cases;     /* that it would allow, of a sample */
    enum fnp_rule rule; /* the one they all show; FNP_N_RULES: several */
};

/* The boxes of a kernel; zero: it has none. */
struct fnp_box_report {
    uint64_t points;  /* those the contract does not allow, too */
    uint64_t tried;   /* of them, now */
    uint64_t earlier; /* of them, by earlier runs */
    bool left_out;    /* declared and not to be enumerated in this run */
};

/* Blocks of a kernel's code that the recorded cases ran; zero: nothing was recorded. */
struct fnp_coverage_report {
    uint64_t blocks, of;
    bool more; /* indirect jumps may lead to code that is not known */
};

struct fnp_kernel_report {
    const char *kernel; /* borrowed, as are all texts here */
    enum fnp_verdict verdict;
    const char *reason;     /* of skip and inconclusive; NULL: none */
    const char *contract;   /* "guessed:memcpy", "corpus/x.ini", "builtin" ... */
    const char *guess_note; /* first line for guessed contracts; NULL: none */
    uint64_t cases;
    uint64_t saved;    /* of them: saved ones, run first */
    uint64_t expected; /* of those: show the finding they are kept for */
    uint64_t findings; /* distinct, unwaived errors and warnings */
    uint64_t warnings;
    uint64_t suppressed;      /* findings beyond the three shown */
    uint64_t n_least, n_most; /* sizes actually run */
    struct fnp_box_report box;
    struct fnp_coverage_report coverage;
    /* "ok", "inconclusive: one CPU", ... NULL: absent */
    const char *checks[FNP_N_CHECK_GROUPS];
    const char *promises; /* weakening promises in use, space separated; NULL: none */
    /* What a reader of the verdict should know besides: a box, an allow without use ... */
    const char *notes[FNP_NOTES_MAX];
    size_t n_notes;
    struct fnp_offer offers[FNP_OFFERS_MAX];
    size_t n_offers;
    /* A line of a contract that is easily mistaken for this one and fits; "": none. */
    char hint[256];
    unsigned hint_cases;  /* that pass under it */
    char code[80];        /* "sha256:..." */
    const char *equal_to; /* kernel with the same code, judged once; NULL: none */
    double seconds;
};

struct fnp_summary {
    uint64_t pass, fail, skip, inconclusive, waived, warnings;
    uint64_t cases;
    uint64_t boxes_left_out; /* kernels with a declared box that was not enumerated */
    uint64_t seed;
    const char *cpu; /* brand string */
    unsigned family, model, stepping;
    double seconds;
    int exit;
    bool interrupted;
};

#endif
