/* SPDX-License-Identifier: MIT */
/*
 * comment.h - contracts written in the comments of a source file
 *
 * A comment line that says `fencepost:`, or `fencepost: [symbol]`, begins one; the
 * comment lines behind it hold `key = value`.  It reads lines, not a language: whatever
 * begins a comment in C or in an assembler will do.
 *
 * Depends on: base.
 */
#ifndef FNP_SUBJECT_COMMENT_H
#define FNP_SUBJECT_COMMENT_H

#include <stddef.h>

#include "base/arena.h"

struct fnp_comment {
    /* An INI text whose lines have the numbers they have in the source; NULL: none. */
    char *ini;
    size_t len;
    /*
     * The section of the only contract, when it names no symbol and its prototype's
     * name is none of the code's words: it is for any function of the file.
     */
    const char *any;
};

/* Look through text[0, len).  A contract without a symbol is named by its prototype. */
struct fnp_comment fnp_comment_read(struct fnp_arena *arena, const char *text,
                                    size_t len);

#endif
