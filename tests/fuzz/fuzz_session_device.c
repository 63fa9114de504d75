/* fuzz_session_device.c: a hostile device answers a session. The session goes on as far as the
 * device lets it: events, operands, probes, the log of the end. Whatever the device says, the
 * session ends with an error or with evidence that can be used. The same bytes are also read as a
 * trace.
 *
 * The device is a thread. For each request it takes a byte: most often it answers as an honest
 * device would, so that the session comes further; else it answers with numbers, records or lengths
 * that the following bytes choose, with bytes that are no message, or not at all. The program is
 * one that has ended already.
 */
#include "session/connection.h"
#include "session/probe.h"
#include "session/trace_map.h"

#include "base/clock.h"
#include "base/process.h"
#include "wire/count_record.h"
#include "wire/finding_record.h"
#include "wire/little_endian.h"
#include "wire/trace_record.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ELEMENTS = 16, PARAMETERS_BYTES = 24, REQUESTS_MAX = 200, EVENTS_MAX = 8, HONEST = 176 };
#define MEMORY UINT64_C(0x100000010000)
#define REPLY_NS (CLOCK_NS_PER_S / 20)

static const char ptx[] = ".version 9.0\n.target sm_75\n.address_size 64\n"
                          ".visible .const .align 4 .u32 edge = 16;\n"
                          ".visible .entry k(.param .u64 a, .param .u64 c, .param .u32 n)\n"
                          "{\nret;\n}\n.file 1 \"/s/k.cu\"\n";
static const struct fat_module module = {.offset = 0, .text = ptx, .length = sizeof ptx - 1};
static const struct fat_program program = {
    .section_address = 0x5000, .section_bytes = 0x100, .modules = &module, .module_count = 1};

/* The device. */
struct device {
    struct channel channel;
    const uint8_t *bytes; /* still to be read */
    size_t length;
    uint8_t payload[1 << 16];
    size_t payload_bytes;
};

static uint8_t take_byte(struct device *device)
{
    if (device->length == 0) {
        return 0;
    }
    device->length--;
    return *device->bytes++;
}

static uint64_t take_word(struct device *device)
{
    static const uint64_t numbers[] = {
        UINT64_MAX, UINT64_MAX - 1,
        INT64_MAX,  UINT64_C(1) << 63,
        UINT32_MAX, UINT64_C(1) << 32,
        INT32_MAX,  UINT64_C(1) << 31,
        MEMORY,     MEMORY + 64,
        MEMORY - 1, UINT64_C(1) << 28,
        65536,      4096,
        1024,
    };
    const size_t count = sizeof numbers / sizeof numbers[0];
    uint8_t byte = take_byte(device);

    return byte < 256 - count ? byte : numbers[byte - (256 - count)];
}

/* Appends bytes to the payload as far as there is room. */
static void add(struct device *device, const void *bytes, size_t length)
{
    if (length <= sizeof device->payload - device->payload_bytes) {
        memcpy(device->payload + device->payload_bytes, bytes, length);
        device->payload_bytes += length;
    }
}

static void add_finding(struct device *device)
{
    struct finding_record record = {.kind = 1 + take_byte(device) % FINDING_RECORD_KIND_END,
                                    .module = take_byte(device) % 8 == 0,
                                    .function = take_byte(device) % 8 == 0,
                                    .place_count = 1 + take_byte(device) % FINDING_RECORD_PLACES,
                                    .count = take_word(device) + 1,
                                    .address = take_word(device),
                                    .access_bytes = (uint32_t)take_word(device),
                                    .distance_bytes = (int64_t)take_word(device),
                                    .object_bytes = take_word(device)};
    uint8_t bytes[FINDING_RECORD_BYTES];

    for (size_t i = 0; i < FINDING_RECORD_PLACES; i++) {
        record.places[i].access = take_byte(device) % (FINDING_RECORD_WAIT + 1);
        record.places[i].file = take_byte(device) % 4;
        record.places[i].line = (uint32_t)take_word(device);
        record.places[i].inlined_file = take_byte(device) % 4;
        record.places[i].inlined_line = (uint32_t)take_word(device);
    }
    for (size_t i = 0, most = take_byte(device) % 16; i < most; i++) {
        record.text[i] = (char)take_byte(device);
    }
    finding_record_pack(&record, bytes);
    add(device, bytes, sizeof bytes);
}

static void add_count(struct device *device)
{
    struct count_record record = {.kind = take_byte(device) % 6,
                                  .space = take_byte(device) % 6,
                                  .access = take_byte(device) % 5,
                                  .file = take_byte(device) % 4,
                                  .line = (uint32_t)take_word(device),
                                  .max_degree = (uint32_t)take_word(device),
                                  .address = take_word(device),
                                  .requests = take_word(device),
                                  .lanes = take_word(device),
                                  .bytes = take_word(device),
                                  .sectors = take_word(device),
                                  .least_sectors = take_byte(device) % 4,
                                  .wavefronts = take_word(device),
                                  .passed = take_word(device)};
    uint8_t bytes[COUNT_RECORD_BYTES];

    count_record_pack(&record, bytes);
    add(device, bytes, sizeof bytes);
}

static void add_call_error(struct device *device)
{
    struct control_call_error error = {
        .call = "cudaMalloc", .cuda_error = (int32_t)take_word(device), .count = take_word(device)};
    struct text bytes;

    for (size_t i = 0, most = take_byte(device) % 16; i < most; i++) {
        error.kernel[i] = (char)take_byte(device);
        error.message[i] = (char)take_byte(device);
    }
    text_init(&bytes);
    control_call_error_pack(&error, &bytes);
    add(device, bytes.bytes, bytes.length);
    text_release(&bytes);
}

/* What an honest device says. */
static void answer_honestly(struct device *device, const struct message *request,
                            struct message *reply)
{
    uint8_t parameters[PARAMETERS_BYTES] = {0};
    static const uint8_t zeros[1 << 12];

    switch (request->type) {
    case CONTROL_RESUME:
        little_put_u64(parameters, MEMORY);
        little_put_u64(parameters + 8, MEMORY + 4096);
        little_put_u32(parameters + 16, ELEMENTS);
        reply->words[0] = CONTROL_EVENT_LAUNCH;
        reply->words[3] = control_dimensions_pack((const uint32_t[3]){1, 1, 1});
        reply->words[4] = control_dimensions_pack((const uint32_t[3]){ELEMENTS, 1, 1});
        add(device, parameters, sizeof parameters);
        break;
    case CONTROL_FIND:
        reply->words[0] = request->words[0];
        reply->words[1] = 4096;
        break;
    case CONTROL_SYMBOL:
        reply->words[0] = MEMORY + 8192;
        reply->words[1] = 4;
        break;
    case CONTROL_READ:
        add(device, zeros, request->words[1] < sizeof zeros ? (size_t)request->words[1] : 0);
        break;
    case CONTROL_PROBE:
        reply->words[4] = 1;
        break;
    default:
        break;
    }
}

/* Adds records that a reply may hold, and says how many. */
static void add_records(struct device *device, struct message *reply)
{
    uint64_t findings = take_byte(device) % 4;
    uint64_t others = take_byte(device) % 4;

    for (uint64_t i = 0; i < findings; i++) {
        add_finding(device);
    }
    for (uint64_t i = 0; i < others; i++) {
        if (reply->type == CONTROL_PROBE) {
            add_count(device);
        } else {
            add_call_error(device);
        }
    }
    if (reply->type == CONTROL_PROBE) {
        reply->words[2] = findings;
        reply->words[3] = others;
    } else if (reply->type == CONTROL_LOG) {
        reply->words[1] = findings;
        reply->words[2] = others;
    }
}

/* What spoils a reply. */
static void spoil(struct device *device, struct message *reply)
{
    size_t length = take_byte(device);

    switch (take_byte(device) % 4) {
    case 0:
        reply->words[take_byte(device) % 8] = take_word(device);
        break;
    case 1:
        reply->words[0] = take_byte(device) % 8;
        reply->words[take_byte(device) % 8] = take_word(device);
        break;
    case 2:
        add(device, device->bytes, length < device->length ? length : device->length);
        break;
    default:
        reply->status = take_byte(device) % (ERROR_COUNT + 1);
        add(device, "\xff\x1b[31m%s%n", 10);
        break;
    }
}

/* Answers one request; false when it will answer no more. */
static bool answer(struct device *device, const struct message *request)
{
    struct message reply = {.type = request->type};
    uint8_t choice = take_byte(device);

    device->payload_bytes = 0;
    if (choice == UINT8_MAX) {
        return false;
    }
    if (choice == UINT8_MAX - 1) {
        size_t length = device->length < 200 ? device->length : 200;
        return send(device->channel.fd, device->bytes, length, MSG_NOSIGNAL) >= 0;
    }
    answer_honestly(device, request, &reply);
    if (choice >= HONEST / 2 && (request->type == CONTROL_PROBE || request->type == CONTROL_LOG)) {
        add_records(device, &reply);
    }
    if (choice >= HONEST) {
        spoil(device, &reply);
    }
    reply.payload = device->payload;
    reply.payload_bytes = device->payload_bytes;
    return channel_send(&device->channel, &reply, UINT64_MAX, NULL) == ERROR_NONE;
}

static void *serve(void *context)
{
    struct device *device = context;
    struct message request;

    for (int i = 0; i < REQUESTS_MAX && device->length > 0; i++) {
        if (channel_receive(&device->channel, false, UINT64_MAX, &request, NULL) != ERROR_NONE ||
            !answer(device, &request)) {
            break;
        }
    }
    shutdown(device->channel.fd, SHUT_RDWR);
    return NULL;
}

/* The session. */

static const struct expression *parse(struct arena *arena, const char *text)
{
    const struct expression *expression = NULL;
    size_t offset = 0;

    if (expression_parse(arena, text, &expression, &offset, NULL) != ERROR_NONE) {
        abort();
    }
    return expression;
}

static void describe_launch(struct arena *arena, struct rubric_launch *out_launch)
{
    const struct expression *count = parse(arena, "16");

    *out_launch = (struct rubric_launch){
        .id = "launch",
        .kernel = "k",
        .operands = {{.name = "A",
                      .bind = {.argument = 0},
                      .type = ELEMENT_F32,
                      .shape = {count},
                      .rank = 1,
                      .role = OPERAND_INPUT},
                     {.name = "C",
                      .bind = {.argument = 1},
                      .type = ELEMENT_F32,
                      .shape = {count},
                      .rank = 1,
                      .role = OPERAND_OUTPUT}},
        .operand_count = 2,
        .scalars = {{.name = "n", .bind = {.argument = 2}, .type = ELEMENT_I32, .value = count},
                    {.name = "edge",
                     .bind = {.is_symbol = true, .symbol = "edge"},
                     .type = ELEMENT_U32,
                     .value = count}},
        .scalar_count = 2,
    };
}

/* A program that has ended; it is the same for all inputs. */
static struct sandbox_run *ended_program(void)
{
    static const char *const arguments[] = {"/bin/true", NULL};
    static struct sandbox_run *run;
    struct diagnostic diagnostic = {.message = ""};
    struct sandbox sandbox;
    const struct sandbox_spec spec = {
        .arguments = arguments,
        .folder = "/",
        .limits = {.wall_ns = 20 * CLOCK_NS_PER_S,
                   .cpu_ns = 20 * CLOCK_NS_PER_S,
                   .memory_bytes = UINT64_C(1) << 30,
                   .output_bytes = 4096,
                   .file_bytes = 4096},
        .channel_fd = -1,
    };

    if (run == NULL) {
        if (sandbox_init(SANDBOX_C, GPUGRADE_BINARY_DIR "/bin", &sandbox, &diagnostic) !=
                ERROR_NONE ||
            sandbox_start(&sandbox, &spec, &run, &diagnostic) != ERROR_NONE) {
            abort();
        }
        sandbox_pump(run, -1, UINT64_MAX);
    }
    return run;
}

static void use_bytes(const void *bytes, size_t length)
{
    volatile uint8_t sum = 0;

    for (size_t i = 0; i < length; i++) {
        sum = (uint8_t)(sum + ((const uint8_t *)bytes)[i]);
    }
}

/* Reads the whole evidence of a launch. */
static void use(const struct observation *observation)
{
    for (size_t i = 0; i < observation->sample_count; i++) {
        const struct sample *sample = &observation->samples[i];

        for (size_t k = 0; k < 2 && sample->after[k] != NULL; k++) {
            use_bytes(sample->after[k], observation->element_counts[k] * 4);
        }
        for (size_t k = 0; k < sample->finding_count; k++) {
            use_bytes(sample->findings[k].message, strlen(sample->findings[k].message));
        }
        for (size_t k = 0; k < sample->counts.line_count; k++) {
            use_bytes(&sample->counts.lines[k], sizeof sample->counts.lines[k]);
        }
    }
}

/* Lets the program go on from event to event. */
static void drive(struct connection *connection, const struct rubric_launch *launch)
{
    struct diagnostic diagnostic = {.message = ""};
    struct program_activity activity;
    enum error error = ERROR_NONE;

    for (int i = 0; i < EVENTS_MAX && error == ERROR_NONE; i++) {
        struct observation observation = {.block = ELEMENTS};
        struct connection_event event;
        struct bound_launch bound;

        error = connection_resume(connection, &event, &diagnostic);
        if (error != ERROR_NONE || event.kind == CONTROL_EVENT_GONE ||
            event.kind == CONTROL_EVENT_BROKEN) {
            break;
        }
        if (event.kind != CONTROL_EVENT_LAUNCH) {
            continue;
        }
        error = probe_bind(connection, launch, &event.launch, &observation, &bound, &diagnostic);
        if (error == ERROR_NONE && observation.failure == CODE_NONE) {
            error = probe_run(connection, launch, &bound, 1, &observation, &diagnostic);
        }
        if (error == ERROR_NONE) {
            use(&observation);
        }
    }
    if (error == ERROR_NONE &&
        connection_finish(connection, "launch", &activity, &diagnostic) == ERROR_NONE) {
        for (size_t i = 0; i < activity.call_error_count; i++) {
            const struct call_error *call = &activity.call_errors[i];

            use_bytes(call->message, strlen(call->message));
            use_bytes(call->name, strlen(call->name));
        }
    }
}

/* The bytes as the reply to TRACE: as many accesses as the first byte says, then places. */
static void try_trace(const struct connection *connection, const struct rubric_launch *launch,
                      const uint8_t *bytes, size_t length)
{
    static const uint64_t addresses[] = {MEMORY, MEMORY + 4096};
    static const size_t element_counts[] = {ELEMENTS, ELEMENTS};
    const struct trace_source source = {&connection->code.modules[0], launch, addresses,
                                        element_counts, ELEMENTS};
    struct launch_trace trace = {.is_complete = true};
    size_t accesses = length == 0 ? 0 : bytes[0];

    if (length == 0 || (length - 1) / TRACE_RECORD_BYTES < accesses) {
        return;
    }
    size_t places = (length - 1 - accesses * TRACE_RECORD_BYTES) / TRACE_PLACE_BYTES;
    if (!trace_from_bytes(connection->arena, &source, bytes + 1, accesses, places, &trace)) {
        return;
    }
    for (size_t i = 0; i < trace.access_count; i++) {
        const struct trace_access *access = &trace.accesses[i];
        const struct trace_line *line = &trace.lines[access->line];

        if (access->thread >= ELEMENTS || access->line >= trace.line_count ||
            (access->operand != TRACE_NO_OPERAND &&
             (access->operand >= 2 || access->where >= ELEMENTS))) {
            abort();
        }
        use_bytes(line->file, strlen(line->file));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct arena *arena = arena_new();
    struct rubric_launch launch;
    struct rubric rubric = {.launches = &launch, .launch_count = 1};
    struct built_program built = {.code = program};
    /* What ptxas said of the one module is known, so nobody is started to ask. */
    struct kernel_resources kernel = {.name = "k", .plain_name = "k", .registers = 8};
    struct module_resources known = {.known = true, .kernels = &kernel, .count = 1};
    struct session_resource_cache resources = {.modules = &known};
    struct session_config config = {.rubric = &rubric, .program = &built, .resources = &resources};
    struct connection connection = {
        .config = &config, .arena = arena, .run = ended_program(), .program_ended = true};
    struct device *device = calloc(1, sizeof *device);
    pthread_t thread;
    int fds[2];

    if (device == NULL || socket_pair(fds, NULL) != ERROR_NONE ||
        code_index_read(arena, &program, "/s", &connection.code, NULL) != ERROR_NONE) {
        abort();
    }
    describe_launch(arena, &launch);
    try_trace(&connection, &launch, bytes, length);
    device->bytes = bytes;
    device->length = length;
    channel_init(&device->channel, fds[1], control_format);
    channel_init(&connection.link.control, fds[0], control_format);
    connection.link.reply_limit_ns = REPLY_NS;
    if (pthread_create(&thread, NULL, serve, device) != 0) {
        abort();
    }
    drive(&connection, &launch);
    shutdown(fds[0], SHUT_RDWR);
    pthread_join(thread, NULL);
    channel_release(&connection.link.control);
    channel_release(&device->channel);
    close(fds[0]);
    close(fds[1]);
    free(device);
    arena_free(arena);
    return 0;
}
