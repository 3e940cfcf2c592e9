/* SPDX-License-Identifier: MIT */
/*
 * registry_spec.c - how a picked kernel is named again on a command line
 */
#include <string.h>

#include "base/str.h"
#include "subject/registry.h"
#include "subject/stub.h"

static void add_option(struct fnp_str *out, const char *name, const char *value,
                       struct fnp_arena *arena)
{
    if (!value) {
        return;
    }
    if (*value == '-') {
        fnp_str_add(out, " ");
        fnp_str_add_quoted(out, fnp_arena_printf(arena, "--%s=%s", name, value));
    } else {
        fnp_str_add(out, " --%s ", name);
        fnp_str_add_quoted(out, value);
    }
}

/* Room for an option with this value, quoted. */
static size_t option_room(const char *value)
{
    return value ? 4 * strlen(value) + 64 : 0;
}

/* What `set` says and the small values of libc's words behind it; NULL: as it is. */
static const char *merged_set(struct fnp_registry *r, const struct fnp_pick *pick)
{
    const char *written = pick->draft->keys[FNP_KEY_set].value;
    const char *set = written ? written : "";

    for (size_t i = 0; i < fnp_known_n_words; i++) {
        if (pick->small >> i & 1) {
            set = fnp_arena_printf(r->arena, "%s%s%s:%llu", set, *set ? " " : "",
                                   fnp_known_words[i].name,
                                   (unsigned long long)fnp_known_words[i].small);
        }
    }
    return pick->small ? set : NULL;
}

const char *fnp_registry_spec(struct fnp_registry *r, const struct fnp_pick *pick)
{
    const struct fnp_request *request = r->request;
    const char *set = fnp_contract_keys[FNP_KEY_set], *merged = merged_set(r, pick);
    const struct {
        const char *name, *value;
    } last[] = {
        { set,      merged          },
        { "cc",     request->cc     },
        { "cflags", request->cflags },
        { "compdb", request->compdb },
        { "wrap",   request->wrap   }
    };
    size_t room = option_room(pick->name) + option_room(pick->contract_file) +
                  option_room(request->as);
    struct fnp_str out;

    for (size_t i = 0; i < request->n_keys; i++) {
        room += option_room(request->keys[2 * i + 1]);
    }
    for (size_t i = 0; i < FNP_ARRAY_LEN(last); i++) {
        room += option_room(last[i].value);
    }
    out = fnp_str_over(fnp_arena_alloc(r->arena, room), room);
    if (pick->contract_file) {
        fnp_str_add(&out, "--contract ");
        fnp_str_add_quoted(&out, pick->contract_file);
        fnp_str_add(&out, " ");
    }
    fnp_str_add_quoted(&out, pick->name);
    if (pick->guessed) {
        add_option(&out, "as", request->as, r->arena);
    }
    for (size_t i = 0; i < request->n_keys; i++) {
        if (!merged || strcmp(request->keys[2 * i], set) != 0) {
            add_option(&out, request->keys[2 * i], request->keys[2 * i + 1], r->arena);
        }
    }
    for (size_t i = 0; i < FNP_ARRAY_LEN(last); i++) {
        add_option(&out, last[i].name, last[i].value, r->arena);
    }
    return out.text;
}
