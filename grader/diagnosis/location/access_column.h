/* access_column.h: finds the column of a traced access in its line.
 *
 * A device knows the column of a statement, not that of an access in it. But it is known which
 * array is accessed: an operand is a parameter of the kernel, and an element in shared memory has
 * the name of the array that it was stored in. */
#ifndef GPUGRADE_DIAGNOSIS_LOCATION_ACCESS_COLUMN_H
#define GPUGRADE_DIAGNOSIS_LOCATION_ACCESS_COLUMN_H

#include "diagnosis/dataflow/fault_search.h"
#include "source/source_index.h"

/* Finds the column of the array that access number `access`, a read, reads in a line of a
 * source. False if that is not certain: the line does not read the array by that name, or
 * reads it twice. */
bool find_access_column(const struct fault_search *search, const struct program_file *file,
                        int line, uint32_t access, int *out_column);

#endif
