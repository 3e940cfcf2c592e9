/* SPDX-License-Identifier: MIT */
/*
 * ---- judging: what the call left, against what must hold
 *
 * The second half of the program; replay_template.c is the first.
 */

static int broken;

static void blame(const char *what)
{
    printf("%s: %s\n", kernel_name, what);
    broken = 1;
}

/* "dst+12", for the buffer nearest to an address. */
static const char *place(uint64_t addr)
{
    static char text[64];
    const struct buffer *near = NULL;
    uint64_t least = UINT64_MAX;

    for (size_t i = 0; i < N_BUFFERS; i++) {
        const struct buffer *b = &buffers[i];
        uint64_t away = addr < b->addr            ? b->addr - addr
                        : addr < b->addr + b->len ? 0
                                                  : addr - b->addr - b->len + 1;
        if (away < least || (away == least && b->output)) {
            least = away;
            near = b;
        }
    }
    if (!near || least > 1ull << 32) {
        snprintf(text, sizeof(text), "0x%" PRIx64, addr);
    } else {
        snprintf(text, sizeof(text), "%s%+" PRId64, near->name,
                 (int64_t)(addr - near->addr));
    }
    return text;
}

/* A huge buffer is mapped in part: faulting at the end of that part is right. */
static int is_huge_edge(void)
{
    for (size_t i = 0; i < N_BUFFERS; i++) {
        const struct buffer *b = &buffers[i];
        if (ended.page_fault && b->mapped < b->len &&
            ended.addr - b->addr >= b->mapped && ended.addr - b->addr < b->len) {
            return 1;
        }
    }
    return 0;
}

static int is_huge(void)
{
    for (size_t i = 0; i < N_BUFFERS; i++) {
        if (buffers[i].mapped < buffers[i].len) {
            return 1;
        }
    }
    return 0;
}

/* "rax", or "eax" in 32-bit code. */
static const char *gpr_name(unsigned i)
{
    static char name[8];

    snprintf(name, sizeof(name), "%s%s", call.gate ? "e" : "",
             gpr_names[i] + (call.gate ? 1 : 0));
    return name;
}

/* Right behind the kernel, on the way back to C? */
static int is_behind_call(uint64_t addr)
{
    return (addr >= (uintptr_t)kernel_returned && addr < (uintptr_t)call_kernel_end) ||
           (call.gate && addr - call.gate < GATE_LEN);
}

static int in_image(uint64_t addr)
{
    for (size_t i = 0; i < N_IMAGE; i++) {
        if (addr - image[i].addr < image[i].len) {
            return 1;
        }
    }
    return 0;
}

static void judge_end(void)
{
    char text[256];
    char where[64];

    if (in_image(ended.rip)) {
        snprintf(where, sizeof(where), "at entry%+" PRId64,
                 (int64_t)(ended.rip - call.entry));
    } else {
        snprintf(where, sizeof(where), "at 0x%" PRIx64, ended.rip);
    }
    if (ended.sig == SIGALRM) {
        snprintf(text, sizeof(text), "did not return within 2 s, last seen %s", where);
    } else if (ended.sig == SIGSYS) {
        snprintf(text, sizeof(text), "made system call %d %s", ended.number, where);
    } else if (ended.sig == SIGTRAP && is_behind_call(ended.rip)) {
        snprintf(text, sizeof(text), "returned with the trap flag set");
    } else if (ended.page_fault) {
        snprintf(text, sizeof(text), "signal %d (%s) %s: %s %s", ended.sig,
                 strsignal(ended.sig), where,
                 ended.fetch   ? "jumped to"
                 : ended.write ? "wrote to"
                               : "read from",
                 place(ended.addr));
    } else {
        snprintf(text, sizeof(text), "signal %d (%s) %s", ended.sig,
                 strsignal(ended.sig), where);
    }
    blame(text);
}

static const struct buffer *owner(uint64_t addr, int output)
{
    for (size_t i = 0; i < N_BUFFERS; i++) {
        if (buffers[i].output == output && addr - buffers[i].addr < buffers[i].len) {
            return &buffers[i];
        }
    }
    return NULL;
}

/* What a byte must be now; -1: anything. */
static int wanted(const struct buffer *out, uint64_t addr, unsigned char old)
{
    if (!out) {
        return old;
    }
    return out->expect ? out->expect[addr - out->addr] : out->constant;
}

static void judge_memory(void)
{
    static const char *const kinds[] = { "wrong bytes in the output",
                                         "input bytes changed",
                                         "bytes changed outside the buffers" };
    uint64_t count[3] = { 0 }, first[3] = { 0 };
    int want[3] = { 0 }, got[3] = { 0 };
    char text[256];

    for (size_t f = 0; f < N_FIELDS; f++) {
        for (uint64_t a = fields[f].lo; a < fields[f].hi; a++) {
            const struct buffer *out = owner(a, 1);
            int is = *at(a), must = wanted(out, a, before[f][a - fields[f].lo]);
            int kind = out ? 0 : owner(a, 0) ? 1 : 2;
            if (must < 0 || is == must) {
                continue;
            }
            if (count[kind]++ == 0) {
                first[kind] = a;
                want[kind] = must;
                got[kind] = is;
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        if (count[k]) {
            snprintf(text, sizeof(text),
                     "%s: %" PRIu64 ", first at %s: %02x where %02x belongs", kinds[k],
                     count[k], place(first[k]), (unsigned)got[k], (unsigned)want[k]);
            blame(text);
        }
    }
}

static void judge_segments(void)
{
    if (memcmp(out_segments, host_segments, sizeof(out_segments)) != 0) {
        blame("changed a segment register");
    }
    /* 32-bit code has no bases apart from selectors; restoring one clears them. */
    if (!call.gate && (out_fs != host_fs || out_gs != host_gs)) {
        blame("changed the base of fs or gs");
    }
}

static void judge_stack(void)
{
    if (memcmp(at(call.gpr[RSP]) + call.frame_free, frame + call.frame_free,
               frame_len - call.frame_free) != 0) {
        blame("wrote to the caller's frame or to its stack arguments");
    }
    for (uint64_t i = 0; i < call.below; i++) {
        if (*at(call.stack_lo + i) != STACK_FILL) {
            blame("wrote below the stack");
            break;
        }
    }
}

static void judge_registers(void)
{
    char text[256];
    uint64_t mask = call.return_bytes >= 8 ? UINT64_MAX
                                           : ((uint64_t)1 << 8 * call.return_bytes) - 1;

    for (unsigned i = 0; i < 16; i++) {
        if (i == RSP || !(call.keep_gprs >> i & 1) || out_gpr[i] == call.gpr[i]) {
            continue;
        }
        snprintf(text, sizeof(text),
                 "%s changed: %" PRIx64 " where %" PRIx64 " belongs", gpr_name(i),
                 out_gpr[i], call.gpr[i]);
        blame(text);
    }
    if (out_gpr[RSP] != call.gpr[RSP]) {
        snprintf(text, sizeof(text), "returned with %s off by %" PRId64, gpr_name(RSP),
                 (int64_t)(out_gpr[RSP] - call.gpr[RSP]));
        blame(text);
    }
    judge_stack();
    if (call.has_return && ((out_gpr[call.return_reg] ^ call.want_return) & mask)) {
        snprintf(text, sizeof(text),
                 "returned %" PRIx64 " in %s where %" PRIx64 " belongs",
                 out_gpr[call.return_reg] & mask, gpr_name(call.return_reg),
                 call.want_return & mask);
        blame(text);
    }
    if (out_flags >> 10 & 1) {
        blame("returned with the direction flag set");
    }
    if ((out_flags ^ call.flags) & 0x244100) {
        blame("changed AC, NT, TF or ID");
    }
    if (thread_changed) {
        blame("changed thread-local memory of this program (at fs)");
    }
}

static void judge_vectors(uint64_t components)
{
    static const unsigned char zero[16];
    unsigned offset = ymm_offset();
    char text[64];

    for (unsigned i = 0; i < 16; i++) {
        const unsigned char *xmm = components & 2 ? area_out + 160 + 16 * i : zero;
        const unsigned char *ymm =
            (components & 4) && offset ? area_out + offset + 16 * i : zero;
        if (((call.keep_xmm >> i & 1) && memcmp(xmm, call.xmm[i], 16)) ||
            ((call.keep_ymm >> i & 1) && memcmp(ymm, call.ymm_high[i], 16))) {
            snprintf(text, sizeof(text), "vector register %u changed", i);
            blame(text);
        }
        if (call.clean_upper && memcmp(ymm, zero, 16)) {
            snprintf(text, sizeof(text),
                     "returned with data in the upper half of ymm%u", i);
            blame(text);
        }
    }
}

/* What the kernel did to registers or status word that it had to keep; NULL: nothing. */
static const char *x87_fault(const unsigned char *area)
{
    uint16_t fsw;

    memcpy(&fsw, area + 2, 2);
    if (call.keep_top && !call.ftw && !area[4] && ((fsw ^ call.fsw) & 0x3800)) {
        return "changed the top of the x87 stack";
    }
    if (!call.keep_x87) {
        return NULL;
    }
    if (area[4] != call.ftw) {
        return "changed which x87 registers are in use";
    }
    if ((fsw ^ call.fsw) & 0x7f7f) {
        return "changed the x87 status word";
    }
    for (unsigned i = 0; i < 8; i++) {
        if (memcmp(area + 32 + 16 * i, call.st[i], 10)) {
            return "changed the contents of x87 or MMX registers";
        }
    }
    return NULL;
}

static void judge_x87(uint64_t components)
{
    static const unsigned char initial[416] = { 0x7f, 0x03 };
    const unsigned char *area = components & 1 ? area_out : initial;
    const char *fault = x87_fault(area);

    if (call.empty_tags && (area[4] & ~call.ftw)) {
        blame("left x87 or MMX registers in use (no emms)");
    }
    if (fault) {
        blame(fault);
    }
    if (call.keep_fcw && memcmp(area, &call.fcw, 2)) {
        blame("changed the x87 control word");
    }
}

static void judge_fp(void)
{
    uint64_t components;
    uint32_t mxcsr;

    memcpy(&components, area_out + 512, 8);
    memcpy(&mxcsr, area_out + 24, 4);
    judge_x87(components);
    if ((mxcsr ^ call.mxcsr) & call.keep_mxcsr) {
        blame("changed MXCSR");
    }
    judge_vectors(components);
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    make_memory();
    if (call.gate) {
        make_gate();
    }
    make_state();
    catch_signals();
    for (unsigned i = 0; i < call.calls && !ended.sig; i++) {
        if (i > 0) {
            refill();
        }
        alarm(2);
        call_guarded();
        alarm(0);
    }
    if (ended.sig) {
        if (!is_huge_edge()) {
            judge_end();
        }
    } else if (is_huge()) {
        blame("returned before it had touched all of a huge buffer");
    } else {
        if (call.gate) {
            narrow_registers();
        }
        judge_memory();
        judge_registers();
        judge_segments();
        judge_fp();
    }
    if (!broken) {
        printf("%s: kept its promises in this case (%s)\n", kernel_name, case_text);
    }
    return broken;
}
