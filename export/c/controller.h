/* TITLE: a sampled controller, made by Cutset. Numbers are KIND. */

#ifndef NAME_H
#define NAME_H

#include <stdint.h>

/* Time between samples and time of the first one, in s. */
#define NAME_INTERVAL INTERVAL
#define NAME_FIRST FIRST

NUMBERS
/* What is kept from sample to sample. */
struct NAME {
    TYPE m[HELD + MEMORY];
    uint32_t count;
};

/* Begin before the first sample. */
void NAME_start(struct NAME *s);

/* Compute a sample: the inputs now -> the outputs until the next sample. It returns 1, or 0 if the discrete variables do not
   settle in 100 passes. */
int NAME_sample(struct NAME *s, const TYPE given[GIVEN], TYPE result[RESULTS]);

#endif
