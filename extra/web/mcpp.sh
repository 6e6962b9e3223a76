#!/bin/sh
# extra/web/mcpp.sh FOLDER: puts the source of MCPP, a preprocessor of C, as Debian has it, into FOLDER/mcpp.
set -eu
# shellcheck source=extra/web/debian.sh
. "$(dirname "$0")/debian.sh"
mkdir -p "$1"
cd "$1"
rm -rf mcpp
debian_source mcpp
