/* Lets co-simulation stop at events, for importers that enter event mode there. Included by fmi3.c only. */

#ifndef CUTSET_STEP_EVENTS_H
#define CUTSET_STEP_EVENTS_H

/* Enters event mode in co-simulation: the crossings are those that the integrator has found, if it stopped at an event. */
static void interrupt_steps(struct fmu *f)
{
    struct cutset_program *p = &f->s.program;
    if (!f->s.is_before_event) {
        memset(p->events.crossed, 0, CUTSET_CROSSINGS * sizeof(double));
        memset(p->data.watch.crossed, 0, CUTSET_CROSSINGS * sizeof(double));
    }
    f->s.is_before_event = 0;
    f->s.mode = AT_EVENT;
    forget_values(f);
}

static void resume_steps(struct fmu *f)
{
    f->s.mode = STEPPING;
    f->s.program.data.m = f->s.program.events.now.m;
    memset(f->s.ticked, 0, sizeof f->s.ticked);
    forget_values(f);
}

/* Goes on to `until` or just before an event, then f->s.is_before_event is true: as advance. */
static int advance_to_event(struct fmu *f, double until)
{
    struct cutset_events *e = &f->s.program.events;
    int status;
    if (!check_parameters(f)) return CUTSET_BAD_PARAMETER;
    if (e->ended) return CUTSET_ENDED;
    e->stops_at_events = STOPS_AT_EVENTS;
    status = advance_once(f, until);
    f->s.is_before_event = e->stops_at_events == IS_AT_EVENT;
    e->stops_at_events = 0;
    return status;
}

/* Settles an event at which the importer does not enter event mode: as advance. */
static int pass_event(struct fmu *f)
{
    int status, has_new_states;
    interrupt_steps(f);
    status = update_discrete(f, &has_new_states);
    resume_steps(f);
    return status;
}

#endif
