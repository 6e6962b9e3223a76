// Locks: each takes and gives back `l`. ACQ, REL and SCOPE can be weakened with -D.
#ifndef ACQ
#define ACQ memory_order_acquire
#endif
#ifndef REL
#define REL memory_order_release
#endif
#ifndef SCOPE
#define SCOPE memory_scope_device
#endif
