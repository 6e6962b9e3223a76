#include "cli/device/interrupt.h"
#include "cli/run/signals.h"

#include <glib-unix.h>
#include <signal.h>

/* A separate thread handles the signals, since the one that waits for a program runs no main loop
 * of ours. */
struct CliInterrupt {
  GCancellable *cancellable;
  GMainContext *context;
  GMainLoop *loop;
  GThread *thread;
  gint signal; /* atomic */
};

typedef struct Watch {
  CliInterrupt *interrupt;
  int signal;
} Watch;

static gboolean take_signal (gpointer data) {
  const Watch *watch = data;
  g_atomic_int_set (&watch->interrupt->signal, watch->signal);
  g_cancellable_cancel (watch->interrupt->cancellable);
  return G_SOURCE_CONTINUE;
}

static void watch_signal (CliInterrupt *interrupt, int number) {
  Watch *watch = g_new (Watch, 1);
  g_autoptr (GSource) source = g_unix_signal_source_new (number);
  *watch = (Watch){ interrupt, number };
  g_source_set_callback (source, take_signal, watch, g_free);
  g_source_attach (source, interrupt->context);
}

static gpointer run_loop (gpointer data) {
  g_main_loop_run (data);
  return NULL;
}

CliInterrupt *cli_interrupt_watch (void) {
  static const int ending[] = { SIGINT, SIGTERM };
  CliInterrupt *interrupt = g_new0 (CliInterrupt, 1);
  interrupt->cancellable = g_cancellable_new ();
  interrupt->context = g_main_context_new ();
  interrupt->loop = g_main_loop_new (interrupt->context, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (ending); i++)
    if (!cli_signal_is_ignored (ending[i]))
      watch_signal (interrupt, ending[i]);
  interrupt->thread = g_thread_new ("signals", run_loop, interrupt->loop);
  return interrupt;
}

GCancellable *cli_interrupt_cancellable (const CliInterrupt *interrupt) {
  return interrupt->cancellable;
}

static gboolean quit_loop (gpointer loop) {
  g_main_loop_quit (loop);
  return G_SOURCE_REMOVE;
}

int cli_interrupt_end (CliInterrupt *interrupt) {
  /* as an event of the loop, which may not have begun to run */
  g_autoptr (GSource) quit = g_idle_source_new ();
  g_source_set_callback (quit, quit_loop, interrupt->loop, NULL);
  g_source_attach (quit, interrupt->context);
  g_thread_join (interrupt->thread);
  int number = interrupt->signal;
  g_main_loop_unref (interrupt->loop);
  g_main_context_unref (interrupt->context);
  g_object_unref (interrupt->cancellable);
  g_free (interrupt);
  return number;
}
