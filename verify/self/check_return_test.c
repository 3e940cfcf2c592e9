/* SPDX-License-Identifier: MIT */
/*
 * check_return_test.c - where a ret went, and what is a segment register's business, in
 * 64-bit and in 32-bit code
 */
#include <signal.h>
#include <string.h>

#include "verify/check.h"
#include "verify/self/tap.h"

#define RSP 0x6c001008u

#define FELL(what, how, at) .name = what, .sig = SIGSEGV, .access = how, .rsp = at

/* clang-format off */
/* One call of a void kernel without buffers, and what of it is out of the ordinary. */
static const struct row {
    const char *name;
    bool is32;
    const char *expect; /* slug; NULL: clean */
    const char *says;
    int sig;
    enum fnp_access access;
    bool by_ret;
    int64_t rsp; /* bytes from the return address when it ended */
    uint16_t fs; /* selector at return */
    uint64_t fs_base;
} rows[] = {
    { .name = "sound", .rsp = 8 },
    { .name = "sound, 32 bits", .is32 = true, .rsp = 4 },
    { FELL("a ret to a word left on the stack", FNP_ACCESS_EXEC, 0), .by_ret = true,
      .expect = "stack-moved",
      .says = "rsp is off by -8 bytes at a ret, which did not return" },
    { FELL("the same in 32 bits", FNP_ACCESS_EXEC, 0), .is32 = true, .by_ret = true,
      .expect = "stack-moved", .says = "esp is off by -4 bytes" },
    { FELL("a ret to what is no address", FNP_ACCESS_UNKNOWN, -16), .by_ret = true,
      .expect = "stack-moved", .says = "off by -16 bytes" },
    { FELL("a ret to an overwritten return address", FNP_ACCESS_EXEC, 8), .by_ret = true,
      .expect = "crash", .says = "jump at address 0x10" },
    { FELL("a call of nothing", FNP_ACCESS_EXEC, -16),
      .expect = "crash", .says = "jump at address 0x10" },
    { .name = "fs base", .rsp = 8, .fs_base = 1,
      .expect = "register-lost", .says = "fs base changed" },
    { .name = "32-bit code has none", .is32 = true, .rsp = 4, .fs_base = 1 },
    { .name = "but it has selectors", .is32 = true, .rsp = 4, .fs = 43, .fs_base = 1,
      .expect = "register-lost", .says = "segment register fs changed" },
};
/* clang-format on */

static struct fnp_outcome outcome_of(const struct row *row)
{
    struct fnp_outcome o = { .c = fnp_case_default() };

    o.in.captured = o.out.captured = FNP_HAS_GPR;
    o.in.gpr[FNP_RSP] = RSP;
    o.out.gpr[FNP_RSP] = RSP + (uint64_t)row->rsp;
    o.out.fs = row->fs;
    o.out.fs_base = row->fs_base;
    if (row->sig) {
        o.end = FNP_END_FAULT;
        o.fault = (struct fnp_fault){ .sig = row->sig,
                                      .rip = 0x10,
                                      .addr = 0x10,
                                      .access = (uint8_t)row->access,
                                      .by_ret = row->by_ret };
    }
    if (row->sig && row->access == FNP_ACCESS_UNKNOWN) {
        o.fault.region = FNP_REGION_NONCANONICAL;
    }
    return o;
}

int main(void)
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        const struct row *row = &rows[i];
        const struct fnp_contract c = { .name = "f",
                                        .returns_void = true,
                                        .is32 = row->is32,
                                        .abi =
                                            row->is32 ? FNP_ABI_I386 : FNP_ABI_SYSV64 };
        const struct fnp_outcome o = outcome_of(row);
        struct fnp_finding found[FNP_CHECK_MAX];
        size_t count = fnp_check_outcome(&c, &o, found);
        const char *slug = count ? fnp_rule_info(found[0].rule)->slug : "clean";

        tap_ok(count == (row->expect != NULL) &&
                   (!count || (!strcmp(slug, row->expect) &&
                               strstr(found[0].message, row->says))),
               "%s: %s%s%s", row->name, slug, count ? ": " : "",
               count ? found[0].message : "");
    }
    return tap_done();
}
