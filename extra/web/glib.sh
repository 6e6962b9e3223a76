#!/bin/sh
# extra/web/glib.sh FOLDER: puts the source of GLib, as Debian has it, into FOLDER/glib, with the glibconfig.h of a machine with
# pointers of 32 bits. Needs apt-get and the network once.
set -eu
# shellcheck source=extra/web/debian.sh
. "$(dirname "$0")/debian.sh"
mkdir -p "$1"
cd "$1"
[ -e glib/glibconfig.h ] && exit 0
rm -rf glib glib2.0
debian_source glib2.0
mv glib2.0/glib glib
rm -rf glib2.0
rm -f glib/*.d # no dependencies for make
# Calls of functions with more arguments than they have: config.h says what is put in between.
(cd glib && sed -i \
  -e '/(GCompareDataFunc) *compare_func, *$/{N;s/(GCompareDataFunc) *compare_func,\(.*\)NULL/web_compare,\1(gpointer) compare_func/}' \
  -e 's/(GCompareDataFunc) key_compare_func, NULL/web_compare, (gpointer) key_compare_func/' \
  -e 's/(GFunc) free_func, NULL/web_free, (gpointer) free_func/' \
  -e 's/(GFunc) \(compare_func\|func\), NULL/(GFunc) web_compare, (gpointer) \1/' garray.c glist.c gslist.c gqueue.c gtree.c)
sed -e '/typedef .*int64;/s/long/long long/' -e '/_GU\{0,1\}INT64_CONSTANT/s/##\(U\{0,1\}\)L/##\1LL/' \
  -e '/INT64_MODIFIER/s/"l"/"ll"/' -e '/INT64_FORMAT/s/"l/"ll/' -e '/define GLIB_SIZEOF/s/8/4/' \
  "$(pkg-config --variable=libdir glib-2.0)/glib-2.0/include/glibconfig.h" > glibconfig.h
mv glibconfig.h glib/
