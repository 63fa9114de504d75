/* class_exports.h: the readers of the formats of class_exports.def. */
#ifndef GPUGRADE_BATCH_CLASS_EXPORTS_H
#define GPUGRADE_BATCH_CLASS_EXPORTS_H

#include "batch/class_draft.h"

#define CLASS_EXPORT(shape, name)                                                                  \
    /* True if the folder looks like this platform's export. */                                    \
    bool export_##shape##_fits(const struct class_folder *folder);                                 \
    /* Adds its entries, and remarks for other items. Errors: ERROR_IO, ERROR_SYNTAX. */           \
    enum error export_##shape##_read(struct class_draft *draft, const struct class_folder *folder, \
                                     struct diagnostic *diagnostic);
#include "batch/class_exports.def"
#undef CLASS_EXPORT

#endif
