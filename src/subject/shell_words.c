/* SPDX-License-Identifier: MIT */
/*
 * shell_words.c - split a command line without a shell, so that nothing in it is run
 */
#include "subject/shell_words.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum fnp_status fnp_shell_add(struct fnp_shell_words *words, const char *word,
                              struct fnp_err *err)
{
    if (words->count == FNP_SHELL_WORDS) {
        return fnp_err_set(err, FNP_INPUT, "more than %d words for the compiler",
                           FNP_SHELL_WORDS);
    }
    words->word[words->count++] = word;
    return FNP_OK;
}

/*
 * Copy one shell word from *at to out, which has room for all of it.  Single quotes
 * keep everything, double quotes and bare words know the backslash.  False when a
 * quote is not closed.
 */
static bool copy_word(const char **at, char *out)
{
    char quote = 0;

    for (; **at && (quote || !isspace((unsigned char)**at)); ++*at) {
        char c = **at;

        if (c == quote) {
            quote = 0;
        } else if (!quote && (c == '\'' || c == '"')) {
            quote = c;
        } else {
            if (c == '\\' && quote != '\'' && (*at)[1]) {
                ++*at;
            }
            *out++ = **at;
        }
    }
    *out = 0;
    return !quote;
}

enum fnp_status fnp_shell_split(struct fnp_arena *arena, const char *text,
                                struct fnp_shell_words *words, struct fnp_err *err)
{
    const char *at = text;

    for (;;) {
        while (isspace((unsigned char)*at)) {
            at++;
        }
        if (!*at) {
            return FNP_OK;
        }
        char *word = fnp_arena_alloc(arena, strlen(at) + 1);
        if (!copy_word(&at, word)) {
            return fnp_err_set(err, FNP_INPUT, "a quote is not closed in: %s", text);
        }
        enum fnp_status status = fnp_shell_add(words, word, err);
        if (status) {
            return status;
        }
    }
}
