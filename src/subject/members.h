/* SPDX-License-Identifier: MIT */
/*
 * members.h - the objects in an archive, and who defines which symbol
 *
 * An archive is read and indexed once, however many kernels come out of it.  A member
 * that is no ELF object stays in the list with the reason.
 *
 * Depends on: archive, elf.
 */
#ifndef FNP_SUBJECT_MEMBERS_H
#define FNP_SUBJECT_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "subject/elf.h"
#include "subject/image.h"

struct fnp_member {
    const char *name;
    struct fnp_object object; /* its path is "FILE.a(NAME)", or "FILE.a(NAME#2)" */
    const char *fault;        /* why nothing comes out of it; NULL: `elf` is valid */
    struct fnp_elf elf;
};

/* A symbol that a member defines. */
struct fnp_member_symbol {
    const char *name;
    const struct fnp_member *member;
    const struct fnp_elf_symbol *symbol;
    uint32_t place; /* of the member in the archive */
};

struct fnp_members {
    const char *path;         /* FILE.a, or FILE.a(NAME) with equal names */
    struct fnp_member **list; /* in the archive's order */
    size_t n;
    struct fnp_member_symbol *index; /* by name, then by member */
    size_t n_index;
};

/* The members of an archive; FNP_INPUT with one sentence when it is damaged. */
enum fnp_status fnp_members_read(struct fnp_arena *arena,
                                 const struct fnp_object *archive,
                                 const struct fnp_members **out, struct fnp_err *err);

/* "FILE.a(NAME)": FILE.a in the arena and *name, when that file is there; else NULL. */
const char *fnp_members_split(struct fnp_arena *arena, const char *path,
                              const char **name);

/* The member NAME or NAME#2 of an archive; of equal names without a number all of them. */
enum fnp_status fnp_members_named(struct fnp_arena *arena,
                                  const struct fnp_object *archive, const char *name,
                                  struct fnp_object *out, struct fnp_err *err);

/*
 * The member that `archive`:`symbol` means: where the only global function of that name
 * is, else the only weak one, else the only local one.  FNP_INPUT with the ways to say
 * it when that is undecided.
 */
enum fnp_status fnp_members_select(const struct fnp_object *archive, const char *symbol,
                                   const struct fnp_object **out, struct fnp_err *err);

/*
 * The object that has `symbol`, seen from `object`: itself, or the archive's member that
 * is meant when it is a member that lacks it.
 */
enum fnp_status fnp_members_near(const struct fnp_object *object, const char *symbol,
                                 const struct fnp_object **out, struct fnp_err *err);

/* The first member that defines a global symbol, as a linker finds it; NULL: none. */
const struct fnp_member *fnp_members_definer(const struct fnp_members *members,
                                             const char *symbol, bool is32);

/*
 * The functions of all members, by name; see fnp_object_functions.  FNP_INPUT when the
 * file of a member is not there: what it has would be missed in silence.
 */
enum fnp_status fnp_members_functions(struct fnp_arena *arena,
                                      const struct fnp_object *archive,
                                      struct fnp_object_symbol **out, size_t *count,
                                      struct fnp_err *err);

#endif
