/* The model behind the interface FMI 2.0, for model exchange and co-simulation. */

#include "instance.h"

#include "fmi2.h"

#include "exchange_events.h"

#include "stepping.h"

#include "slopes.h"

#define API(type, name) FMI2_EXPORT type FMI2(name)

static void write_log(struct fmu *f, int is_error, const char *text)
{
    const fmi2CallbackFunctions *callbacks = f->host;
    if (!callbacks || !callbacks->logger || (!is_error && !f->logs)) return;
    callbacks->logger(callbacks->componentEnvironment, f->name, is_error ? fmi2Error : fmi2OK,
                      is_error ? "logStatusError" : "logEvents", "%s", text);
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
        if (!(condition)) return fmi2Error; \
    } while (0)

/* ---- instances ---- */

API(const char *, fmi2GetTypesPlatform)(void) { return "default"; }
API(const char *, fmi2GetVersion)(void) { return "2.0"; }

API(fmi2Status, fmi2SetDebugLogging)(fmi2Component c, fmi2Boolean on, size_t count, const fmi2String categories[])
{
    struct fmu *f = c;
    (void)count, (void)categories;
    REQUIRE(f);
    f->logs = on != 0;
    return fmi2OK;
}

API(fmi2Component, fmi2Instantiate)(fmi2String name, fmi2Type type, fmi2String token, fmi2String resources,
                                    const fmi2CallbackFunctions *callbacks, fmi2Boolean visible, fmi2Boolean logs)
{
    struct fmu *f = new_instance(name, token, write_log, 0, (void *)(size_t)callbacks, logs != 0);
    (void)resources, (void)visible;
    if (f) f->steps_itself = type == fmi2CoSimulation;
    return f;
}

API(void, fmi2FreeInstance)(fmi2Component c) { free(c); }

API(fmi2Status, fmi2SetupExperiment)(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real start_time,
                                     fmi2Boolean has_stop, fmi2Real stop_time)
{
    struct fmu *f = c;
    REQUIRE(is_in(f, IN(INSTANTIATED), "fmi2SetupExperiment"));
    REQUIRE(set_up(f, start_time, has_stop ? stop_time : INFINITY, has_tolerance ? tolerance : 0.0));
    return fmi2OK;
}

API(fmi2Status, fmi2EnterInitializationMode)(fmi2Component c)
{
    struct fmu *f = c;
    REQUIRE(is_in(f, IN(INSTANTIATED), "fmi2EnterInitializationMode"));
    f->s.mode = INITIALIZING;
    return fmi2OK;
}

API(fmi2Status, fmi2ExitInitializationMode)(fmi2Component c)
{
    struct fmu *f = c;
    REQUIRE(is_in(f, IN(INITIALIZING), "fmi2ExitInitializationMode") && start(f));
    f->s.mode = f->steps_itself ? STEPPING : AT_EVENT;
    return fmi2OK;
}

API(fmi2Status, fmi2Terminate)(fmi2Component c)
{
    struct fmu *f = c;
    REQUIRE(is_in(f, RUNNING, "fmi2Terminate"));
    f->s.mode = TERMINATED;
    return fmi2OK;
}

API(fmi2Status, fmi2Reset)(fmi2Component c)
{
    struct fmu *f = c;
    REQUIRE(f);
    reset(f);
    return fmi2OK;
}

/* ---- values ---- */

/* *value := the value of a variable of this type. */
static int get(struct fmu *f, fmi2ValueReference reference, const char *types, double *value)
{
    char type = type_of(reference);
    if (type && strchr(types, type) && read_value(f, reference, value)) return 1;
    report_number(f, "no such variable of this type, or it has no value now", (long)reference);
    return 0;
}

static int put(struct fmu *f, fmi2ValueReference reference, const char *types, double value)
{
    char type = type_of(reference);
    if (type && strchr(types, type)) return write_value(f, reference, value);
    report_number(f, "no such variable of this type", (long)reference);
    return 0;
}

API(fmi2Status, fmi2GetReal)(fmi2Component c, const fmi2ValueReference references[], size_t count, fmi2Real values[])
{
    size_t k;
    REQUIRE(is_in(c, ANY, "fmi2GetReal"));
    for (k = 0; k < count; k++) REQUIRE(get(c, references[k], "r", values + k));
    return fmi2OK;
}

API(fmi2Status, fmi2GetInteger)(fmi2Component c, const fmi2ValueReference references[], size_t count, fmi2Integer values[])
{
    size_t k;
    double value;
    REQUIRE(is_in(c, ANY, "fmi2GetInteger"));
    for (k = 0; k < count; k++) {
        REQUIRE(get(c, references[k], "ie", &value));
        values[k] = (fmi2Integer)value;
    }
    return fmi2OK;
}

API(fmi2Status, fmi2GetBoolean)(fmi2Component c, const fmi2ValueReference references[], size_t count, fmi2Boolean values[])
{
    size_t k;
    double value;
    REQUIRE(is_in(c, ANY, "fmi2GetBoolean"));
    for (k = 0; k < count; k++) {
        REQUIRE(get(c, references[k], "b", &value));
        values[k] = value != 0.0;
    }
    return fmi2OK;
}

API(fmi2Status, fmi2GetString)(fmi2Component c, const fmi2ValueReference references[], size_t count, fmi2String values[])
{
    (void)references, (void)values;
    REQUIRE(is_in(c, ANY, "fmi2GetString"));
    return count ? fmi2Error : fmi2OK;
}

API(fmi2Status, fmi2SetReal)(fmi2Component c, const fmi2ValueReference references[], size_t count, const fmi2Real values[])
{
    size_t k;
    REQUIRE(is_in(c, ANY, "fmi2SetReal"));
    for (k = 0; k < count; k++) REQUIRE(put(c, references[k], "r", values[k]));
    return fmi2OK;
}

API(fmi2Status, fmi2SetInteger)(fmi2Component c, const fmi2ValueReference references[], size_t count,
                                const fmi2Integer values[])
{
    size_t k;
    REQUIRE(is_in(c, ANY, "fmi2SetInteger"));
    for (k = 0; k < count; k++) REQUIRE(put(c, references[k], "ie", (double)values[k]));
    return fmi2OK;
}

API(fmi2Status, fmi2SetBoolean)(fmi2Component c, const fmi2ValueReference references[], size_t count,
                                const fmi2Boolean values[])
{
    size_t k;
    REQUIRE(is_in(c, ANY, "fmi2SetBoolean"));
    for (k = 0; k < count; k++) REQUIRE(put(c, references[k], "b", values[k] ? 1.0 : 0.0));
    return fmi2OK;
}

API(fmi2Status, fmi2SetString)(fmi2Component c, const fmi2ValueReference references[], size_t count, const fmi2String values[])
{
    (void)references, (void)values;
    REQUIRE(is_in(c, ANY, "fmi2SetString"));
    return count ? fmi2Error : fmi2OK;
}

API(fmi2Status, fmi2GetDirectionalDerivative)(fmi2Component c, const fmi2ValueReference unknowns[], size_t n_unknowns,
                                              const fmi2ValueReference knowns[], size_t n_knowns, const fmi2Real seed[],
                                              fmi2Real result[])
{
    struct fmu_direction direction = {unknowns, knowns, n_unknowns, n_knowns, seed, result};
    REQUIRE(is_in(c, RUNNING | IN(INITIALIZING), "fmi2GetDirectionalDerivative") && find_slope(c, &direction));
    return fmi2OK;
}

/* ---- saved states ---- */

API(fmi2Status, fmi2GetFMUstate)(fmi2Component c, fmi2FMUstate *state)
{
    struct fmu *f = c;
    REQUIRE(f && (*state || (*state = malloc(sizeof f->s))));
    memcpy(*state, &f->s, sizeof f->s);
    return fmi2OK;
}

API(fmi2Status, fmi2SetFMUstate)(fmi2Component c, fmi2FMUstate state)
{
    REQUIRE(c && state);
    restore_state(c, state);
    return fmi2OK;
}

API(fmi2Status, fmi2FreeFMUstate)(fmi2Component c, fmi2FMUstate *state)
{
    (void)c;
    if (!state) return fmi2OK;
    free(*state);
    *state = 0;
    return fmi2OK;
}

API(fmi2Status, fmi2SerializedFMUstateSize)(fmi2Component c, fmi2FMUstate state, size_t *size)
{
    REQUIRE(c && state);
    *size = FMU_HEADER + sizeof(struct fmu_state);
    return fmi2OK;
}

API(fmi2Status, fmi2SerializeFMUstate)(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size)
{
    REQUIRE(c && state && size >= FMU_HEADER + sizeof(struct fmu_state));
    write_bytes(state, bytes);
    return fmi2OK;
}

API(fmi2Status, fmi2DeSerializeFMUstate)(fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state)
{
    REQUIRE(c);
    free(*state);
    if (!(*state = read_bytes(bytes, size))) {
        report(c, "these bytes are not a saved state of this model and this binary");
        return fmi2Error;
    }
    return fmi2OK;
}

/* ---- model exchange ---- */

API(fmi2Status, fmi2EnterEventMode)(fmi2Component c)
{
    REQUIRE(is_in(c, EXCHANGES, "fmi2EnterEventMode"));
    enter_event_mode(c);
    return fmi2OK;
}

API(fmi2Status, fmi2NewDiscreteStates)(fmi2Component c, fmi2EventInfo *event)
{
    struct fmu *f = c;
    int status, has_new_states;
    REQUIRE(is_in(f, IN(AT_EVENT), "fmi2NewDiscreteStates"));
    status = update_discrete(f, &has_new_states);
    if (status != CUTSET_OK && status != CUTSET_ENDED) {
        report_status(f, status);
        return fmi2Error;
    }
    event->newDiscreteStatesNeeded = 0, event->terminateSimulation = status == CUTSET_ENDED;
    event->nominalsOfContinuousStatesChanged = 0, event->valuesOfContinuousStatesChanged = has_new_states;
    event->nextEventTimeDefined = isfinite(f->s.next_event), event->nextEventTime = f->s.next_event;
    return fmi2OK;
}

API(fmi2Status, fmi2EnterContinuousTimeMode)(fmi2Component c)
{
    REQUIRE(is_in(c, IN(AT_EVENT), "fmi2EnterContinuousTimeMode"));
    enter_continuous_mode(c);
    return fmi2OK;
}

API(fmi2Status, fmi2CompletedIntegratorStep)(fmi2Component c, fmi2Boolean no_return, fmi2Boolean *event, fmi2Boolean *ends)
{
    int is_end;
    (void)no_return;
    REQUIRE(is_in(c, IN(BETWEEN_EVENTS), "fmi2CompletedIntegratorStep") && complete_step(c, &is_end));
    *event = 0, *ends = is_end;
    return fmi2OK;
}

API(fmi2Status, fmi2SetTime)(fmi2Component c, fmi2Real time)
{
    REQUIRE(is_in(c, EXCHANGES, "fmi2SetTime") && isfinite(time));
    set_time(c, time);
    return fmi2OK;
}

API(fmi2Status, fmi2SetContinuousStates)(fmi2Component c, const fmi2Real x[], size_t count)
{
    REQUIRE(is_in(c, IN(BETWEEN_EVENTS), "fmi2SetContinuousStates") && count == CUTSET_STATES);
    set_states(c, x);
    return fmi2OK;
}

API(fmi2Status, fmi2GetDerivatives)(fmi2Component c, fmi2Real rates[], size_t count)
{
    struct fmu *f = c;
    REQUIRE(is_in(f, RUNNING, "fmi2GetDerivatives") && count == CUTSET_STATES);
    if (!find_rates(f)) return fmi2Discard; /* the importer tries a shorter step */
    memcpy(rates, f->s.rates, CUTSET_STATES * sizeof(double));
    return fmi2OK;
}

API(fmi2Status, fmi2GetEventIndicators)(fmi2Component c, fmi2Real values[], size_t count)
{
    REQUIRE(is_in(c, RUNNING, "fmi2GetEventIndicators") && count == FMU_INDICATORS);
    find_indicators(c, values);
    return fmi2OK;
}

API(fmi2Status, fmi2GetContinuousStates)(fmi2Component c, fmi2Real x[], size_t count)
{
    struct fmu *f = c;
    REQUIRE(is_in(f, RUNNING, "fmi2GetContinuousStates") && count == CUTSET_STATES);
    memcpy(x, f->s.program.events.now.x, CUTSET_STATES * sizeof(double));
    return fmi2OK;
}

API(fmi2Status, fmi2GetNominalsOfContinuousStates)(fmi2Component c, fmi2Real nominals[], size_t count)
{
    struct fmu *f = c;
    REQUIRE(is_in(f, ANY, "fmi2GetNominalsOfContinuousStates") && count == CUTSET_STATES);
    cutset_nominals(f->s.program.c, nominals);
    return fmi2OK;
}

/* ---- co-simulation ---- */

API(fmi2Status, fmi2DoStep)(fmi2Component c, fmi2Real time, fmi2Real step, fmi2Boolean no_return)
{
    struct fmu *f = c;
    int status;
    (void)no_return;
    REQUIRE(is_in(f, IN(STEPPING), "fmi2DoStep") && is_step_valid(f, time, step));
    status = advance(f, time + step, step);
    if (status == CUTSET_OK) return fmi2OK;
    if (status == CUTSET_ENDED) return fmi2Discard;
    report_status(f, status);
    return fmi2Error;
}

API(fmi2Status, fmi2CancelStep)(fmi2Component c)
{
    (void)c;
    return fmi2Error; /* no step is ever pending */
}

API(fmi2Status, fmi2SetRealInputDerivatives)(fmi2Component c, const fmi2ValueReference references[], size_t count,
                                             const fmi2Integer orders[], const fmi2Real values[])
{
    (void)references, (void)orders, (void)values;
    REQUIRE(c);
    return count ? fmi2Error : fmi2OK;
}

API(fmi2Status, fmi2GetRealOutputDerivatives)(fmi2Component c, const fmi2ValueReference references[], size_t count,
                                              const fmi2Integer orders[], fmi2Real values[])
{
    (void)references, (void)orders, (void)values;
    REQUIRE(c);
    return count ? fmi2Error : fmi2OK;
}

API(fmi2Status, fmi2GetStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Status *value)
{
    (void)c, (void)kind, (void)value;
    return fmi2Discard;
}

API(fmi2Status, fmi2GetRealStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Real *value)
{
    struct fmu *f = c;
    if (!f || kind != fmi2LastSuccessfulTime) return fmi2Discard;
    *value = f->s.program.events.now.t;
    return fmi2OK;
}

API(fmi2Status, fmi2GetIntegerStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Integer *value)
{
    (void)c, (void)kind, (void)value;
    return fmi2Discard;
}

API(fmi2Status, fmi2GetBooleanStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value)
{
    struct fmu *f = c;
    if (!f || kind != fmi2Terminated) return fmi2Discard;
    *value = f->s.program.events.ended != 0;
    return fmi2OK;
}

API(fmi2Status, fmi2GetStringStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2String *value)
{
    (void)c, (void)kind, (void)value;
    return fmi2Discard;
}
