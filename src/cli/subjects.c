/* SPDX-License-Identifier: MIT */
/*
 * subjects.c - options that say which kernels are meant and what they promise
 *
 * Contract keys become options straight from the key table, so a new key needs no
 * line here.
 */
#include "cli/subjects.h"

#include <stdlib.h>
#include <string.h>

static bool taken(const struct fnp_subjects *s, const char *name)
{
    for (size_t i = 0; i < s->n_options; i++) {
        if (!strcmp(s->options[i].name, name)) {
            return true;
        }
    }
    return false;
}

/* Keys of the specimens, which nobody else needs. */
static bool is_special(const char *key)
{
    return !strcmp(key, "expect") || !strcmp(key, "twin");
}

static void add(struct fnp_subjects *s, struct fnp_opt option)
{
    if (s->n_options == FNP_ARRAY_LEN(s->options)) {
        fnp_die("more than %d options", FNP_SUBJECT_OPTIONS);
    }
    s->options[s->n_options++] = option;
}

void fnp_subjects_add(struct fnp_subjects *s, const struct fnp_opt *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        add(s, rows[i]);
    }
}

void fnp_subjects_options(struct fnp_arena *arena, struct fnp_subjects *s,
                          const struct fnp_opt *own, size_t n_own)
{
    const struct fnp_opt common[] = {
        { "contract", 0, FNP_OPT_LIST, &s->contracts, "FILE",
         "read contracts from FILE (repeatable)"                                                   },
        { "builtin",  0, FNP_OPT_FLAG, &s->builtin,   NULL,
         "all kernels that are built in"                                                           },
        { "as",       0, FNP_OPT_TEXT, &s->as,        "NAME",    "guess the contract from NAME"    },
        { "cc",       0, FNP_OPT_TEXT, &s->cc,        "COMMAND", "compiler for .c and .S subjects" },
        { "cflags",   0, FNP_OPT_TEXT, &s->cflags,    "FLAGS",   "its flags"                       },
        { "compdb",   0, FNP_OPT_TEXT, &s->compdb,    "FILE",
         "take both from a compile_commands.json"                                                  },
        { "wrap",     0, FNP_OPT_TEXT, &s->wrap,      "TEXT",
         "append a C function to FILE.c or FILE.h"                                                 },
    };

    fnp_subjects_add(s, own, n_own);
    fnp_subjects_add(s, common, FNP_ARRAY_LEN(common));
    s->notes = fnp_arena_array(arena, 1, sizeof(*s->notes));
    s->values = fnp_arena_array(arena, fnp_contract_n_keys, sizeof(*s->values));
    for (size_t i = 0; i < fnp_contract_n_keys; i++) {
        if (taken(s, fnp_contract_keys[i])) {
            continue;
        }
        add(s,
            (struct fnp_opt){ .name = fnp_contract_keys[i],
                              .kind = FNP_OPT_LIST,
                              .to = &s->values[i],
                              .value = "VALUE",
                              .help = is_special(fnp_contract_keys[i]) ? "" : NULL });
    }
}

/* --contract files first, then those of FENCEPOST_CONTRACTS. */
static void contract_files(struct fnp_arena *arena, const struct fnp_subjects *s,
                           struct fnp_request *r)
{
    const char *more = getenv("FENCEPOST_CONTRACTS");
    size_t room = s->contracts.count + (more ? strlen(more) + 1 : 0);
    const char **files = fnp_arena_array(arena, room, sizeof(*files));

    for (size_t i = 0; i < s->contracts.count; i++) {
        files[r->n_contract_files++] = s->contracts.item[i];
    }
    while (more && *more) {
        size_t len = strcspn(more, ":");
        if (len) {
            files[r->n_contract_files++] = fnp_arena_text(arena, more, len);
        }
        more += len + (more[len] == ':');
    }
    r->contract_files = files;
}

/* Every value of a repeated key is passed on; the contract reader refuses it. */
static void contract_keys(struct fnp_arena *arena, const struct fnp_subjects *s,
                          struct fnp_request *r)
{
    size_t total = 0;

    for (size_t i = 0; i < fnp_contract_n_keys; i++) {
        total += s->values[i].count;
    }
    const char **pairs = fnp_arena_array(arena, 2 * total, sizeof(*pairs));
    for (size_t i = 0; i < fnp_contract_n_keys; i++) {
        for (size_t k = 0; k < s->values[i].count; k++) {
            pairs[2 * r->n_keys] = fnp_contract_keys[i];
            pairs[2 * r->n_keys + 1] = s->values[i].item[k];
            r->n_keys++;
        }
    }
    r->keys = pairs;
}

struct fnp_request fnp_subjects_request(struct fnp_arena *arena,
                                        const struct fnp_subjects *s,
                                        const char *const *names, size_t n_names)
{
    struct fnp_request r = {
        .names = names,
        .n_names = n_names,
        .builtin = s->builtin,
        .as = s->as,
        .cc = s->cc,
        .cflags = s->cflags,
        .compdb = s->compdb,
        .wrap = s->wrap,
        .one_setting = s->one_setting,
        .verb = s->verb,
        .notes = s->notes,
    };

    contract_files(arena, s, &r);
    contract_keys(arena, s, &r);
    return r;
}

enum fnp_status fnp_subjects_resolve(struct fnp_arena *arena,
                                     const struct fnp_subjects *s,
                                     const char *const *names, size_t n_names,
                                     struct fnp_kernels *out, struct fnp_err *err)
{
    struct fnp_request r = fnp_subjects_request(arena, s, names, n_names);

    return fnp_kernels_resolve(arena, &r, out, err);
}

void fnp_subjects_notes(FILE *out, const char *prefix, const struct fnp_subjects *s)
{
    for (size_t i = 0; i < s->notes->count; i++) {
        fprintf(out, "%s%s\n", prefix, s->notes->text[i]);
    }
}
