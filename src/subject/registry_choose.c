/* SPDX-License-Identifier: MIT */
/*
 * registry_choose.c - which contract a function of a file has
 *
 * Contract files come first, then the comments of its source, then what is known of its
 * name.  Options have the last word.
 */
#include <string.h>

#include "subject/build.h"
#include "subject/comment.h"
#include "subject/ini.h"
#include "subject/registry.h"

/* A source and the contracts in its comments. */
struct fnp_registry_source {
    const char *path;
    struct fnp_contract_file file; /* ini NULL: there are none */
    const char *any;               /* see struct fnp_comment */
    struct fnp_registry_source *next;
};

/* ---- where to look */

/* The section with this name, or with this `symbol`; count: there is none. */
static size_t find_in(const struct fnp_contract_file *file, const char *name,
                      bool by_symbol)
{
    size_t i = 0;

    while (i < file->count) {
        const struct fnp_contract *c = &file->contracts[i];
        const char *found = by_symbol ? c->symbol : c->name;

        if (found && !strcmp(found, name)) {
            break;
        }
        i++;
    }
    return i;
}

/* NAME of NAME@VERSION. */
static const char *unversioned(struct fnp_registry *r, const char *symbol)
{
    return fnp_arena_text(r->arena, symbol, strcspn(symbol, "@"));
}

/* A section for this function: by its name first, else by its `symbol`. */
static const struct fnp_contract_file *find_exactly(const struct fnp_registry *r,
                                                    const char *symbol, size_t *index)
{
    for (int by_symbol = 0; by_symbol < 2; by_symbol++) {
        for (size_t f = 0; f < r->n_files; f++) {
            *index = find_in(&r->files[f], symbol, by_symbol);
            if (*index < r->files[f].count) {
                return &r->files[f];
            }
        }
    }
    return NULL;
}

/* One for all versions of a function that has versions comes last. */
static const struct fnp_contract_file *find_section(struct fnp_registry *r,
                                                    const char *symbol, size_t *index)
{
    const struct fnp_contract_file *file = find_exactly(r, symbol, index);

    return file || !strchr(symbol, '@')
               ? file
               : find_exactly(r, unversioned(r, symbol), index);
}

/* A source that cannot be read has none; whoever builds it says why. */
static enum fnp_status read_source(struct fnp_registry *r, const char *path,
                                   struct fnp_registry_source *out)
{
    struct fnp_comment comment;
    char *text = NULL;
    size_t len = 0;

    if (fnp_ini_slurp(r->arena, path, &text, &len, NULL)) {
        return FNP_OK;
    }
    comment = fnp_comment_read(r->arena, text, len);
    out->any = comment.any;
    return comment.ini ? fnp_contract_parse(r->arena, path, comment.ini, comment.len,
                                            &out->file, r->err)
                       : FNP_OK;
}

/* The contracts in a source's comments; *out NULL: there are none. */
static enum fnp_status open_source(struct fnp_registry *r, const char *path,
                                   const struct fnp_registry_source **out)
{
    struct fnp_registry_source *s = r->sources;
    enum fnp_status status = FNP_OK;

    *out = NULL;
    if (!fnp_build_is_source(path)) {
        return FNP_OK;
    }
    while (s && strcmp(s->path, path) != 0) {
        s = s->next;
    }
    if (!s) {
        s = fnp_arena_alloc(r->arena, sizeof(*s));
        *s = (struct fnp_registry_source){ .path = path, .next = r->sources };
        status = read_source(r, path, s);
        if (status) {
            return status;
        }
        r->sources = s;
    }
    *out = s->file.ini ? s : NULL;
    return FNP_OK;
}

/* The comment's section for a function; count of its file: there is none. */
static size_t find_comment(const struct fnp_registry_source *s, const char *symbol)
{
    size_t i = find_in(&s->file, symbol, false);

    if (i == s->file.count) {
        i = find_in(&s->file, symbol, true);
    }
    return i == s->file.count && s->any ? find_in(&s->file, s->any, false) : i;
}

/* ---- drafts */

/* What the patterns of one contract file say, the first file with a match; NULL: none. */
static enum fnp_status give_patterns(struct fnp_registry *r, const char *symbol,
                                     struct fnp_contract_draft *draft,
                                     const struct fnp_contract_file **from)
{
    const char *name = unversioned(r, symbol);
    enum fnp_status status = FNP_OK;
    bool any = false;

    *from = NULL;
    for (size_t f = 0; !status && !any && f < r->n_files; f++) {
        status = fnp_contract_patterns(&r->files[f], name, draft, &any, r->err);
        *from = any ? &r->files[f] : NULL;
    }
    return status;
}

/* The keys of `over` on top of those of `draft`. */
static void overlay(struct fnp_contract_draft *draft,
                    const struct fnp_contract_draft *over)
{
    for (size_t i = 0; i < FNP_N_CONTRACT_KEYS; i++) {
        if (over->keys[i].value) {
            draft->keys[i] = over->keys[i];
        }
    }
    draft->name = over->name;
    draft->read_from = over->read_from;
    draft->where = over->where;
}

/* A comment is about the file it stands in. */
static enum fnp_status check_comment(struct fnp_registry *r,
                                     const struct fnp_contract_draft *draft)
{
    static const enum fnp_contract_key_id not_here[] = { FNP_KEY_object,
                                                         FNP_KEY_address };

    for (size_t i = 0; i < FNP_ARRAY_LEN(not_here); i++) {
        if (draft->keys[not_here[i]].value) {
            return fnp_err_set(r->err, FNP_INPUT,
                               "%s: %s: a contract in a comment is about the file it "
                               "stands in",
                               draft->keys[not_here[i]].where,
                               fnp_contract_keys[not_here[i]]);
        }
    }
    return FNP_OK;
}

/* Patterns, --proto or a guess; pick->draft NULL: none of them. */
static enum fnp_status choose_by_name(struct fnp_registry *r, const char *symbol,
                                      struct fnp_pick *pick)
{
    const struct fnp_contract_file *from = NULL;
    struct fnp_contract_draft *patterns =
        fnp_contract_draft(r->arena, symbol, "options");
    enum fnp_status status = give_patterns(r, symbol, patterns, &from);
    bool declared = patterns->keys[FNP_KEY_proto].value != NULL;

    patterns->where = pick->name;
    if (from) {
        patterns->read_from = from->path;
        pick->dir = fnp_registry_folder(r, from->dir);
        pick->home = from->dir;
    }
    if (declared || fnp_registry_option(r, FNP_KEY_proto)) {
        pick->draft = patterns;
    } else {
        pick->draft = fnp_contract_guess(r->arena, symbol, r->request->as);
        for (size_t i = 0; pick->draft && i < FNP_N_CONTRACT_KEYS; i++) {
            if (patterns->keys[i].value) {
                pick->draft->keys[i] = patterns->keys[i];
            }
        }
    }
    pick->contract_file = from ? from->path : NULL;
    pick->guessed = pick->draft && pick->draft->guess;
    return status;
}

static enum fnp_status choose_comment(struct fnp_registry *r, const char *symbol,
                                      const struct fnp_contract_draft *comment,
                                      const struct fnp_contract_file *file,
                                      struct fnp_pick *pick)
{
    const struct fnp_contract_file *from = NULL;
    enum fnp_status status = check_comment(r, comment);

    pick->draft = fnp_contract_draft(r->arena, symbol, file->path);
    status = status ? status : give_patterns(r, symbol, pick->draft, &from);
    overlay(pick->draft, comment);
    pick->dir = fnp_registry_folder(r, file->dir);
    pick->home = file->dir;
    pick->contract_file = from ? from->path : NULL;
    return status;
}

static enum fnp_status no_contract(struct fnp_registry *r, const char *name,
                                   const char *symbol)
{
    return fnp_err_set(
        r->err, FNP_INPUT,
        "%s: no contract, and no well-known word in the name; write one "
        "(--contract FILE with a section [%s], or --proto 'void %s(void "
        "dst[n], size_t n)') or guess it like another name (--as memcpy)",
        name, symbol, symbol);
}

enum fnp_status fnp_registry_choose(struct fnp_registry *r, const char *path,
                                    const char *symbol, struct fnp_pick *pick)
{
    size_t i = 0;
    const struct fnp_contract_file *file = find_section(r, symbol, &i);
    const struct fnp_registry_source *source = NULL;
    enum fnp_status status = file ? FNP_OK : open_source(r, path, &source);

    pick->dir = ".";
    if (file) {
        pick->draft = fnp_contract_draft_copy(file->drafts[i]);
        pick->dir = fnp_registry_folder(r, file->dir);
        pick->home = file->dir;
        pick->contract_file = file->path;
    } else if (!status && source && find_comment(source, symbol) < source->file.count) {
        i = find_comment(source, symbol);
        status = choose_comment(r, symbol, source->file.drafts[i], &source->file, pick);
    } else if (!status) {
        status = choose_by_name(r, symbol, pick);
    }
    if (status) {
        return status;
    }
    return pick->draft ? fnp_registry_apply_options(r, pick->draft)
                       : no_contract(r, pick->name, symbol);
}

enum fnp_knowledge fnp_registry_knows(struct fnp_registry *r, const char *path,
                                      const char *symbol)
{
    size_t i = 0;
    const struct fnp_registry_source *source = NULL;
    struct fnp_pick pick = { .name = symbol };

    if (find_section(r, symbol, &i) || open_source(r, path, &source)) {
        return FNP_KNOWS_WELL;
    }
    if ((source && find_comment(source, symbol) < source->file.count) ||
        choose_by_name(r, symbol, &pick)) {
        return FNP_KNOWS_WELL;
    }
    if (!pick.draft || !pick.draft->keys[FNP_KEY_proto].value) {
        return FNP_KNOWS_NOTHING;
    }
    return !pick.guessed || r->request->as || fnp_guess_is_telling(pick.draft->guess)
               ? FNP_KNOWS_WELL
               : FNP_KNOWS_A_VERB;
}

static bool has_name(const struct fnp_object_symbol *list, size_t count,
                     const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(list[i].name, name)) {
            return true;
        }
    }
    return false;
}

void fnp_registry_note_comments(struct fnp_registry *r, const char *path,
                                const struct fnp_object_symbol *list, size_t count)
{
    const struct fnp_registry_source *source = NULL;

    if (open_source(r, path, &source) || !source || source->any) {
        return;
    }
    for (size_t i = 0; i < source->file.count; i++) {
        const char *name = source->file.contracts[i].name;

        if (!has_name(list, count, name)) {
            fnp_registry_note(r, fnp_arena_printf(r->arena,
                                                  "%s: a comment has a contract for "
                                                  "\"%s\", which is no function of it",
                                                  path, name));
        }
    }
}
