/* served_program.h: can an executable that somebody else built run on the emulated device?
 *
 * It can if its kernels are there as PTX in the executable itself and if it asks the loader for the
 * CUDA runtime, in whose place the stand-in is put. nvcc's defaults are otherwise, so the answer
 * names every obstacle and the flags that remove it.
 */
#ifndef GPUGRADE_TOOLCHAIN_SERVED_PROGRAM_H
#define GPUGRADE_TOOLCHAIN_SERVED_PROGRAM_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "ptx/fat_binary.h"

/* Reads the PTX of the executable at `path`, which messages call `name`. `most_arch` is the
 * compute capability of the GPU model: 90. Errors, which blame the usage: ERROR_NOT_FOUND, ERROR_IO
 * (cannot be opened or executed), ERROR_UNSUPPORTED (with everything that is in the way). */
enum error served_program_read(struct arena *arena, const char *path, const char *name,
                               uint32_t most_arch, struct fat_program *out_code,
                               struct diagnostic *diagnostic);

/* The flags of nvcc that make a program which can be served, as one string. */
const char *served_program_flags(void);

#endif
