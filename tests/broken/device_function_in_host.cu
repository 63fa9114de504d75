__device__ float square(float x)
{
    return x * x;
}

int main()
{
    return (int)square(3.0f);
}
