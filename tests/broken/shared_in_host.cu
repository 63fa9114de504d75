int main()
{
    __shared__ float tile[256];
    tile[0] = 1.0f;
    return 0;
}
