/* launch_list.h: reads launches.txt, and makes the inputs and the hash that both devices share.
 *
 * Only the C library is used: launch_on_gpu.c is built with nothing but this and a CUDA header.
 */
#ifndef GPUGRADE_TESTS_LAUNCH_LIST_H
#define GPUGRADE_TESTS_LAUNCH_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { LAUNCH_ARGUMENTS_MAX = 8, LAUNCH_NAME_BYTES = 64, LAUNCH_LINE_BYTES = 512 };

enum launch_argument_kind { ARGUMENT_IN, ARGUMENT_OUT, ARGUMENT_INT };

struct launch_argument {
    enum launch_argument_kind kind;
    bool is_float;
    size_t bytes;  /* of the array */
    int32_t value; /* of an int */
};

struct launch_item {
    char name[LAUNCH_NAME_BYTES];
    char kernel[LAUNCH_NAME_BYTES];
    uint32_t grid[3], block[3];
    uint32_t dynamic_bytes;
    struct launch_argument arguments[LAUNCH_ARGUMENTS_MAX];
    size_t argument_count;
};

/* Reads the next launch; false at the end of the file. A line that is no launch ends the program
 * with a message. */
bool launch_list_next(FILE *file, struct launch_item *out_item);

/* Fills an input array: bytes of a fixed sequence, or floats of small whole numbers. */
void launch_fill_input(const struct launch_argument *argument, void *out_bytes);

/* Goes on with an FNV-1a hash; start with LAUNCH_HASH_START. */
#define LAUNCH_HASH_START UINT64_C(14695981039346656037)
uint64_t launch_hash(uint64_t hash, const void *bytes, size_t length);

/* Reads a whole file into memory of the caller's, ended by a NUL; ends the program on failure. */
char *launch_read_file(const char *path);

#endif
