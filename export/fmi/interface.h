/* The functions that FMI 2.0 and 3.0 share: modes, values, saved states, model exchange. Included by fmi2.c and fmi3.c,
   which define the words in which they differ: FMI(name) is a name of the standard, EXPORT(type, name) begins a function,
   N_VALUES is the last argument of getters and setters and FITS a check of it, STATE(a, b) is a name with FMUstate in it,
   such as DESERIALIZE, and DERIVATIVES gets those of the states. */

#ifndef CUTSET_INTERFACE_H
#define CUTSET_INTERFACE_H

#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wunused-parameter" /* the standard gives the arguments */
#endif

#define FMI_JOINED(a, b) a##b
#define FMI_JOIN(a, b) FMI_JOINED(a, b)
#define FMI_QUOTED(a) #a
#define FMI_QUOTE(a) FMI_QUOTED(a)
#define API(name) EXPORT(FMI(Status), name)

/* True if the instance is in one of these modes. */
static int is_in_mode(struct fmu *f, int modes, const char *function)
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
        if (!(condition)) return FMI(Error); \
    } while (0)
#define REQUIRE_IN(modes, name) REQUIRE(is_in_mode(c, modes, FMI_QUOTE(FMI(name))))

/* ---- instances ---- */

API(SetDebugLogging)(void *c, FMI(Boolean) on, size_t count, const FMI(String) categories[])
{
    struct fmu *f = c;
    REQUIRE(f);
    f->logs = on != 0;
    return FMI(OK);
}

EXPORT(void, FreeInstance)(void *c) { free(c); }

API(Terminate)(void *c)
{
    struct fmu *f = c;
    int status;
    REQUIRE_IN(RUNNING, Terminate);
    f->s.mode = TERMINATED;
    if (!CUTSET_SAMPLES || !f->s.program.is_started) return FMI(OK);
    status = cutset_finish(&f->s.program);
    if (status == CUTSET_OK || status == CUTSET_ENDED) return FMI(OK);
    report_status(f, status);
    return FMI(Error);
}

API(Reset)(void *c)
{
    REQUIRE(c);
    reset(c);
    return FMI(OK);
}

/* ---- values ---- */

/* *value := the value of a variable of this type. */
static int get(struct fmu *f, FMI(ValueReference) reference, const char *types, double *value)
{
    char type = type_of(reference);
    if (type && strchr(types, type) && read_value(f, reference, value)) return 1;
    report_number(f, "no such variable of this type, or it has no value now", (long)reference);
    return 0;
}

static int put(struct fmu *f, FMI(ValueReference) reference, const char *types, double value)
{
    char type = type_of(reference);
    if (type && strchr(types, type)) return write_value(f, reference, value);
    report_number(f, "no such variable of this type", (long)reference);
    return 0;
}

#define NUMBER(x) (x)
#define TRUTH(x) ((x) != 0)

/* The functions for one type: its name, the letters of variables that have it, and what a number of C is to it. */
#define GETTER(kind, types, converted, n_values, fits) \
    API(Get##kind)(void *c, const FMI(ValueReference) references[], size_t count, FMI(kind) values[] n_values) \
    { \
        size_t k; \
        double value; \
        REQUIRE_IN(ANY, Get##kind); \
        REQUIRE(fits); \
        for (k = 0; k < count; k++) { \
            REQUIRE(get(c, references[k], types, &value)); \
            values[k] = (FMI(kind))converted(value); \
        } \
        return FMI(OK); \
    }
#define GETTER_AND_SETTER(kind, types, converted) \
    GETTER(kind, types, converted, N_VALUES, FITS) \
    API(Set##kind)(void *c, const FMI(ValueReference) references[], size_t count, const FMI(kind) values[] N_VALUES) \
    { \
        size_t k; \
        REQUIRE_IN(ANY, Set##kind); \
        REQUIRE(FITS); \
        for (k = 0; k < count; k++) REQUIRE(put(c, references[k], types, (double)converted(values[k]))); \
        return FMI(OK); \
    }
/* A function of variables that no model has, and one that model descriptions do not offer. */
#define FOR_NO_VARIABLES(name, ...) \
    API(name)(void *c, const FMI(ValueReference) references[], size_t count, __VA_ARGS__) \
    { \
        return c && !count ? FMI(OK) : FMI(Error); \
    }
#define NOT_OFFERED(name, ...) \
    API(name)(void *c, __VA_ARGS__) { return FMI(Error); }
#define NO_VARIABLES(kind) \
    FOR_NO_VARIABLES(Get##kind, FMI(kind) values[] N_VALUES) \
    FOR_NO_VARIABLES(Set##kind, const FMI(kind) values[] N_VALUES)

/* ---- saved states ---- */

API(STATE(Get, ))(void *c, void **state)
{
    struct fmu *f = c;
    REQUIRE(f && (*state || (*state = malloc(sizeof f->s))));
    memcpy(*state, &f->s, sizeof f->s);
    return FMI(OK);
}

API(STATE(Set, ))(void *c, void *state)
{
    REQUIRE(c && state);
    restore_state(c, state);
    return FMI(OK);
}

API(STATE(Free, ))(void *c, void **state)
{
    if (!state) return FMI(OK);
    free(*state);
    *state = 0;
    return FMI(OK);
}

API(STATE(Serialized, Size))(void *c, void *state, size_t *size)
{
    REQUIRE(c && state);
    *size = FMU_HEADER + sizeof(struct fmu_state);
    return FMI(OK);
}

API(STATE(Serialize, ))(void *c, void *state, FMI(Byte) bytes[], size_t size)
{
    REQUIRE(c && state && size >= FMU_HEADER + sizeof(struct fmu_state));
    write_bytes(state, (char *)bytes);
    return FMI(OK);
}

API(DESERIALIZE)(void *c, const FMI(Byte) bytes[], size_t size, void **state)
{
    REQUIRE(c);
    free(*state);
    if (!(*state = read_bytes((const char *)bytes, size))) {
        report(c, "these bytes are not a saved state of this model and this binary");
        return FMI(Error);
    }
    return FMI(OK);
}

/* ---- model exchange ---- */

API(EnterContinuousTimeMode)(void *c)
{
    REQUIRE_IN(IN(AT_EVENT), EnterContinuousTimeMode);
    enter_continuous_mode(c);
    return FMI(OK);
}

API(CompletedIntegratorStep)(void *c, FMI(Boolean) no_return, FMI(Boolean) *event, FMI(Boolean) *ends)
{
    int is_end;
    REQUIRE_IN(IN(BETWEEN_EVENTS), CompletedIntegratorStep);
    REQUIRE(complete_step(c, &is_end));
    *event = 0, *ends = is_end != 0;
    return FMI(OK);
}

API(SetTime)(void *c, double time)
{
    REQUIRE_IN(EXCHANGES, SetTime);
    REQUIRE(isfinite(time));
    set_time(c, time);
    return FMI(OK);
}

API(SetContinuousStates)(void *c, const double x[], size_t count)
{
    REQUIRE_IN(IN(BETWEEN_EVENTS), SetContinuousStates);
    REQUIRE(count == CUTSET_STATES);
    set_states(c, x);
    return FMI(OK);
}

API(GetContinuousStates)(void *c, double x[], size_t count)
{
    struct fmu *f = c;
    REQUIRE_IN(RUNNING | IN(INITIALIZING), GetContinuousStates);
    REQUIRE(count == CUTSET_STATES && start(f));
    memcpy(x, f->s.program.events.now.x, CUTSET_STATES * sizeof(double));
    return FMI(OK);
}

API(DERIVATIVES)(void *c, double rates[], size_t count)
{
    struct fmu *f = c;
    REQUIRE_IN(RUNNING | IN(INITIALIZING), DERIVATIVES);
    REQUIRE(count == CUTSET_STATES && start(f));
    if (!find_rates(f)) return FMI(Discard); /* the importer tries a shorter step */
    memcpy(rates, f->s.rates, CUTSET_STATES * sizeof(double));
    return FMI(OK);
}

API(GetEventIndicators)(void *c, double values[], size_t count)
{
    REQUIRE_IN(RUNNING | IN(INITIALIZING), GetEventIndicators);
    REQUIRE(count == FMU_INDICATORS && start(c));
    find_indicators(c, values);
    return FMI(OK);
}

API(GetNominalsOfContinuousStates)(void *c, double nominals[], size_t count)
{
    struct fmu *f = c;
    REQUIRE_IN(ANY, GetNominalsOfContinuousStates);
    REQUIRE(count == CUTSET_STATES);
    cutset_nominals(f->s.program.c, nominals);
    return FMI(OK);
}

#endif
