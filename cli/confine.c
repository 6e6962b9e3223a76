/* -confined: checks whose tests, models and options come from elsewhere, as those of -serve do. */
#include "api/api.h"
#include "cli/extra.h"
#include "cli/internal.h"
#include "cli/lazy.h"

#include <string.h>

/* Two walls. This program refuses options that are not in a list, and files outside the current
 * folder, with messages. Behind it the system refuses the same, so that a fault of this program, or
 * of the preprocessor that it starts, opens nothing: Landlock (which files; where the kernel has
 * it), seccomp (which calls), limits. Neither can be lifted. */

/* ---- Options -------------------------------------------------------------------------------- */

/* The harmless options of cli/option_table.c; the folders of extra/ list their own (`inside`). */
static const char *const inside[] = { "model",       "I",          "variant",
                                      "skipcheck",   "Wno-unused", "Wno-empty",
                                      "initwrites",  "through",    "Wno-precedence",
                                      "names",       "kinds",      "conds",
                                      "strict",      "help-model", "Wno-same-name",
                                      "unroll",      "spin",       "progress",
                                      "engine",      "speedcheck", "Wno-unchecked",
                                      "timeout",     "max-memory", "max-input",
                                      "j",           "resume",     "max-executions",
                                      "shard",       "explain",    "outcome",
                                      "badexecs",    "badflag",    "outcomereads",
                                      "show",        "nshow",      "format",
                                      "gv",          "doshow",     "unshow",
                                      "edgeattr",    "json",       "tsv",
                                      "diff",        "merge",      "compare",
                                      "o",           "html",       "latex",
                                      "live",        "expect",     "promote",
                                      "no-progress", "q",          "v",
                                      "watch",       "conf",       "version",
                                      "help",        "help-all",   "completion",
                                      "man",         "placement",  NULL };

/* Does a value name something in the current folder itself, by no link? */
static gboolean is_plain (const char *value) {
  return !value
         || (!strchr (value, '/') && *value != '.'
             && !g_file_test (value + (*value == '@'), G_FILE_TEST_IS_SYMLINK));
}

gboolean cli_confined_allows (const CliOptions *options, const CliOption *option, const char *value,
                              RspDiagnostics *diagnostics) {
  gboolean is_inside
      = option ? (g_strv_contains (inside, option->name) || cli_extra_is_inside (option->name))
                     && (is_plain (value) || !cli_option_names_files (option))
               : is_plain (value);
  if (!options->confined || is_inside)
    return TRUE;
  rsp_error (diagnostics, RSP_NOWHERE, NULL, "`%s%s` is outside what -confined allows",
             option ? "-" : "", option ? option->name : value);
  return FALSE;
}

gboolean cli_confined_affords (CliOptions *options, const CliOption *option,
                               RspDiagnostics *diagnostics) {
  if (options->confined && !options->most_memory) /* it has just been given */
    options->most_memory
        = options->check.max_memory ? options->check.max_memory : RSP_DEFAULT_MEMORY;
  if (!options->confined || options->check.max_memory <= options->most_memory)
    return TRUE;
  g_autofree char *most = rsp_size_format (options->most_memory);
  rsp_error (diagnostics, RSP_NOWHERE, "give -serve itself, or -confined after it, a larger one",
             "`-%s`: %s is the most that -confined allows here", option->name, most);
  return FALSE;
}

/* ---- The system ----------------------------------------------------------------------------- */

#ifndef RSP_CONFINES

static gboolean enter (const CliOptions *options, const char *const *folders,
                       RspDiagnostics *diagnostics) {
  (void) options, (void) folders;
  rsp_error (diagnostics, RSP_NOWHERE, NULL,
             "this program was built without libseccomp, which -confined needs");
  return FALSE;
}

#else

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- Files ---- */
/* Rights that Landlock knows; linux/landlock.h may be older than the kernel. */
enum {
  READ = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
  RUN = READ | LANDLOCK_ACCESS_FS_EXECUTE,
  REFER = 1 << 13,     /* version 2 */
  TRUNCATE = 1 << 14,  /* 3 */
  IOCTL_DEV = 1 << 15, /* 5 */
  WRITE = LANDLOCK_ACCESS_FS_WRITE_FILE | TRUNCATE,
  OWN = READ | WRITE | REFER | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE
        | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG,
  OF_FILES = (RUN & ~LANDLOCK_ACCESS_FS_READ_DIR) | WRITE, /* the others are about folders */
};

typedef struct Rules {
  int rules;      /* a descriptor */
  guint64 access; /* what is refused unless a rule allows it */
} Rules;

/* Nothing if the path does not exist. */
static void allow (const Rules *rules, const char *path, guint64 access) {
  struct stat status;
  struct landlock_path_beneath_attr rule
      = { .allowed_access = access & rules->access, .parent_fd = open (path, O_PATH | O_CLOEXEC) };
  if (rule.parent_fd < 0)
    return;
  if (fstat (rule.parent_fd, &status) == 0 && !S_ISDIR (status.st_mode))
    rule.allowed_access &= OF_FILES;
  syscall (SYS_landlock_add_rule, rules->rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  close (rule.parent_fd);
}

/* Only these folders, the current one, and what programs are made of. The version of Landlock; 0:
 * the kernel has none; -1: it fails, with errno. */
static long limit_files (const char *const *folders) {
  static const char *const system[] = { "/usr",
                                        "/lib",
                                        "/lib32",
                                        "/lib64",
                                        "/bin",
                                        "/etc/ld.so.cache",
                                        "/etc/fonts",
                                        "/etc/alternatives",
                                        "/proc/self",
                                        "/var/cache/fontconfig",
                                        "/dev/urandom",
                                        "/sys/devices/system/cpu",
                                        NULL };
  long version = syscall (SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1)
    return 0;
  struct {
    guint64 access, ports, scopes;
  } handled = { .access = ((1 << 13) - 1) | (version > 1 ? REFER : 0) | (version > 2 ? TRUNCATE : 0)
                          | (version > 4 ? IOCTL_DEV : 0),
                .ports = 3,    /* bind, connect */
                .scopes = 3 }; /* abstract sockets, signals */
  gsize size = version > 5 ? sizeof handled : (version > 3 ? 2 : 1) * sizeof (guint64);
  Rules rules = { .rules = (int) syscall (SYS_landlock_create_ruleset, &handled, size, 0),
                  .access = handled.access };
  for (guint i = 0; system[i]; i++)
    allow (&rules, system[i], RUN);
  /* The folder above that of the program that CPP names: what it is made of lies there. */
  g_auto (GStrv) words = rsp_kernel_preprocessor ();
  g_autofree char *found = words[0] ? g_find_program_in_path (words[0]) : NULL;
  char *program = found ? realpath (found, NULL) : NULL;
  if (program) {
    g_autofree char *folder = g_path_get_dirname (program), *above = g_path_get_dirname (folder);
    allow (&rules, above[1] ? above : folder, RUN);
  }
  free (program);
  for (guint i = 0; folders[i]; i++)
    allow (&rules, folders[i], READ);
  allow (&rules, "/dev/null", READ | WRITE);
  allow (&rules, ".", OWN);
  long entered = syscall (SYS_landlock_restrict_self, rules.rules, 0);
  close (rules.rules);
  return entered == 0 ? version : -1;
}

/* ---- Calls ---- */
/* The system calls that a check and the preprocessor need. Others fail as if the kernel did not
 * have them, so that the C library takes older ones: no sockets, no debugging, no mounts, no
 * changes of modes and owners by name, which Landlock does not see. */
static const char calls[]
    = "access arch_prctl brk clock_getres clock_gettime clock_nanosleep close close_range "
      "copy_file_range dup dup2 dup3 epoll_create1 epoll_ctl epoll_pwait epoll_wait eventfd2 "
      "execve exit exit_group faccessat faccessat2 fadvise64 fallocate fchmod fcntl fdatasync "
      "flock fork fstat fstatfs fsync ftruncate futex futex_wait futex_wake get_robust_list "
      "getcpu getcwd getdents64 getegid geteuid getgid getgroups getitimer getpgrp getpid getppid "
      "getpriority getrandom getresgid getresuid getrlimit getrusage gettid gettimeofday getuid "
      "linkat lseek lstat madvise mbind membarrier mincore mkdir mkdirat mlock mmap mprotect "
      "mremap munlock munmap nanosleep newfstatat open openat pipe pipe2 poll ppoll pread64 "
      "preadv pselect6 pwrite64 pwritev read readlink readlinkat readv rename renameat renameat2 "
      "restart_syscall riscv_flush_icache rmdir rseq rt_sigaction rt_sigpending rt_sigprocmask "
      "rt_sigreturn rt_sigsuspend rt_sigtimedwait sched_get_priority_max sched_get_priority_min "
      "sched_getaffinity sched_getattr sched_getparam sched_getscheduler sched_yield select "
      "sendfile set_robust_list set_tid_address setitimer setrlimit sigaltstack signalfd4 stat "
      "statfs statx sysinfo timer_create timer_delete timer_settime timerfd_create "
      "timerfd_settime times umask uname unlink unlinkat vfork wait4 waitid waitpid write writev";

/* The functions that are called; loaded when a program is confined. */
#define FUNCTIONS(USE)                                                                             \
  USE (init)                                                                                       \
  USE (load)                                                                                       \
  USE (release)                                                                                    \
  USE (rule_add_array)                                                                             \
  USE (syscall_resolve_name)

static struct {
#define POINTER(name) __typeof__ (seccomp_##name) *name;
  FUNCTIONS (POINTER)
#undef POINTER
} seccomp;

/* list: names, separated by blanks; calls that the architecture does not have are skipped. */
static gboolean add_calls (scmp_filter_ctx filter, const char *list, guint n_conditions,
                           const struct scmp_arg_cmp *conditions) {
  g_auto (GStrv) names = g_strsplit (list, " ", -1);
  gboolean added = TRUE;
  for (guint i = 0; names[i] && added; i++) {
    int number = seccomp.syscall_resolve_name (names[i]);
    if (number >= 0)
      added
          = seccomp.rule_add_array (filter, SCMP_ACT_ALLOW, number, n_conditions, conditions) == 0;
  }
  return added;
}

/* 0, or an errno. */
static int limit_calls (gboolean signals_stay_inside) {
  const guint64 namespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC
                             | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
  const struct scmp_arg_cmp of_itself = SCMP_A0 (SCMP_CMP_EQ, 0),
                            to_itself = SCMP_A0 (SCMP_CMP_EQ, (scmp_datum_t) getpid ()),
                            plain = SCMP_A0 (SCMP_CMP_MASKED_EQ, namespaces, 0),
                            names = SCMP_A0 (SCMP_CMP_EQ, PR_SET_NAME);
  static const unsigned long questions[] = { TCGETS, TIOCGWINSZ, FIONREAD, FIOCLEX };
  scmp_filter_ctx filter = seccomp.init (SCMP_ACT_ERRNO (ENOSYS));
  gboolean added = filter && add_calls (filter, calls, 0, NULL)
                   && add_calls (filter, "kill tgkill tkill", !signals_stay_inside, &to_itself)
                   && add_calls (filter, "prlimit64 setpgid", 1, &of_itself)
                   && add_calls (filter, "clone", 1, &plain)
                   && add_calls (filter, "prctl", 1, &names);
  for (guint i = 0; i < G_N_ELEMENTS (questions) && added; i++) {
    const struct scmp_arg_cmp asks = SCMP_A1 (SCMP_CMP_EQ, questions[i]);
    added = add_calls (filter, "ioctl", 1, &asks);
  }
  int failure = added ? -seccomp.load (filter) : ENOMEM;
  if (filter)
    seccomp.release (filter);
  return failure;
}

/* ---- All ---- */
/* Sanitizers map all memory, and stop the program's threads at its end. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { SANITIZED = TRUE };
#else
enum { SANITIZED = FALSE };
#endif

static gboolean enter (const CliOptions *options, const char *const *folders,
                       RspDiagnostics *diagnostics) {
  g_autoptr (GError) error = NULL;
#define LOAD(name)                                                                                 \
  if (!error)                                                                                      \
    seccomp.name = cli_lazy_find (CLI_LIBRARY_SECCOMP, "seccomp_" #name, &error);
  FUNCTIONS (LOAD)
#undef LOAD
  g_setenv ("TMPDIR", ".", TRUE); /* where the preprocessor's input is written */
  int failure = error || prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : errno;
  long landlock = error || failure ? 0 : limit_files (folders);
  failure = landlock < 0 ? errno : failure;
  if (!error && !failure && !SANITIZED) {
    /* What -max-memory counts is some of what a program needs, and threads have stacks. */
    rlim_t most
        = 2 * options->most_memory + (512 << 20) + (rlim_t) g_get_num_processors () * (16 << 20);
    setrlimit (RLIMIT_DATA, &(struct rlimit){ most, most });
    setrlimit (RLIMIT_CORE, &(struct rlimit){ 0, 0 });
    failure = limit_calls (landlock > 5);
  }
  if (error || failure)
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "the program cannot be confined: %s",
               error ? error->message : g_strerror (failure));
  return !error && !failure;
}

#endif

gboolean cli_confine (const CliOptions *options, RspDiagnostics *diagnostics) {
  g_autoptr (GPtrArray) own
      = g_ptr_array_new (); /* -I: those given before -confined are anywhere */
  g_ptr_array_add (own, (gpointer) ".");
  for (guint i = 0; i < options->directories->len; i++)
    g_ptr_array_add (own, options->directories->pdata[i]);
  g_ptr_array_add (own, NULL);
  g_auto (GStrv) models = rsp_directories ("cat", (const char *const *) own->pdata, NULL);
  g_auto (GStrv) mappings = rsp_directories ("machine", NULL, NULL);
  rsp_source_confine ((const char *const *) models);
  rsp_source_confine ((const char *const *) mappings);
  g_autoptr (GPtrArray) folders = g_ptr_array_new ();
  for (guint i = 0; models[i]; i++)
    g_ptr_array_add (folders, models[i]);
  for (guint i = 0; mappings[i]; i++)
    g_ptr_array_add (folders, mappings[i]);
  g_ptr_array_add (folders, NULL);
  return enter (options, (const char *const *) folders->pdata, diagnostics);
}
