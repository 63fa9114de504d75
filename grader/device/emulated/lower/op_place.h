/* op_place.h: where an op is in the student's source. */
#ifndef GPUGRADE_DEVICE_EMULATED_LOWER_OP_PLACE_H
#define GPUGRADE_DEVICE_EMULATED_LOWER_OP_PLACE_H

#include "device/emulated/machine.h"
#include "wire/finding_record.h"

/* Fills file, line and column, and those of a call if the op was inlined: the innermost one outside
 * of the header's folder tree (.../include/) if the op is from such a header, else the outermost.
 * All are 0 where the PTX does not say. The other fields are not changed. */
void op_place_fill(const struct kernel_code *code, const struct op *op,
                   struct finding_record_place *out_place);

#endif
