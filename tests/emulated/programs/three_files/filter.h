// filter.h: what the three files of this program share.
void fill(float *values, int count);
void smooth(const float *in, float *out, int count);
