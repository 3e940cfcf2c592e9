/* SPDX-License-Identifier: MIT */
/*
 * registry_source.c - files become objects: read, or built in the way that is asked for
 *
 * Each is read or built once, however many kernels come out of it.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/nearest.h"
#include "subject/build.h"
#include "subject/members.h"
#include "subject/registry.h"
#include "subject/shell_words.h"

/* ---- objects */

static const struct fnp_object *find_object(const struct fnp_registry *r,
                                            const char *key)
{
    for (const struct fnp_registry_object *o = r->objects; o; o = o->next) {
        if (!strcmp(o->key, key)) {
            return o->object;
        }
    }
    return NULL;
}

static void keep_object(struct fnp_registry *r, const char *key,
                        const struct fnp_object *object)
{
    struct fnp_registry_object *o = fnp_arena_alloc(r->arena, sizeof(*o));

    *o = (struct fnp_registry_object){ .key = key,
                                       .object = object,
                                       .next = r->objects };
    r->objects = o;
}

/* What makes one build another one. */
static const char *build_key(struct fnp_registry *r, const struct fnp_build *build)
{
    const struct {
        const char *text;
    } parts[] = { { build->cc },   { build->cflags },   { build->folder },
                  { build->wrap }, { build->function }, { build->more } };
    const char *key = build->source;

    for (size_t i = 0; i < FNP_ARRAY_LEN(parts); i++) {
        key = fnp_arena_printf(r->arena, "%s\n%s", key,
                               parts[i].text ? parts[i].text : "");
    }
    return fnp_arena_printf(r->arena, "%s\n%d", key, build->keep);
}

bool fnp_registry_exists(struct fnp_registry *r, const char *path)
{
    const char *member;

    return access(path, R_OK) == 0 || fnp_members_split(r->arena, path, &member);
}

static enum fnp_status open_once(struct fnp_registry *r, const struct fnp_build *build,
                                 const struct fnp_object **out);

/* A file as it is, or a member of an archive, which is read and indexed once. */
static enum fnp_status read_once(struct fnp_registry *r, const char *path,
                                 struct fnp_object *out)
{
    const char *member = NULL;
    const struct fnp_build archive = { .source =
                                           fnp_members_split(r->arena, path, &member) };
    const struct fnp_object *object = NULL;
    enum fnp_status status;

    if (!archive.source) {
        return fnp_object_read(r->arena, path, out, r->err);
    }
    status = open_once(r, &archive, &object);
    return status ? status : fnp_members_named(r->arena, object, member, out, r->err);
}

/* One file as it is, or one build of it. */
static enum fnp_status open_once(struct fnp_registry *r, const struct fnp_build *build,
                                 const struct fnp_object **out)
{
    bool source = fnp_build_is_source(build->source);
    const char *key = source ? build_key(r, build) : build->source;
    struct fnp_object *object;
    enum fnp_status status;

    *out = find_object(r, key);
    if (*out) {
        return FNP_OK;
    }
    object = fnp_arena_alloc(r->arena, sizeof(*object));
    status = source ? fnp_build(r->arena, build, object, r->err)
                    : read_once(r, build->source, object);
    if (status) {
        return status;
    }
    const char *unsupported = fnp_object_unsupported(object);
    if (unsupported) {
        return fnp_err_set(r->err, FNP_INPUT, "%s: %s", object->path, unsupported);
    }
    keep_object(r, key, object);
    *out = object;
    return FNP_OK;
}

/* ---- how a source is built */

static const char *either(const char *first, const char *second, const char *last)
{
    return first ? first : second ? second : last;
}

/* The entry of the compile database, once. */
static enum fnp_status find_command(struct fnp_registry *r, const char *path,
                                    const struct fnp_compdb_entry **out)
{
    const char *database = r->request->compdb;
    struct fnp_registry_command *command;
    enum fnp_status status;

    for (command = r->commands; command; command = command->next) {
        if (!strcmp(command->source, path)) {
            *out = &command->entry;
            return FNP_OK;
        }
    }
    command = fnp_arena_alloc(r->arena, sizeof(*command));
    status = fnp_compdb_find(r->arena, database, path, &command->entry, r->err);
    if (status) {
        return status;
    }
    if (command->entry.entries > 1) {
        fnp_registry_note(
            r, fnp_arena_printf(r->arena, "%s: %zu entries for %s, the first is used",
                                database, command->entry.entries, path));
    }
    command->source = path;
    command->next = r->commands;
    r->commands = command;
    *out = &command->entry;
    return FNP_OK;
}

static bool has_word(const struct fnp_shell_words *words, const char *word, bool joined)
{
    for (size_t i = 0; i < words->count; i++) {
        if (!strcmp(words->word[i], word) ||
            (joined && !strncmp(words->word[i], word, strlen(word)))) {
            return true;
        }
    }
    return false;
}

/* What the contract's ABI asks of the compiler, unless the flags say it. */
static enum fnp_status add_abi(struct fnp_registry *r, enum fnp_abi abi,
                               struct fnp_build *build)
{
    struct fnp_shell_words *words = fnp_arena_alloc(r->arena, sizeof(*words));
    bool regparm = abi == FNP_ABI_REGPARM3;
    enum fnp_status status = FNP_OK;

    for (size_t i = 0; build->command && !status && build->command[i]; i++) {
        status = fnp_shell_add(words, build->command[i], r->err);
    }
    status = status ? status : fnp_shell_split(r->arena, build->cflags, words, r->err);
    if (status) {
        return status;
    }
    if (abi == FNP_ABI_SYSV64 || abi == FNP_ABI_MS64) {
        return has_word(words, "-m32", false)
                   ? fnp_err_set(r->err, FNP_INPUT,
                                 "%s: abi = %s is no ABI of 32-bit code (-m32)",
                                 build->source, fnp_abi_names.list[abi])
                   : FNP_OK;
    }
    if (!has_word(words, "-m32", false)) {
        build->cflags = fnp_arena_printf(r->arena, "%s -m32", build->cflags);
    }
    if (regparm && fnp_build_is_c(build->source) &&
        !has_word(words, "-mregparm=", true)) {
        build->cflags = fnp_arena_printf(r->arena, "%s -mregparm=3", build->cflags);
    }
    return FNP_OK;
}

/* The ABI that somebody wrote down, if it decides on the kind of code. */
static bool declared_abi(const struct fnp_registry *r,
                         const struct fnp_contract *contract, enum fnp_abi *out)
{
    const struct fnp_request *request = r->request;

    if (contract) {
        bool regs = contract->abi == FNP_ABI_REGS;

        *out = regs && contract->is32 ? FNP_ABI_I386 : contract->abi;
        return contract->has_abi && *out != FNP_ABI_REGS;
    }
    for (size_t i = 0; i < request->n_keys; i++) {
        for (unsigned k = 0; k < FNP_ABI_REGS; k++) {
            if (!strcmp(request->keys[2 * i], fnp_contract_keys[FNP_KEY_abi]) &&
                !strcmp(request->keys[2 * i + 1], fnp_abi_names.list[k])) {
                *out = (enum fnp_abi)k;
                return true;
            }
        }
    }
    return false;
}

static enum fnp_status make_build(struct fnp_registry *r, const char *path,
                                  const struct fnp_contract *contract,
                                  struct fnp_build *out)
{
    const struct fnp_request *request = r->request;
    const struct fnp_compdb_entry *entry = NULL;
    enum fnp_abi abi = FNP_ABI_SYSV64;
    enum fnp_status status = FNP_OK;

    *out = (struct fnp_build){
        .source = path,
        .cc = either(request->cc, contract ? contract->cc : NULL, "cc"),
        .cflags = either(request->cflags, contract ? contract->cflags : NULL, "-O2"),
    };
    if (!fnp_build_is_source(path)) {
        return FNP_OK;
    }
    if (request->compdb) {
        status = find_command(r, path, &entry);
        if (status) {
            return status;
        }
        out->command = entry->words;
        out->folder = entry->folder;
        out->cflags = request->cflags ? request->cflags : "";
    }
    if (fnp_build_is_c(path) && r->wrap) {
        out->wrap = r->wrap;
        r->wrapped = true;
    }
    return declared_abi(r, contract, &abi) ? add_abi(r, abi, out) : FNP_OK;
}

/* ---- functions of a file */

/* The function of this name; NULL: none. */
static const struct fnp_object_symbol *
find_function(struct fnp_registry *r, const struct fnp_object *object, const char *name)
{
    struct fnp_object_symbol *list = NULL;
    size_t count = 0;

    if (fnp_object_functions(r->arena, object, &list, &count, NULL)) {
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(list[i].name, name)) {
            return &list[i];
        }
    }
    return NULL;
}

static bool is_identifier(const char *name)
{
    return name[strspn(
               name,
               "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")] == 0;
}

/*
 * A build with every function in it, for its names alone: with gcc, else with a compiler
 * that does not know the flags, every function as an exported one.
 */
static bool open_everything(struct fnp_registry *r, struct fnp_build *build,
                            const struct fnp_object **out)
{
    static const char *const flags[] = {
        "-O0 -fkeep-static-functions -fkeep-inline-functions",
        "-O0 -fgnu89-inline -Dstatic=",
    };
    struct fnp_err *err = r->err;
    bool found = false;

    r->err = NULL;
    for (size_t i = 0; !found && i < FNP_ARRAY_LEN(flags); i++) {
        build->more = flags[i];
        found = !open_once(r, build, out);
    }
    r->err = err;
    return found;
}

static int by_name(const void *a, const void *b)
{
    const struct fnp_object_symbol *left = a, *right = b;

    return strcmp(left->name, right->name);
}

/* Add those of `more` that are not in the list yet; nobody exports them. */
static void merge_functions(struct fnp_registry *r, const struct fnp_object *more,
                            struct fnp_object_symbol **list, size_t *count)
{
    struct fnp_object_symbol *others = NULL, *all;
    size_t n_others = 0, known = *count;

    if (fnp_object_functions(r->arena, more, &others, &n_others, NULL)) {
        return;
    }
    all = fnp_arena_array(r->arena, known + n_others, sizeof(*all));
    if (known) {
        memcpy(all, *list, known * sizeof(*all));
    }
    for (size_t i = 0; i < n_others; i++) {
        if (is_identifier(others[i].name) &&
            (!known || !bsearch(&others[i], *list, known, sizeof(*all), by_name))) {
            others[i].is_global = false;
            all[(*count)++] = others[i];
        }
    }
    qsort(all, *count, sizeof(*all), by_name);
    *list = all;
}

/* What compilers of position-independent i386 code put beside the functions. */
static void drop_thunks(struct fnp_object_symbol *list, size_t *count)
{
    static const char prefix[] = "__x86.get_pc_thunk.";
    size_t kept = 0;

    for (size_t i = 0; i < *count; i++) {
        if (strncmp(list[i].name, prefix, sizeof(prefix) - 1) != 0) {
            list[kept++] = list[i];
        }
    }
    *count = kept;
}

enum fnp_status fnp_registry_functions(struct fnp_registry *r, const char *path,
                                       bool all, const struct fnp_object **object,
                                       struct fnp_object_symbol **list, size_t *count)
{
    const struct fnp_object *everything = NULL;
    struct fnp_build build;
    enum fnp_status status = make_build(r, path, NULL, &build);

    status = status ? status : open_once(r, &build, object);
    status =
        status ? status : fnp_object_functions(r->arena, *object, list, count, r->err);
    if (!status) {
        drop_thunks(*list, count);
    }
    if (!status && (all || !*count) && fnp_build_is_c(path) &&
        open_everything(r, &build, &everything)) {
        merge_functions(r, everything, list, count);
    }
    return status;
}

/* The sentence, with the nearest name of those that the build could have. */
static enum fnp_status no_function(struct fnp_registry *r, struct fnp_build *build,
                                   const struct fnp_object *object, const char *name)
{
    const struct fnp_object *everything = NULL;
    struct fnp_object_symbol *list = NULL;
    size_t count = 0;
    const char **names;
    const char *near;

    build->function = NULL;
    build->keep = FNP_KEEP_NOTHING;
    (void)fnp_object_functions(r->arena, object, &list, &count, NULL);
    if (open_everything(r, build, &everything)) {
        merge_functions(r, everything, &list, &count);
    }
    names = fnp_arena_array(r->arena, count, sizeof(*names));
    for (size_t i = 0; i < count; i++) {
        names[i] = list[i].name;
    }
    near = fnp_nearest(name, names, count);
    return fnp_err_set(r->err, FNP_INPUT, "%s: no function \"%s\"%s%s%s", build->source,
                       name, near ? "; nearest is \"" : "", near ? near : "",
                       near ? "\"" : "");
}

/* A build that has the function under its own name and with the ABI's convention. */
static const struct fnp_object *open_kept(struct fnp_registry *r,
                                          struct fnp_build *build, const char *function)
{
    const struct fnp_object *kept = NULL;
    struct fnp_err *err = r->err;
    bool found = false;

    r->err = NULL;
    build->function = function;
    for (enum fnp_keep keep = FNP_KEEP_NAME; !found && keep <= FNP_KEEP_MACRO; keep++) {
        build->keep = keep;
        found = !open_once(r, build, &kept) && find_function(r, kept, function);
    }
    r->err = err;
    return found ? kept : NULL;
}

enum fnp_status fnp_registry_open(struct fnp_registry *r, const char *path,
                                  const struct fnp_contract *contract,
                                  const char *function, const struct fnp_object **out)
{
    struct fnp_build build;
    const struct fnp_object_symbol *plain;
    const struct fnp_object *kept;
    enum fnp_status status = make_build(r, path, contract, &build);

    status = status ? status : open_once(r, &build, out);
    if (!status && (*out)->members && function) {
        return fnp_members_select(*out, function, out, r->err);
    }
    if (status || !fnp_build_is_c(path) || !function || !is_identifier(function)) {
        return status;
    }
    plain = find_function(r, *out, function);
    if (plain && plain->is_global) {
        return FNP_OK;
    }
    /*
     * A static function that is there may all the same take its arguments elsewhere: with
     * every caller in sight a compiler need not follow the ABI.
     */
    kept = open_kept(r, &build, function);
    if (kept) {
        *out = kept;
    }
    return kept || plain ? FNP_OK : no_function(r, &build, *out, function);
}
