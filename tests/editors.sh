#!/bin/bash
# Files for shells and editors: completion in each shell, colours in Vim, and the extension for
# Visual Studio Code: tests/editors.sh BUILD PROGRAM. A shell or editor that is not installed is skipped.
set -u
cd "$(dirname "$0")/.." || exit 1
unset MAKEFLAGS MAKELEVEL
build=$1
program=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
passed=0
failed=0

# same WHAT EXPECTED FOUND
# shellcheck disable=SC2001 # each line is indented
same () {
  if [ "$2" = "$3" ]; then
    passed=$((passed + 1))
  else
    echo "FAIL editors: $1: expected"
    sed 's/^/    /' <<<"$2"
    echo "  found"
    sed 's/^/    /' <<<"$3"
    failed=$((failed + 1))
  fi
}

make --no-print-directory -s editors || exit 1

# Every option of -help-all is in every script, and no other.
options=$("$program" -help-all | grep -oE '^  -[A-Za-z-]+' | tr -d ' ' | grep -v '^-h$' | sort -u)
same "options in bash" "$options" "$(sed -n "/-\*) _rspcheck_words/s/.*words '\(.*\)' ;;/\1/p" "$build/completion/bash" | tr ' ' '\n' | grep . | sort -u)"
same "options in zsh" "$options" "$(grep -oE "^  '\*-[A-Za-z-]+" "$build/completion/zsh" | sed "s/^  '\*//" | sort -u)"
same "options in fish" "$options" "$(grep -oE '^complete -c rspcheck -o [A-Za-z-]+' "$build/completion/fish" | sed 's/.* -o /-/' | sort -u)"

# Fish itself completes the given text.
if command -v fish >/dev/null; then
  ask_fish () { HOME=$folder fish --no-config -c "source $build/completion/fish; complete -C 'rspcheck $1'" 2>&1 | cut -f1 | sort | paste -sd' '; }
  same "fish: words" "auto bounded naive sat" "$(ask_fish '-engine ')"
  same "fish: topics" "machines models" "$(ask_fish '-help m')"
  same "fish: names" "-max-executions" "$(ask_fish '-max-e')"
  mkdir "$folder/t"; touch "$folder/t/a.litmus" "$folder/t/b.cat"
  same "fish: tests" "$folder/t/a.litmus" "$(ask_fish "$folder/t/a")"
fi

# zsh completes on a terminal of its own.
if command -v zsh >/dev/null; then
  same "zsh: reads it" "" "$(zsh -n "$build/completion/zsh" 2>&1)"
  mkdir -p "$folder/zsh"
  cp "$build/completion/zsh" "$folder/zsh/_rspcheck"
  cat > "$folder/ask.zsh" <<END
zmodload zsh/zpty
zpty z "env HOME=$folder TERM=dumb zsh -f"
zpty -w z 'PS1=; unsetopt zle_bracketed_paste; fpath=($folder/zsh \$fpath); autoload -U compinit; compinit -u -d $folder/dump; zstyle ":completion:*" list-prompt ""; LISTMAX=1000; echo rea\dy'
while zpty -r z line; do [[ \$line == *ready* ]] && break; done
zpty -n -w z \$'rspcheck -engine nai\t \C-a\C-kecho do\\\\ne\n' 2>/dev/null || zpty -w -n z \$'rspcheck -engine nai\t\n'
answer=; while zpty -r z line; do answer+=\$line; [[ \$line == *done* || \$line == *'no test'* || \$line == *naive* ]] && break; done
[[ \$answer == *naive* ]] && echo naive
zpty -d z
END
  same "zsh: words" naive "$(timeout 120 zsh -f "$folder/ask.zsh" 2>/dev/null)"
fi

# Vim's colours at places of a test and of a model.
if command -v vim >/dev/null && [ -d "$build/syntax" ]; then
  cat > "$folder/t.litmus" <<'END'
OpenCL T
{ [x]=0; } (* exists *)
P0 (global atomic_int* x) {
  atomic_store_explicit (x, 1, memory_order_relaxed, memory_scope_device);
}
exists (x=1)
END
  cat > "$folder/v.litmus" <<'END'
Vulkan T
{ x=0; }
 P0@sg 0, wg 0, qf 0 ;
 st.atom.rel.dv.sc0.semsc0 x, 1 ;
 bne r0, 1, LC00 ;
END
  cat > "$folder/m.cat" <<'END'
"A model"
let my-rel = po | rf (* let (* nested *) let *)
acyclic my-rel as base
let f = fold [SEMSC0]
undefined_unless empty 'acq as race
END
  # ask_vim FILE LINE COLUMN…: the names of the groups there
  ask_vim () {
    local file=$1 script=
    shift
    while [ $# -gt 0 ]; do
      script+="call add(g:out, synIDattr(synID($1, $2, 1), 'name'))
"
      shift 2
    done
    { echo "let g:out = []"; echo "$script"; echo "call writefile(g:out, '$folder/out')"; echo "qa!"; } > "$folder/ask.vim"
    vim -N -u NONE -i NONE -es --cmd "set rtp^=$build/syntax/vim" -c 'filetype on' -c 'syntax enable' -c "edit $file" -S "$folder/ask.vim" </dev/null
    paste -sd' ' "$folder/out"
  }
  same "Vim: a test" "litmusComment litmusThread litmusFunction litmusNumber litmusConstant litmusScope litmusQuestion litmusType" \
    "$(ask_vim "$folder/t.litmus" 2 16 3 1 4 3 4 29 4 32 4 60 6 1 3 12)"
  same "Vim: a test in columns" "litmusThread litmusFunction litmusConstant litmusConstant litmusScope litmusConstant litmusFunction" \
    "$(ask_vim "$folder/v.litmus" 3 2 4 2 4 5 4 10 4 14 4 21 5 2)"
  same "Vim: a model" "catString catKeyword catBase catComment catCheck catKeyword catBase catCheck catTag" \
    "$(ask_vim "$folder/m.cat" 1 2 2 1 2 14 2 43 3 1 3 16 4 15 5 1 5 25)"
  same "Vim: a name with a keyword in it" "" "$(ask_vim "$folder/m.cat" 2 8)"
fi

# Neovim's own client: an error is shown and mended, a name explained and found, the text laid out, and a test has a verdict.
if command -v nvim >/dev/null; then
  printf 'let sw = rf\n' > "$folder/base.cat"
  printf 'include "base.cat"\nlet hb = po | rff\nlet  all=hb|sw\nacyclic all as c\n' > "$folder/wrong.cat"
  cp litmus/rsp/RSP_Test2.litmus "$folder"
  printf '#define ONE 1\n' > "$folder/one.h"
  printf '#include "one.h"\nkernel void k (global int *x)\n{ x[0] = ONE; }\n//@ assert x[0] == 1\n' > "$folder/k.cl"
  printf 'load : LD\n' > "$folder/base.map"
  printf 'include "base.map"\nstore : ST\n' > "$folder/m.map"
  cat > "$folder/round.lua" <<END
vim.g.rspcheck_command = { "$(realpath "$program")", "-lsp" }
vim.g.rspcheck_models = { "opencl.cat" }
vim.cmd ("luafile extra/lsp/editors/rspcheck.lua")
local function say (...) io.stdout:write (table.concat ({ ... }, " "), "\n") end
local function ask (method, params)
  for _, answer in pairs (vim.lsp.buf_request_sync (0, method, params, 60000) or {}) do return answer.result end
end
local function at (line, character)
  vim.api.nvim_win_set_cursor (0, { line, character - 1 })
  return vim.lsp.util.make_position_params ()
end
vim.cmd ("edit $folder/wrong.cat")
vim.wait (60000, function () return #vim.diagnostic.get (0) > 0 end)
for _, d in ipairs (vim.diagnostic.get (0)) do say (d.lnum + 1 .. ":" .. d.col + 1 .. ":", d.message) end
local params = vim.tbl_extend ("force", at (2, 15), { context = { diagnostics = {} } })
params.range = { start = params.position, ["end"] = params.position }
local action = ask ("textDocument/codeAction", params)[1]
say (action.title)
vim.lsp.util.apply_workspace_edit (action.edit, "utf-16")
vim.wait (60000, function () return #vim.diagnostic.get (0) == 0 end)
say (ask ("textDocument/hover", at (3, 12)).contents.value:match ("[^\n]*\$"))
say (ask ("textDocument/definition", at (3, 15)).uri:match ("[^/]*\$"))
vim.lsp.util.apply_text_edits (ask ("textDocument/formatting", vim.lsp.util.make_formatting_params ()), 0, "utf-16")
say (vim.api.nvim_buf_get_lines (0, 2, 3, false)[1])
vim.cmd ("set hidden | edit $folder/RSP_Test2.litmus")
local lens = ask ("textDocument/codeLens", { textDocument = vim.lsp.util.make_text_document_params () })[1]
say (ask ("codeLens/resolve", lens).command.title)
vim.cmd ("edit $folder/k.cl")
vim.lsp.util.apply_workspace_edit (ask ("textDocument/rename", vim.tbl_extend ("force", at (2, 29), { newName = "data" })), "utf-16")
say (table.concat (vim.api.nvim_buf_get_lines (0, 1, 4, false), " "))
say (ask ("textDocument/definition", at (3, 13)).uri:match ("[^/]*\$"))
vim.cmd ("edit $folder/m.map")
say (ask ("textDocument/definition", at (1, 12)).uri:match ("[^/]*\$"))
END
  # shellcheck disable=SC2016 # backquotes of messages
  same "Neovim" '2:15: `rff` is not defined
hint: did you mean `rf`?
Replace by `rf`
`hb` is a relation, defined in wrong.cat, line 2
base.cat
let all = hb | sw
opencl.cat: yes, it can end with r0=1 and r1≠53, and the program races (lines 13, 23)
kernel void k (global int *data) { data[0] = ONE; } //@ assert data[0] == 1
one.h
base.map' "$(timeout 300 nvim --headless -u NONE -i NONE -n -c "luafile $folder/round.lua" -c 'qa!' 2>/dev/null </dev/null)"
fi

# docs/live.md's line for Neovim, as it is printed: the client starts without an error and shows the verdict.
if command -v nvim >/dev/null; then
  cat > "$folder/lens.lua" <<'END'
local function lens () return (vim.lsp.codelens.get (vim.api.nvim_get_current_buf ())[1] or {}).command end
vim.wait (60000, lens)
io.stdout:write (#vim.lsp.buf_get_clients (0), " ", lens ().title, vim.fn.execute ("messages"))
END
  # shellcheck disable=SC2317 # the line calls it
  (nvim () { timeout 120 nvim --headless -u NONE -i NONE -n "$@" -c "luafile $folder/lens.lua" -c 'qa!'; }
   eval "$(python3 tests/recipe.py docs/live.md neovim)") > "$folder/lens" 2>&1 < /dev/null
  same "Neovim, as docs/live.md says" "1 opencl_rem.cat: no, it never ends with r0=1 and r1≠53" "$(cat "$folder/lens")"
fi

# Its line for Vim, with a stand-in for the plugin.
if command -v vim >/dev/null; then
  mkdir -p "$folder/vim/autoload"
  printf '%s\n' 'function! lsp#register_server (server)' "  call writefile ([join (a:server.cmd)] + a:server.allowlist, '$folder/server')" \
    'endfunction' > "$folder/vim/autoload/lsp.vim"
  python3 tests/recipe.py docs/live.md vim > "$folder/vimrc"
  vim -N -u NONE -i NONE -es --cmd "set rtp^=$folder/vim" -S "$folder/vimrc" -c 'doautocmd User lsp_setup' -c 'qa!' < /dev/null
  same "Vim, as docs/live.md says" "rspcheck -lsp litmus cat" "$(paste -sd' ' "$folder/server")"
fi

# The extension's client, with a stand-in for the editor.
if command -v node >/dev/null && [ -d "$build/syntax" ]; then
  # shellcheck disable=SC2016 # backquotes of messages
  same "the extension's client" 'é m.cat 2:24 0 `rff` is not defined; hint: did you mean `rf`?
fix: Replace by `rf` true 2:24 rf
then: nothing uses `f` [-Wunused]
hover: `sw` is a relation, defined in base.cat, line 1
definition: base.cat 1:5
references: 2:5,4:9
rename: 2:5 order,4:9 order
refused: `let` cannot be a name
completion: hb,5,a relation; acyclic,13,
symbols: hb,f,c
folds: 0
signature: f (a, b) 1
layout: let g = f (po, rf)
lens: opencl.cat: yes, it can end with r0=1 and r1≠53, and the program races (lines 13, 23)
explained: true
changes: the last edit changes 0 of 1 test
closed: 0
rspcheck -lsp: spawn /no/such/program ENOENT. The setting rspcheck.command says what is started.' \
    "$(timeout 300 node tests/vscode.js "$build/syntax/vscode/rspcheck" "$program" 2>&1)"
fi

# The extension: whole, and its patterns find the same words.
if [ -d "$build/syntax" ]; then
  output=$(python3 tests/vscode.py "$build/syntax/vscode" 2>&1)
  same "the extension" "" "$output"
fi
echo "editors: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
