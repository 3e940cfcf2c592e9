/* SPDX-License-Identifier: MIT */
/*
 * guess.c - what a kernel probably promises, from well-known words in its name
 *
 * A guess is always marked as one; nothing here looks at code.
 */
#include <stdbool.h>
#include <string.h>

#include "base/str.h"
#include "subject/draft.h"

#define N_COPY "(void dst[n], const void src[n], size_t n)"
#define N_BACK "(const void src[n], void dst[n], size_t n)"
#define N_ZERO "(void dst[n], size_t n)"
#define N_FILL "(void dst[n], int c, size_t n)"
#define PAGE   "(void dst[4096])"
#define PAGES  "(void dst[4096], const void src[4096])"
#define W_COPY "(wchar_t dst[n], const wchar_t src[n], size_t n)"
#define W_FILL "(wchar_t dst[n], wchar_t c, size_t n)"

/* To add a word: a row.  GUESS(word, prototype, op, align, returns) */
/* clang-format off */
#define GUESSES(GUESS)                                                                \
    GUESS(memcpy,           "void *memcpy" N_COPY,          "copy", NULL,   "dst")    \
    GUESS(memmove,          "void *memmove" N_COPY,         "move", NULL,   "dst")    \
    GUESS(mempcpy,          "void *mempcpy" N_COPY,         "copy", NULL,   "dst+n")  \
    GUESS(memset,           "void *memset" N_FILL,          "set",  NULL,   "dst")    \
    GUESS(wmemcpy,          "wchar_t *wmemcpy" W_COPY,      "copy", NULL,   "dst")    \
    GUESS(wmemmove,         "wchar_t *wmemmove" W_COPY,     "move", NULL,   "dst")    \
    GUESS(wmempcpy,         "wchar_t *wmempcpy" W_COPY,     "copy", NULL,   "dst+n")  \
    GUESS(wmemset,          "wchar_t *wmemset" W_FILL,      "set",  NULL,   "dst")    \
    GUESS(bcopy,            "void bcopy" N_BACK,            "move", NULL,   NULL)     \
    GUESS(bzero,            "void bzero" N_ZERO,            "zero", NULL,   NULL)     \
    GUESS(explicit_bzero,   "void explicit_bzero" N_ZERO,   "zero", NULL,   NULL)     \
    GUESS(memzero,          "void memzero" N_ZERO,          "zero", NULL,   NULL)     \
    GUESS(memzero_explicit, "void memzero_explicit" N_ZERO, "zero", NULL,   NULL)     \
    GUESS(clear_page,       "void clear_page" PAGE,         "zero", "4096", NULL)     \
    GUESS(page_clear,       "void page_clear" PAGE,         "zero", "4096", NULL)     \
    GUESS(zero_page,        "void zero_page" PAGE,          "zero", "4096", NULL)     \
    GUESS(page_zero,        "void page_zero" PAGE,          "zero", "4096", NULL)     \
    GUESS(copy_page,        "void copy_page" PAGES,         "copy", "4096", NULL)     \
    GUESS(page_copy,        "void page_copy" PAGES,         "copy", "4096", NULL)     \
    GUESS(copy,             "void copy" N_COPY,             "copy", NULL,   NULL)     \
    GUESS(zero,             "void zero" N_ZERO,             "zero", NULL,   NULL)     \
    GUESS(clear,            "void clear" N_ZERO,            "zero", NULL,   NULL)     \
    GUESS(fill,             "void fill" N_FILL,             "set",  NULL,   NULL)
/* clang-format on */

const char *const fnp_guess_words[] = {
#define GUESS(word, proto, op, align, returns) #word,
    GUESSES(GUESS)
#undef GUESS
};
const size_t fnp_guess_n_words = FNP_ARRAY_LEN(fnp_guess_words);

bool fnp_guess_is_telling(const char *word)
{
    static const char *const verbs[] = { "copy", "zero", "clear", "fill" };

    for (size_t i = 0; i < FNP_ARRAY_LEN(verbs); i++) {
        if (!strcmp(word, verbs[i])) {
            return false;
        }
    }
    return true;
}

/* In the order of fnp_guess_words; NULL: the key is not given. */
static const struct {
    const char *proto, *op, *align, *returns;
} guesses[] = {
#define GUESS(word, proto, op, align, returns) { (proto), (op), (align), (returns) },
    GUESSES(GUESS)
#undef GUESS
};

static bool is_edge(char c)
{
    return !c || c == '_' || c == '.' || c == '@';
}

/* Where `word` stands in `name` as whole words, or NULL. */
static const char *find_word(const char *name, const char *word)
{
    size_t len = strlen(word);

    for (const char *at = strstr(name, word); at; at = strstr(at + 1, word)) {
        if ((at == name || is_edge(at[-1])) && is_edge(at[len])) {
            return at;
        }
    }
    return NULL;
}

/* Append the words of text[0, len). */
static void add_words(struct fnp_str *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len;) {
        size_t word = 0;

        while (i + word < len && !is_edge(text[i + word])) {
            word++;
        }
        if (word) {
            fnp_str_add(out, "%s%.*s", out->len ? " " : "", (int)word, text + i);
        }
        i += word + 1;
    }
}

/*
 * `__memcpy_chk` and the like take one parameter more, the size of the object at dst,
 * and give up when n exceeds it.  They are called as the compiler does when it does
 * not know that size.
 */
static const char *guess_proto(struct fnp_arena *arena, const char *name, size_t guess)
{
    const char *word = fnp_guess_words[guess], *proto = guesses[guess].proto;
    bool can = strstr(word, "mem") || strstr(word, "bzero");

    if (!can || !find_word(name, "chk")) {
        return proto;
    }
    return fnp_arena_printf(arena, "%.*s, size_t 18446744073709551615)",
                            (int)strlen(proto) - 1, proto);
}

static void give(struct fnp_contract_draft *draft, enum fnp_contract_key_id id,
                 const char *value)
{
    draft->keys[id] =
        (struct fnp_draft_key){ .value = value, .where = draft->read_from };
}

struct fnp_contract_draft *fnp_contract_guess(struct fnp_arena *arena,
                                              const char *symbol, const char *as)
{
    const char *name = as ? as : symbol;
    size_t len = strcspn(name, "@"); /* a symbol's version says nothing */
    const char *at = NULL;
    size_t best = 0, best_len = 0;
    struct fnp_contract_draft *draft;
    char rest[256];
    struct fnp_str words = fnp_str_over(rest, sizeof(rest));

    for (size_t i = 0; i < fnp_guess_n_words; i++) {
        const char *found = find_word(name, fnp_guess_words[i]);

        if (found && found < name + len && strlen(fnp_guess_words[i]) > best_len) {
            at = found;
            best = i;
            best_len = strlen(fnp_guess_words[i]);
        }
    }
    if (!at) {
        return NULL;
    }
    add_words(&words, name, (size_t)(at - name));
    add_words(&words, at + best_len, len - (size_t)(at - name) - best_len);
    draft = fnp_contract_draft(
        arena, symbol, fnp_arena_printf(arena, "guessed:%s", fnp_guess_words[best]));
    draft->guess = fnp_guess_words[best];
    draft->guess_rest = words.len ? fnp_arena_text(arena, rest, words.len) : NULL;
    give(draft, FNP_KEY_proto, guess_proto(arena, name, best));
    give(draft, FNP_KEY_op, guesses[best].op);
    give(draft, FNP_KEY_align, guesses[best].align);
    give(draft, FNP_KEY_returns, guesses[best].returns);
    return draft;
}
