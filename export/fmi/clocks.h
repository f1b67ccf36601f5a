/* Clocks that the importer ticks: the samples of the model, if it was exported with input clocks. Included by fmi3.c only. */

#ifndef CUTSET_CLOCKS_H
#define CUTSET_CLOCKS_H

/* The number of the sample that a clock is, or -1. */
static long sample_of(unsigned long reference)
{
    return type_of(reference) == 'c' ? (long)(reference - FMU_CLOCKS) : -1;
}

/* Activates a clock, or not, until the discrete states are updated. */
static int set_clock(struct fmu *f, unsigned long reference, int is_active)
{
    long i = sample_of(reference);
    if (i < 0 || !takes_clocks(f)) {
        report_number(f, i < 0 ? "no such clock" : "the model activates this clock itself", (long)reference);
        return 0;
    }
    f->s.active[i] = is_active;
    return 1;
}

/* The time between ticks of a clock, and that from the start to its first tick. */
static int find_interval(struct fmu *f, unsigned long reference, double *interval, double *shift)
{
    const struct cutset_moment *now = &f->s.program.events.now;
    long i = sample_of(reference);
    if (i < 0 || !FMU_INPUT_CLOCKS || !start(f)) {
        report_number(f, "no such input clock", (long)reference);
        return 0;
    }
    *interval = now->samples[2 * i + 1];
    *shift = now->samples[2 * i] - f->s.start;
    if (*shift < 0.0) *shift += ceil(-*shift / *interval) * *interval;
    return 1;
}

#endif
