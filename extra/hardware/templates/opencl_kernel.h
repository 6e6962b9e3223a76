/* What the kernels of a test are made of: OpenCL C 2.0 or later. */
typedef char int8_t;
typedef uchar uint8_t;
typedef short int16_t;
typedef ushort uint16_t;
typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;
typedef ulong uint64_t;
typedef atomic_int atomic_int32_t;
typedef atomic_uint atomic_uint32_t;
#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
typedef atomic_long atomic_int64_t;
typedef atomic_ulong atomic_uint64_t;
#endif
#define UINT64_C(n) n##UL
#define CODE        static inline
#define ROLE        static
#define CONTEXT     const context *
#define STATE       int64_t *

/* One launch; the host's structure is the same. */
typedef struct launch {
  uint instances, per_block, step, skew, together, delay, warm;
  uint stress_blocks, rounds, pattern, groups, blocks, block_factor, block_shift, seed;
  uint factor[16], shift[16], members[16];
} launch;

/* One instance. */
typedef struct context {
  global char *memory;
  local char *local_memory;
  global int64_t *results;
  volatile global uint *truncated;
  uint instance, instances, in_block, per_block, step, skew;
} context;

CODE global char *global_object (CONTEXT c, uint unit, uint before, uint units, uint object) {
  size_t at = (size_t) before * c->instances * c->step + (size_t) c->instance * units * c->step
              + (size_t) object * c->skew;
  return c->memory + unit * at;
}

#define GLOBAL(type, unit, before, units, object)                                                  \
  ((global type *) global_object (c, unit, before, units, object))
#define LOCAL(type, unit, before, units)                                                           \
  ((local type *) (c->local_memory + (unit) * ((before) *c->per_block + c->in_block * (units))))
#define RESULT(k) c->results[(size_t) (k) *c->instances + c->instance]
#define TRUNCATED (c->truncated[c->instance] = 1)

CODE int64_t in_bounds (CONTEXT c, int64_t i, uint n) {
  if (i >= 0 && i < n)
    return i;
  TRUNCATED;
  return 0;
}

#define COMPARE_EXCHANGE(strength, Q, T, P, E, V, O, F, S, X)                                      \
  ({                                                                                               \
    T expected_ = (T) (E), *found_ = (X);                                                          \
    int done_ = atomic_compare_exchange_##strength##_explicit ((volatile Q atomic_##T *) (P),      \
                                                               &expected_, V, O, F, S);            \
    if (!done_ && found_)                                                                          \
      *found_ = expected_;                                                                         \
    done_;                                                                                         \
  })

CODE uint scramble (uint x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

/* Accesses to memory that no test uses: 1 << 20 words. */
CODE void disturb (constant launch *l, volatile global uint *scratch, uint rounds) {
  uint at = scramble (l->seed ^ (uint) get_global_id (0)), sum = 0;
  for (uint i = 0; i < rounds; i++) {
    at = scramble (at + i) % (1 << 20);
    if (l->pattern & 1)
      sum += scratch[at];
    else
      scratch[at] = i + sum;
  }
}

/* The work-item's place: 0 if it has none. */
CODE int find_place (constant launch *l, context *c, uint *group, uint *member) {
  uint block = (uint) get_group_id (0) - l->stress_blocks, t = (uint) get_local_id (0);
  block = (uint) (((ulong) block * l->block_factor + l->block_shift) % l->blocks);
  *group = block % l->groups;
  uint members = l->members[*group];
  *member = l->together ? t % members : t / l->per_block;
  c->in_block = l->together ? t / members : t % l->per_block;
  c->instance
      = (block / l->groups * l->per_block + c->in_block) * l->factor[*group] + l->shift[*group];
  c->instance &= l->instances - 1;
  c->instances = l->instances;
  c->per_block = l->per_block;
  c->step = l->step;
  c->skew = l->skew;
  return t < members * l->per_block;
}

#define TEST_KERNELS(T, n_state)                                                                   \
  kernel void T##_run (constant launch *l, global char *memory, global int64_t *results,           \
                       volatile global uint *truncated, volatile global uint *scratch,             \
                       local char *local_memory) {                                                 \
    context place = {                                                                              \
      .memory = memory, .local_memory = local_memory, .results = results, .truncated = truncated   \
    };                                                                                             \
    const context *c = &place;                                                                     \
    uint group = 0, member = 0;                                                                    \
    int stresses = get_group_id (0) < l->stress_blocks;                                            \
    int placed = !stresses && find_place (l, &place, &group, &member);                             \
    if (placed && member == 0)                                                                     \
      T##_begin (group, c);                                                                        \
    barrier (CLK_LOCAL_MEM_FENCE);                                                                 \
    disturb (l, scratch, stresses ? l->rounds : l->warm);                                          \
    for (volatile uint i                                                                           \
         = l->delay ? scramble (l->seed + (uint) get_global_id (0)) % l->delay : 0;                \
         i > 0; i--)                                                                               \
      ;                                                                                            \
    if (placed)                                                                                    \
      T##_thread (group, member, c);                                                               \
    barrier (CLK_LOCAL_MEM_FENCE);                                                                 \
    if (placed && member == 0)                                                                     \
      T##_finish (group, c);                                                                       \
  }                                                                                                \
  kernel void T##_collect (constant launch *l, global char *memory, global int64_t *results,       \
                           volatile global uint *truncated, global int64_t *states) {              \
    context place = { .memory = memory,                                                            \
                      .results = results,                                                          \
                      .truncated = truncated,                                                      \
                      .instance = (uint) get_global_id (0),                                        \
                      .instances = l->instances,                                                   \
                      .step = l->step,                                                             \
                      .skew = l->skew };                                                           \
    const context *c = &place;                                                                     \
    int64_t state[n_state + 1];                                                                    \
    T##_state (c, state);                                                                          \
    for (uint k = 0; k < n_state; k++)                                                             \
      states[(size_t) c->instance * n_state + k] = state[k];                                       \
    T##_reset (c);                                                                                 \
  }
