struct Particle {
    float x, y, z;
}

__global__ void move(Particle *p, float dt)
{
    p[threadIdx.x].x += dt;
}
