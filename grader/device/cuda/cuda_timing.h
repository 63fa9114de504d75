/* cuda_timing.h: times contenders against each other on a real GPU (wire/timing_record.h); what its
 * files share.
 *
 *   cuda_timing.c     the entry `time`: warm-up, blocks and spans, samples, clocks
 *   timing_state.c    whether it goes on; operands
 *   timing_check.c    what a request must fulfil before anything runs
 *   timing_scratch.c  the memory that a timing needs beside the operands
 *   timing_launch.c   one launch: data, poison, a flushed cache, two events
 *   timing_compare.c  the judged contender's output against the reference's
 *
 * One launch, all of it on the default stream:
 *
 *   put variables back | gate  fill  poison  flush  event [ launch ] event | open the gate, wait
 *
 * The gate is a kernel that spins until the host has enqueued everything after it. So the GPU never
 * waits for the host between the two events, however busy the host is. A gate opens by itself after
 * GATE_NS; a launch before which the host took about that long is marked as delayed. A kernel's
 * first launch, for which the driver may have to load code and make room, is a warm-up without a
 * gate.
 *
 * Which launch of a judged span is compared is drawn from the seed, and the comparison happens at
 * once: no output of the reference or the baseline, and no copy of an earlier output, is on the GPU
 * while the judged kernel runs. Before each launch the outputs of all contenders are poisoned with
 * a pattern of that launch.
 *
 * What a judged kernel could try, since all kernels share one context, and why it fails:
 *   - keeping results, or the data of the next launch: no two launches have the same data;
 *   - skipping launches of a span: it does not know which one is compared;
 *   - writing to its inputs, which the others read as well: they are filled before each launch, and
 *     after one that is compared they are checked against a new fill;
 *   - writing to variables of the grader's modules: they are put back before each trusted launch
 *     and at the end of a request;
 *   - leaving lines in the L2 cache that persist: they are reset after each of its launches;
 *   - writing to the scratch memory: everything in it is produced after the judged kernel has
 *     ended; the clock stamps from before a span are on the host by then;
 *   - printing: the text is dropped.
 * Not defended: a kernel that finds and overwrites the machine code of a trusted kernel, the
 * driver's own memory of the events' times, or the gate's flag (which only opens it early). Their
 * addresses are not given out, and an access next to them ends the context. A baseline whose time
 * differs from what it was before the judged kernel's first launch would show the first of these.
 */
#ifndef GPUGRADE_DEVICE_CUDA_CUDA_TIMING_H
#define GPUGRADE_DEVICE_CUDA_CUDA_TIMING_H

#include "device/cuda/cuda_state.h"

enum { TIMING_SLOTS = 1024 }; /* of multiprocessors in a stamp */

/* The clocks of a multiprocessor, as gpugrade_stamp writes them; 0, 0: not read. */
struct timing_clocks {
    uint64_t cycles, nanoseconds;
};

/* Memory of the GPU, one allocation outside of the window of device.h. */
struct timing_scratch {
    CUdeviceptr flush; /* written over before each launch */
    uint64_t flush_words;
    CUdeviceptr seen, expected; /* room for all outputs: the judged one's, the reference's */
    CUdeviceptr stage;          /* room for the largest operand that is a constant */
    CUdeviceptr fresh;          /* room for the largest input */
    CUdeviceptr stamp;          /* struct timing_clocks [TIMING_SLOTS] */
    CUdeviceptr result;         /* number of wrong elements, lowest index of one */
    uint64_t output_bytes;      /* of all outputs */
};

/* A variable that is put back before the launches of trusted contenders, or of the judged one. */
struct timing_variable {
    bool is_judged;
    const struct cuda_variable *variable;
    void *bytes; /* [variable->allocation.bytes], owned: as the request found it */
};

/* Names a launch of a request: the data is drawn from it. */
struct timing_place {
    uint64_t block, position, launch;
};

enum timing_stop {
    TIMING_GOES_ON,
    TIMING_REFUSED, /* the driver does not start `contender` */
    TIMING_DIED,    /* `contender` ended in an error, or did not end in time */
    TIMING_BROKEN   /* the driver refuses a call of ours */
};

struct cuda_timing {
    struct cuda_device *device;
    const struct timing_request *request;
    struct timing_scratch scratch;
    CUevent start, end;
    uint64_t *flag; /* of the gate, in memory of the host that the GPU sees */
    CUdeviceptr flag_address;
    uint64_t ticket;                   /* of the last launch */
    struct timing_variable *variables; /* [variable_count], owned */
    size_t variable_count;
    struct timing_clocks *clocks[2]; /* [TIMING_SLOTS] each: before and after */
    enum timing_stop stop;
    CUresult cause;     /* of `stop` */
    uint32_t contender; /* of the last launch */
    bool is_delayed;    /* the last launch waited for a gate that may have opened by itself */
};

/* Checks a request. Errors: ERROR_RANGE. */
enum error timing_check(struct cuda_device *device, const struct timing_request *request,
                        struct diagnostic *diagnostic);

/* Bytes of an element, of an operand, and of its place in the scratch memory. */
uint64_t timing_element_bytes(const struct timing_operand *operand);
uint64_t timing_operand_bytes(const struct timing_operand *operand);
uint64_t timing_room_bytes(const struct timing_operand *operand);

/* Makes scratch memory, gate, events, clocks and copies of the trusted variables. The caller
 * releases them, also after a failure. Errors: ERROR_LIMIT. */
enum error timing_scratch_init(struct cuda_timing *timing, struct diagnostic *diagnostic);
void timing_scratch_release(struct cuda_timing *timing);

/* Gives the trusted variables, or those of the judged contender, their values back; false stops the
 * timing. */
bool timing_put_back(struct cuda_timing *timing, bool is_judged);

/* Fills `to` with what the launch of a place finds in an input (with its absolute values). False
 * stops the timing. */
bool timing_fill_input(struct cuda_timing *timing, struct timing_place place, uint32_t operand,
                       CUdeviceptr to, bool is_absolute);

/* True if an operand of a contender lies in a constant. */
bool timing_is_constant(const struct cuda_timing *timing, uint64_t address);

/* Runs one launch of a contender on the data of a place (with its absolute values); writes what it
 * took. False stops the timing. */
bool timing_launch(struct cuda_timing *timing, uint32_t contender, struct timing_place place,
                   bool is_absolute, double *out_ns);

/* Fills the outputs of all contenders with a pattern: as floats of either size it is a NaN. */
bool timing_poison(struct cuda_timing *timing, uint32_t pattern);

/* The first launch of a contender, as device.h describes one. */
struct device_launch timing_device_launch(const struct timing_contender *contender);

/* True if each kernel of a contender was timed before. */
bool timing_is_warm(const struct cuda_timing *timing, const struct timing_contender *contender);

/* Compares the output of the judged contender for the data of a place with the reference, and its
 * inputs with what they were; leaves no data on the GPU. Fills wrong, first_wrong and changed of
 * *sample. False stops the timing. */
bool timing_compare(struct cuda_timing *timing, struct timing_place place,
                    struct timing_sample *sample);

/* Notes that a call of ours was refused, unless `result` is CUDA_SUCCESS; true if the timing goes
 * on. */
bool timing_goes_on(struct cuda_timing *timing, CUresult result);

#endif
