# shellcheck shell=sh
# debian_source PACKAGE: unpacks its source, as Debian has it and with Debian's patches, into ./PACKAGE. Needs apt-get and the
# network. For `.` in a shell with set -eu; the folder must not be there.
debian_source () {
  here=$PWD/apt-$1
  rm -rf "$here"
  mkdir -p "$here/lists/partial" "$here/cache" "$here/unpacked"
  cat > "$here/source.sources" <<END
Types: deb-src
URIs: http://deb.debian.org/debian
Suites: bookworm
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
END
  apt () {
    apt-get -qq -o Dir::Etc::sourcelist="$here/source.sources" -o Dir::Etc::sourceparts=/dev/null \
      -o Dir::State::lists="$here/lists" -o Dir::Cache="$here/cache" -o APT::Sandbox::User=root "$@"
  }
  apt update
  (cd "$here" && apt source --download-only "$1")
  tar -xf "$here/$1"_*.orig.tar.* -C "$here/unpacked" --strip-components=1
  tar -xf "$here/$1"_*.debian.tar.* -C "$here/unpacked"
  (cd "$here/unpacked" && sed '/^#/d' debian/patches/series 2>/dev/null | while read -r patch; do patch -s -p1 < "debian/patches/$patch"; done)
  mv "$here/unpacked" "$1"
  rm -rf "$here"
}
