/* The external names, which start with the name of the model. */

#ifndef CUTSET_NAMES_H
#define CUTSET_NAMES_H

/* Each thread has its own; with a compiler that knows no such variables, only one thread may run instances. */
#if defined __TINYC__
#define CUTSET_SHARED
#elif defined _MSC_VER && !defined __clang__
#define CUTSET_SHARED __declspec(thread)
#else
#define CUTSET_SHARED _Thread_local
#endif

LINES

#endif
