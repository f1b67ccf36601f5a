/* Evaluates a function at one point for Python: arrays of Python -> a new array, without a conversion in between. Included
   by driver.c only.

   The functions of Python are called by pointers, so that no header of Python is necessary. Types and functions are those
   of its stable interface (docs.python.org/3/c-api/stable.html, since 3.11). */

#ifndef CUTSET_PYTHON_CALLS_H
#define CUTSET_PYTHON_CALLS_H

#include <stddef.h>

/* Py_buffer */
struct cutset_buffer {
    void *numbers, *object;
    ptrdiff_t bytes, item_size;
    int readonly, ndim;
    char *format;
    ptrdiff_t *shape, *strides, *suboffsets;
    void *internal;
};

/* A function of `points`, its arguments and its result. `make` returns a new array for the result; `otherwise` takes
   arguments that are not arrays of as many numbers as the function has. The layout is repeated in runtime/c_model.py. */
struct cutset_call {
    int (*get_buffer)(void *object, struct cutset_buffer *view, int flags);
    void (*release)(struct cutset_buffer *view);
    void *(*call)(void *callable, void *const *arguments, size_t count, void *names);
    void (*clear_error)(void);
    void *make, *otherwise;
    struct cutset_points points;
};

static long cutset_size_of_call(void) { return sizeof(struct cutset_call); }

/* PyCapsule_GetPointer, and the name of the capsules that are bound to cutset_call_function. */
void *(*cutset_capsule)(void *capsule, const char *name);
static const char CAPSULE[] = "cutset";

/* True if `view` becomes that of an array of n numbers. */
static int view_numbers(struct cutset_call *call, void *object, long n, struct cutset_buffer *view)
{
    enum { FORMAT = 0x4, C_CONTIGUOUS = 0x38 };
    if (call->get_buffer(object, view, FORMAT | C_CONTIGUOUS)) {
        call->clear_error();
        return 0;
    }
    if (view->ndim == 1 && view->shape[0] == n && view->format && !strcmp(view->format, "d")) return 1;
    call->release(view);
    return 0;
}

/* PyCFunctionFast: `self` is a capsule of a struct cutset_call. */
void *cutset_call_function(void *self, void *const *arguments, ptrdiff_t count)
{
    enum { WRITABLE = 0x1 };
    struct cutset_call *call = cutset_capsule(self, CAPSULE);
    struct cutset_points *p = &call->points;
    struct cutset_buffer views[CUTSET_GROUPS], result;
    void *made = 0;
    long seen = 0;
    int fits;
    while (count == p->groups && seen < count && view_numbers(call, arguments[seen], p->widths[seen], &views[seen])) {
        p->given[seen] = views[seen].numbers;
        seen++;
    }
    fits = count == p->groups && seen == count;
    if (fits) made = call->call(call->make, 0, 0, 0);
    if (made && call->get_buffer(made, &result, WRITABLE)) made = 0; /* with the error of Python */
    if (made) {
        p->results = result.numbers;
        cutset_map(p);
        call->release(&result);
    }
    while (seen > 0) call->release(&views[--seen]);
    return fits ? made : call->call(call->otherwise, arguments, (size_t)count, 0);
}

#endif
