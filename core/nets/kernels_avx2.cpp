// The kernels for processors with AVX2.
#define TABLIER_KERNELS avx2
#define TABLIER_KERNELS_NAME "avx2"
#include "kernels.inc"
