/* calls_peer.c: what programs for several devices ask: there is one. */
#include "cudart/runtime.h"

#include <string.h>

/* Where the device pretends to be plugged in. */
static const char bus_id[] = "0000:01:00.0";

static cudaError_t no_device(void)
{
    return runtime_refuse(cudaErrorInvalidDevice, REFUSAL_NO_DEVICE);
}

static cudaError_t null_pointer(void)
{
    return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
}

cudaError_t cudaDeviceCanAccessPeer(int *can_access, int device, int peer)
{
    runtime_enter(RUNTIME_CALL_cudaDeviceCanAccessPeer);
    cudaError_t error = can_access == NULL ? null_pointer() : runtime_connect();
    if (error == cudaSuccess && (device != 0 || peer != 0)) {
        error = no_device();
    }
    if (error == cudaSuccess) {
        *can_access = 0;
    }
    return runtime_leave(error);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    runtime_enter(RUNTIME_CALL_cudaDeviceEnablePeerAccess);
    if (flags != 0) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE));
    }
    return runtime_leave(peer == 0 ? runtime_refuse(cudaErrorInvalidDevice, REFUSAL_PEER)
                                   : no_device());
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    runtime_enter(RUNTIME_CALL_cudaDeviceDisablePeerAccess);
    return runtime_leave(peer == 0 ? runtime_refuse(cudaErrorPeerAccessNotEnabled, REFUSAL_PEER)
                                   : no_device());
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int source,
                                      int target)
{
    (void)attribute;
    runtime_enter(RUNTIME_CALL_cudaDeviceGetP2PAttribute);
    if (value == NULL) {
        return runtime_leave(null_pointer());
    }
    return runtime_leave(source == 0 && target == 0
                             ? runtime_refuse(cudaErrorInvalidDevice, REFUSAL_PEER)
                             : no_device());
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device)
{
    runtime_enter(RUNTIME_CALL_cudaDeviceGetPCIBusId);
    cudaError_t error = id == NULL ? null_pointer() : runtime_connect();
    if (error == cudaSuccess && device != 0) {
        error = no_device();
    }
    if (error == cudaSuccess && length < (int)sizeof(bus_id)) {
        error = runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
    }
    if (error == cudaSuccess) {
        memcpy(id, bus_id, sizeof(bus_id));
    }
    return runtime_leave(error);
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
    runtime_enter(RUNTIME_CALL_cudaDeviceGetByPCIBusId);
    cudaError_t error = device == NULL || id == NULL ? null_pointer() : runtime_connect();
    if (error == cudaSuccess && strcmp(id, bus_id) != 0 && strcmp(id, bus_id + 5) != 0) {
        error = no_device();
    }
    if (error == cudaSuccess) {
        *device = 0;
    }
    return runtime_leave(error);
}

cudaError_t cudaSetValidDevices(int *devices, int count)
{
    runtime_enter(RUNTIME_CALL_cudaSetValidDevices);
    cudaError_t error = runtime_connect();
    if (error == cudaSuccess && (count < 0 || (devices == NULL && count > 0))) {
        error = null_pointer();
    }
    for (int i = 0; i < count && error == cudaSuccess; i++) {
        error = devices[i] == 0 ? cudaSuccess : no_device();
    }
    return runtime_leave(error);
}
