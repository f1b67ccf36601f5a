/* Runs NAME and prints its variables as comma-separated values:

       NAME [stop] [interval] [fixed step] [name=value ...]

   Without stop and interval the run has those of the model. With a fixed step, it integrates in equal steps. */

#include "NAME.h"

#include <stdio.h>
#include <stdlib.h>

static struct cutset_program model;

/* Sets name=value; 0 if that is not possible. */
static int set_by_name(char *setting)
{
    char *equals = strchr(setting, '=');
    if (!equals) return 0;
    *equals = '\0';
    return cutset_set(&model, cutset_find(setting), strtod(equals + 1, 0)) == CUTSET_OK;
}

static void print_names(void)
{
    long k;
    printf("time");
    for (k = 0; k < CUTSET_NAMES; k++) printf(",\"%s\"", cutset_variable_table[k].name);
    printf("\n");
}

static void print_values(void)
{
    long k;
    printf("%.17g", model.events.now.t);
    for (k = 0; k < CUTSET_NAMES; k++) printf(",%.17g", cutset_get(&model, k));
    printf("\n");
}

int main(int count, char **arguments)
{
    double numbers[3] = {CUTSET_STOP, CUTSET_INTERVAL, 0.0};
    const double start = CUTSET_START;
    long row, given = 0;
    int k, status;
    cutset_defaults(&model);
    for (k = 1; k < count; k++) {
        if (strchr(arguments[k], '=')) {
            if (!set_by_name(arguments[k])) {
                fprintf(stderr, "'%s' cannot be set\n", arguments[k]);
                return 2;
            }
        } else if (given < 3) {
            numbers[given++] = strtod(arguments[k], 0);
        }
    }
    if (numbers[2] > 0.0) {
        model.method = CUTSET_FIXED_STEPS;
        model.step = numbers[2];
    }
    status = cutset_begin(&model, start);
    print_names();
    if (status == CUTSET_OK || status == CUTSET_ENDED) print_values();
    for (row = 1; status == CUTSET_OK && (double)row * numbers[1] <= (numbers[0] - start) * (1.0 + 1e-12); row++) {
        status = cutset_continue(&model, start + (double)row * numbers[1]);
        if (status == CUTSET_OK || status == CUTSET_ENDED) print_values();
    }
    if (status == CUTSET_OK || status == CUTSET_ENDED) {
        status = cutset_finish(&model);
        if (model.events.now.acted) print_values();
    }
    if (status != CUTSET_OK) {
        char words[1000];
        cutset_words(&model, cutset_message(&model, status), words, sizeof words);
        fprintf(stderr, "%s at %.9g s\n", words, model.events.now.t);
    }
    return status == CUTSET_OK || status == CUTSET_ENDED ? 0 : 1;
}
