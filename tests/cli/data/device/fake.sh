#!/bin/sh
# A compiler that turns anything into a program that prints $FAKE_LOG and exits with $FAKE_STATUS.
case "$*" in
*"-o suite"*)
  # shellcheck disable=SC2016 # for the program, not for this one
  { echo '#!/bin/sh'; echo 'cat "$FAKE_LOG"'; echo 'echo "$FAKE_SAYS" >&2'; echo 'exit "$FAKE_STATUS"'; } >suite
  chmod +x suite ;;
esac
[ -z "$FAKE_ERROR" ] || { echo "$FAKE_ERROR" >&2; exit 1; }
