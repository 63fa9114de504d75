/* Well-formed requests about memory and kernels that there are not: each must be refused, none may
 * harm the device. */
#define ATTACK_AT_LAUNCH ask
#include "client_wire.cuh"
#include "honest_ends.cuh"

static void ask(void)
{
    static const uint64_t values[] = {0,
                                      1,
                                      0x0fffffffffff,
                                      0x100000000000,
                                      0x10ffffffffff,
                                      UINT64_C(1) << 63,
                                      UINT64_MAX - 4095,
                                      UINT64_MAX};
    struct wire_header reply;
    for (uint64_t address : values) {
        for (uint64_t bytes : values) {
            wire_header_send(WIRE_RANGE, 0, address, bytes, 0);
            (void)wire_header_receive(&reply);
            wire_header_send(WIRE_FIND, 0, address, 0, 0);
            (void)wire_header_receive(&reply);
            wire_header_send(WIRE_FREE, 0, address + 1, 0, 0);
            (void)wire_header_receive(&reply);
        }
        wire_header_send(WIRE_ALLOCATE, 0, address | UINT64_C(1) << 50, 0, 0);
        (void)wire_header_receive(&reply);
    }
}
