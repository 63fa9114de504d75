/* little_endian.h: numbers to and from bytes, little endian on every machine. */
#ifndef GPUGRADE_WIRE_LITTLE_ENDIAN_H
#define GPUGRADE_WIRE_LITTLE_ENDIAN_H

#include <stdint.h>

static inline void little_put_u32(uint8_t *out_bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        out_bytes[i] = (uint8_t)(value >> (8 * i));
    }
}

static inline void little_put_u64(uint8_t *out_bytes, uint64_t value)
{
    for (int i = 0; i < 8; i++) {
        out_bytes[i] = (uint8_t)(value >> (8 * i));
    }
}

static inline uint32_t little_get_u32(const uint8_t *bytes)
{
    uint32_t value = 0;

    for (int i = 0; i < 4; i++) {
        value |= (uint32_t)bytes[i] << (8 * i);
    }
    return value;
}

static inline uint64_t little_get_u64(const uint8_t *bytes)
{
    uint64_t value = 0;

    for (int i = 0; i < 8; i++) {
        value |= (uint64_t)bytes[i] << (8 * i);
    }
    return value;
}

#endif
