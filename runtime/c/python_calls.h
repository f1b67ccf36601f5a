/* Evaluates a function at one point for Python: arrays of Python -> new arrays, without a conversion in between.

   The functions of Python are called by pointers, so that no header of Python is necessary. Types and functions are those
   of its stable interface (docs.python.org/3/c-api/stable.html, since 3.11). */

#ifndef CUTSET_PYTHON_CALLS_H
#define CUTSET_PYTHON_CALLS_H

#include "driver.h"

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

enum { CUTSET_RESULTS = 2, CUTSET_AXES = 3 };

struct cutset_shape {
    ptrdiff_t sizes[CUTSET_AXES];
    long numbers;
    int axes;
};

/* A function of `points`, its arguments and its results. `new_array` is PyArray_New of numpy, for objects of the
   type `array`, in which the pointer to the numbers is `data` bytes from the beginning (PyArrayObject). `new_tuple` makes a tuple of
   all results, of the type `tuple` (0: there is one result); `otherwise` takes arguments that are not arrays of as many
   numbers as the function has. */
struct cutset_call {
    int (*get_buffer)(void *object, struct cutset_buffer *view, int flags);
    void (*release)(struct cutset_buffer *view);
    void *(*call)(void *callable, void *const *arguments, size_t count, void *names);
    void (*clear_error)(void);
    void (*drop)(void *object); /* Py_DecRef */
    void *(*pack)(ptrdiff_t count, ...); /* PyTuple_Pack */
    void *(*new_tuple)(void *type, void *arguments, void *names);
    void *(*new_array)(void *type, int axes, const ptrdiff_t *sizes, int number, void *strides, void *data, int size,
                       int flags, void *from);
    void *array, *tuple, *otherwise;
    long data;
    struct cutset_shape shapes[CUTSET_RESULTS];
    struct cutset_points points;
};

/* PyCapsule_GetPointer, and the name of the capsules that are bound to call_function. */
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

/* A new array of this shape with the numbers from *numbers on, which moves behind them; 0, with an error of Python, if there
   is none. */
static void *new_result(struct cutset_call *call, const struct cutset_shape *shape, const double **numbers)
{
    enum { DOUBLE = 12 };
    void *array = call->new_array(call->array, shape->axes, shape->sizes, DOUBLE, 0, 0, 0, 0, 0);
    if (array) memcpy(*(double **)((char *)array + call->data), *numbers, (size_t)shape->numbers * sizeof(double));
    *numbers += shape->numbers;
    return array;
}

/* The results of the points as an object of Python; 0, with an error of Python, if there is none. */
static void *new_results(struct cutset_call *call)
{
    const double *numbers = call->points.results;
    void *one = new_result(call, &call->shapes[0], &numbers), *other, *both, *arguments, *found = 0;
    if (!one || !call->tuple) return one;
    other = new_result(call, &call->shapes[1], &numbers);
    both = other ? call->pack(2, one, other) : 0;
    arguments = both ? call->pack(1, both) : 0;
    if (arguments) found = call->new_tuple(call->tuple, arguments, 0);
    if (arguments) call->drop(arguments);
    if (both) call->drop(both);
    if (other) call->drop(other);
    call->drop(one);
    return found;
}

/* PyCFunctionFast: `self` is a capsule of a struct cutset_call. */
static void *call_function(void *self, void *const *arguments, ptrdiff_t count)
{
    struct cutset_call *call = cutset_capsule(self, CAPSULE);
    struct cutset_points *p = &call->points;
    struct cutset_buffer views[CUTSET_GROUPS];
    long seen = 0;
    int fits;
    while (count == p->groups && seen < count && view_numbers(call, arguments[seen], p->widths[seen], &views[seen])) {
        p->given[seen] = views[seen].numbers;
        seen++;
    }
    fits = count == p->groups && seen == count;
    if (fits) cutset_map(p);
    while (seen > 0) call->release(&views[--seen]);
    return fits ? new_results(call) : call->call(call->otherwise, arguments, (size_t)count, 0);
}

/* PyMethodDef with METH_FASTCALL. It stays as long as the library, that is to the end of the process: Python reads it when it
   deletes a function, in an order of its own at the end. */
struct cutset_definition {
    const char *name;
    void *(*function)(void *self, void *const *arguments, ptrdiff_t count);
    int flags;
    const char *documentation;
};
struct cutset_definition cutset_definition = {CAPSULE, call_function, 0x80, 0};

#endif
