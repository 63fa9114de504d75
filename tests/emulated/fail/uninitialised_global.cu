/* Memory that nothing has written: half of an input that was never copied, a sum that was never
 * cleared, a counter, and a copy of such memory on the device. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void add(const int *in, int *sums)
{
    const int tx = threadIdx.x;
    sums[tx] += // error: N02 read
        in[tx]; // error: N02 read
}

__global__ void count(unsigned *total)
{
    atomicAdd(total, 1u); // error: N02 atomic
}

__global__ void last(const short *in, const int *copied, int *out)
{
    if (threadIdx.x == 0) {
        out[0] = in[3]; // error: N02 read
        out[1] = copied[4];
        out[2] = copied[THREADS - 1]; // error: N02 read
    }
}

int main()
{
    const int values[THREADS] = {1, 2, 3};
    int *in, *sums, *copied;
    unsigned *total;
    short *three;
    int *out = new_output<int>(4);
    CHECK(cudaMalloc(&in, sizeof values)); // error: N02 allocated
    CHECK(cudaMalloc(&copied, sizeof values)); // error: N02 allocated
    CHECK(cudaMalloc(&sums, sizeof values)); // error: N02 allocated
    CHECK(cudaMalloc(&total, sizeof *total)); // error: N02 allocated
    CHECK(cudaMalloc(&three, 4 * sizeof *three)); // error: N02 allocated
    CHECK(cudaMemcpy(in, values, sizeof values / 2, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(three, values, 3 * sizeof *three, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(copied, 0, sizeof values));
    CHECK(cudaMemcpy(copied, in, sizeof values, cudaMemcpyDeviceToDevice));
    add<<<1, THREADS>>>(in, sums);
    count<<<1, 32>>>(total);
    last<<<1, 32>>>(three, copied, out);
    print_result("uninitialised_global", out, 1);
    return 0;
}
