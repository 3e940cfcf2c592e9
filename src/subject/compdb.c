/* SPDX-License-Identifier: MIT */
/*
 * compdb.c - reads compile_commands.json: one entry of it becomes a compiler's words
 *
 * It runs nothing, and keeps nothing of the JSON value.
 */
#include "subject/compdb.h"

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "subject/shell_words.h"

/* `path` against `folder`; absolute and without links when it exists. */
static const char *full_path(struct fnp_arena *arena, const char *folder,
                             const char *path)
{
    char real[PATH_MAX];

    if (*path != '/' && folder) {
        path = fnp_arena_printf(arena, "%s/%s", folder, path);
    }
    path = realpath(path, real) ? real : path;
    return fnp_arena_text(arena, path, strlen(path));
}

static const char *text_of(const json_t *entry, const char *key)
{
    const char *text = json_string_value(json_object_get(entry, key));

    return text ? text : "";
}

/* The folder of the entry; a relative one counts from the database's own. */
static const char *folder_of(struct fnp_arena *arena, const char *database,
                             const json_t *entry)
{
    const char *slash = strrchr(database, '/');
    const char *base = slash == database ? "/"
                       : slash
                           ? fnp_arena_text(arena, database, (size_t)(slash - database))
                           : ".";

    return full_path(arena, base, text_of(entry, "directory"));
}

/* Options that say where something is written, and whether the next word belongs to it. */
static const struct {
    const char *name;
    bool joined; /* what follows in the same word belongs to it */
    bool next;   /* alone, it takes the next word */
} dropped[] = {
    { "-c",   false, false },
    { "-o",   true,  true  },
    { "-MD",  false, false },
    { "-MMD", false, false },
    { "-MP",  false, false },
    { "-MG",  false, false },
    { "-M",   false, false },
    { "-MM",  false, false },
    { "-MF",  true,  true  },
    { "-MT",  true,  true  },
    { "-MQ",  true,  true  },
    { "--",   false, false },
};

/* How many words from `word` on are left out. */
static size_t n_dropped(const char *word)
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(dropped); i++) {
        size_t len = strlen(dropped[i].name);

        if (!strcmp(word, dropped[i].name)) {
            return dropped[i].next ? 2 : 1;
        }
        if (dropped[i].joined && !strncmp(word, dropped[i].name, len)) {
            return 1;
        }
    }
    return 0;
}

/* Take over the words but those that name input and outputs. */
static void keep_words(struct fnp_arena *arena, const struct fnp_shell_words *all,
                       const char *source, struct fnp_compdb_entry *out)
{
    const char **kept = fnp_arena_array(arena, all->count + 1, sizeof(*kept));
    size_t count = 0;

    for (size_t i = 0; i < all->count;) {
        size_t n = i ? n_dropped(all->word[i]) : 0;

        if (!n && i && all->word[i][0] != '-' &&
            !strcmp(full_path(arena, out->folder, all->word[i]), source)) {
            n = 1;
        }
        if (!n) {
            kept[count++] = all->word[i++];
        } else {
            i += n;
        }
    }
    kept[count] = NULL;
    out->words = kept;
}

static enum fnp_status take_entry(struct fnp_arena *arena, const char *database,
                                  const json_t *entry, const char *source,
                                  struct fnp_compdb_entry *out, struct fnp_err *err)
{
    const json_t *arguments = json_object_get(entry, "arguments");
    const char *command = text_of(entry, "command");
    struct fnp_shell_words *all = fnp_arena_alloc(arena, sizeof(*all));
    enum fnp_status status = FNP_OK;

    *all = (struct fnp_shell_words){ .count = 0 };
    if (json_is_array(arguments)) {
        for (size_t i = 0; !status && i < json_array_size(arguments); i++) {
            const char *word = json_string_value(json_array_get(arguments, i));

            word = word ? word : "";
            status = fnp_shell_add(all, fnp_arena_text(arena, word, strlen(word)), err);
        }
    } else {
        status = fnp_shell_split(arena, fnp_arena_text(arena, command, strlen(command)),
                                 all, err);
    }
    if (!status && !all->count) {
        return fnp_err_set(err, FNP_INPUT, "%s: the entry of %s has no command",
                           database, text_of(entry, "file"));
    }
    out->folder = folder_of(arena, database, entry);
    keep_words(arena, all, source, out);
    return status;
}

static enum fnp_status no_entry(struct fnp_arena *arena, const char *database,
                                const json_t *root, const char *source,
                                struct fnp_err *err)
{
    size_t count = json_array_size(root);
    const char **names = fnp_arena_array(arena, 2 * count, sizeof(*names));
    const char *slash = strrchr(source, '/');
    const char *base = slash ? slash + 1 : source, *near;

    for (size_t i = 0; i < count; i++) {
        const char *name = text_of(json_array_get(root, i), "file");
        const char *last = strrchr(name, '/');

        names[2 * i] = name;
        names[2 * i + 1] = last ? last + 1 : name;
    }
    near = fnp_nearest(source, names, 2 * count);
    near = near ? near : fnp_nearest(base, names, 2 * count);
    return fnp_err_set(err, FNP_INPUT, "%s: no entry for %s%s%s%s", database, source,
                       near ? "; nearest is \"" : "", near ? near : "",
                       near ? "\"" : "");
}

static enum fnp_status find_in(struct fnp_arena *arena, const char *database,
                               const json_t *root, const char *source,
                               struct fnp_compdb_entry *out, struct fnp_err *err)
{
    const char *wanted = full_path(arena, NULL, source);
    const json_t *found = NULL;

    for (size_t i = 0; i < json_array_size(root); i++) {
        const json_t *entry = json_array_get(root, i);
        const char *folder = folder_of(arena, database, entry);

        if (!strcmp(full_path(arena, folder, text_of(entry, "file")), wanted)) {
            found = found ? found : entry;
            out->entries++;
        }
    }
    return found ? take_entry(arena, database, found, wanted, out, err)
                 : no_entry(arena, database, root, source, err);
}

enum fnp_status fnp_compdb_find(struct fnp_arena *arena, const char *database,
                                const char *source, struct fnp_compdb_entry *out,
                                struct fnp_err *err)
{
    json_error_t why;
    json_t *root = json_load_file(database, 0, &why);
    enum fnp_status status;

    *out = (struct fnp_compdb_entry){ .entries = 0 };
    if (!root) {
        return fnp_err_set(err, FNP_INPUT, "%s: %s", database, why.text);
    }
    status =
        json_is_array(root)
            ? find_in(arena, database, root, source, out, err)
            : fnp_err_set(err, FNP_INPUT,
                          "%s: a compile database is an array of entries", database);
    json_decref(root);
    return status;
}
