/* SPDX-License-Identifier: MIT */
#include "run/gate.h"

#include <asm/ldt.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/rng.h"
#include "run/context.h"
#include "run/raw.h"
#include "x86/cpuid.h"

/* Offsets in the page. */
enum {
    CALL_LEN = 32,  /* from one call of the gate to the next */
    BACK_AT = 1024, /* where 64-bit code goes on */
    WRITE_LDT = 0x11,
    LDT_SELECTOR_0 = 7, /* entry 0 of the LDT, privilege 3 */
};

/* call rel32; ljmp $selector,$BACK_AT */
struct call32 {
    uint8_t call;
    uint32_t distance;
    uint8_t jump;
    uint32_t offset;
    uint16_t selector;
} __attribute__((packed));

/* jmp *2(%rip); its target, aligned: the kernel may have set AC */
struct back64 {
    uint8_t jump[8];
    uint64_t target;
} __attribute__((packed));

static uint16_t own_cs(void)
{
    uint16_t cs = 0;

    __asm__("mov %%cs, %0" : "=r"(cs));
    return cs;
}

static uint32_t address(enum fnp_gate which)
{
    return FNP_GATE_BASE + CALL_LEN * (uint32_t)which;
}

static uint16_t gs_selector;

uint16_t fnp_gate_gs(void)
{
    return gs_selector;
}

/* A descriptor of the LDT: those of the GDT can be had by 32-bit processes only. */
static void make_gs(void)
{
    const uint32_t base = FNP_GATE_TLS + FNP_GATE_LEN / 2;
    const struct user_desc tls = { .base_addr = base,
                                   .limit = 0xfffff,
                                   .limit_in_pages = 1,
                                   .seg_32bit = 1,
                                   .useable = 1 };
    uint64_t *page =
        mmap((void *)(uintptr_t)FNP_GATE_TLS, FNP_GATE_LEN, PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

    if (page != (void *)(uintptr_t)FNP_GATE_TLS)
        return;
    for (size_t i = 0; i < FNP_GATE_LEN / 8; i++)
        page[i] = fnp_mix(i ^ 0x9a7eu);
    memcpy((void *)(uintptr_t)base, &base, sizeof(base));
    mprotect(page, FNP_GATE_LEN, PROT_READ);
    if (syscall(SYS_modify_ldt, WRITE_LDT, &tls, sizeof(tls)) == 0)
        gs_selector = LDT_SELECTOR_0;
}

static void protect(int prot)
{
    fnp_raw_mprotect((void *)(uintptr_t)FNP_GATE_BASE, FNP_GATE_LEN, prot);
}

enum fnp_status fnp_gate_map(struct fnp_err *err)
{
    void *want = (void *)(uintptr_t)FNP_GATE_BASE;
    const struct back64 back = {
        .jump = { 0xff, 0x25, 2 },
          .target = (uint64_t)(uintptr_t)fnp_return_point
    };
    /* Private: a debugger cannot put a breakpoint into shared pages. */
    void *got = mmap(want, FNP_GATE_LEN, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

    if (got != want)
        return fnp_err_set(err, FNP_FAILED, "cannot map a page at 0x%x", FNP_GATE_BASE);
    memset(want, 0xcc, FNP_GATE_LEN);
    memcpy((char *)want + BACK_AT, &back, sizeof(back));
    protect(PROT_READ | PROT_EXEC);
    fnp_context.gate_selector = FNP_CS_32;
    fnp_gate_choose(FNP_GATE_KERNEL);
    make_gs();
    return FNP_OK;
}

uint64_t fnp_gate_return(enum fnp_gate which)
{
    return address(which) + offsetof(struct call32, jump);
}

void fnp_gate_aim(enum fnp_gate which, uint64_t entry)
{
    const uint32_t at = address(which);
    const struct call32 code = {
        .call = 0xe8,
        .distance = (uint32_t)entry - (at + 5),
        .jump = 0xea,
        .offset = FNP_GATE_BASE + BACK_AT,
        .selector = own_cs(),
    };

    protect(PROT_READ | PROT_WRITE);
    memcpy((void *)(uintptr_t)at, &code, sizeof(code));
    protect(PROT_READ | PROT_EXEC);
}

void fnp_gate_choose(enum fnp_gate which)
{
    fnp_context.gate_entry = address(which);
}
