/* SPDX-License-Identifier: MIT */
/*
 * shared.c - find a kernel in a shared object and give it the object's pages
 *
 * Laying out and relocating is shared_link.c's; here it is done once for all kernels of
 * an object that are loaded alike.
 */
#include "subject/shared.h"

#include <elf.h>
#include <sha256.h>
#include <string.h>

#include "base/nearest.h"
#include "base/str.h"
#include "subject/dynamic.h"
#include "subject/elf.h"
#include "subject/image_names.h"
#include "subject/shared_link.h"

/* An object laid out for one slot with one set of definitions. */
struct linked {
    unsigned slot;
    const struct fnp_define *defines;
    size_t n_defines;
    uint64_t bias;
    struct fnp_image image; /* without entry and code */
    uint8_t digest[SHA256_DIGEST_LENGTH];
    struct linked *next;
};

struct fnp_shared_cache {
    struct fnp_arena *arena;
    struct fnp_dyn dyn;
    bool is_parsed;
    struct linked *linked; /* newest first */
};

bool fnp_shared_is(const struct fnp_object *object)
{
    return fnp_dyn_is(object);
}

struct fnp_shared_cache *fnp_shared_cache(struct fnp_arena *arena)
{
    struct fnp_shared_cache *cache = fnp_arena_alloc(arena, sizeof(*cache));

    cache->arena = arena;
    return cache;
}

/* The object's cache, or a new one; parsed. */
static enum fnp_status open_cache(struct fnp_arena *arena,
                                  const struct fnp_object *object,
                                  struct fnp_shared_cache **out, struct fnp_err *err)
{
    struct fnp_shared_cache *cache =
        object->shared ? object->shared : fnp_shared_cache(arena);
    enum fnp_status status = FNP_OK;

    if (!cache->is_parsed) {
        status = fnp_dyn_parse(cache->arena, object, &cache->dyn, err);
        cache->is_parsed = status == FNP_OK;
    }
    *out = cache;
    return status;
}

/* ---- names */

/* What gcc splits off a function, and the assembler's labels, are none of their own. */
static bool is_function(const struct fnp_dyn *dyn, const struct fnp_dyn_symbol *symbol)
{
    return symbol->name[0] && fnp_shared_is_code(dyn, symbol) &&
           !fnp_elf_is_split(symbol->name) &&
           (symbol->type == STT_FUNC || symbol->type == STT_GNU_IFUNC ||
            symbol->bind != STB_LOCAL);
}

/* As one names it on a command line. */
static const char *full_name(struct fnp_arena *arena,
                             const struct fnp_dyn_symbol *symbol)
{
    return symbol->is_default || !symbol->version
               ? symbol->name
               : fnp_arena_printf(arena, "%s@%s", symbol->name, symbol->version);
}

enum fnp_status fnp_shared_functions(struct fnp_arena *arena,
                                     const struct fnp_object *object,
                                     struct fnp_object_symbol **out, size_t *count,
                                     struct fnp_err *err)
{
    struct fnp_shared_cache *cache;
    enum fnp_status status = open_cache(arena, object, &cache, err);

    *out = NULL;
    *count = 0;
    if (status != FNP_OK) {
        return status;
    }
    *out = fnp_arena_array(arena, cache->dyn.n_symbols, sizeof(**out));
    for (size_t i = 0; i < cache->dyn.n_symbols; i++) {
        const struct fnp_dyn_symbol *symbol = &cache->dyn.symbols[i];

        if (is_function(&cache->dyn, symbol)) {
            (*out)[(*count)++] = (struct fnp_object_symbol){
                .name = full_name(arena, symbol),
                .size = symbol->size,
                .is_global = symbol->bind != STB_LOCAL,
                .is_ifunc = symbol->type == STT_GNU_IFUNC,
            };
        }
    }
    return FNP_OK;
}

/* Should reports know the symbol? */
static bool is_shown(const struct fnp_dyn *dyn, const struct fnp_dyn_symbol *symbol)
{
    return symbol->name[0] && symbol->is_defined && !symbol->is_number &&
           symbol->type != STT_SECTION && symbol->type != STT_FILE &&
           symbol->type != STT_TLS && fnp_dyn_load_at(dyn, symbol->value, 1);
}

static struct fnp_named name_symbol(const struct fnp_shared_link *link,
                                    const struct fnp_dyn_symbol *symbol)
{
    const struct fnp_dyn_load *load = fnp_dyn_load_at(link->dyn, symbol->value, 1);
    uint64_t room = load->memsz - (symbol->value - load->vaddr);

    return (struct fnp_named){
        .symbol = {
            .name = full_name(link->arena, symbol),
            .addr = link->bias + symbol->value,
            .size = symbol->size < room ? symbol->size : room,
            .is_code = fnp_shared_is_code(link->dyn, symbol),
        },
        .rank = (symbol->type == STT_NOTYPE) * 4u + (symbol->bind == STB_LOCAL) * 2u +
                !symbol->is_default,
    };
}

static void name_all(const struct fnp_shared_link *link, struct fnp_image *image)
{
    const struct fnp_dyn *dyn = link->dyn;
    struct fnp_named *list =
        fnp_arena_array(link->scratch, dyn->n_symbols + link->n_made, sizeof(*list));
    size_t count = 0;

    for (size_t i = 0; i < dyn->n_symbols; i++) {
        if (is_shown(dyn, &dyn->symbols[i])) {
            list[count++] = name_symbol(link, &dyn->symbols[i]);
        }
    }
    for (size_t i = 0; i < link->n_made; i++) {
        list[count++] = (struct fnp_named){ .symbol = link->made[i] };
    }
    fnp_names_give(link->arena, list, count, image);
}

/* ---- linking once */

static bool same_defines(const struct linked *linked,
                         const struct fnp_contract *contract)
{
    size_t count = contract ? contract->n_defines : 0;

    if (linked->n_defines != count) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const struct fnp_define *a = &linked->defines[i], *b = &contract->defines[i];

        if (strcmp(a->name, b->name) != 0 || a->value != b->value ||
            a->is_stub != b->is_stub || a->has_value != b->has_value) {
            return false;
        }
    }
    return true;
}

static void hash_number(SHA256_CTX *hash, uint64_t number)
{
    SHA256_Update(hash, (const uint8_t *)&number, sizeof(number));
}

/* What is loaded, as it stands in the file, and the definitions that changed it. */
static void hash_linked(const struct fnp_shared_link *link, struct linked *linked)
{
    const struct fnp_dyn *dyn = link->dyn;
    SHA256_CTX hash;

    SHA256_Init(&hash);
    for (size_t i = 0; i < dyn->n_loads; i++) {
        const struct fnp_dyn_load *load = &dyn->loads[i];

        hash_number(&hash, load->vaddr);
        hash_number(&hash, load->memsz);
        hash_number(&hash, load->prot);
        SHA256_Update(&hash, load->bytes, load->filesz);
    }
    for (size_t i = 0; i < linked->n_defines; i++) {
        const struct fnp_define *define = &linked->defines[i];

        if (link->used[i]) {
            SHA256_Update(&hash, (const uint8_t *)define->name, strlen(define->name));
            hash_number(&hash, define->value);
            hash_number(&hash, 2u * define->is_stub + define->has_value);
        }
    }
    SHA256_Final(linked->digest, &hash);
}

static enum fnp_status link_once(struct fnp_shared_cache *cache,
                                 const struct fnp_shared_entry *entry,
                                 struct linked **out, struct fnp_err *err)
{
    struct fnp_arena scratch = { 0 };
    struct fnp_shared_link link = {
        .arena = cache->arena,
        .scratch = &scratch,
        .dyn = &cache->dyn,
        .contract = entry->contract,
        .err = err,
    };
    uint64_t base = (cache->dyn.is32 ? FNP_IMAGE_LOW : FNP_IMAGE_HIGH) +
                    entry->slot * (uint64_t)FNP_IMAGE_SPAN;
    struct linked *linked;
    enum fnp_status status;

    for (*out = cache->linked; *out; *out = (*out)->next) {
        if ((*out)->slot == entry->slot && same_defines(*out, entry->contract)) {
            return FNP_OK;
        }
    }
    linked = fnp_arena_alloc(cache->arena, sizeof(*linked));
    linked->slot = entry->slot;
    if (entry->contract && entry->contract->n_defines) {
        linked->n_defines = entry->contract->n_defines;
        linked->defines = memcpy(
            fnp_arena_array(cache->arena, linked->n_defines, sizeof(*linked->defines)),
            entry->contract->defines, linked->n_defines * sizeof(*linked->defines));
    }
    linked->bias = link.bias = base - cache->dyn.lo;
    linked->image = (struct fnp_image){
        .path = cache->dyn.path,
        .is32 = cache->dyn.is32,
    };
    status = fnp_shared_link(&link, &linked->image);
    if (status == FNP_OK) {
        name_all(&link, &linked->image);
        hash_linked(&link, linked);
        linked->next = cache->linked;
        cache->linked = *out = linked;
    }
    fnp_arena_release(&scratch);
    return status;
}

/* ---- the entry */

static enum fnp_status no_such_symbol(const struct fnp_dyn *dyn, const char *name,
                                      struct fnp_err *err)
{
    struct fnp_arena scratch = { 0 };
    const char **names = fnp_arena_array(&scratch, dyn->n_symbols, sizeof(*names));
    const char *nearest;

    for (size_t i = 0; i < dyn->n_symbols; i++) {
        if (is_function(dyn, &dyn->symbols[i])) {
            names[i] = dyn->symbols[i].name;
        }
    }
    nearest = fnp_nearest(name, names, dyn->n_symbols);
    if (nearest) {
        (void)fnp_err_set(err, FNP_INPUT, "%s: no symbol \"%s\"; nearest is \"%s\"",
                          dyn->path, name, nearest);
    } else {
        (void)fnp_err_set(err, FNP_INPUT,
                          "%s: no symbol \"%s\"; what the file does not name is had by "
                          "its address, FILE@0xADDR",
                          dyn->path, name);
    }
    fnp_arena_release(&scratch);
    return FNP_INPUT;
}

/* Is `word` in `name` between characters that no word has? */
static bool has_word(const char *name, const char *word)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    size_t len = strlen(word);

    for (const char *at = strstr(name, word); at; at = strstr(at + 1, word)) {
        if ((at == name || !strchr(letters, at[-1])) &&
            (!at[len] || !strchr(letters, at[len]))) {
            return true;
        }
    }
    return false;
}

enum {
    VARIANTS_SHOWN = 6
};

/* An IFUNC is refused with the functions that seem to be those it chooses from. */
static enum fnp_status refuse_ifunc(const struct fnp_dyn *dyn,
                                    const struct fnp_dyn_symbol *ifunc,
                                    struct fnp_err *err)
{
    const char *word = ifunc->name + strspn(ifunc->name, "_");
    struct fnp_arena scratch = { 0 };
    char text[256];
    struct fnp_str names = fnp_str_over(text, sizeof(text));
    size_t count = 0;

    for (size_t i = 0; *word && i < dyn->n_symbols; i++) {
        const struct fnp_dyn_symbol *symbol = &dyn->symbols[i];

        if (symbol->type == STT_FUNC && fnp_shared_is_code(dyn, symbol) &&
            symbol->value != ifunc->value && has_word(symbol->name, word)) {
            if (count++ < VARIANTS_SHOWN) {
                fnp_str_add(&names, "%s%s", names.len ? ", " : "",
                            full_name(&scratch, symbol));
            }
        }
    }
    fnp_arena_release(&scratch);
    if (count == 0) {
        return fnp_err_set(
            err, FNP_INPUT,
            "%s: \"%s\" is an IFUNC resolver, which is not run; the file "
            "does not name the functions it chooses from, name one by "
            "its address, FILE@0xADDR",
            dyn->path, ifunc->name);
    }
    return fnp_err_set(err, FNP_INPUT,
                       "%s: \"%s\" is an IFUNC resolver, which is not run; name one of "
                       "the functions it chooses from: %s%s",
                       dyn->path, ifunc->name, text,
                       count > VARIANTS_SHOWN ? ", ..." : "");
}

static enum fnp_status find_symbol(const struct fnp_dyn *dyn, const char *name,
                                   uint64_t *vaddr, uint64_t *size, struct fnp_err *err)
{
    const struct fnp_dyn_symbol *symbol = fnp_shared_find(dyn, name);
    const char *fault = NULL;

    if (!symbol) {
        return no_such_symbol(dyn, name, err);
    }
    if (symbol->is_defined && symbol->type == STT_GNU_IFUNC) {
        return refuse_ifunc(dyn, symbol, err);
    }
    if (!symbol->is_defined) {
        fault = "is not defined in this object, only used";
    } else if (symbol->is_number) {
        fault = "is a number, not code";
    } else if (!fnp_shared_is_code(dyn, symbol)) {
        fault = "is data, not code";
    }
    if (fault) {
        return fnp_err_set(err, FNP_INPUT, "%s: \"%s\" %s", dyn->path, name, fault);
    }
    *vaddr = symbol->value;
    *size = symbol->size;
    return FNP_OK;
}

static enum fnp_status find_address(const struct fnp_dyn *dyn,
                                    const struct fnp_contract *contract,
                                    uint64_t *vaddr, uint64_t *size,
                                    struct fnp_err *err)
{
    const struct fnp_dyn_load *load;

    if (!contract || !contract->has_address) {
        return fnp_err_set(err, FNP_INPUT,
                           "%s: neither a symbol nor an address is given", dyn->path);
    }
    load = fnp_dyn_load_at(dyn, contract->address, 1);
    if (!load || !(load->prot & FNP_PROT_X) ||
        !fnp_dyn_bytes(dyn, contract->address, 1)) {
        return fnp_err_set(err, FNP_INPUT, "%s: there is no code at address %#llx",
                           dyn->path, (unsigned long long)contract->address);
    }
    *vaddr = contract->address;
    for (size_t i = 0; i < dyn->n_symbols; i++) {
        const struct fnp_dyn_symbol *symbol = &dyn->symbols[i];

        if (symbol->value == *vaddr && fnp_shared_is_code(dyn, symbol) &&
            symbol->size > *size) {
            *size = symbol->size;
        }
    }
    return FNP_OK;
}

/* ---- loading */

/* Make the name by which the kernel was asked for the first one of its address. */
static void name_entry(struct fnp_arena *arena, const struct fnp_shared_entry *entry,
                       struct fnp_image *image)
{
    struct fnp_symbol own = fnp_names_entry(entry->contract, image->entry);
    struct fnp_symbol *list =
        fnp_arena_array(arena, image->n_symbols + 1, sizeof(*list));
    size_t at = 0;

    while (at < image->n_symbols && image->symbols[at].addr < image->entry) {
        at++;
    }
    own.name = entry->symbol ? entry->symbol : own.name;
    own.size = image->code_len;
    memcpy(list, image->symbols, at * sizeof(*list));
    list[at] = own;
    if (at < image->n_symbols) {
        memcpy(list + at + 1, image->symbols + at,
               (image->n_symbols - at) * sizeof(*list));
    }
    image->symbols = list;
    image->n_symbols++;
}

/* Of two names of one address the first one counts; is that the one asked for? */
static bool is_first(const struct fnp_shared_entry *entry,
                     const struct fnp_image *image)
{
    const struct fnp_symbol *symbol = fnp_image_symbol(image, image->entry);

    return symbol && symbol->addr == image->entry &&
           (!entry->symbol || strcmp(symbol->name, entry->symbol) == 0);
}

enum fnp_status fnp_shared_load(struct fnp_arena *arena,
                                const struct fnp_object *object,
                                const struct fnp_shared_entry *entry,
                                struct fnp_image *out, struct fnp_err *err)
{
    struct fnp_shared_cache *cache;
    struct linked *linked = NULL;
    uint64_t vaddr = 0, size = 0;
    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA256_CTX hash;
    enum fnp_status status = open_cache(arena, object, &cache, err);

    if (status == FNP_OK) {
        status = entry->symbol
                     ? find_symbol(&cache->dyn, entry->symbol, &vaddr, &size, err)
                     : find_address(&cache->dyn, entry->contract, &vaddr, &size, err);
    }
    status = status ? status : link_once(cache, entry, &linked, err);
    if (status != FNP_OK) {
        return status;
    }
    *out = linked->image;
    out->entry = linked->bias + vaddr;
    out->code_len = size;

    struct fnp_str text = fnp_str_over(out->code, sizeof(out->code));

    SHA256_Init(&hash);
    SHA256_Update(&hash, linked->digest, sizeof(linked->digest));
    hash_number(&hash, vaddr);
    SHA256_Final(digest, &hash);
    fnp_str_add(&text, "sha256:");
    fnp_str_add_hex(&text, digest, sizeof(digest));
    if (!is_first(entry, out)) {
        name_entry(arena, entry, out);
    }
    return FNP_OK;
}
