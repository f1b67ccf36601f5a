/* An example: prints the results of all functions at zero arguments. */

#include "NAME_mechanics.h"
#include <stdio.h>

static void show(const char *title, int n, const double *values)
{
    int i;
    printf("%s =", title);
    for (i = 0; i < n; i++) printf(" %.10g", values[i]);
    printf("\n");
}

int main(void)
{
BLOCKS
    return 0;
}
