/* thread_scope.h: which threads see what one does with a barrier, a pipeline or an atomic
 * object. */
#ifndef GPUGRADE_CUDA_HEADERS_THREAD_SCOPE_H
#define GPUGRADE_CUDA_HEADERS_THREAD_SCOPE_H

namespace cuda
{
enum thread_scope {
    thread_scope_system,
    thread_scope_device,
    thread_scope_block,
    thread_scope_thread,
};
} // namespace cuda

#endif
