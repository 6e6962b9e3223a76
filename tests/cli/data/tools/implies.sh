#!/bin/sh
# Prints the answers of the test FILE to questions that tell how connectives bind. Of each pair a row: the spelling
# without parentheses, and its two readings.
# usage: implies.sh RSPCHECK FILE
while read -r formula; do
  { grep -vE '^ *(exists|forall|~exists)' "$2"; printf 'exists (%s)\n' "$formula"; } > asked.litmus
  "$1" -q asked.litmus | grep -E '^(Ok|No)$' || echo error
done << 'END' | paste -d ' ' - - -
true \/ true => false
true \/ (true => false)
(true \/ true) => false
false /\ true => true
false /\ (true => true)
(false /\ true) => true
false => true /\ false
(false => true) /\ false
false => (true /\ false)
false => true => false
false => (true => false)
(false => true) => false
not true => true
(not true) => true
not (true => true)
true \/ true /\ false
true \/ (true /\ false)
(true \/ true) /\ false
END
