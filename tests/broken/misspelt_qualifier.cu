__globall__ void scale(float *a)
{
    a[threadIdx.x] *= 2.0f;
}

int main()
{
    scale<<<1, 32>>>(nullptr);
}
