/* rubric_key_names.c: see rubric_key_names.h. */
#include "rubric/rubric_key_names.h"

const struct rubric_key top_keys[TOP_KEY_COUNT] = {
#define TOP_FIELD(name, key, use, type, text) {key, (use) == NEEDED},
#include "rubric/rubric_fields.def"
};

const struct rubric_key program_keys[PROGRAM_KEY_COUNT] = {
#define PROGRAM_FIELD(name, key, use, type, text) {key, (use) == NEEDED},
#include "rubric/rubric_fields.def"
};

const struct rubric_key parameter_keys[PARAMETER_KEY_COUNT] = {
#define PARAMETER_FIELD(name, key, use, type, text) {key, (use) == NEEDED},
#include "rubric/rubric_fields.def"
};

const struct rubric_key case_keys[CASE_KEY_COUNT] = {
#define CASE_FIELD(name, key, use, type, text) {key, (use) == NEEDED},
#include "rubric/rubric_fields.def"
};

const struct rubric_key launch_keys[LAUNCH_KEY_COUNT] = {
#define LAUNCH_FIELD(name, key, use, type, text) {key, (use) == NEEDED},
#include "rubric/rubric_fields.def"
};

const struct rubric_key operand_keys[OPERAND_KEY_COUNT] = {
#define OPERAND_FIELD(name, key, use, type, text) {key, (use) == NEEDED},
#include "rubric/rubric_fields.def"
};

const struct rubric_key scalar_keys[SCALAR_KEY_COUNT] = {
#define SCALAR_FIELD(name, key, use, type, text) {key, (use) == NEEDED},
#include "rubric/rubric_fields.def"
};

const struct rubric_key printout_keys[PRINTOUT_KEY_COUNT] = {
#define PRINTOUT_FIELD(name, key, use, type, text) {key, (use) == NEEDED},
#include "rubric/rubric_fields.def"
};

const struct rubric_key criterion_keys[CRITERION_KEY_COUNT] = {
#define CRITERION_SHARED(name, key, use, type, text) {key, (use) == NEEDED},
#include "rubric/criterion_fields.def"
#define CRITERION_KEY(name, key, type, text) {key, false},
#include "rubric/criterion_fields.def"
};

const enum key_use criterion_key_uses[CRITERION_COUNT][CRITERION_KEY_COUNT] = {
#define CRITERION_USE(kind, name, use) [CRITERION_##kind][CRITERION_KEY_##name] = (use),
#include "rubric/criterion_fields.def"
};
