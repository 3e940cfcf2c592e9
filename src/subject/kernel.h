/* SPDX-License-Identifier: MIT */
/*
 * kernel.h - a kernel ready to run: name, contract, image, what its code needs
 *
 * The registry turns the words of a command line (FILE.o:SYMBOL, globs,
 * builtin:NAME, sections of contract files) into kernels.
 *
 * Depends on: contract, image, x86/scan.h.
 */
#ifndef FNP_SUBJECT_KERNEL_H
#define FNP_SUBJECT_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "subject/contract.h"
#include "subject/image.h"
#include "subject/saved.h"
#include "x86/scan.h"

struct fnp_kernel {
    const char *
        name; /* as printed: "builtin:copy_page_sse2", "my.o:f", "[section]" without brackets */
    const char *
        spec; /* how to name it again on a command line, for replay lines (shell words, quoted) */
    struct fnp_contract contract;
    struct fnp_object object; /* the file the image came from, for source lines */
    struct fnp_image image;
    bool has_ref;
    struct fnp_image ref; /* op = ref: slot 1 */
    struct fnp_scan scan; /* of the decoded code */
    fnp_features needs;   /* declared or decoded CPU features */
    const char *missing;  /* what it lacks to run here: "avx2", "clang-19"; else NULL */
    const char *skip; /* the same as a clause, for people; NULL exactly as missing */
    bool small;       /* the second of two, with libc's thresholds small (known.def) */
    struct fnp_saved saved; /* its cases in the folder that the contract names */
    bool named;             /* named explicitly, not by a glob or --builtin */
    const struct fnp_kernel *equal_to; /* equal code and contract; judged once */
};

/* Sentences about what a file or a glob left out; owned by the arena. */
struct fnp_notes {
    const char **text;
    size_t count;
};

/* What the command line said about subjects. */
struct fnp_request {
    const char *const *names; /* FILE:SYMBOL, builtin:GLOB, section names */
    size_t n_names;
    const char *const
        *contract_files; /* --contract, then FENCEPOST_CONTRACTS (':' separated) */
    size_t n_contract_files;
    bool builtin;   /* --builtin */
    const char *as; /* --as NAME, may be NULL */
    const char *const
        *keys;     /* contract keys given as options: key, value, key, value ... */
    size_t n_keys; /* pairs */
    const char *cc, *cflags; /* for .c and .S subjects; NULL: cc, -O2 */
    const char *compdb;      /* compile_commands.json to take both from; NULL: none */
    const char *wrap;        /* C text to append to .c and .h subjects; NULL: none */
    bool one_setting;        /* not a second kernel with small thresholds (known.def) */
    const char *verb; /* what shall be done with them, for sentences; NULL: verify */
    struct fnp_notes *notes; /* filled in; NULL: not asked for */
};

struct fnp_kernels {
    struct fnp_kernel *list; /* owned by the arena */
    size_t count;
};

/*
 * Resolve a request.  No subject at all: the nearest fencepost.ini upward, else
 * FNP_INPUT with one sentence.  Files are loaded, contracts completed, code scanned.
 */
enum fnp_status fnp_kernels_resolve(struct fnp_arena *arena,
                                    const struct fnp_request *request,
                                    struct fnp_kernels *out, struct fnp_err *err);

/* A function of a file, whether or not anything is known about it. */
struct fnp_function {
    const char *name;
    const char *file; /* FILE, or FILE.a(MEMBER) where FILE.a:NAME would not do */
    uint64_t size;    /* bytes */
    bool is_global;
    bool is_ifunc;       /* a resolver; its code is not looked at */
    const char *guess;   /* the word that its contract would be guessed from, or NULL */
    fnp_features needs;  /* of its code */
    const char *missing; /* the first feature this CPU does not have; NULL: none */
    const char *unloaded; /* why its code cannot be had; NULL: it can */
};

/*
 * The functions of FILE or FILE:GLOB, by name; those of the request's subjects do not
 * matter.  FNP_INPUT when there is none.
 */
enum fnp_status fnp_functions_list(struct fnp_arena *arena,
                                   const struct fnp_request *request, const char *word,
                                   struct fnp_function **out, size_t *count,
                                   struct fnp_err *err);

#endif
