/* SPDX-License-Identifier: MIT */
/*
 * ini.c - the reader in front of inih
 *
 * inih as Debian builds it cuts lines at 199 characters and names at 49, merges
 * sections of one name, takes an indented line for the continuation of the key above,
 * and reports no line numbers.  Here each line is looked at before inih sees it, and
 * whatever inih would misread is an error.
 */
#include "subject/ini.h"

#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define LINE_MAX_LEN 199
#define NAME_MAX_LEN 49
#define FILE_MAX_LEN ((size_t)4 << 20)

struct reader {
    struct fnp_arena *arena;
    const char *path;
    const char *at, *end; /* what is not read yet */
    unsigned line;        /* number of the line read last */
    struct fnp_ini *ini;
    size_t section_room, key_room;
    enum fnp_status status; /* reading ends at the first error */
    struct fnp_err *err;
};

static struct fnp_ini_section *current(const struct reader *r)
{
    return r->ini->n_sections ? &r->ini->sections[r->ini->n_sections - 1] : NULL;
}

/* A copy of the array with twice the room; the old one stays with the arena. */
static void *grown(struct fnp_arena *arena, const void *old, size_t count, size_t *room,
                   size_t size)
{
    void *bigger;

    *room = *room ? 2 * *room : 8;
    bigger = fnp_arena_array(arena, *room, size);
    if (count) {
        memcpy(bigger, old, count * size);
    }
    return bigger;
}

static bool fail(struct reader *r, const char *sentence, const char *name)
{
    r->status =
        fnp_err_set(r->err, FNP_INPUT, "%s:%u: %s%s%s%s", r->path, r->line, sentence,
                    name ? " \"" : "", name ? name : "", name ? "\"" : "");
    return false;
}

static bool only_comment(const char *at)
{
    while (isspace((unsigned char)*at)) {
        at++;
    }
    return !*at || *at == ';' || *at == '#';
}

/* A section without keys would silently be no section at all. */
static bool close_section(struct reader *r)
{
    const struct fnp_ini_section *section = current(r);

    if (section && !section->n_keys) {
        r->line = section->line;
        return fail(r, "no key in section", section->name);
    }
    return true;
}

static bool open_section(struct reader *r, const char *text)
{
    const char *name = text + 1;
    const char *close = strchr(name, ']');
    size_t len;

    if (!close || !only_comment(close + 1)) {
        return fail(r, "a section is one name in brackets, [name]", NULL);
    }
    while (name < close && isspace((unsigned char)*name)) {
        name++;
    }
    len = (size_t)(close - name);
    while (len && isspace((unsigned char)name[len - 1])) {
        len--;
    }
    if (!len) {
        return fail(r, "a section without a name", NULL);
    }
    if (close - text - 1 > NAME_MAX_LEN) {
        return fail(r, "a section's name may have at most 49 characters", NULL);
    }
    if (memchr(name, ';', len)) {
        return fail(r, "no ';' in a section's name, it begins a comment", NULL);
    }
    name = fnp_arena_text(r->arena, name, len);
    for (size_t i = 0; i < r->ini->n_sections; i++) {
        if (!strcmp(r->ini->sections[i].name, name)) {
            return fail(r, "a second section", name);
        }
    }
    if (!close_section(r)) {
        return false;
    }
    if (r->ini->n_sections == r->section_room) {
        r->ini->sections = grown(r->arena, r->ini->sections, r->ini->n_sections,
                                 &r->section_room, sizeof(*r->ini->sections));
    }
    r->ini->sections[r->ini->n_sections++] =
        (struct fnp_ini_section){ .name = name, .line = r->line };
    r->key_room = 0;
    return true;
}

/* What inih would cut or swallow; the key itself is stored by the handler. */
static bool check_key(struct reader *r, const char *text)
{
    size_t len = strcspn(text, "=:");

    if (!text[len]) {
        return fail(r, "neither [section] nor key = value", NULL);
    }
    while (len && isspace((unsigned char)text[len - 1])) {
        len--;
    }
    if (!len) {
        return fail(r, "no key before '='", NULL);
    }
    if (len > NAME_MAX_LEN) {
        return fail(r, "a key may have at most 49 characters", NULL);
    }
    if (memchr(text, ';', len)) {
        return fail(r, "no ';' in a key, it begins a comment", NULL);
    }
    if (!current(r)) {
        return fail(r, "a key before the first [section]", NULL);
    }
    return true;
}

/* Is the line one that inih reads as it stands?  Opens sections. */
static bool check_line(struct reader *r, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        if ((c < ' ' && c != '\t') || c == 0x7f) {
            return fail(r, c ? "a control character" : "a NUL byte", NULL);
        }
    }
    if (len > LINE_MAX_LEN) {
        return fail(r, "a line may have at most 199 characters", NULL);
    }
    return true;
}

static bool look_at(struct reader *r, const char *text)
{
    if (!*text || *text == ';' || *text == '#') {
        return true;
    }
    return *text == '[' ? open_section(r, text) : check_key(r, text);
}

/* An ini_reader: the next line without indentation and line end. */
static char *read_line(char *line, int room, void *stream)
{
    struct reader *r = stream;
    const char *start = r->at;
    const char *newline;
    size_t len;

    if (r->status || r->at == r->end) {
        return NULL;
    }
    newline = memchr(start, '\n', (size_t)(r->end - start));
    len = (size_t)((newline ? newline : r->end) - start);
    r->at = newline ? newline + 1 : r->end;
    r->line++;
    if (len && start[len - 1] == '\r') {
        len--;
    }
    while (len && (*start == ' ' || *start == '\t')) {
        start++;
        len--;
    }
    if (!check_line(r, start, len)) {
        return NULL;
    }
    if (len >= (size_t)room) {
        fail(r, "this build of inih reads shorter lines only", NULL);
        return NULL;
    }
    memcpy(line, start, len);
    line[len] = 0;
    return look_at(r, line) ? line : NULL;
}

/* An ini_handler; sections are counted by the reader. */
static int store_key(void *user, const char *section_name, const char *name,
                     const char *value)
{
    struct reader *r = user;
    struct fnp_ini_section *section = current(r);

    (void)section_name;
    if (r->status || !section) {
        return 0;
    }
    for (size_t i = 0; i < section->n_keys; i++) {
        if (!strcmp(section->keys[i].name, name)) {
            return fail(r, "a second key", name);
        }
    }
    if (!value || !*value) {
        return fail(r, "no value for key", name);
    }
    if (section->n_keys == r->key_room) {
        section->keys = grown(r->arena, section->keys, section->n_keys, &r->key_room,
                              sizeof(*section->keys));
    }
    section->keys[section->n_keys++] =
        (struct fnp_ini_key){ .name = fnp_arena_text(r->arena, name, strlen(name)),
                              .value = fnp_arena_text(r->arena, value, strlen(value)),
                              .line = r->line };
    return 1;
}

enum fnp_status fnp_ini_parse(struct fnp_arena *arena, const char *path,
                              const char *text, size_t len, struct fnp_ini *out,
                              struct fnp_err *err)
{
    static const char bom[] = "\xef\xbb\xbf";
    struct reader r = { .arena = arena,
                        .path = path,
                        .at = text,
                        .end = text + len,
                        .ini = out,
                        .err = err };

    *out = (struct fnp_ini){ 0 };
    if (len >= 3 && !memcmp(text, bom, 3)) {
        r.at += 3;
    }
    int line = ini_parse_stream(read_line, &r, store_key, &r);
    if (!r.status) {
        close_section(&r);
    }
    if (!r.status && line) {
        return fnp_err_set(err, FNP_INPUT, "%s:%d: not a line of an INI file", path,
                           line);
    }
    return r.status;
}

enum fnp_status fnp_ini_slurp(struct fnp_arena *arena, const char *path, char **text,
                              size_t *len, struct fnp_err *err)
{
    enum fnp_status status = FNP_OK;
    FILE *file = fopen(path, "re");
    size_t room = 16384;

    if (!file) {
        return fnp_err_set(err, FNP_INPUT, "%s: %s", path, strerror(errno));
    }
    *text = fnp_arena_alloc(arena, room + 1);
    *len = 0;
    for (;;) {
        *len += fread(*text + *len, 1, room - *len, file);
        if (ferror(file)) {
            status = fnp_err_set(err, FNP_INPUT, "%s: %s", path, strerror(errno));
            break;
        }
        if (*len < room) {
            break;
        }
        if (room >= FILE_MAX_LEN) {
            status =
                fnp_err_set(err, FNP_INPUT, "%s: too long for a contract file", path);
            break;
        }
        char *bigger = fnp_arena_alloc(arena, 4 * room + 1);
        memcpy(bigger, *text, *len);
        *text = bigger;
        room *= 4;
    }
    fclose(file);
    return status;
}
