/* Memory is written before it is read in every way there is: by a kernel, cudaMemset, copies, a
 * variable, the host through managed and pinned memory, malloc in the kernel. Padding is read by wide loads
 * of rows and structures, and only updated where it was written. */
#include "../kernel_program.h"

#define WIDTH 30
#define HEIGHT 4

struct padded {
    char first;
    int second;
};

__device__ int variable[WIDTH];
__device__ struct padded structures[WIDTH], others[WIDTH];

__global__ void write(int *out, struct padded *pairs)
{
    const int tx = threadIdx.x;
    if (tx < WIDTH) {
        out[tx] = tx * 3;
        pairs[tx].first = (char)tx;
        pairs[tx].second = 5 * tx;
    }
}

__global__ void read(const int *written, const char *rows, size_t pitch, const struct padded *pairs,
                     struct padded *copies, const int *managed, const int *pinned, int *out)
{
    const int tx = threadIdx.x;
    int sum = managed[tx] + pinned[tx];
    if (tx < WIDTH) {
        sum += written[tx] + variable[tx];
        copies[tx] = pairs[tx];
        sum += copies[tx].first + copies[tx].second;
    }
    const int4 *wide = (const int4 *)(rows + tx % HEIGHT * pitch);
    for (int i = 0; i * 4 < WIDTH; i++) {
        const int4 four = wide[i];
        sum += four.x + four.y + (i * 4 + 2 < WIDTH ? four.z + four.w : 0);
    }
    int *own = (int *)malloc(sizeof(int));
    *own = sum;
    out[tx] = *own;
    free(own);
}

int main()
{
    const size_t row_bytes = WIDTH * sizeof(int);
    int *written, *managed, *pinned, *out = new_output<int>(32);
    struct padded *pairs, *copies;
    char *rows;
    size_t pitch;
    int host[HEIGHT][WIDTH];
    CHECK(cudaMalloc(&written, row_bytes));
    CHECK(cudaMalloc(&pairs, WIDTH * sizeof *pairs));
    CHECK(cudaMalloc(&copies, WIDTH * sizeof *copies));
    CHECK(cudaMallocPitch(&rows, &pitch, row_bytes, HEIGHT));
    CHECK(cudaMallocManaged(&managed, 32 * sizeof *managed));
    CHECK(cudaMallocHost(&pinned, 32 * sizeof *pinned));
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        host[i / WIDTH][i % WIDTH] = i;
    }
    for (int i = 0; i < 32; i++) {
        managed[i] = 0;
        pinned[i] = i;
    }
    CHECK(cudaMemcpy2D(rows, pitch, host, row_bytes, row_bytes, HEIGHT, cudaMemcpyHostToDevice));
    write<<<1, 32>>>(written, pairs);
    read<<<1, 32>>>(written, rows, pitch, pairs, copies, managed, pinned, out);
    print_result("written_global", out, 32);
    return 0;
}
