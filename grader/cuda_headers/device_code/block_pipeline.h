/* block_pipeline.h: the pipelines of <cuda/pipeline>. */
#ifndef GPUGRADE_CUDA_HEADERS_BLOCK_PIPELINE_H
#define GPUGRADE_CUDA_HEADERS_BLOCK_PIPELINE_H

#include <device_code/block_barrier.h>

#define GPUGRADE_PIPELINE __device__ __inline__ GPUGRADE_INLINE

namespace cuda
{
enum class pipeline_role { producer, consumer };

/* What the threads of a pipeline share: of each stage, who has filled and who has emptied it. */
template <thread_scope Scope> struct gpugrade_stage {
    barrier<Scope> filled, emptied;
};
template <thread_scope Scope, unsigned char Stages> struct pipeline_shared_state {
    gpugrade_stage<Scope> gpugrade_stages[Stages];

    pipeline_shared_state() = default;
    pipeline_shared_state(const pipeline_shared_state &) = delete;
};

/* Goes round the stages. The parity of a barrier's round changes each time. */
template <thread_scope Scope> class pipeline
{
    gpugrade_stage<Scope> *stages;
    unsigned count, head, tail;
    bool head_parity, tail_parity;

    GPUGRADE_PIPELINE void advance(unsigned &stage, bool &parity) const
    {
        stage = stage + 1 == count ? 0 : stage + 1;
        parity = stage == 0 ? !parity : parity;
    }

  public:
    GPUGRADE_PIPELINE pipeline(gpugrade_stage<Scope> *shared, unsigned stage_count)
        : stages(shared), count(stage_count), head(0), tail(0), head_parity(true),
          tail_parity(false)
    {
    }
    pipeline(pipeline &&) = default;
    pipeline(const pipeline &) = delete;

    /* A stage that no round has filled yet is empty. */
    GPUGRADE_PIPELINE void producer_acquire()
    {
        stages[head].emptied.wait_parity(head_parity);
    }
    GPUGRADE_PIPELINE void producer_commit()
    {
        gpugrade_count_copies(stages[head].filled);
        (void)stages[head].filled.arrive();
        advance(head, head_parity);
    }
    GPUGRADE_PIPELINE void consumer_wait()
    {
        stages[tail].filled.wait_parity(tail_parity);
    }
    GPUGRADE_PIPELINE void consumer_release()
    {
        (void)stages[tail].emptied.arrive();
        advance(tail, tail_parity);
    }
    GPUGRADE_PIPELINE bool quit()
    {
        return true;
    }
};

/* Of one thread: the batches that it has started and has not waited for. */
template <> class pipeline<thread_scope_thread>
{
    unsigned started, awaited;

  public:
    GPUGRADE_PIPELINE pipeline() : started(0), awaited(0)
    {
    }
    pipeline(pipeline &&) = default;
    pipeline(const pipeline &) = delete;

    GPUGRADE_PIPELINE void producer_acquire()
    {
    }
    GPUGRADE_PIPELINE void producer_commit()
    {
        __pipeline_commit();
        started++;
    }
    GPUGRADE_PIPELINE void consumer_wait()
    {
        if (started != awaited) {
            awaited++;
            __pipeline_wait_prior(started - awaited);
        }
    }
    GPUGRADE_PIPELINE void consumer_release()
    {
    }
    GPUGRADE_PIPELINE bool quit()
    {
        return true;
    }
    template <unsigned char Prior>
    friend GPUGRADE_PIPELINE void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &pipe)
    {
        __pipeline_wait_prior(Prior);
        pipe.awaited = pipe.started - Prior;
    }
};
template <unsigned char Prior>
GPUGRADE_PIPELINE void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &pipe);

/* Makes a pipeline: of the calling thread; of a group's threads, all of which copy and use; or
 * some of which copy, the first ones or those of that role, and the others use. */
GPUGRADE_PIPELINE pipeline<thread_scope_thread> make_pipeline()
{
    return pipeline<thread_scope_thread>();
}
template <class Group, thread_scope Scope, unsigned char Stages>
GPUGRADE_PIPELINE pipeline<Scope>
gpugrade_make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *shared,
                       size_t producers, size_t consumers)
{
    if (group.thread_rank() == 0) {
        for (unsigned i = 0; i < Stages; i++) {
            init(&shared->gpugrade_stages[i].filled, (long long)producers);
            init(&shared->gpugrade_stages[i].emptied, (long long)consumers);
        }
    }
    group.sync();
    return pipeline<Scope>(shared->gpugrade_stages, Stages);
}
template <class Group, thread_scope Scope, unsigned char Stages>
GPUGRADE_PIPELINE pipeline<Scope> make_pipeline(const Group &group,
                                                pipeline_shared_state<Scope, Stages> *shared)
{
    return gpugrade_make_pipeline(group, shared, group.num_threads(), group.num_threads());
}
template <class Group, thread_scope Scope, unsigned char Stages>
GPUGRADE_PIPELINE pipeline<Scope>
make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *shared, size_t producers)
{
    return gpugrade_make_pipeline(group, shared, producers, group.num_threads() - producers);
}
template <class Group, thread_scope Scope, unsigned char Stages>
GPUGRADE_PIPELINE pipeline<Scope>
make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *shared, pipeline_role role)
{
    __shared__ unsigned producers;
    if (group.thread_rank() == 0) {
        producers = 0;
    }
    group.sync();
    if (role == pipeline_role::producer) {
        atomicAdd(&producers, 1u);
    }
    group.sync();
    return gpugrade_make_pipeline(group, shared, producers, group.num_threads() - producers);
}

/* Copies of one thread, and of a group's threads together, as a part of the batch that is next. */
template <class T, thread_scope Scope>
GPUGRADE_PIPELINE void memcpy_async(T *to, const T *from, size_t bytes, pipeline<Scope> &)
{
    gpugrade_copy(to, from, bytes, 0, 1);
}
template <class Group, class T, thread_scope Scope>
GPUGRADE_PIPELINE void memcpy_async(const Group &group, T *to, const T *from, size_t bytes,
                                    pipeline<Scope> &)
{
    gpugrade_copy(to, from, bytes, group.thread_rank(), group.num_threads());
}
} // namespace cuda

#undef GPUGRADE_PIPELINE

#endif
