/* Tests on NVIDIA GPUs. A test's instances run side by side, each in memory of its own. A
 * work-group of the test is a block, or as many as there are instances divided by `per_block`: the
 * block runs the group's work-items of `per_block` instances. Which block runs which instances
 * changes with every iteration, by permutations. Levine et al., MC Mutants, ASPLOS 2023; Sorensen
 * and Donaldson, Exposing errors related to weak memory in GPU applications, PLDI 2016. */
#ifndef CUDA_H
#define CUDA_H

#include <cuda/atomic>
#include <cuda_runtime.h>

#include "suite.h"

/* The first choice of each is the plain one.
 *   instances  of one launch                  per_block  instances of a block
 *   step       distance between instances, in units     skew  between locations, likewise
 *   scatter    1: which instances share a block is a permutation of all
 *   shuffle    1: so is the order of blocks    together  1: a work-group's work-items are in one warp
 *   delay      most rounds that a work-item waits before it begins
 *   warm       accesses to other memory before it begins
 *   blocks, rounds, pattern: of blocks that only access other memory */
#define PARAMETERS                                                                                 \
  PARAMETER (instances, 131072, 32768, 65536, 262144)                                              \
  PARAMETER (per_block, 256, 32, 64, 128)                                                          \
  PARAMETER (step, 1, 2, 4, 8, 16, 32)                                                             \
  PARAMETER (skew, 0, 8, 32, 64, 4096)                                                             \
  PARAMETER (scatter, 0, 1)                                                                        \
  PARAMETER (shuffle, 0, 1)                                                                        \
  PARAMETER (together, 0, 1)                                                                       \
  PARAMETER (delay, 0, 4, 16, 64, 256)                                                             \
  PARAMETER (warm, 0, 1, 4, 16)                                                                    \
  PARAMETER (blocks, 0, 8, 32, 66, 132)                                                            \
  PARAMETER (rounds, 64, 256, 1024)                                                                \
  PARAMETER (pattern, 0, 1, 2, 3)
#include "parameters.h"

#pragma nv_diag_suppress 177, 550 /* variables that a test does not read */

#define CONTEXT       const context &
#define STATE         int64_t *
#define LINKAGE       extern "C"
#define BEGIN_LINKAGE extern "C" {
#define END_LINKAGE   }
#define CODE          static __device__ __forceinline__
#define ROLE          static __device__ __noinline__

/* One launch. */
typedef struct launch {
  unsigned instances, per_block, step, skew, together, delay, warm;
  unsigned stress_blocks, rounds, pattern;
  unsigned cluster;  /* blocks of one */
  unsigned clusters; /* of an instance on the device, and of the launch */
  unsigned all_clusters, cluster_factor, cluster_shift;
  unsigned char group_at[MAX_GROUPS]; /* by slot; MAX_GROUPS: a block that fills its cluster up */
  unsigned factor[MAX_GROUPS], shift[MAX_GROUPS]; /* permutations of instances */
  unsigned char members[MAX_GROUPS];
  unsigned seed;
} launch;

enum {
  SCRATCH = 1 << 20 /* words of memory that no test uses */
};

typedef struct counted_state {
  unsigned long long count;
  unsigned status; /* 0 free, 1 being made, 2 made */
  int64_t values[MAX_STATE];
} counted_state;

typedef struct buffers {
  char *memory;
  int64_t *results;    /* n_results × instances */
  unsigned *truncated; /* per instance: it left a loop early */
  unsigned *scratch;
  counted_state *states;      /* MAX_STATES */
  unsigned long long *totals; /* cut, overflow */
} buffers;

/* What the code of a test sees: one instance. */
typedef struct context {
  char *memory, *local;
  int64_t *results;
  unsigned *truncated;
  unsigned instance, instances, in_block, per_block, step, skew;
} context;

/* The object of a test in global memory. Its own `units` come after `before` units of other objects
 * in an instance. */
CODE char *global_object (const context &c, unsigned unit, unsigned before, unsigned units,
                          unsigned object) {
  size_t at = (size_t) before * c.instances * c.step + (size_t) c.instance * units * c.step
              + (size_t) object * c.skew;
  return c.memory + unit * at;
}

CODE char *local_object (const context &c, unsigned unit, unsigned before, unsigned units) {
  return c.local + unit * (before * c.per_block + c.in_block * units);
}

#define GLOBAL(type, unit, before, units, object)                                                  \
  ((type *) global_object (c, unit, before, units, object))
#define LOCAL(type, unit, before, units) ((type *) local_object (c, unit, before, units))
#define RESULT(k)                        c.results[(size_t) (k) *c.instances + c.instance]
#define TRUNCATED                        (c.truncated[c.instance] = 1)

/* An index into an object of n elements; if it is not one, the instance is dropped. */
CODE int64_t in_bounds (const context &c, int64_t i, unsigned n) {
  if (i >= 0 && i < n)
    return i;
  TRUNCATED;
  return 0;
}

/* ---- Plain accesses: weak, but neither removed nor merged ---- */

#define PLAIN(T, suffix, constraint, R)                                                            \
  CODE T plain_load (const T *p) {                                                                 \
    R value;                                                                                       \
    asm volatile("ld.weak." suffix " %0, [%1];" : "=" constraint (value) : "l"(p) : "memory");     \
    return (T) value;                                                                              \
  }                                                                                                \
  CODE T plain_store (T *p, T value) {                                                             \
    asm volatile("st.weak." suffix " [%0], %1;" ::"l"(p), constraint ((R) value) : "memory");      \
    return value;                                                                                  \
  }
PLAIN (int8_t, "s8", "r", int)
PLAIN (uint8_t, "u8", "r", unsigned)
PLAIN (int16_t, "s16", "h", short)
PLAIN (uint16_t, "u16", "h", unsigned short)
PLAIN (int32_t, "s32", "r", int)
PLAIN (uint32_t, "u32", "r", unsigned)
PLAIN (int64_t, "s64", "l", long long)
PLAIN (uint64_t, "u64", "l", unsigned long long)
#undef PLAIN

template <class T> CODE T *plain_load (T *const *p) {
  return (T *) plain_load ((const uint64_t *) p);
}

template <class T> CODE T *plain_store (T **p, T *value) {
  plain_store ((uint64_t *) p, (uint64_t) value);
  return value;
}

/* ---- Atomic operations ---- */

template <class T, cuda::thread_scope S>
CODE int compare_exchange (T *p, T expected, T desired, bool weak, cuda::memory_order success,
                           cuda::memory_order failure, T *found) {
  cuda::atomic_ref<T, S> object (*p);
  bool done = weak ? object.compare_exchange_weak (expected, desired, success, failure)
                   : object.compare_exchange_strong (expected, desired, success, failure);
  if (!done && found)
    *found = expected;
  return done;
}

/* Threads of a warp may come here from different places. */
CODE void block_barrier (void) { asm volatile("barrier.sync 0;" ::: "memory"); }

template <cuda::thread_scope S> CODE void wide_barrier (void) {
  if (S == cuda::thread_scope_block) {
    block_barrier ();
    return;
  }
  cuda::atomic_thread_fence (cuda::memory_order_release, S);
  block_barrier ();
  cuda::atomic_thread_fence (cuda::memory_order_acquire, S);
}

/* ---- Mbarriers and asynchronous copies ---- */

CODE uint32_t shared_address (const void *p) { return (uint32_t) __cvta_generic_to_shared (p); }

/* Of what is at p here, in another block of the cluster: its address, and that in shared memory. */
template <class T> CODE T *REMOTE (T *p, unsigned rank) {
  uint64_t q;
  asm volatile("mapa.u64 %0, %1, %2;" : "=l"(q) : "l"(p), "r"(rank));
  return (T *) q;
}

CODE uint32_t remote_address (const void *p, unsigned rank) {
  uint32_t q;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
               : "=r"(q)
               : "r"(shared_address (p)), "r"(rank));
  return q;
}

CODE void mbarrier_init (int64_t *m, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address (m)), "r"(count)
               : "memory");
}

/* Between an instance's threads and what copies for them, before it begins and after it ends. */
CODE void async_fence (void) {
  asm volatile("fence.mbarrier_init.release.cluster;\n\tfence.proxy.async;" ::: "memory");
}

/* Those that complete at an mbarrier, which may never be tested: far longer than any takes. */
CODE void wait_for_copies (void) {
  for (long long begin = clock64 (); clock64 () - begin < 32768;)
    ;
}

/* ---- Launches ---- */

/* All threads of the launch's clusters; those that have ended don't count. */
CODE void begin_together (const launch &l) {
#if __CUDA_ARCH__ >= 900
  if (l.cluster > 1) {
    asm volatile("barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;" ::: "memory");
    return;
  }
#endif
  __syncthreads ();
}

/* The memory of a block stays until all blocks of its cluster are done. */
CODE void end_together (const launch &l) {
  if (l.cluster > 1)
    begin_together (l);
  else
    block_barrier ();
}

CODE unsigned scramble (unsigned x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

CODE void disturb (const launch &l, const buffers &b, unsigned rounds) {
  unsigned at = scramble (l.seed ^ (blockIdx.x * blockDim.x + threadIdx.x)), sum = 0;
  volatile unsigned *scratch = b.scratch;
  for (unsigned i = 0; i < rounds; i++) {
    at = scramble (at + i) % SCRATCH;
    if (l.pattern & 1)
      sum += scratch[at];
    else
      scratch[at] = i;
    if (l.pattern & 2)
      sum += scratch[(at + 32) % SCRATCH];
    else
      scratch[(at + 32) % SCRATCH] = i;
  }
  if (sum == 0xdeadbeef)
    scratch[0] = sum;
}

CODE void wait_a_little (const launch &l) {
  unsigned rounds
      = l.delay ? scramble (l.seed + blockIdx.x * blockDim.x + threadIdx.x) % l.delay : 0;
  for (volatile unsigned i = 0; i < rounds; i = i + 1)
    ;
}

/* Finds the thread's place; false if it has none. */
CODE bool find_place (const launch &l, const buffers &b, char *local, context &c, unsigned &group,
                      unsigned &member) {
  unsigned long long cluster = (blockIdx.x - l.stress_blocks) / l.cluster;
  unsigned rank = (blockIdx.x - l.stress_blocks) % l.cluster;
  cluster = (cluster * l.cluster_factor + l.cluster_shift) % l.all_clusters;
  group = l.group_at[cluster % l.clusters * l.cluster + rank];
  if (group == MAX_GROUPS)
    return false;
  unsigned members = l.members[group], t = threadIdx.x;
  member = l.together ? t % members : t / l.per_block;
  c.in_block = l.together ? t / members : t % l.per_block;
  c.instance = ((unsigned) (cluster / l.clusters) * l.per_block + c.in_block) * l.factor[group];
  c.instance += l.shift[group];
  c.instance &= l.instances - 1;
  c.memory = b.memory;
  c.local = local;
  c.results = b.results;
  c.truncated = b.truncated;
  c.instances = l.instances;
  c.per_block = l.per_block;
  c.step = l.step;
  c.skew = l.skew;
  return t < members * l.per_block;
}

/* Adds to the state's count, once for all threads of the warp that found the same one. */
CODE void count_state (const buffers &b, const int64_t *state, unsigned n) {
  unsigned long long hash = 0;
  for (unsigned i = 0; i < n; i++)
    hash = (hash ^ (unsigned long long) state[i]) * 0x9e3779b97f4a7c15ull + (hash >> 29);
  unsigned at = (unsigned) (hash >> 40) % MAX_STATES, tries = 0;
  for (; tries < MAX_STATES; tries++, at = (at + 1) % MAX_STATES) {
    counted_state *entry = &b.states[at];
    unsigned status = *(volatile unsigned *) &entry->status;
    if (status == 0 && atomicCAS (&entry->status, 0, 1) == 0) {
      for (unsigned i = 0; i < n; i++)
        entry->values[i] = state[i];
      __threadfence ();
      atomicExch (&entry->status, 2);
    }
    while (cuda::atomic_ref<unsigned, cuda::thread_scope_device> (entry->status)
               .load (cuda::memory_order_acquire)
           != 2)
      ;
    bool same = true;
    for (unsigned i = 0; i < n; i++)
      same &= *(volatile int64_t *) &entry->values[i] == state[i];
    if (same)
      break;
  }
  if (tries == MAX_STATES) {
    atomicAdd (&b.totals[1], 1ull);
    return;
  }
  unsigned active = __activemask (), peers = __match_any_sync (active, at);
  if ((threadIdx.x & 31) == __ffs (peers) - 1)
    atomicAdd (&b.states[at].count, (unsigned long long) __popc (peers));
}

/* Test T's kernels. T_thread (group, member, c), T_begin and T_finish (group, c) for local memory,
 * T_state (c, state), and T_reset (c) are written by rspcheck. */
#define TEST_CODE(T, n_state)                                                                      \
  static __global__ void T##_run (const __grid_constant__ launch l, const buffers b) {             \
    extern __shared__ __align__ (16) char local[];                                                 \
    if (blockIdx.x < l.stress_blocks) {                                                            \
      disturb (l, b, l.rounds);                                                                    \
      return;                                                                                      \
    }                                                                                              \
    context c;                                                                                     \
    unsigned group, member;                                                                        \
    bool placed = find_place (l, b, local, c, group, member);                                      \
    if (placed && member == 0)                                                                     \
      T##_begin (group, c);                                                                        \
    begin_together (l);                                                                            \
    if (!placed)                                                                                   \
      return;                                                                                      \
    disturb (l, b, l.warm);                                                                        \
    wait_a_little (l);                                                                             \
    T##_thread (group, member, c);                                                                 \
    end_together (l);                                                                              \
    if (member == 0)                                                                               \
      T##_finish (group, c);                                                                       \
  }                                                                                                \
  static __global__ void T##_collect (const __grid_constant__ launch l, const buffers b,           \
                                      int keep) {                                                  \
    context c                                                                                      \
        = { b.memory,    NULL, b.results, b.truncated, blockIdx.x * blockDim.x + threadIdx.x,      \
            l.instances, 0,    0,         l.step,      l.skew };                                   \
    if (keep && c.truncated[c.instance])                                                           \
      atomicAdd (&b.totals[0], 1ull);                                                              \
    else if (keep) {                                                                               \
      int64_t state[n_state + 1];                                                                  \
      T##_state (c, state);                                                                        \
      count_state (b, state, n_state);                                                             \
    }                                                                                              \
    c.truncated[c.instance] = 0;                                                                   \
    T##_reset (c);                                                                                 \
  }                                                                                                \
  static const test_code T##_code = { T##_run, T##_collect }

struct test_code {
  void (*run) (const launch, const buffers);
  void (*collect) (const launch, const buffers, int keep);
};

#ifdef SUITE_MAIN

/* clang-format off */
#define LAUNCH(kernel, blocks, threads, shared, ...) \
  kernel<<<blocks, threads, shared>>> (__VA_ARGS__)
/* clang-format on */

#define CHECK(call) check (call, #call)

static void check (cudaError_t error, const char *call) {
  if (error == cudaSuccess)
    return;
  suite_give_up (call, cudaGetErrorString (error));
}

static int n_devices, has_clusters;

void target_begin (void) {
  cudaDeviceProp device;
  int driver = 0;
  if (cudaGetDeviceCount (&n_devices) != cudaSuccess || !n_devices) {
    fprintf (stderr, "no CUDA device: a GPU of NVIDIA and its driver are needed\n");
    exit (2);
  }
  CHECK (cudaGetDeviceProperties (&device, 0));
  CHECK (cudaDriverGetVersion (&driver));
  has_clusters = device.major >= 9;
  snprintf (target_device, sizeof target_device,
            "%s (sm_%d%d, %d multiprocessors), driver for CUDA %d.%d", device.name, device.major,
            device.minor, device.multiProcessorCount, driver / 1000, driver % 1000 / 10);
  snprintf (target_compiler, sizeof target_compiler, "nvcc %d.%d.%d", __CUDACC_VER_MAJOR__,
            __CUDACC_VER_MINOR__, __CUDACC_VER_BUILD__);
}

const char *target_refuses (const test *t) {
  static char text[128];
  snprintf (text, sizeof text, "its scope tree has %u devices, and here %s %d", t->n_devices,
            n_devices == 1 ? "is" : "are", n_devices);
  if (t->cluster > 1 && !has_clusters)
    return "it has clusters, and this device has none";
  for (int d = 1, reaches; d < (int) t->n_devices && d < n_devices; d++)
    if (cudaDeviceCanAccessPeer (&reaches, d, 0) != cudaSuccess || !reaches)
      return "its devices cannot reach each other's memory";
  return (int) t->n_devices > n_devices ? text : NULL;
}

/* ---- One test ---- */

typedef struct job {
  runner r;
  buffers b;
} job;

/* The most memory that any parameters need. */
static size_t memory_size (const test *t) {
  size_t most = 262144; /* instances */
  return t->unit * ((size_t) t->global_units * most * 32 + (size_t) (t->n_locations + 1) * 4096);
}

static void clear_counts (job *j) {
  CHECK (cudaMemset (j->b.states, 0, MAX_STATES * sizeof (counted_state)));
  CHECK (cudaMemset (j->b.totals, 0, 2 * sizeof (unsigned long long)));
}

static void begin_job (job *j) {
  const test *t = j->r.t;
  size_t most = 262144;
  CHECK (cudaSetDevice (0));
  CHECK (cudaMalloc (&j->b.memory, memory_size (t)));
  CHECK (cudaMalloc (&j->b.results, (t->n_results + 1) * most * sizeof (int64_t)));
  CHECK (cudaMalloc (&j->b.truncated, most * sizeof (unsigned)));
  CHECK (cudaMalloc (&j->b.scratch, SCRATCH * sizeof (unsigned)));
  CHECK (cudaMalloc (&j->b.states, MAX_STATES * sizeof (counted_state)));
  CHECK (cudaMalloc (&j->b.totals, 2 * sizeof (unsigned long long)));
  CHECK (cudaMemset (j->b.results, 0, (t->n_results + 1) * most * sizeof (int64_t)));
  clear_counts (j);
  CHECK (cudaMemset (j->b.scratch, 0, SCRATCH * sizeof (unsigned)));
  for (unsigned d = 1; d < t->n_devices; d++) {
    CHECK (cudaSetDevice ((int) d));
    cudaError_t error = cudaDeviceEnablePeerAccess (0, 0);
    if (error != cudaErrorPeerAccessAlreadyEnabled)
      CHECK (error);
    cudaGetLastError ();
  }
  CHECK (cudaSetDevice (0));
}

static void end_job (job *j) {
  void *all[]
      = { j->b.memory, j->b.results, j->b.truncated, j->b.scratch, j->b.states, j->b.totals };
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
    CHECK (cudaFree (all[i]));
}

static unsigned common_divisor (unsigned a, unsigned b) {
  return b ? common_divisor (b, a % b) : a;
}

/* What parameters mean for the test. */
static launch make_launch (const test *t, const parameters *p) {
  launch l;
  unsigned most = 1;
  memset (&l, 0, sizeof l);
  l.instances = p->value[P_instances];
  l.per_block = p->value[P_per_block];
  l.step = p->value[P_step];
  l.skew = p->value[P_skew];
  l.together = p->value[P_together] && !t->apart;
  l.delay = p->value[P_delay];
  l.warm = p->value[P_warm];
  l.cluster = t->cluster;
  l.stress_blocks = (p->value[P_blocks] + l.cluster - 1) / l.cluster * l.cluster;
  l.rounds = p->value[P_rounds];
  l.pattern = p->value[P_pattern];
  for (unsigned i = 0; i < t->n_groups; i++) {
    l.members[i] = t->group_members[i];
    most = most > l.members[i] ? most : l.members[i];
  }
  while (l.per_block > 32
         && (l.per_block * most > 1024 || t->unit * t->local_units * l.per_block > 48 << 10))
    l.per_block /= 2;
  return l;
}

/* New permutations. */
static void permute (launch *l, const test *t, const parameters *p, uint64_t *random) {
  l->seed = (unsigned) random_next (random);
  for (unsigned i = 0; i < t->n_groups; i++) {
    l->factor[i] = p->value[P_scatter] ? random_below (random, l->instances) | 1 : 1;
    l->shift[i] = random_below (random, l->instances / l->per_block) * l->per_block;
    /* An instance's blocks of one cluster are in one. */
    for (unsigned k = 0; k < i; k++)
      if (t->group_device[k] == t->group_device[i]
          && t->group_slot[k] / t->cluster == t->group_slot[i] / t->cluster) {
        l->factor[i] = l->factor[k];
        l->shift[i] = l->shift[k];
      }
  }
}

static void start_on_device (job *j, launch *l, const parameters *p, unsigned device) {
  const test *t = j->r.t;
  unsigned most = 1;
  l->clusters = 0;
  memset (l->group_at, MAX_GROUPS, sizeof l->group_at);
  for (unsigned i = 0; i < t->n_groups; i++) {
    most = most > l->members[i] ? most : l->members[i];
    if (t->group_device[i] != device)
      continue;
    unsigned until = t->group_slot[i] / l->cluster + 1;
    l->group_at[t->group_slot[i]] = (unsigned char) i;
    l->clusters = l->clusters > until ? l->clusters : until;
  }
  l->all_clusters = l->instances / l->per_block * l->clusters;
  l->cluster_factor = 1;
  l->cluster_shift = 0;
  if (p->value[P_shuffle]) {
    do
      l->cluster_factor = random_below (&j->r.random, l->all_clusters) + 1;
    while (common_divisor (l->cluster_factor, l->all_clusters) != 1);
    l->cluster_shift = random_below (&j->r.random, l->all_clusters);
  }
  CHECK (cudaSetDevice ((int) device));
  cudaLaunchConfig_t how = {};
  cudaLaunchAttribute attribute = {};
  how.gridDim = dim3 (l->all_clusters * l->cluster + l->stress_blocks);
  how.blockDim = dim3 (l->per_block * most);
  how.dynamicSmemBytes = t->unit * t->local_units * l->per_block;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = l->cluster;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  how.attrs = &attribute;
  how.numAttrs = has_clusters; /* of one block, too: else it has no bulk copies between blocks */
  CHECK (cudaLaunchKernelEx (&how, t->code->run, *l, j->b));
  CHECK (cudaGetLastError ());
}

/* With several devices, each waits for the others. */
static void wait_for_devices (const job *j) {
  for (unsigned d = 0; j->r.t->n_devices > 1 && d < j->r.t->n_devices; d++) {
    CHECK (cudaSetDevice ((int) d));
    CHECK (cudaDeviceSynchronize ());
  }
  CHECK (cudaSetDevice (0));
}

static void iterate (job *j, launch *l, const parameters *p, int first) {
  const test *t = j->r.t;
  if (first)
    LAUNCH (t->code->collect, l->instances / 256, 256, 0, *l, j->b, 0);
  permute (l, t, p, &j->r.random);
  wait_for_devices (j);
  for (unsigned d = 0; d < t->n_devices; d++)
    start_on_device (j, l, p, d);
  wait_for_devices (j);
  LAUNCH (t->code->collect, l->instances / 256, 256, 0, *l, j->b, 1);
  CHECK (cudaGetLastError ());
}

static void take_states (runner *r, histogram *h) {
  static counted_state states[MAX_STATES];
  job *j = (job *) r;
  unsigned long long totals[2];
  CHECK (cudaMemcpy (states, j->b.states, sizeof states, cudaMemcpyDeviceToHost));
  CHECK (cudaMemcpy (totals, j->b.totals, sizeof totals, cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < MAX_STATES; i++)
    if (states[i].status)
      histogram_add (h, states[i].values, states[i].count);
  h->truncated += totals[0];
  h->overflow += totals[1];
  clear_counts (j);
}

enum {
  EPOCH = 16 /* iterations under the same parameters; target_run names them */
};

static void run (runner *r, const parameters *p, uint64_t most, histogram *h) {
  launch l = make_launch (r->t, p);
  uint64_t runs = 0;
  for (unsigned i = 0; i < EPOCH && runs < most; i++, runs += l.instances)
    iterate ((job *) r, &l, p, i == 0);
  CHECK (cudaDeviceSynchronize ());
  h->runs += runs;
}

void target_run (const test *t, const settings *s, histogram *h, char *out, size_t size) {
  job j;
  memset (&j, 0, sizeof j);
  j.r = { t, s, "16 launches", 0, run, take_states };
  begin_job (&j);
  runner_go (&j.r, h, out, size);
  end_job (&j);
}

#endif
#endif
