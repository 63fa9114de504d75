/* rubric_key_names.h: the keys of a rubric's objects, in the order of rubric_fields.def and
 * criterion_fields.def. Private to rubric/.
 */
#ifndef GPUGRADE_RUBRIC_RUBRIC_KEY_NAMES_H
#define GPUGRADE_RUBRIC_RUBRIC_KEY_NAMES_H

#include "rubric/rubric_reader.h"

enum top_key {
#define TOP_FIELD(name, key, use, type, text) TOP_KEY_##name,
#include "rubric/rubric_fields.def"
    TOP_KEY_COUNT
};

enum program_key {
#define PROGRAM_FIELD(name, key, use, type, text) PROGRAM_KEY_##name,
#include "rubric/rubric_fields.def"
    PROGRAM_KEY_COUNT
};

enum parameter_key {
#define PARAMETER_FIELD(name, key, use, type, text) PARAMETER_KEY_##name,
#include "rubric/rubric_fields.def"
    PARAMETER_KEY_COUNT
};

enum case_key {
#define CASE_FIELD(name, key, use, type, text) CASE_KEY_##name,
#include "rubric/rubric_fields.def"
    CASE_KEY_COUNT
};

enum launch_key {
#define LAUNCH_FIELD(name, key, use, type, text) LAUNCH_KEY_##name,
#include "rubric/rubric_fields.def"
    LAUNCH_KEY_COUNT
};

enum operand_key {
#define OPERAND_FIELD(name, key, use, type, text) OPERAND_KEY_##name,
#include "rubric/rubric_fields.def"
    OPERAND_KEY_COUNT
};

enum scalar_key {
#define SCALAR_FIELD(name, key, use, type, text) SCALAR_KEY_##name,
#include "rubric/rubric_fields.def"
    SCALAR_KEY_COUNT
};

enum printout_key {
#define PRINTOUT_FIELD(name, key, use, type, text) PRINTOUT_KEY_##name,
#include "rubric/rubric_fields.def"
    PRINTOUT_KEY_COUNT
};

enum criterion_key {
#define CRITERION_SHARED(name, key, use, type, text) CRITERION_KEY_##name,
#include "rubric/criterion_fields.def"
#define CRITERION_KEY(name, key, type, text) CRITERION_KEY_##name,
#include "rubric/criterion_fields.def"
    CRITERION_KEY_COUNT
};

extern const struct rubric_key top_keys[TOP_KEY_COUNT];
extern const struct rubric_key program_keys[PROGRAM_KEY_COUNT];
extern const struct rubric_key parameter_keys[PARAMETER_KEY_COUNT];
extern const struct rubric_key case_keys[CASE_KEY_COUNT];
extern const struct rubric_key launch_keys[LAUNCH_KEY_COUNT];
extern const struct rubric_key operand_keys[OPERAND_KEY_COUNT];
extern const struct rubric_key scalar_keys[SCALAR_KEY_COUNT];
extern const struct rubric_key printout_keys[PRINTOUT_KEY_COUNT];
extern const struct rubric_key criterion_keys[CRITERION_KEY_COUNT];

/* How a kind of criterion uses a key that not every kind has. */
enum key_use { UNUSED, OPTIONAL, NEEDED };

extern const enum key_use criterion_key_uses[CRITERION_COUNT][CRITERION_KEY_COUNT];

#endif
