/* SPDX-License-Identifier: MIT */
/*
 * registry_builtin.c - the kernels that come with the tool, in all their builds
 *
 * A contract serves every build of its source: `[copy_page_sse2]` the 64-bit object
 * and, as copy_page_sse2.i386, the 32-bit one, unless a section `[copy_page_sse2.i386]`
 * has other promises for that.
 */
#include <fnmatch.h>
#include <string.h>

#include "base/nearest.h"
#include "kernels/builtin.h"
#include "subject/registry.h"

#define I386 ".i386"

static enum fnp_status read_contracts(struct fnp_registry *r)
{
    size_t len = (size_t)(fnp_builtin_contracts_end - fnp_builtin_contracts);

    if (r->builtin.path) {
        return FNP_OK;
    }
    return fnp_contract_parse(r->arena, "builtin", fnp_builtin_contracts, len,
                              &r->builtin, r->err);
}

static bool is_i386(const char *name)
{
    size_t len = strlen(name), tail = strlen(I386);

    return len >= tail && !strcmp(name + len - tail, I386);
}

/* Is there a contract for the 32-bit builds alone? */
static bool has_own_i386(const struct fnp_registry *r, const char *contract)
{
    size_t len = strlen(contract);

    for (size_t i = 0; i < r->builtin.count; i++) {
        const char *other = r->builtin.contracts[i].name;

        if (!strncmp(other, contract, len) && !strcmp(other + len, I386)) {
            return true;
        }
    }
    return false;
}

/* The kernel's name if the contract is for this build, else NULL. */
static const char *name_of(const struct fnp_registry *r, const struct fnp_contract *c,
                           const struct fnp_builtin_object *o)
{
    bool only_i386 = is_i386(c->name);
    size_t stem = strlen(c->name) - (only_i386 ? strlen(I386) : 0);

    if (!c->object || strcmp(c->object, o->file) != 0 ||
        (is_i386(o->variant) ? !only_i386 && has_own_i386(r, c->name) : only_i386)) {
        return NULL;
    }
    return fnp_arena_printf(r->arena, "%.*s%s", (int)stem, c->name, o->variant);
}

static enum fnp_status add(struct fnp_registry *r, size_t i,
                           const struct fnp_builtin_object *o, const char *name,
                           bool named)
{
    struct fnp_object *object = fnp_arena_alloc(r->arena, sizeof(*object));
    struct fnp_pick pick = {
        .name = fnp_arena_printf(r->arena, FNP_BUILTIN "%s", name),
        .draft = fnp_contract_draft_copy(r->builtin.drafts[i]),
        .object = object,
        .unbuilt = o->unbuilt,
        .named = named,
    };
    enum fnp_status status = fnp_registry_apply_options(r, pick.draft);

    *object = (struct fnp_object){ .path = o->file,
                                   .bytes = o->bytes,
                                   .len = (size_t)(o->end - o->bytes) };
    pick.draft->is32 = is_i386(o->variant);
    return status ? status : fnp_registry_add(r, &pick);
}

/* What to do with each built-in kernel: return false to stop. */
struct walk {
    const char *pattern;
    const char *contract; /* its own name means all its builds; NULL: no such thing */
    const char **names;   /* those that were passed */
    size_t n_names, found;
};

static enum fnp_status add_builds(struct fnp_registry *r, size_t i, struct walk *w)
{
    const struct fnp_contract *c = &r->builtin.contracts[i];
    enum fnp_status status = FNP_OK;

    for (const struct fnp_builtin_object *o = fnp_builtin_objects; o->file; o++) {
        const char *name = name_of(r, c, o);

        if (!name) {
            continue;
        }
        w->names[w->n_names++] = name;
        if (!status && (w->contract ? !strcmp(w->contract, c->name)
                                    : !fnmatch(w->pattern, name, 0))) {
            status =
                add(r, i, o, name, !w->contract && !fnp_registry_is_glob(w->pattern));
            w->found++;
        }
    }
    return status;
}

/* At most one contract is for a build. */
static enum fnp_status walk(struct fnp_registry *r, struct walk *w)
{
    size_t n_objects = 0;
    enum fnp_status status = read_contracts(r);

    for (const struct fnp_builtin_object *o = fnp_builtin_objects; o->file; o++) {
        n_objects++;
    }
    if (status) {
        return status;
    }
    w->names =
        fnp_arena_array(r->arena, n_objects * r->builtin.count, sizeof(*w->names));
    for (size_t i = 0; !status && i < r->builtin.count; i++) {
        status = add_builds(r, i, w);
    }
    return status;
}

enum fnp_status fnp_registry_add_builtins(struct fnp_registry *r, const char *pattern)
{
    struct walk plain = { .pattern = pattern };
    struct walk builds = { .pattern = pattern, .contract = pattern };
    enum fnp_status status = walk(r, &plain);
    const char *near;

    if (status || plain.found) {
        return status;
    }
    status = walk(r, &builds);
    if (status || builds.found) {
        return status;
    }
    near = fnp_nearest(pattern, plain.names, plain.n_names);
    return fnp_err_set(r->err, FNP_INPUT, "no built-in kernel \"%s\"%s%s%s", pattern,
                       near ? "; nearest is \"" FNP_BUILTIN : "", near ? near : "",
                       near ? "\"" : "; \"fencepost list --builtin\" names them");
}

bool fnp_registry_is_builtin(struct fnp_registry *r, const char *name)
{
    if (read_contracts(r)) {
        return false;
    }
    for (size_t i = 0; i < r->builtin.count; i++) {
        if (!strcmp(r->builtin.contracts[i].name, name)) {
            return true;
        }
    }
    return false;
}
