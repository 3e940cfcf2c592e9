/* SPDX-License-Identifier: MIT */
/*
 * registry_load.c - from a picked kernel to one that is ready to run
 *
 * Objects are read or built once, however many kernels come out of them.
 */
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "subject/build.h"
#include "subject/registry.h"

const char *fnp_registry_path(struct fnp_arena *arena, const char *dir,
                              const char *path)
{
    if (*path == '/' || !dir || !strcmp(dir, ".")) {
        return path;
    }
    return fnp_arena_printf(arena, "%s%s%s", dir, strcmp(dir, "/") ? "/" : "", path);
}

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

/* One file as it is, or one build of it. */
static enum fnp_status open_once(struct fnp_registry *r, const struct fnp_build *build,
                                 const struct fnp_object **out)
{
    bool source = fnp_build_is_source(build->source);
    const char *key =
        source ? fnp_arena_printf(r->arena, "%s\n%s\n%s\n%s", build->source, build->cc,
                                  build->cflags, build->keep ? build->keep : "")
               : build->source;
    struct fnp_object *object;
    enum fnp_status status;

    *out = find_object(r, key);
    if (*out) {
        return FNP_OK;
    }
    object = fnp_arena_alloc(r->arena, sizeof(*object));
    status = source ? fnp_build(r->arena, build, object, r->err)
                    : fnp_object_read(r->arena, build->source, object, r->err);
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

static bool has_function(struct fnp_registry *r, const struct fnp_object *object,
                         const char *name)
{
    struct fnp_object_symbol *list = NULL;
    size_t count = 0;

    if (fnp_object_functions(r->arena, object, &list, &count, NULL)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(list[i].name, name)) {
            return true;
        }
    }
    return false;
}

static const char *either(const char *first, const char *second, const char *last)
{
    return first ? first : second ? second : last;
}

static bool is_identifier(const char *name)
{
    return name[strspn(
               name,
               "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")] == 0;
}

enum fnp_status fnp_registry_open(struct fnp_registry *r, const char *path,
                                  const struct fnp_contract *contract,
                                  const char *function, const struct fnp_object **out)
{
    struct fnp_build build = {
        .source = path,
        .cc = either(r->request->cc, contract ? contract->cc : NULL, "cc"),
        .cflags = either(r->request->cflags, contract ? contract->cflags : NULL, "-O2"),
    };
    enum fnp_status status = open_once(r, &build, out);
    const struct fnp_object *kept = NULL;
    struct fnp_err *err = r->err;

    if (status || !fnp_build_is_c(path) || !function || !is_identifier(function) ||
        has_function(r, *out, function)) {
        return status;
    }
    /* Perhaps a static function that was optimised away.  When it does not exist at
     * all, the loader names the nearest one; the compiler's words would not help. */
    build.keep = function;
    r->err = NULL;
    if (!open_once(r, &build, &kept)) {
        *out = kept;
    }
    r->err = err;
    return FNP_OK;
}

/* ---- kernels */

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

static void scan(struct fnp_kernel *k)
{
    struct fnp_code code = code_of(&k->image);
    fnp_features missing;

    fnp_scan_code(&code, k->image.entry, &k->scan);
    k->needs = k->scan.needs | (k->contract.has_cpu ? k->contract.cpu : 0);
    /* Declared: that is what counts, and an instruction outside it is a finding. */
    missing = (k->contract.has_cpu ? k->contract.cpu : k->needs) & ~fnp_cpu_features();
    if (k->contract.is32 && !fnp_cpu()->compat) {
        k->missing = "32-bit code segment";
    } else if (missing) {
        k->missing = fnp_feature_name((enum fnp_feature)__builtin_ctzll(missing));
    }
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
    struct fnp_err *err = r->err;

    /* What is wrong with the file is said when it is opened in earnest. */
    r->err = NULL;
    if (!object && path &&
        fnp_registry_open(r, fnp_registry_path(r->arena, dir, path), &c,
                          either(keys[FNP_KEY_symbol].value, draft->name, NULL),
                          &object)) {
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
        status = fnp_registry_open(r, path, &k->contract, symbol, &object);
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
    if (access(path, R_OK) != 0) {
        return fnp_err_set(r->err, FNP_INPUT, "%s: object: %s: %s",
                           pick->draft->keys[FNP_KEY_object].where, path,
                           strerror(errno));
    }
    return fnp_registry_open(r, path, c, c->symbol, out);
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
static bool is_there(struct fnp_registry *r, const struct fnp_pick *pick)
{
    for (size_t i = 0; i < r->count; i++) {
        if (!strcmp(r->list[i].name, pick->name) &&
            !strcmp(r->list[i].spec, pick->spec)) {
            r->list[i].named |= pick->named;
            return true;
        }
    }
    return false;
}

enum fnp_status fnp_registry_add(struct fnp_registry *r, const struct fnp_pick *pick)
{
    const struct fnp_object *object = pick->object;
    struct fnp_kernel *k;
    enum fnp_status status;

    if (is_there(r, pick)) {
        return FNP_OK;
    }
    k = append(r);
    *k = (struct fnp_kernel){ .name = pick->name,
                              .spec = pick->spec,
                              .named = pick->named };
    fnp_registry_fit(r, pick->draft, pick->dir, object);
    status = fnp_contract_finish(pick->draft, &k->contract, r->err);
    if (!status && !object) {
        status = open_declared(r, pick, &k->contract, &object);
    }
    status = status ? status : check_class(r, pick, &k->contract, object);
    status = status ? status
                    : fnp_image_load(r->arena, object, k->contract.symbol, &k->contract,
                                     0, &k->image, r->err);
    if (!status) {
        k->object = *object;
    }
    if (!status && k->contract.op == FNP_OP_REF) {
        status = load_ref(r, pick, object, k);
    }
    if (!status) {
        scan(k);
    }
    return status;
}

static bool is_equal(const struct fnp_kernel *a, const struct fnp_kernel *b)
{
    return !strcmp(a->image.code, b->image.code) && a->has_ref == b->has_ref &&
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
