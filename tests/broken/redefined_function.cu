__device__ float square(float x)
{
    return x * x;
}

__device__ float square(float y)
{
    return y * y;
}
