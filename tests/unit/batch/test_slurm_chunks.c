/* test_slurm_chunks.c: a class is cut into chunks, and what they have graded comes back. */
#include "store_fixture.h"

#include "base/clock.h"
#include "batch/slurm_chunks.h"

#include <fcntl.h>
#include <sys/wait.h>

static struct store *store;
static struct slurm_chunks chunks;

/* A class of seven in chunks of three; nothing of it is graded. */
static int set_up(void **state)
{
    const struct store_task *tasks;
    size_t count;

    fixture_set_up(state);
    store = make_store(results, 7);
    assert_good(store_tasks(store, arena, STORE_PENDING, &tasks, &count, &diagnostic));
    assert_int_equal(count, 7);
    assert_good(slurm_chunks_write(store, results, tasks, count, 3, arena, &chunks, &diagnostic));
    return 0;
}

static int tear_down(void **state)
{
    store_close(store);
    return fixture_tear_down(state);
}

static const char *chunk(size_t number)
{
    return arena_printf(arena, "%s/chunk-%zu", chunks.folder, number);
}

static struct store *open_chunk(size_t number)
{
    return open_store(chunk(number), STORE_WRITE | STORE_ALONE);
}

static struct slurm_taken take(bool close)
{
    struct slurm_taken taken;

    assert_good(slurm_chunks_take(store, results, close, arena, &taken, &diagnostic));
    return taken;
}

static void all_are_in_chunks(void **state)
{
    const size_t sizes[] = {3, 3, 1};
    const struct store_task *tasks;
    size_t count;
    (void)state;

    assert_int_equal(chunks.count, 3);
    assert_true(chunks.folder[0] == '/');
    assert_string_equal(path_name(chunks.folder), "1");
    assert_false(slurm_is_chunk(results));
    for (size_t i = 0; i < 3; i++) {
        assert_true(slurm_is_chunk(chunk(i + 1)));
        struct store *part = open_chunk(i + 1);
        assert_good(store_tasks(part, arena, STORE_PENDING, &tasks, &count, &diagnostic));
        assert_int_equal(count, sizes[i]);
        assert_string_equal(tasks[0].submission, arena_printf(arena, "s%05zu.zip", i * 3));
        /* No memory is shared with other machines. */
        assert_false(file_exists(arena_printf(arena, "%s/gpugrade.sqlite-shm", chunk(i + 1))));
        store_close(part);
    }
    assert_good(store_tasks(store, arena, STORE_PENDING, &tasks, &count, &diagnostic));
    assert_good(slurm_chunks_write(store, results, tasks, 1, 3, arena, &chunks, &diagnostic));
    assert_string_equal(path_name(chunks.folder), "2");
    assert_int_equal(chunks.count, 1);
}

static void what_is_done_is_taken_over_once(void **state)
{
    (void)state;
    struct store *part = open_chunk(1);
    assert_good(put_graded_as(part, 1, 1, 20));
    assert_good(put_graded_as(part, 2, 2, 7));
    assert_good(put_other(part, 3, OUTCOME_NOTHING, "empty"));
    store_close(part);
    part = open_chunk(2);
    assert_good(put_graded_as(part, 1, 4, 3));
    store_close(part);

    struct slurm_taken taken = take(false);
    assert_int_equal(taken.taken, 3);
    assert_int_equal(taken.running + taken.remark_count, 0);
    assert_int_equal(count_tasks(store, STORE_PENDING), 3);
    assert_int_equal(take(false).taken, 2); /* the first one is done with */
    part = open_chunk(2);                   /* the others go on */
    assert_int_equal(count_tasks(part, STORE_PENDING), 2);
    assert_good(put_graded_as(part, 2, 5, 4));
    store_close(part);
    assert_int_equal(take(true).taken, 2);
    assert_int_equal(count_tasks(store, STORE_PENDING), 2);
    part = open_chunk(2); /* closed: a late task finds nothing */
    assert_int_equal(count_tasks(part, STORE_PENDING), 0);
    store_close(part);
    assert_int_equal(take(true).taken, 0);
    struct class_results class = read_class(store, false);
    assert_true(class.rows[3].final.raw == 8 && class.rows[4].final.raw == 9);
}

static void what_is_running_is_left_alone(void **state)
{
    struct slurm_taken taken;
    int ready[2], go[2];
    char byte = 0;
    (void)state;

    assert_int_equal(pipe2(ready, O_CLOEXEC) | pipe2(go, O_CLOEXEC), 0);
    pid_t task = fork();
    if (task == 0) { /* this one holds chunk 2 */
        struct store *part = NULL;
        enum error error = store_open(chunk(2), STORE_WRITE | STORE_ALONE, &part, NULL);
        bool told = write(ready[1], "r", 1) == 1;
        close(go[1]);
        _exit(error == ERROR_NONE && told && read(go[0], &byte, 1) == 0 ? 0 : 1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(take(false).running, 1);
    assert_int_equal(slurm_chunks_take(store, results, true, arena, &taken, &diagnostic),
                     ERROR_BUSY);
    assert_non_null(strstr(diagnostic.message, "chunk-2"));
    struct store *part = open_chunk(1); /* nothing was closed */
    assert_int_equal(count_tasks(part, STORE_PENDING), 3);
    store_close(part);
    close(go[1]);
    int status = 0;
    assert_int_equal(waitpid(task, &status, 0), task);
    assert_int_equal(status, 0);
    assert_int_equal(take(true).taken, 3);
    close(ready[0]);
    close(ready[1]);
    close(go[0]);
}

static void what_does_not_fit_any_more_is_left_out(void **state)
{
    struct store_rubric rubric = fixture_store_rubric();
    (void)state;

    struct store *part = open_chunk(1);
    assert_good(put_graded_as(part, 1, 1, 20));
    store_close(part);
    assert_good(file_write_atomic(arena_printf(arena, "%s/gpugrade.sqlite", chunk(2)), "damaged", 7,
                                  &diagnostic));
    rubric.sha256 = "bbbb";
    assert_good(store_put_rubric(store, &rubric, &diagnostic));
    struct slurm_taken taken = take(true);
    assert_int_equal(taken.taken, 0);
    assert_int_equal(taken.remark_count, 3);
    assert_non_null(strstr(taken.remarks[0], "rubric"));
    assert_non_null(strstr(taken.remarks[1], "chunk-2"));
    assert_int_equal(count_tasks(store, STORE_PENDING), 7);
}

/* A store that was left in the middle of its making. */
static void what_was_never_finished_is_no_chunk(void **state)
{
    (void)state;
    assert_int_equal(unlink(arena_printf(arena, "%s/chunk.txt", chunk(3))), 0);
    assert_int_equal(take(true).taken, 2);
}

static void trouble_is_counted(void **state)
{
    (void)state;
    assert_good(put_other(store, 1, OUTCOME_TROUBLE, "here"));
    struct store *part = open_chunk(1);
    assert_good(put_other(part, 1, OUTCOME_TROUBLE, "there"));
    store_close(part);
    take(false);
    assert_string_equal(read_class(store, false).rows[0].trouble, "here");
    part = open_chunk(1);
    assert_good(put_other(part, 1, OUTCOME_TROUBLE, "there, again"));
    store_close(part);
    take(false);
    assert_string_equal(read_class(store, false).rows[0].trouble, "there, again");
    assert_good(put_graded_as(store, 1, 1, 20)); /* meanwhile, here */
    take(true);
    assert_true(read_class(store, false).rows[0].final.raw == 25);
}

/* A run in which nobody could judge a criterion is replaced by a better one. */
static void a_criterion_in_error_is_mended(void **state)
{
    struct report report = make_report(20);
    struct verdict *verdicts = arena_array(arena, 3, sizeof *verdicts);
    (void)state;

    memcpy(verdicts, report.verdicts, 3 * sizeof *verdicts);
    verdicts[1].status = STATUS_ERROR;
    verdicts[1].points = 0;
    report.verdicts = verdicts;
    assert_good(put_report(store, 1, 1, &report));
    assert_good(put_graded_as(store, 2, 2, 20));
    struct store *part = open_chunk(1);
    assert_good(put_graded_as(part, 1, 1, 20));
    assert_good(put_report(part, 2, 2, &report));
    store_close(part);
    take(true);
    assert_int_equal(count_tasks(store, STORE_FAILED), 0);
    struct class_results class = read_class(store, false);
    assert_true(class.rows[0].final.raw == 25 && class.rows[1].final.raw == 25);
}

/* Who reads the class is not in the way, and goes on reading; at last it reads what is new. */
static void readers_may_read(void **state)
{
    enum { READS_LEAST = 200 };
    struct class_results class = {0};
    int reads[2];
    char byte;
    (void)state;

    struct store *part = open_chunk(1);
    assert_good(put_graded_as(part, 1, 1, 20));
    store_close(part);
    assert_int_equal(pipe(reads), 0);
    pid_t reader = fork();
    if (reader == 0) {
        struct store *reading = NULL;
        uint64_t end_ns = clock_now_ns() + 60 * CLOCK_NS_PER_S;
        bool is_good = store_open(results, STORE_READ, &reading, NULL) == ERROR_NONE;
        bool is_new = false;
        for (size_t i = 0; is_good && (i < READS_LEAST || (!is_new && clock_now_ns() < end_ns));
             i++) {
            is_good =
                store_class(reading, arena, &fixture_rubric, false, &class, NULL) == ERROR_NONE;
            is_new = is_good && class.rows[0].final.raw == 25;
            is_good = is_good && (i != READS_LEAST / 10 || write(reads[1], "x", 1) == 1);
            usleep(1000);
        }
        _exit(is_good && is_new ? 0 : 1);
    }
    close(reads[1]);
    assert_int_equal(read(reads[0], &byte, 1), 1);
    close(reads[0]);
    take(true);
    int status = 1;
    assert_int_equal(waitpid(reader, &status, 0), reader);
    assert_int_equal(status, 0);
    assert_int_equal(count_tasks(store, STORE_PENDING), 6);
}

int main(void)
{
#define T(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(all_are_in_chunks),
        T(what_is_done_is_taken_over_once),
        T(what_is_running_is_left_alone),
        T(what_does_not_fit_any_more_is_left_out),
        T(what_was_never_finished_is_no_chunk),
        T(trouble_is_counted),
        T(a_criterion_in_error_is_mended),
        T(readers_may_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
