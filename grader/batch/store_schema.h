/* store_schema.h: store_schema.sql, compiled in (embed_schema.cmake). */
#ifndef GPUGRADE_BATCH_STORE_SCHEMA_H
#define GPUGRADE_BATCH_STORE_SCHEMA_H

extern const char store_schema[];

#endif
