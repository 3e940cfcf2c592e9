/* SPDX-License-Identifier: MIT */
/*
 * registry.h - shared by the parts of the registry
 *
 * registry_files.c reads the contract files, registry.c decides which kernels are meant
 * and registry_choose.c which contract each one has.  registry_source.c opens their
 * files, registry_builtin.c has those that are built in, registry_load.c makes them ready
 * to run, registry_spec.c names them again and registry_list.c lists what a file has.
 * Everybody else uses kernel.h.
 *
 * Depends on: kernel.
 */
#ifndef FNP_SUBJECT_REGISTRY_H
#define FNP_SUBJECT_REGISTRY_H

#include "subject/compdb.h"
#include "subject/draft.h"
#include "subject/kernel.h"

/* An object that was read or built already. */
struct fnp_registry_object {
    const char *key; /* path, compiler and flags */
    const struct fnp_object *object;
    struct fnp_registry_object *next;
};

/* A database entry that was looked up already. */
struct fnp_registry_command {
    const char *source;
    struct fnp_compdb_entry entry;
    struct fnp_registry_command *next;
};

struct fnp_registry {
    struct fnp_arena *arena;
    const struct fnp_request *request;
    struct fnp_contract_file *files; /* the request's contract files, in its order */
    size_t n_files;
    struct fnp_contract_file builtin;    /* path NULL: not read yet */
    struct fnp_registry_source *sources; /* looked through for contracts already */
    struct fnp_registry_object *objects;
    struct fnp_registry_command *commands;
    const char *wrap; /* the request's, while a subject is opened */
    bool wrapped;     /* --wrap found a file to be appended to */
    struct fnp_kernel *list;
    size_t count, room;
    size_t n_left_out;    /* functions that a glob took and that cannot be loaded */
    const char *left_out; /* why, of the last one */
    struct fnp_err *err;
};

/* A kernel that is meant, before anything is loaded. */
struct fnp_pick {
    const char *name;
    struct fnp_contract_draft *draft; /* the request's keys are applied */
    const char *dir;                  /* object and reference count from here */
    const char *home;                 /* the contract's own folder; NULL: ours */
    const struct fnp_object *object;  /* NULL: the contract says which */
    const char *unbuilt; /* the compiler that was missing when it should be built in */
    bool named;
    const char *contract_file; /* a section of it; NULL: none */
    bool guessed;              /* the contract, so that --as matters */
    bool is_optional;          /* a note instead of an error when it cannot be loaded */
    uint32_t small; /* words of known.def that have their small values: a mask */
};

/* Shell words that name it again: contract file, name, and every option that was used. */
const char *fnp_registry_spec(struct fnp_registry *r, const struct fnp_pick *pick);

#define FNP_BUILTIN "builtin:"

/*
 * Add the built-in kernels whose name, without "builtin:", is or matches `pattern`.  The
 * name of a contract that no kernel has alone means all that were built from its source.
 */
enum fnp_status fnp_registry_add_builtins(struct fnp_registry *r, const char *pattern);

/* Does a built-in kernel have this name, without "builtin:"? */
bool fnp_registry_is_builtin(struct fnp_registry *r, const char *name);

/* Is it a pattern of fnmatch, no plain name? */
bool fnp_registry_is_glob(const char *text);

/* The value of a contract key given as an option, or NULL. */
const char *fnp_registry_option(const struct fnp_registry *r,
                                enum fnp_contract_key_id id);

/* Give a draft the keys that came as options. */
enum fnp_status fnp_registry_apply_options(struct fnp_registry *r,
                                           struct fnp_contract_draft *draft);

/* The folder that object and reference count from: ours when an option names them. */
const char *fnp_registry_folder(const struct fnp_registry *r, const char *dir);

/*
 * The contract of a function: a section, else a comment in its source, else patterns or
 * --proto, else a guess.  Fills what a pick that has a name says about its contract.
 */
enum fnp_status fnp_registry_choose(struct fnp_registry *r, const char *path,
                                    const char *symbol, struct fnp_pick *pick);

/* What fnp_registry_choose would find; in globs the better ones count alone. */
enum fnp_knowledge {
    FNP_KNOWS_NOTHING,
    FNP_KNOWS_A_VERB, /* a guess from a word that much else is called by: "copy" */
    FNP_KNOWS_WELL,   /* a contract, or a guess from a word like "memcpy" */
};

/* An error counts as knowing, --proto does not. */
enum fnp_knowledge fnp_registry_knows(struct fnp_registry *r, const char *path,
                                      const char *symbol);

/* Say which contracts in a source's comments are for none of its functions. */
void fnp_registry_note_comments(struct fnp_registry *r, const char *path,
                                const struct fnp_object_symbol *list, size_t count);

/* `path` against `dir`, unless it is absolute or dir is NULL or ".". */
const char *fnp_registry_path(struct fnp_arena *arena, const char *dir,
                              const char *path);

/* A file, or "FILE(...)" with a file FILE? */
bool fnp_registry_exists(struct fnp_registry *r, const char *path);

/* Say something about what was left out, if anybody asked for notes. */
void fnp_registry_note(struct fnp_registry *r, const char *text);

/*
 * Read the request's contract files; without any subject and file, the nearest
 * fencepost.ini upward.
 */
enum fnp_status fnp_registry_read_files(struct fnp_registry *r);

/*
 * Read or build an object, once.  cc and cflags are the contract's or NULL; the
 * request's win, and a compile database replaces both but for the request's cflags.  A
 * `function` of a .c that is static or inline is kept alive; NULL: none is asked for.  An
 * archive becomes the member that `function` means.
 */
enum fnp_status fnp_registry_open(struct fnp_registry *r, const char *path,
                                  const struct fnp_contract *contract,
                                  const char *function, const struct fnp_object **out);

/*
 * Tell the draft whether its object is 32-bit.  `object` NULL: the one it names, found
 * from `dir`; one that cannot be opened is taken for 64-bit.
 */
void fnp_registry_fit(struct fnp_registry *r, struct fnp_contract_draft *draft,
                      const char *dir, const struct fnp_object *object);

/*
 * The functions of a file, by name.  `all`: of a .c also those that only exist when they
 * are kept alive, static and inline ones; each has to be opened by its name then.
 */
enum fnp_status fnp_registry_functions(struct fnp_registry *r, const char *path,
                                       bool all, const struct fnp_object **object,
                                       struct fnp_object_symbol **list, size_t *count);

/* A sentence for the request's notes. */
void fnp_registry_note(struct fnp_registry *r, const char *text);

/* Complete the contract, load the code, scan it, and append the kernel. */
enum fnp_status fnp_registry_add(struct fnp_registry *r, const struct fnp_pick *pick);

/* Look at the code that the image's entry reaches. */
void fnp_registry_scan(const struct fnp_image *image, struct fnp_scan *out);

/* After the last one: which kernels are equal to an earlier one. */
void fnp_registry_link_equal(struct fnp_registry *r);

#endif
