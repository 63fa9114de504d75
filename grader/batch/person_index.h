/* person_index.h: finds the person that an entry of a class, or a line of a roster, belongs to. */
#ifndef GPUGRADE_BATCH_PERSON_INDEX_H
#define GPUGRADE_BATCH_PERSON_INDEX_H

#include "batch/class_list.h"

struct person_fact;

/* Initialise it with {.arena = arena}. */
struct person_index {
    struct arena *arena;
    struct person_fact *facts;
    size_t count, capacity;
};

/* Adds a person under a number that the caller chooses. */
void person_index_add(struct person_index *index, const struct class_person *person, size_t number);

/* Call it after the last person was added. */
void person_index_sort(struct person_index *index);

enum { PERSON_NOBODY = -1, PERSON_SEVERAL = -2 };

/* The number of the only person who matches, or PERSON_NOBODY or PERSON_SEVERAL. */
long person_index_find(const struct person_index *index, const struct class_entry *entry);

#endif
