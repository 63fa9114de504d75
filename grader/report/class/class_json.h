/* class_json.h: the class as JSON lines, schema gpugrade/class/v1 (rubrics/class.schema.json).
 *
 *     {"type": "class", ...}      the first line: rubric, criteria, how many in which state
 *     {"type": "student", ...}    one for each row, in their order
 *     {"type": "finding", ...}    one for each code, most common first
 *     {"type": "pair", ...}       two whose device code is alike
 *
 * What is not known or does not apply is left out; there is no null.
 */
#ifndef GPUGRADE_REPORT_CLASS_CLASS_JSON_H
#define GPUGRADE_REPORT_CLASS_CLASS_JSON_H

#include "base/text.h"
#include "model/class_results.h"

void class_json(const struct class_results *results, struct text *out);

#endif
