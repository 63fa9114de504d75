/* print_capture.c: see print_capture.h. */
#include "device/cuda/print_capture.h"

#include "base/process.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static int make_file(void)
{
    int file = memfd_create("printed", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file >= 0 && (ftruncate(file, CAPTURE_BYTES) != 0 ||
                      fcntl(file, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK) != 0)) {
        descriptor_close(&file);
    }
    return file;
}

enum error print_capture_init(struct print_capture *capture, struct diagnostic *diagnostic)
{
    struct print_capture made = {.saved = {-1, -1}};
    for (size_t i = 0; i < CAPTURE_STREAMS; i++) {
        made.files[i] = make_file();
    }
    if (made.files[0] < 0 || made.files[1] < 0) {
        print_capture_release(&made);
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "cannot create a memory file for the output of kernels");
        return ERROR_ENVIRONMENT;
    }
    *capture = made;
    return ERROR_NONE;
}

void print_capture_release(struct print_capture *capture)
{
    for (size_t i = 0; i < CAPTURE_STREAMS; i++) {
        descriptor_close(&capture->files[i]);
    }
}

void print_capture_begin(struct print_capture *capture)
{
    fflush(stdout);
    fflush(stderr);
    for (size_t i = 0; i < CAPTURE_STREAMS; i++) {
        int descriptor = (int)i + 1;
        capture->saved[i] = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
        lseek(capture->files[i], 0, SEEK_SET);
        dup2(capture->files[i], descriptor);
    }
}

/* Reads what lies before the position of a file. */
static void read_back(int file, struct text *out_text)
{
    off_t end = lseek(file, 0, SEEK_CUR);
    char bytes[4096];
    text_clear(out_text);
    for (off_t at = 0; at < end;) {
        size_t wanted = (size_t)(end - at) < sizeof bytes ? (size_t)(end - at) : sizeof bytes;
        ssize_t got = pread(file, bytes, wanted, at);
        if (got <= 0) {
            return;
        }
        text_append_bytes(out_text, bytes, (size_t)got);
        at += got;
    }
}

void print_capture_end(struct print_capture *capture, struct text *out_texts)
{
    fflush(stdout);
    fflush(stderr);
    for (size_t i = 0; i < CAPTURE_STREAMS; i++) {
        int descriptor = (int)i + 1;
        if (capture->saved[i] >= 0) {
            dup2(capture->saved[i], descriptor);
        } else {
            close(descriptor);
        }
        descriptor_close(&capture->saved[i]);
        read_back(capture->files[i], &out_texts[i]);
    }
}
