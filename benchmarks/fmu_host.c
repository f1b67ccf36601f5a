/* Steps an FMU for co-simulation (FMI 3.0) and prints the least CPU time of a run in s, and the last value of a variable:

       fmu_host LIBRARY TOKEN stop tolerance steps runs reference ...

   The variables with these references are read after each step. */

#define _GNU_SOURCE

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef void log_message(void *host, int status, const char *category, const char *message);
typedef void *instantiate(const char *name, const char *token, const char *resources, bool visible, bool logs, bool events,
                          bool early, const uint32_t *intermediate, size_t count, void *host, log_message *log, void *update);
typedef int enter(void *c, bool has_tolerance, double tolerance, double start, bool has_stop, double stop);
typedef int leave(void *c);
typedef int do_step(void *c, double t, double h, bool no_return, bool *event, bool *ends, bool *early, double *reached);
typedef int get(void *c, const uint32_t *references, size_t count, double *values, size_t n_values);
typedef void release(void *c);

enum { MOST = 500 };

static void print_message(void *host, int status, const char *category, const char *message)
{
    (void)host, (void)status;
    fprintf(stderr, "%s: %s\n", category, message);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int count, char **arguments)
{
    void *library = count > 6 ? dlopen(arguments[1], RTLD_NOW) : 0;
    double stop, tolerance, least = 1e9, values[MOST] = {0.0};
    uint32_t references[MOST];
    size_t n = 0;
    do_step *step;
    get *read;
    long steps, runs, k;
    if (!library) return 2;
    step = (do_step *)dlsym(library, "fmi3DoStep"), read = (get *)dlsym(library, "fmi3GetFloat64");
    stop = atof(arguments[3]), tolerance = atof(arguments[4]), steps = atol(arguments[5]), runs = atol(arguments[6]);
    for (; n < MOST && (int)n + 7 < count; n++) references[n] = (uint32_t)atol(arguments[n + 7]);
    for (; runs > 0; runs--) {
        double begun = seconds(), reached;
        bool event, ends, early;
        instantiate *open = (instantiate *)dlsym(library, "fmi3InstantiateCoSimulation");
        void *c = open("one", arguments[2], "", false, false, false, false, 0, 0, 0, print_message, 0);
        if (!c || ((enter *)dlsym(library, "fmi3EnterInitializationMode"))(c, true, tolerance, 0.0, true, stop)) return 3;
        if (((leave *)dlsym(library, "fmi3ExitInitializationMode"))(c)) return 3;
        for (k = 0; k < steps; k++) {
            double t = stop * (double)k / (double)steps, h = stop * (double)(k + 1) / (double)steps - t;
            if (step(c, t, h, true, &event, &ends, &early, &reached)) return 4;
            if (n && read(c, references, n, values, n)) return 5;
        }
        ((release *)dlsym(library, "fmi3FreeInstance"))(c);
        if (seconds() - begun < least) least = seconds() - begun;
    }
    printf("%.9g %.17g\n", least, values[0]);
    return 0;
}
