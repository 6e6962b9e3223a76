/* What GLib's own build would find out about Emscripten's C library (musl, without threads), for
 * the files of GLib that are compiled for the workbench. */
#ifndef RSP_WEB_GLIB_CONFIG_H
#define RSP_WEB_GLIB_CONFIG_H

#define ALIGNOF_GUINT32                4
#define ALIGNOF_GUINT64                8
#define ALIGNOF_UNSIGNED_LONG          4
#define GETTEXT_PACKAGE                "glib20"
#define GLIB_LOCALE_DIR                "/usr/share/locale"
#define GLIB_CHARSETALIAS_DIR          "/usr/lib"
#define GLIB_BINARY_AGE                7406
#define GLIB_INTERFACE_AGE             6
#define HAVE_ALLOCA                    1
#define HAVE_ALLOCA_H                  1
#define HAVE_C99_SNPRINTF              1
#define HAVE_C99_VSNPRINTF             1
#define HAVE_UNIX98_PRINTF             1
#define HAVE_CODESET                   1
#define HAVE_DECL_GETC_UNLOCKED        1
#define HAVE_DIRENT_H                  1
#define HAVE_FSYNC                     1
#define HAVE_GETPWUID_R                1
#define HAVE_GMTIME_R                  1
#define HAVE_INTTYPES_H_WITH_UINTMAX   1
#define HAVE_LANGINFO_CODESET          1
#define HAVE_LOCALTIME_R               1
#define HAVE_LONG_LONG                 1
#define HAVE_LSTAT                     1
#define HAVE_MALLOC_H                  1
#define HAVE_MEMALIGN                  1
#define HAVE_NEWLOCALE                 1
#define HAVE_NL_LANGINFO               1
#define HAVE_O_CLOEXEC                 1
#define HAVE_POLL                      1
#define HAVE_POSIX_MEMALIGN            1
#define HAVE_PTHREAD_CONDATTR_SETCLOCK 1
#define HAVE_READLINK                  1
#define HAVE_SCHED_H                   1
#define HAVE_SETENV                    1
#define HAVE_SIG_ATOMIC_T              1
#define HAVE_SNPRINTF                  1
#define HAVE_STDATOMIC_H               1
#define HAVE_STDINT_H                  1
#define HAVE_STDINT_H_WITH_UINTMAX     1
#define HAVE_STPCPY                    1
#define HAVE_STRCASECMP                1
#define HAVE_STRERROR_R                1
#define HAVE_STRNCASECMP               1
#define HAVE_STRNLEN                   1
#define HAVE_STRSIGNAL                 1
#define HAVE_SYS_PARAM_H               1
#define HAVE_SYS_RESOURCE_H            1
#define HAVE_SYS_SELECT_H              1
#define HAVE_SYS_TIME_H                1
#define HAVE_UNSETENV                  1
#define HAVE_USELOCALE                 1
#define HAVE_VASPRINTF                 1
#define HAVE_WCHAR_H                   1
#define HAVE_WCHAR_T                   1
#define HAVE_WCSLEN                    1
#define HAVE_WCSNLEN                   1
#define HAVE_WINT_T                    1
#define SIZEOF_CHAR                    1
#define SIZEOF_INT                     4
#define SIZEOF_LONG                    4
#define SIZEOF_LONG_LONG               8
#define SIZEOF_SHORT                   2
#define SIZEOF_SIZE_T                  4
#define SIZEOF_VOID_P                  4
#define SIZEOF_WCHAR_T                 4
#define USE_SYSTEM_PRINTF              1

/* WebAssembly ends a call that has more arguments than the function, as GLib's sorting and freeing
 * make them. glib.sh makes them call these. */
static inline int web_compare (const void *a, const void *b, void *compare) {
  return ((int (*) (const void *, const void *)) compare) (a, b);
}

static inline void web_free (void *item, void *free_item) {
  ((void (*) (void *)) free_item) (item);
}

#endif
