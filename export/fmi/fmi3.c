/* The model behind the interface FMI 3.0, for model exchange and co-simulation. */

#include "instance.h"

#include "fmi3.h"

#include "exchange_events.h"

#include "stepping.h"

#include "slopes.h"

#include "clocks.h"

#define API(name) FMI3_EXPORT fmi3Status FMI3(name)

static void write_log(struct fmu *f, int is_error, const char *text)
{
    if (f->log_message && (is_error || f->logs))
        ((fmi3LogMessageCallback)f->log_message)(f->host, is_error ? fmi3Error : fmi3OK, is_error ? "logStatusError" : "logEvents", text);
}

/* True if the instance is in one of these modes. */
static int is_in(struct fmu *f, int modes, const char *function)
{
    if (!f) return 0;
    if (modes >> f->s.mode & 1) return 1;
    snprintf(f->text, sizeof f->text, "%s cannot be called now", function);
    report(f, f->text);
    return 0;
}

#define IN(mode) (1 << (mode))
#define RUNNING (IN(AT_EVENT) | IN(BETWEEN_EVENTS) | IN(STEPPING))
#define EXCHANGES (IN(AT_EVENT) | IN(BETWEEN_EVENTS))
#define ANY (RUNNING | IN(INSTANTIATED) | IN(INITIALIZING) | IN(TERMINATED))
#define REQUIRE(condition) \
    do { \
        if (!(condition)) return fmi3Error; \
    } while (0)

/* ---- instances ---- */

FMI3_EXPORT const char *FMI3(fmi3GetVersion)(void) { return "3.0"; }

API(fmi3SetDebugLogging)(fmi3Instance c, fmi3Boolean on, size_t count, const fmi3String categories[])
{
    struct fmu *f = c;
    (void)count, (void)categories;
    REQUIRE(f);
    f->logs = on;
    return fmi3OK;
}

FMI3_EXPORT fmi3Instance FMI3(fmi3InstantiateModelExchange)(fmi3String name, fmi3String token, fmi3String resources,
                                                            fmi3Boolean visible, fmi3Boolean logs,
                                                            fmi3InstanceEnvironment host, fmi3LogMessageCallback log)
{
    (void)resources, (void)visible;
    return new_instance(name, token, write_log, (fmu_callback)log, host, logs);
}

FMI3_EXPORT fmi3Instance FMI3(fmi3InstantiateCoSimulation)(fmi3String name, fmi3String token, fmi3String resources,
                                                           fmi3Boolean visible, fmi3Boolean logs, fmi3Boolean uses_event_mode,
                                                           fmi3Boolean early_return_allowed,
                                                           const fmi3ValueReference intermediate[], size_t n_intermediate,
                                                           fmi3InstanceEnvironment host, fmi3LogMessageCallback log,
                                                           fmi3IntermediateUpdateCallback intermediate_update)
{
    struct fmu *f = new_instance(name, token, write_log, (fmu_callback)log, host, logs);
    (void)resources, (void)visible, (void)intermediate, (void)n_intermediate;
    if (!f) return 0;
    f->steps_itself = 1, f->uses_events = uses_event_mode, f->update = (fmu_callback)intermediate_update, f->can_return_early = early_return_allowed;
    return f;
}

FMI3_EXPORT fmi3Instance FMI3(fmi3InstantiateScheduledExecution)(fmi3String name, fmi3String token, fmi3String resources,
                                                                 fmi3Boolean visible, fmi3Boolean logs,
                                                                 fmi3InstanceEnvironment host, fmi3LogMessageCallback log,
                                                                 fmi3ClockUpdateCallback clock_update,
                                                                 fmi3LockPreemptionCallback lock,
                                                                 fmi3UnlockPreemptionCallback unlock)
{
    (void)name, (void)token, (void)resources, (void)visible, (void)logs, (void)host, (void)log, (void)clock_update;
    (void)lock, (void)unlock;
    return 0; /* the model description does not offer it */
}

FMI3_EXPORT void FMI3(fmi3FreeInstance)(fmi3Instance c) { free(c); }

API(fmi3EnterInitializationMode)(fmi3Instance c, fmi3Boolean has_tolerance, fmi3Float64 tolerance, fmi3Float64 start_time,
                                 fmi3Boolean has_stop, fmi3Float64 stop_time)
{
    struct fmu *f = c;
    REQUIRE(is_in(f, IN(INSTANTIATED), "fmi3EnterInitializationMode"));
    REQUIRE(set_up(f, start_time, has_stop ? stop_time : INFINITY, has_tolerance ? tolerance : 0.0));
    f->s.mode = INITIALIZING;
    return fmi3OK;
}

API(fmi3ExitInitializationMode)(fmi3Instance c)
{
    struct fmu *f = c;
    REQUIRE(is_in(f, IN(INITIALIZING), "fmi3ExitInitializationMode") && start(f));
    f->s.mode = f->steps_itself && !f->uses_events ? STEPPING : AT_EVENT;
    return fmi3OK;
}

API(fmi3EnterEventMode)(fmi3Instance c)
{
    struct fmu *f = c;
    REQUIRE(is_in(f, f && f->uses_events ? IN(AT_EVENT) | IN(STEPPING) : EXCHANGES, "fmi3EnterEventMode"));
    if (f->uses_events) interrupt_steps(f);
    else enter_event_mode(f);
    return fmi3OK;
}

API(fmi3Terminate)(fmi3Instance c)
{
    struct fmu *f = c;
    REQUIRE(is_in(f, RUNNING, "fmi3Terminate"));
    f->s.mode = TERMINATED;
    return fmi3OK;
}

API(fmi3Reset)(fmi3Instance c)
{
    struct fmu *f = c;
    REQUIRE(f);
    reset(f);
    return fmi3OK;
}

API(fmi3EnterConfigurationMode)(fmi3Instance c)
{
    (void)c;
    return fmi3Error; /* there are no structural parameters */
}

API(fmi3ExitConfigurationMode)(fmi3Instance c)
{
    (void)c;
    return fmi3Error;
}

/* ---- values ---- */

/* *value := the value of a variable of this type. */
static int get(struct fmu *f, fmi3ValueReference reference, const char *types, double *value)
{
    char type = type_of(reference);
    if (type && strchr(types, type) && read_value(f, reference, value)) return 1;
    report_number(f, "no such variable of this type, or it has no value now", (long)reference);
    return 0;
}

static int put(struct fmu *f, fmi3ValueReference reference, const char *types, double value)
{
    char type = type_of(reference);
    if (type && strchr(types, type)) return write_value(f, reference, value);
    report_number(f, "no such variable of this type", (long)reference);
    return 0;
}

API(fmi3GetFloat64)(fmi3Instance c, const fmi3ValueReference references[], size_t count, fmi3Float64 values[], size_t n_values)
{
    size_t k;
    double value;
    REQUIRE(is_in(c, ANY, "fmi3GetFloat64") && n_values == count);
    for (k = 0; k < count; k++) {
        REQUIRE(get(c, references[k], "r", &value));
        values[k] = value;
    }
    return fmi3OK;
}

API(fmi3GetInt32)(fmi3Instance c, const fmi3ValueReference references[], size_t count, fmi3Int32 values[], size_t n_values)
{
    size_t k;
    double value;
    REQUIRE(is_in(c, ANY, "fmi3GetInt32") && n_values == count);
    for (k = 0; k < count; k++) {
        REQUIRE(get(c, references[k], "i", &value));
        values[k] = (fmi3Int32)value;
    }
    return fmi3OK;
}

API(fmi3GetInt64)(fmi3Instance c, const fmi3ValueReference references[], size_t count, fmi3Int64 values[], size_t n_values)
{
    size_t k;
    double value;
    REQUIRE(is_in(c, ANY, "fmi3GetInt64") && n_values == count);
    for (k = 0; k < count; k++) {
        REQUIRE(get(c, references[k], "e", &value));
        values[k] = (fmi3Int64)value;
    }
    return fmi3OK;
}

API(fmi3GetBoolean)(fmi3Instance c, const fmi3ValueReference references[], size_t count, fmi3Boolean values[], size_t n_values)
{
    size_t k;
    double value;
    REQUIRE(is_in(c, ANY, "fmi3GetBoolean") && n_values == count);
    for (k = 0; k < count; k++) {
        REQUIRE(get(c, references[k], "b", &value));
        values[k] = value != 0.0;
    }
    return fmi3OK;
}

API(fmi3GetClock)(fmi3Instance c, const fmi3ValueReference references[], size_t count, fmi3Clock values[])
{
    size_t k;
    double value;
    REQUIRE(is_in(c, ANY, "fmi3GetClock"));
    for (k = 0; k < count; k++) {
        REQUIRE(get(c, references[k], "c", &value));
        values[k] = value != 0.0;
    }
    return fmi3OK;
}

API(fmi3SetFloat64)(fmi3Instance c, const fmi3ValueReference references[], size_t count, const fmi3Float64 values[],
            size_t n_values)
{
    size_t k;
    REQUIRE(is_in(c, ANY, "fmi3SetFloat64") && n_values == count);
    for (k = 0; k < count; k++) REQUIRE(put(c, references[k], "r", (double)values[k]));
    return fmi3OK;
}

API(fmi3SetInt32)(fmi3Instance c, const fmi3ValueReference references[], size_t count, const fmi3Int32 values[],
            size_t n_values)
{
    size_t k;
    REQUIRE(is_in(c, ANY, "fmi3SetInt32") && n_values == count);
    for (k = 0; k < count; k++) REQUIRE(put(c, references[k], "i", (double)values[k]));
    return fmi3OK;
}

API(fmi3SetInt64)(fmi3Instance c, const fmi3ValueReference references[], size_t count, const fmi3Int64 values[],
            size_t n_values)
{
    size_t k;
    REQUIRE(is_in(c, ANY, "fmi3SetInt64") && n_values == count);
    for (k = 0; k < count; k++) REQUIRE(put(c, references[k], "e", (double)values[k]));
    return fmi3OK;
}

API(fmi3SetBoolean)(fmi3Instance c, const fmi3ValueReference references[], size_t count, const fmi3Boolean values[],
            size_t n_values)
{
    size_t k;
    REQUIRE(is_in(c, ANY, "fmi3SetBoolean") && n_values == count);
    for (k = 0; k < count; k++) REQUIRE(put(c, references[k], "b", (double)values[k]));
    return fmi3OK;
}

/* The model has no variables of these types. */
#define NO_VARIABLES(kind, type) \
    API(fmi3Get##kind)(fmi3Instance c, const fmi3ValueReference references[], size_t count, type values[], size_t n_values) \
    { \
        (void)references, (void)values, (void)n_values; \
        return c && !count ? fmi3OK : fmi3Error; \
    } \
    API(fmi3Set##kind)(fmi3Instance c, const fmi3ValueReference references[], size_t count, const type values[], size_t n_values) \
    { \
        (void)references, (void)values, (void)n_values; \
        return c && !count ? fmi3OK : fmi3Error; \
    }

NO_VARIABLES(Float32, fmi3Float32)
NO_VARIABLES(Int8, fmi3Int8)
NO_VARIABLES(UInt8, fmi3UInt8)
NO_VARIABLES(Int16, fmi3Int16)
NO_VARIABLES(UInt16, fmi3UInt16)
NO_VARIABLES(UInt32, fmi3UInt32)
NO_VARIABLES(UInt64, fmi3UInt64)
NO_VARIABLES(String, fmi3String)

API(fmi3GetBinary)(fmi3Instance c, const fmi3ValueReference references[], size_t count, size_t sizes[], fmi3Binary values[],
                   size_t n_values)
{
    (void)references, (void)sizes, (void)values, (void)n_values;
    return c && !count ? fmi3OK : fmi3Error;
}

API(fmi3SetBinary)(fmi3Instance c, const fmi3ValueReference references[], size_t count, const size_t sizes[],
                   const fmi3Binary values[], size_t n_values)
{
    (void)references, (void)sizes, (void)values, (void)n_values;
    return c && !count ? fmi3OK : fmi3Error;
}

API(fmi3SetClock)(fmi3Instance c, const fmi3ValueReference references[], size_t count, const fmi3Clock values[])
{
    size_t k;
    REQUIRE(is_in(c, IN(AT_EVENT), "fmi3SetClock"));
    for (k = 0; k < count; k++) REQUIRE(set_clock(c, references[k], values[k]));
    return fmi3OK;
}

API(fmi3GetDirectionalDerivative)(fmi3Instance c, const fmi3ValueReference unknowns[], size_t n_unknowns,
                                  const fmi3ValueReference knowns[], size_t n_knowns, const fmi3Float64 seed[], size_t n_seed,
                                  fmi3Float64 result[], size_t n_result)
{
    struct fmu_direction direction = {unknowns, knowns, n_unknowns, n_knowns, seed, result};
    REQUIRE(is_in(c, RUNNING | IN(INITIALIZING), "fmi3GetDirectionalDerivative") && n_seed == n_knowns);
    REQUIRE(n_result == n_unknowns && find_slope(c, &direction));
    return fmi3OK;
}

API(fmi3GetAdjointDerivative)(fmi3Instance c, const fmi3ValueReference unknowns[], size_t n_unknowns,
                              const fmi3ValueReference knowns[], size_t n_knowns, const fmi3Float64 seed[], size_t n_seed,
                              fmi3Float64 result[], size_t n_result)
{
    (void)c, (void)unknowns, (void)n_unknowns, (void)knowns, (void)n_knowns, (void)seed, (void)n_seed, (void)result;
    (void)n_result;
    return fmi3Error; /* the model description does not offer them */
}

API(fmi3GetNumberOfVariableDependencies)(fmi3Instance c, fmi3ValueReference reference, size_t *count)
{
    (void)c, (void)reference, (void)count;
    return fmi3Error; /* those in the model description do not change */
}

API(fmi3GetVariableDependencies)(fmi3Instance c, fmi3ValueReference reference, size_t elements[],
                                 fmi3ValueReference independents[], size_t independent_elements[], fmi3DependencyKind kinds[],
                                 size_t count)
{
    (void)c, (void)reference, (void)elements, (void)independents, (void)independent_elements, (void)kinds, (void)count;
    return fmi3Error;
}

/* ---- saved states ---- */

API(fmi3GetFMUState)(fmi3Instance c, fmi3FMUState *state)
{
    struct fmu *f = c;
    REQUIRE(f && (*state || (*state = malloc(sizeof f->s))));
    memcpy(*state, &f->s, sizeof f->s);
    return fmi3OK;
}

API(fmi3SetFMUState)(fmi3Instance c, fmi3FMUState state)
{
    REQUIRE(c && state);
    restore_state(c, state);
    return fmi3OK;
}

API(fmi3FreeFMUState)(fmi3Instance c, fmi3FMUState *state)
{
    (void)c;
    if (!state) return fmi3OK;
    free(*state);
    *state = 0;
    return fmi3OK;
}

API(fmi3SerializedFMUStateSize)(fmi3Instance c, fmi3FMUState state, size_t *size)
{
    REQUIRE(c && state);
    *size = FMU_HEADER + sizeof(struct fmu_state);
    return fmi3OK;
}

API(fmi3SerializeFMUState)(fmi3Instance c, fmi3FMUState state, fmi3Byte bytes[], size_t size)
{
    REQUIRE(c && state && size >= FMU_HEADER + sizeof(struct fmu_state));
    write_bytes(state, (char *)bytes);
    return fmi3OK;
}

API(fmi3DeserializeFMUState)(fmi3Instance c, const fmi3Byte bytes[], size_t size, fmi3FMUState *state)
{
    REQUIRE(c);
    free(*state);
    if (!(*state = read_bytes((const char *)bytes, size))) {
        report(c, "these bytes are not a saved state of this model and this binary");
        return fmi3Error;
    }
    return fmi3OK;
}

/* ---- clocks: without input clocks the model triggers all of them, so that they have no interval that is known ---- */

API(fmi3GetIntervalDecimal)(fmi3Instance c, const fmi3ValueReference references[], size_t count, fmi3Float64 intervals[], fmi3IntervalQualifier qualifiers[])
{
    size_t k;
    double shift;
    REQUIRE(is_in(c, RUNNING | IN(INITIALIZING), "fmi3GetIntervalDecimal"));
    for (k = 0; k < count; k++) {
        REQUIRE(find_interval(c, references[k], &intervals[k], &shift));
        qualifiers[k] = fmi3IntervalChanged;
    }
    return fmi3OK;
}

API(fmi3GetIntervalFraction)(fmi3Instance c, const fmi3ValueReference references[], size_t count, fmi3UInt64 counters[], fmi3UInt64 resolutions[], fmi3IntervalQualifier qualifiers[])
{
    (void)references, (void)counters, (void)resolutions, (void)qualifiers;
    return c && !count ? fmi3OK : fmi3Error;
}

API(fmi3GetShiftDecimal)(fmi3Instance c, const fmi3ValueReference references[], size_t count, fmi3Float64 shifts[])
{
    size_t k;
    double interval;
    REQUIRE(is_in(c, RUNNING | IN(INITIALIZING), "fmi3GetShiftDecimal"));
    for (k = 0; k < count; k++) REQUIRE(find_interval(c, references[k], &interval, &shifts[k]));
    return fmi3OK;
}

API(fmi3GetShiftFraction)(fmi3Instance c, const fmi3ValueReference references[], size_t count, fmi3UInt64 counters[], fmi3UInt64 resolutions[])
{
    (void)references, (void)counters, (void)resolutions;
    return c && !count ? fmi3OK : fmi3Error;
}

API(fmi3SetIntervalDecimal)(fmi3Instance c, const fmi3ValueReference references[], size_t count, const fmi3Float64 intervals[])
{
    (void)references, (void)intervals;
    return c && !count ? fmi3OK : fmi3Error;
}

API(fmi3SetIntervalFraction)(fmi3Instance c, const fmi3ValueReference references[], size_t count, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
{
    (void)references, (void)counters, (void)resolutions;
    return c && !count ? fmi3OK : fmi3Error;
}

API(fmi3SetShiftDecimal)(fmi3Instance c, const fmi3ValueReference references[], size_t count, const fmi3Float64 shifts[])
{
    (void)references, (void)shifts;
    return c && !count ? fmi3OK : fmi3Error;
}

API(fmi3SetShiftFraction)(fmi3Instance c, const fmi3ValueReference references[], size_t count, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
{
    (void)references, (void)counters, (void)resolutions;
    return c && !count ? fmi3OK : fmi3Error;
}

API(fmi3EvaluateDiscreteStates)(fmi3Instance c)
{
    REQUIRE(is_in(c, IN(AT_EVENT) | IN(INITIALIZING), "fmi3EvaluateDiscreteStates"));
    return fmi3OK;
}

API(fmi3UpdateDiscreteStates)(fmi3Instance c, fmi3Boolean *again, fmi3Boolean *ends, fmi3Boolean *nominals_changed,
                              fmi3Boolean *states_changed, fmi3Boolean *has_next, fmi3Float64 *next)
{
    struct fmu *f = c;
    int status, has_new_states;
    REQUIRE(is_in(f, IN(AT_EVENT), "fmi3UpdateDiscreteStates"));
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

API(fmi3EnterContinuousTimeMode)(fmi3Instance c)
{
    REQUIRE(is_in(c, IN(AT_EVENT), "fmi3EnterContinuousTimeMode"));
    enter_continuous_mode(c);
    return fmi3OK;
}

API(fmi3CompletedIntegratorStep)(fmi3Instance c, fmi3Boolean no_return, fmi3Boolean *event, fmi3Boolean *ends)
{
    int is_end;
    (void)no_return;
    REQUIRE(is_in(c, IN(BETWEEN_EVENTS), "fmi3CompletedIntegratorStep") && complete_step(c, &is_end));
    *event = false, *ends = is_end != 0;
    return fmi3OK;
}

API(fmi3SetTime)(fmi3Instance c, fmi3Float64 time)
{
    REQUIRE(is_in(c, EXCHANGES, "fmi3SetTime") && isfinite(time));
    set_time(c, time);
    return fmi3OK;
}

API(fmi3SetContinuousStates)(fmi3Instance c, const fmi3Float64 x[], size_t count)
{
    REQUIRE(is_in(c, IN(BETWEEN_EVENTS), "fmi3SetContinuousStates") && count == CUTSET_STATES);
    set_states(c, x);
    return fmi3OK;
}

API(fmi3GetContinuousStateDerivatives)(fmi3Instance c, fmi3Float64 rates[], size_t count)
{
    struct fmu *f = c;
    REQUIRE(is_in(f, RUNNING | IN(INITIALIZING), "fmi3GetContinuousStateDerivatives") && count == CUTSET_STATES && start(f));
    if (!find_rates(f)) return fmi3Discard; /* the importer tries a shorter step */
    memcpy(rates, f->s.rates, CUTSET_STATES * sizeof(double));
    return fmi3OK;
}

API(fmi3GetEventIndicators)(fmi3Instance c, fmi3Float64 values[], size_t count)
{
    REQUIRE(is_in(c, RUNNING | IN(INITIALIZING), "fmi3GetEventIndicators") && count == FMU_INDICATORS && start(c));
    find_indicators(c, values);
    return fmi3OK;
}

API(fmi3GetContinuousStates)(fmi3Instance c, fmi3Float64 x[], size_t count)
{
    struct fmu *f = c;
    REQUIRE(is_in(f, RUNNING | IN(INITIALIZING), "fmi3GetContinuousStates") && count == CUTSET_STATES && start(f));
    memcpy(x, f->s.program.events.now.x, CUTSET_STATES * sizeof(double));
    return fmi3OK;
}

API(fmi3GetNominalsOfContinuousStates)(fmi3Instance c, fmi3Float64 nominals[], size_t count)
{
    struct fmu *f = c;
    REQUIRE(is_in(f, ANY, "fmi3GetNominalsOfContinuousStates") && count == CUTSET_STATES);
    cutset_nominals(f->s.program.c, nominals);
    return fmi3OK;
}

API(fmi3GetNumberOfEventIndicators)(fmi3Instance c, size_t *count)
{
    REQUIRE(c);
    *count = FMU_INDICATORS;
    return fmi3OK;
}

API(fmi3GetNumberOfContinuousStates)(fmi3Instance c, size_t *count)
{
    REQUIRE(c);
    *count = CUTSET_STATES;
    return fmi3OK;
}

/* ---- co-simulation ---- */

API(fmi3EnterStepMode)(fmi3Instance c)
{
    struct fmu *f = c;
    REQUIRE(is_in(f, IN(AT_EVENT), "fmi3EnterStepMode") && f->uses_events);
    resume_steps(f);
    return fmi3OK;
}

API(fmi3GetOutputDerivatives)(fmi3Instance c, const fmi3ValueReference references[], size_t count, const fmi3Int32 orders[],
                              fmi3Float64 values[], size_t n_values)
{
    (void)references, (void)orders, (void)values, (void)n_values;
    return c && !count ? fmi3OK : fmi3Error;
}

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

API(fmi3DoStep)(fmi3Instance c, fmi3Float64 time, fmi3Float64 step, fmi3Boolean no_return, fmi3Boolean *event, fmi3Boolean *ends,
                fmi3Boolean *early, fmi3Float64 *reached)
{
    struct fmu *f = c;
    double until = time + step;
    int status = CUTSET_OK, finished = 0;
    (void)no_return;
    REQUIRE(is_in(f, IN(STEPPING), "fmi3DoStep") && is_step_valid(f, time, step));
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

API(fmi3ActivateModelPartition)(fmi3Instance c, fmi3ValueReference clock, fmi3Float64 time)
{
    (void)c, (void)clock, (void)time;
    return fmi3Error; /* the model description does not offer scheduled execution */
}
