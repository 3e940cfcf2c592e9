/* SPDX-License-Identifier: MIT */
/*
 * members.c - the objects in an archive, and who defines which symbol
 *
 * It decides which member is meant; it links nothing.
 */
#include "subject/members.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/nearest.h"
#include "base/str.h"
#include "subject/archive.h"

#define WAYS_MAX 6 /* ways to say it that a sentence lists */

/* ---- reading */

/* Put one member in its place; what is wrong with it is kept, not reported. */
static void read_member(struct fnp_arena *arena, const struct fnp_members *members,
                        const struct fnp_archive_member *from, struct fnp_member *out)
{
    struct fnp_err err = { "" };

    *out = (struct fnp_member){
        .name = from->name,
        .object = { .bytes = from->bytes, .len = from->len, .siblings = members },
        .fault = from->fault,
    };
    if (!out->fault) {
        out->fault = fnp_object_unsupported(&out->object);
    }
    /* The parser's sentences begin with the path, which everybody puts in front. */
    out->object.path = "";
    if (!out->fault && fnp_elf_parse(arena, &out->object, &out->elf, &err)) {
        out->fault = fnp_arena_text(arena, err.text + 2, strlen(err.text + 2));
    }
}

static int by_name_then_place(const void *a, const void *b)
{
    const struct fnp_member *const *left = a, *const *right = b;
    int order = strcmp((*left)->name, (*right)->name);

    return order ? order : *left < *right ? -1 : *left > *right;
}

/* Equal names get a number, in the archive's order. */
static void name_paths(struct fnp_arena *arena, struct fnp_members *members)
{
    struct fnp_member **sorted = fnp_arena_array(arena, members->n, sizeof(*sorted));
    unsigned number = 0;

    for (size_t i = 0; i < members->n; i++) {
        sorted[i] = members->list[i];
    }
    qsort(sorted, members->n, sizeof(*sorted), by_name_then_place);
    for (size_t i = 0; i < members->n; i++) {
        struct fnp_member *m = sorted[i];
        bool after = i > 0 && !strcmp(sorted[i - 1]->name, m->name);
        bool before = i + 1 < members->n && !strcmp(sorted[i + 1]->name, m->name);

        number = after ? number + 1 : 1;
        m->object.path =
            after || before
                ? fnp_arena_printf(arena, "%s(%s#%u)", members->path, m->name, number)
                : fnp_arena_printf(arena, "%s(%s)", members->path, m->name);
        m->elf.path = m->object.path;
    }
}

static int by_symbol(const void *a, const void *b)
{
    const struct fnp_member_symbol *left = a, *right = b;
    int order = strcmp(left->name, right->name);

    if (order) {
        return order;
    }
    if (left->place != right->place) {
        return left->place < right->place ? -1 : 1;
    }
    return left->symbol < right->symbol ? -1 : left->symbol > right->symbol;
}

static bool is_indexed(const struct fnp_elf *elf, const struct fnp_elf_symbol *symbol)
{
    return symbol->name[0] && fnp_elf_rank(elf, symbol) > FNP_RANK_UNDEFINED;
}

static void make_index(struct fnp_arena *arena, struct fnp_members *members)
{
    size_t room = 0;

    for (size_t i = 0; i < members->n; i++) {
        room += members->list[i]->elf.n_symbols;
    }
    members->index = fnp_arena_array(arena, room, sizeof(*members->index));
    for (size_t i = 0; i < members->n; i++) {
        const struct fnp_member *m = members->list[i];

        for (uint32_t k = 1; !m->fault && k < m->elf.n_symbols; k++) {
            if (is_indexed(&m->elf, &m->elf.symbols[k])) {
                members->index[members->n_index++] = (struct fnp_member_symbol){
                    .name = m->elf.symbols[k].name,
                    .member = m,
                    .symbol = &m->elf.symbols[k],
                    .place = (uint32_t)i,
                };
            }
        }
    }
    qsort(members->index, members->n_index, sizeof(*members->index), by_symbol);
}

enum fnp_status fnp_members_read(struct fnp_arena *arena,
                                 const struct fnp_object *archive,
                                 const struct fnp_members **out, struct fnp_err *err)
{
    struct fnp_archive files;
    struct fnp_members *members;
    struct fnp_member *list;
    enum fnp_status status = fnp_archive_walk(arena, archive, &files, err);

    if (status != FNP_OK) {
        return status;
    }
    if (files.n_members == 0) {
        return fnp_err_set(err, FNP_INPUT, "%s: an archive without members",
                           archive->path);
    }
    members = fnp_arena_alloc(arena, sizeof(*members));
    *members = (struct fnp_members){ .path = archive->path, .n = files.n_members };
    members->list = fnp_arena_array(arena, members->n, sizeof(*members->list));
    list = fnp_arena_array(arena, members->n, sizeof(*list));
    for (size_t i = 0; i < members->n; i++) {
        members->list[i] = &list[i];
        read_member(arena, members, &files.members[i], &list[i]);
    }
    name_paths(arena, members);
    make_index(arena, members);
    *out = members;
    return FNP_OK;
}

/* ---- members by name */

const char *fnp_members_split(struct fnp_arena *arena, const char *path,
                              const char **name)
{
    size_t len = strlen(path);
    const char *open = strrchr(path, '(');
    const char *file;

    if (!open || open == path || path[len - 1] != ')' || access(path, F_OK) == 0) {
        return NULL;
    }
    file = fnp_arena_text(arena, path, (size_t)(open - path));
    if (access(file, F_OK) != 0) {
        return NULL;
    }
    *name = fnp_arena_text(arena, open + 1, (size_t)(path + len - 1 - (open + 1)));
    return file;
}

/* Those with this name; `number` 0: all, else the one with this number. */
static size_t find_members(const struct fnp_members *members, const char *name,
                           size_t len, unsigned long number, struct fnp_member **out)
{
    size_t n = 0, seen = 0;

    for (size_t i = 0; i < members->n; i++) {
        struct fnp_member *m = members->list[i];

        if (strncmp(m->name, name, len) == 0 && m->name[len] == 0) {
            seen++;
            if (number == 0 || seen == number) {
                out[n++] = m;
            }
        }
    }
    return n;
}

static enum fnp_status no_member(struct fnp_arena *arena,
                                 const struct fnp_members *members, const char *name,
                                 struct fnp_err *err)
{
    const char **names = fnp_arena_array(arena, members->n, sizeof(*names));
    const char *near;

    for (size_t i = 0; i < members->n; i++) {
        names[i] = members->list[i]->name;
    }
    near = fnp_nearest(name, names, members->n);
    return fnp_err_set(err, FNP_INPUT, "%s: no member \"%s\"%s%s%s", members->path,
                       name, near ? "; nearest is \"" : "", near ? near : "",
                       near ? "\"" : "");
}

enum fnp_status fnp_members_named(struct fnp_arena *arena,
                                  const struct fnp_object *archive, const char *name,
                                  struct fnp_object *out, struct fnp_err *err)
{
    const struct fnp_members *all = archive->members;
    const char *hash = strrchr(name, '#');
    struct fnp_members *some;
    struct fnp_member **found;
    size_t n;

    if (!all) {
        return fnp_err_set(err, FNP_INPUT, "%s: no archive, so it has no member \"%s\"",
                           archive->path, name);
    }
    found = fnp_arena_array(arena, all->n, sizeof(*found));
    n = find_members(all, name, strlen(name), 0, found);
    if (n == 0 && hash && hash[1] >= '1' && hash[1] <= '9') {
        n = find_members(all, name, (size_t)(hash - name), strtoul(hash + 1, NULL, 10),
                         found);
    }
    if (n == 0) {
        return no_member(arena, all, name, err);
    }
    if (n == 1) {
        *out = found[0]->object;
        return found[0]->fault
                   ? fnp_err_set(err, FNP_INPUT, "%s: %s", out->path, found[0]->fault)
                   : FNP_OK;
    }
    some = fnp_arena_alloc(arena, sizeof(*some));
    *some = (struct fnp_members){
        .path = fnp_arena_printf(arena, "%s(%s)", all->path, name),
        .list = found,
        .n = n,
    };
    make_index(arena, some);
    *out = (struct fnp_object){ .path = some->path,
                                .bytes = archive->bytes,
                                .len = archive->len,
                                .members = some };
    return FNP_OK;
}

/* ---- symbols */

/* The first entry of the index that is not below `name`. */
static size_t find_symbol(const struct fnp_members *members, const char *name)
{
    size_t lo = 0, hi = members->n_index;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (strcmp(members->index[mid].name, name) < 0) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

/* Behind the last entry with the name of entry `lo`. */
static size_t name_end(const struct fnp_members *members, size_t lo)
{
    size_t hi = lo;

    while (hi < members->n_index &&
           strcmp(members->index[hi].name, members->index[lo].name) == 0) {
        hi++;
    }
    return hi;
}

static enum fnp_elf_rank rank_of(const struct fnp_member_symbol *entry)
{
    return fnp_elf_rank(&entry->member->elf, entry->symbol);
}

/* The members in [lo, hi) whose symbol has the best rank. */
static size_t best_members(const struct fnp_members *members, size_t lo, size_t hi,
                           const struct fnp_member **first)
{
    enum fnp_elf_rank best = FNP_RANK_NONE;
    const struct fnp_member *last = NULL;
    size_t n = 0;

    for (size_t i = lo; i < hi; i++) {
        const struct fnp_member_symbol *entry = &members->index[i];
        enum fnp_elf_rank rank = rank_of(entry);

        if (rank > best) {
            best = rank;
            n = 0;
            last = NULL;
        }
        if (rank == best && entry->member != last) {
            last = entry->member;
            *first = n++ ? *first : last;
        }
    }
    /* Of what is no code any will do; it is refused when it is loaded. */
    return n > 1 && best < FNP_RANK_LOCAL ? 1 : n;
}

static enum fnp_status ambiguous(const struct fnp_members *members, size_t lo,
                                 size_t hi, struct fnp_err *err)
{
    char text[400];
    struct fnp_str ways = fnp_str_over(text, sizeof(text));
    const struct fnp_member *last = NULL;
    size_t n = 0;

    for (size_t i = lo; i < hi; i++) {
        const struct fnp_member_symbol *entry = &members->index[i];

        if (entry->member != last && rank_of(entry) >= FNP_RANK_LOCAL) {
            if (n < WAYS_MAX) {
                fnp_str_add(&ways, "%s%s:%s", n ? ", " : "", entry->member->object.path,
                            entry->name);
            }
            n++;
            last = entry->member;
        }
    }
    return fnp_err_set(
        err, FNP_INPUT, "%s: %zu members have a function \"%s\"; say %s%s",
        members->path, n, members->index[lo].name, text, n > WAYS_MAX ? ", ..." : "");
}

/* The first member whose file a thin archive names in vain, or NULL. */
static const struct fnp_member *first_gone(const struct fnp_members *members)
{
    for (size_t i = 0; i < members->n; i++) {
        if (!members->list[i]->object.bytes && members->list[i]->fault) {
            return members->list[i];
        }
    }
    return NULL;
}

static enum fnp_status no_symbol(const struct fnp_members *members, const char *name,
                                 struct fnp_err *err)
{
    struct fnp_arena scratch = { 0 };
    const char **names = fnp_arena_array(&scratch, members->n_index, sizeof(*names));
    const struct fnp_member *only = members->list[0];
    const char *near;

    if (first_gone(members)) {
        fnp_arena_release(&scratch);
        return fnp_err_set(err, FNP_INPUT, "%s: no symbol \"%s\" in what is there; %s",
                           members->path, name, first_gone(members)->fault);
    }
    if (members->n_index == 0 && only->fault) {
        fnp_arena_release(&scratch);
        return fnp_err_set(err, FNP_INPUT, "%s: nothing can be read; %s: %s",
                           members->path, only->name, only->fault);
    }
    for (size_t i = 0; i < members->n_index; i++) {
        names[i] = rank_of(&members->index[i]) >= FNP_RANK_LOCAL
                       ? members->index[i].name
                       : NULL;
    }
    near = fnp_nearest(name, names, members->n_index);
    (void)fnp_err_set(err, FNP_INPUT, "%s: no symbol \"%s\"%s%s%s", members->path, name,
                      near ? "; nearest is \"" : "", near ? near : "",
                      near ? "\"" : "");
    fnp_arena_release(&scratch);
    return FNP_INPUT;
}

enum fnp_status fnp_members_select(const struct fnp_object *archive, const char *symbol,
                                   const struct fnp_object **out, struct fnp_err *err)
{
    const struct fnp_members *members = archive->members;
    const struct fnp_member *found = NULL;
    size_t lo = find_symbol(members, symbol), hi = name_end(members, lo);

    if (lo == hi || strcmp(members->index[lo].name, symbol) != 0) {
        return no_symbol(members, symbol, err);
    }
    if (best_members(members, lo, hi, &found) > 1) {
        return ambiguous(members, lo, hi, err);
    }
    *out = &found->object;
    return FNP_OK;
}

enum fnp_status fnp_members_near(const struct fnp_object *object, const char *symbol,
                                 const struct fnp_object **out, struct fnp_err *err)
{
    const struct fnp_members *members = object->siblings;
    size_t lo = members ? find_symbol(members, symbol) : 0;
    const struct fnp_object all = { .path = object->path, .members = members };

    *out = object;
    for (size_t i = lo; members && i < members->n_index; i++) {
        if (strcmp(members->index[i].name, symbol) != 0) {
            break;
        }
        if (members->index[i].member->object.bytes == object->bytes) {
            return FNP_OK;
        }
    }
    return members ? fnp_members_select(&all, symbol, out, err) : FNP_OK;
}

const struct fnp_member *fnp_members_definer(const struct fnp_members *members,
                                             const char *symbol, bool is32)
{
    for (size_t i = find_symbol(members, symbol); i < members->n_index; i++) {
        const struct fnp_member_symbol *entry = &members->index[i];

        if (strcmp(entry->name, symbol) != 0) {
            return NULL;
        }
        if (entry->symbol->bind != STB_LOCAL && entry->member->elf.is32 == is32) {
            return entry->member;
        }
    }
    return NULL;
}

/* One function of each member in [lo, hi), which have one name. */
static size_t list_name(const struct fnp_members *members, size_t lo, size_t hi,
                        struct fnp_object_symbol *out)
{
    const struct fnp_member *meant = NULL, *last = NULL;
    size_t n = 0;

    if (best_members(members, lo, hi, &meant) > 1) {
        meant = NULL;
    }
    for (size_t i = lo; i < hi; i++) {
        const struct fnp_member_symbol *entry = &members->index[i];
        bool is_global = entry->symbol->bind != STB_LOCAL;

        if (!fnp_elf_is_function(&entry->member->elf, entry->symbol) ||
            (entry->member == last && !is_global)) {
            continue;
        }
        n -= entry->member == last; /* the global one of a member is meant */
        last = entry->member;
        out[n++] = (struct fnp_object_symbol){
            .name = entry->name,
            .size = entry->symbol->size,
            .is_global = is_global,
            .is_ifunc = fnp_elf_is_resolver(&entry->member->elf, entry->symbol),
            .object = &last->object,
            .by_member = last != meant,
        };
    }
    return n;
}

enum fnp_status fnp_members_functions(struct fnp_arena *arena,
                                      const struct fnp_object *archive,
                                      struct fnp_object_symbol **out, size_t *count,
                                      struct fnp_err *err)
{
    const struct fnp_members *members = archive->members;
    const struct fnp_member *gone = first_gone(members);
    size_t n = 0;

    if (gone) {
        return fnp_err_set(err, FNP_INPUT, "%s: %s", members->path, gone->fault);
    }
    *out = fnp_arena_array(arena, members->n_index, sizeof(**out));
    for (size_t lo = 0, hi; lo < members->n_index; lo = hi) {
        hi = name_end(members, lo);
        n += list_name(members, lo, hi, *out + n);
    }
    *count = n;
    return FNP_OK;
}
