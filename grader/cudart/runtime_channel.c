/* runtime_channel.c: the connection to the device process: descriptor 3, one lock, errors.
 *
 * The grader starts the program with its end of the client channel as descriptor 3. A program that
 * somebody starts by hand has none: then every call fails as on a machine without a GPU, and one
 * line on standard error says why.
 *
 * At start the window of device addresses is reserved without access, so that host code which
 * touches a device address faults there, as it would with a real GPU. And standard output, which is
 * no terminal here, gets a buffer of one line: what was printed before a crash is not lost with it.
 */
#include "cudart/runtime.h"

#include "base/device_window.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHANNEL_FD = 3 };

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static struct channel channel;
static struct device_properties properties;
static enum { NOT_CONNECTED, CONNECTED, WITHOUT_CHANNEL, LOST } state;
static pid_t owner;
static enum runtime_call current_call;
static uint32_t current_site; /* where it was made */
static uint32_t current_stream;
static struct guard_hooks guards;
static bool site_is_known;
static bool is_driver_call;      /* the call under way is one of the driver */
static unsigned inner_calls;     /* of the runtime, that it is made of and that are under way */
static uint32_t told_sites;      /* that the device knows */
static cudaError_t sticky_error; /* of a kernel that failed */
static volatile bool is_exchanging;
static bool is_used;          /* the program has made a call of the runtime */
static bool is_printed;       /* text of kernels waits at the device */
static uint32_t thread_count; /* that have made calls */
static __thread uint32_t own_thread;
static __thread cudaError_t last_error;

static bool has_channel(void)
{
    struct stat status;

    return fstat(CHANNEL_FD, &status) == 0 && S_ISSOCK(status.st_mode);
}

/* Tells the device of all sites up to one; false if it is gone. */
static bool tell_sites(uint32_t site)
{
    struct diagnostic diagnostic = {.message = ""};
    enum error error = ERROR_NONE;

    while (error == ERROR_NONE && told_sites < site) {
        struct message reply, request = {.type = CLIENT_SITE, .words = {current_call}};

        request.words[1] = ++told_sites;
        memcpy(request.words + 2, runtime_site_addresses(told_sites),
               CLIENT_SITE_ADDRESSES * sizeof(uint64_t));
        error = channel_call(&channel, &request, UINT64_MAX, &reply, &diagnostic);
    }
    return error == ERROR_NONE;
}

/* Runs when host code crashes: tells the device, if no message is on its way. There is little
 * stack, so it is one message, and nobody waits for the reply. */
static void report_crash(uint64_t address, bool has_address)
{
    struct diagnostic diagnostic = {.message = ""};
    struct message request = {.type = CLIENT_CRASH,
                              .words = {RUNTIME_CALL_NONE, address, has_address}};

    /* Another thread may be in the middle of a message; its reply would have to come first. */
    if (getpid() == owner && state == CONNECTED && pthread_mutex_trylock(&lock) == 0) {
        if (!is_exchanging) {
            const uint64_t *site = runtime_site_addresses(runtime_site_here());

            if (site != NULL) {
                memcpy(request.words + 3, site, CLIENT_CRASH_ADDRESSES * sizeof(*site));
            }
            channel_send(&channel, &request, UINT64_MAX, &diagnostic);
        }
        pthread_mutex_unlock(&lock);
    }
}

/* Host code touched memory that is closed; false: it is a crash. */
static bool repair_fault(uint64_t address, bool is_write)
{
    bool is_repaired = false;

    if (getpid() != owner) { /* nobody else is in a child process: a thread that holds the lock */
        return guards.repair != NULL && guards.repair(address, is_write, false);
    }
    pthread_mutex_lock(&lock);
    if (!is_exchanging) {
        const enum runtime_call caller = current_call;

        current_call = RUNTIME_CALL_cudaDeviceSynchronize; /* the one that is missing */
        site_is_known = false;
        is_repaired = guards.repair != NULL && guards.repair(address, is_write, state == CONNECTED);
        current_call = caller;
        site_is_known = false;
    }
    pthread_mutex_unlock(&lock);
    return is_repaired;
}

__attribute__((constructor)) static void start(void)
{
    owner = getpid();
    if (!has_channel()) {
        state = WITHOUT_CHANNEL;
        return;
    }
    fcntl(CHANNEL_FD, F_SETFD, FD_CLOEXEC);
    channel_init(&channel, CHANNEL_FD, client_format);
    /* Where it cannot be had (a limit on address space), only that protection is missing. */
    (void)mmap((void *)(uintptr_t)DEVICE_WINDOW_START, DEVICE_WINDOW_BYTES, PROT_NONE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    runtime_watch_crashes(report_crash, repair_fault);
}

/* Says once why there is no device. */
static void explain(const char *why)
{
    static bool is_said;

    if (!is_said) {
        is_said = true;
        fprintf(stderr, "gpugrade: no GPU for this program: %s\n", why);
    }
}

bool runtime_is_window_address(const void *pointer)
{
    return is_in_device_window((uintptr_t)pointer);
}

void runtime_enter(enum runtime_call call)
{
    pthread_mutex_lock(&lock);
    if (is_driver_call) {
        inner_calls++;
        return;
    }
    is_used = is_used || call != RUNTIME_CALL_NONE;
    current_call = call;
    current_stream = 0;
    site_is_known = false;
}

void runtime_enter_driver(enum runtime_call call)
{
    runtime_enter(RUNTIME_CALL_NONE);
    current_call = call;
    is_driver_call = true;
}

bool runtime_is_used(void)
{
    return is_used;
}

uint32_t runtime_thread(void)
{
    if (own_thread == 0) {
        thread_count += thread_count < UINT16_MAX ? 1 : 0;
        own_thread = thread_count;
    }
    return own_thread;
}

void runtime_hook_guards(const struct guard_hooks *hooks)
{
    guards = *hooks;
}

void runtime_host_waited(void)
{
    if (guards.review != NULL) {
        guards.review();
    }
}

void runtime_set_stream(uint32_t stream)
{
    current_stream = stream;
}

void runtime_origin(enum runtime_call *out_call, uint32_t *out_site)
{
    if (!site_is_known) {
        runtime_set_origin(current_call, runtime_site_here());
    }
    *out_call = current_call;
    *out_site = current_site;
}

void runtime_set_origin(enum runtime_call call, uint32_t site)
{
    current_call = call;
    current_site = site;
    site_is_known = true;
}

cudaError_t runtime_leave(cudaError_t error)
{
    if (error != cudaSuccess && !is_driver_call) {
        last_error = error;
    }
    return runtime_leave_quietly(error);
}

cudaError_t runtime_leave_quietly(cudaError_t error)
{
    if (inner_calls > 0) {
        inner_calls--;
        pthread_mutex_unlock(&lock);
        return error;
    }
    is_driver_call = false;
    if (guards.close != NULL) {
        guards.close();
    }
    pthread_mutex_unlock(&lock);
    return error;
}

const struct device_properties *runtime_properties(void)
{
    return &properties;
}

/* What a kernel that failed leaves behind: the context is lost until the device is reset. */
static bool is_sticky(cudaError_t error)
{
    return error == cudaErrorIllegalAddress || error == cudaErrorLaunchTimeout ||
           error == cudaErrorAssert || error == cudaErrorHardwareStackError ||
           error == cudaErrorIllegalInstruction || error == cudaErrorMisalignedAddress ||
           error == cudaErrorInvalidAddressSpace || error == cudaErrorInvalidPc ||
           error == cudaErrorLaunchFailure;
}

/* Sends a request over the open channel. */
static cudaError_t exchange(struct message *request, struct message *out_reply)
{
    struct diagnostic diagnostic = {.message = ""};
    enum error error = ERROR_PEER;

    if (!site_is_known) {
        runtime_set_origin(current_call, runtime_site_here());
    }
    const struct client_origin origin = {
        .call = current_call,
        .site = request->type == CLIENT_HELLO ? 0 : current_site, /* nothing may come before it */
        .stream = current_stream,
        .thread = runtime_thread(),
    };
    request->words[0] = client_origin_pack(&origin);
    is_exchanging = true;
    if (tell_sites(origin.site)) {
        error = channel_call(&channel, request, UINT64_MAX, out_reply, &diagnostic);
    }
    is_exchanging = false;
    if (error != ERROR_NONE) {
        state = LOST;
        explain("the device process is gone");
        return cudaErrorDevicesUnavailable;
    }
    if (is_sticky((cudaError_t)out_reply->status)) {
        sticky_error = (cudaError_t)out_reply->status;
    }
    return (cudaError_t)out_reply->status;
}

cudaError_t runtime_last_error(bool clear)
{
    cudaError_t error = sticky_error != cudaSuccess ? sticky_error : last_error;

    if (clear) {
        last_error = cudaSuccess;
    }
    if (error != cudaSuccess && state == CONNECTED && getpid() == owner) {
        struct message reply, request = {.type = CLIENT_FETCHED};

        exchange(&request, &reply);
    }
    return error;
}

cudaError_t runtime_connect(void)
{
    if (getpid() != owner) {
        explain("a child process cannot use its parent's GPU after fork()");
        return cudaErrorNoDevice;
    }
    if (state == CONNECTED) {
        return cudaSuccess;
    }
    if (state == LOST) {
        return cudaErrorDevicesUnavailable;
    }
    if (state == WITHOUT_CHANNEL) {
        explain("it is linked with gpugrade's runtime; start it with gpugrade run, or build it "
                "with plain nvcc");
        return cudaErrorNoDevice;
    }
    struct message reply, request = {.type = CLIENT_HELLO, .words = {0, CLIENT_PROTOCOL}};
    enum runtime_call caller = current_call;
    /* The first call of all may be one that has no number. */
    current_call = caller == RUNTIME_CALL_NONE ? RUNTIME_CALL_cudaInitDevice : caller;
    cudaError_t error = exchange(&request, &reply);
    current_call = caller;
    if (error == cudaSuccess &&
        !device_properties_unpack(reply.payload, reply.payload_bytes, &properties)) {
        error = cudaErrorDevicesUnavailable;
    }
    if (error == cudaSuccess) {
        state = CONNECTED;
    }
    return error;
}

cudaError_t runtime_ready(void)
{
    cudaError_t error = runtime_connect();

    return error == cudaSuccess ? sticky_error : error;
}

cudaError_t runtime_reset(void)
{
    runtime_show_printed();
    sticky_error = cudaSuccess;
    return runtime_ask(CLIENT_RESET, NULL, 0);
}

cudaError_t runtime_request(struct message *request, struct message *out_reply)
{
    cudaError_t error = runtime_ready();

    return error == cudaSuccess ? exchange(request, out_reply) : error;
}

cudaError_t runtime_ask(enum client_message type, const uint64_t *words, size_t word_count)
{
    cudaError_t error = runtime_ready();

    return error == cudaSuccess ? runtime_report(type, words, word_count) : error;
}

cudaError_t runtime_tell(struct message *request, uint64_t *out_word)
{
    struct message reply;
    cudaError_t error = runtime_connect();

    if (error == cudaSuccess) {
        error = exchange(request, &reply);
    }
    if (error == cudaSuccess && out_word != NULL) {
        *out_word = reply.words[0];
    }
    return error == cudaSuccess ? sticky_error : error;
}

cudaError_t runtime_report(enum client_message type, const uint64_t *words, size_t word_count)
{
    struct message request = {.type = type};

    if (word_count > 0) {
        memcpy(request.words + 1, words, word_count * sizeof(*words));
    }
    return runtime_tell(&request, NULL);
}

cudaError_t runtime_refuse(cudaError_t error, enum refusal why)
{
    const uint64_t words[] = {error, why};
    cudaError_t connected = runtime_ask(CLIENT_REFUSED, words, 2);

    return connected == cudaSuccess ? error : connected;
}

cudaError_t runtime_unknown_call(const char *name)
{
    size_t length = strnlen(name, client_format(CLIENT_UNKNOWN)->request_payload_max);
    struct message reply,
        request = {.type = CLIENT_UNKNOWN, .payload = name, .payload_bytes = length};

    runtime_enter(RUNTIME_CALL_NONE);
    cudaError_t error = runtime_request(&request, &reply);
    return runtime_leave(error == cudaSuccess ? cudaErrorNotSupported : error);
}

void runtime_note_printed(bool has_printed)
{
    is_printed = is_printed || has_printed;
}

/* Fetches and writes all of one stream. */
static void show_stream(uint64_t number, FILE *stream)
{
    struct message reply;

    do {
        struct message request = {.type = CLIENT_PRINTED, .words = {0, number}};

        if (exchange(&request, &reply) != cudaSuccess) {
            return;
        }
        if (reply.payload_bytes > 0) {
            fwrite(reply.payload, 1, reply.payload_bytes, stream);
            fflush(stream);
        }
    } while (reply.words[0] > 0);
}

void runtime_show_printed(void)
{
    if (is_printed && state == CONNECTED && getpid() == owner) {
        is_printed = false;
        show_stream(0, stdout);
        show_stream(1, stderr);
    }
}

void runtime_call_host(const struct runtime_host_call *call, cudaError_t status)
{
    const enum runtime_call caller = current_call;
    const uint32_t site = current_site;
    const bool is_known = site_is_known;
    const uint32_t stream = current_stream;
    const bool is_of_driver = is_driver_call;
    const unsigned inner = inner_calls;

    is_driver_call = false;
    inner_calls = 0;
    for (unsigned i = 0; i <= inner; i++) {
        pthread_mutex_unlock(&lock);
    }
    if (call->callback != NULL) {
        call->callback(call->stream, status, call->data);
    } else {
        call->function(call->data);
    }
    for (unsigned i = 0; i <= inner; i++) {
        pthread_mutex_lock(&lock);
    }
    is_driver_call = is_of_driver;
    inner_calls = inner;
    current_call = caller;
    current_site = site;
    site_is_known = is_known;
    current_stream = stream;
}
