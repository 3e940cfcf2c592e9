/* SPDX-License-Identifier: MIT */
/*
 * case_keys.c - the closed table of case keys, and the text form made from it
 *
 * One row per key drives parsing, printing, range checks and help.  The order of the
 * rows is the order in which keys are printed; it and the names are fixed for ever.
 */
#include <inttypes.h>
#include <string.h>

#include "base/nearest.h"
#include "subject/case.h"

/* How the value of a key is written. */
enum kind {
    NUMBER,   /* decimal, or 0x hex */
    HEX,      /* hex, 0x allowed but never printed */
    OFFSET,   /* a number stored one higher, so that 0 can mean "not given" */
    WORD,     /* one of `words`, stored as its index */
    STATE,    /* a word or its index */
    PLACES,   /* ROLE:WORD,... */
    LINES,    /* ROLE:NUMBER,... */
    DISTANCE, /* signed; sets the relation */
    LAP,      /* signed and not 0; sets the relation */
};

struct rule {
    size_t at;   /* of the member in struct fnp_case */
    size_t size; /* bytes of the member */
    enum kind kind;
    uint64_t most;            /* largest value, or magnitude */
    uint64_t usual;           /* the default as it is stored */
    const char *const *words; /* ends with NULL */
};

static const char *const place_words[] = { "mid", "end", "start", "cross", NULL };
static const char *const field_words[] = { "high", "low", "split31", NULL };
static const char *const huge_words[] = { "window", "alias", NULL };
static const char *const fill_words[] = { "pos",  "zero",     "ones",     "random",
                                          "snan", "denormal", "unnormal", "inf",
                                          "tame", "special",  NULL };
static const char *const upper_words[] = { "junk", "zero", "ones", NULL };
static const char *const x87_words[] = { "empty", "1", "2", "3",   "4",       "5",
                                         "6",     "7", "8", "mmx", "pending", NULL };
static const char *const role_words[] = { "dst", "src", "third", NULL };

_Static_assert(FNP_ARRAY_LEN(place_words) == FNP_N_PLACES + 1,
               "a word for every place");
_Static_assert(FNP_ARRAY_LEN(field_words) == FNP_N_FIELDS + 1,
               "a word for every field");
_Static_assert(FNP_ARRAY_LEN(huge_words) == FNP_N_HUGES + 1, "a word for every way");
_Static_assert(FNP_ARRAY_LEN(fill_words) == FNP_N_FILLS + 1, "a word for every fill");
_Static_assert(FNP_ARRAY_LEN(x87_words) == FNP_N_X87 + 1, "a word for every state");
_Static_assert(FNP_ARRAY_LEN(upper_words) == FNP_N_UPPERS + 1,
               "a word for every upper");

/* KEY(name, member, kind, most, default, words, range, help) */
/* clang-format off */
#define CASE_KEYS(KEY)                                                                   \
    KEY("n", n, NUMBER, UINT64_MAX, 0, NULL, "0..18446744073709551615",                  \
        "size: the value of the prototype's size variable")                              \
    KEY("dst", offset[0], OFFSET, 63, 0, NULL, "0..63",                                  \
        "address of dst modulo 64; not given: as the placement likes it")                \
    KEY("src", offset[1], OFFSET, 63, 0, NULL, "0..63",                                  \
        "address of src modulo 64; no effect beside overlap or lap")                     \
    KEY("third", offset[2], OFFSET, 63, 0, NULL, "0..63",                                \
        "address of the third buffer modulo 64")                                         \
    KEY("overlap", distance, DISTANCE, INT32_MAX, 0, NULL, "-2147483647..2147483647",    \
        "dst and src share a field: dst - src in bytes")                                 \
    KEY("lap", distance, LAP, INT32_MAX, 0, NULL, "-2147483647..-1 or 1..2147483647",    \
        "so many bytes overlap; > 0: dst is the upper one, < 0: the lower one")          \
    KEY("place", place, PLACES, FNP_N_PLACES - 1, 0, place_words,                        \
        "ROLE:mid|end|start|cross,...",                                                  \
        "where a buffer stands: middle of its field, at a guard, across a page")         \
    KEY("line", line, LINES, 63, 0, NULL, "ROLE:0..63,...",                              \
        "64-byte line within the page, for place mid")                                   \
    KEY("field", field, WORD, FNP_N_FIELDS - 1, 0, field_words, "high|low|split31",      \
        "memory the buffers stand in: above 4 GiB, below 2 GiB, across 2 GiB")           \
    KEY("fill", fill, WORD, FNP_N_FILLS - 1, 0, fill_words,                              \
        "pos|zero|ones|random|snan|denormal|unnormal|inf|tame|special",                  \
        "contents of the inputs; pos: every 8 bytes tell where they came from")          \
    KEY("seed", seed, NUMBER, UINT32_MAX, 0, NULL, "0..4294967295",                      \
        "of the contents, old destination bytes included")                               \
    KEY("value", value[0], HEX, UINT64_MAX, 0, NULL, "hex, up to 16 digits",             \
        "first other parameter; of op = set the fill value")                             \
    KEY("value2", value[1], HEX, UINT64_MAX, 0, NULL, "hex, up to 16 digits",            \
        "second other parameter")                                                        \
    KEY("value3", value[2], HEX, UINT64_MAX, 0, NULL, "hex, up to 16 digits",            \
        "third other parameter")                                                         \
    KEY("upper", upper, WORD, FNP_N_UPPERS - 1, 0, upper_words, "junk|zero|ones",        \
        "unused upper halves of arguments narrower than a register")                     \
    KEY("junk", junk, NUMBER, 255, 0, NULL, "0..255",                                    \
        "which junk the registers hold that carry no argument")                          \
    KEY("repeat", repeat, NUMBER, 7, 0, NULL, "0..7",                                    \
        "further calls on the same buffers, CPU state carried on")                       \
    KEY("mxcsr", mxcsr, HEX, 0xffff, FNP_MXCSR_DEFAULT, NULL, "hex, 0..ffff",            \
        "MXCSR at entry, 1f80 by default")                                               \
    KEY("fcw", fcw, HEX, 0xffff, FNP_FCW_DEFAULT, NULL, "hex, 0..ffff",                  \
        "x87 control word at entry, 37f by default")                                     \
    KEY("x87", x87, STATE, FNP_N_X87 - 1, 0, x87_words, "empty|1..8|mmx|pending",                   \
        "x87 registers live at entry; mmx: all eight, pending: four and an exception")   \
    KEY("ymm", ymm, NUMBER, 1, 0, NULL, "0..1",                                          \
        "1: the upper YMM halves hold data at entry")                                    \
    KEY("huge", huge, WORD, FNP_N_HUGES - 1, 0, huge_words, "window|alias",              \
        "of 2^31 bytes and more: the first window is there, or all, a megabyte repeated")
/* clang-format on */

#define MEMBER(member) offsetof(struct fnp_case, member)
#define SIZE(member)   sizeof(((struct fnp_case *)NULL)->member)
#define PUBLIC(name, member, kind, most, usual, words, range, help)                    \
    { name, range, help },
#define RULE(name, member, kind, most, usual, words, range, help)                      \
    { MEMBER(member), SIZE(member), kind, most, usual, words },

const struct fnp_case_key fnp_case_keys[] = { CASE_KEYS(PUBLIC) };
const size_t fnp_case_n_keys = FNP_ARRAY_LEN(fnp_case_keys);

static const struct rule rules[] = { CASE_KEYS(RULE) };

enum {
    N_KEYS = FNP_ARRAY_LEN(rules),
    N_ROLES = 3,
    QUOTED = 40
};

static bool same_word(const char *word, const char *text, size_t len)
{
    return strlen(word) == len && memcmp(word, text, len) == 0;
}

/* The index of a word in a NULL-terminated list, or the length of the list. */
static size_t find_word(const char *const *words, const char *text, size_t len)
{
    size_t i = 0;

    while (words[i] && !same_word(words[i], text, len))
        i++;
    return i;
}

size_t fnp_case_key_find(const char *name, size_t len)
{
    size_t key = 0;

    while (key < N_KEYS && !same_word(fnp_case_keys[key].name, name, len))
        key++;
    return key;
}

static unsigned digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'F')
        return (unsigned)(c - 'A') + 10;
    return 16;
}

/* All of text[0, len) as a number <= most; "0x" makes any number hexadecimal. */
static bool read_number(const char *text, size_t len, unsigned radix, uint64_t most,
                        uint64_t *out)
{
    uint64_t value = 0;

    if (len > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        radix = 16;
        text += 2;
        len -= 2;
    }
    if (len == 0)
        return false;
    for (size_t i = 0; i < len; i++) {
        unsigned digit = digit_of(text[i]);

        if (digit >= radix || __builtin_mul_overflow(value, radix, &value) ||
            __builtin_add_overflow(value, digit, &value))
            return false;
    }
    *out = value;
    return value <= most;
}

static bool read_signed(const char *text, size_t len, uint64_t most, uint64_t *out)
{
    bool minus = len > 0 && text[0] == '-';

    if (!read_number(text + minus, len - minus, 10, most, out))
        return false;
    if (minus)
        *out = 0 - *out;
    return true;
}

/* "dst:end,src:start" or "dst:5": one byte a role, 0 where a role is not named. */
static bool read_roles(const struct rule *rule, const char *text, size_t len,
                       uint64_t *out)
{
    const char *end = text + len;
    unsigned seen = 0;

    *out = 0;
    for (;;) {
        size_t item = (size_t)(end - text);
        const char *comma = memchr(text, ',', item);
        const char *colon = NULL;
        uint64_t value = 0;
        size_t role = N_ROLES;

        if (comma)
            item = (size_t)(comma - text);
        colon = memchr(text, ':', item);
        if (colon)
            role = find_word(role_words, text, (size_t)(colon - text));
        if (role >= N_ROLES || seen & 1u << role)
            return false;
        seen |= 1u << role;
        item -= (size_t)(colon + 1 - text);
        if (rule->kind == PLACES)
            value = find_word(rule->words, colon + 1, item);
        else if (!read_number(colon + 1, item, 10, rule->most, &value))
            return false;
        if (value > rule->most)
            return false;
        *out |= value << 8 * role;
        if (!comma)
            return true;
        text = comma + 1;
    }
}

static bool read_value(const struct rule *rule, const char *text, size_t len,
                       uint64_t *out)
{
    switch (rule->kind) {
    case NUMBER:
    case OFFSET:
        return read_number(text, len, 10, rule->most, out);
    case HEX:
        return read_number(text, len, 16, rule->most, out);
    case STATE:
        if (read_number(text, len, 10, rule->most, out))
            return true;
        *out = find_word(rule->words, text, len);
        return *out <= rule->most;
    case WORD:
        *out = find_word(rule->words, text, len);
        return *out <= rule->most;
    case PLACES:
    case LINES:
        return read_roles(rule, text, len, out);
    case DISTANCE:
        return read_signed(text, len, rule->most, out);
    default:
        return read_signed(text, len, rule->most, out) && *out != 0;
    }
}

enum fnp_status fnp_case_key_read(size_t key, const char *text, size_t len,
                                  uint64_t *value, struct fnp_err *err)
{
    if (read_value(&rules[key], text, len, value))
        return FNP_OK;
    return fnp_err_set(err, FNP_INPUT, "case key \"%s\": \"%.*s%s\" is not %s",
                       fnp_case_keys[key].name, (int)(len < QUOTED ? len : QUOTED),
                       text, len > QUOTED ? "..." : "", fnp_case_keys[key].range);
}

void fnp_case_key_set(struct fnp_case *c, size_t key, uint64_t value)
{
    const struct rule *rule = &rules[key];

    if (rule->kind == OFFSET)
        value++;
    if (rule->kind == DISTANCE || rule->kind == LAP)
        c->relation = rule->kind == LAP ? FNP_REL_LAP : FNP_REL_DISTANCE;
    /* Little endian: the low bytes of the number are the member. */
    memcpy((unsigned char *)c + rule->at, &value, rule->size);
}

/* The value as fnp_case_key_set takes it; false when the key stays out of the text. */
static bool get_value(const struct fnp_case *c, size_t key, uint64_t *value)
{
    const struct rule *rule = &rules[key];

    *value = 0;
    memcpy(value, (const unsigned char *)c + rule->at, rule->size);
    switch (rule->kind) {
    case OFFSET:
        return (*value)-- != 0;
    case DISTANCE:
        return c->relation == FNP_REL_DISTANCE;
    case LAP:
        return c->relation == FNP_REL_LAP;
    default:
        return *value != rule->usual;
    }
}

bool fnp_case_key_counts(size_t key, bool *is_signed)
{
    enum kind kind = rules[key].kind;

    *is_signed = kind == DISTANCE || kind == LAP;
    return kind != WORD && kind != PLACES && kind != LINES;
}

static void print_roles(const struct rule *rule, uint64_t value, struct fnp_str *out)
{
    const char *comma = "";

    for (unsigned role = 0; role < N_ROLES; role++) {
        unsigned item = (unsigned)(value >> 8 * role & 0xff);

        if (item == 0)
            continue;
        if (rule->kind == PLACES)
            fnp_str_add(out, "%s%s:%s", comma, role_words[role], rule->words[item]);
        else
            fnp_str_add(out, "%s%s:%u", comma, role_words[role], item);
        comma = ",";
    }
}

static void print_value(const struct rule *rule, uint64_t value, struct fnp_str *out)
{
    switch (rule->kind) {
    case NUMBER:
    case OFFSET:
        fnp_str_add(out, "%" PRIu64, value);
        break;
    case HEX:
        fnp_str_add(out, "%" PRIx64, value);
        break;
    case WORD:
    case STATE:
        fnp_str_add(out, "%s", rule->words[value]);
        break;
    case PLACES:
    case LINES:
        print_roles(rule, value, out);
        break;
    default:
        fnp_str_add(out, "%" PRId32, (int32_t)value);
        break;
    }
}

uint64_t fnp_case_key_value(const struct fnp_case *c, size_t key)
{
    uint64_t value = 0;

    get_value(c, key, &value);
    return value;
}

void fnp_case_key_text(size_t key, uint64_t value, struct fnp_str *out)
{
    const size_t before = out->len;

    print_value(&rules[key], value, out);
    /* No buffer is named when all of them are where they usually are. */
    if (out->len == before)
        fnp_str_add(out, "dst:%s", rules[key].kind == PLACES ? "mid" : "0");
}

void fnp_case_text(const struct fnp_case *c, bool with_n, struct fnp_str *out)
{
    fnp_str_add(out, "v1");
    for (size_t key = 0; key < N_KEYS; key++) {
        uint64_t value = 0;
        bool is_n = rules[key].at == MEMBER(n);
        bool given = get_value(c, key, &value);

        if (is_n ? !with_n : !given)
            continue;
        fnp_str_add(out, " %s=", fnp_case_keys[key].name);
        print_value(&rules[key], value, out);
    }
}

/* What the parser has met so far. */
struct parse {
    struct fnp_case *c;
    struct fnp_err *err;
    uint32_t seen; /* bit k: key k */
};

_Static_assert(N_KEYS <= 32, "struct parse holds a bit per key");

static enum fnp_status unknown_key(const char *name, size_t len, struct fnp_err *err)
{
    const char *names[N_KEYS];
    char word[QUOTED + 1];
    const char *near = NULL;

    if (len > QUOTED)
        len = QUOTED;
    memcpy(word, name, len);
    word[len] = 0;
    for (size_t i = 0; i < N_KEYS; i++)
        names[i] = fnp_case_keys[i].name;
    near = fnp_nearest(word, names, N_KEYS);
    if (!near)
        return fnp_err_set(err, FNP_INPUT, "unknown case key \"%s\"", word);
    return fnp_err_set(err, FNP_INPUT, "unknown case key \"%s\"; the nearest is \"%s\"",
                       word, near);
}

static enum fnp_status parse_word(struct parse *p, const char *word, size_t len)
{
    const char *equals = memchr(word, '=', len);
    size_t name = equals ? (size_t)(equals - word) : len;
    size_t key = fnp_case_key_find(word, name);
    uint64_t value = 0;
    enum fnp_status status = FNP_OK;

    if (!equals)
        return fnp_err_set(p->err, FNP_INPUT, "\"%.*s\" in a case is not KEY=VALUE",
                           (int)(len < QUOTED ? len : QUOTED), word);
    if (key == N_KEYS)
        return unknown_key(word, name, p->err);
    if (p->seen & 1u << key)
        return fnp_err_set(p->err, FNP_INPUT, "case key \"%s\" is given twice",
                           fnp_case_keys[key].name);
    p->seen |= 1u << key;
    status = fnp_case_key_read(key, equals + 1, len - name - 1, &value, p->err);
    if (status)
        return status;
    if (rules[key].at == MEMBER(distance) && p->c->relation != FNP_REL_NONE)
        return fnp_err_set(p->err, FNP_INPUT,
                           "case keys \"overlap\" and \"lap\" exclude each other");
    fnp_case_key_set(p->c, key, value);
    return FNP_OK;
}

static enum fnp_status check_version(const char *word, size_t len, struct fnp_err *err)
{
    uint64_t version = 0;

    if (same_word("v1", word, len))
        return FNP_OK;
    if (len > 1 && word[0] == 'v' && read_number(word + 1, len - 1, 10, 999, &version))
        return fnp_err_set(err, FNP_INPUT,
                           "case version v%" PRIu64 " is not known; this is v1",
                           version);
    return fnp_err_set(err, FNP_INPUT, "a case begins with \"v1\", not with \"%.*s\"",
                       (int)(len < QUOTED ? len : QUOTED), word);
}

enum fnp_status fnp_case_parse(const char *text, struct fnp_case *out,
                               struct fnp_err *err)
{
    static const char blanks[] = " \t";
    struct parse p = { out, err, 0 };
    enum fnp_status status = FNP_OK;
    size_t len = 0;

    *out = fnp_case_default();
    text += strspn(text, blanks);
    len = strcspn(text, blanks);
    status = check_version(text, len, err);
    while (!status) {
        text += len;
        text += strspn(text, blanks);
        len = strcspn(text, blanks);
        if (len == 0)
            break;
        status = parse_word(&p, text, len);
    }
    fnp_case_canonical(out);
    return status;
}
