/* client.c: see client.h. */
#include "wire/client.h"

#include "wire/little_endian.h"

#include <string.h>

uint64_t client_origin_pack(const struct client_origin *origin)
{
    return (uint64_t)(origin->call & UINT16_MAX) | (uint64_t)(origin->site & UINT16_MAX) << 16 |
           (uint64_t)(origin->stream & UINT16_MAX) << 32 | (uint64_t)origin->thread << 48;
}

struct client_origin client_origin_unpack(uint64_t word)
{
    return (struct client_origin){.call = word & UINT16_MAX,
                                  .site = (word >> 16) & UINT16_MAX,
                                  .stream = (word >> 32) & UINT16_MAX,
                                  .thread = (uint32_t)(word >> 48)};
}

uint64_t client_operand_pack(const char *name)
{
    uint64_t word = 0;

    for (unsigned i = 0; i < CLIENT_OPERAND_LETTERS && name[i] != '\0'; i++) {
        word |= (uint64_t)(uint8_t)name[i] << 8 * i;
    }
    return word;
}

bool client_operand_unpack(uint64_t word, char out_name[CLIENT_OPERAND_LETTERS + 1])
{
    char name[CLIENT_OPERAND_LETTERS + 1] = "";
    unsigned length = 0;

    for (; length < CLIENT_OPERAND_LETTERS && word != 0; length++, word >>= 8) {
        const char letter = (char)(word & 0xff);

        if (!((letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z'))) {
            return false;
        }
        name[length] = letter;
    }
    memcpy(out_name, name, length > 0 ? sizeof(name) : 0);
    return length > 0;
}

const char *runtime_call_name(uint64_t call)
{
    static const char *const names[] = {
        [RUNTIME_CALL_NONE] = NULL,
#define RUNTIME_CALL(name) [RUNTIME_CALL_##name] = #name,
#include "wire/library_calls.def"
#include "wire/runtime_calls.def"
#undef RUNTIME_CALL
#define DRIVER_CALL(name, version, runtime) [RUNTIME_CALL_##name] = #name,
#include "wire/driver_api.def"
#undef DRIVER_CALL
    };

    if (call >= RUNTIME_CALL_COUNT) {
        return NULL;
    }
    const enum runtime_call meaning = runtime_call_meaning((enum runtime_call)call);
    const bool is_launch = meaning == RUNTIME_CALL_cudaLaunchKernel ||
                           meaning == RUNTIME_CALL_cudaLaunchKernelExC ||
                           meaning == RUNTIME_CALL_cudaLaunchCooperativeKernel;
    return is_launch ? "launch" : names[call];
}

enum runtime_call runtime_call_meaning(enum runtime_call call)
{
    switch (call) {
#define DRIVER_CALL(name, version, runtime)                                                        \
    case RUNTIME_CALL_##name:                                                                      \
        return RUNTIME_CALL_##runtime;
#include "wire/driver_api.def"
#undef DRIVER_CALL
    default:
        return call;
    }
}

const char *refusal_text(uint64_t refusal)
{
    static const char *const texts[] = {
        [REFUSAL_NONE] = NULL,
#define REFUSAL(name, text) [REFUSAL_##name] = text,
#include "wire/refusals.def"
#undef REFUSAL
    };

    return refusal < REFUSAL_COUNT ? texts[refusal] : NULL;
}

void device_properties_pack(const struct device_properties *properties, struct text *out)
{
    const uint64_t numbers[] = {
#define DEVICE_PROPERTY(field) properties->field,
#include "wire/device_properties.def"
#undef DEVICE_PROPERTY
    };

    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        uint8_t bytes[8];

        little_put_u64(bytes, numbers[i]);
        text_append_bytes(out, bytes, sizeof(bytes));
    }
    text_append_bytes(out, properties->name,
                      strnlen(properties->name, sizeof(properties->name) - 1));
}

bool device_properties_unpack(const uint8_t *bytes, size_t length,
                              struct device_properties *out_properties)
{
    struct device_properties properties = {.name = ""};
    uint64_t *const numbers[] = {
#define DEVICE_PROPERTY(field) &properties.field,
#include "wire/device_properties.def"
#undef DEVICE_PROPERTY
    };
    size_t count = sizeof(numbers) / sizeof(numbers[0]);

    if (length < 8 * count || length - 8 * count >= sizeof(properties.name)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        *numbers[i] = little_get_u64(bytes + 8 * i);
    }
    memcpy(properties.name, bytes + 8 * count, length - 8 * count);
    *out_properties = properties;
    return true;
}
