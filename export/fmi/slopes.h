/* Directional derivatives of an instance: exact where the code provides the Jacobian, else from differences of fourth order.
   Included by fmi2.c and fmi3.c only. */

#ifndef CUTSET_SLOPES_H
#define CUTSET_SLOPES_H

/* The change of the quantities, relative to their sizes. */
static const double SHIFT = 1e-3;

/* Unknowns and knowns by reference; the seed has one number for each known, the result one for each unknown. */
struct fmu_direction {
    const unsigned *unknowns, *knowns;
    size_t n_unknowns, n_knowns;
    const double *seed;
    double *result;
};

/* The place of a known in an instance, null if it is none. */
static double *place_of(struct fmu *f, unsigned reference)
{
    struct cutset_program *p = &f->s.program;
    const struct cutset_variable *v = cutset_variable_table + reference;
    if (reference >= CUTSET_NAMES) return 0;
    if (v->array == 'u') return p->u + v->index;
    if (v->array == 'x') return p->events.now.x + v->index;
    return v->array == 'p' && fmu_uses[reference] == 'p' ? p->p + v->index : 0;
}

/* The largest step along the seed that changes each known by a small part of its size. */
static double longest_shift(struct fmu *f, const struct fmu_direction *d)
{
    struct cutset_program *p = &f->s.program;
    double shift = INFINITY;
    size_t k;
    for (k = 0; k < d->n_knowns; k++) {
        const double *place = place_of(f, d->knowns[k]);
        int is_state = cutset_variable_table[d->knowns[k]].array == 'x';
        double nominal = is_state ? p->nominals[place - p->events.now.x] : 1.0;
        double size = cutset_max(fabs(*place), nominal);
        if (d->seed[k] != 0.0) shift = cutset_min(shift, SHIFT * size / fabs(d->seed[k]));
    }
    return shift;
}

/* Moves the knowns along the seed by `step`; before the start is final, states are moved there, and it is solved again. */
static void move(struct fmu *f, const struct fmu_direction *d, double step)
{
    struct cutset_program *p = &f->s.program;
    size_t k;
    for (k = 0; k < d->n_knowns; k++) {
        const struct cutset_variable *v = cutset_variable_table + d->knowns[k];
        double change = v->sign * step * d->seed[k];
        *place_of(f, d->knowns[k]) += change;
        if (v->array == 'p') p->given[v->index] = 1.0;
        if (v->array == 'x' && f->s.mode == INITIALIZING) {
            p->start_value[v->index] = p->events.now.x[v->index];
            p->start_given[v->index] = 1.0;
        }
    }
    bind_parameters(&p->start);
    if (f->s.mode == INITIALIZING) p->is_started = 0;
    forget_values(f);
}

/* result += weight * the unknowns at the point moved by `step` from `here`. */
static int add_values(struct fmu *f, const struct fmu_direction *d, const struct fmu_state *here, double step, double weight)
{
    size_t k;
    double value;
    restore_state(f, here);
    move(f, d, step);
    for (k = 0; k < d->n_unknowns; k++) {
        if (!read_value(f, d->unknowns[k], &value)) return 0;
        d->result[k] += weight * value;
    }
    return 1;
}

static int by_differences(struct fmu *f, const struct fmu_direction *d)
{
    double h = longest_shift(f, d);
    struct fmu_state *here;
    size_t k;
    int found;
    for (k = 0; k < d->n_unknowns; k++) d->result[k] = 0.0;
    if (!isfinite(h)) return 1; /* the seed is zero */
    if (!(here = malloc(sizeof *here))) return 0;
    *here = f->s;
    found = add_values(f, d, here, h, -1.0 / (6.0 * h)) && add_values(f, d, here, -h, 1.0 / (6.0 * h))
            && add_values(f, d, here, 0.5 * h, 8.0 / (6.0 * h)) && add_values(f, d, here, -0.5 * h, -8.0 / (6.0 * h));
    restore_state(f, here);
    free(here);
    return found;
}

/* True if all unknowns are derivatives of states and all knowns states, and the code provides the Jacobian there. */
static int is_exact(struct fmu *f, const struct fmu_direction *d)
{
    struct cutset_program *p = &f->s.program;
    struct cutset_moment *now = &p->events.now;
    size_t k;
    long n;
    if (!CUTSET_HAS_JACOBIAN || f->s.mode == INITIALIZING) return 0;
    for (k = 0; k < d->n_unknowns; k++)
        if (d->unknowns[k] < FMU_RATES || d->unknowns[k] >= FMU_TIME) return 0;
    for (k = 0; k < d->n_knowns; k++)
        if (cutset_variable_table[d->knowns[k]].array != 'x') return 0;
    if (CUTSET_GUESSES) find_rates(f);
    cutset_jacobian(now->t, now->x, p->u, p->c, now->m, p->w, p->jacobian);
    for (n = 0; n < CUTSET_JACOBIAN; n++)
        if (!isfinite(p->jacobian[n])) return 0;
    return 1;
}

/* The place of the first element of a row in the pattern of the Jacobian. */
static long first_of_row(long row)
{
    long low = 0, high = CUTSET_JACOBIAN;
    while (low < high) {
        long middle = (low + high) / 2;
        if (cutset_rows[middle] < row) low = middle + 1;
        else high = middle;
    }
    return low;
}

static void by_jacobian(struct fmu *f, const struct fmu_direction *d)
{
    struct cutset_program *p = &f->s.program;
    size_t k;
    long n;
    memset(p->events.dx, 0, CUTSET_STATES * sizeof(double));
    for (k = 0; k < d->n_knowns; k++) {
        const struct cutset_variable *v = cutset_variable_table + d->knowns[k];
        p->events.dx[v->index] += v->sign * d->seed[k];
    }
    for (k = 0; k < d->n_unknowns; k++) {
        long row = (long)d->unknowns[k] - FMU_RATES;
        double sum = 0.0;
        for (n = first_of_row(row); n < CUTSET_JACOBIAN && cutset_rows[n] == row; n++)
            sum += p->jacobian[n] * p->events.dx[cutset_columns[n]];
        d->result[k] = sum;
    }
}

/* result := the derivatives of the unknowns along the seed, for held relations and discrete variables. */
static int find_slope(struct fmu *f, const struct fmu_direction *d)
{
    size_t k;
    if (!f->s.program.is_started && !start(f)) return 0;
    for (k = 0; k < d->n_knowns; k++)
        if (d->knowns[k] >= CUTSET_NAMES || !place_of(f, d->knowns[k])) {
            report_number(f, "no derivatives by this variable", (long)d->knowns[k]);
            return 0;
        }
    for (k = 0; k < d->n_unknowns; k++)
        if (type_of(d->unknowns[k]) != 'r') {
            report_number(f, "no derivatives of this variable", (long)d->unknowns[k]);
            return 0;
        }
    if (is_exact(f, d)) by_jacobian(f, d);
    else if (!by_differences(f, d)) {
        report(f, "the model has no values near this point, so that it has no derivatives");
        return 0;
    }
    return 1;
}

#endif
