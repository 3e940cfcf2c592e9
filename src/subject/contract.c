/* SPDX-License-Identifier: MIT */
/*
 * contract.c - drafts, what keys must agree on, and whole contract files
 *
 * Single keys are read in contract_keys.c and written in contract_print.c.
 */
#include "subject/contract.h"

#include <assert.h>
#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

#include "base/nearest.h"
#include "base/str.h"
#include "subject/draft.h"
#include "subject/ini.h"
#include "x86/state.h"

/* ---- what others ask */

const struct fnp_buf *fnp_contract_buf(const struct fnp_contract *c, enum fnp_role role)
{
    for (size_t i = 0; i < c->n_bufs; i++) {
        if (c->bufs[i].role == role) {
            return &c->bufs[i];
        }
    }
    return NULL;
}

const char *fnp_role_label(unsigned role)
{
    static const char *const labels[FNP_MAX_BUFS] = { "dst", "src", "third" };

    return role < FNP_MAX_BUFS ? labels[role] : "buffer";
}

uint64_t fnp_buf_len(const struct fnp_buf *buf, uint64_t n)
{
    uint64_t len;

    return __builtin_mul_overflow(buf->mul, n, &len) ||
                   __builtin_add_overflow(len, buf->add, &len)
               ? UINT64_MAX
               : len;
}

bool fnp_sizes_allow(const struct fnp_sizes *sizes, uint64_t n)
{
    for (size_t i = 0; i < sizes->count; i++) {
        if (sizes->list[i] == n) {
            return true;
        }
    }
    return !sizes->count && n >= sizes->least && n <= sizes->most &&
           (n - sizes->least) % sizes->step == 0;
}

bool fnp_sizes_any(const struct fnp_sizes *sizes, uint64_t limit)
{
    for (size_t i = 0; i < sizes->count; i++) {
        if (sizes->list[i] <= limit) {
            return true;
        }
    }
    return !sizes->count && sizes->least <= limit && sizes->least <= sizes->most;
}

/* ---- drafts */

void fnp_contract_defaults(struct fnp_contract *c)
{
    *c = (struct fnp_contract){
        .sizes = { .most = UINT64_MAX, .step = 1 },
        .returns_width = 8,
    };
}

/*
 * Only the System V ABI of x86-64 has a red zone, and an interrupt on the stack that it
 * finds leaves none.
 */
uint64_t fnp_contract_usual_redzone(const struct fnp_contract *c)
{
    bool none = c->is32 || c->abi == FNP_ABI_MS64 || c->state == FNP_STATE_PRESERVE;

    return none ? 0 : 128;
}

/* Whether code is 32-bit decides what its prototype means, so it is settled first. */
static bool is_32_bit(const struct fnp_contract_draft *draft)
{
    const char *abi = draft->keys[FNP_KEY_abi].value;
    const char *regs = abi ? strchr(abi, ':') : NULL;

    if (regs) {
        regs++;
        return regs[strspn(regs, ", \t")] == 'e';
    }
    if (!abi) {
        return draft->is32;
    }
    return !strcmp(abi, fnp_abi_names.list[FNP_ABI_I386]) ||
           !strcmp(abi, fnp_abi_names.list[FNP_ABI_REGPARM3]);
}

enum fnp_overlap fnp_contract_usual_overlap(enum fnp_op op)
{
    return op == FNP_OP_MOVE ? FNP_OVERLAP_ANY : FNP_OVERLAP_NONE;
}

struct fnp_contract_draft *fnp_contract_draft(struct fnp_arena *arena, const char *name,
                                              const char *origin)
{
    struct fnp_contract_draft *draft = fnp_arena_alloc(arena, sizeof(*draft));

    draft->arena = arena;
    draft->name = fnp_arena_text(arena, name, strlen(name));
    draft->read_from = fnp_arena_text(arena, origin, strlen(origin));
    draft->where = draft->name;
    return draft;
}

struct fnp_contract_draft *
fnp_contract_draft_copy(const struct fnp_contract_draft *draft)
{
    struct fnp_contract_draft *copy = fnp_arena_alloc(draft->arena, sizeof(*copy));

    *copy = *draft;
    return copy;
}

/* A value that no contract file can hold would be lost when it is written down. */
static const char *not_one_line(const char *key, const char *value)
{
    if (strlen(key) + strlen("=") + strlen(value) > FNP_INI_LINE_MAX) {
        return "does not fit a line of 199 characters";
    }
    if (!*value) {
        return "is empty";
    }
    if (isspace((unsigned char)*value) ||
        isspace((unsigned char)value[strlen(value) - 1])) {
        return "begins or ends with a space";
    }
    if (*value == ';') {
        return "begins with a comment";
    }
    for (const char *at = value; *at; at++) {
        unsigned char c = (unsigned char)*at;
        if ((c < ' ' && c != '\t') || c == 0x7f) {
            return "holds a control character";
        }
        if (isspace(c) && at[1] == ';') {
            return "holds \" ;\", which begins a comment";
        }
    }
    return NULL;
}

enum fnp_status fnp_contract_key(struct fnp_contract_draft *draft, const char *key,
                                 const char *value, const char *where,
                                 struct fnp_err *err)
{
    enum fnp_contract_key_id id = fnp_contract_key_find(key);
    const char *wrong;

    if (id == FNP_N_CONTRACT_KEYS) {
        const char *near = fnp_nearest(key, fnp_contract_keys, fnp_contract_n_keys);

        return near ? fnp_err_set(err, FNP_INPUT,
                                  "%s: unknown key \"%s\"; nearest is \"%s\"", where,
                                  key, near)
                    : fnp_err_set(err, FNP_INPUT, "%s: unknown key \"%s\"", where, key);
    }
    assert(value);
    wrong = not_one_line(key, value);
    if (wrong) {
        return fnp_err_set(err, FNP_INPUT, "%s: the value of %s %s", where, key, wrong);
    }
    draft->keys[id] = (struct fnp_draft_key){
        .value = fnp_arena_text(draft->arena, value, strlen(value)),
        .where = fnp_arena_text(draft->arena, where, strlen(where)),
    };
    return FNP_OK;
}

/* ---- do the keys agree? */

/* Where the blame goes: at the key when it was written, else at the section. */
static const char *blame(const struct fnp_contract_draft *draft,
                         enum fnp_contract_key_id id)
{
    return draft->keys[id].value ? draft->keys[id].where : draft->where;
}

/* One output and one input of equal length, and no more? */
static bool is_pair(const struct fnp_contract *c)
{
    const struct fnp_buf *dst = fnp_contract_buf(c, FNP_DST);
    const struct fnp_buf *src = fnp_contract_buf(c, FNP_SRC);

    return c->n_bufs == 2 && dst && src && dst->mul == src->mul && dst->add == src->add;
}

static enum fnp_status guess_op(const struct fnp_contract_draft *draft,
                                struct fnp_contract *c, struct fnp_err *err)
{
    if (is_pair(c)) {
        c->op = FNP_OP_COPY;
    } else if (c->n_bufs == 1) {
        c->op = c->n_values ? FNP_OP_SET : FNP_OP_ZERO;
    } else {
        return fnp_err_set(
            err, FNP_INPUT,
            "%s: say op = copy, move, set, zero or ref:SYMBOL; the buffers "
            "do not tell",
            draft->where);
    }
    return FNP_OK;
}

/* Why the first value parameter cannot fill the output, or NULL. */
static const char *no_fill(const struct fnp_contract *c)
{
    for (size_t i = 0; i < c->n_params; i++) {
        if (c->params[i].kind == FNP_PARAM_VALUE && c->params[i].value == 0) {
            return c->params[i].width < c->bufs[0].elem
                       ? "needs a value parameter as wide as the buffer's elements"
                       : NULL;
        }
    }
    return "needs a value parameter to fill with";
}

static enum fnp_status check_op(const struct fnp_contract_draft *draft,
                                const struct fnp_contract *c, struct fnp_err *err)
{
    const char *wrong = NULL;

    switch (c->op) {
    case FNP_OP_COPY:
    case FNP_OP_MOVE:
        wrong =
            is_pair(c) ? NULL : "needs one output and one const input of equal length";
        break;
    case FNP_OP_SET:
        wrong = c->n_bufs != 1 ? "needs one buffer, an output" : no_fill(c);
        break;
    case FNP_OP_ZERO:
        wrong = c->n_bufs != 1 ? "needs one buffer, an output" : NULL;
        break;
    case FNP_OP_REF:
        break;
    }
    return wrong
               ? fnp_err_set(err, FNP_INPUT, "%s: op = %s %s", blame(draft, FNP_KEY_op),
                             fnp_op_names.list[c->op], wrong)
               : FNP_OK;
}

static enum fnp_status check_returns(const struct fnp_contract_draft *draft,
                                     const struct fnp_contract *c, struct fnp_err *err)
{
    bool address = c->returns == FNP_RETURNS_DST || c->returns == FNP_RETURNS_DST_N;
    const char *wrong = NULL;

    if (c->returns == FNP_RETURNS_REF && c->op != FNP_OP_REF) {
        wrong = "needs op = ref:SYMBOL";
    } else if (address && c->returns_width < fnp_word_len(c->is32)) {
        wrong = "needs a prototype that returns a pointer";
    } else if (c->returns == FNP_RETURNS_VALUE && c->returns_width < 8 &&
               c->returns_value >> (8 * c->returns_width)) {
        wrong = "does not fit the prototype's return type";
    }
    return wrong ? fnp_err_set(err, FNP_INPUT, "%s: returns = %s %s",
                               blame(draft, FNP_KEY_returns),
                               draft->keys[FNP_KEY_returns].value, wrong)
                 : FNP_OK;
}

static enum fnp_status check_rest(const struct fnp_contract_draft *draft,
                                  const struct fnp_contract *c, struct fnp_err *err)
{
    if (c->overlap != FNP_OVERLAP_NONE && !is_pair(c)) {
        return fnp_err_set(
            err, FNP_INPUT,
            "%s: overlap = %s needs one output and one input of equal length",
            blame(draft, FNP_KEY_overlap), draft->keys[FNP_KEY_overlap].value);
    }
    if (c->state == FNP_STATE_PRESERVE && c->clobbers_vector) {
        return fnp_err_set(err, FNP_INPUT,
                           "%s: clobbers = %s contradicts state = preserve, by which "
                           "every vector register survives",
                           blame(draft, FNP_KEY_clobbers),
                           draft->keys[FNP_KEY_clobbers].value);
    }
    if (c->faults == FNP_FAULTS_LEFT && c->returns != FNP_RETURNS_LEFT) {
        return fnp_err_set(err, FNP_INPUT, "%s: faults = left needs returns = left",
                           blame(draft, FNP_KEY_faults));
    }
    return FNP_OK;
}

/* ---- the promises that ask less of a kernel than usual */

static void weaken(struct fnp_str *out, const char *key, const char *value)
{
    fnp_str_add(out, "%s%s = %s", out->len ? ", " : "", key, value);
}

static bool is_weak(const struct fnp_contract *c, enum fnp_contract_key_id id)
{
    switch (id) {
    case FNP_KEY_overlap:
        return c->op == FNP_OP_MOVE && c->overlap != FNP_OVERLAP_ANY;
    case FNP_KEY_state:
        return c->state == FNP_STATE_KERNEL_FPU || c->state == FNP_STATE_MMX_LIVE;
    case FNP_KEY_redzone:
        return c->redzone > fnp_contract_usual_redzone(c);
    case FNP_KEY_order:
        return c->order == FNP_ORDER_WEAK;
    case FNP_KEY_reads:
        return c->reads_aligned != 0;
    case FNP_KEY_faults:
        return c->faults == FNP_FAULTS_LEFT;
    case FNP_KEY_set:
    case FNP_KEY_stub:
    case FNP_KEY_allow:
        return true;
    default:
        return false;
    }
}

static const char *promises(const struct fnp_contract_draft *draft,
                            const struct fnp_contract *c)
{
    char text[2048];
    struct fnp_str out = fnp_str_over(text, sizeof(text));

    for (unsigned i = 0; i < FNP_N_CONTRACT_KEYS; i++) {
        if (draft->keys[i].value && is_weak(c, (enum fnp_contract_key_id)i)) {
            weaken(&out, fnp_contract_keys[i], draft->keys[i].value);
        }
    }
    return out.len ? fnp_arena_text(draft->arena, text, out.len) : NULL;
}

enum fnp_status fnp_contract_finish(struct fnp_contract_draft *draft,
                                    struct fnp_contract *out, struct fnp_err *err)
{
    enum fnp_status status;

    fnp_contract_defaults(out);
    out->name = draft->name;
    out->read_from = draft->read_from;
    out->guess = draft->guess;
    out->guess_rest = draft->guess_rest;
    if (!draft->keys[FNP_KEY_proto].value) {
        return fnp_err_set(err, FNP_INPUT,
                           "%s: no prototype; write proto = void %s(void dst[n], ...)",
                           draft->where, draft->name);
    }
    out->is32 = is_32_bit(draft);
    status = fnp_contract_apply(draft, out, err);
    if (!draft->keys[FNP_KEY_abi].value && out->is32) {
        out->abi = FNP_ABI_I386;
    }
    if (!draft->keys[FNP_KEY_redzone].value && !draft->keys[FNP_KEY_profile].value) {
        out->redzone = fnp_contract_usual_redzone(out);
    }
    if (!status && !draft->keys[FNP_KEY_op].value) {
        status = guess_op(draft, out, err);
    }
    if (status) {
        return status;
    }
    if (!draft->keys[FNP_KEY_overlap].value) {
        out->overlap = fnp_contract_usual_overlap(out->op);
    }
    if (!out->symbol && !out->has_address) {
        out->symbol = out->name;
    }
    status = check_op(draft, out, err);
    status = status ? status : check_returns(draft, out, err);
    status = status ? status : check_rest(draft, out, err);
    out->promises = promises(draft, out);
    return status;
}

/* ---- whole files */

static bool is_pattern(const char *name)
{
    return strpbrk(name, "*?") != NULL;
}

static const char *value_of(const struct fnp_ini_section *section, const char *key)
{
    for (size_t i = 0; i < section->n_keys; i++) {
        if (!strcmp(section->keys[i].name, key)) {
            return section->keys[i].value;
        }
    }
    return NULL;
}

/* Give a section's keys to a draft; with `heir` only those that `like` takes over. */
static enum fnp_status give_keys(struct fnp_contract_draft *draft, const char *path,
                                 const struct fnp_ini_section *section, bool heir,
                                 struct fnp_err *err)
{
    assert(section);
    for (size_t i = 0; i < section->n_keys; i++) {
        const struct fnp_ini_key *key = &section->keys[i];
        enum fnp_contract_key_id id = fnp_contract_key_find(key->name);
        const char *where;
        enum fnp_status status;

        if (id == FNP_KEY_like ||
            (heir && id < FNP_N_CONTRACT_KEYS && !fnp_contract_key_inherited(id))) {
            continue;
        }
        where = fnp_arena_printf(draft->arena, "%s:%u", path, key->line);
        status = fnp_contract_key(draft, key->name, key->value, where, err);
        if (status) {
            return status;
        }
    }
    return FNP_OK;
}

/* The section that `like` names, or an error. */
static enum fnp_status find_model(const struct fnp_ini *ini, const char *path,
                                  const struct fnp_ini_section *heir, const char *name,
                                  const struct fnp_ini_section **out,
                                  struct fnp_err *err)
{
    for (size_t i = 0; i < ini->n_sections; i++) {
        if (!strcmp(ini->sections[i].name, name)) {
            *out = &ini->sections[i];
            return FNP_OK;
        }
    }
    return fnp_err_set(err, FNP_INPUT,
                       "%s:%u: [%s] is like \"%s\", which is no section", path,
                       heir->line, heir->name, name);
}

enum {
    LIKE_DEPTH = 16
};

/* The keys of what a section is like, from the far end of the chain to the near one. */
static enum fnp_status give_models(struct fnp_contract_draft *draft, const char *path,
                                   const struct fnp_ini *ini,
                                   const struct fnp_ini_section *section,
                                   struct fnp_err *err)
{
    const struct fnp_ini_section *chain[LIKE_DEPTH] = { NULL };
    size_t depth = 0;
    enum fnp_status status = FNP_OK;

    for (const struct fnp_ini_section *at = section; value_of(at, "like");) {
        if (depth == LIKE_DEPTH) {
            return fnp_err_set(err, FNP_INPUT,
                               "%s:%u: [%s] is like itself, or nearly so", path,
                               section->line, section->name);
        }
        status = find_model(ini, path, at, value_of(at, "like"), &chain[depth], err);
        if (status) {
            return status;
        }
        at = chain[depth++];
        assert(at);
    }
    while (!status && depth) {
        status = give_keys(draft, path, chain[--depth], true, err);
    }
    return status;
}

/* The keys of the patterns that match, the later one's last. */
static enum fnp_status give_patterns(struct fnp_contract_draft *draft, const char *path,
                                     const struct fnp_ini *ini, const char *name,
                                     struct fnp_err *err)
{
    enum fnp_status status = FNP_OK;

    for (size_t i = 0; !status && i < ini->n_sections; i++) {
        const struct fnp_ini_section *pattern = &ini->sections[i];
        if (is_pattern(pattern->name) && !fnmatch(pattern->name, name, 0)) {
            status = give_keys(draft, path, pattern, false, err);
        }
    }
    return status;
}

enum fnp_status fnp_contract_patterns(const struct fnp_contract_file *file,
                                      const char *name,
                                      struct fnp_contract_draft *draft, bool *any,
                                      struct fnp_err *err)
{
    *any = false;
    for (size_t i = 0; i < file->ini->n_sections; i++) {
        const char *pattern = file->ini->sections[i].name;
        *any |= is_pattern(pattern) && !fnmatch(pattern, name, 0);
    }
    return give_patterns(draft, file->path, file->ini, name, err);
}

/* One section: patterns that match, then what it is like, then its own keys. */
static enum fnp_status read_section(struct fnp_arena *arena, const char *path,
                                    const struct fnp_ini *ini,
                                    const struct fnp_ini_section *section,
                                    struct fnp_contract_draft **out,
                                    struct fnp_err *err)
{
    struct fnp_contract_draft *draft = fnp_contract_draft(arena, section->name, path);
    enum fnp_status status;

    draft->where =
        fnp_arena_printf(arena, "%s:%u: [%s]", path, section->line, section->name);
    status = give_patterns(draft, path, ini, section->name, err);
    status = status ? status : give_models(draft, path, ini, section, err);
    status = status ? status : give_keys(draft, path, section, false, err);
    *out = draft;
    return status;
}

/* Keys of a pattern that matches nothing must be right, too. */
static enum fnp_status check_pattern(struct fnp_arena *arena, const char *path,
                                     const struct fnp_ini_section *section,
                                     struct fnp_err *err)
{
    if (value_of(section, "like")) {
        return fnp_err_set(err, FNP_INPUT,
                           "%s:%u: a pattern [%s] cannot be like a section", path,
                           section->line, section->name);
    }
    return give_keys(fnp_contract_draft(arena, section->name, path), path, section,
                     false, err);
}

static const char *folder_of(struct fnp_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!slash) {
        return ".";
    }
    return fnp_arena_text(arena, path, slash == path ? 1 : (size_t)(slash - path));
}

/*
 * Whether the code is 32-bit is not known before its object is, and decides which
 * registers there are: what fits one of both is fine so far.
 */
static enum fnp_status finish_section(struct fnp_contract_draft *draft,
                                      struct fnp_contract *out, struct fnp_err *err)
{
    enum fnp_status status = fnp_contract_finish(draft, out, err);

    if (!status || draft->keys[FNP_KEY_abi].value) {
        return status;
    }
    draft->is32 = true;
    if (!fnp_contract_finish(draft, out, NULL)) {
        return FNP_OK;
    }
    draft->is32 = false;
    return fnp_contract_finish(draft, out, err);
}

enum fnp_status fnp_contract_parse(struct fnp_arena *arena, const char *path,
                                   const char *text, size_t len,
                                   struct fnp_contract_file *out, struct fnp_err *err)
{
    struct fnp_ini *ini = fnp_arena_alloc(arena, sizeof(*ini));
    enum fnp_status status = fnp_ini_parse(arena, path, text, len, ini, err);

    *out =
        (struct fnp_contract_file){ .path = fnp_arena_text(arena, path, strlen(path)),
                                    .dir = folder_of(arena, path),
                                    .ini = ini };
    if (status) {
        return status;
    }
    out->contracts = fnp_arena_array(arena, ini->n_sections, sizeof(*out->contracts));
    out->drafts =
        fnp_arena_array(arena, ini->n_sections, sizeof(struct fnp_contract_draft *));
    for (size_t i = 0; !status && i < ini->n_sections; i++) {
        const struct fnp_ini_section *section = &ini->sections[i];
        struct fnp_contract_draft **draft = &out->drafts[out->count];

        if (is_pattern(section->name)) {
            status = check_pattern(arena, path, section, err);
            continue;
        }
        status = read_section(arena, path, ini, section, draft, err);
        status =
            status ? status : finish_section(*draft, &out->contracts[out->count], err);
        out->count++;
    }
    if (!status && !ini->n_sections) {
        return fnp_err_set(err, FNP_INPUT,
                           "%s: no contract in it; a contract is a [section]", path);
    }
    return status;
}

enum fnp_status fnp_contract_read(struct fnp_arena *arena, const char *path,
                                  struct fnp_contract_file *out, struct fnp_err *err)
{
    char *text = NULL;
    size_t len = 0;
    enum fnp_status status = fnp_ini_slurp(arena, path, &text, &len, err);

    *out = (struct fnp_contract_file){ 0 };
    return status ? status : fnp_contract_parse(arena, path, text, len, out, err);
}
