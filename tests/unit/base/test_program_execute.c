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

/* A child without that descriptor that becomes the program, or ends with the error with which it
 * did not. */
static pid_t start(const char *path, int fd)
{
    const char *const arguments[] = {"program", NULL};
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        close(fd);
        program_execute(path, (char *const *)(uintptr_t)arguments, environ);
        _exit(errno);
    }
    return child;
}

static int wait_for(pid_t child)
{
    int status = -1;

    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void file_that_is_written_is_waited_for(void **state)
{
    char folder[] = "/tmp/execute-XXXXXX";
    char path[sizeof folder + sizeof "/program"];
    static const char program[] = "#!/bin/sh\nexit 7\n";

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/program", folder);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, program, sizeof program - 1), sizeof program - 1);
    pid_t child = start(path, fd);
    usleep(100000);
    close(fd);
    assert_int_equal(wait_for(child), 7);
    unlink(path);
    rmdir(folder);
}

static void other_failures_are_told(void **state)
{
    (void)state;
    assert_int_equal(wait_for(start("/nowhere/program", -1)), ENOENT);
    assert_int_equal(wait_for(start("/tmp", -1)), EACCES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(file_that_is_written_is_waited_for),
        cmocka_unit_test(other_failures_are_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
