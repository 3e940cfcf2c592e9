/* SPDX-License-Identifier: MIT */
/*
 * replay_file.h - what `replay` and `trace` are asked to run: words or a file
 *
 * Depends on: base, subject/case.h, cli/subjects.h.
 */
#ifndef FNP_CLI_REPLAY_FILE_H
#define FNP_CLI_REPLAY_FILE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/opt.h"
#include "base/status.h"
#include "cli/subjects.h"
#include "report/rules.h"
#include "subject/case.h"
#include "subject/kernel.h"

struct fnp_replay {
    struct fnp_kernel *kernel; /* owned by the arena */
    struct fnp_case c;
    bool from_file;
    bool expect_pass;     /* the file says `expect pass` */
    enum fnp_rule expect; /* FNP_N_RULES: any finding */
    char region[32];      /* empty: any */
};

/*
 * Read SUBJECT 'v1 ...', or one FILE.case, and resolve the kernel.  FNP_INPUT with one
 * sentence unless it is exactly one kernel and a case its contract allows.
 */
enum fnp_status fnp_replay_read(struct fnp_arena *arena,
                                const struct fnp_subjects *subjects,
                                const struct fnp_opt_list *names,
                                struct fnp_replay *out, struct fnp_err *err);

/*
 * Split the `contract` line of a .case file, "KEY = VALUE; KEY = VALUE ...", into the
 * request's keys, or take it as the path of a contract file; "builtin" adds nothing.
 */
enum fnp_status fnp_replay_contract(struct fnp_arena *arena, const char *line,
                                    struct fnp_request *request, struct fnp_err *err);

#endif
