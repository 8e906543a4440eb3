// The kernels for every processor that the rest of the project runs on.
#define TABLIER_KERNELS baseline
#define TABLIER_KERNELS_NAME "baseline"
#include "kernels.inc"
