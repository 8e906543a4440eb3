// The kernels for processors with AVX-512 BW and VNNI.
#define TABLIER_KERNELS avx512
#define TABLIER_KERNELS_NAME "avx512"
#include "kernels.inc"
