/* SPDX-License-Identifier: MIT */
/*
 * cli.h - what all subcommands share: their table, usage, and printing of errors
 *
 * A command gets the words behind its name and returns an exit status.  Findings
 * and answers go to stdout, complaints and progress to stderr.
 *
 * Depends on: base.
 */
#ifndef FNP_CLI_CLI_H
#define FNP_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>

#include "base/opt.h"
#include "base/status.h"

#define FNP_VERSION "0.1.0"

/* One row of main's table. */
struct fnp_command {
    const char *name;
    const char *help;                  /* one line */
    int (*run)(int argc, char **argv); /* NULL: planned, not in this version */
};

int fnp_cmd_verify(int argc, char **argv);
int fnp_cmd_replay(int argc, char **argv);
int fnp_cmd_contract(int argc, char **argv);
int fnp_cmd_list(int argc, char **argv);
int fnp_cmd_explain(int argc, char **argv);
int fnp_cmd_doctor(int argc, char **argv);
int fnp_cmd_survey(int argc, char **argv);
int fnp_cmd_trace(int argc, char **argv);
int fnp_cmd_cover(int argc, char **argv);

/* Everything `--help` prints, and the options a command reads. */
struct fnp_usage {
    const char *command;
    const char *words; /* "[OPTION]... SUBJECT..." */
    const char *text;  /* a few lines, each ending in a newline */
    const struct fnp_opt
        *options; /* help NULL: listed in one block; "": in a second one behind it */
    size_t count;
    const char *block; /* heading of that block, NULL: none */
};

/*
 * Read a command line.  True when the command shall run; else *code is the exit
 * status: 0 after printing `--help`, 2 after one sentence on stderr.
 */
bool fnp_cli_parse(const struct fnp_usage *usage, int argc, char **argv,
                   struct fnp_opt_list *names, int *code);

/* Print "fencepost: <sentence>" on stderr; returns the exit status for `status`. */
int fnp_cli_complain(enum fnp_status status, const struct fnp_err *err);

/* The same for a sentence of one's own: always exit status 2. */
int fnp_cli_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * "; did you mean X?" for the known name nearest to `word`, else "".  Static storage,
 * valid until the next call.
 */
const char *fnp_cli_hint(const char *word, const char *const *names, size_t count);

/*
 * Print `text` and a newline, its words wrapped at 88 columns; `column` characters stand
 * on the line already, further lines are indented as far.
 */
void fnp_cli_wrap(int column, const char *text);

/*
 * Flush stdout and turn a failed write (full disk, closed pipe) into exit status 4
 * with a sentence; else `code`.
 */
int fnp_cli_finish(int code);

#endif
