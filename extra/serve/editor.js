/* The editor: a text area over its coloured text; what is wrong in it, and what the language server knows of it. */

/* ---- The editor ---- */

const text = byId ("text");
const colours = document.querySelector (".editor pre");
let marked = new Map ();

function colour ()
{
  colours.replaceChildren (...sourceView (`${text.value}\n `, marked, state.tab.endsWith (".cat") ? CAT_TOKEN : TOKEN).childNodes);
}

const tabOf = (words, isShown, show, close) => element ("span", { class: "tab", role: "presentation" },
  element ("button", { type: "button", role: "tab", "aria-selected": String (isShown), onclick: show }, words),
  close && element ("button", { type: "button", class: "close", "aria-label": `close ${words}`, onclick: close }, "✕"));

/* The test that is checked, other tests, models. */
function showTabs ()
{
  const models = Object.keys (state.texts).filter (name => name !== FILE), others = Object.keys (state.others);
  byId ("tabs").replaceChildren (
    tabOf (state.name, state.tab === FILE, () => showTab (FILE), others.length > 0 && closeTest),
    ...others.map (name => tabOf (name, false, () => loadTest (name, state.others[name].text), () => {
      delete state.others[name];
      showTabs ();
    })),
    ...models.map (name => tabOf (name, state.tab === name, () => showTab (name), () => closeModel (name))));
}

function showTab (name)
{
  state.tab = name;
  offered = null;
  hideOffers ();
  byId ("meaning").hidden = true;
  if (text.value !== state.texts[name])
    text.parentNode.scrollTop = 0;
  text.value = state.texts[name];
  showTabs ();
  showGrid ();
  mark ();
}

/* Puts the cursor at a place, both from 1, and selects the word there. */
function goTo (name, line, column)
{
  if (state.texts[name] === undefined)
    openModel (name);
  showTab (name);
  const lines = text.value.split ("\n"), row = lines.slice (0, line - 1).reduce ((sum, one) => sum + one.length + 1, 0);
  const at = row + [...new TextDecoder ().decode (new TextEncoder ().encode (lines[line - 1] ?? "").slice (0, column - 1))].join ("").length;
  const [word] = /^[\w.'-]*/.exec (text.value.slice (at));
  text.focus ();
  text.setSelectionRange (at, at + word.length);
}

/* Replaces the selection so that it can be undone. */
function replaceSelection (by)
{
  text.focus ();
  if (!document.execCommand ("insertText", false, by))
    text.setRangeText (by, text.selectionStart, text.selectionEnd, "end");
  edited ();
}

function replaceText (by)
{
  showTab (FILE);
  text.select ();
  replaceSelection (by);
  scrollTo ({ top: 0 });
}

function edited ()
{
  state.texts[state.tab] = text.value;
  colour ();
  checkSoon ();
}

/* ---- Messages ---- */

let messages = [];

/* "file:line:column: kind: words", then lines of the source, which the editor shows. */
function readMessages (error)
{
  messages = [];
  for (const line of error.split ("\n"))
    {
      const [, file, row, column, kind, words] = /^(?:(\S+?):(\d+):(\d+): )?(error|warning|note|hint): (.*)$/.exec (line) ?? [];
      const message = { file: file?.replace (/^(?:\.\/|.*\/cat\/)/, ""), row: Number (row), column: Number (column), kind, words };
      const isKnown = messages.some (one => Object.keys (message).every (key => Object.is (one[key], message[key]))); /* under another model */
      if (kind === "hint" && messages.length)
        messages.at (-1).hint = words;
      else if (kind && !isKnown)
        messages.push (message);
    }
}

function mark ()
{
  marked = new Map (messages.filter (one => one.file === state.tab).map (one => [one.row, one.words]));
  if (marked.size === 0 && state.tab === FILE && data.tests.length)
    marked = markedLines (data.tests[0]);
  colour ();
  byId ("messages").replaceChildren (...messages.map (one => {
    const [, instead] = /^did you mean `(.*)`\?$/.exec (one.hint ?? "") ?? [];
    return element ("li", { class: one.kind },
      one.file ? element ("button", { type: "button", onclick: () => goTo (one.file, one.row, one.column) }, `${one.file === FILE ? state.name : one.file}:${one.row}:${one.column}`) : null,
      ` ${one.kind}: `, ...quoted (one.words), one.hint && element ("span", { class: "hint" }, "; ", ...quoted (one.hint), " "),
      instead && element ("button", { type: "button", onclick: () => {
        goTo (one.file, one.row, one.column);
        replaceSelection (instead);
      } }, "Replace"));
  }));
}


/* ---- What the language server knows ---- */

const AFTER = 400; /* milliseconds that the pointer rests */
let offered = null, resting = 0; /* offered: { tab, from, items }: what may stand there */

/* The word that ends at a place; names of models have more characters. */
const wordBefore = at => (state.tab === FILE ? /\w*$/ : /[\w.'-]*$/).exec (text.value.slice (0, at))[0];

/* The answer to one request about the text, of a server that has all of them; null if it has none. */
async function askServer (method, params)
{
  const message = (name, of, id) => {
    const body = JSON.stringify ({ jsonrpc: "2.0", id, method: name, params: of });
    return `Content-Length: ${new TextEncoder ().encode (body).length}\r\n\r\n${body}`;
  };
  const uriOf = name => name === FILE && isKernel () ? state.name : name;
  const open = Object.entries (state.texts).map (([name, text]) => message ("textDocument/didOpen", { textDocument: { uri: uriOf (name), languageId: "", version: 1, text } }));
  const input = [message ("initialize", { capabilities: {} }, 1), ...open,
                 message (`textDocument/${method}`, { textDocument: { uri: uriOf (state.tab) }, ...params }, 2), message ("shutdown", {}, 3), message ("exit", {})].join ("");
  const answer = await helper.run ({ args: ["-lsp"], files: state.texts, input });
  const lines = (answer?.out ?? "").split (/\r?\n/).filter (line => line.startsWith ("{")).map (line => JSON.parse (line));
  return lines.find (line => line.id === 2)?.result ?? null;
}

/* Line and column, both from 0, of a place in the text. */
function positionOf (at)
{
  const lines = text.value.slice (0, at).split ("\n");
  return { line: lines.length - 1, character: lines.at (-1).length };
}

/* A box below a place in the text. */
function showBox (id, { line, character }, ...content)
{
  const before = text.value.split ("\n")[line].slice (0, character).replace (/\t/g, "    ");
  const box = byId (id);
  box.replaceChildren (...content);
  box.style.left = `calc(3.6rem + ${before.length}ch)`;
  box.style.top = `calc(.6rem + ${(line + 1) * 1.55}em)`;
  box.hidden = false;
}

/* ---- Completion ---- */

function hideOffers ()
{
  byId ("offers").hidden = true;
  text.removeAttribute ("aria-activedescendant");
}

/* Puts the chosen one in the place of the word before the cursor. */
function take (label)
{
  const at = text.selectionStart;
  text.setSelectionRange (at - wordBefore (at).length, at);
  replaceSelection (label);
  hideOffers ();
}

function choose (option)
{
  for (const other of byId ("offers").children)
    other.setAttribute ("aria-selected", String (other === option));
  text.setAttribute ("aria-activedescendant", option.id);
  option.scrollIntoView ({ block: "nearest" });
}

function showOffers (word)
{
  const lower = word.toLowerCase (), fits = ({ label }) => label !== word && label.toLowerCase ().includes (lower);
  const first = ({ label }) => label.startsWith (word) ? 0 : label.toLowerCase ().startsWith (lower) ? 1 : 2;
  const found = offered.items.filter (fits).sort ((a, b) => first (a) - first (b) || a.label.localeCompare (b.label));
  if (found.length === 0 || (word && offered.items.some (({ label }) => label === word)))
    {
      hideOffers ();
      return;
    }
  showBox ("offers", positionOf (offered.from), ...found.map (({ label, detail }, i) => element ("li", {
    role: "option", id: `offer${i}`, onmousedown: event => {
      event.preventDefault ();
      take (label);
    } }, element ("code", null, label), detail && element ("span", { class: "muted" }, ` ${detail}`))));
  choose (byId ("offers").firstElementChild);
}

/* Offers what may stand at the cursor: asked for, or once two letters are there. */
async function complete (isAsked)
{
  const at = text.selectionStart, word = wordBefore (at), from = at - word.length, { tab } = state;
  if (!isAsked && word.length < 2)
    {
      hideOffers ();
      return;
    }
  if (offered?.tab !== tab || offered.from !== from)
    {
      const items = await askServer ("completion", { position: positionOf (at) });
      if (items === null || state.tab !== tab)
        return;
      offered = { tab, from, items };
    }
  const now = text.selectionStart;
  if (now - wordBefore (now).length === from)
    showOffers (wordBefore (now));
}

/* The keys of the list; true if it was one. */
function moveInOffers (key)
{
  const list = byId ("offers"), chosen = list.querySelector ("[aria-selected=true]");
  if (list.hidden)
    return false;
  if (key === "ArrowDown" || key === "ArrowUp")
    choose ((key === "ArrowDown" ? chosen.nextElementSibling : chosen.previousElementSibling) ?? chosen);
  else if (key === "Enter" || key === "Tab")
    take (chosen.querySelector ("code").textContent);
  else if (key === "Escape")
    hideOffers ();
  else
    return false;
  return true;
}

/* ---- Names ---- */

/* The place under the pointer. */
function placeUnder (event)
{
  const style = getComputedStyle (text), pen = document.createElement ("canvas").getContext ("2d");
  pen.font = style.font;
  const character = Math.floor ((event.offsetX - parseFloat (style.paddingLeft)) / pen.measureText ("0").width);
  const line = lineUnder (event) - 1, words = text.value.split ("\n")[line];
  return words !== undefined && character >= 0 && character < words.length ? { line, character } : null;
}

/* What a model's name means, while the pointer rests on it. */
async function explainName (place)
{
  const { tab } = state, found = await askServer ("hover", { position: place });
  if (found && state.tab === tab && resting)
    showBox ("meaning", found.range.start, element ("pre", null, found.contents.value.replace (/^```\w*\n?/gm, "")));
}

/* The parameters of the function inside whose parentheses the cursor is. */
async function showParameters ()
{
  const at = text.selectionStart, found = await askServer ("signatureHelp", { position: positionOf (at) });
  if (found && text.selectionStart === at)
    showBox ("meaning", positionOf (at), element ("code", null, found.signatures[0].label));
}

function rest (event)
{
  clearTimeout (resting);
  byId ("meaning").hidden = true;
  const place = state.tab === FILE ? null : placeUnder (event);
  resting = place ? setTimeout (() => explainName (place), AFTER) : 0;
}

function leave ()
{
  clearTimeout (resting);
  resting = 0;
  byId ("meaning").hidden = true;
}

async function goToDefinition ()
{
  const found = await askServer ("definition", { position: positionOf (text.selectionStart) });
  if (!found)
    return;
  const name = found.uri.split ("/").at (-1);
  if (state.texts[name] === undefined)
    openModel (name);
  showTab (name);
  const offset = ({ line, character }) => text.value.split ("\n").slice (0, line).reduce ((sum, one) => sum + one.length + 1, character);
  text.focus ();
  text.setSelectionRange (offset (found.range.start), offset (found.range.end));
}

async function layOut ()
{
  const before = text.value, edits = await askServer ("formatting", { options: {} });
  if (!edits?.length || text.value !== before)
    return;
  const at = text.selectionStart;
  text.select ();
  replaceSelection (edits[0].newText);
  text.setSelectionRange (at, at);
}

function startEditor ()
{
  byId ("format").addEventListener ("click", layOut);
  text.addEventListener ("input", () => {
    edited ();
    complete (false);
    if (state.tab !== FILE && "(,".includes (text.value[text.selectionStart - 1]))
      showParameters ();
    else
      byId ("meaning").hidden = true;
  });
  text.addEventListener ("keydown", event => {
    if (event.ctrlKey && event.key === " ")
      complete (true);
    else if (event.key === "F12")
      goToDefinition ();
    else if (event.ctrlKey && event.shiftKey && event.key === "F")
      layOut ();
    else if (!moveInOffers (event.key))
      return;
    event.preventDefault ();
    event.stopPropagation ();
  });
  text.addEventListener ("click", event => {
    hideOffers ();
    if (event.ctrlKey)
      goToDefinition ();
  });
  text.addEventListener ("blur", hideOffers);
  text.addEventListener ("mousemove", rest);
  text.addEventListener ("mouseleave", leave);
}
