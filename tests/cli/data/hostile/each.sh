#!/bin/bash
# Reads every file of the current folder with its front end; names those that end with a signal or are not done in a minute.
files=(*)
for f in "${files[@]}"; do
  case $f in
    *.cl) set -- -kernel "$f" -grid 1x1 ;;
    *.cat) set -- -model "./$f" ../wide.litmus ;;
    *.map) set -- -machine sc -map "./$f" ../wide.litmus ;;
    *.jsonl) set -- -compare "$f" "$f" ;;
    *) set -- "$f" ;;
  esac
  status=0
  timeout 60 "$PROGRAM" -timeout 0.2 "$@" > out 2>&1 || status=$?
  [ "$status" -lt 4 ] || echo "$f: $status"
done
echo "${#files[@]} files"
