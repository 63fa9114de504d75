/* Greets late and twice, asks for kernels of modules that there are not. */
#define ATTACK_AT_LAUNCH disorder
#include "client_wire.cuh"
#include "honest_ends.cuh"

static void disorder(void)
{
    struct wire_header reply;
    wire_header_send(WIRE_HELLO, 0, 1, 0, 0);
    (void)wire_header_receive(&reply);
    wire_header_send(WIRE_HELLO, 0, 1, 0, 0);
    (void)wire_header_receive(&reply);
    wire_header_send(WIRE_KERNEL, 0, 77, 0, 0);
    wire_header_send(WIRE_LAUNCH, 0, UINT64_MAX, UINT64_MAX, UINT64_MAX);
}
