#include "cuda_runtime.h"
#include "device_launch_parameters.h"
#include "device_functions.h"
#include <cuda_runtime_api.h>
#include <cuda.h>
#include <cuda_profiler_api.h>
#include <cuda_device_runtime_api.h>
#include <driver_types.h>
#include <vector_types.h>
#include <vector_functions.h>
#include <vector_functions.hpp>
#include <channel_descriptor.h>
#include <device_atomic_functions.h>
#include <device_double_functions.h>
#include <device_types.h>
#include <host_defines.h>
#include <builtin_types.h>
#include <math_constants.h>
#include <math_functions.h>
#include <sm_20_intrinsics.h>
#include <sm_30_intrinsics.h>
#include <sm_35_intrinsics.h>
#include <sm_60_atomic_functions.h>
#include <surface_types.h>
#include <texture_types.h>
#include <texture_indirect_functions.h>
#include <library_types.h>
#include <cuda_fp16.h>
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
#include <nvtx3/nvToolsExt.h>
__global__ void hello(void) { printf("Hello from block %d\n", blockIdx.x); }
int main(void) { cudaProfilerStart(); hello<<<1, 1>>>(); cudaDeviceSynchronize(); cudaProfilerStop(); return 0; }

/* exit status 0, findings: none
Hello from block 0
*/
