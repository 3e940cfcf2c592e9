/* SPDX-License-Identifier: MIT */
/*
 * registry.c - which kernels the words of a command line mean, and under which contract
 *
 * Nothing is loaded here but what is needed to list the functions of a file.
 */
#include <errno.h>
#include <fnmatch.h>
#include <string.h>
#include <unistd.h>

#include "base/nearest.h"
#include "base/str.h"
#include "subject/build.h"
#include "subject/registry.h"

bool fnp_registry_is_glob(const char *text)
{
    return strpbrk(text, "*?[") != NULL;
}

const char *fnp_registry_option(const struct fnp_registry *r,
                                enum fnp_contract_key_id id)
{
    const struct fnp_request *request = r->request;

    for (size_t i = 0; i < request->n_keys; i++) {
        if (!strcmp(request->keys[2 * i], fnp_contract_keys[id])) {
            return request->keys[2 * i + 1];
        }
    }
    return NULL;
}

/* ---- keys given as options */

enum fnp_status fnp_registry_apply_options(struct fnp_registry *r,
                                           struct fnp_contract_draft *draft)
{
    const struct fnp_request *request = r->request;

    for (size_t i = 0; i < request->n_keys; i++) {
        const char *key = request->keys[2 * i];
        const char *where = fnp_arena_printf(r->arena, "--%s", key);
        enum fnp_status status;

        for (size_t k = 0; k < i; k++) {
            if (!strcmp(request->keys[2 * k], key)) {
                return fnp_err_set(r->err, FNP_INPUT, "%s is given twice", where);
            }
        }
        status = fnp_contract_key(draft, key, request->keys[2 * i + 1], where, r->err);
        if (status) {
            return status;
        }
    }
    return FNP_OK;
}

const char *fnp_registry_folder(const struct fnp_registry *r, const char *dir)
{
    return fnp_registry_option(r, FNP_KEY_object) || fnp_registry_option(r, FNP_KEY_op)
               ? "."
               : dir;
}

/* ---- sections of contract files */

static enum fnp_status add_section(struct fnp_registry *r,
                                   const struct fnp_contract_file *file, size_t i,
                                   bool named)
{
    const char *name = file->contracts[i].name;
    struct fnp_pick pick = {
        .name = name,
        .contract_file = file->path,
        .draft = fnp_contract_draft_copy(file->drafts[i]),
        .dir = fnp_registry_folder(r, file->dir),
        .home = file->dir,
        .named = named,
    };
    enum fnp_status status = fnp_registry_apply_options(r, pick.draft);

    return status ? status : fnp_registry_add(r, &pick);
}

static enum fnp_status add_all_sections(struct fnp_registry *r)
{
    enum fnp_status status = FNP_OK;
    size_t sections = 0;

    for (size_t f = 0; !status && f < r->n_files; f++) {
        for (size_t i = 0; !status && i < r->files[f].count; i++) {
            status = add_section(r, &r->files[f], i, false);
        }
        sections += r->files[f].count;
    }
    if (!status && !sections && r->n_files) {
        return fnp_err_set(r->err, FNP_INPUT,
                           "%s: only patterns in it; name the functions they are for, "
                           "as FILE:SYMBOL or FILE:GLOB",
                           r->files[0].path);
    }
    return status;
}

/* Sections that `name` is or matches; of equal names the first file's counts. */
static enum fnp_status add_named_sections(struct fnp_registry *r, const char *name,
                                          size_t *found)
{
    bool glob = fnp_registry_is_glob(name);
    enum fnp_status status = FNP_OK;

    for (size_t f = 0; !status && f < r->n_files; f++) {
        for (size_t i = 0; !status && i < r->files[f].count; i++) {
            const char *section = r->files[f].contracts[i].name;
            bool same = !strcmp(section, name);

            if ((same && !*found) || (glob && !fnmatch(name, section, 0))) {
                status = add_section(r, &r->files[f], i, same);
                ++*found;
            }
        }
    }
    return status;
}

/* ---- functions of files */

static void override(struct fnp_contract_draft *draft, enum fnp_contract_key_id id,
                     const char *value)
{
    draft->keys[id] = (struct fnp_draft_key){ .value = value, .where = draft->where };
}

/* FILE:SYMBOL; `object` when the file is open already. */
static enum fnp_status add_function(struct fnp_registry *r, const char *path,
                                    const char *symbol, const struct fnp_object *object,
                                    bool named)
{
    struct fnp_pick pick = { .name = fnp_arena_printf(r->arena, "%s:%s", path, symbol),
                             .named = named,
                             .is_optional = !named };
    struct fnp_contract contract;
    enum fnp_status status = fnp_registry_choose(r, path, symbol, &pick);

    if (status) {
        return status;
    }
    override(pick.draft, FNP_KEY_object, path);
    override(pick.draft, FNP_KEY_symbol, symbol);
    override(pick.draft, FNP_KEY_address, NULL);
    fnp_registry_fit(r, pick.draft, ".", fnp_build_is_source(path) ? NULL : object);
    status = fnp_contract_finish(pick.draft, &contract, r->err);
    if (!status && (!object || fnp_build_is_source(path))) {
        status = fnp_registry_open(r, path, &contract, symbol, &object);
    }
    pick.object = object;
    return status ? status : fnp_registry_add(r, &pick);
}

/* FILE@0xADDR in an object without symbols: the contract comes from options. */
static enum fnp_status add_address(struct fnp_registry *r, const char *word,
                                   const char *at)
{
    const char *path = fnp_arena_text(r->arena, word, (size_t)(at - word));
    const char *symbol = fnp_arena_printf(r->arena, "at_%s", at + 1);
    struct fnp_pick pick = { .name = word, .named = true };
    enum fnp_status status = fnp_registry_open(r, path, NULL, NULL, &pick.object);

    status = status ? status : fnp_registry_choose(r, path, symbol, &pick);
    if (status) {
        return status;
    }
    override(pick.draft, FNP_KEY_object, path);
    override(pick.draft, FNP_KEY_symbol, NULL);
    override(pick.draft, FNP_KEY_address, at + 1);
    return fnp_registry_add(r, &pick);
}

static enum fnp_status list_functions(struct fnp_registry *r, const char *path,
                                      bool all, const struct fnp_object **object,
                                      struct fnp_object_symbol **list, size_t *count)
{
    enum fnp_status status = fnp_registry_functions(r, path, all, object, list, count);

    if (!status && !*count) {
        return fnp_err_set(r->err, FNP_INPUT, "%s: no function in it", path);
    }
    return status;
}

/* Some functions matched and none of them has a contract. */
static enum fnp_status none_known(struct fnp_registry *r, const char *path,
                                  const char *which, size_t count, const char *first)
{
    return fnp_err_set(r->err, FNP_INPUT,
                       "%s: none of %zu %sfunctions (%s ...) has a contract or a "
                       "telling name; name one as %s:%s",
                       path, count, which, first, path, first);
}

void fnp_registry_note(struct fnp_registry *r, const char *text)
{
    struct fnp_notes *notes = r->request->notes;

    if (!notes) {
        return;
    }
    const char **more = fnp_arena_array(r->arena, notes->count + 1, sizeof(*more));
    for (size_t i = 0; i < notes->count; i++) {
        more[i] = notes->text[i];
    }
    more[notes->count] = text;
    notes->text = more;
    notes->count++;
}

/* The names that follow each other in the sentence about what was left out. */
enum {
    LEFT_OUT_NAMES = 8
};

/* "a, b, c, ..." */
static const char *name_some(struct fnp_registry *r, const char *const *list,
                             size_t count)
{
    const char *names = "";

    for (size_t i = 0; i < count && i < LEFT_OUT_NAMES; i++) {
        names = fnp_arena_printf(r->arena, "%s%s%s", names, i ? ", " : "", list[i]);
    }
    return count > LEFT_OUT_NAMES ? fnp_arena_printf(r->arena, "%s, ...", names)
                                  : names;
}

/*
 * IFUNC resolvers are no kernels; nobody named these, so a note says that they are left
 * out.  `pattern` NULL: all were meant.  Nothing left of what was meant is an error.
 */
static enum fnp_status drop_ifuncs(struct fnp_registry *r, const char *path,
                                   const char *pattern, struct fnp_object_symbol *list,
                                   size_t *count)
{
    const char **dropped = fnp_arena_array(r->arena, *count, sizeof(*dropped));
    size_t n_dropped = 0, kept = 0, left = 0;

    for (size_t i = 0; i < *count; i++) {
        bool meant = !pattern || fnmatch(pattern, list[i].name, 0) == 0;

        if (list[i].is_ifunc) {
            dropped[n_dropped] = list[i].name;
            n_dropped += meant;
        } else {
            list[kept++] = list[i];
            left += meant;
        }
    }
    *count = kept;
    if (n_dropped && !left) {
        return fnp_err_set(r->err, FNP_INPUT,
                           "%s: what \"%s\" matches are IFUNC resolvers, which are not "
                           "run: %s",
                           path, pattern ? pattern : "*",
                           name_some(r, dropped, n_dropped));
    }
    if (n_dropped) {
        fnp_registry_note(
            r, fnp_arena_printf(r->arena, "%s: left out, IFUNC resolvers: %s (%zu)",
                                path, name_some(r, dropped, n_dropped), n_dropped));
    }
    return FNP_OK;
}

/* Functions that nobody named and nothing is known about are not passed over silently. */
static void note_left_out(struct fnp_registry *r, const char *path,
                          const char *const *left, size_t n_left, size_t count,
                          const char *which)
{
    if (n_left) {
        fnp_registry_note(
            r, fnp_arena_printf(
                   r->arena,
                   "%s: left out, no contract and no telling name: %s (%zu of %zu %s)",
                   path, name_some(r, left, n_left), n_left, count, which));
    }
}

/* One function of a list of `object`; of an archive's, out of its member. */
static enum fnp_status add_listed(struct fnp_registry *r, const char *path,
                                  const struct fnp_object *object,
                                  const struct fnp_object_symbol *symbol, bool named)
{
    return add_function(r, symbol->by_member ? symbol->object->path : path,
                        symbol->name, symbol->object ? symbol->object : object, named);
}

/* Was everything that a glob took left out?  Then the last sentence is the answer. */
static enum fnp_status check_left_out(struct fnp_registry *r, size_t before,
                                      size_t found)
{
    return found && r->n_left_out - before == found
               ? fnp_err_set(r->err, FNP_INPUT, "%s", r->left_out)
               : FNP_OK;
}

static bool is_meant(const char *pattern, const struct fnp_object_symbol *symbol)
{
    return !pattern || fnmatch(pattern, symbol->name, 0) == 0;
}

/* The best that is known of a function that is meant; pattern NULL: all are. */
static enum fnp_knowledge best_known(struct fnp_registry *r, const char *path,
                                     const char *pattern,
                                     const struct fnp_object_symbol *list, size_t count)
{
    enum fnp_knowledge best = FNP_KNOWS_NOTHING;

    for (size_t i = 0; i < count && best < FNP_KNOWS_WELL; i++) {
        if (is_meant(pattern, &list[i])) {
            enum fnp_knowledge known = fnp_registry_knows(r, path, list[i].name);

            best = known > best ? known : best;
        }
    }
    return best;
}

/* FILE:GLOB: all that match and have a section, a prototype or a telling name. */
static enum fnp_status add_matching(struct fnp_registry *r, const char *path,
                                    const char *pattern)
{
    const struct fnp_object *object = NULL;
    struct fnp_object_symbol *list = NULL;
    const char **left;
    size_t count = 0, matching = 0, found = 0, before = r->n_left_out;
    bool all = fnp_registry_option(r, FNP_KEY_proto) != NULL;
    enum fnp_knowledge best = FNP_KNOWS_NOTHING;
    enum fnp_status status = list_functions(r, path, true, &object, &list, &count);

    status = status ? status : drop_ifuncs(r, path, pattern, list, &count);
    left = fnp_arena_array(r->arena, count, sizeof(*left));
    best = status ? best : best_known(r, path, pattern, list, count);
    for (size_t i = 0; !status && i < count; i++) {
        if (!is_meant(pattern, &list[i])) {
            continue;
        }
        if (all || (best && fnp_registry_knows(r, path, list[i].name) == best)) {
            status = add_listed(r, path, object, &list[i], false);
            found++;
        } else {
            left[matching - found] = list[i].name;
        }
        matching++;
    }
    if (!status && !matching) {
        return fnp_err_set(r->err, FNP_INPUT, "%s: no function matches \"%s\"", path,
                           pattern);
    }
    if (!status && !found) {
        return none_known(r, path, "matching ", matching, left[0]);
    }
    note_left_out(r, path, left, matching - found, matching, "matching functions");
    return status ? status : check_left_out(r, before, found);
}

/* What FILE alone may mean; hidden functions of a .c when the others tell nothing. */
static enum fnp_status list_meant(struct fnp_registry *r, const char *path,
                                  const struct fnp_object **object,
                                  struct fnp_object_symbol **list, size_t *count)
{
    struct fnp_object_symbol *all = NULL;
    size_t n_all = 0;
    enum fnp_status status = list_functions(r, path, false, object, list, count);

    if (status || !fnp_build_is_c(path) || best_known(r, path, NULL, *list, *count)) {
        return status;
    }
    status = list_functions(r, path, true, object, &all, &n_all);
    if (!status && best_known(r, path, NULL, all, n_all)) {
        *list = all;
        *count = n_all;
    }
    return status;
}

/* FILE alone: the only function, else all that have a section or a telling name. */
static enum fnp_status add_file(struct fnp_registry *r, const char *path)
{
    const struct fnp_object *object = NULL;
    struct fnp_object_symbol *list = NULL;
    const char **left;
    size_t count = 0, found = 0, before = r->n_left_out;
    enum fnp_knowledge best = FNP_KNOWS_NOTHING;
    enum fnp_status status;

    if (r->wrap && fnp_build_is_c(path)) {
        return add_function(r, path, fnp_unit_defines(r->arena, r->wrap), NULL, true);
    }
    status = list_meant(r, path, &object, &list, &count);
    fnp_registry_note_comments(r, path, list, status ? 0 : count);
    if (!status && count == 1) {
        return add_listed(r, path, object, &list[0], true);
    }
    status = status ? status : drop_ifuncs(r, path, NULL, list, &count);
    left = fnp_arena_array(r->arena, count, sizeof(*left));
    best = status ? best : best_known(r, path, NULL, list, count);
    for (size_t i = 0; !status && i < count; i++) {
        if (best && fnp_registry_knows(r, path, list[i].name) == best) {
            status = add_listed(r, path, object, &list[i], false);
            found++;
        } else {
            left[i - found] = list[i].name;
        }
    }
    if (!status && !found) {
        return none_known(r, path, "", count, list[0].name);
    }
    note_left_out(r, path, left, count - found, count, "functions");
    return status ? status : check_left_out(r, before, found);
}

/* ---- words */

/*
 * FILE:SYMBOL without a contract: is it perhaps only mistyped?  A name with a version is
 * not looked up here, for the default version goes by two names.
 */
static enum fnp_status check_symbol(struct fnp_registry *r, const char *path,
                                    const char *symbol)
{
    const struct fnp_object *object = NULL;
    struct fnp_object_symbol *list = NULL;
    size_t count = 0;
    const char **names;
    const char *near;
    enum fnp_status status;

    if (fnp_build_is_source(path) || fnp_registry_knows(r, path, symbol) ||
        strchr(symbol, '@')) {
        return FNP_OK;
    }
    status = list_functions(r, path, false, &object, &list, &count);
    if (status) {
        return status;
    }
    names = fnp_arena_array(r->arena, count, sizeof(*names));
    for (size_t i = 0; i < count; i++) {
        names[i] = list[i].name;
        if (!strcmp(names[i], symbol)) {
            return FNP_OK;
        }
    }
    near = fnp_nearest(symbol, names, count);
    return near
               ? fnp_err_set(r->err, FNP_INPUT,
                             "%s: no function \"%s\"; nearest is \"%s\"", path, symbol,
                             near)
               : fnp_err_set(r->err, FNP_INPUT, "%s: no function \"%s\"", path, symbol);
}

/* A word with a colon. */
static enum fnp_status add_pair(struct fnp_registry *r, const char *word,
                                const char *colon)
{
    const char *path = fnp_arena_text(r->arena, word, (size_t)(colon - word));
    const char *symbol = colon + 1;
    enum fnp_status status;

    if (!*path || !*symbol) {
        return fnp_err_set(r->err, FNP_INPUT, "\"%s\" is not FILE:SYMBOL", word);
    }
    if (!fnp_registry_exists(r, path)) {
        return fnp_err_set(r->err, FNP_INPUT, "%s: %s", path, strerror(errno));
    }
    if (fnp_registry_is_glob(symbol)) {
        return add_matching(r, path, symbol);
    }
    status = check_symbol(r, path, symbol);
    return status ? status : add_function(r, path, symbol, NULL, true);
}

/* A word that is neither a section nor a file nor FILE:SYMBOL. */
static enum fnp_status unknown_word(struct fnp_registry *r, const char *word)
{
    size_t total = 0, n = 0;
    const char **names;
    const char *near;

    for (size_t f = 0; f < r->n_files; f++) {
        total += r->files[f].count;
    }
    names = fnp_arena_array(r->arena, total, sizeof(*names));
    for (size_t f = 0; f < r->n_files; f++) {
        for (size_t i = 0; i < r->files[f].count; i++) {
            names[n++] = r->files[f].contracts[i].name;
        }
    }
    near = fnp_nearest(word, names, total);
    if (near) {
        return fnp_err_set(
            r->err, FNP_INPUT, "no section \"%s\" in %s; nearest is \"%s\"", word,
            r->n_files == 1 ? r->files[0].path : "the contract files", near);
    }
    if (fnp_registry_is_builtin(r, word)) {
        return fnp_err_set(r->err, FNP_INPUT,
                           "no section or file \"%s\"; the built-in kernel is "
                           "\"" FNP_BUILTIN "%s\"",
                           word, word);
    }
    if (r->n_files) {
        return fnp_err_set(r->err, FNP_INPUT, "no section \"%s\" in %s", word,
                           r->n_files == 1 ? r->files[0].path : "the contract files");
    }
    return fnp_err_set(
        r->err, FNP_INPUT,
        "\"%s\" is no file; name a kernel as FILE.o:SYMBOL, or a section "
        "with --contract FILE",
        word);
}

static enum fnp_status add_word(struct fnp_registry *r, const char *word)
{
    const char *colon = strrchr(word, ':');
    const char *at = strstr(word, "@0x");
    size_t found = 0;
    enum fnp_status status;

    if (!*word) {
        return fnp_err_set(r->err, FNP_INPUT, "a kernel's name is empty");
    }
    if (!strncmp(word, FNP_BUILTIN, strlen(FNP_BUILTIN))) {
        return fnp_registry_add_builtins(r, word + strlen(FNP_BUILTIN));
    }
    status = add_named_sections(r, word, &found);
    if (status || found) {
        return status;
    }
    if (fnp_registry_exists(r, word)) {
        return add_file(r, word);
    }
    if (colon) {
        return add_pair(r, word, colon);
    }
    if (at) {
        return add_address(r, word, at);
    }
    if (strchr(word, '/') || fnp_build_is_source(word) ||
        fnmatch("*.o", word, 0) == 0) {
        return fnp_err_set(r->err, FNP_INPUT, "%s: %s", word, strerror(ENOENT));
    }
    return unknown_word(r, word);
}

/* ---- the whole request */

static enum fnp_status check_as(const struct fnp_registry *r)
{
    const char *as = r->request->as;
    const char *near;

    if (!as || fnp_contract_guess(r->arena, as, NULL)) {
        return FNP_OK;
    }
    near = fnp_nearest(as, fnp_guess_words, fnp_guess_n_words);
    return fnp_err_set(
        r->err, FNP_INPUT, "--as: no well-known word in \"%s\"; %s \"%s\"", as,
        near ? "nearest is" : "one is", near ? near : fnp_guess_words[0]);
}

static enum fnp_status check_wrap(const struct fnp_registry *r)
{
    if (!r->wrap || fnp_unit_defines(r->arena, r->wrap)) {
        return FNP_OK;
    }
    return fnp_err_set(r->err, FNP_INPUT,
                       "--wrap: no function is defined in \"%s\"; it looks like 'void "
                       "f(void *d) { some_macro(d); }'",
                       r->wrap);
}

enum fnp_status fnp_kernels_resolve(struct fnp_arena *arena,
                                    const struct fnp_request *request,
                                    struct fnp_kernels *out, struct fnp_err *err)
{
    struct fnp_registry r = {
        .arena = arena, .request = request, .err = err, .wrap = request->wrap
    };
    enum fnp_status status = check_as(&r);

    status = status ? status : check_wrap(&r);
    *out = (struct fnp_kernels){ 0 };
    if (request->notes) {
        *request->notes = (struct fnp_notes){ 0 };
    }
    status = status ? status : fnp_registry_read_files(&r);
    for (size_t i = 0; !status && i < request->n_names; i++) {
        status = add_word(&r, request->names[i]);
    }
    if (!status && request->builtin) {
        status = fnp_registry_add_builtins(&r, "*");
    }
    if (!status && !request->n_names) {
        status = add_all_sections(&r);
    }
    if (!status && r.wrap && !r.wrapped) {
        return fnp_err_set(err, FNP_INPUT,
                           "--wrap belongs to a FILE.c or FILE.h, and there is none");
    }
    if (status) {
        return status;
    }
    fnp_registry_link_equal(&r);
    *out = (struct fnp_kernels){ .list = r.list, .count = r.count };
    return FNP_OK;
}
