/* test_gpu_choice.c: which GPUs of a list are chosen, and who gets one when they are taken. */
#include "submission/gpu_choice.h"

#include "base/clock.h"
#include "base/file.h"
#include "occupancy/gpu_model_record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { GPUS = 4 };

static struct arena *arena;
static char *folder;
static struct session_gpu listed[GPUS];
static uint8_t records[GPUS][GPU_MODEL_RECORD_BYTES];
static unsigned told;
static int on_reported[2] = {-1, -1}; /* a byte is written into it when the user is told */

static void set_model(size_t gpu, const char *name, uint32_t major)
{
    struct gpu_model model;

    assert_int_equal(gpu_model_find(name, &model, NULL), ERROR_NONE);
    model.compute_major = major;
    gpu_model_pack(&model, records[gpu]);
}

/* Four GPUs that are alike. */
static int set_up(void **state)
{
    static const char *const uuids[GPUS] = {"GPU-aa00", "GPU-ab11", "GPU-b222", "GPU-c333"};
    (void)state;

    arena = arena_new();
    assert_int_equal(folder_make_temporary(arena, &folder, NULL), ERROR_NONE);
    assert_int_equal(setenv("GPUGRADE_LOCKS", folder, 1), 0);
    for (size_t i = 0; i < GPUS; i++) {
        set_model(i, "H200", 9);
        listed[i] = (struct session_gpu){
            .uuid = uuids[i], .model = records[i], .model_bytes = sizeof records[i]};
    }
    told = 0;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    folder_remove(folder);
    arena_free(arena);
    return 0;
}

static struct gpu_choice choose(const char *const *wanted, size_t count)
{
    struct gpu_choice choice;

    assert_int_equal(gpu_choice_make(arena, listed, GPUS, wanted, count, &choice, NULL),
                     ERROR_NONE);
    return choice;
}

static void all_are_taken_in_order(void **state)
{
    struct gpu_choice choice = choose(NULL, 0);
    (void)state;

    assert_int_equal(choice.count, GPUS);
    assert_string_equal(choice.gpus[0].uuid, "GPU-aa00");
    assert_string_equal(choice.gpus[3].uuid, "GPU-c333");
    assert_string_equal(choice.model.name, "H200");
    assert_string_equal(choice.reason, "");
}

static void numbers_and_beginnings_name_gpus(void **state)
{
    const char *const wanted[] = {"2", "GPU-AB", "2", "gpu-b222"};
    struct gpu_choice choice = choose(wanted, 4);
    (void)state;

    assert_int_equal(choice.count, 2);
    assert_string_equal(choice.gpus[0].uuid, "GPU-b222");
    assert_string_equal(choice.gpus[1].uuid, "GPU-ab11");
}

static void refused(const char *word, size_t count, enum error expected, enum blame blame,
                    const char *words)
{
    struct diagnostic diagnostic = {.blame = BLAME_NONE};
    struct gpu_choice choice;

    assert_int_equal(gpu_choice_make(arena, listed, count, &word, 1, &choice, &diagnostic),
                     expected);
    assert_int_equal(diagnostic.blame, blame);
    assert_non_null(strstr(diagnostic.message, words));
}

static void names_of_no_gpu_are_refused(void **state)
{
    (void)state;
    refused("4", GPUS, ERROR_NOT_FOUND, BLAME_USAGE, "no GPU 4; the driver shows 4");
    refused("GPU-dd", GPUS, ERROR_NOT_FOUND, BLAME_USAGE, "0 of 4 GPUs begin with 'GPU-dd'");
    refused("GPU-a", GPUS, ERROR_NOT_FOUND, BLAME_USAGE, "2 of 4 GPUs begin with 'GPU-a'");
}

static void old_gpus_are_left_out(void **state)
{
    struct gpu_choice choice;
    (void)state;

    set_model(0, "H200", 7); /* compute capability 7.0 */
    choice = choose(NULL, 0);
    assert_int_equal(choice.count, GPUS - 1);
    assert_string_equal(choice.gpus[0].uuid, "GPU-ab11");
    refused("0", GPUS, ERROR_ENVIRONMENT, BLAME_ENVIRONMENT, "compute capability 7.0");
    assert_int_equal(gpu_choice_make(arena, listed, 1, NULL, 0, &choice, NULL), ERROR_NONE);
    assert_int_equal(choice.count, 0);
    assert_non_null(strstr(choice.reason, "7.5 is needed"));
}

static void nonsense_is_left_out(void **state)
{
    struct gpu_choice choice;
    (void)state;

    memset(records[0], 0, sizeof records[0]);
    choice = choose(NULL, 0);
    assert_int_equal(choice.count, GPUS - 1);
    refused("0", GPUS, ERROR_ENVIRONMENT, BLAME_ENVIRONMENT, "does not understand");
}

/* Holds the exclusive lock of a GPU in this process. */
static struct gpu_lock hold(const char *uuid)
{
    struct gpu_lock lock = {.fd = -1};
    bool held = false;

    assert_int_equal(gpu_lock_try(uuid, GPU_LOCK_EXCLUSIVE, &lock, &held, NULL), ERROR_NONE);
    assert_true(held);
    return lock;
}

static void different_gpus_are_not_mixed(void **state)
{
    struct gpu_choice choice;
    (void)state;

    set_model(1, "A100", 8);
    set_model(3, "A100", 8);
    choice = choose(NULL, 0);
    assert_int_equal(choice.count, 2);
    assert_string_equal(choice.gpus[0].uuid, "GPU-aa00");
    assert_string_equal(choice.gpus[1].uuid, "GPU-b222");

    struct gpu_lock lock = hold("GPU-aa00");
    choice = choose(NULL, 0);
    assert_int_equal(choice.count, 2);
    assert_string_equal(choice.gpus[0].uuid, "GPU-ab11");
    assert_string_equal(choice.gpus[1].uuid, "GPU-c333");
    assert_string_equal(choice.model.name, "A100");
    gpu_lock_release(&lock);
}

static void count_stage(void *context, const char *stage)
{
    (void)context;
    assert_string_equal(stage, "waiting for the GPU");
    told++;
    if (on_reported[1] >= 0) {
        assert_int_equal(write(on_reported[1], "x", 1), 1);
    }
}

static const struct submission_config listener = {.progress = count_stage};

static struct gpu_turn take(const struct gpu_choice *choice, enum gpu_lock_kind kind)
{
    struct gpu_turn turn;

    assert_int_equal(gpu_choice_take(choice, kind, &listener, &turn, NULL), ERROR_NONE);
    return turn;
}

static void the_first_free_one_is_taken(void **state)
{
    struct gpu_choice choice = choose(NULL, 0);
    struct gpu_turn first = take(&choice, GPU_LOCK_EXCLUSIVE);
    struct gpu_turn second = take(&choice, GPU_LOCK_EXCLUSIVE);
    (void)state;

    assert_int_equal(first.gpu, 0);
    assert_int_equal(second.gpu, 1);
    gpu_lock_release(&first.lock);
    struct gpu_turn third = take(&choice, GPU_LOCK_EXCLUSIVE);
    assert_int_equal(third.gpu, 0);
    gpu_lock_release(&second.lock);
    gpu_lock_release(&third.lock);
    assert_int_equal(told, 0);
}

static void shared_turns_seek_idle_gpus(void **state)
{
    const char *const wanted[] = {"0", "1"};
    struct gpu_choice choice = choose(wanted, 2);
    struct gpu_turn first = take(&choice, GPU_LOCK_SHARED);
    struct gpu_turn second = take(&choice, GPU_LOCK_SHARED);
    struct gpu_turn third = take(&choice, GPU_LOCK_SHARED);
    (void)state;

    assert_int_equal(first.gpu, 0);
    assert_int_equal(second.gpu, 1);
    assert_int_equal(third.gpu, 0);
    gpu_lock_release(&first.lock);
    gpu_lock_release(&second.lock);
    gpu_lock_release(&third.lock);
}

/* A process that times for a while, or if `reported_fd` is a descriptor, for a while after it has
 * read a byte from it; returns when it has its turn. */
static pid_t start_timing(const struct gpu_choice *choice, int reported_fd)
{
    const struct timespec pause = {.tv_nsec = 300 * CLOCK_NS_PER_MS};
    int ready[2];
    char byte;

    assert_int_equal(pipe(ready), 0);
    pid_t timing = fork();
    if (timing == 0) {
        struct gpu_turn turn = take(choice, GPU_LOCK_EXCLUSIVE);
        bool good = write(ready[1], "x", 1) == 1;
        good = good && (reported_fd < 0 || read(reported_fd, &byte, 1) == 1);
        nanosleep(&pause, NULL);
        gpu_lock_release(&turn.lock);
        _exit(good ? 0 : 1);
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    return timing;
}

static void a_taken_gpu_is_waited_for(void **state)
{
    const char *const wanted[] = {"1"};
    struct gpu_choice choice = choose(wanted, 1);
    int status;
    (void)state;

    uint64_t start_ns = clock_now_ns();
    pid_t timing = start_timing(&choice, -1);
    struct gpu_turn turn = take(&choice, GPU_LOCK_SHARED);
    uint64_t took_ns = clock_now_ns() - start_ns;
    assert_true(took_ns >= 300u * CLOCK_NS_PER_MS);
    assert_true(told == 0 || took_ns >= CLOCK_NS_PER_S); /* on a busy machine */
    gpu_lock_release(&turn.lock);
    assert_int_equal(waitpid(timing, &status, 0), timing);
    assert_int_equal(status, 0);
}

static void a_long_wait_is_told_once(void **state)
{
    const char *const wanted[] = {"1"};
    struct gpu_choice choice = choose(wanted, 1);
    int status;
    (void)state;

    assert_int_equal(pipe(on_reported), 0);
    pid_t timing = start_timing(&choice, on_reported[0]);
    struct gpu_turn turn = take(&choice, GPU_LOCK_EXCLUSIVE);
    assert_int_equal(told, 1);
    gpu_lock_release(&turn.lock);
    assert_int_equal(waitpid(timing, &status, 0), timing);
    assert_int_equal(status, 0);
    close(on_reported[0]);
    close(on_reported[1]);
    on_reported[0] = on_reported[1] = -1;
}

static void a_hostile_lock_is_an_error(void **state)
{
    struct diagnostic diagnostic = {.blame = BLAME_NONE};
    struct gpu_choice choice = choose(NULL, 0);
    struct gpu_turn turn;
    (void)state;

    assert_int_equal(symlink("/nosuch", arena_printf(arena, "%s/.gpugrade-GPU-aa00.lock", folder)),
                     0);
    assert_int_equal(gpu_choice_take(&choice, GPU_LOCK_SHARED, &listener, &turn, &diagnostic),
                     ERROR_ENVIRONMENT);
    assert_int_equal(diagnostic.blame, BLAME_ENVIRONMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(all_are_taken_in_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(numbers_and_beginnings_name_gpus, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_of_no_gpu_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(old_gpus_are_left_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nonsense_is_left_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(different_gpus_are_not_mixed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_first_free_one_is_taken, set_up, tear_down),
        cmocka_unit_test_setup_teardown(shared_turns_seek_idle_gpus, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_taken_gpu_is_waited_for, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_long_wait_is_told_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_hostile_lock_is_an_error, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
