/* attempt_files.c: reading and writing what is not the program's own; see sandbox_probe.h. */
#include "sandbox/probe/sandbox_probe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Says open with the beginning of what was read. */
void attempt_read(char *const *facts, const char *key)
{
    char bytes[41] = "";
    int fd = open(fact_text(facts, key), O_RDONLY | O_CLOEXEC);

    if (fd < 0) {
        say_held("%s", strerror(errno));
    }
    ssize_t got = read(fd, bytes, sizeof bytes - 1);
    close(fd);
    if (got < 0) {
        say_held("opened, but not read: %s", strerror(errno));
    }
    bytes[strcspn(bytes, "\n")] = '\0';
    say_open("read it: %s", bytes);
}

void attempt_private_file(char *const *facts)
{
    attempt_read(facts, "private");
}

void attempt_shared_file(char *const *facts)
{
    attempt_read(facts, "shared");
}

void attempt_posix_memory(char *const *facts)
{
    attempt_read(facts, "object");
}

void attempt_overwrite(char *const *facts)
{
    static const char text[] = "overwritten\n";
    int fd = open(fact_text(facts, "overwrite"), O_WRONLY | O_TRUNC | O_CLOEXEC);

    if (fd < 0) {
        say_held("%s", strerror(errno));
    }
    ssize_t put = write(fd, text, sizeof text - 1);
    close(fd);
    if (put != (ssize_t)sizeof text - 1) {
        say_open("emptied it");
    }
    say_open("overwrote it");
}

/* Makes a file in each of the folders that the fact names, with colons, and removes it. */
void attempt_system_write(char *const *facts)
{
    struct attempts attempts = {.last_error = 0};
    const char *rest = fact_text(facts, "folders");

    while (*rest != '\0') {
        char folder[256];
        char path[320];
        size_t length = strcspn(rest, ":");
        snprintf(folder, sizeof folder, "%.*s", (int)(length < 255 ? length : 255), rest);
        snprintf(path, sizeof path, "%s/gpugrade-sandbox-probe-%ld", folder, (long)getpid());
        int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        attempts_add(&attempts, folder, fd < 0 ? errno : 0);
        if (fd >= 0) {
            unlink(path);
            close(fd);
        }
        rest += length;
        rest += *rest == ':' ? 1 : 0;
    }
    attempts_say(&attempts);
}

void attempt_gpu_device(char *const *facts)
{
    static const char *const devices[] = {"/dev/nvidiactl", "/dev/nvidia0", "/dev/nvidia-uvm",
                                          "/dev/dri/renderD128"};
    struct attempts attempts = {.last_error = 0};

    (void)facts;
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        int fd = open(devices[i], O_RDWR | O_CLOEXEC);
        attempts_add(&attempts, devices[i], fd < 0 ? errno : 0);
        if (fd >= 0) {
            close(fd);
        }
    }
    attempts_say(&attempts);
}
