#!/bin/bash
# Other forms of the guides in docs/, made by lowdown:
#
#   scripts/manual.sh man [DIR]    rspcheck-litmus.5 and rspcheck-cat.5, in DIR (docs)
#   scripts/manual.sh html DIR     README.md as index.html, and each guide as HTML, next to the schemas
set -eu
cd "$(dirname "$0")/.."
if ! command -v lowdown > /dev/null; then
  echo "scripts/manual.sh: lowdown is needed (Debian: apt-get install lowdown)" >&2
  exit 2
fi

# man_page NAME PURPOSE SOURCE: on a page of section 5 a guide's title is NAME, its sections are the page's,
# links to other guides are their names, and links within it are words.
man_page () {
  {
    printf '# NAME\n\n%s - %s\n\n# DESCRIPTION\n' "$1" "$2"
    sed -E -e '/^<!--/d' -e '1{/^# /d}' -e '/^- \[[^]]*\]\(#/d' -e 's/^##/#/' \
      -e 's/\[(litmus|cat)\.md\]\(\1\.md[^)]*\)/**rspcheck-\1**(5)/g' \
      -e 's/\[([^]]*)\]\(([a-z-]+)\.md[^)]*\)/\1 (\2.html)/g' -e 's/\[([^]]*)\]\(#[^)]*\)/\1/g' "$3"
    printf '\n# SEE ALSO\n\n**rspcheck**(1), **rspcheck-litmus**(5), **rspcheck-cat**(5)\n'
  } | lowdown -s -T man --parse-no-metadata -m title:"${1^^}" -m section:5 -m source:rspcheck \
        -m volume:'File formats' -
}

# html_page SOURCE TITLE: links go to other pages' HTML.
html_page () {
  sed -E -e 's#\]\(docs/#](#g' -e 's#\]\(([a-z-]+)\.md#](\1.html#g' "$1" \
    | lowdown -s -T html --parse-no-metadata -m title:"rspcheck: $2" -
}

case ${1-} in
  man)
    to=${2-docs}
    man_page rspcheck-litmus 'the language of litmus tests that rspcheck reads' docs/litmus.md > "$to/rspcheck-litmus.5"
    man_page rspcheck-cat 'the language of memory models that rspcheck reads' docs/cat.md > "$to/rspcheck-cat.5"
    ;;
  html)
    mkdir -p "$2"
    html_page README.md 'what it is' > "$2/index.html"
    for page in docs/*.md; do
      name=$(basename "$page" .md)
      html_page "$page" "$(sed -n '1s/^# //p' "$page")" > "$2/$name.html"
    done
    cp SECURITY.md docs/schema*.json docs/*.png docs/*.svg "$2/"
    ;;
  *)
    sed -n '2,5s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac
