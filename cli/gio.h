/* GIO's functions for -serve and -run, loaded when these start (cli/lazy.h). */
#pragma once

#include <gio/gio.h>

/* The functions that are called, without "g_". */
#define CLI_GIO(USE)                                                                               \
  USE (cancellable_cancel)                                                                         \
  USE (cancellable_new)                                                                            \
  USE (inet_address_new_loopback)                                                                  \
  USE (inet_socket_address_get_port)                                                               \
  USE (inet_socket_address_new)                                                                    \
  USE (socket_accept)                                                                              \
  USE (socket_bind)                                                                                \
  USE (socket_connection_factory_create_connection)                                                \
  USE (socket_create_source)                                                                       \
  USE (socket_get_fd)                                                                              \
  USE (socket_get_local_address)                                                                   \
  USE (socket_get_remote_address)                                                                  \
  USE (socket_listen)                                                                              \
  USE (socket_new)                                                                                 \
  USE (socket_set_blocking)                                                                        \
  USE (socket_set_listen_backlog)                                                                  \
  USE (socket_set_option)                                                                          \
  USE (socket_shutdown)                                                                            \
  USE (subprocess_communicate_utf8)                                                                \
  USE (subprocess_force_exit)                                                                      \
  USE (subprocess_get_exit_status)                                                                 \
  USE (subprocess_get_identifier)                                                                  \
  USE (subprocess_get_if_exited)                                                                   \
  USE (subprocess_get_if_signaled)                                                                 \
  USE (subprocess_get_successful)                                                                  \
  USE (subprocess_get_term_sig)                                                                    \
  USE (subprocess_launcher_new)                                                                    \
  USE (subprocess_launcher_set_child_setup)                                                        \
  USE (subprocess_launcher_set_cwd)                                                                \
  USE (subprocess_launcher_set_stderr_file_path)                                                   \
  USE (subprocess_launcher_set_stdin_file_path)                                                    \
  USE (subprocess_launcher_set_stdout_file_path)                                                   \
  USE (subprocess_launcher_spawnv)                                                                 \
  USE (subprocess_wait)                                                                            \
  USE (subprocess_wait_async)                                                                      \
  USE (subprocess_wait_finish)

typedef struct CliGio {
#define CLI_GIO_POINTER(name) __typeof__ (g_##name) *name;
  CLI_GIO (CLI_GIO_POINTER)
#undef CLI_GIO_POINTER
} CliGio;

/* Its pointers are valid after cli_load_gio. */
extern CliGio cli_gio;

gboolean cli_load_gio (GError **error);
