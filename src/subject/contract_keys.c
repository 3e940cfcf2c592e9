/* SPDX-License-Identifier: MIT */
/*
 * contract_keys.c - what each key of a contract means
 *
 * To add a key: a row in draft.h's list, apply_KEY here, print_KEY in
 * contract_print.c, and a row in contract_test.c, which fails without it.
 */
#include <string.h>

#include "base/nearest.h"
#include "base/opt.h"
#include "base/str.h"
#include "subject/draft.h"
#include "subject/proto.h"
#include "x86/state.h"

/* A key being applied. */
struct apply {
    struct fnp_arena *arena;
    struct fnp_contract *c;
    const char *key, *value, *where;
    struct fnp_err *err;
};

/* One sentence about the key; there is always at least one argument. */
#define COMPLAIN(a, format, ...)                                                       \
    fnp_err_set((a)->err, FNP_INPUT, "%s: %s: " format, (a)->where, (a)->key,          \
                __VA_ARGS__)

/* ---- words and numbers */

/* The next word of *at between separators, NULL when there is none. */
static const char *next_word(struct fnp_arena *arena, const char **at,
                             const char *separators)
{
    const char *start = *at + strspn(*at, separators);
    size_t len = strcspn(start, separators);

    *at = start + len;
    return len ? fnp_arena_text(arena, start, len) : NULL;
}

static enum fnp_status unknown(struct apply *a, const char *what, const char *word,
                               const char *const *names, size_t count)
{
    const char *near = fnp_nearest(word, names, count);

    return near ? COMPLAIN(a, "unknown %s \"%s\"; nearest is \"%s\"", what, word, near)
                : COMPLAIN(a, "unknown %s \"%s\"", what, word);
}

/* Index of `word` among the words of a key; empty ones cannot be written. */
static enum fnp_status pick(struct apply *a, const char *word,
                            const struct fnp_words *words, unsigned *out)
{
    for (size_t i = 0; i < words->count; i++) {
        if (!strcmp(word, words->list[i])) {
            *out = (unsigned)i;
            return FNP_OK;
        }
    }
    return unknown(a, "word", word, words->list, words->count);
}

/* What stands behind `prefix` in the value, or NULL. */
static const char *behind(const char *value, const char *prefix)
{
    size_t len = strlen(prefix);

    return strncmp(value, prefix, len) ? NULL : value + len;
}

static bool is_power(uint64_t x)
{
    return x && !(x & (x - 1));
}

static enum fnp_status read_power(struct apply *a, const char *text, uint64_t most,
                                  uint64_t *out)
{
    if (!fnp_parse_u64(text, out) || !is_power(*out) || *out > most) {
        return COMPLAIN(a, "\"%s\" is not a power of two up to %llu", text,
                        (unsigned long long)most);
    }
    return FNP_OK;
}

/* "0,1,5-9" into list[0, room). */
static enum fnp_status read_list(struct apply *a, const char *text, uint64_t *list,
                                 size_t room, size_t *count)
{
    const char *word;

    *count = 0;
    while ((word = next_word(a->arena, &text, ", \t"))) {
        const char *dash = strchr(word, '-');
        uint64_t lo = 0, hi = 0;
        const char *first =
            dash ? fnp_arena_text(a->arena, word, (size_t)(dash - word)) : word;

        if (!fnp_parse_u64(first, &lo) || !fnp_parse_u64(dash ? dash + 1 : word, &hi) ||
            lo > hi) {
            return COMPLAIN(a, "\"%s\" is neither a number nor a range", word);
        }
        if (hi - lo >= room - *count) {
            return COMPLAIN(a, "at most %zu numbers in a list", room);
        }
        for (uint64_t k = 0; k <= hi - lo; k++) {
            list[(*count)++] = lo + k;
        }
    }
    return *count ? FNP_OK : COMPLAIN(a, "\"%s\" holds no number", a->value);
}

/* ---- registers */

/* Index of a general register; `except` is the mask of those that may not be named. */
static enum fnp_status read_register(struct apply *a, const char *word, unsigned except,
                                     uint8_t *out)
{
    const char *const *names = a->c->is32 ? fnp_gpr_names_32 : fnp_gpr_names;
    const unsigned count = a->c->is32 ? FNP_N_GPRS_32 : FNP_N_GPRS;

    for (unsigned i = 0; i < count; i++) {
        if (strcmp(word, names[i]) != 0) {
            continue;
        }
        if (except >> i & 1) {
            return COMPLAIN(a, "register %s cannot be used here (again)", word);
        }
        *out = (uint8_t)i;
        return FNP_OK;
    }
    return unknown(a, "register", word, names, count);
}

/* ---- the prototype and what names its parameters */

static enum fnp_status apply_proto(struct apply *a)
{
    a->c->proto = a->value;
    return fnp_proto_parse(a->value, a->where, a->c, a->err);
}

/* Kernel code of Linux: no red zone, and every x87, MMX, SSE and AVX bit survives. */
static enum fnp_status apply_profile(struct apply *a)
{
    a->c->state = FNP_STATE_PRESERVE;
    a->c->redzone = 0;
    return strcmp(a->value, "linux")
               ? COMPLAIN(a, "unknown profile \"%s\"; there is \"linux\"", a->value)
               : FNP_OK;
}

static enum fnp_status apply_op(struct apply *a)
{
    const char *symbol = behind(a->value, "ref:");
    unsigned i = 0;
    enum fnp_status status;

    if (symbol) {
        a->c->op = FNP_OP_REF;
        a->c->ref = symbol;
        return *symbol ? FNP_OK : COMPLAIN(a, "no symbol behind \"%s\"", a->value);
    }
    if (!strcmp(a->value, "ref")) {
        return COMPLAIN(a, "write ref:SYMBOL or ref:FILE:SYMBOL instead of \"%s\"",
                        a->value);
    }
    status = pick(a, a->value, &fnp_op_names, &i);
    a->c->op = (enum fnp_op)i;
    return status;
}

/* least:most[:step] */
static enum fnp_status read_range(struct apply *a, struct fnp_sizes *s)
{
    const char *at = a->value;
    const char *part[4] = { NULL };
    uint64_t step = s->step;
    uint64_t limit = s->most;

    for (size_t i = 0; i < FNP_ARRAY_LEN(part); i++) {
        part[i] = next_word(a->arena, &at, ": \t");
    }
    if (!part[1] || part[3] || !fnp_parse_u64(part[0], &s->least) ||
        (part[2] && (!fnp_parse_u64(part[2], &s->step) || !s->step))) {
        return COMPLAIN(a, "\"%s\" is not least:most:step", a->value);
    }
    if (strcmp(part[1], "-") != 0) {
        if (!fnp_parse_u64(part[1], &s->most)) {
            return COMPLAIN(a, "\"%s\" is neither a number nor '-'", part[1]);
        }
        if (s->most > limit) {
            return COMPLAIN(a, "the length parameter cannot carry %s", part[1]);
        }
    }
    if (s->least > s->most) {
        return COMPLAIN(a, "\"%s\" holds no size", a->value);
    }
    if (s->least % step || s->step % step) {
        return COMPLAIN(a, "the prototype wants multiples of %llu",
                        (unsigned long long)step);
    }
    return FNP_OK;
}

static enum fnp_status apply_sizes(struct apply *a)
{
    struct fnp_sizes *s = &a->c->sizes;
    enum fnp_status status;

    if (!a->c->has_n) {
        return COMPLAIN(a, "the prototype has no size variable for \"%s\"", a->value);
    }
    if (strchr(a->value, ':')) {
        return read_range(a, s);
    }
    status = read_list(a, a->value, s->list, FNP_ARRAY_LEN(s->list), &s->count);
    for (size_t i = 0; !status && i < s->count; i++) {
        if (s->list[i] > s->most || s->list[i] % s->step) {
            return COMPLAIN(a, "the length parameter cannot carry %llu",
                            (unsigned long long)s->list[i]);
        }
    }
    return status;
}

/* A buffer by its parameter's name, else by its role. */
static struct fnp_buf *find_buf(struct fnp_contract *c, const char *name)
{
    static const char *const roles[] = { "dst", "src", "third" };

    for (size_t i = 0; i < c->n_bufs; i++) {
        if (!strcmp(c->bufs[i].name, name)) {
            return &c->bufs[i];
        }
    }
    for (size_t i = 0; i < c->n_bufs; i++) {
        if (!strcmp(roles[c->bufs[i].role], name)) {
            return &c->bufs[i];
        }
    }
    return NULL;
}

/* What a caller can guarantee is at most a page. */
enum {
    ALIGN_MAX = 4096
};

static enum fnp_status apply_align(struct apply *a)
{
    const char *at = a->value;
    const char *word;

    while ((word = next_word(a->arena, &at, ", \t"))) {
        const char *colon = strchr(word, ':');
        const char *names[FNP_MAX_BUFS] = { NULL };
        uint64_t align = 0;
        enum fnp_status status =
            read_power(a, colon ? colon + 1 : word, ALIGN_MAX, &align);

        if (status) {
            return status;
        }
        for (size_t i = 0; i < a->c->n_bufs; i++) {
            a->c->bufs[i].align = colon ? a->c->bufs[i].align : align;
            names[i] = a->c->bufs[i].name;
        }
        if (colon) {
            const char *name = fnp_arena_text(a->arena, word, (size_t)(colon - word));
            struct fnp_buf *buf = find_buf(a->c, name);

            if (!buf) {
                return unknown(a, "buffer", name, names, FNP_MAX_BUFS);
            }
            buf->align = align;
        }
    }
    return FNP_OK;
}

/* `c:0,255 x:1-5`, by the name of the value parameter. */
static enum fnp_status apply_values(struct apply *a)
{
    const char *at = a->value;
    const char *word;

    while ((word = next_word(a->arena, &at, " \t"))) {
        const char *colon = strchr(word, ':');
        const struct fnp_param *param = NULL;
        struct fnp_value_list *list;
        enum fnp_status status;

        for (size_t i = 0; colon && i < a->c->n_params; i++) {
            const struct fnp_param *p = &a->c->params[i];
            if (p->kind == FNP_PARAM_VALUE &&
                strlen(p->name) == (size_t)(colon - word) &&
                !strncmp(p->name, word, (size_t)(colon - word))) {
                param = p;
            }
        }
        if (!param) {
            return COMPLAIN(a, "\"%s\" is not NAME:NUMBER,... of a value parameter",
                            word);
        }
        list = &a->c->values[param->value];
        status = read_list(a, colon + 1, list->item, FNP_ARRAY_LEN(list->item),
                           &list->count);
        for (size_t i = 0; !status && i < list->count; i++) {
            if (param->width < 8 && list->item[i] >> (8 * param->width)) {
                return COMPLAIN(a, "%s cannot be %llu", param->name,
                                (unsigned long long)list->item[i]);
            }
        }
        if (status) {
            return status;
        }
    }
    return FNP_OK;
}

/* ---- texts and words with a fixed set of answers */

#define TEXT_KEY(key)                                                                  \
    static enum fnp_status apply_##key(struct apply *a)                                \
    {                                                                                  \
        a->c->key = a->value;                                                          \
        return FNP_OK;                                                                 \
    }

TEXT_KEY(object)
TEXT_KEY(symbol)
TEXT_KEY(drain)
TEXT_KEY(cc)
TEXT_KEY(cflags)
TEXT_KEY(box)
TEXT_KEY(cases)
TEXT_KEY(origin)
TEXT_KEY(expect)
TEXT_KEY(twin)

#define WORD_KEY(key, type)                                                            \
    static enum fnp_status apply_##key(struct apply *a)                                \
    {                                                                                  \
        unsigned i = 0;                                                                \
        enum fnp_status status = pick(a, a->value, &fnp_##key##_names, &i);            \
                                                                                       \
        a->c->key = (type)i;                                                           \
        return status;                                                                 \
    }

WORD_KEY(overlap, enum fnp_overlap)
WORD_KEY(state, enum fnp_state_rule)
WORD_KEY(order, enum fnp_order)
WORD_KEY(faults, enum fnp_faults)

static enum fnp_status apply_address(struct apply *a)
{
    if (a->c->symbol) {
        return COMPLAIN(a, "either symbol = %s or an address", a->c->symbol);
    }
    a->c->has_address = true;
    return fnp_parse_u64(a->value, &a->c->address)
               ? FNP_OK
               : COMPLAIN(a, "\"%s\" is not a number", a->value);
}

/* ---- what comes back, what goes where */

/* The number behind "value:"; a negative one in the width of the declared type. */
static enum fnp_status read_returned(struct apply *a, const char *number)
{
    bool negative = *number == '-';
    unsigned bits = 8u * a->c->returns_width;
    uint64_t mask = bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
    uint64_t value = 0;

    if (!fnp_parse_u64(number + negative, &value) ||
        (negative && value > mask / 2 + 1)) {
        return COMPLAIN(a, "\"%s\" is not a number of the declared type", number);
    }
    a->c->returns_value = negative ? (0 - value) & mask : value;
    return FNP_OK;
}

/* Behind the '@': a result elsewhere than in rax has no declared type. */
static enum fnp_status read_place(struct apply *a, const char *reg)
{
    enum fnp_status status = read_register(a, reg, 1u << FNP_RSP, &a->c->returns_reg);

    if (!status && a->c->returns_reg != FNP_RAX) {
        a->c->returns_width = (uint8_t)fnp_word_len(a->c->is32);
    }
    return status;
}

static enum fnp_status apply_returns(struct apply *a)
{
    const char *at = strchr(a->value, '@');
    const char *word =
        at ? fnp_arena_text(a->arena, a->value, (size_t)(at - a->value)) : a->value;
    const char *number = behind(word, "value:");
    unsigned i = FNP_RETURNS_VALUE;
    enum fnp_status status = at ? read_place(a, at + 1) : FNP_OK;

    if (!status && number) {
        status = read_returned(a, number);
    } else if (!status && !strcmp(word, "value")) {
        return COMPLAIN(a, "write value:NUMBER instead of \"%s\"", word);
    } else if (!status) {
        status = pick(a, word, &fnp_returns_names, &i);
    }
    a->c->returns = (enum fnp_returns)i;
    if (!status && !at && a->c->returns_void && i != FNP_RETURNS_NONE) {
        return COMPLAIN(a, "the prototype returns void, so say where: %s@%s", word,
                        fnp_gpr_name(FNP_RAX, a->c->is32));
    }
    return status;
}

/* A parameter that `text` names: by name, or a constant by its number. */
static struct fnp_param *find_param(struct fnp_contract *c, const char *text,
                                    unsigned done)
{
    uint64_t number = 0;
    bool is_number = fnp_parse_u64(text, &number);

    for (size_t i = 0; i < c->n_params; i++) {
        struct fnp_param *p = &c->params[i];
        bool is_constant = p->kind == FNP_PARAM_CONST;

        if (is_constant ? is_number && p->constant == number && !(done >> i & 1)
                        : !strcmp(p->name, text)) {
            return p;
        }
    }
    if (!is_number || c->n_params == FNP_MAX_PARAMS) {
        return NULL;
    }
    c->params[c->n_params] = (struct fnp_param){
        .kind = FNP_PARAM_CONST,
        .width = (uint8_t)fnp_word_len(c->is32),
        .divisor = 1,
        .constant = number,
    };
    return &c->params[c->n_params++];
}

/* "rdi=dst rcx=n rax=0": every parameter once, every register once. */
static enum fnp_status read_regs(struct apply *a, const char *at)
{
    struct fnp_contract *c = a->c;
    unsigned registers = 1u << FNP_RSP, done = 0;
    const char *word;

    while ((word = next_word(a->arena, &at, ", \t"))) {
        const char *equal = strchr(word, '=');
        struct fnp_param *param = equal ? find_param(c, equal + 1, done) : NULL;
        enum fnp_status status;

        if (!param || done >> (param - c->params) & 1) {
            return COMPLAIN(a, "\"%s\" is not REGISTER=PARAMETER", word);
        }
        status =
            read_register(a, fnp_arena_text(a->arena, word, (size_t)(equal - word)),
                          registers, &param->reg);
        if (status) {
            return status;
        }
        registers |= 1u << param->reg;
        done |= 1u << (param - c->params);
    }
    for (size_t i = 0; i < c->n_params; i++) {
        if (!(done >> i & 1)) {
            return COMPLAIN(a, "no register for parameter %zu (%s)", i + 1,
                            c->params[i].name);
        }
    }
    return FNP_OK;
}

static enum fnp_status apply_abi(struct apply *a)
{
    const char *regs = behind(a->value, "regs:");
    unsigned i = FNP_ABI_REGS;
    enum fnp_status status =
        regs ? read_regs(a, regs) : pick(a, a->value, &fnp_abi_names, &i);

    a->c->abi = (enum fnp_abi)i;
    a->c->has_abi = true;
    if (!status && !regs && i == FNP_ABI_REGS) {
        return COMPLAIN(a, "write \"%s: rdi=dst rcx=n\"", a->value);
    }
    return status;
}

/* "xmm3", "ymm3": its number, or -1. */
static int vector_register(const char *word)
{
    const char *digits = behind(word, "xmm");
    uint64_t number = 0;

    digits = digits ? digits : behind(word, "ymm");
    return digits && fnp_parse_u64(digits, &number) && number < 16 ? (int)number : -1;
}

/* "xmm3" or "xmm0-xmm3"; false: neither. */
static bool add_vectors(struct apply *a, const char *word)
{
    const char *dash = strchr(word, '-');
    int lo = vector_register(
        dash ? fnp_arena_text(a->arena, word, (size_t)(dash - word)) : word);
    int hi = vector_register(dash ? dash + 1 : word);

    for (int i = lo; lo >= 0 && i <= hi; i++) {
        a->c->clobbers_vector |= 1u << i;
    }
    return lo >= 0 && lo <= hi;
}

/* Words of an asm statement's clobber list that every kernel may do anyway. */
static bool is_free(const char *word)
{
    static const char *const words[] = { "flags", "cc", "memory" };

    for (size_t i = 0; i < FNP_ARRAY_LEN(words); i++) {
        if (!strcmp(word, words[i])) {
            return true;
        }
    }
    return false;
}

static enum fnp_status apply_clobbers(struct apply *a)
{
    const char *at = a->value;
    const char *word;

    a->c->has_clobbers = true;
    if (!strcmp(a->value, "none")) {
        return FNP_OK;
    }
    while ((word = next_word(a->arena, &at, ", \t"))) {
        uint8_t reg = 0;
        enum fnp_status status;

        if (is_free(word) || add_vectors(a, word)) {
            continue;
        }
        status = read_register(a, word, 1u << FNP_RSP, &reg);
        if (status) {
            return status;
        }
        a->c->clobbers |= 1u << reg;
    }
    return FNP_OK;
}

enum {
    REDZONE_MAX = 4096
};

static enum fnp_status apply_redzone(struct apply *a)
{
    if (!fnp_parse_u64(a->value, &a->c->redzone) || a->c->redzone > REDZONE_MAX) {
        return COMPLAIN(a, "\"%s\" is not a number up to %d", a->value, REDZONE_MAX);
    }
    return FNP_OK;
}

static enum fnp_status apply_reads(struct apply *a)
{
    const char *number = behind(a->value, "aligned:");

    if (number) {
        return read_power(a, number, ALIGN_MAX, &a->c->reads_aligned);
    }
    return strcmp(a->value, "exact")
               ? COMPLAIN(a, "\"%s\" is neither exact nor aligned:N", a->value)
               : FNP_OK;
}

static enum fnp_status apply_writes(struct apply *a)
{
    const char *number = behind(a->value, "atomic:");
    unsigned i = 0;
    enum fnp_status status;

    if (number) {
        a->c->writes = FNP_WRITES_ATOMIC;
        return read_power(a, number, 64, &a->c->writes_atomic);
    }
    if (!strcmp(a->value, "atomic")) {
        return COMPLAIN(a, "write atomic:N instead of \"%s\"", a->value);
    }
    status = pick(a, a->value, &fnp_writes_names, &i);
    a->c->writes = i == FNP_WRITES_ONCE ? FNP_WRITES_ONCE : FNP_WRITES_ANY;
    return status;
}

static enum fnp_status apply_cpu(struct apply *a)
{
    const char *at = a->value;
    const char *word;

    a->c->has_cpu = true;
    if (!strcmp(a->value, "none")) {
        return FNP_OK;
    }
    while ((word = next_word(a->arena, &at, ", \t"))) {
        enum fnp_feature feature = fnp_feature_find(word);

        if (feature == FNP_N_FEATURES) {
            const char *names[FNP_N_FEATURES];
            for (unsigned i = 0; i < FNP_N_FEATURES; i++) {
                names[i] = fnp_feature_name((enum fnp_feature)i);
            }
            return unknown(a, "CPU feature", word, names, FNP_N_FEATURES);
        }
        a->c->cpu |= (fnp_features)1 << feature;
    }
    return FNP_OK;
}

/* ---- definitions, waivers */

/* NAME:NUMBER words; for a stub the number may be missing. */
static enum fnp_status read_defines(struct apply *a, bool is_stub)
{
    const char *at = a->value;
    const char *word;

    while ((word = next_word(a->arena, &at, ", \t"))) {
        const char *colon = strrchr(word, ':');
        struct fnp_define *define = &a->c->defines[a->c->n_defines];

        if (a->c->n_defines == FNP_MAX_LIST) {
            return COMPLAIN(a, "more than %d definitions", FNP_MAX_LIST);
        }
        *define = (struct fnp_define){ .is_stub = is_stub, .name = word };
        if (colon) {
            define->name = fnp_arena_text(a->arena, word, (size_t)(colon - word));
            define->has_value = true;
        }
        if (!*define->name || (!colon && !is_stub) ||
            (colon && !fnp_parse_u64(colon + 1, &define->value))) {
            return COMPLAIN(a, "\"%s\" is not %s", word,
                            is_stub ? "NAME or NAME:NUMBER" : "NAME:NUMBER");
        }
        for (size_t i = 0; i < a->c->n_defines; i++) {
            if (!strcmp(a->c->defines[i].name, define->name)) {
                return COMPLAIN(a, "\"%s\" is defined twice", define->name);
            }
        }
        a->c->n_defines++;
    }
    return FNP_OK;
}

static enum fnp_status apply_set(struct apply *a)
{
    return read_defines(a, false);
}

static enum fnp_status apply_stub(struct apply *a)
{
    return read_defines(a, true);
}

/* From SLUG[@SYMBOL[+OFFSET]] to an entry; `word` is changed. */
static enum fnp_status read_allow(struct apply *a, char *word, struct fnp_allow *allow)
{
    char *at = strchr(word, '@');
    char *plus = at ? strrchr(at, '+') : NULL;

    if (at) {
        *at = 0;
        allow->symbol = at + 1;
    }
    if (plus) {
        *plus = 0;
        allow->has_offset = true;
        if (!fnp_parse_u64(plus + 1, &allow->offset)) {
            return COMPLAIN(a, "\"%s\" is not an offset", plus + 1);
        }
    }
    if (at && !*allow->symbol) {
        return COMPLAIN(a, "no symbol behind \"%s@\"", word);
    }
    allow->rule = fnp_rule_find(word);
    if (allow->rule == FNP_N_RULES) {
        const char *slugs[FNP_N_RULES];
        for (unsigned i = 0; i < FNP_N_RULES; i++) {
            slugs[i] = fnp_rule_info((enum fnp_rule)i)->slug;
        }
        return unknown(a, "finding", word, slugs, FNP_N_RULES);
    }
    return FNP_OK;
}

/* `SLUG[@SYMBOL+0xOFF] "reason", SLUG ...` */
static enum fnp_status apply_allow(struct apply *a)
{
    const char *at = a->value;

    for (;;) {
        size_t len = strcspn(at, " \t,\"");
        struct fnp_allow *allow = &a->c->allows[a->c->n_allows];
        enum fnp_status status;

        if (a->c->n_allows == FNP_ARRAY_LEN(a->c->allows)) {
            return COMPLAIN(a, "more than %zu waivers", FNP_ARRAY_LEN(a->c->allows));
        }
        status = read_allow(a, fnp_arena_text(a->arena, at, len), allow);
        if (status) {
            return status;
        }
        a->c->n_allows++;
        at += len;
        at += strspn(at, " \t");
        if (*at == '"') {
            len = strcspn(at + 1, "\"");
            if (!len || !at[len + 1]) {
                return COMPLAIN(a, "a reason is one text in quotes, not %s", at);
            }
            allow->reason = fnp_arena_text(a->arena, at + 1, len);
            at += len + 2;
            at += strspn(at, " \t");
        }
        if (!*at) {
            return FNP_OK;
        }
        if (*at != ',') {
            return COMPLAIN(a, "expected a comma at \"%s\"", at);
        }
        at++;
        at += strspn(at, " \t");
    }
}

/* Contract files resolve it before anything is applied. */
static enum fnp_status apply_like(struct apply *a)
{
    return COMPLAIN(a,
                    "\"%s\": only a section of a contract file can be like another one",
                    a->value);
}

/* ---- all of them */

const char *const fnp_contract_keys[] = {
#define KEY(name) #name,
    FNP_CONTRACT_KEYS(KEY)
#undef KEY
};
const size_t fnp_contract_n_keys = FNP_ARRAY_LEN(fnp_contract_keys);

static enum fnp_status (*const appliers[])(struct apply *) = {
#define KEY(name) apply_##name,
    FNP_CONTRACT_KEYS(KEY)
#undef KEY
};

enum fnp_contract_key_id fnp_contract_key_find(const char *name)
{
    unsigned i = 0;

    while (i < FNP_N_CONTRACT_KEYS && strcmp(fnp_contract_keys[i], name) != 0) {
        i++;
    }
    return (enum fnp_contract_key_id)i;
}

bool fnp_contract_key_inherited(enum fnp_contract_key_id id)
{
    return id != FNP_KEY_symbol && id != FNP_KEY_address && id != FNP_KEY_allow &&
           id != FNP_KEY_expect && id != FNP_KEY_twin && id != FNP_KEY_like;
}

enum fnp_status fnp_contract_apply(const struct fnp_contract_draft *draft,
                                   struct fnp_contract *c, struct fnp_err *err)
{
    for (size_t i = 0; i < FNP_N_CONTRACT_KEYS; i++) {
        struct apply a = { .arena = draft->arena,
                           .c = c,
                           .key = fnp_contract_keys[i],
                           .value = draft->keys[i].value,
                           .where = draft->keys[i].where,
                           .err = err };
        enum fnp_status status = a.value ? appliers[i](&a) : FNP_OK;

        if (status) {
            return status;
        }
    }
    return FNP_OK;
}
