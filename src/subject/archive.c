/* SPDX-License-Identifier: MIT */
/*
 * archive.c - the members of an ar archive
 *
 * It trusts no field, copies no content but that of a thin archive's files, and looks
 * into no member.
 */
#include "subject/archive.h"

#include <ar.h>
#include <string.h>

#include "subject/file.h"

#define THIN_MAGIC "!<thin>\n"
#define BSD_NAME   "#1/"

_Static_assert(sizeof(THIN_MAGIC) - 1 == SARMAG, "both magics have one length");

/* What is known while walking. */
struct walk {
    struct fnp_arena *arena;
    const struct fnp_object *object;
    struct fnp_archive *out;
    struct fnp_err *err;
    size_t room;
    const char *names; /* the table of long names; NULL: not met yet */
    size_t names_len;
};

/* The parts of one member in the file. */
struct part {
    struct ar_hdr header;
    uint64_t at;    /* file offset of the header */
    uint64_t start; /* of the content */
    uint64_t len;   /* of the content, as the header has it */
};

bool fnp_archive_is(const struct fnp_object *object)
{
    return object->len >= SARMAG && (memcmp(object->bytes, ARMAG, SARMAG) == 0 ||
                                     memcmp(object->bytes, THIN_MAGIC, SARMAG) == 0);
}

/* A decimal number at the start of a field of blanks; false: there is none. */
static bool read_number(const char *field, size_t len, uint64_t *out)
{
    size_t i = 0;

    *out = 0;
    for (; i < len && field[i] >= '0' && field[i] <= '9'; i++) {
        *out = *out * 10 + (uint64_t)(field[i] - '0');
    }
    return i > 0 && i <= 18 && (i == len || field[i] == ' ' || field[i] == ':');
}

/* Does the name field hold exactly this, and blanks? */
static bool is_named(const struct part *part, const char *name)
{
    size_t len = strlen(name);

    if (memcmp(part->header.ar_name, name, len) != 0) {
        return false;
    }
    for (size_t i = len; i < sizeof(part->header.ar_name); i++) {
        if (part->header.ar_name[i] != ' ') {
            return false;
        }
    }
    return true;
}

static bool is_symbol_table(const struct part *part)
{
    static const char bsd[] = "__.SYMDEF";

    return is_named(part, "/") || is_named(part, "/SYM64/") ||
           memcmp(part->header.ar_name, bsd, sizeof(bsd) - 1) == 0;
}

static enum fnp_status damaged(const struct walk *w, uint64_t at, const char *what)
{
    return fnp_err_set(w->err, FNP_INPUT,
                       "%s: damaged: %s at offset %llu of the archive", w->object->path,
                       what, (unsigned long long)at);
}

static enum fnp_status read_part(const struct walk *w, uint64_t at, struct part *out)
{
    *out = (struct part){ .at = at, .start = at + sizeof(out->header) };
    if (sizeof(out->header) > w->object->len - at) {
        return damaged(w, at, "half a member header");
    }
    memcpy(&out->header, w->object->bytes + at, sizeof(out->header));
    if (memcmp(out->header.ar_fmag, ARFMAG, sizeof(out->header.ar_fmag)) != 0 ||
        !read_number(out->header.ar_size, sizeof(out->header.ar_size), &out->len)) {
        return damaged(w, at, "no member header");
    }
    return FNP_OK;
}

/* The text up to an end mark: '\n' of GNU's table, NUL of others, or a last '/'. */
static const char *bounded_name(const struct walk *w, const char *text, size_t len)
{
    size_t n = 0;

    while (n < len && text[n] && text[n] != '\n') {
        n++;
    }
    if (n > 0 && text[n - 1] == '/') {
        n--;
    }
    return fnp_arena_text(w->arena, text, n);
}

/* "/123" and, for a member of an archive in a thin one, "/123:456". */
static enum fnp_status long_name(const struct walk *w, const struct part *part,
                                 struct fnp_archive_member *member)
{
    const char *field = part->header.ar_name + 1;
    size_t len = sizeof(part->header.ar_name) - 1;
    const char *colon = memchr(field, ':', len);
    uint64_t at;

    if (!read_number(field, len, &at) || !w->names || at >= w->names_len ||
        (colon &&
         !read_number(colon + 1, len - (size_t)(colon + 1 - field), &member->nested))) {
        return damaged(w, part->at, "a long name that is not in the table of names");
    }
    member->name = bounded_name(w, w->names + at, w->names_len - at);
    return FNP_OK;
}

/* "#1/20": the name is the start of the content. */
static enum fnp_status bsd_name(const struct walk *w, struct part *part,
                                struct fnp_archive_member *member)
{
    size_t skip = sizeof(BSD_NAME) - 1;
    uint64_t len;

    if (!read_number(part->header.ar_name + skip, sizeof(part->header.ar_name) - skip,
                     &len) ||
        len > part->len) {
        return damaged(w, part->at, "a name longer than its member");
    }
    member->name =
        bounded_name(w, (const char *)w->object->bytes + part->start, (size_t)len);
    part->start += len;
    part->len -= len;
    return FNP_OK;
}

static const char *short_name(const struct walk *w, const struct part *part)
{
    size_t n = sizeof(part->header.ar_name);

    while (n > 0 && part->header.ar_name[n - 1] == ' ') {
        n--;
    }
    return bounded_name(w, part->header.ar_name, n);
}

static enum fnp_status name_member(const struct walk *w, struct part *part,
                                   struct fnp_archive_member *member)
{
    const char *name = part->header.ar_name;

    if (name[0] == '/') {
        return long_name(w, part, member);
    }
    if (!w->out->thin && memcmp(name, BSD_NAME, sizeof(BSD_NAME) - 1) == 0) {
        return bsd_name(w, part, member);
    }
    member->name = short_name(w, part);
    return FNP_OK;
}

static void append(struct walk *w, const struct fnp_archive_member *member)
{
    struct fnp_archive *out = w->out;

    if (out->n_members == w->room) {
        size_t room = w->room ? 2 * w->room : 64;
        struct fnp_archive_member *bigger =
            fnp_arena_array(w->arena, room, sizeof(*bigger));

        if (out->n_members) {
            memcpy(bigger, out->members, out->n_members * sizeof(*bigger));
        }
        out->members = bigger;
        w->room = room;
    }
    out->members[out->n_members++] = *member;
}

/* One member or table; *at is moved behind it. */
static enum fnp_status walk_part(struct walk *w, uint64_t *at)
{
    struct fnp_archive_member member = { .header = *at };
    struct part part;
    enum fnp_status status = read_part(w, *at, &part);
    bool is_names, is_content;

    if (status != FNP_OK) {
        return status;
    }
    is_names = is_named(&part, "//");
    is_content = is_names || is_symbol_table(&part) || !w->out->thin;
    if (is_content && part.len > w->object->len - part.start) {
        return damaged(w, *at, "a member that is cut short");
    }
    *at = part.start + (is_content ? part.len + (part.len & 1) : 0);
    if (is_names) {
        w->names = (const char *)w->object->bytes + part.start;
        w->names_len = (size_t)part.len;
        return FNP_OK;
    }
    if (is_symbol_table(&part)) {
        return FNP_OK;
    }
    status = name_member(w, &part, &member);
    if (status == FNP_OK && strncmp(member.name, "__.SYMDEF", 9) != 0) {
        if (is_content) {
            member.bytes = w->object->bytes + part.start;
            member.len = (size_t)part.len;
        }
        append(w, &member);
    }
    return status;
}

/* ---- thin archives */

/* A file that a thin archive names; one may hold many members. */
struct file {
    const char *name;
    struct fnp_object object;
    struct fnp_archive inside; /* of an archive, its members */
    const char *fault;
    struct file *next;
};

static struct file *open_file(struct walk *w, struct file **files, const char *name,
                              bool is_archive)
{
    struct fnp_err err = { "" };
    struct file *file;
    enum fnp_status status;

    for (file = *files; file; file = file->next) {
        if (is_archive && strcmp(file->name, name) == 0) {
            return file;
        }
    }
    file = fnp_arena_alloc(w->arena, sizeof(*file));
    *file = (struct file){ .name = name, .next = *files };
    file->object.path = fnp_file_beside(w->arena, w->object->path, name);
    status = fnp_file_read(w->arena, file->object.path, &file->object.bytes,
                           &file->object.len, &err);
    if (status == FNP_OK && is_archive && fnp_archive_is(&file->object)) {
        struct walk inner = { .arena = w->arena,
                              .object = &file->object,
                              .out = &file->inside,
                              .err = &err };
        uint64_t at = SARMAG;

        file->inside.thin = file->object.bytes[2] == 't';
        while (status == FNP_OK && at < file->object.len) {
            status = walk_part(&inner, &at);
        }
    }
    if (status != FNP_OK) {
        file->fault = fnp_arena_text(w->arena, err.text, strlen(err.text));
    }
    if (is_archive) {
        *files = file;
    }
    return file;
}

/* The member of the archive `file` whose header is at `offset`. */
static void take_nested(const struct file *file, struct fnp_archive_member *member)
{
    for (size_t i = 0; i < file->inside.n_members; i++) {
        const struct fnp_archive_member *inner = &file->inside.members[i];

        if (inner->header == member->nested && inner->bytes) {
            member->name = inner->name;
            member->bytes = inner->bytes;
            member->len = inner->len;
            return;
        }
    }
    member->fault = "its file is no archive with a member at that place";
}

static void read_files(struct walk *w)
{
    struct file *files = NULL;

    for (size_t i = 0; i < w->out->n_members; i++) {
        struct fnp_archive_member *member = &w->out->members[i];
        bool is_nested = member->nested != 0;
        struct file *file = open_file(w, &files, member->name, is_nested);

        member->fault = file->fault;
        if (!member->fault && is_nested) {
            take_nested(file, member);
        } else if (!member->fault) {
            member->bytes = file->object.bytes;
            member->len = file->object.len;
        }
    }
}

enum fnp_status fnp_archive_walk(struct fnp_arena *arena,
                                 const struct fnp_object *object,
                                 struct fnp_archive *out, struct fnp_err *err)
{
    struct walk w = { .arena = arena, .object = object, .out = out, .err = err };
    enum fnp_status status = FNP_OK;
    uint64_t at = SARMAG;

    *out =
        (struct fnp_archive){ .thin = memcmp(object->bytes, THIN_MAGIC, SARMAG) == 0 };
    while (status == FNP_OK && at < object->len) {
        status = walk_part(&w, &at);
    }
    if (status == FNP_OK && out->thin) {
        read_files(&w);
    }
    return status;
}
