/* runtime.h: what the files of the stand-in runtime share.
 *
 *   program --cudaMalloc()--> calls_*.c --message--> runtime_channel.c ==channel==> device process
 *
 *   runtime_channel.c   the connection, the lock, errors
 *   runtime_modules.c   what nvcc's code registers: modules, kernels, variables
 *   runtime_managed.c   memory that exists twice
 *   runtime_registry.c  sets of pointers: streams, events, host memory
 *   calls_*.c           the calls themselves, in families
 *   list_unknown_calls.sh  all other symbols of the toolkit's runtime, at build time
 *
 * This library runs inside of the student's program and may be changed by it in any way: nothing
 * here earns or protects a mark. It is a client of wire/ and nothing else; one lock serialises all
 * calls. The toolkit's own headers give types and prototypes, so a wrong signature does not
 * compile.
 */
#ifndef GPUGRADE_CUDART_RUNTIME_H
#define GPUGRADE_CUDART_RUNTIME_H

#include "wire/client.h"
#include "wire/message.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Begins a call: takes the lock and names the call for what it asks of the device. */
void runtime_enter(enum runtime_call call);

/* Ends a call: keeps an error for cudaGetLastError, gives the lock back, returns the error. */
cudaError_t runtime_leave(cudaError_t error);

/* Ends a call whose error is no news (cudaErrorNotReady, cudaGetLastError itself). */
cudaError_t runtime_leave_quietly(cudaError_t error);

/* Connects to the device if that has not been done. Errors: cudaErrorNoDevice (no channel, or in a
 * child after fork), cudaErrorDevicesUnavailable (the device process has gone). */
cudaError_t runtime_connect(void);

/* Sends a request (its first word is filled in) and receives the reply. */
cudaError_t runtime_request(struct message *request, struct message *out_reply);

/* The same with words only, and without a use for the reply. */
cudaError_t runtime_ask(enum client_message type, const uint64_t *words, size_t word_count);

/* Tells the device why a call is refused here; returns the error. */
cudaError_t runtime_refuse(cudaError_t error, enum refusal why);

/* Reports a call that the runtime does not know; returns cudaErrorNotSupported. */
cudaError_t runtime_unknown_call(const char *name);

/* The device; valid after runtime_connect(). */
const struct device_properties *runtime_properties(void);

/* The last error of this thread; `clear` forgets it. */
cudaError_t runtime_last_error(bool clear);

/* A kernel that the program registered. */
struct runtime_kernel {
    struct runtime_kernel *next;
    struct runtime_module *module;
    const void *host_function;
    const char *name; /* mangled, in the program's memory */
    bool is_known;    /* the fields below were asked for */
    uint64_t handle;
    size_t parameter_bytes, parameter_count;
    uint64_t *parameters; /* [2 * parameter_count] offset and bytes of each, owned */
};

/* A kernel by its host function or by itself (cudaKernel_t); NULL if it is not registered. */
struct runtime_kernel *runtime_find_kernel(const void *function);

/* Asks the device about a kernel once. */
cudaError_t runtime_resolve_kernel(struct runtime_kernel *kernel);

/* The device variable behind a host symbol. Errors: cudaErrorInvalidSymbol. */
cudaError_t runtime_symbol(const void *symbol, uint64_t *out_address, size_t *out_bytes);

/* Managed memory. */
cudaError_t runtime_managed_add(uint64_t address, size_t bytes);
void runtime_managed_remove(uint64_t address);
void runtime_managed_remove_all(void);
bool runtime_is_managed(const void *pointer);
cudaError_t runtime_managed_push(void); /* host to device, unless the device's are newer */
cudaError_t runtime_managed_pull(void); /* device to host, if the device's are newer */
bool runtime_managed_is_on_device(void);

/* True for an address in the device window. */
bool runtime_is_device_address(const void *pointer);

/* Waits for the device: reports faults of launches, fetches managed memory. */
cudaError_t runtime_synchronise(void);

/* Copies between host and device memory, without looking at managed memory. */
struct runtime_area {
    uint64_t address;
    size_t pitch, width, rows;
};
cudaError_t runtime_upload(const struct runtime_area *area, const void *bytes, size_t pitch);
cudaError_t runtime_download(const struct runtime_area *area, void *out_bytes, size_t pitch);

/* A set of pointers, each with a number. */
struct runtime_registry {
    struct registry_entry {
        void *pointer;
        size_t bytes;
    } * entries;
    size_t count, capacity;
};
bool registry_add(struct runtime_registry *registry, void *pointer, size_t bytes);
bool registry_contains(const struct runtime_registry *registry, const void *pointer);
bool registry_remove(struct runtime_registry *registry, const void *pointer);

/* True for a stream that exists, the default ones included. */
bool runtime_stream_exists(cudaStream_t stream);

#endif
