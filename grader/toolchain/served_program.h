/* served_program.h: can an executable that someone else built run on the emulated device?
 *
 * It can if the executable itself contains its kernels as PTX, and if it loads the CUDA runtime as
 * a shared library, which is then replaced by the stand-in. nvcc's defaults are different, so the
 * answer names every obstacle and the flags that remove it.
 */
#ifndef GPUGRADE_TOOLCHAIN_SERVED_PROGRAM_H
#define GPUGRADE_TOOLCHAIN_SERVED_PROGRAM_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "ptx/fat_binary.h"

/* Reads the PTX of the executable at `path`, which messages call `name`. `most_arch` is the
 * compute capability of the GPU model: 90. Errors, which blame the usage: ERROR_NOT_FOUND, ERROR_IO
 * (cannot be opened or executed), ERROR_UNSUPPORTED (with all obstacles). */
enum error served_program_read(struct arena *arena, const char *path, const char *name,
                               uint32_t most_arch, struct fat_program *out_code,
                               struct diagnostic *diagnostic);

/* The name of the file that holds the stand-ins for NVIDIA's libraries, with the runtime. */
#define SERVED_LIBRARIES_FILE "libgpugrade-libraries.so"

/* The names under which programs load it: "libcublas.so.13" and so on; NULL after the last one. */
const char *served_library(struct arena *arena, size_t index);

/* The flags of nvcc for a program that can run here, as one string. */
const char *served_program_flags(void);

#endif
