/* server_clock.c: the device's time, for the program's events.
 *
 * The emulated device cannot know how long a real one would take, and the time that the emulation
 * takes says nothing. So its clock is an estimate from exact counts, the same in each run: 2 us a
 * launch, 128 lane-instructions a multiprocessor and clock tick (the lanes of its four schedulers),
 * and 1 us and 16 bytes a ns (a host link) for each copy. With a real GPU a launch takes what it
 * took, from the host's side. It is for the program's own printouts; no verdict uses it.
 */
#include "device/server_state.h"

enum { LAUNCH_NS = 2000, COPY_NS = 1000, LANES_PER_TICK = 128, LINK_BYTES_PER_NS = 16 };

void server_clock_launch(struct server *server, uint64_t lane_instructions, uint64_t taken_ns)
{
    const struct gpu_model *model = &server->config.model;
    double ticks = (double)lane_instructions / LANES_PER_TICK /
                   (model->multiprocessors > 0 ? model->multiprocessors : 1);
    double ticks_per_ns = model->clock_khz > 0 ? model->clock_khz / 1e6 : 1;

    server->clock_ns += server->is_gpu ? (double)taken_ns : LAUNCH_NS + ticks / ticks_per_ns;
}

void server_clock_copy(struct server *server, uint64_t bytes)
{
    server->clock_ns += COPY_NS + (double)bytes / LINK_BYTES_PER_NS;
}
