// reduction without the barrier inside the loop
#include <stdio.h>
#define N 256
__global__ void reduce(const int *in, int *out)
{
    __shared__ int s[N];
    unsigned int tid = threadIdx.x;
    s[tid] = in[tid];
    __syncthreads();
    for (unsigned int k = blockDim.x / 2; k > 0; k >>= 1) {
        if (tid < k) s[tid] += s[tid + k];
    }
    if (tid == 0) out[0] = s[0];
}
int main()
{
    int h[N], *a, *b;
    for (int i = 0; i < N; i++) h[i] = 1;
    cudaMalloc(&a, sizeof(h)); cudaMalloc(&b, 4);
    cudaMemcpy(a, h, sizeof(h), cudaMemcpyHostToDevice);
    reduce<<<1, N>>>(a, b);
    cudaDeviceSynchronize();
    puts("done");
    cudaFree(a); cudaFree(b);
    return 0;
}
/* exit status 1, findings: shared_race
done
*/
