#define WIDTH 64
__global__ void transpose(const float *in, float *out)
{
    int x = threadIdx.x, y = threadIdx.y;
    out[x][y] = in[y][x];
}
