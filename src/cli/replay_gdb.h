/* SPDX-License-Identifier: MIT */
/*
 * replay_gdb.h - start gdb so that it stops at a kernel's entry with a case loaded
 *
 * Depends on: subject/kernel.h.
 */
#ifndef FNP_CLI_REPLAY_GDB_H
#define FNP_CLI_REPLAY_GDB_H

#include "base/arena.h"
#include "base/status.h"
#include "subject/kernel.h"

/*
 * Become gdb over `fencepost replay --in-process WORDS...`; argv[0, argc) are the words
 * behind "replay", without --gdb.  Words of FENCEPOST_GDB_ARGS (blanks separate, '...'
 * and "..." quote) go to gdb behind our own commands: "-batch -ex bt".
 * Returns only on failure.
 */
enum fnp_status fnp_replay_gdb(struct fnp_arena *arena, const struct fnp_kernel *kernel,
                               int argc, char **argv, struct fnp_err *err);

/* Split `text` as above into words[0, room); false when there are more. */
bool fnp_split_words(struct fnp_arena *arena, const char *text, char **words,
                     size_t room, size_t *count);

#endif
