/* Tests on devices of OpenCL C 2.0 and later, by the installable client driver. Instances and
 * work-groups are placed as cuda.h does; states are counted by the host. */
#ifndef OPENCL_H
#define OPENCL_H

#include "suite.h"

/* The first choice of each is the plain one; what they mean is in cuda.h. */
#define PARAMETERS                                                                                 \
  PARAMETER (instances, 16384, 4096, 65536)                                                        \
  PARAMETER (per_block, 64, 16, 32)                                                                \
  PARAMETER (step, 1, 4, 16, 32)                                                                   \
  PARAMETER (skew, 0, 16, 64, 4096)                                                                \
  PARAMETER (scatter, 0, 1)                                                                        \
  PARAMETER (shuffle, 0, 1)                                                                        \
  PARAMETER (together, 0, 1)                                                                       \
  PARAMETER (delay, 0, 4, 64)                                                                      \
  PARAMETER (warm, 0, 1, 16)                                                                       \
  PARAMETER (blocks, 0, 8, 32)                                                                     \
  PARAMETER (rounds, 64, 256)                                                                      \
  PARAMETER (pattern, 0, 1)
#include "parameters.h"

#define LINKAGE
#define BEGIN_LINKAGE
#define END_LINKAGE
#define TEST_CODE(T, n_state) static const test_code T##_code = { #T, T##_source }

struct test_code {
  const char *name, *source;
};

#ifdef SUITE_MAIN

#include "opencl_kernel.h"

#include <CL/cl.h>

enum { MOST_INSTANCES = 65536, SCRATCH = 1 << 20 };

/* As in the kernels. */
typedef struct launch {
  cl_uint instances, per_block, step, skew, together, delay, warm;
  cl_uint stress_blocks, rounds, pattern, groups, blocks, block_factor, block_shift, seed;
  cl_uint factor[16], shift[16], members[16];
} launch;

static cl_device_id device;
static cl_context gpu;
static cl_command_queue queue;
static cl_program program; /* of the test that runs */
static char features[8192], extensions[8192];
static int modern; /* OpenCL C 3.0: features are listed; 2.0 has all of them */

static void check (cl_int error, const char *call) {
  if (error == CL_SUCCESS)
    return;
  fprintf (stderr, "OpenCL: %s: error %d\n", call, error);
  exit (2);
}

static void find_device (void) {
  cl_platform_id platforms[16];
  cl_uint n = 0;
  static const cl_device_type kinds[] = { CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ALL };
  if (clGetPlatformIDs (16, platforms, &n) != CL_SUCCESS)
    n = 0;
  for (unsigned k = 0; k < 2; k++)
    for (cl_uint i = 0; i < n && i < 16; i++)
      if (clGetDeviceIDs (platforms[i], kinds[k], 1, &device, NULL) == CL_SUCCESS)
        return;
  fprintf (stderr, "no OpenCL device: install a driver for one (an ICD, /etc/OpenCL/vendors)\n");
  exit (2);
}

static void list_features (void) {
  cl_name_version list[128];
  size_t size = 0;
  if (clGetDeviceInfo (device, CL_DEVICE_OPENCL_C_FEATURES, sizeof list, list, &size) != CL_SUCCESS)
    return;
  for (size_t i = 0; i < size / sizeof *list; i++)
    snprintf (features + strlen (features), sizeof features - strlen (features), " %s ",
              list[i].name);
}

/* The newest version of OpenCL C: devices of 3.0 list versions, older ones name one. */
static void find_version (void) {
  char version[128] = "";
  cl_name_version list[32];
  size_t size = 0;
  clGetDeviceInfo (device, CL_DEVICE_OPENCL_C_VERSION, sizeof version, version, NULL);
  if (clGetDeviceInfo (device, CL_DEVICE_OPENCL_C_ALL_VERSIONS, sizeof list, list, &size)
      != CL_SUCCESS)
    size = 0;
  for (size_t i = 0; i < size / sizeof *list; i++)
    modern |= CL_VERSION_MAJOR (list[i].version) >= 3;
  if (!modern && strncmp (version, "OpenCL C 2", 10) != 0) {
    fprintf (stderr, "the OpenCL device has %s: atomics with orders and scopes need OpenCL C 2.0\n",
             version);
    exit (2);
  }
}

void target_begin (void) {
  char name[200] = "", version[100] = "";
  cl_int error;
  find_device ();
  find_version ();
  list_features ();
  clGetDeviceInfo (device, CL_DEVICE_NAME, sizeof name, name, NULL);
  clGetDeviceInfo (device, CL_DEVICE_VERSION, sizeof version, version, NULL);
  clGetDeviceInfo (device, CL_DRIVER_VERSION, sizeof target_compiler, target_compiler, NULL);
  clGetDeviceInfo (device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL);
  snprintf (target_device, sizeof target_device, "%s, %s", name, version);
  gpu = clCreateContext (NULL, 1, &device, NULL, NULL, &error);
  check (error, "clCreateContext");
  queue = clCreateCommandQueueWithProperties (gpu, device, NULL, &error);
  check (error, "clCreateCommandQueueWithProperties");
}

/* What a word in a test's source needs. */
static const struct {
  const char *word, *feature;
} needs[] = { { "memory_order_acq", "__opencl_c_atomic_order_acq_rel" },
              { "memory_order_release", "__opencl_c_atomic_order_acq_rel" },
              { "memory_order_seq_cst", "__opencl_c_atomic_order_seq_cst" },
              { "memory_scope_device", "__opencl_c_atomic_scope_device" },
              { "memory_scope_all_svm_devices", "__opencl_c_atomic_scope_all_devices" },
              { "memory_scope_sub_group", "__opencl_c_subgroups" } };

/* NULL, or why the device's compiler refuses the test. */
static const char *build (const test *t) {
  static char log[8192], text[300];
  const char *sources[] = { opencl_kernel, t->code->source };
  const char *version = modern ? "-cl-std=CL3.0" : "-cl-std=CL2.0", *line;
  cl_int error;
  program = clCreateProgramWithSource (gpu, 2, sources, NULL, &error);
  check (error, "clCreateProgramWithSource");
  if (clBuildProgram (program, 1, &device, version, NULL, NULL) == CL_SUCCESS)
    return NULL;
  clGetProgramBuildInfo (program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
  line = strstr (log, "error:");
  snprintf (text, sizeof text, "the device's compiler fails: %.*s",
            line ? (int) strcspn (line, "\n") : 0, line ? line : "");
  return text;
}

const char *target_refuses (const test *t) {
  static char text[128];
  if (t->n_devices > 1)
    return "its scope tree has several devices, and the opencl target runs on one";
  if (strstr (t->code->source, "atomic_int64") && !strstr (extensions, "cl_khr_int64_base_atomics"))
    return "the device lacks cl_khr_int64_base_atomics";
  for (unsigned i = 0; modern && i < sizeof needs / sizeof *needs; i++)
    if (strstr (t->code->source, needs[i].word)) {
      snprintf (text, sizeof text, " %s ", needs[i].feature);
      if (strstr (features, text))
        continue;
      snprintf (text, sizeof text, "the device lacks the feature %s", needs[i].feature);
      return text;
    }
  return build (t);
}

/* ---- One test ---- */

typedef struct job {
  runner r;
  cl_program program;
  cl_kernel run, collect;
  cl_mem memory, results, truncated, scratch, states, launch_buffer;
  int64_t *seen;
  cl_uint *was_truncated;
} job;

static cl_mem make_buffer (size_t size) {
  cl_int error;
  cl_uint zero = 0;
  size = (size + 7) / 4 * 4;
  cl_mem buffer = clCreateBuffer (gpu, CL_MEM_READ_WRITE, size, NULL, &error);
  check (error, "clCreateBuffer");
  check (clEnqueueFillBuffer (queue, buffer, &zero, 4, 0, size, 0, NULL, NULL),
         "clEnqueueFillBuffer");
  return buffer;
}

static cl_kernel make_kernel (job *j, const char *suffix) {
  char name[64];
  cl_int error;
  snprintf (name, sizeof name, "%s_%s", j->r.t->code->name, suffix);
  cl_kernel kernel = clCreateKernel (j->program, name, &error);
  check (error, "clCreateKernel");
  return kernel;
}

static void begin_job (job *j) {
  const test *t = j->r.t;
  size_t words
      = (size_t) t->global_units * MOST_INSTANCES * 32 + (size_t) (t->n_locations + 1) * 4096;
  j->program = program;
  j->run = make_kernel (j, "run");
  j->collect = make_kernel (j, "collect");
  j->memory = make_buffer (t->unit * words);
  j->results = make_buffer ((t->n_results + 1) * MOST_INSTANCES * sizeof (int64_t));
  j->truncated = make_buffer (MOST_INSTANCES * 4);
  j->scratch = make_buffer (SCRATCH * 4);
  j->states = make_buffer ((t->n_state + 1) * MOST_INSTANCES * sizeof (int64_t));
  j->launch_buffer = make_buffer (sizeof (launch));
  j->seen = (int64_t *) malloc ((t->n_state + 1) * MOST_INSTANCES * sizeof (int64_t));
  j->was_truncated = (cl_uint *) malloc (MOST_INSTANCES * 4);
}

static void end_job (job *j) {
  cl_mem buffers[]
      = { j->memory, j->results, j->truncated, j->scratch, j->states, j->launch_buffer };
  for (unsigned i = 0; i < sizeof buffers / sizeof *buffers; i++)
    clReleaseMemObject (buffers[i]);
  clReleaseKernel (j->run);
  clReleaseKernel (j->collect);
  clReleaseProgram (j->program);
  free (j->seen);
  free (j->was_truncated);
}

static unsigned common_divisor (unsigned a, unsigned b) {
  return b ? common_divisor (b, a % b) : a;
}

static void permute_blocks (launch *l, uint64_t *random) {
  do
    l->block_factor = random_below (random, l->blocks) + 1;
  while (common_divisor (l->block_factor, l->blocks) != 1);
  l->block_shift = random_below (random, l->blocks);
}

static launch make_launch (job *j, const parameters *p) {
  const test *t = j->r.t;
  launch l;
  memset (&l, 0, sizeof l);
  l.instances = p->value[P_instances];
  l.per_block = p->value[P_per_block];
  l.step = p->value[P_step];
  l.skew = p->value[P_skew];
  l.together = p->value[P_together];
  l.delay = p->value[P_delay];
  l.warm = p->value[P_warm];
  l.stress_blocks = p->value[P_blocks];
  l.rounds = p->value[P_rounds];
  l.pattern = p->value[P_pattern];
  l.groups = t->n_groups;
  l.blocks = l.instances / l.per_block * l.groups;
  l.block_factor = 1;
  l.seed = (cl_uint) random_next (&j->r.random);
  if (p->value[P_shuffle])
    permute_blocks (&l, &j->r.random);
  for (unsigned i = 0; i < t->n_groups; i++) {
    l.members[i] = t->group_members[i];
    l.factor[i] = p->value[P_scatter] ? random_below (&j->r.random, l.instances) | 1 : 1;
    l.shift[i] = random_below (&j->r.random, l.instances / l.per_block) * l.per_block;
  }
  return l;
}

static void set_arguments (cl_kernel kernel, const cl_mem *buffers, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    check (clSetKernelArg (kernel, i, sizeof (cl_mem), &buffers[i]), "clSetKernelArg");
}

static void start (cl_kernel kernel, size_t all, size_t block) {
  check (clEnqueueNDRangeKernel (queue, kernel, 1, NULL, &all, &block, 0, NULL, NULL),
         "clEnqueueNDRangeKernel");
}

static void collect (job *j, const launch *l, histogram *h) {
  const cl_mem buffers[] = { j->launch_buffer, j->memory, j->results, j->truncated, j->states };
  size_t n = j->r.t->n_state;
  set_arguments (j->collect, buffers, 5);
  start (j->collect, l->instances, 64);
  check (clEnqueueReadBuffer (queue, j->states, CL_TRUE, 0, n * l->instances * 8, j->seen, 0, NULL,
                              NULL),
         "clEnqueueReadBuffer");
  check (clEnqueueReadBuffer (queue, j->truncated, CL_TRUE, 0, l->instances * 4, j->was_truncated,
                              0, NULL, NULL),
         "clEnqueueReadBuffer");
  for (unsigned i = 0; h && i < l->instances; i++) {
    h->runs++;
    if (j->was_truncated[i])
      h->truncated++;
    else
      histogram_add (h, j->seen + i * n, 1);
  }
}

static void run (runner *r, const parameters *p, uint64_t most, histogram *h) {
  job *j = (job *) r;
  const test *t = r->t;
  const cl_mem buffers[] = { j->launch_buffer, j->memory, j->results, j->truncated, j->scratch };
  launch l = make_launch (j, p);
  cl_uint zero = 0;
  unsigned members = 1;
  (void) most;
  for (unsigned i = 0; i < t->n_groups; i++)
    members = l.members[i] > members ? l.members[i] : members;
  check (clEnqueueWriteBuffer (queue, j->launch_buffer, CL_TRUE, 0, sizeof l, &l, 0, NULL, NULL),
         "clEnqueueWriteBuffer");
  check (clEnqueueFillBuffer (queue, j->truncated, &zero, 4, 0, l.instances * 4, 0, NULL, NULL),
         "clEnqueueFillBuffer");
  collect (j, &l, NULL); /* resets */
  set_arguments (j->run, buffers, 5);
  check (clSetKernelArg (j->run, 5, t->unit * (t->local_units + 1) * l.per_block, NULL),
         "clSetKernelArg");
  start (j->run, (size_t) (l.blocks + l.stress_blocks) * l.per_block * members,
         l.per_block * members);
  collect (j, &l, h);
}

/* They are already in the histogram. */
static void take_states (runner *r, histogram *h) {
  (void) r;
  (void) h;
}

void target_run (const test *t, const settings *s, histogram *h, char *out, size_t size) {
  job j;
  memset (&j, 0, sizeof j);
  j.r = (runner){ t, s, "launch", 0, run, take_states };
  begin_job (&j);
  runner_go (&j.r, h, out, size);
  end_job (&j);
}

#endif
#endif
