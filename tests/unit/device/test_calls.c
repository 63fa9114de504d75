/* Tests of device functions that are really called: recursion, function pointers, deep chains,
 * stacks, and what goes wrong with them. */
#include "emulated_fixture.h"

#include <stdlib.h>

/* None of these launches may reach it, however slow a sanitizer and a busy machine make them. */
#define DEADLINE_NS UINT64_C(1000000000000)

/* A launch of one kernel over `out` [1024] words. */
struct run {
    struct device *device;
    struct device_launch_result result;
    uint32_t out[1024];
};

static void run_limited(struct run *run, const char *ptx, uint32_t threads, uint64_t stack_bytes)
{
    run->device = fixture_open(1, DEADLINE_NS);
    uint32_t module = fixture_load(run->device, ptx);
    uint64_t address = fixture_allocate(run->device, sizeof run->out);
    assert_true(device_fill(run->device, address, sizeof run->out, 0, 4));
    struct device_launch launch = {
        .module = module,
        .grid = {1, 1, 1},
        .block = {threads, 1, 1},
        .parameters = &address,
        .limits.stack_bytes = stack_bytes,
    };
    device_launch(run->device, &launch, &run->result);
    assert_true(device_read(run->device, address, run->out, sizeof run->out));
}

static void run_start(struct run *run, const char *ptx, uint32_t threads)
{
    run_limited(run, ptx, threads, 0);
}

static void expect_done(const struct run *run)
{
    assert_int_equal(run->result.finding_count, 0);
    assert_int_equal(run->result.status, LAUNCH_DONE);
}

/* out[tid] = value, at the end of a kernel whose parameter is `out`. */
#define KERNEL_HEAD                                                                                \
    ".visible .entry k(.param .u64 out)\n{\n"                                                      \
    ".reg .u32 %t, %r<20>; .reg .u64 %a, %rd<20>; .reg .pred %p<9>;\n"                             \
    "mov.u32 %t, %tid.x;\n"
#define STORE(reg)                                                                                 \
    "ld.param.u64 %a, [out];\nmul.wide.u32 %rd19, %t, 4;\nadd.s64 %a, %a, %rd19;\n"                \
    "st.global.u32 [%a], " reg ";\nret;\n}\n"

/* A call with one argument and one result of 32 bits. */
#define CALL(to, function, value)                                                                  \
    "{\n.param .b32 p0;\nst.param.b32 [p0+0], " value ";\n.param .b32 r0;\n"                       \
    "call.uni (r0), " function ", (p0);\nld.param.b32 " to ", [r0+0];\n}\n"

#define FIB                                                                                        \
    ".func (.param .b32 ret) fib(.param .b32 n)\n{\n"                                              \
    ".reg .pred %p; .reg .b32 %r<9>;\nld.param.u32 %r8, [n];\n"                                    \
    "setp.lt.s32 %p, %r8, 2;\n@%p bra DONE;\nadd.s32 %r4, %r8, -1;\n" CALL(                        \
        "%r5", "fib", "%r4") "add.s32 %r6, %r8, -2;\n" CALL("%r7", "fib",                          \
                                                            "%r6") "add.s32 %r8, %r7, "            \
                                                                   "%r5;\nDONE:\nst.param.b32 "    \
                                                                   "[ret+0], %r8;\nret;\n}\n"

static uint32_t fib(uint32_t n)
{
    uint32_t a = 0;
    uint32_t b = 1;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t sum = a + b;
        a = b;
        b = sum;
    }
    return a;
}

static void test_recursion_of_lanes_at_different_depths(void **state)
{
    (void)state;
    struct run run;
    run_start(&run,
              PTX_HEAD FIB KERNEL_HEAD "rem.u32 %r1, %t, 13;\n" CALL("%r2", "fib", "%r1")
                  STORE("%r2"),
              80);
    expect_done(&run);
    for (uint32_t i = 0; i < 80; i++) {
        assert_int_equal(run.out[i], fib(i % 13));
    }
    device_close(run.device);
}

/* Only some lanes call; behind the call all are together again. */
static void test_lanes_meet_behind_a_call(void **state)
{
    (void)state;
    struct run run;
    run_start(&run,
              PTX_HEAD FIB KERNEL_HEAD
              "and.b32 %r1, %t, 1;\nsetp.eq.u32 %p1, %r1, 0;\nmov.u32 %r2, 7;\n"
              "@%p1 bra BEHIND;\nshr.u32 %r6, %t, 1;\n" CALL(
                  "%r2", "fib",
                  "%r6") "BEHIND:\nactivemask.b32 %r3;\n"
                         "popc.b32 %r4, %r3;\nmad.lo.s32 %r5, %r4, 100000, %r2;\n" STORE("%r5"),
              20);
    expect_done(&run);
    for (uint32_t i = 0; i < 20; i++) {
        assert_int_equal(run.out[i], 20 * 100000 + (i % 2 == 0 ? 7 : fib(i / 2)));
    }
    device_close(run.device);
}

/* Lanes that reach a barrier inside of a recursion, each at another depth. */
static void test_barrier_inside_of_a_recursion(void **state)
{
    (void)state;
    struct run run;
    run_start(&run,
              PTX_HEAD
              ".func (.param .b32 ret) down(.param .b32 n)\n{\n.reg .pred %p; .reg .b32 %r<9>;\n"
              "ld.param.u32 %r1, [n];\nsetp.ne.s32 %p, %r1, 0;\n@%p bra DEEPER;\n"
              "bar.sync 0;\nst.param.b32 [ret+0], 0;\nret;\nDEEPER:\nadd.s32 %r2, %r1, -1;\n" CALL(
                  "%r3", "down",
                  "%r2") "add.s32 %r4, %r3, 1;\nst.param.b32 [ret+0], %r4;\nret;\n}\n" KERNEL_HEAD
                         "shr.u32 %r1, %t, 5;\n" CALL("%r2", "down", "%r1") STORE("%r2"),
              128);
    expect_done(&run);
    for (uint32_t i = 0; i < 128; i++) {
        assert_int_equal(run.out[i], i / 32);
    }
    device_close(run.device);
}

/* Each activation has its own array, and a pointer to the caller's. */
#define ARRAYS                                                                                     \
    ".func (.param .b32 ret) f(.param .b32 n, .param .b64 q)\n{\n"                                 \
    ".local .align 16 .b8 depot[32];\n.reg .pred %p; .reg .b32 %r<12>; .reg .b64 %rd<9>;\n"        \
    "ld.param.u32 %r1, [n];\nld.param.u64 %rd1, [q];\nmov.u64 %rd2, depot;\n"                      \
    "add.s32 %r2, %r1, 1;\nadd.s32 %r3, %r1, 2;\nadd.s32 %r4, %r1, 3;\n"                           \
    "st.local.v4.u32 [%rd2+16], {%r1, %r2, %r3, %r4};\n"                                           \
    "setp.eq.s32 %p, %r1, 0;\n@%p bra END;\nadd.s32 %r5, %r1, -1;\ncvta.local.u64 %rd3, %rd2;\n"   \
    "{\n.param .b32 p0;\nst.param.b32 [p0], %r5;\n.param .b64 p1;\nst.param.b64 [p1], %rd3;\n"     \
    ".param .b32 r0;\ncall.uni (r0), f, (p0, p1);\nld.param.b32 %r6, [r0];\n}\n"                   \
    "ld.local.u32 %r7, [%rd2+20];\nadd.s32 %r8, %r6, %r7;\nst.param.b32 [ret], %r8;\nret;\n"       \
    "END:\nld.u32 %r9, [%rd1+24];\nst.param.b32 [ret], %r9;\nret;\n}\n"

static void test_each_activation_has_its_variables(void **state)
{
    (void)state;
    struct run run;
    run_start(&run,
              PTX_HEAD ARRAYS KERNEL_HEAD
              ".local .align 16 .b8 own[32];\nmov.u64 %rd1, own;\nst.local.u32 [%rd1+24], 1000;\n"
              "cvta.local.u64 %rd2, %rd1;\nand.b32 %r1, %t, 7;\n"
              "{\n.param .b32 p0;\nst.param.b32 [p0], %r1;\n.param .b64 p1;\n"
              "st.param.b64 [p1], %rd2;\n.param .b32 r0;\ncall (r0), f, (p0, p1);\n"
              "ld.param.b32 %r2, [r0];\n}\n" STORE("%r2"),
              64);
    expect_done(&run);
    for (uint32_t i = 0; i < 64; i++) {
        uint32_t n = i & 7;
        uint32_t expected = n == 0 ? 1000 : 3; /* [6] of the activation for 1: 1 + 2 */
        for (uint32_t k = n; k > 0; k--) {
            expected += k + 1;
        }
        assert_int_equal(run.out[i], expected);
    }
    device_close(run.device);
}

#define OPERATIONS                                                                                 \
    ".func (.param .b32 ret) twice(.param .b32 n);\n"                                              \
    ".func (.param .b32 ret) square(.param .b32 n);\n"                                             \
    ".global .align 8 .u64 table[3] = {twice, square, fib};\n" FIB                                 \
    ".func (.param .b32 ret) twice(.param .b32 n)\n{\n.reg .b32 %r<3>;\nld.param.u32 %r1, [n];\n"  \
    "add.u32 %r1, %r1, %r1;\nst.param.b32 [ret], %r1;\nret;\n}\n"                                  \
    ".func (.param .b32 ret) square(.param .b32 n)\n{\n.reg .b32 %r<3>;\nld.param.u32 %r1, [n];\n" \
    "mul.lo.u32 %r1, %r1, %r1;\nst.param.b32 [ret], %r1;\nret;\n}\n"

#define INDIRECT_CALL                                                                              \
    "{\n.param .b32 p0;\nst.param.b32 [p0+0], %t;\n.param .b32 r0;\n"                              \
    "proto: .callprototype (.param .b32 _) _ (.param .b32 _);\n"                                   \
    "call (r0), %rd5, (p0), proto;\nld.param.b32 %r9, [r0+0];\n}\n"

static void test_pointers_lead_lanes_to_different_functions(void **state)
{
    (void)state;
    struct run run;
    run_start(
        &run,
        PTX_HEAD OPERATIONS KERNEL_HEAD
        "rem.u32 %r1, %t, 3;\nmul.wide.u32 %rd1, %r1, 8;\nmov.u64 %rd2, table;\n"
        "add.s64 %rd3, %rd2, %rd1;\nld.global.u64 %rd5, [%rd3];\n" INDIRECT_CALL
        "activemask.b32 %r3;\npopc.b32 %r3, %r3;\nmad.lo.u32 %r9, %r3, 100000, %r9;\n" STORE("%r9"),
        15);
    expect_done(&run);
    for (uint32_t i = 0; i < 15; i++) {
        uint32_t value = i % 3 == 0 ? 2 * i : i % 3 == 1 ? i * i : fib(i);
        assert_int_equal(run.out[i], 1500000 + value);
    }
    device_close(run.device);
}

static void test_address_of_a_function(void **state)
{
    (void)state;
    struct run run;
    run_start(&run,
              PTX_HEAD OPERATIONS KERNEL_HEAD "mov.u64 %rd5, square;\n" INDIRECT_CALL STORE("%r9"),
              8);
    expect_done(&run);
    assert_int_equal(run.out[7], 49);
    device_close(run.device);
}

static void expect_bad_call(const char *ptx, uint32_t line)
{
    struct run run;
    run_start(&run, ptx, 32);
    const struct finding_record *finding = fixture_finding(&run.result, FINDING_RECORD_BAD_CALL);
    assert_int_equal(run.result.status, LAUNCH_FAULT);
    assert_int_equal(finding->count, 32);
    assert_int_equal(finding->places[0].line, line);
    device_close(run.device);
}

static void test_a_pointer_that_is_no_function(void **state)
{
    (void)state;
    expect_bad_call(PTX_HEAD ".file 1 \"a.cu\"\n" OPERATIONS KERNEL_HEAD
                             "mov.u64 %rd5, 0;\n.loc 1 77 3\n" INDIRECT_CALL STORE("%r9"),
                    77);
    expect_bad_call(PTX_HEAD ".file 1 \"a.cu\"\n" OPERATIONS KERNEL_HEAD
                             "mov.u64 %rd5, square;\nadd.s64 %rd5, %rd5, 4;\n"
                             ".loc 1 78 3\n" INDIRECT_CALL STORE("%r9"),
                    78);
    expect_bad_call(PTX_HEAD ".file 1 \"a.cu\"\n" OPERATIONS KERNEL_HEAD
                             "mov.u64 %rd5, table;\n.loc 1 79 3\n" INDIRECT_CALL STORE("%r9"),
                    79);
    /* in a module without functions */
    expect_bad_call(PTX_HEAD ".file 1 \"a.cu\"\n" KERNEL_HEAD
                             "mov.u64 %rd5, 5;\n.loc 1 81 3\n" INDIRECT_CALL STORE("%r9"),
                    81);
}

/* The function behind the pointer takes a parameter of another size. */
static void test_a_pointer_to_another_kind_of_function(void **state)
{
    (void)state;
    expect_bad_call(PTX_HEAD ".file 1 \"a.cu\"\n"
                             ".func (.param .b32 ret) wide(.param .b64 n)\n{\nst.param.b32 [ret], "
                             "1;\nret;\n}\n" KERNEL_HEAD
                             "mov.u64 %rd5, wide;\n.loc 1 80 3\n" INDIRECT_CALL STORE("%r9"),
                    80);
}

#define FOREVER                                                                                    \
    ".file 1 \"a.cu\"\n.func (.param .b32 ret) forever(.param .b32 n)\n{\n.reg .b32 %r<5>;\n"      \
    "ld.param.u32 %r1, [n];\nadd.u32 %r1, %r1, 1;\n.loc 1 33 5\n" CALL(                            \
        "%r2", "forever", "%r1") "add.u32 %r3, %r1, %r2;\nst.param.b32 [ret], %r3;\nret;\n}\n"

static void test_endless_recursion_is_a_stack_overflow(void **state)
{
    (void)state;
    static const uint64_t limits[] = {0, 1 << 19};
    for (size_t i = 0; i < 2; i++) {
        struct run run;
        run_limited(&run, PTX_HEAD FOREVER KERNEL_HEAD CALL("%r2", "forever", "%t") STORE("%r2"),
                    256, limits[i]);
        assert_int_equal(run.result.status, LAUNCH_FAULT);
        const struct finding_record *finding =
            fixture_finding(&run.result, FINDING_RECORD_STACK_OVERFLOW);
        assert_int_equal(finding->object_bytes, i == 0 ? 1024 : 1 << 19);
        assert_int_equal(finding->places[0].line, 33);
        assert_string_equal(finding->text, "forever");
        device_close(run.device);
    }
}

/* An activation takes 16 bytes at least. */
static void test_the_limit_of_the_stack_can_be_raised(void **state)
{
    (void)state;
    static const char ptx[] = PTX_HEAD
        ".func (.param .b32 ret) down(.param .b32 n)\n{\n.reg .pred %p; .reg .b32 %r<9>;\n"
        "ld.param.u32 %r1, [n];\nsetp.eq.s32 %p, %r1, 0;\n@%p bra END;\nadd.s32 %r2, %r1, "
        "-1;\n" CALL("%r3", "down", "%r2") "add.s32 %r1, %r3, 1;\nEND:\n"
                                           "st.param.b32 [ret], %r1;\nret;\n}\n" KERNEL_HEAD CALL(
                                               "%r2", "down", "500") STORE("%r2");
    struct run run;
    run_limited(&run, ptx, 32, 501 * 16);
    expect_done(&run);
    assert_int_equal(run.out[31], 500);
    device_close(run.device);
    run_limited(&run, ptx, 32, 500 * 16);
    assert_int_equal(run.result.status, LAUNCH_FAULT);
    fixture_finding(&run.result, FINDING_RECORD_STACK_OVERFLOW);
    device_close(run.device);
}

/* A pointer to a variable of a function that has returned leads nowhere. */
static void test_a_pointer_into_a_frame_that_is_gone(void **state)
{
    (void)state;
    struct run run;
    run_start(&run,
              PTX_HEAD ".file 1 \"a.cu\"\n"
                       ".func (.param .b64 ret) leak(.param .b32 n)\n{\n"
                       ".local .align 8 .b8 depot[16];\n.reg .pred %p; .reg .b32 %r<4>; "
                       ".reg .b64 %rd<4>;\nld.param.u32 %r1, [n];\nsetp.eq.u32 %p, %r1, 9;\n"
                       "@%p bra AGAIN;\nmov.u64 %rd1, depot;\nst.local.u32 [%rd1], 5;\n"
                       "cvta.local.u64 %rd2, %rd1;\nst.param.b64 [ret], %rd2;\nret;\nAGAIN:\n"
                       "{\n.param .b32 p0;\nst.param.b32 [p0], 1;\n.param .b64 r0;\n"
                       "call.uni (r0), leak, (p0);\nld.param.b64 %rd3, [r0];\n}\n"
                       "st.param.b64 [ret], %rd3;\nret;\n}\n" KERNEL_HEAD
                       "{\n.param .b32 p0;\nst.param.b32 [p0], %t;\n.param .b64 r0;\n"
                       "call.uni (r0), leak, (p0);\nld.param.b64 %rd1, [r0];\n}\n"
                       ".loc 1 12 1\nld.u32 %r1, [%rd1];\n" STORE("%r1"),
              32);
    const struct finding_record *finding =
        fixture_finding(&run.result, FINDING_RECORD_LOCAL_OUT_OF_BOUNDS);
    assert_int_equal(finding->count, 32);
    assert_int_equal(finding->places[0].line, 12);
    device_close(run.device);
}

/* Values of a call may stand in registers and be numbers, for inlined functions as for others. */
static void test_values_in_registers(void **state)
{
    (void)state;
    struct run run;
    run_start(&run,
              PTX_HEAD ".func (.param .b32 ret) less(.param .b32 a, .param .b16 b)\n{\n"
                       ".reg .b32 %r<4>; .reg .b16 %h;\nld.param.u32 %r1, [a];\n"
                       "ld.param.u16 %h, [b];\ncvt.u32.u16 %r2, %h;\nsub.u32 %r3, %r1, %r2;\n"
                       "st.param.b32 [ret], %r3;\nret;\n}\n" FIB KERNEL_HEAD
                       "call (%r1), less, (%t, 3);\ncall (%r2), fib, (%r1);\n" STORE("%r2"),
              14);
    expect_done(&run);
    for (uint32_t i = 3; i < 14; i++) {
        assert_int_equal(run.out[i], fib(i - 3));
    }
    device_close(run.device);
}

/* exit inside of a call ends the thread; the others go on. */
static void test_exit_inside_of_a_call(void **state)
{
    (void)state;
    struct run run;
    run_start(&run,
              PTX_HEAD
              ".func (.param .b32 ret) down(.param .b32 n)\n{\n.reg .pred %p<3>; .reg .b32 %r<9>;\n"
              "ld.param.u32 %r1, [n];\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra END;\n"
              "setp.eq.s32 %p2, %r1, 3;\n@%p2 exit;\nadd.s32 %r2, %r1, -1;\n" CALL(
                  "%r3", "down", "%r2") "END:\nst.param.b32 [ret], 1;\nret;\n}\n" KERNEL_HEAD
                                        "and.b32 %r1, %t, 3;\n" CALL("%r2", "down", "%r1")
                                            STORE("%r2"),
              64);
    expect_done(&run);
    for (uint32_t i = 0; i < 64; i++) {
        assert_int_equal(run.out[i], i % 4 != 3);
    }
    device_close(run.device);
}

/* A chain of functions that is too deep to be inlined, each used twice. */
static void test_a_long_chain(void **state)
{
    (void)state;
    enum { CHAIN = 40, ROOM = 1 << 16 };
    char *ptx = malloc(ROOM);
    struct run run;
    assert_non_null(ptx);
    size_t length = (size_t)snprintf(ptx, ROOM, "%s", PTX_HEAD);
    for (int i = 0; i < CHAIN; i++) {
        length +=
            (size_t)snprintf(ptx + length, ROOM - length,
                             ".func (.param .b32 ret) f%d(.param .b32 n)\n{\n.reg .b32 %%r<4>;\n"
                             "ld.param.u32 %%r1, [n];\nadd.u32 %%r1, %%r1, 1;\n",
                             i);
        if (i > 0) {
            length +=
                (size_t)snprintf(ptx + length, ROOM - length, "call (%%r1), f%d, (%%r1);\n", i - 1);
        }
        length +=
            (size_t)snprintf(ptx + length, ROOM - length, "st.param.b32 [ret], %%r1;\nret;\n}\n");
    }
    snprintf(ptx + length, ROOM - length, "%s",
             KERNEL_HEAD "call (%r1), f39, (%t);\n" STORE("%r1"));
    run_start(&run, ptx, 32);
    expect_done(&run);
    assert_int_equal(run.out[5], 5 + CHAIN);
    device_close(run.device);
    free(ptx);
}

static void test_unknown_functions_are_refused_by_name(void **state)
{
    (void)state;
    struct run run;
    run_start(&run,
              PTX_HEAD
              ".file 1 \"a.cu\"\n"
              ".extern .func (.param .b32 ret) cudaLaunchDevice(.param .b64 a);\n" KERNEL_HEAD
              "setp.eq.u32 %p1, %t, 3;\n.loc 1 9 2\n"
              "@%p1 call (%r1), cudaLaunchDevice, (%rd1);\n" STORE("%r1"),
              32);
    assert_int_equal(run.result.status, LAUNCH_UNSUPPORTED);
    const struct finding_record *finding =
        fixture_finding(&run.result, FINDING_RECORD_UNKNOWN_FUNCTION);
    assert_string_equal(finding->text, "cudaLaunchDevice");
    assert_int_equal(finding->places[0].line, 9);
    assert_int_equal(finding->places[0].thread[0], 3);
    device_close(run.device);
}

/* The same with one and with several threads of the host. */
static void test_blocks_in_parallel(void **state)
{
    (void)state;
    enum { BLOCKS = 12, THREADS = 64 };
    struct device *device = fixture_open(3, DEADLINE_NS);
    uint32_t module = fixture_load(
        device, PTX_HEAD FIB KERNEL_HEAD "rem.u32 %r1, %t, 11;\n" CALL(
                    "%r2", "fib",
                    "%r1") "mov.u32 %r3, %ctaid.x;\n"
                           "mad.lo.u32 %t, %r3, 64, %t;\nadd.u32 %r2, %r2, %r3;\n" STORE("%r2"));
    uint32_t out[BLOCKS * THREADS];
    uint64_t address = fixture_allocate(device, sizeof out);
    struct device_launch_result result = fixture_launch(device, module, BLOCKS, THREADS, &address);
    assert_int_equal(result.status, LAUNCH_DONE);
    assert_true(device_read(device, address, out, sizeof out));
    for (uint32_t i = 0; i < BLOCKS * THREADS; i++) {
        assert_int_equal(out[i], fib(i % THREADS % 11) + i / THREADS);
    }
    device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recursion_of_lanes_at_different_depths),
        cmocka_unit_test(test_lanes_meet_behind_a_call),
        cmocka_unit_test(test_barrier_inside_of_a_recursion),
        cmocka_unit_test(test_each_activation_has_its_variables),
        cmocka_unit_test(test_pointers_lead_lanes_to_different_functions),
        cmocka_unit_test(test_address_of_a_function),
        cmocka_unit_test(test_a_pointer_that_is_no_function),
        cmocka_unit_test(test_a_pointer_to_another_kind_of_function),
        cmocka_unit_test(test_endless_recursion_is_a_stack_overflow),
        cmocka_unit_test(test_the_limit_of_the_stack_can_be_raised),
        cmocka_unit_test(test_a_pointer_into_a_frame_that_is_gone),
        cmocka_unit_test(test_values_in_registers),
        cmocka_unit_test(test_exit_inside_of_a_call),
        cmocka_unit_test(test_a_long_chain),
        cmocka_unit_test(test_unknown_functions_are_refused_by_name),
        cmocka_unit_test(test_blocks_in_parallel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
