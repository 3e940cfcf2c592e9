/* SPDX-License-Identifier: MIT */
/*
 * run_test.c - is the state a kernel starts with and leaves behind told truly, and
 * is our own put right whatever a kernel does?
 *
 * Every row is a piece of code with one known effect.  Whatever it did, a piece that
 * does nothing must come out unchanged right afterwards.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "run/lab.h"
#include "run/machine.h"
#include "run/reference.h"
#include "verify/self/tap.h"

#define PIECE(name) extern const unsigned char run_##name[], run_##name##_end[]
PIECE(nothing);
PIECE(not_rax);
PIECE(not_rbx);
PIECE(not_rbp);
PIECE(not_rdi);
PIECE(not_r8);
PIECE(not_r15);
PIECE(set_df);
PIECE(set_ac);
PIECE(set_nt);
PIECE(set_tf);
PIECE(set_df_and_fault);
PIECE(mxcsr);
PIECE(fcw);
PIECE(fld1);
PIECE(movd);
PIECE(xmm9);
PIECE(ymm4);
PIECE(fs_base);
PIECE(fs_base_and_fault);
PIECE(ret_8);
PIECE(null);
PIECE(ud2);
PIECE(int3);
PIECE(hlt);
PIECE(divide);
PIECE(trap_flag);
PIECE(spin);
PIECE(getpid);
PIECE(exit_80);
PIECE(no_stack);
PIECE(everything_lost);
PIECE(nothing_32);
PIECE(not_eax);
PIECE(not_ebx);
PIECE(not_ebp);
PIECE(not_edi);
PIECE(set_df_32);
PIECE(set_ac_32);
PIECE(set_nt_32);
PIECE(set_tf_32);
PIECE(set_df_and_fault_32);
PIECE(mxcsr_32);
PIECE(fcw_32);
PIECE(fld1_32);
PIECE(movd_32);
PIECE(xmm7_32);
PIECE(ymm4_32);
PIECE(ds_32);
PIECE(es_and_fault_32);
PIECE(ret_4);
PIECE(null_32);
PIECE(ud2_32);
PIECE(int3_32);
PIECE(hlt_32);
PIECE(divide_32);
PIECE(trap_flag_32);
PIECE(spin_32);
PIECE(exit_int80);
PIECE(no_stack_32);
PIECE(everything_lost_32);

/* What may differ between start and end; everything else must not. */
enum change {
    NOTHING = 0,
    FLAGS = 1,
    MXCSR = 2,
    FCW = 4,
    TAGS = 8, /* with st and TOP */
    XMM = 16,
    YMM = 32,
    FS = 64,
    RSP = 128,
    DATA = 256, /* ds */
};

struct piece {
    const char *name;
    const unsigned char *code, *end;
    unsigned changes;
    int gpr; /* besides: index of a register that changes, or -1 */
    enum fnp_end how;
    int sig;
};

#define RETURNS(name, changes, gpr)                                                    \
    { #name, run_##name, run_##name##_end, changes, gpr, FNP_END_RETURNED, 0 }
#define ENDS(name, how, sig) { #name, run_##name, run_##name##_end, 0, -1, how, sig }

static const struct piece pieces[] = {
    RETURNS(nothing, NOTHING, -1),
    RETURNS(not_rax, NOTHING, FNP_RAX),
    RETURNS(not_rbx, NOTHING, FNP_RBX),
    RETURNS(not_rbp, NOTHING, FNP_RBP),
    RETURNS(not_rdi, NOTHING, FNP_RDI),
    RETURNS(not_r8, NOTHING, FNP_R8),
    RETURNS(not_r15, NOTHING, FNP_R15),
    RETURNS(set_df, FLAGS, -1),
    RETURNS(set_ac, FLAGS, -1),
    RETURNS(set_nt, FLAGS, -1),
    RETURNS(set_tf, FLAGS, -1),
    RETURNS(mxcsr, MXCSR, FNP_RAX),
    RETURNS(fcw, FCW, FNP_RAX),
    RETURNS(fld1, TAGS, -1),
    RETURNS(movd, TAGS, -1),
    RETURNS(xmm9, XMM, -1),
    RETURNS(ymm4, XMM | YMM, -1),
    RETURNS(fs_base, FS, FNP_RAX),
    RETURNS(ret_8, RSP, -1),
    ENDS(set_df_and_fault, FNP_END_FAULT, SIGSEGV),
    ENDS(fs_base_and_fault, FNP_END_FAULT, SIGILL),
    ENDS(null, FNP_END_FAULT, SIGSEGV),
    ENDS(ud2, FNP_END_FAULT, SIGILL),
    ENDS(int3, FNP_END_FAULT, SIGTRAP),
    ENDS(hlt, FNP_END_FAULT, SIGSEGV),
    ENDS(divide, FNP_END_FAULT, SIGFPE),
    ENDS(trap_flag, FNP_END_FAULT, SIGTRAP),
    ENDS(spin, FNP_END_HANG, SIGVTALRM),
    ENDS(getpid, FNP_END_SYSCALL, SIGSYS),
    ENDS(exit_80, FNP_END_SYSCALL, SIGSYS),
    ENDS(no_stack, FNP_END_FAULT, SIGSEGV),
    ENDS(everything_lost, FNP_END_FAULT, SIGSEGV),
};

/* Code for a 32-bit segment. */
static const struct piece pieces_32[] = {
    RETURNS(nothing_32, NOTHING, -1),
    RETURNS(not_eax, NOTHING, FNP_RAX),
    RETURNS(not_ebx, NOTHING, FNP_RBX),
    RETURNS(not_ebp, NOTHING, FNP_RBP),
    RETURNS(not_edi, NOTHING, FNP_RDI),
    RETURNS(set_df_32, FLAGS, -1),
    RETURNS(set_ac_32, FLAGS, -1),
    RETURNS(set_nt_32, FLAGS, -1),
    RETURNS(set_tf_32, FLAGS, -1),
    RETURNS(mxcsr_32, MXCSR, FNP_RAX),
    RETURNS(fcw_32, FCW, FNP_RAX),
    RETURNS(fld1_32, TAGS, -1),
    RETURNS(movd_32, TAGS, -1),
    RETURNS(xmm7_32, XMM, -1),
    RETURNS(ymm4_32, XMM | YMM, -1),
    RETURNS(ds_32, DATA, FNP_RAX),
    RETURNS(ret_4, RSP, -1),
    ENDS(set_df_and_fault_32, FNP_END_FAULT, SIGSEGV),
    ENDS(es_and_fault_32, FNP_END_FAULT, SIGSEGV),
    ENDS(null_32, FNP_END_FAULT, SIGSEGV),
    ENDS(ud2_32, FNP_END_FAULT, SIGILL),
    ENDS(int3_32, FNP_END_FAULT, SIGTRAP),
    ENDS(hlt_32, FNP_END_FAULT, SIGSEGV),
    ENDS(divide_32, FNP_END_FAULT, SIGFPE),
    ENDS(trap_flag_32, FNP_END_FAULT, SIGTRAP),
    ENDS(spin_32, FNP_END_HANG, SIGVTALRM),
    ENDS(exit_int80, FNP_END_SYSCALL, SIGSYS),
    ENDS(no_stack_32, FNP_END_FAULT, SIGSEGV),
    ENDS(everything_lost_32, FNP_END_FAULT, SIGSEGV),
};

static struct fnp_lab lab;
static struct fnp_kernel kernel;
static struct fnp_outcome outcome;
static unsigned char code[4096];

/* Load a piece as the kernel `void f(void dst[n], size_t n)`. */
static void load(const struct piece *p, bool is32)
{
    const uint64_t at = is32 ? FNP_IMAGE_LOW : FNP_IMAGE_HIGH;

    static struct fnp_kernel other; /* a different address makes the lab map anew */

    memset(code, 0xcc, sizeof(code));
    memcpy(code, p->code, (size_t)(p->end - p->code));
    memset(&kernel, 0, sizeof(kernel));
    kernel.contract.op = FNP_OP_ZERO;
    kernel.contract.n_bufs = 1;
    kernel.contract.bufs[0] =
        (struct fnp_buf){ .role = FNP_DST, .mul = 1, .writes = true, .align = 1 };
    kernel.contract.n_params = 1;
    kernel.contract.params[0] = (struct fnp_param){ .kind = FNP_PARAM_BUF };
    kernel.contract.abi = is32 ? FNP_ABI_I386 : FNP_ABI_SYSV64;
    kernel.contract.is32 = is32;
    kernel.contract.params[0].width = (uint8_t)fnp_word_len(is32);
    kernel.image.is32 = is32;
    kernel.image.entry = at;
    kernel.image.n_segments = 1;
    kernel.image.segments[0] = (struct fnp_segment){
        .addr = at,
        .len = sizeof(code),
        .prot = FNP_PROT_R | FNP_PROT_X,
        .bytes = code,
    };
    kernel.scan.x87_mmx = true;
    kernel.scan.vex = true;
    kernel.scan.moves_stack = true;
    kernel.scan.mxcsr = true;
    other = kernel;
    other.image.n_segments = 0;
    if (lab.kernel)
        fnp_lab_load(&lab, &other);
    fnp_lab_load(&lab, &kernel);
}

/* The first part that differs and should not, or should and does not; NULL: all right. */
static const char *wrong_part(const struct piece *p, const struct fnp_outcome *o)
{
    const struct fnp_state *in = &o->in, *out = &o->out;
    const unsigned word = fnp_word_len(kernel.contract.is32);
    const struct {
        unsigned change;
        bool differs;
        const char *name;
    } parts[] = {
        { FLAGS, in->rflags != out->rflags, "flags" },
        { MXCSR, in->mxcsr != out->mxcsr, "mxcsr" },
        { FCW, in->fcw != out->fcw, "fcw" },
        { TAGS,
         o->full && (in->ftw != out->ftw || in->fsw != out->fsw ||
                      memcmp(in->st, out->st, 80) != 0),
         "x87" },
        { XMM, o->full && memcmp(in->xmm, out->xmm, 256) != 0, "xmm" },
        { YMM, o->full && memcmp(in->ymm_high, out->ymm_high, 256) != 0, "ymm" },
        { FS, in->fs_base != out->fs_base, "fs base" },
        { RSP, in->gpr[FNP_RSP] + word != out->gpr[FNP_RSP], "rsp" },
        { DATA, in->ds != out->ds, "ds" },
    };

    for (size_t i = 0; i < FNP_ARRAY_LEN(parts); i++) {
        bool should = (p->changes & parts[i].change) != 0;

        if (!o->full && (parts[i].change & (TAGS | XMM | YMM)))
            continue;
        if (parts[i].differs != should)
            return parts[i].name;
    }
    for (int i = 0; i < FNP_N_GPRS; i++) {
        if (i != FNP_RSP && (in->gpr[i] != out->gpr[i]) != (i == p->gpr))
            return fnp_gpr_names[i];
    }
    return NULL;
}

/* What the host may rely on between two cases. */
static bool host_is_sane(void)
{
    static _Thread_local volatile int tls = 7;
    uint64_t flags = 0;
    uint32_t mxcsr = 0;
    uint16_t fcw = 0;

    __asm__ volatile("pushfq\n\tpop %0" : "=r"(flags));
    __asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
    __asm__ volatile("fnstcw %0" : "=m"(fcw));
    return !(flags & (FNP_FLAG_DF | FNP_FLAG_AC | FNP_FLAG_NT | FNP_FLAG_TF)) &&
           mxcsr == FNP_MXCSR_DEFAULT && fcw == FNP_FCW_DEFAULT && tls == 7;
}

/* A start state and a level. */
struct way {
    const char *name;
    struct fnp_case c;
    unsigned mode;
};

static void test_piece(const struct piece *p, bool is32, const struct way *way)
{
    const struct piece *nothing = is32 ? &pieces_32[0] : &pieces[0];

    load(p, is32);
    fnp_lab_run(&lab, &way->c, way->mode, &outcome);
    bool sane = host_is_sane();

    if (p->how == FNP_END_RETURNED) {
        const char *wrong = outcome.end == p->how ? wrong_part(p, &outcome) : "end";

        tap_ok(!wrong && sane, "%s, %s: told as it is%s%s", p->name, way->name,
               wrong ? ", but " : "", wrong ? wrong : "");
    } else {
        tap_ok(outcome.end == p->how && outcome.fault.sig == p->sig && sane,
               "%s, %s: ends with signal %d (was end %d, signal %d)", p->name,
               way->name, p->sig, outcome.end, outcome.fault.sig);
    }
    load(nothing, is32);
    fnp_lab_run(&lab, &way->c, FNP_MODE_FULL, &outcome);
    tap_ok(outcome.end == FNP_END_RETURNED && !wrong_part(nothing, &outcome),
           "%s, %s: nothing is left of it", p->name, way->name);
}

/* Every start state must arrive and come back bit for bit through code that does nothing. */
static void test_round_trips(bool is32)
{
    const struct piece *nothing = is32 ? &pieces_32[0] : &pieces[0];
    unsigned good = 0, all = 0;

    load(nothing, is32);
    for (unsigned i = 0; i < 2000; i++) {
        struct fnp_case c = fnp_case_default();

        c.junk = (uint8_t)i;
        c.x87 = (uint8_t)(i % 10);
        c.ymm = fnp_machine()->avx ? i / 10 % 2 : 0;
        c.mxcsr = (uint16_t)(0x1f80 | (i * 0x2040 & 0xe03f));
        c.fcw = (uint16_t)(0x007f | (i * 0x100 & 0xf00));
        c.repeat = i % 3 == 0;
        fnp_lab_run(&lab, &c, FNP_MODE_FULL, &outcome);
        all++;
        good += outcome.end == FNP_END_RETURNED && outcome.full &&
                !wrong_part(nothing, &outcome);
    }
    tap_ok(good == all, "%u of %u start states come back bit for bit (%d-bit code)",
           good, all, is32 ? 32 : 64);
}

/* The fill that judges others, against its own definition. */
static void test_reference(void)
{
    static const unsigned widths[] = { 1, 2, 4, 8 };
    const uint64_t value = 0x8877665544332211u;
    unsigned bad = 0;

    for (size_t w = 0; w < FNP_ARRAY_LEN(widths); w++) {
        for (size_t len = 0; len <= 40; len++) {
            unsigned char got[48];

            memset(got, 0xcc, sizeof(got));
            fnp_reference_set(got + 1, value, widths[w], len);
            for (size_t i = 0; i < len; i++)
                bad += got[1 + i] != (unsigned char)(value >> (8 * (i % widths[w])));
            bad += got[0] != 0xcc || got[1 + len] != 0xcc;
        }
    }
    tap_ok(bad == 0, "the reference fill of every width and length: %u wrong", bad);
}

static bool possible(const struct piece *p)
{
    const struct fnp_machine *m = fnp_machine();

    if ((p->code == run_fs_base || p->code == run_fs_base_and_fault) && !m->fsgsbase)
        return false;
    return (p->code != run_ymm4 && p->code != run_ymm4_32) || m->avx;
}

static void test_pieces(const struct piece *list, size_t count, bool is32)
{
    struct way ways[] = {
        { "cheap", fnp_case_default(), 0             },
        { "full",  fnp_case_default(), FNP_MODE_FULL },
        { "live",  fnp_case_default(), FNP_MODE_FULL },
    };
    struct fnp_case *live = &ways[2].c;

    live->x87 = 3;
    live->ymm = fnp_machine()->avx;
    live->mxcsr = 0x7f80;
    live->fcw = 0x0f7f;
    live->junk = 9;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; possible(&list[i]) && k < FNP_ARRAY_LEN(ways); k++)
            test_piece(&list[i], is32, &ways[k]);
    }
    test_round_trips(is32);
}

int main(void)
{
    struct fnp_err err = { "" };

    setvbuf(stdout, NULL, _IOLBF, 0);
    if (fnp_lab_open(&lab, 60, &err) != FNP_OK) {
        printf("Bail out! %s\n", err.text);
        return 1;
    }
    test_pieces(pieces, FNP_ARRAY_LEN(pieces), false);
    if (fnp_machine()->compat)
        test_pieces(pieces_32, FNP_ARRAY_LEN(pieces_32), true);
    else
        printf("# no 32-bit code segment here\n");
    test_reference();
    return tap_done();
}
