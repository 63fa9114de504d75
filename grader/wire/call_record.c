/* call_record.c: see call_record.h. The structs hold words of 64 bits alone. */
#include "wire/call_record.h"

#include "wire/little_endian.h"

_Static_assert(sizeof(struct call_record) == CALL_RECORD_BYTES, "words without gaps");
_Static_assert(sizeof(struct call_step_record) == CALL_STEP_RECORD_BYTES, "words without gaps");
_Static_assert(sizeof(struct call_kernel_record) == CALL_KERNEL_RECORD_BYTES, "words without gaps");

static void pack(const uint64_t *words, size_t bytes, uint8_t *out_bytes)
{
    for (size_t at = 0; at < bytes; at += sizeof(*words)) {
        little_put_u64(out_bytes + at, words[at / sizeof(*words)]);
    }
}

static void unpack(const uint8_t *bytes, size_t length, uint64_t *out_words)
{
    for (size_t at = 0; at < length; at += sizeof(*out_words)) {
        out_words[at / sizeof(*out_words)] = little_get_u64(bytes + at);
    }
}

void call_record_pack(const struct call_record *record, uint8_t out_bytes[CALL_RECORD_BYTES])
{
    pack((const uint64_t *)record, CALL_RECORD_BYTES, out_bytes);
}

void call_record_unpack(const uint8_t bytes[CALL_RECORD_BYTES], struct call_record *out_record)
{
    unpack(bytes, CALL_RECORD_BYTES, (uint64_t *)out_record);
}

void call_kernel_record_pack(const struct call_kernel_record *record,
                             uint8_t out_bytes[CALL_KERNEL_RECORD_BYTES])
{
    pack((const uint64_t *)record, CALL_KERNEL_RECORD_BYTES, out_bytes);
}

void call_kernel_record_unpack(const uint8_t bytes[CALL_KERNEL_RECORD_BYTES],
                               struct call_kernel_record *out_record)
{
    unpack(bytes, CALL_KERNEL_RECORD_BYTES, (uint64_t *)out_record);
}

void call_step_record_pack(const struct call_step_record *record,
                           uint8_t out_bytes[CALL_STEP_RECORD_BYTES])
{
    pack((const uint64_t *)record, CALL_STEP_RECORD_BYTES, out_bytes);
}

void call_step_record_unpack(const uint8_t bytes[CALL_STEP_RECORD_BYTES],
                             struct call_step_record *out_record)
{
    unpack(bytes, CALL_STEP_RECORD_BYTES, (uint64_t *)out_record);
}
