/* SPDX-License-Identifier: MIT */
/*
 * unit.c - writes the generated unit, and finds the function a wrapper defines
 */
#include "subject/unit.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* How the compiler's complaints name the text of --wrap. */
#define WRAP_FILE "--wrap"

static void write_keep(FILE *file, const char *name, enum fnp_keep keep)
{
    if (keep == FNP_KEEP_NAME) {
        /* The second declaration makes a C99 inline function an external one. */
        fprintf(file,
                "#undef %s\n"
                "extern __typeof__(%s) %s;\n"
                "static __attribute__((used)) __typeof__(%s) *const fencepost_keep = "
                "%s;\n",
                name, name, name, name, name);
    } else if (keep == FNP_KEEP_MACRO) {
        fprintf(file,
                "#define FENCEPOST_TEXT_(x) #x\n"
                "#define FENCEPOST_TEXT(x) FENCEPOST_TEXT_(x)\n"
                "extern __typeof__(%s) fencepost_alias __asm__(\"%s\")\n"
                "    __attribute__((alias(FENCEPOST_TEXT(%s))));\n",
                name, name, name);
    }
}

/* Absolute, but through the same links: the source's own includes count from there. */
static enum fnp_status absolute_path(const char *source, char *out, size_t room,
                                     struct fnp_err *err)
{
    char here[PATH_MAX] = "";
    bool is_absolute = *source == '/';

    if (!is_absolute && !getcwd(here, sizeof(here))) {
        return fnp_err_set(err, FNP_FAILED, "no current folder: %s", strerror(errno));
    }
    if ((size_t)snprintf(out, room, "%s%s%s", here, is_absolute ? "" : "/", source) >=
        room) {
        return fnp_err_set(err, FNP_INPUT, "%s: %s", source, strerror(ENAMETOOLONG));
    }
    if (strpbrk(out, "\"\n\\")) {
        return fnp_err_set(err, FNP_INPUT, "%s: quotes in a path cannot be included",
                           source);
    }
    return FNP_OK;
}

enum fnp_status fnp_unit_write(const struct fnp_unit *unit, const char *path,
                               struct fnp_err *err)
{
    char source[2 * PATH_MAX];
    enum fnp_status status = absolute_path(unit->source, source, sizeof(source), err);
    FILE *file;

    assert((unit->keep == FNP_KEEP_NOTHING) == !unit->function);
    if (status) {
        return status;
    }
    file = fopen(path, "we");
    if (!file) {
        return fnp_err_set(err, FNP_FAILED, "%s: %s", path, strerror(errno));
    }
    fprintf(file, "#include \"%s\"\n", source);
    if (unit->wrap) {
        fprintf(file, "#line 1 \"" WRAP_FILE "\"\n%s\n#line 1 \"unit.c\"\n",
                unit->wrap);
    }
    write_keep(file, unit->function, unit->keep);
    if (fclose(file) != 0) {
        return fnp_err_set(err, FNP_FAILED, "%s: %s", path, strerror(errno));
    }
    return FNP_OK;
}

/* ---- what a text defines */

/* Behind a string, a character constant or a comment that begins at `at`; else `at`. */
static const char *skip_quoted(const char *at)
{
    if (!strncmp(at, "/*", 2)) {
        const char *end = strstr(at + 2, "*/");

        return end ? end + 2 : at + strlen(at);
    }
    if (!strncmp(at, "//", 2)) {
        return at + strcspn(at, "\n");
    }
    if (*at != '"' && *at != '\'') {
        return at;
    }
    for (char quote = *at++; *at && *at != quote; at++) {
        at += *at == '\\' && at[1];
    }
    return at + (*at != 0);
}

/* Behind the bracket that closes the one at `at`. */
static const char *skip_group(const char *at, char open, char close)
{
    unsigned depth = 0;

    while (*at) {
        const char *after = skip_quoted(at);

        if (after != at) {
            at = after;
            continue;
        }
        depth += *at == open;
        depth -= *at == close;
        at++;
        if (!depth) {
            break;
        }
    }
    return at;
}

static bool is_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* `attribute(...)` and its like stand where a parameter list could. */
static bool is_decoration(const char *word, size_t len)
{
    static const char *const words[] = { "__attribute__", "__attribute", "__asm__",
                                         "__asm",         "asm",         "__declspec" };

    for (size_t i = 0; i < FNP_ARRAY_LEN(words); i++) {
        if (strlen(words[i]) == len && !strncmp(words[i], word, len)) {
            return true;
        }
    }
    return false;
}

const char *fnp_unit_defines(struct fnp_arena *arena, const char *text)
{
    const char *word = NULL, *name = NULL;
    size_t word_len = 0, name_len = 0;

    for (const char *at = text; *at;) {
        const char *after = skip_quoted(at);

        if (after != at) {
            at = after;
        } else if (is_word_char(*at)) {
            word = at;
            while (is_word_char(*at)) {
                at++;
            }
            word_len = (size_t)(at - word);
        } else if (*at == '(') {
            at = skip_group(at, '(', ')');
            if (word && !is_decoration(word, word_len)) {
                name = word;
                name_len = word_len;
            }
            word = NULL;
        } else if (*at == '{' && name) {
            return fnp_arena_text(arena, name, name_len);
        } else if (*at == '{') {
            at = skip_group(at, '{', '}');
        } else {
            at++;
        }
    }
    return NULL;
}
