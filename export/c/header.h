/* NAME: a model translated by Cutset, as a program in C that needs no other library than that of C.

   An instance is a `struct cutset_program`, which the caller owns; no function allocates memory, opens a file or prints.
   Instances are independent: each thread may run its own. Only the sources of one model may include this header; several
   models can be parts of one program, since all external names start with the name of the model.

       static struct cutset_program model;
       NAME_defaults(&model);                 the values of the model
       NAME_set(&model, number, value);       parameters, start values of states, inputs
       status = NAME_begin(&model, 0.0);      solves the equations at the start
       status = NAME_continue(&model, 0.1);   integrates to 0.1 s, with all events on the way
       x = NAME_get(&model, number);          any variable by its number

   A number is one of the constants below or the result of NAME_find("motor.w"). All values are in the units of the model,
   times in seconds. */

#ifndef NAME_H
#define NAME_H

#include "program.h"

NUMBERS
/* Sets everything to the values of the model; must be called first. Afterwards these members may be changed, before or
   after the start:

   method  CUTSET_AUTO (the default): Dormand-Prince of order 5(4), or ESDIRK of order 4(3) while the model is stiff;
           CUTSET_EXPLICIT, CUTSET_IMPLICIT: one of them alone; CUTSET_FIXED_STEPS: Runge-Kutta of order 4 in equal steps,
           each with the same number of operations between events, for real time
   rtol    relative tolerance of a step (that of the model, or 1e-6)
   atol    absolute tolerance of a step, times the nominal value of each state (that of the model, or 1e-8)
   step    the longest of the fixed steps, in s (1e-3)

   Delayed signals are stored, one polynomial for each step and signal; there is room for CUTSET_STRETCHES steps within the
   longest delay (4096, or what the compiler is told, as in -DCUTSET_STRETCHES=20000). */
void NAME_defaults(struct cutset_program *p);

/* Sets a parameter or the start value of a state, before the start; or an input, at any time: it keeps its value until it is
   set again. CUTSET_BAD_ARGUMENT for another variable, or a value that is not finite. */
int NAME_set(struct cutset_program *p, long variable, double value);

/* The value of a variable, NAN if it has none: before the start only parameters, inputs and states have values. */
double NAME_get(struct cutset_program *p, long variable);

/* The number of a variable by its full name; -1 if there is none. */
long NAME_find(const char *name);

/* Starts at time t: CUTSET_OK, CUTSET_ENDED, or why there is no start. An instance may be started again. */
int NAME_begin(struct cutset_program *p, double t);

/* Goes on to time `until`: CUTSET_OK; CUTSET_ENDED if the model has ended the run before; or why the run cannot go on: then
   the instance is as it was after the latest event or call, and p->events.now.t is its time. */
int NAME_continue(struct cutset_program *p, double until);

/* Does what the model does at the end of a run, `when terminal()`: as NAME_continue, but the instance cannot go on. A model
   without such statements needs no call. */
int NAME_finish(struct cutset_program *p);

/* What a status means; for an assertion, its text. */
const char *NAME_message(const struct cutset_program *p, int status);

/* Writes such a text with the values of the variables that it names in braces, as in `level = {tank.h} m`, and at most size - 1
   characters. */
void NAME_words(struct cutset_program *p, const char *text, char *to, size_t size);

/* Lets an instance that was copied from another one use its own memory. A copy keeps the whole state of a run; copied back,
   it restores it. */
void NAME_connect(struct cutset_program *p);

#endif
