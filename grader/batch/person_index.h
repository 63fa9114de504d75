/* person_index.h: finds the person whom an entry of a class, or a line of a roster, speaks of. */
#ifndef GPUGRADE_BATCH_PERSON_INDEX_H
#define GPUGRADE_BATCH_PERSON_INDEX_H

#include "batch/class_list.h"

struct person_fact;

/* To be set to {.arena = arena}. */
struct person_index {
    struct arena *arena;
    struct person_fact *facts;
    size_t count, capacity;
};

/* Adds a person under a number of the caller's. */
void person_index_add(struct person_index *index, const struct class_person *person, size_t number);

/* After the last one was added. */
void person_index_sort(struct person_index *index);

enum { PERSON_NOBODY = -1, PERSON_SEVERAL = -2 };

/* The number of the only person who fits, or one of these. */
long person_index_find(const struct person_index *index, const struct class_entry *entry);

#endif
