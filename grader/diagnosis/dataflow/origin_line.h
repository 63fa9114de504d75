/* origin_line.h: the line that stored the wrong values of a judged call.
 *
 * A call may launch many kernels, each of which reads what the one before it stored, so what is
 * wrong is followed through all of its launches and copies:
 *
 *   no kernel loads an element of an input that the first wrong element needs
 *                                                               what loads the others
 *   kernels only move values of the inputs, but for some that one line made   that line
 *   kernels store the wrong elements          the last store of most of them in the latest launch
 *   they do not, but others                   the last store of most of those
 */
#ifndef GPUGRADE_DIAGNOSIS_DATAFLOW_ORIGIN_LINE_H
#define GPUGRADE_DIAGNOSIS_DATAFLOW_ORIGIN_LINE_H

#include "criteria/criteria_input.h"

/* Gives the cause of a wrong result its place, if the call was followed and nothing else did. */
void locate_origin(const struct criteria_input *input, struct arena *arena, size_t launch,
                   struct cause *cause);

#endif
