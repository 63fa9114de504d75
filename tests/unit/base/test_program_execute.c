/* test_program_execute.c: a program that is still open for writing is waited for. */
#include "base/program_execute.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Becomes the program in a child; its exit status, or the error with which it was not started. */
static int run(const char *path)
{
    const char *const arguments[] = {"program", NULL};
    int status = -1;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        program_execute(path, (char *const *)(uintptr_t)arguments, environ);
        _exit(errno);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Another child has the file open for writing until it ends. */
static pid_t hold_open(const char *path, unsigned microseconds)
{
    int ready[2];
    char byte;

    assert_int_equal(pipe(ready), 0);
    pid_t holder = fork();
    if (holder == 0) {
        bool is_open = open(path, O_WRONLY) >= 0 && write(ready[1], "r", 1) == 1;
        usleep(microseconds);
        _exit(is_open ? 0 : 1);
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    return holder;
}

static void file_that_is_written_is_waited_for(void **state)
{
    char folder[] = "/tmp/execute-XXXXXX";
    char path[sizeof folder + sizeof "/program"];
    char command[128];
    const char *const arguments[] = {"program", NULL};

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/program", folder);
    snprintf(command, sizeof command, "printf '#!/bin/sh\\nexit 7\\n' >%s && chmod 755 %s", path,
             path);
    assert_int_equal(system(command), 0);
    pid_t holder = hold_open(path, 300000);
    execve(path, (char *const *)(uintptr_t)arguments, environ);
    assert_int_equal(errno, ETXTBSY);
    assert_int_equal(run(path), 7);
    assert_int_equal(waitpid(holder, NULL, 0), holder);
    unlink(path);
    rmdir(folder);
}

static void other_failures_are_told(void **state)
{
    (void)state;
    assert_int_equal(run("/nowhere/program"), ENOENT);
    assert_int_equal(run("/tmp"), EACCES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(file_that_is_written_is_waited_for),
        cmocka_unit_test(other_failures_are_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
