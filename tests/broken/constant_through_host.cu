__global__ void scale(float *a)
{
    a[threadIdx.x] *= factor[0];
}

__constant__ float factor[4];
