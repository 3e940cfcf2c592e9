/* SPDX-License-Identifier: MIT */
#include "run/lab.h"

#include <string.h>
#include <sys/mman.h>

#include "base/rng.h"
#include "run/context.h"
#include "run/gate.h"
#include "run/machine.h"
#include "run/raw.h"
#include "run/start.h"

struct fnp_context fnp_context __attribute__((section("fnp_rw"), aligned(4096)));

static void read_host(void)
{
    struct fnp_context *ctx = &fnp_context;
    const struct fnp_machine *m = fnp_machine();

    __asm__("stmxcsr %0" : "=m"(ctx->host_mxcsr));
    __asm__("fnstcw %0" : "=m"(ctx->host_fcw));
    ctx->host_fs_selector = m->fs;
    ctx->host_gs_selector = m->gs;
    ctx->host_ds = m->ds;
    ctx->host_es = m->es;
    ctx->fsgsbase = m->fsgsbase;
    ctx->avx = m->avx;
    ctx->mask_low = (uint32_t)m->xsave_mask;
    ctx->mask_high = (uint32_t)(m->xsave_mask >> 32);
    ctx->host_gs = m->gs_base;
    if (m->fsgsbase)
        __asm__("rdfsbase %0" : "=r"(ctx->host_fs));
}

static bool map_stack(uint64_t base)
{
    void *low = (void *)(uintptr_t)(base - FNP_STACK_GUARD);
    size_t len = 2 * FNP_STACK_GUARD + FNP_STACK_LEN;
    void *got =
        mmap(low, len, PROT_NONE,
             MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    void *stack = (void *)(uintptr_t)base;

    if (got != low || mprotect(stack, FNP_STACK_LEN, PROT_READ | PROT_WRITE) != 0)
        return false;
    for (size_t i = 0; i < FNP_STACK_LEN; i += 8) {
        uint64_t word = fnp_mix(i ^ 0x57ac4u);

        memcpy((char *)stack + i, &word, sizeof(word));
    }
    return true;
}

enum fnp_status fnp_lab_map(struct fnp_lab *lab, struct fnp_err *err)
{
    fnp_machine_read();

    enum fnp_status status = FNP_OK;
    unsigned char *buffers =
        mmap(NULL, (1 + FNP_MAX_BUFS) * (size_t)FNP_LARGE_LEN, PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (!fnp_machine()->xsave)
        return fnp_err_set(err, FNP_NOTHING, "this CPU or system has no XSAVE");
    if (buffers == MAP_FAILED || !map_stack(FNP_STACK_BASE))
        return fnp_err_set(err, FNP_FAILED, "cannot map the kernel's stack at 0x%llx",
                           (unsigned long long)FNP_STACK_BASE);
    /* Without these, 32-bit cases have no layout. */
    lab->low_usable = fnp_machine()->compat && map_stack(FNP_STACK_LOW) &&
                      fnp_gate_map(NULL) == FNP_OK;
    lab->expect = buffers;
    for (unsigned i = 0; i < FNP_MAX_BUFS; i++)
        lab->saved[i] = buffers + (1 + i) * (size_t)FNP_LARGE_LEN;
    for (unsigned i = 0; i < FNP_ARRAY_LEN(lab->junk); i++)
        lab->junk[i] = fnp_mix(i + 0x6a756e6bu);
    status = fnp_fields_patterns(err);
    if (status == FNP_OK)
        status = fnp_fields_map(&lab->fields, err);
    if (status == FNP_OK)
        status = fnp_contents_make(&lab->contents, err);
    read_host();
    return status;
}

enum fnp_status fnp_lab_open(struct fnp_lab *lab, unsigned hang_ms, struct fnp_err *err)
{
    enum fnp_status status = fnp_lab_map(lab, err);

    if (status == FNP_OK)
        status = fnp_signals_install(hang_ms, &lab->fence, err);
    lab->ticks_limit = fnp_context.ticks_limit;
    return status;
}

static int prot_of(const struct fnp_segment *segment)
{
    return (segment->prot & FNP_PROT_R ? PROT_READ : 0) |
           (segment->prot & FNP_PROT_W ? PROT_WRITE : 0) |
           (segment->prot & FNP_PROT_X ? PROT_EXEC : 0);
}

static bool map_image(const struct fnp_image *image)
{
    for (size_t i = 0; i < image->n_segments; i++) {
        const struct fnp_segment *s = &image->segments[i];

        if (s->len == 0)
            continue;
        if (fnp_raw_mmap(s->addr, s->len, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE) !=
            (long)s->addr)
            return false;
        memcpy((void *)(uintptr_t)s->addr, s->bytes, s->len);
        if (fnp_raw_mprotect((void *)(uintptr_t)s->addr, s->len, prot_of(s)) != 0)
            return false;
    }
    return true;
}

static void unmap_image(const struct fnp_image *image)
{
    for (size_t i = 0; i < image->n_segments; i++) {
        if (image->segments[i].len)
            fnp_raw_munmap(image->segments[i].addr, image->segments[i].len);
    }
}

void fnp_lab_attach(struct fnp_lab *lab, const struct fnp_kernel *kernel)
{
    fnp_start_forget();
    fnp_context.is32 = kernel->contract.is32;
    lab->stack = kernel->contract.is32 ? FNP_STACK_LOW : FNP_STACK_BASE;
    lab->tight_stack = !kernel->scan.moves_stack && !kernel->scan.indirect;
    lab->quiet = NULL;
    lab->kernel = kernel;
    lab->entry = kernel->image.entry;
    fnp_arguments_place(&kernel->contract, &lab->arguments);
    for (unsigned role = 0; role < FNP_MAX_BUFS; role++)
        lab->buf[role] = fnp_contract_buf(&kernel->contract, (enum fnp_role)role);
}

/* The state of AVX-512 costs more than all the rest: only for code that uses it. */
static uint64_t wide_mask(const struct fnp_kernel *kernel)
{
    fnp_features all = fnp_features_close(kernel->needs);

    return all >> FNP_FEATURE_AVX512F & 1 ? fnp_machine()->wide_mask : 0;
}

/*
 * Load gs, which a kernel before may have changed unseen, and remember it as ours; only
 * 32-bit code has something behind it.
 */
static void choose_gs(bool is32)
{
    const struct fnp_machine *m = fnp_machine();
    struct fnp_context *ctx = &fnp_context;

    ctx->host_gs_selector = is32 ? fnp_gate_gs() : m->gs;
    __asm__ volatile("mov %0, %%gs" : : "r"((uint32_t)ctx->host_gs_selector));
    if (!m->fsgsbase)
        return;
    if (!is32)
        __asm__ volatile("wrgsbase %0" : : "r"(m->gs_base));
    __asm__ volatile("rdgsbase %0" : "=r"(ctx->host_gs));
}

void fnp_lab_enter(struct fnp_lab *lab, uint64_t entry)
{
    uint64_t other = entry || !lab->kernel ? entry : lab->kernel->image.entry;

    if (lab->entry == other)
        return;
    lab->entry = other;
    if (fnp_context.is32)
        fnp_gate_aim(FNP_GATE_KERNEL, other);
}

/* A kernel before may have changed the data segments; only 32-bit code minds. */
static void aim(const struct fnp_kernel *kernel)
{
    const struct fnp_machine *m = fnp_machine();

    choose_gs(fnp_context.is32);
    if (!fnp_context.is32)
        return;
    fnp_gate_aim(FNP_GATE_KERNEL, kernel->image.entry);
    if (kernel->has_ref)
        fnp_gate_aim(FNP_GATE_REF, kernel->ref.entry);
    __asm__ volatile("mov %0, %%ds\n\tmov %1, %%es" : : "r"(m->ds), "r"(m->es));
}

void fnp_lab_load(struct fnp_lab *lab, const struct fnp_kernel *kernel)
{
    const struct fnp_machine *m = fnp_machine();

    if (lab->kernel == kernel)
        return;
    if (lab->kernel) {
        unmap_image(&lab->kernel->image);
        if (lab->kernel->has_ref)
            unmap_image(&lab->kernel->ref);
    }
    lab->kernel = NULL;
    if (kernel->contract.is32 && !lab->low_usable)
        return;
    if (!map_image(&kernel->image) || (kernel->has_ref && !map_image(&kernel->ref)))
        return;
    fnp_lab_attach(lab, kernel);
    aim(kernel);
    fnp_fields_protect(&lab->fields, &kernel->contract);
    fnp_context.mask_low = (uint32_t)(m->xsave_mask | wide_mask(kernel));
    fnp_context.env = kernel->scan.x87_mmx || kernel->scan.indirect;
    fnp_context.mxcsr = kernel->scan.mxcsr || kernel->scan.indirect;
    /*
     * In 32-bit code VZEROUPPER clears ymm0-7 only (Intel SDM vol. 2C), so that after a
     * context switch in the middle the component stays in use: its contents must tell.
     */
    fnp_context.inuse =
        m->xinuse && !fnp_context.is32 && (kernel->scan.vex || kernel->scan.indirect);
}

static void reset_image(const struct fnp_image *image)
{
    for (size_t i = 0; i < image->n_segments; i++) {
        const struct fnp_segment *s = &image->segments[i];

        if (s->prot & FNP_PROT_W)
            memcpy((void *)(uintptr_t)s->addr, s->bytes, s->len);
    }
}

void fnp_lab_reset_data(struct fnp_lab *lab)
{
    if (!lab->kernel)
        return;
    reset_image(&lab->kernel->image);
    if (lab->kernel->has_ref)
        reset_image(&lab->kernel->ref);
}

uint64_t fnp_lab_hash_host(const struct fnp_lab *lab)
{
    uint64_t hash = 0;

    for (const unsigned char *p = lab->host_lo; p < lab->host_hi; p += 8) {
        uint64_t word = 0;

        memcpy(&word, p, 8);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    }
    return hash;
}

bool fnp_lab_clean(struct fnp_lab *lab)
{
    bool clean = true;

    for (unsigned kind = 0; kind < FNP_FIELD_KINDS; kind++) {
        for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
            const struct fnp_field_place *f = &lab->fields.place[kind][role];

            if (!f->ready || memcmp(f->harness, f->pristine, f->len) == 0)
                continue;
            memcpy(f->harness, f->pristine, f->len);
            clean = false;
        }
    }
    return clean;
}
