/* SPDX-License-Identifier: MIT */
/*
 * proto.c - recursive descent over one prototype, then a look at what was read
 *
 * First every parameter is read as written; only then, when the size variable is
 * known, is it decided which one is the length.  Never allocates.
 */
#include "subject/proto.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/opt.h"
#include "x86/state.h"

enum {
    NAME_ROOM = sizeof(((struct fnp_param *)0)->name),
    FUNCTION_ROOM = 201 /* the function's name is not kept */
};

enum token_kind {
    T_END,
    T_NAME,
    T_NUMBER,
    T_SIGN
};

struct token {
    enum token_kind kind;
    char sign; /* T_SIGN */
    uint64_t number;
    char name[FUNCTION_ROOM];
};

struct type {
    uint8_t width; /* of the base type; 1 for void */
    bool is_signed, is_void, is_const, is_inout;
    unsigned stars;
};

/* A parameter as written. */
struct written {
    struct type type;
    char name[NAME_ROOM];
    bool has_extent, has_number;
    uint64_t mul, add; /* elements */
    uint64_t divisor;  /* 0: no '/' */
    uint64_t number;
};

struct parser {
    const char *where;
    const char *at; /* behind `now` */
    uint8_t word;   /* bytes of a pointer, of size_t and long */
    struct token now;
    size_t room;            /* of a name and its end */
    char n_name[NAME_ROOM]; /* the size variable; empty: none yet */
    struct written params[FNP_MAX_PARAMS];
    size_t n_params;
    struct fnp_err *err;
};

/* One sentence: WHERE: proto: TEXT "WORD" MORE. */
static enum fnp_status complain(const struct parser *p, const char *text,
                                const char *word, const char *more)
{
    return fnp_err_set(p->err, FNP_INPUT, "%s: proto: %s \"%s\"%s%s", p->where, text,
                       word, *more ? " " : "", more);
}

/* ---- tokens */

static bool name_start(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

static bool name_part(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* A name or number too long for its room is an error: cut names could become equal. */
static enum fnp_status next(struct parser *p)
{
    const char *start;
    size_t len = 0;

    while (isspace((unsigned char)*p->at)) {
        p->at++;
    }
    start = p->at;
    p->now = (struct token){ .kind = T_END };
    if (!*start) {
        return FNP_OK;
    }
    while (name_part(start[len])) {
        len++;
    }
    if (!len || *start == '.' || *start == '$') {
        p->now.kind = T_SIGN;
        p->now.sign = *start;
        p->at++;
        return FNP_OK;
    }
    p->at += len;
    if (len >= p->room) {
        return fnp_err_set(p->err, FNP_INPUT,
                           "%s: proto: \"%.*s...\" is too long a name", p->where,
                           NAME_ROOM - 1, start);
    }
    memcpy(p->now.name, start, len);
    if (name_start(*start)) {
        p->now.kind = T_NAME;
        return FNP_OK;
    }
    p->now.kind = T_NUMBER;
    if (!fnp_parse_u64(p->now.name, &p->now.number)) {
        return complain(p, "not a number:", p->now.name, "");
    }
    return FNP_OK;
}

static bool is_sign(const struct parser *p, char sign)
{
    return p->now.kind == T_SIGN && p->now.sign == sign;
}

static bool is_word(const struct parser *p, const char *word)
{
    return p->now.kind == T_NAME && !strcmp(p->now.name, word);
}

/* What was found instead, for messages. */
static enum fnp_status expected(const struct parser *p, const char *what)
{
    char sign[2] = { p->now.sign, 0 };
    const char *found = p->now.kind == T_END    ? "the end"
                        : p->now.kind == T_SIGN ? sign
                                                : p->now.name;

    return fnp_err_set(p->err, FNP_INPUT, "%s: proto: expected %s, found %s%s%s",
                       p->where, what, p->now.kind == T_END ? "" : "\"", found,
                       p->now.kind == T_END ? "" : "\"");
}

static enum fnp_status skip(struct parser *p, char sign, const char *what)
{
    return is_sign(p, sign) ? next(p) : expected(p, what);
}

/* ---- types */

enum {
    K_VOID = 1,
    K_CHAR = 2,
    K_SHORT = 4,
    K_INT = 8,
    K_LONG = 16,
    K_LONG_LONG = 32,
    K_SIGNED = 64,
    K_UNSIGNED = 128,
    K_NAMED = 256, /* a typedef */
};

/* As wide as a pointer. */
enum {
    WORD = 0
};

static const struct {
    const char *name;
    unsigned keyword; /* 0: a typedef */
    uint8_t width;    /* WORD: of a pointer */
    bool is_signed;
} types[] = {
    { "void",      K_VOID,     0,    false },
    { "char",      K_CHAR,     0,    false },
    { "short",     K_SHORT,    0,    false },
    { "int",       K_INT,      0,    false },
    { "long",      K_LONG,     0,    false },
    { "signed",    K_SIGNED,   0,    false },
    { "unsigned",  K_UNSIGNED, 0,    false },
    { "size_t",    0,          WORD, false },
    { "ssize_t",   0,          WORD, true  },
    { "ptrdiff_t", 0,          WORD, true  },
    { "intptr_t",  0,          WORD, true  },
    { "uintptr_t", 0,          WORD, false },
    { "int8_t",    0,          1,    true  },
    { "int16_t",   0,          2,    true  },
    { "int32_t",   0,          4,    true  },
    { "int64_t",   0,          8,    true  },
    { "uint8_t",   0,          1,    false },
    { "uint16_t",  0,          2,    false },
    { "uint32_t",  0,          4,    false },
    { "uint64_t",  0,          8,    false },
    { "wchar_t",   0,          4,    true  },
    { "s8",        0,          1,    true  },
    { "s16",       0,          2,    true  },
    { "s32",       0,          4,    true  },
    { "s64",       0,          8,    true  },
    { "u8",        0,          1,    false },
    { "u16",       0,          2,    false },
    { "u32",       0,          4,    false },
    { "u64",       0,          8,    false },
};

/* Combinations of keywords without signed and unsigned, and what they are. */
static const struct {
    unsigned keywords;
    uint8_t width;
} combinations[] = {
    { K_VOID,                       1    },
    { K_CHAR,                       1    },
    { K_SHORT,                      2    },
    { K_SHORT | K_INT,              2    },
    { 0,                            4    },
    { K_INT,                        4    },
    { K_LONG,                       WORD },
    { K_LONG | K_INT,               WORD },
    { K_LONG | K_LONG_LONG,         8    },
    { K_LONG | K_LONG_LONG | K_INT, 8    },
};

static bool is_qualifier(const struct parser *p)
{
    static const char *const words[] = { "const",      "volatile",     "restrict",
                                         "__restrict", "__restrict__", "inout" };

    for (size_t i = 0; i < FNP_ARRAY_LEN(words); i++) {
        if (is_word(p, words[i])) {
            return true;
        }
    }
    return false;
}

/* Index into types, or their number. */
static size_t find_type(const char *name)
{
    size_t i = 0;

    while (i < FNP_ARRAY_LEN(types) && strcmp(types[i].name, name) != 0) {
        i++;
    }
    return i;
}

static enum fnp_status unknown_type(const struct parser *p)
{
    const char *names[FNP_ARRAY_LEN(types)];
    const char *near;

    if (is_word(p, "float") || is_word(p, "double")) {
        return complain(p, "floating point cannot be passed yet:", p->now.name, "");
    }
    if (is_word(p, "struct") || is_word(p, "union") || is_word(p, "enum")) {
        return complain(p, "write void or an integer type instead of", p->now.name, "");
    }
    for (size_t i = 0; i < FNP_ARRAY_LEN(types); i++) {
        names[i] = types[i].name;
    }
    near = fnp_nearest(p->now.name, names, FNP_ARRAY_LEN(names));
    return fnp_err_set(p->err, FNP_INPUT, "%s: proto: unknown type \"%s\"%s%s%s",
                       p->where, p->now.name, near ? "; nearest is \"" : "",
                       near ? near : "", near ? "\"" : "");
}

/* Add one keyword or typedef to those seen; false when C has no such combination. */
static bool add_type(const struct parser *p, size_t i, unsigned *seen,
                     struct type *type)
{
    unsigned keyword = types[i].keyword;

    if (!keyword) {
        type->width = types[i].width == WORD ? p->word : types[i].width;
        type->is_signed = types[i].is_signed;
        keyword = K_NAMED;
    }
    if (keyword == K_LONG && (*seen & K_LONG)) {
        keyword = K_LONG_LONG;
    }
    if ((*seen & (keyword | K_NAMED)) || (keyword == K_NAMED && *seen)) {
        return false;
    }
    *seen |= keyword;
    return true;
}

/* From keywords to width and signedness. */
static bool combine(const struct parser *p, unsigned seen, struct type *type)
{
    unsigned sign = seen & (K_SIGNED | K_UNSIGNED);

    if (seen & K_NAMED) {
        return true;
    }
    type->is_void = seen == K_VOID;
    type->is_signed = !type->is_void && !(seen & K_UNSIGNED);
    if (sign == (K_SIGNED | K_UNSIGNED) || (sign && (seen & K_VOID))) {
        return false;
    }
    for (size_t i = 0; i < FNP_ARRAY_LEN(combinations); i++) {
        if (combinations[i].keywords == (seen & ~sign)) {
            type->width =
                combinations[i].width == WORD ? p->word : combinations[i].width;
            return true;
        }
    }
    return false;
}

/* Type words and qualifiers, up to a '*', a name that is no type, or a sign. */
static enum fnp_status read_specifiers(struct parser *p, struct type *type)
{
    unsigned seen = 0;
    enum fnp_status status = FNP_OK;

    while (!status && p->now.kind == T_NAME) {
        size_t i = find_type(p->now.name);

        if (is_qualifier(p)) {
            type->is_const |= is_word(p, "const");
            type->is_inout |= is_word(p, "inout");
        } else if (i == FNP_ARRAY_LEN(types)) {
            break;
        } else if (!add_type(p, i, &seen, type)) {
            return complain(p, "no such type in C: surplus", p->now.name, "");
        }
        status = next(p);
    }
    if (status) {
        return status;
    }
    if (!seen) {
        return p->now.kind == T_NAME ? unknown_type(p) : expected(p, "a type");
    }
    if (!combine(p, seen, type)) {
        return complain(p, "no type of C stands before", p->now.name, "");
    }
    return FNP_OK;
}

/* '*' and the qualifiers behind each; a const here is about the pointer itself. */
static enum fnp_status read_stars(struct parser *p, struct type *type)
{
    enum fnp_status status = FNP_OK;

    while (!status && (is_sign(p, '*') || (type->stars && is_qualifier(p)))) {
        type->stars += is_sign(p, '*');
        type->is_inout |= is_word(p, "inout");
        status = next(p);
    }
    return status;
}

/* ---- extents */

/* One product: *mul * n + *add with one of them 0. */
static enum fnp_status read_product(struct parser *p, uint64_t *mul, uint64_t *add)
{
    uint64_t factor = 1;
    bool has_n = false;
    enum fnp_status status;

    for (;;) {
        if (p->now.kind == T_NUMBER) {
            if (__builtin_mul_overflow(factor, p->now.number, &factor)) {
                return complain(p, "the extent does not fit 64 bits at", p->now.name,
                                "");
            }
        } else if (p->now.kind != T_NAME) {
            return expected(p, "a number or the size variable in an extent");
        } else if (has_n) {
            return complain(p, "an extent multiplies the size variable by itself:",
                            p->now.name, "");
        } else if (p->n_name[0] && strcmp(p->n_name, p->now.name) != 0) {
            return fnp_err_set(
                p->err, FNP_INPUT,
                "%s: proto: extents use two variables, \"%s\" and \"%s\"; "
                "there can be one",
                p->where, p->n_name, p->now.name);
        } else {
            has_n = true;
            memcpy(p->n_name, p->now.name, sizeof(p->n_name));
        }
        status = next(p);
        if (status || !is_sign(p, '*')) {
            break;
        }
        status = next(p);
        if (status) {
            break;
        }
    }
    *mul = has_n ? factor : 0;
    *add = has_n ? 0 : factor;
    return status;
}

/* From behind '[' to behind ']'. */
static enum fnp_status read_extent(struct parser *p, struct written *w)
{
    enum fnp_status status;

    for (;;) {
        uint64_t mul = 0, add = 0;

        status = read_product(p, &mul, &add);
        if (status) {
            return status;
        }
        if (__builtin_add_overflow(w->mul, mul, &w->mul) ||
            __builtin_add_overflow(w->add, add, &w->add)) {
            return complain(p, "the extent does not fit 64 bits:", w->name, "");
        }
        if (!is_sign(p, '+')) {
            break;
        }
        status = next(p);
        if (status) {
            return status;
        }
    }
    if (is_sign(p, '@')) {
        return complain(
            p, "2-D extents (rows @ stride) are not supported yet:", w->name, "");
    }
    if (is_sign(p, '-') || is_sign(p, '/')) {
        return complain(
            p, "an extent is a sum of products, without '-' and '/':", w->name, "");
    }
    w->has_extent = true;
    status = skip(p, ']', "\"]\" or \"+\" in an extent");
    if (!status && is_sign(p, '[')) {
        return complain(p, "2-D extents are not supported yet:", w->name, "");
    }
    return status;
}

/* ---- parameters */

/* Behind the type words of a parameter: stars, name or number, extent or divisor. */
static enum fnp_status read_declarator(struct parser *p, struct written *w)
{
    enum fnp_status status = read_stars(p, &w->type);

    if (status) {
        return status;
    }
    if (p->now.kind == T_NUMBER) {
        w->has_number = true;
        w->number = p->now.number;
        return next(p);
    }
    if (p->now.kind != T_NAME) {
        return expected(p, "a parameter's name");
    }
    memcpy(w->name, p->now.name, sizeof(w->name));
    status = next(p);
    if (!status && is_sign(p, '[')) {
        status = next(p);
        return status ? status : read_extent(p, w);
    }
    if (!status && is_sign(p, '/')) {
        status = next(p);
        if (status) {
            return status;
        }
        if (p->now.kind != T_NUMBER || !p->now.number) {
            return expected(p, "a number of at least 1 behind \"/\"");
        }
        w->divisor = p->now.number;
        status = next(p);
    }
    return status;
}

/* A number alone is passed as a whole register. */
static enum fnp_status read_constant(struct parser *p, struct written *w)
{
    bool negative = is_sign(p, '-');
    enum fnp_status status = negative ? next(p) : FNP_OK;

    if (status) {
        return status;
    }
    if (p->now.kind != T_NUMBER) {
        return expected(p, "a number");
    }
    w->type = (struct type){ .width = p->word };
    w->has_number = true;
    w->number = negative ? 0 - p->now.number : p->now.number;
    return next(p);
}

static enum fnp_status read_param(struct parser *p)
{
    struct written *w = &p->params[p->n_params];
    enum fnp_status status;

    if (p->n_params == FNP_MAX_PARAMS) {
        return fnp_err_set(p->err, FNP_INPUT, "%s: proto: more than %d parameters",
                           p->where, FNP_MAX_PARAMS);
    }
    *w = (struct written){ 0 };
    if (p->now.kind == T_NUMBER || is_sign(p, '-')) {
        status = read_constant(p, w);
    } else {
        status = read_specifiers(p, &w->type);
        status = status ? status : read_declarator(p, w);
    }
    for (size_t i = 0; !status && w->name[0] && i < p->n_params; i++) {
        if (!strcmp(p->params[i].name, w->name)) {
            return complain(p, "two parameters are named", w->name, "");
        }
    }
    p->n_params++;
    return status;
}

/* TYPE NAME ( PARAM , PARAM ... ) ;  The last one is optional. */
static enum fnp_status read_prototype(struct parser *p, struct type *returns)
{
    enum fnp_status status = next(p);

    status = status ? status : read_specifiers(p, returns);
    status = status ? status : read_stars(p, returns);
    if (status) {
        return status;
    }
    if (p->now.kind != T_NAME) {
        return expected(p, "the function's name");
    }
    p->room = NAME_ROOM;
    status = next(p);
    status = status ? status : skip(p, '(', "\"(\" behind the function's name");
    status = status ? status : read_param(p);
    while (!status && is_sign(p, ',')) {
        status = next(p);
        status = status ? status : read_param(p);
    }
    status = status ? status : skip(p, ')', "\",\" or \")\" behind a parameter");
    if (!status && is_sign(p, ';')) {
        status = next(p);
    }
    if (!status && p->now.kind != T_END) {
        return expected(p, "nothing more behind \")\"");
    }
    return status;
}

/* ---- what it means */

static enum fnp_status add_buf(const struct parser *p, const struct written *w,
                               struct fnp_contract *c, struct fnp_param *param)
{
    struct fnp_buf *buf = &c->bufs[c->n_bufs];

    if (w->type.stars) {
        return complain(p, "write the extent without '*', as in \"void dst[n]\", for",
                        w->name, "");
    }
    if (c->n_bufs == FNP_MAX_BUFS) {
        return complain(p, "at most three buffers; too many with", w->name, "");
    }
    *buf = (struct fnp_buf){
        .elem = w->type.width,
        .writes = !w->type.is_const,
        .reads = w->type.is_const || w->type.is_inout,
        /* i386 aligns no element of an array to more than a word. */
        .align = w->type.width < p->word ? w->type.width : p->word,
    };
    if (w->type.is_const && w->type.is_inout) {
        return complain(p, "const and inout exclude each other:", w->name, "");
    }
    if (!w->mul && !w->add) {
        return complain(p, "an empty buffer:", w->name, "");
    }
    if (__builtin_mul_overflow(w->mul, buf->elem, &buf->mul) ||
        __builtin_mul_overflow(w->add, buf->elem, &buf->add)) {
        return complain(p, "the extent does not fit 64 bits:", w->name, "");
    }
    memcpy(buf->name, w->name, sizeof(buf->name));
    param->kind = FNP_PARAM_BUF;
    param->width = p->word;
    param->is_signed = false;
    param->buf = (uint8_t)c->n_bufs++;
    return FNP_OK;
}

/* A parameter that is neither a buffer nor the length nor a constant. */
static enum fnp_status add_value(const struct parser *p, const struct written *w,
                                 struct fnp_contract *c, struct fnp_param *param)
{
    if (w->divisor) {
        return complain(p, "only the size variable may be divided, not", w->name, "");
    }
    if (c->n_values == FNP_MAX_VALUES) {
        return complain(p, "at most three value parameters; too many with", w->name,
                        "");
    }
    param->kind = FNP_PARAM_VALUE;
    param->value = (uint8_t)c->n_values++;
    return FNP_OK;
}

static enum fnp_status add_param(const struct parser *p, const struct written *w,
                                 struct fnp_contract *c)
{
    struct fnp_param *param = &c->params[c->n_params++];
    uint64_t divisor = w->divisor ? w->divisor : 1;

    *param = (struct fnp_param){ .width = w->type.width,
                                 .is_signed = w->type.is_signed,
                                 .divisor = divisor };
    memcpy(param->name, w->name, sizeof(param->name));
    if (w->has_extent) {
        return add_buf(p, w, c, param);
    }
    if (w->type.stars && w->has_number) {
        param->width = p->word;
        param->is_signed = false;
    } else if (w->type.stars) {
        return fnp_err_set(
            p->err, FNP_INPUT,
            "%s: proto: pointer \"%s\" has no extent; write \"void %s[n]\" "
            "for n bytes",
            p->where, w->name, w->name);
    } else if (w->type.is_void) {
        return complain(p, "a parameter of type void:", w->name, "");
    }
    if (w->type.is_inout) {
        return complain(p, "inout is for buffers, not for", w->name, "");
    }
    if (w->has_number) {
        param->kind = FNP_PARAM_CONST;
        param->constant = w->number;
        return FNP_OK;
    }
    if (p->n_name[0] && !strcmp(w->name, p->n_name)) {
        param->kind = FNP_PARAM_LEN;
        return FNP_OK;
    }
    return add_value(p, w, c, param);
}

/* dst, src, third by what the kernel may do with them, in the prototype's order. */
static enum fnp_status give_roles(const struct parser *p, struct fnp_contract *c)
{
    bool taken[FNP_MAX_BUFS] = { false };

    for (size_t i = 0; i < c->n_bufs; i++) {
        enum fnp_role role = c->bufs[i].writes ? FNP_DST : FNP_SRC;

        role = taken[role] ? FNP_THIRD : role;
        if (taken[role]) {
            return complain(p, "at most two outputs or two inputs; too many with",
                            c->bufs[i].name, "");
        }
        taken[role] = true;
        c->bufs[i].role = role;
    }
    if (!taken[FNP_DST]) {
        return fnp_err_set(
            p->err, FNP_INPUT,
            "%s: proto: no output; write \"void dst[n]\" for a buffer of n "
            "bytes the kernel writes",
            p->where);
    }
    return FNP_OK;
}

/* The greatest number that `width` bytes hold. */
static uint64_t greatest(const struct fnp_param *param)
{
    unsigned bits = 8u * param->width - param->is_signed;

    return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

/* n = 0 .. what every length parameter can carry, in steps that all divisors divide. */
static enum fnp_status default_sizes(const struct parser *p, struct fnp_contract *c)
{
    bool passed = false;

    c->sizes = (struct fnp_sizes){ .most = c->has_n ? UINT64_MAX : 0, .step = 1 };
    for (size_t i = 0; i < c->n_params; i++) {
        const struct fnp_param *param = &c->params[i];
        uint64_t most = greatest(param);
        uint64_t a = c->sizes.step, b = param->divisor;

        if (param->kind != FNP_PARAM_LEN) {
            continue;
        }
        passed = true;
        while (b) {
            uint64_t rest = a % b;
            a = b;
            b = rest;
        }
        if (__builtin_mul_overflow(c->sizes.step, param->divisor / a, &c->sizes.step)) {
            return complain(p, "too great a divisor of", param->name, "");
        }
        if (__builtin_mul_overflow(most, param->divisor, &most)) {
            most = UINT64_MAX;
        }
        c->sizes.most = most < c->sizes.most ? most : c->sizes.most;
    }
    if (c->has_n && !passed) {
        return complain(
            p, "an extent uses a variable that no parameter passes:", p->n_name, "");
    }
    return FNP_OK;
}

enum fnp_status fnp_proto_parse(const char *text, const char *where,
                                struct fnp_contract *out, struct fnp_err *err)
{
    struct parser p = { .where = where,
                        .at = text,
                        .word = (uint8_t)fnp_word_len(out->is32),
                        .room = FUNCTION_ROOM,
                        .err = err };
    struct type returns = { 0 };
    enum fnp_status status = read_prototype(&p, &returns);

    out->n_params = out->n_bufs = out->n_values = 0;
    out->has_n = p.n_name[0] != 0;
    out->returns_pointer = returns.stars > 0;
    out->returns_void = returns.is_void && !returns.stars;
    out->returns_width = returns.stars || returns.is_void ? p.word : returns.width;
    for (size_t i = 0; !status && i < p.n_params; i++) {
        status = add_param(&p, &p.params[i], out);
    }
    status = status ? status : give_roles(&p, out);
    return status ? status : default_sizes(&p, out);
}
