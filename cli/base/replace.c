/* The new text is written into a file without a name, so that no file is left if the program is
 * killed; if the file system does not support that, into a file with a name. The new file then
 * replaces the old one. */
#include "cli/base/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

static gboolean
write_all (int file, const GString *text)
{
  for (gsize done = 0; done < text->len;)
    {
      gssize written = write (file, text->str + done, text->len - done);
      if (written < 0 && errno != EINTR)
        return FALSE;
      done += written > 0 ? (gsize) written : 0;
    }
  return fsync (file) == 0;
}

/* Creates a file without a name in the folder or, if that fails, with the name `other`; -1 with
 * errno on failure. */
static int
open_new (const char *folder, const char *other, gboolean *named)
{
  *named = FALSE;
  int file = open (folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT && errno != EINVAL))
    return file;
  *named = TRUE;
  return open (other, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666);
}

/* Gives a file without a name the name `other`, replacing any file left by an earlier run. */
static gboolean
name_file (int file, const char *other)
{
  g_autofree char *open_file = g_strdup_printf ("/proc/self/fd/%d", file);
  g_unlink (other);
  return linkat (AT_FDCWD, open_file, AT_FDCWD, other, AT_SYMLINK_FOLLOW) == 0;
}

static gboolean
fill (int file, const char *path, const GString *text)
{
  struct stat old;
  return write_all (file, text)
         && (stat (path, &old) != 0 || fchmod (file, old.st_mode & 07777) == 0);
}

int
replace_file (const char *path, const GString *text)
{
  g_autofree char *folder = g_path_get_dirname (path), *name = g_path_get_basename (path);
  g_autofree char *hidden = g_strdup_printf (".%s.new", name);
  g_autofree char *other = g_build_filename (folder, hidden, NULL);
  gboolean named;
  int file = open_new (folder, other, &named);
  if (file < 0)
    return errno;
  gboolean whole = fill (file, path, text) && (named || (named = name_file (file, other)));
  int failure = whole ? 0 : errno;
  if (close (file) != 0 && whole)
    failure = errno;
  if (!failure && g_rename (other, path) != 0)
    failure = errno;
  if (failure && named)
    g_unlink (other);
  return failure;
}
