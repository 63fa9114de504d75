/* access_column.h: where in its line an access stands that a trace tells of.
 *
 * A device knows the column of a statement, not that of an access in it. Which array is accessed is
 * known, though: an operand is a parameter of the kernel, and what lies in shared memory has the
 * name by which it was stored there. */
#ifndef GPUGRADE_DIAGNOSIS_LOCATION_ACCESS_COLUMN_H
#define GPUGRADE_DIAGNOSIS_LOCATION_ACCESS_COLUMN_H

#include "diagnosis/dataflow/fault_search.h"
#include "source/source_index.h"

/* Finds the column of the array that access number `access`, a read, reads in a line of a source.
 * False if that is not certain: the line does not read the array by that name, or twice. */
bool find_access_column(const struct fault_search *search, const struct program_file *file,
                        int line, uint32_t access, int *out_column);

#endif
