/* SPDX-License-Identifier: MIT */
/*
 * shell_words.h - a command line as text, split into words
 *
 * Depends on: base.
 */
#ifndef FNP_SUBJECT_SHELL_WORDS_H
#define FNP_SUBJECT_SHELL_WORDS_H

#include <stddef.h>

#include "base/arena.h"
#include "base/status.h"

/* The most words a compiler is given. */
enum {
    FNP_SHELL_WORDS = 1024
};

/* Borrowed texts; the list ends with NULL.  Zero before use. */
struct fnp_shell_words {
    const char *word[FNP_SHELL_WORDS + 1];
    size_t count;
};

/* FNP_INPUT when there is no room. */
enum fnp_status fnp_shell_add(struct fnp_shell_words *words, const char *word,
                              struct fnp_err *err);

/*
 * Split as a shell does, but expand nothing: quotes and backslashes work.  The words live
 * in the arena.  FNP_INPUT when a quote is not closed.
 */
enum fnp_status fnp_shell_split(struct fnp_arena *arena, const char *text,
                                struct fnp_shell_words *words, struct fnp_err *err);

#endif
