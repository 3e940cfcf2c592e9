/* SPDX-License-Identifier: MIT */
/*
 * unit.h - the C text that is compiled in place of a .c or .h subject
 *
 * It includes the subject, appends what --wrap gave, and keeps one static or inline
 * function alive under its own name and with the ABI's calling convention: a function
 * whose address is taken can be neither dropped nor specialised.
 *
 * Depends on: base.
 */
#ifndef FNP_SUBJECT_UNIT_H
#define FNP_SUBJECT_UNIT_H

#include <stddef.h>

#include "base/arena.h"
#include "base/status.h"

/* What keeps a function. */
enum fnp_keep {
    FNP_KEEP_NOTHING,
    FNP_KEEP_NAME,  /* the function of that name, macros of that name aside */
    FNP_KEEP_MACRO, /* the function the macro of that name stands for, as an alias */
};

struct fnp_unit {
    const char *source;   /* path of the .c or .h */
    const char *wrap;     /* C text behind it; NULL: none */
    const char *function; /* an identifier; NULL when nothing is kept */
    enum fnp_keep keep;
};

/* Write the unit to `path`.  FNP_INPUT when the source's path cannot be included. */
enum fnp_status fnp_unit_write(const struct fnp_unit *unit, const char *path,
                               struct fnp_err *err);

/*
 * The name of the first function that a C text defines, or NULL when it defines none.
 * It reads braces, brackets and quotes, not C: the compiler has the last word.
 */
const char *fnp_unit_defines(struct fnp_arena *arena, const char *text);

#endif
