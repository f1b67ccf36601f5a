/* The model behind the interface FMI 2.0, for model exchange and co-simulation. */

#include "instance.h"

#include "fmi2.h"

#include "exchange_events.h"

#include "stepping.h"

#include "slopes.h"

#define FMI(name) FMI_JOIN(fmi2, name)
#define EXPORT(type, name) FMI2_EXPORT type FMI2(FMI(name))
#define N_VALUES
#define FITS 1
#define STATE(before, after) before##FMUstate##after
#define DESERIALIZE DeSerializeFMUstate
#define DERIVATIVES GetDerivatives

static void write_log(struct fmu *f, int is_error, const char *text)
{
    const fmi2CallbackFunctions *callbacks = f->host;
    if (!callbacks || !callbacks->logger || (!is_error && !f->logs)) return;
    callbacks->logger(callbacks->componentEnvironment, f->name, is_error ? fmi2Error : fmi2OK,
                      is_error ? "logStatusError" : "logEvents", "%s", text);
}

#include "interface.h"

/* ---- instances ---- */

EXPORT(const char *, GetTypesPlatform)(void) { return "default"; }
EXPORT(const char *, GetVersion)(void) { return "2.0"; }

EXPORT(fmi2Component, Instantiate)(fmi2String name, fmi2Type type, fmi2String token, fmi2String resources,
                                   const fmi2CallbackFunctions *callbacks, fmi2Boolean visible, fmi2Boolean logs)
{
    struct fmu *f = new_instance(name, token, write_log, 0, (void *)(size_t)callbacks, logs != 0);
    if (f) f->steps_itself = type == fmi2CoSimulation;
    return f;
}

API(SetupExperiment)(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real start_time,
                     fmi2Boolean has_stop, fmi2Real stop_time)
{
    struct fmu *f = c;
    REQUIRE_IN(IN(INSTANTIATED), SetupExperiment);
    REQUIRE(set_up(f, start_time, has_stop ? stop_time : INFINITY, has_tolerance ? tolerance : 0.0));
    return fmi2OK;
}

API(EnterInitializationMode)(fmi2Component c)
{
    struct fmu *f = c;
    REQUIRE_IN(IN(INSTANTIATED), EnterInitializationMode);
    f->s.mode = INITIALIZING;
    return fmi2OK;
}

API(ExitInitializationMode)(fmi2Component c)
{
    struct fmu *f = c;
    REQUIRE_IN(IN(INITIALIZING), ExitInitializationMode);
    REQUIRE(start(f));
    f->s.mode = f->steps_itself ? STEPPING : AT_EVENT;
    return fmi2OK;
}

/* ---- values ---- */

GETTER_AND_SETTER(Real, "r", NUMBER)
GETTER_AND_SETTER(Integer, "ie", NUMBER)
GETTER_AND_SETTER(Boolean, "b", TRUTH)
NO_VARIABLES(String)

API(GetDirectionalDerivative)(fmi2Component c, const fmi2ValueReference unknowns[], size_t n_unknowns,
                              const fmi2ValueReference knowns[], size_t n_knowns, const fmi2Real seed[], fmi2Real result[])
{
    struct fmu_direction direction = {unknowns, knowns, n_unknowns, n_knowns, seed, result};
    REQUIRE_IN(RUNNING | IN(INITIALIZING), GetDirectionalDerivative);
    REQUIRE(find_slope(c, &direction));
    return fmi2OK;
}

/* ---- model exchange ---- */

API(EnterEventMode)(fmi2Component c)
{
    REQUIRE_IN(EXCHANGES, EnterEventMode);
    enter_event_mode(c);
    return fmi2OK;
}

API(NewDiscreteStates)(fmi2Component c, fmi2EventInfo *event)
{
    struct fmu *f = c;
    int status, has_new_states;
    REQUIRE_IN(IN(AT_EVENT), NewDiscreteStates);
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

/* ---- co-simulation ---- */

API(DoStep)(fmi2Component c, fmi2Real time, fmi2Real step, fmi2Boolean no_return)
{
    struct fmu *f = c;
    int status;
    REQUIRE_IN(IN(STEPPING), DoStep);
    REQUIRE(is_step_valid(f, time, step));
    status = advance(f, time + step, step);
    if (status == CUTSET_OK) return fmi2OK;
    if (status == CUTSET_ENDED) return fmi2Discard;
    report_status(f, status);
    return fmi2Error;
}

API(CancelStep)(fmi2Component c)
{
    return fmi2Error; /* no step is ever pending */
}

FOR_NO_VARIABLES(SetRealInputDerivatives, const fmi2Integer orders[], const fmi2Real values[])
FOR_NO_VARIABLES(GetRealOutputDerivatives, const fmi2Integer orders[], fmi2Real values[])

API(GetStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Status *value) { return fmi2Discard; }

API(GetRealStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Real *value)
{
    struct fmu *f = c;
    if (!f || kind != fmi2LastSuccessfulTime) return fmi2Discard;
    *value = f->s.program.events.now.t;
    return fmi2OK;
}

API(GetIntegerStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Integer *value) { return fmi2Discard; }

API(GetBooleanStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value)
{
    struct fmu *f = c;
    if (!f || kind != fmi2Terminated) return fmi2Discard;
    *value = f->s.program.events.ended != 0;
    return fmi2OK;
}

API(GetStringStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2String *value) { return fmi2Discard; }
