__global__ void scale(float *a, int n)
{
    int i = threadIdx.x;
    if (i < n)
        a[i] = 2.0f * a[i];
    }
}

int main()
{
    scale<<<1, 32>>>(nullptr, 0);
}
