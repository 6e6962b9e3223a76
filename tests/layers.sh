#!/bin/bash
# Includes go one way: tests/layers.sh fails if a file includes a header that its folder must not know.
# One row per folder: what it may include besides itself and public/ (a folder, or one subfolder or header of it). A folder
# that is not in the table may not have C files. A folder of extra/ may include the whole core, and the folders that it
# needs by its row in cli/extras.def.
set -u
cd "$(dirname "$0")/.." || exit 1
allowed () {
  case $1 in
    public)     echo ;;
    base)       echo ;;
    lexer)      echo base ;;
    parser)     echo base lexer ;;
    model)      echo base parser/cat parser/scopes.def parser/language.h parser/languages.def ;;
    enumerator) echo base model parser/program.h parser/scopes.def parser/languages.def parser/translation.h ;;
    report)     echo base model parser enumerator/execution.h enumerator/terms enumerator/outcome.h enumerator/statistics.def enumerator/search/evidence.h enumerator/search/hang.h ;;
    explain)    echo base model parser enumerator report/record.h report/explanation.h ;;
    api)        echo base model parser enumerator report explain ;;
    cli)        echo base lexer model parser enumerator report explain api ;;
    extra/web)  echo base report cli ;;
    extra/*)    grep -q "^EXTRA (${1#extra/}," cli/extras.def || return 1
                echo base lexer model parser enumerator report explain api cli
                sed -n "s/^EXTRA (${1#extra/}, *\(.*\))/\1/p" cli/extras.def | tr , ' ' | sed 's|\([a-z][a-z]*\)|extra/\1|g' ;;
    *)          return 1 ;;
  esac
}

passed=0
failed=0
declare -A may_of=() # folder -> what it may include
declare -A bad=()    # files that include something else
mapfile -t files < <(git ls-files '*.c' '*.h' '*.l' '*.y' '*.inc' '*.def' | grep -Ev '^(tests|bench|docs|litmus)/')
while IFS=: read -r file header; do
  folder=${file%%/*}
  if [ "$folder" = extra ]; then
    folder=${file#extra/}
    folder=extra/${folder%%/*}
  fi
  if [ -z "${may_of[$folder]+known}" ]; then
    may_of[$folder]=$(allowed "$folder" || echo none)
  fi
  ok=
  for prefix in "$folder" public ${may_of[$folder]}; do
    [[ -z $header || $header == "$prefix" || $header == "$prefix"/* ]] && ok=yes
  done
  if [ "${may_of[$folder]}" = none ]; then
    bad[$file]="the folder $folder is not in the table of tests/layers.sh"
  elif [ -z "$ok" ]; then
    bad[$file]="includes $header, but $folder/ may include only itself and: ${may_of[$folder]}"
  fi
  # Each file with nothing, then with each header that it includes.
done < <(printf '%s:\n' "${files[@]}"
  grep -HE '^ *#include "' "${files[@]}" | sed -n 's|: *#include "\(generated/\)\{0,1\}\([a-z]*/[^"]*\)".*|:\2|p')
for file in "${files[@]}"; do
  if [ -z "${bad[$file]+known}" ]; then
    passed=$((passed + 1))
  else
    echo "FAIL layers: $file: ${bad[$file]}"
    failed=$((failed + 1))
  fi
done

# Records and outcomes describe results without a model: of all that their headers include, nothing knows
# cat or how models are evaluated.
for header in report/record.h enumerator/outcome.h; do
  known=$(${CC:-cc} -I. -MM -MG "$header" | tr -s ' \134' '\n' | grep -E '^(parser/cat/|model/(model|dag/|stage/)|enumerator/search/)')
  if [ -z "$known" ]; then
    passed=$((passed + 1))
  else
    echo "FAIL layers: $header includes, in the end: $known"
    failed=$((failed + 1))
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
