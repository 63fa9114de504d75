/* fat_binary_write.h: a fat binary with one PTX text; fat_binary.h has the layout. */
#ifndef GPUGRADE_PTX_FAT_BINARY_WRITE_H
#define GPUGRADE_PTX_FAT_BINARY_WRITE_H

#include "base/text.h"

#include <stddef.h>

/* Appends a fat binary with PTX [length] for compute capability `arch` (75), uncompressed. The
 * option -maxrregcount=REGISTERS stands with it unless `registers` is 0. */
void fat_binary_write(const char *ptx, size_t length, unsigned arch, unsigned registers,
                      struct text *out);

#endif
