#include "cli/internal.h"
#include "cli/lazy.h"

#include <gio/gio.h>
#include <stdlib.h>

/* The functions of functions.def under their own names: each loads the library's function when it
 * is first called, and calls it. The compiler compares them with the declarations in the libraries'
 * headers. */

#ifdef RSP_SERVES
#include <libsoup/soup.h>
#endif
#undef g_object_ref /* a macro around the function */

/* No caller can continue without the function. */
static gpointer load (gpointer *address, CliLibrary library, const char *name) {
  g_autoptr (GError) error = NULL;
  gpointer function = cli_lazy_find (library, name, &error);
  if (!function) {
    g_printerr ("error: %s\n", error->message);
    exit (CLI_STATUS_UNFINISHED);
  }
  g_atomic_pointer_set (address, function);
  return function;
}

/* The body of a function: finds the library's own and calls it. */
#define BODY(library, type, name, parameters, arguments)                                           \
  {                                                                                                \
    static gpointer address;                                                                       \
    gpointer known = g_atomic_pointer_get (&address);                                              \
    type (*function) parameters = known ? known : load (&address, CLI_LIBRARY_##library, #name);   \
    return function arguments;                                                                     \
  }

#define FUNCTION_0(library, type, name)    type name (void) BODY (library, type, name, (void), ())
#define FUNCTION_1(library, type, name, A) type name (A a) BODY (library, type, name, (A), (a))
#define FUNCTION_2(library, type, name, A, B)                                                      \
  type name (A a, B b) BODY (library, type, name, (A, B), (a, b))
#define FUNCTION_3(library, type, name, A, B, C)                                                   \
  type name (A a, B b, C c) BODY (library, type, name, (A, B, C), (a, b, c))
#define FUNCTION_4(library, type, name, A, B, C, D)                                                \
  type name (A a, B b, C c, D d) BODY (library, type, name, (A, B, C, D), (a, b, c, d))
#define FUNCTION_5(library, type, name, A, B, C, D, E)                                             \
  type name (A a, B b, C c, D d, E e) BODY (library, type, name, (A, B, C, D, E), (a, b, c, d, e))
#define FUNCTION_6(library, type, name, A, B, C, D, E, F)                                          \
  type name (A a, B b, C c, D d, E e, F f)                                                         \
      BODY (library, type, name, (A, B, C, D, E, F), (a, b, c, d, e, f))
#include "cli/lazy_functions.def"
