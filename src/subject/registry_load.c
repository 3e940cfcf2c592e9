/* SPDX-License-Identifier: MIT */
/*
 * registry_load.c - from a picked kernel to one that is ready to run
 */
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "subject/build.h"
#include "subject/members.h"
#include "subject/registry.h"
#include "subject/stub.h"

const char *fnp_registry_path(struct fnp_arena *arena, const char *dir,
                              const char *path)
{
    if (*path == '/' || !dir || !strcmp(dir, ".")) {
        return path;
    }
    return fnp_arena_printf(arena, "%s%s%s", dir, strcmp(dir, "/") ? "/" : "", path);
}

/* The code segment the entry lies in. */
static struct fnp_code code_of(const struct fnp_image *image)
{
    for (size_t i = 0; i < image->n_segments; i++) {
        const struct fnp_segment *s = &image->segments[i];

        if ((s->prot & FNP_PROT_X) && image->entry >= s->addr &&
            image->entry - s->addr < s->len) {
            return (struct fnp_code){
                .bytes = s->bytes, .len = s->len, .addr = s->addr, .is32 = image->is32
            };
        }
    }
    return (struct fnp_code){ .addr = image->entry };
}

static bool never_returns(const void *image, uint64_t addr)
{
    const struct fnp_symbol *symbol = fnp_image_symbol(image, addr);

    return symbol && symbol->addr == addr && fnp_stub_is_trap(symbol->name);
}

void fnp_registry_scan(const struct fnp_image *image, struct fnp_scan *out)
{
    struct fnp_code code = code_of(image);

    code.never_returns = never_returns;
    code.arg = image;

    fnp_scan_code(&code, image->entry, out);
}

static void note_word(struct fnp_scan *scan, uint64_t value)
{
    for (size_t i = 0; i < scan->n_words; i++) {
        if (scan->words[i] == value) {
            return;
        }
    }
    if (scan->n_words < FNP_SCAN_WORDS) {
        scan->words[scan->n_words++] = value;
    }
}

/* Numbers that stand in words instead of in the code: those of the contract and ours. */
static void note_words(struct fnp_kernel *k)
{
    const struct fnp_contract *c = &k->contract;

    for (size_t i = 0; i < c->n_defines; i++) {
        if (!c->defines[i].is_stub) {
            note_word(&k->scan, c->defines[i].value);
        }
    }
    for (size_t i = 0; i < fnp_known_n_words; i++) {
        if (k->image.known >> i & 1) {
            note_word(&k->scan, fnp_known_words[i].usual);
        }
    }
}

static void scan(struct fnp_arena *arena, struct fnp_kernel *k)
{
    fnp_features missing;

    fnp_registry_scan(&k->image, &k->scan);
    note_words(k);
    k->needs = k->scan.needs | (k->contract.has_cpu ? k->contract.cpu : 0);
    /* Declared: that is what counts, and an instruction outside it is a finding. */
    missing = (k->contract.has_cpu ? k->contract.cpu : k->needs) & ~fnp_cpu_features();
    if (k->contract.is32 && !fnp_cpu()->compat) {
        k->missing = "32-bit code segment";
    } else if (missing) {
        k->missing = fnp_feature_name((enum fnp_feature)__builtin_ctzll(missing));
    }
    if (k->missing) {
        k->skip = fnp_arena_printf(arena, "needs %s, which this CPU lacks", k->missing);
    }
}

/* There is no code, because a compiler was missing. */
static void skip_unbuilt(struct fnp_arena *arena, const char *compiler,
                         struct fnp_kernel *k)
{
    k->missing = compiler;
    k->skip = fnp_arena_printf(
        arena, "was not built in: there was no %s when fencepost was built", compiler);
}

/* Does the code have the width that the contract's ABI speaks of? */
static enum fnp_status check_class(const struct fnp_registry *r,
                                   const struct fnp_pick *pick,
                                   const struct fnp_contract *c,
                                   const struct fnp_object *object)
{
    bool is32 = fnp_object_is32(object);

    if (c->is32 != is32) {
        return fnp_err_set(r->err, FNP_INPUT,
                           "%s: abi = %s is for %d-bit code, and %s is a %d-bit object",
                           pick->name, fnp_abi_names.list[c->abi], c->is32 ? 32 : 64,
                           object->path, is32 ? 32 : 64);
    }
    return FNP_OK;
}

void fnp_registry_fit(struct fnp_registry *r, struct fnp_contract_draft *draft,
                      const char *dir, const struct fnp_object *object)
{
    const struct fnp_draft_key *keys = draft->keys;
    const struct fnp_contract c = { .cc = keys[FNP_KEY_cc].value,
                                    .cflags = keys[FNP_KEY_cflags].value };
    const char *path = keys[FNP_KEY_object].value;
    const char *symbol = keys[FNP_KEY_symbol].value;
    struct fnp_err *err = r->err;

    if (keys[FNP_KEY_abi].value) {
        return; /* and a source is built for what it says */
    }
    /* What is wrong with the file is said when it is opened in earnest. */
    r->err = NULL;
    if (!object && path &&
        fnp_registry_open(r, fnp_registry_path(r->arena, dir, path), &c,
                          symbol ? symbol : draft->name, &object)) {
        object = NULL;
    }
    r->err = err;
    draft->is32 = object && fnp_object_is32(object);
}

/* op = ref:SYMBOL in the same object, ref:FILE:SYMBOL in another one. */
static enum fnp_status load_ref(struct fnp_registry *r, const struct fnp_pick *pick,
                                const struct fnp_object *object, struct fnp_kernel *k)
{
    const char *colon = strrchr(k->contract.ref, ':');
    const char *symbol = colon ? colon + 1 : k->contract.ref;
    const char *path;
    enum fnp_status status = FNP_OK;

    assert(object);
    path = object->path;
    if (colon) {
        path = fnp_arena_text(r->arena, k->contract.ref,
                              (size_t)(colon - k->contract.ref));
        path = fnp_registry_path(r->arena, pick->dir, path);
    }
    if (colon || fnp_build_is_c(path)) {
        r->wrap = colon ? NULL : r->request->wrap;
        status = fnp_registry_open(r, path, &k->contract, symbol, &object);
        r->wrap = r->request->wrap;
    } else {
        status = fnp_members_near(object, symbol, &object, r->err);
    }
    k->has_ref = true;
    return status ? status
                  : fnp_image_load(r->arena, object, symbol, &k->contract, 1, &k->ref,
                                   r->err);
}

/* The object the contract names. */
static enum fnp_status open_declared(struct fnp_registry *r,
                                     const struct fnp_pick *pick,
                                     const struct fnp_contract *c,
                                     const struct fnp_object **out)
{
    const char *path;

    if (!c->object) {
        return fnp_err_set(r->err, FNP_INPUT,
                           "%s: no object in the contract; name the kernel as "
                           "FILE.o:%s or write object = FILE.o",
                           pick->name, c->symbol ? c->symbol : "SYMBOL");
    }
    path = fnp_registry_path(r->arena, pick->dir, c->object);
    if (!fnp_registry_exists(r, path)) {
        return fnp_err_set(r->err, FNP_INPUT, "%s: object: %s: %s",
                           pick->draft->keys[FNP_KEY_object].where, path,
                           strerror(errno));
    }
    return fnp_registry_open(r, path, c, c->symbol, out);
}

/* The saved cases of this kernel, whichever way they name it. */
static enum fnp_status read_saved(struct fnp_registry *r, const struct fnp_pick *pick,
                                  struct fnp_kernel *k)
{
    const struct fnp_contract *c = &k->contract;
    const char *const names[] = { k->name, k->spec, c->name,
                                  fnp_arena_printf(r->arena, "%s:%s",
                                                   c->object ? c->object : "",
                                                   c->symbol ? c->symbol : "") };
    const char *home = fnp_registry_option(r, FNP_KEY_cases) ? NULL : pick->home;

    if (!c->cases) {
        return FNP_OK;
    }
    return fnp_saved_read(r->arena, fnp_registry_path(r->arena, home, c->cases),
                          pick->draft->keys[FNP_KEY_cases].where, names,
                          FNP_ARRAY_LEN(names), &k->saved, r->err);
}

static struct fnp_kernel *append(struct fnp_registry *r)
{
    if (r->count == r->room) {
        size_t room = r->room ? 2 * r->room : 16;
        struct fnp_kernel *bigger = fnp_arena_array(r->arena, room, sizeof(*bigger));

        if (r->count) {
            memcpy(bigger, r->list, r->count * sizeof(*bigger));
        }
        r->list = bigger;
        r->room = room;
    }
    return &r->list[r->count++];
}

/* The same kernel meant twice ("a.o:f a.o:*") is one kernel. */
static bool is_there(struct fnp_registry *r, const struct fnp_kernel *k)
{
    for (size_t i = 0; i < r->count; i++) {
        if (!strcmp(r->list[i].name, k->name) && !strcmp(r->list[i].spec, k->spec)) {
            r->list[i].named |= k->named;
            return true;
        }
    }
    return false;
}

/* The kernel that was appended last is not to be had; nobody named it. */
static void leave_out(struct fnp_registry *r, const struct fnp_pick *pick,
                      const struct fnp_err *why)
{
    const char *text = fnp_arena_printf(r->arena, "%s", why->text);

    r->count--;
    r->n_left_out++;
    r->left_out = text;
    fnp_registry_note(r,
                      fnp_arena_printf(r->arena, "%s: left out: %s", pick->name, text));
}

/* Define the words of the mask with their small values; nothing that was promised. */
static enum fnp_status define_small(struct fnp_registry *r, const struct fnp_pick *pick,
                                    struct fnp_contract *c)
{
    for (size_t i = 0; i < fnp_known_n_words; i++) {
        if (!(pick->small >> i & 1)) {
            continue;
        }
        if (c->n_defines == FNP_MAX_LIST) {
            return fnp_err_set(r->err, FNP_INPUT,
                               "%s: set: no room for %s among %d definitions",
                               pick->name, fnp_known_words[i].name, FNP_MAX_LIST);
        }
        c->defines[c->n_defines++] = (struct fnp_define){
            .name = fnp_known_words[i].name,
            .value = fnp_known_words[i].small,
            .has_value = true,
        };
    }
    return FNP_OK;
}

/* The kernel's code, the reference's, and what a look at the code tells. */
static enum fnp_status load_code(struct fnp_registry *r, const struct fnp_pick *pick,
                                 const struct fnp_object *object, struct fnp_kernel *k,
                                 uint32_t *known)
{
    struct fnp_err err = { "" };
    enum fnp_status status = check_class(r, pick, &k->contract, object);

    if (status) {
        return status;
    }
    status = fnp_image_load(r->arena, object, k->contract.symbol, &k->contract, 0,
                            &k->image, &err);
    if (status == FNP_INPUT && pick->is_optional) {
        leave_out(r, pick, &err);
        return FNP_OK;
    }
    if (status) {
        return fnp_err_set(r->err, status, "%s", err.text);
    }
    k->object = *object;
    *known = k->image.known;
    if (k->contract.op == FNP_OP_REF) {
        status = load_ref(r, pick, object, k);
    }
    status = status ? status : read_saved(r, pick, k);
    if (!status) {
        scan(r->arena, k);
    }
    return status;
}

/* The kernel itself; *known is the mask of the words of known.def that it uses. */
static enum fnp_status add_one(struct fnp_registry *r, const struct fnp_pick *pick,
                               uint32_t *known)
{
    const struct fnp_object *object = pick->object;
    const struct fnp_kernel made = {
        .name = fnp_arena_printf(r->arena, "%s%s", pick->name,
                                 pick->small ? " (small thresholds)" : ""),
        .spec = fnp_registry_spec(r, pick),
        .named = pick->named,
        .small = pick->small != 0,
    };
    struct fnp_kernel *k;
    enum fnp_status status;

    if (is_there(r, &made)) {
        return FNP_OK;
    }
    k = append(r);
    *k = made;
    if (!pick->unbuilt) {
        fnp_registry_fit(r, pick->draft, pick->dir, object);
    }
    status = fnp_contract_finish(pick->draft, &k->contract, r->err);
    status = status ? status : define_small(r, pick, &k->contract);
    if (!status && !object) {
        status = open_declared(r, pick, &k->contract, &object);
    }
    if (status) {
        return status;
    }
    if (pick->unbuilt) {
        skip_unbuilt(r->arena, pick->unbuilt, k);
        return FNP_OK;
    }
    assert(object);
    return load_code(r, pick, object, k, known);
}

/* The words that have two settings worth a run each. */
static uint32_t with_two_settings(void)
{
    uint32_t mask = 0;

    for (size_t i = 0; i < fnp_known_n_words; i++) {
        if (fnp_known_words[i].usual != fnp_known_words[i].small) {
            mask |= 1u << i;
        }
    }
    return mask;
}

enum fnp_status fnp_registry_add(struct fnp_registry *r, const struct fnp_pick *pick)
{
    struct fnp_pick small = *pick;
    uint32_t known = 0;
    enum fnp_status status = add_one(r, pick, &known);

    small.small = known & with_two_settings();
    return status || !small.small || r->request->one_setting
               ? status
               : add_one(r, &small, &known);
}

static bool is_equal(const struct fnp_kernel *a, const struct fnp_kernel *b)
{
    /* Saved cases are one kernel's own. */
    return a->image.code[0] && !a->saved.count && !b->saved.count &&
           !strcmp(a->image.code, b->image.code) && a->has_ref == b->has_ref &&
           (!a->has_ref || !strcmp(a->ref.code, b->ref.code));
}

void fnp_registry_link_equal(struct fnp_registry *r)
{
    const char **essence = fnp_arena_array(r->arena, r->count, sizeof(*essence));

    for (size_t i = 0; i < r->count; i++) {
        essence[i] = fnp_contract_essence(r->arena, &r->list[i].contract);
        for (size_t k = 0; k < i && !r->list[i].equal_to; k++) {
            if (is_equal(&r->list[i], &r->list[k]) && !strcmp(essence[i], essence[k])) {
                r->list[i].equal_to = &r->list[k];
            }
        }
    }
}
