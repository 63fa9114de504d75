#include <iostream>
constexpr unsigned kWidth = 50, kHeight = 20;
constexpr dim3 block2d(8, 8);

__global__ void fill(int *out, unsigned w, unsigned h)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) out[y * w + x] = x * y;
}
template <typename T, int N> __global__ void scale(T *out) { if (threadIdx.x < N) out[threadIdx.x] *= N; }

int main()
{
    int *d; int h[kWidth * kHeight];
    cudaMalloc(&d, sizeof(h));
    fill<<<{(kWidth + 7) / 8, (kHeight + 7) / 8}, {8, 8}>>>(d, kWidth, kHeight);
    scale<int, 16><<<1, {32}>>>(d + 16);
    fill<<<dim3{1, 1}, block2d>>>(d, 4, 4);
    fill<<< {1, 1, 1}, {4, 2, 1}, 0, 0 >>>(d, 2, 2);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    long sum = 0;
    for (int v : h) sum += v;
    std::cout << sum << ' ' << h[16] << ' ' << h[60] << std::endl;
    cudaFree(d);
}

/* exit status 0, findings: none
232787 0 10
*/
