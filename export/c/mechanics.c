/* What all functions share: why one has no value, and settings that stay as they are. */

#include "cutset_support.h"

CUTSET_SHARED int cutset_fault, cutset_careful, cutset_lost, cutset_beyond;
CUTSET_SHARED unsigned long cutset_open;
CUTSET_SHARED void (*cutset_external)(int k, const double *a, double *r);
