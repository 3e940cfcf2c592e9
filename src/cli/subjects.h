/* SPDX-License-Identifier: MIT */
/*
 * subjects.h - the options every command has that names kernels
 *
 * --contract, --builtin, --as, --cc, --cflags, --compdb, --wrap and each contract key as an option of
 * its own; from them and the words of the command line to resolved kernels.
 *
 * Depends on: base, subject.
 */
#ifndef FNP_CLI_SUBJECTS_H
#define FNP_CLI_SUBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/opt.h"
#include "subject/kernel.h"

/* Room for a command's own options, the common ones and all contract keys. */
enum {
    FNP_SUBJECT_OPTIONS = 88
};

/* How kernels are named, for usage texts. */
#define FNP_SUBJECT_HELP                                                               \
    "A subject is FILE.o:SYMBOL, FILE.a:SYMBOL, FILE.a(MEMBER.o):SYMBOL, "             \
    "FILE.S:SYMBOL\n"                                                                  \
    "or FILE.c:FUNCTION (SYMBOL may be a glob), builtin:NAME, or a section of a\n"     \
    "--contract file.\n"

/* Zero before use.  Texts are borrowed from argv and the environment. */
struct fnp_subjects {
    struct fnp_opt_list contracts;
    bool builtin;
    const char *as, *cc, *cflags, *compdb, *wrap;
    bool one_setting; /* of kernels with two settings of libc's words only the usual */
    const char *verb; /* what the command does, for "nothing to verify" */
    struct fnp_notes *notes; /* filled in by resolve; owned by the arena */
    struct fnp_opt_list
        *values; /* one list for each contract key; owned by the arena */
    struct fnp_opt options[FNP_SUBJECT_OPTIONS];
    size_t n_options;
};

/* Append rows to `options`. */
void fnp_subjects_add(struct fnp_subjects *s, const struct fnp_opt *rows, size_t count);

/* Append a command's own rows and the common ones behind them. */
void fnp_subjects_options(struct fnp_arena *arena, struct fnp_subjects *s,
                          const struct fnp_opt *own, size_t n_own);

/* The request that options and `names` make; lives in the arena. */
struct fnp_request fnp_subjects_request(struct fnp_arena *arena,
                                        const struct fnp_subjects *s,
                                        const char *const *names, size_t n_names);

/* Resolve the request.  Errors are those of fnp_kernels_resolve. */
enum fnp_status fnp_subjects_resolve(struct fnp_arena *arena,
                                     const struct fnp_subjects *s,
                                     const char *const *names, size_t n_names,
                                     struct fnp_kernels *out, struct fnp_err *err);

/* Print what a file or a glob left out, one line each behind `prefix`. */
void fnp_subjects_notes(FILE *out, const char *prefix, const struct fnp_subjects *s);

#endif
