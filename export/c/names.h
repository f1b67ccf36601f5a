/* The external names, which start with the name of the model. */

#ifndef CUTSET_NAMES_H
#define CUTSET_NAMES_H

#define CUTSET_SHARED _Thread_local

LINES

#endif
