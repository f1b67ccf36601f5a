/* The model behind the interface FMI 3.0, for model exchange and co-simulation. */

#include "instance.h"

#include "fmi3.h"

#include "exchange_events.h"

#include "stepping.h"

#include "step_events.h"

#include "slopes.h"

#include "clocks.h"

#define FMI(name) FMI_JOIN(fmi3, name)
#define EXPORT(type, name) FMI3_EXPORT type FMI3(FMI(name))
#define N_VALUES , size_t n_values
#define FITS (n_values == count)
#define STATE(before, after) before##FMUState##after
#define DESERIALIZE DeserializeFMUState
#define DERIVATIVES GetContinuousStateDerivatives

static void write_log(struct fmu *f, int is_error, const char *text)
{
    if (f->log_message && (is_error || f->logs))
        ((fmi3LogMessageCallback)f->log_message)(f->host, is_error ? fmi3Error : fmi3OK, is_error ? "logStatusError" : "logEvents", text);
}

#include "interface.h"

/* ---- instances ---- */

EXPORT(const char *, GetVersion)(void) { return "3.0"; }

EXPORT(fmi3Instance, InstantiateModelExchange)(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                               fmi3Boolean logs, fmi3InstanceEnvironment host, fmi3LogMessageCallback log)
{
    return new_instance(name, token, write_log, (fmu_callback)log, host, logs);
}

EXPORT(fmi3Instance, InstantiateCoSimulation)(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                              fmi3Boolean logs, fmi3Boolean uses_event_mode,
                                              fmi3Boolean early_return_allowed, const fmi3ValueReference intermediate[],
                                              size_t n_intermediate, fmi3InstanceEnvironment host,
                                              fmi3LogMessageCallback log,
                                              fmi3IntermediateUpdateCallback intermediate_update)
{
    struct fmu *f = new_instance(name, token, write_log, (fmu_callback)log, host, logs);
    if (!f) return 0;
    f->steps_itself = 1, f->uses_events = uses_event_mode;
    f->update = (fmu_callback)intermediate_update, f->can_return_early = early_return_allowed;
    return f;
}

EXPORT(fmi3Instance, InstantiateScheduledExecution)(fmi3String name, fmi3String token, fmi3String resources,
                                                    fmi3Boolean visible, fmi3Boolean logs, fmi3InstanceEnvironment host,
                                                    fmi3LogMessageCallback log, fmi3ClockUpdateCallback clock_update,
                                                    fmi3LockPreemptionCallback lock, fmi3UnlockPreemptionCallback unlock)
{
    return 0; /* the model description does not offer it */
}

API(EnterInitializationMode)(fmi3Instance c, fmi3Boolean has_tolerance, fmi3Float64 tolerance, fmi3Float64 start_time,
                             fmi3Boolean has_stop, fmi3Float64 stop_time)
{
    struct fmu *f = c;
    REQUIRE_IN(IN(INSTANTIATED), EnterInitializationMode);
    REQUIRE(set_up(f, start_time, has_stop ? stop_time : INFINITY, has_tolerance ? tolerance : 0.0));
    f->s.mode = INITIALIZING;
    return fmi3OK;
}

API(ExitInitializationMode)(fmi3Instance c)
{
    struct fmu *f = c;
    REQUIRE_IN(IN(INITIALIZING), ExitInitializationMode);
    REQUIRE(start(f));
    f->s.mode = f->steps_itself && !f->uses_events ? STEPPING : AT_EVENT;
    return fmi3OK;
}

API(EnterEventMode)(fmi3Instance c)
{
    struct fmu *f = c;
    REQUIRE_IN(f && f->uses_events ? IN(AT_EVENT) | IN(STEPPING) : EXCHANGES, EnterEventMode);
    if (f->uses_events) interrupt_steps(f);
    else enter_event_mode(f);
    return fmi3OK;
}

API(EnterConfigurationMode)(fmi3Instance c)
{
    return fmi3Error; /* there are no structural parameters */
}

API(ExitConfigurationMode)(fmi3Instance c)
{
    return fmi3Error;
}

/* ---- values ---- */

GETTER_AND_SETTER(Float64, "r", NUMBER)
GETTER_AND_SETTER(Int32, "i", NUMBER)
GETTER_AND_SETTER(Int64, "e", NUMBER)
GETTER_AND_SETTER(Boolean, "b", TRUTH)
GETTER(Clock, "c", TRUTH, , 1)
NO_VARIABLES(Float32)
NO_VARIABLES(Int8)
NO_VARIABLES(UInt8)
NO_VARIABLES(Int16)
NO_VARIABLES(UInt16)
NO_VARIABLES(UInt32)
NO_VARIABLES(UInt64)
NO_VARIABLES(String)

FOR_NO_VARIABLES(GetBinary, size_t sizes[], fmi3Binary values[], size_t n_values)
FOR_NO_VARIABLES(SetBinary, const size_t sizes[], const fmi3Binary values[], size_t n_values)

API(SetClock)(fmi3Instance c, const fmi3ValueReference references[], size_t count, const fmi3Clock values[])
{
    size_t k;
    REQUIRE_IN(IN(AT_EVENT), SetClock);
    for (k = 0; k < count; k++) REQUIRE(set_clock(c, references[k], values[k]));
    return fmi3OK;
}

API(GetDirectionalDerivative)(fmi3Instance c, const fmi3ValueReference unknowns[], size_t n_unknowns,
                              const fmi3ValueReference knowns[], size_t n_knowns, const fmi3Float64 seed[], size_t n_seed,
                              fmi3Float64 result[], size_t n_result)
{
    struct fmu_direction direction = {unknowns, knowns, n_unknowns, n_knowns, seed, result};
    REQUIRE_IN(RUNNING | IN(INITIALIZING), GetDirectionalDerivative);
    REQUIRE(n_seed == n_knowns);
    REQUIRE(n_result == n_unknowns && find_slope(c, &direction));
    return fmi3OK;
}

NOT_OFFERED(GetAdjointDerivative, const fmi3ValueReference unknowns[], size_t n_unknowns, const fmi3ValueReference
            knowns[], size_t n_knowns, const fmi3Float64 seed[], size_t n_seed, fmi3Float64 result[], size_t n_result)
/* Those in the model description do not change. */
NOT_OFFERED(GetNumberOfVariableDependencies, fmi3ValueReference reference, size_t *count)
NOT_OFFERED(GetVariableDependencies, fmi3ValueReference reference, size_t elements[], fmi3ValueReference independents[],
            size_t independent_elements[], fmi3DependencyKind kinds[], size_t count)

/* ---- clocks: without input clocks the model triggers all of them, so that they have no interval that is known ---- */

API(GetIntervalDecimal)(fmi3Instance c, const fmi3ValueReference references[], size_t count, fmi3Float64 intervals[],
                        fmi3IntervalQualifier qualifiers[])
{
    size_t k;
    double shift;
    REQUIRE_IN(RUNNING | IN(INITIALIZING), GetIntervalDecimal);
    for (k = 0; k < count; k++) {
        REQUIRE(find_interval(c, references[k], &intervals[k], &shift));
        qualifiers[k] = fmi3IntervalChanged;
    }
    return fmi3OK;
}

FOR_NO_VARIABLES(GetIntervalFraction, fmi3UInt64 counters[], fmi3UInt64 resolutions[], fmi3IntervalQualifier qualifiers[])

API(GetShiftDecimal)(fmi3Instance c, const fmi3ValueReference references[], size_t count, fmi3Float64 shifts[])
{
    size_t k;
    double interval;
    REQUIRE_IN(RUNNING | IN(INITIALIZING), GetShiftDecimal);
    for (k = 0; k < count; k++) REQUIRE(find_interval(c, references[k], &interval, &shifts[k]));
    return fmi3OK;
}

FOR_NO_VARIABLES(GetShiftFraction, fmi3UInt64 counters[], fmi3UInt64 resolutions[])
FOR_NO_VARIABLES(SetIntervalDecimal, const fmi3Float64 intervals[])
FOR_NO_VARIABLES(SetIntervalFraction, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
FOR_NO_VARIABLES(SetShiftDecimal, const fmi3Float64 shifts[])
FOR_NO_VARIABLES(SetShiftFraction, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])

API(EvaluateDiscreteStates)(fmi3Instance c)
{
    REQUIRE_IN(IN(AT_EVENT) | IN(INITIALIZING), EvaluateDiscreteStates);
    return fmi3OK;
}

API(UpdateDiscreteStates)(fmi3Instance c, fmi3Boolean *again, fmi3Boolean *ends, fmi3Boolean *nominals_changed,
                          fmi3Boolean *states_changed, fmi3Boolean *has_next, fmi3Float64 *next)
{
    struct fmu *f = c;
    int status, has_new_states;
    REQUIRE_IN(IN(AT_EVENT), UpdateDiscreteStates);
    status = update_discrete(f, &has_new_states);
    if (status != CUTSET_OK && status != CUTSET_ENDED) {
        report_status(f, status);
        return fmi3Error;
    }
    *again = *nominals_changed = false;
    *ends = status == CUTSET_ENDED, *states_changed = has_new_states != 0;
    *has_next = isfinite(f->s.next_event) != 0, *next = f->s.next_event;
    return fmi3OK;
}

/* ---- model exchange ---- */

API(GetNumberOfEventIndicators)(fmi3Instance c, size_t *count)
{
    REQUIRE(c);
    *count = FMU_INDICATORS;
    return fmi3OK;
}

API(GetNumberOfContinuousStates)(fmi3Instance c, size_t *count)
{
    REQUIRE(c);
    *count = CUTSET_STATES;
    return fmi3OK;
}

/* ---- co-simulation ---- */

API(EnterStepMode)(fmi3Instance c)
{
    struct fmu *f = c;
    REQUIRE_IN(IN(AT_EVENT), EnterStepMode);
    REQUIRE(f->uses_events);
    resume_steps(f);
    return fmi3OK;
}

FOR_NO_VARIABLES(GetOutputDerivatives, const fmi3Int32 orders[], fmi3Float64 values[], size_t n_values)

/* The next instant of a sample. */
static double next_instant(const struct fmu *f)
{
    const struct cutset_events *e = &f->s.program.events;
    double first = INFINITY;
    long i;
    for (i = 0; i < CUTSET_SAMPLES && !e->is_ticked; i++)
        first = cutset_min(first, next_sample(e, e->now.t, e->now.samples[2 * i], e->now.samples[2 * i + 1]));
    return first;
}

/* Lets the importer read and set variables at the instant reached; true if the step ends there at its request. */
static int ends_early(struct fmu *f, int finished)
{
    fmi3Boolean requested = false;
    fmi3Float64 time = f->s.program.events.now.t;
    if (f->update)
        ((fmi3IntermediateUpdateCallback)f->update)(f->host, time, false, true, finished != 0, f->can_return_early && !finished,
                                                    &requested, &time);
    return requested && f->can_return_early && !finished;
}

API(DoStep)(fmi3Instance c, fmi3Float64 time, fmi3Float64 step, fmi3Boolean no_return, fmi3Boolean *event,
            fmi3Boolean *ends, fmi3Boolean *early, fmi3Float64 *reached)
{
    struct fmu *f = c;
    double until = time + step;
    int status = CUTSET_OK, finished = 0;
    REQUIRE_IN(IN(STEPPING), DoStep);
    REQUIRE(is_step_valid(f, time, step));
    *event = *ends = *early = false;
    if (f->s.is_before_event) status = pass_event(f);
    while (status == CUTSET_OK && !finished && !*early) {
        double next = f->update ? cutset_min(next_instant(f), until) : until;
        if (f->uses_events) status = advance_to_event(f, next);
        else status = advance(f, next, next == time + step ? step : next - f->s.program.events.now.t);
        finished = next == until && !(f->s.is_before_event && f->s.program.events.now.t < until);
        if (status == CUTSET_OK && f->s.is_before_event && (finished || f->can_return_early)) {
            *event = true, *early = !finished;
            break;
        }
        if (status == CUTSET_OK && f->s.is_before_event) status = pass_event(f);
        if (status == CUTSET_OK) *early = ends_early(f, finished) != 0;
    }
    *reached = f->s.program.events.now.t;
    *ends = status == CUTSET_ENDED;
    if (status == CUTSET_OK || status == CUTSET_ENDED) return fmi3OK;
    report_status(f, status);
    return fmi3Error;
}

NOT_OFFERED(ActivateModelPartition, fmi3ValueReference clock, fmi3Float64 time)
