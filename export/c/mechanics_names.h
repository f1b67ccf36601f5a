/* The external names, which start with the name of the model. */

#ifndef CUTSET_NAMES_H
#define CUTSET_NAMES_H

/* Each thread has its own; with a compiler that knows no such variables, only one thread may call the functions. */
#if defined __TINYC__
#define CUTSET_SHARED
#elif defined _MSC_VER && !defined __clang__
#define CUTSET_SHARED __declspec(thread)
#else
#define CUTSET_SHARED _Thread_local
#endif

#define cutset_fault NAME_mechanics_fault
#define cutset_external NAME_mechanics_external
#define cutset_careful NAME_mechanics_careful
#define cutset_lost NAME_mechanics_lost
#define cutset_open NAME_mechanics_open

#endif
