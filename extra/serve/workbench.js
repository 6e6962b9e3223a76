/* The workbench: texts in an editor, and what the checker says of them. */

const FILE = "test.litmus", MODELS = ["opencl_rem.cat", "opencl.cat"]; /* of tests in OpenCL; others have their language's own */
const DEFAULT = "rsp/RSP_Test2.litmus", SOON = 30, LATER = 250; /* milliseconds after the last of several keys: the check; and after it: why */
const FIRST = 60, TELL = 150; /* milliseconds until what is known of a check is shown, and until it is again */
const state = { name: FILE, texts: { [FILE]: "" }, others: {}, tab: FILE, models: MODELS, options: "", grid: "2x2" };
let shipped, checker, asker, helper; /* see served.js */
let before = null; /* the answer to the version before the last edit */
let isApplied = false; /* the last edit was a button's, and what it changes has not been shown */

/* ---- The pointer ---- */

/* A click ends on the element on which it has begun, which must not be drawn anew meanwhile. Not for ever: where the button is
 * released may be unknown to the page. */
const HELD = 3000; /* milliseconds */
let pressedAt = -HELD;

const isPressed = () => performance.now () - pressedAt < HELD;
const soon = () => new Promise (resolve => setTimeout (resolve, SOON));

function followPointer ()
{
  addEventListener ("pointerdown", ({ button }) => { pressedAt = button === 0 ? performance.now () : -HELD; }, true);
  for (const name of ["pointermove", "pointerup", "pointercancel"])
    addEventListener (name, ({ buttons }) => { pressedAt = buttons & 1 ? pressedAt : -HELD; }, true);
}

/* ---- Checking ---- */

let timer = 0, version = 0, checked = 0, explained = 0; /* checked, explained: the last version for which that is over */
let lastEdit = 0; /* when */

/* At once, unless one edit follows another as quickly as a key that is held down. */
function checkSoon ()
{
  const now = performance.now (), delay = now - lastEdit < 2 * SOON ? SOON : 0;
  lastEdit = now;
  version++;
  asker.leave ();
  clearTimeout (timer);
  timer = setTimeout (() => check (version), delay);
}

const modelOptions = () => state.models.flatMap (name => ["-model", name]);
const allOptions = () => [...modelOptions (), ...optionWords ()];

/* The data of a page that the program has written; null if it has none. */
function pageData (page)
{
  const [, json] = /<script type="application\/json" id="data">\n(.*?)\n<\/script>/s.exec (page) ?? [];
  return json === undefined ? null : JSON.parse (json);
}

function stopAll ()
{
  checker.stop ();
  asker.stop ();
}

/* The answer of a checker to a request; null if it was stopped or another question came. What takes longer shows for how long,
 * can be stopped, and calls tell with the last line of -watch, parsed. What it finds may be shown at once: no click is under way. */
async function ask (who, request, tell)
{
  const begin = performance.now ();
  let line = null, before = null; /* how many wait for a core before it */
  let busy = setTimeout (function look () {
    byId ("stop").hidden = performance.now () - begin < TELL;
    byId ("stop").textContent = before === null ? `Stop (Esc) after ${Math.round ((performance.now () - begin) / 1000)} s` : `Stop (Esc): waits for a core${before ? `, after ${before} others` : ""}`;
    if (line !== null && !isPressed ())
      {
        tell (JSON.parse (line));
        line = null;
      }
    busy = setTimeout (look, TELL);
  }, FIRST);
  const answer = await who.run ({ ...request, args: [...request.args, ...(tell ? ["-watch", "watched"] : [])], files: state.texts, watched: tell && "watched" }, (event, what) => {
    if (event === "watched")
      line = what;
    else
      before = what;
  });
  clearTimeout (busy);
  byId ("stop").hidden = true;
  while (isPressed ())
    await soon ();
  return answer;
}

async function check (own)
{
  const begin = performance.now ();
  const answer = await (isKernel () ? ask (checker, { args: [...allOptions (), ...aboutText (FILE), "-json"] })
                                    : ask (checker, { args: [...allOptions (), "-html", "page.html", FILE], wanted: "page.html" }, showPart));
  if (own !== version)
    return;
  checked = own;
  if (answer === null)
    {
      byId ("state").textContent = "Stopped.";
      return;
    }
  const found = isKernel () ? null : pageData (answer.wanted);
  readMessages (answer.error);
  const isThere = isKernel () ? showKernel (answer) : found?.tests[0]?.cells.some (cell => cell && isFinished (cell)) || (found?.tests.length && answer.error === "");
  byId ("state").textContent = isThere ? `Checked in ${Math.round (performance.now () - begin)} ms.` : "There are errors.";
  byId ("log").textContent = answer.out;
  byId ("results").classList.toggle ("stale", !isThere);
  if (isThere && isKernel ())
    byId ("under").dataset.test = state.name;
  else if (!isThere && byId ("under").dataset.test !== state.name) /* they are another test's */
    {
      byId ("body").replaceChildren ();
      showStrip ([]);
    }
  if (isThere && found)
    {
      showEdit (found);
      show (found);
      if (byId ("under").dataset.test !== state.name)
        askUnder (opened.cells.findIndex (cell => cell && flagsOf (cell).length));
      byId ("under").dataset.test = state.name;
    }
  mark ();
  if (isApplied && isThere)
    {
      byId ("edit").scrollIntoView ({ block: "nearest" }); /* on a narrow screen it is far below */
      isApplied = false;
    }
  performance.mark ("rspcheck-checked");
  clearTimeout (timer);
  if (isThere && found)
    timer = setTimeout (() => explain (own), LATER);
}

/* What the models say that have answered, and the states so far of the one that is asked. */
function showPart (found)
{
  const asked = state.models.slice (found.models.length), { cells } = found.tests[0], last = cells.at (-1);
  if (found.partial)
    {
      asked.unshift (found.models.at (-1).name);
      last.v = found.verdicts.push ("so far") - 1;
      last.reason = `${plural (statesOf (last).size, "state")} found; still searching`;
      last.w = found.sentences.push (last.reason) - 1;
    }
  byId ("state").textContent = `Checking under ${asked.join (", ")}…`;
  byId ("results").classList.remove ("stale");
  byId ("edit").hidden = true;
  readMessages ("");
  show (found);
  mark ();
}

async function explain (own)
{
  const answer = await ask (asker, { args: [...allOptions (), "-html", "page.html", "-explain", FILE], wanted: "page.html" });
  if (answer && own === version)
    {
      const found = pageData (answer.wanted);
      explained = own;
      if (found?.tests.length)
        show (found);
      else
        byId ("body").append (part ("Why", element ("p", { class: "note" }, ...quoted (answer.error.replace (/^error: /, "")))));
    }
  performance.mark ("rspcheck-explained");
}

/* ---- Results ---- */

/* Draws a place anew. What has the focus there keeps it; if it is not there for a while, as a flag in an answer so far, it has it when it
 * is back. */
function redraw (place, draw)
{
  const { activeElement } = document;
  const alike = one => [...place.querySelectorAll (one.localName)].filter (other => other.textContent === one.textContent && other.value === one.value);
  const wanted = place.contains (activeElement) ? { one: activeElement, at: alike (activeElement).indexOf (activeElement) }
                                                : activeElement === document.body ? place.lost : null;
  draw ();
  const again = wanted && alike (wanted.one)[wanted.at];
  again?.focus ({ preventScroll: true });
  place.lost = again ? null : wanted;
}

/* What stands above the editor on a narrow screen. */
const showStrip = words => byId ("strip").replaceChildren (...words.map (one => element ("li", null, one)));

function show (found)
{
  for (const name of Object.keys (data))
    delete data[name];
  Object.assign (data, found);
  models.splice (0, models.length, ...data.models.map (model => model.name));
  opened = { ...data.tests[0], source: undefined, path: "" }; /* the text is in the editor */
  redraw (byId ("body"), () => {
    byId ("body").replaceChildren (...panelBody (opened));
    showStrip (sentences (opened));
    for (const item of byId ("body").querySelectorAll (".flags li"))
      item.append (" ", element ("button", { type: "button", onclick: () => repair (item.querySelector (".flag").textContent) }, "Repair"));
  });
}

/* Questions are asked under model k; under the first one for -1. */
function askUnder (k)
{
  byId ("under").value = state.models[Math.max (k, 0)] ?? `${models[Math.max (k, 0)]}.cat`;
}

/* Asks for repairs under the first model that raises the flag. */
function repair (flag)
{
  askUnder (opened.cells.findIndex (cell => cell && flagsOf (cell).includes (flag)));
  askWhat ("repair");
  byId ("ask").scrollIntoView ({ block: "nearest" });
}

/* What the last edit has changed, model by model. */
function showEdit (found)
{
  const words = all => new Map (all.models.flatMap ((model, k) => {
    const cell = all.tests[0].cells[k];
    return !isFinished (cell) ? [] : [[model.name, { verdict: all.verdicts[cell.v], flags: (cell.f ?? []).map (flag => all.flags[flag]),
                                  states: [...statesOf (cell).keys ()].map (number => all.tests[0].states[number]) }]];
  }));
  const now = words (found), then = before ?? now, items = [];
  const lacking = (a, b) => a.filter (one => !b.includes (one));
  for (const [name, cell] of now)
    {
      const old = then.get (name);
      if (!old)
        continue;
      const changes = [old.verdict !== cell.verdict && [`${old.verdict} → ${cell.verdict}`],
                       ...lacking (old.states, cell.states).map (one => ["lost ", element ("code", null, bare (one))]),
                       ...lacking (cell.states, old.states).map (one => ["gained ", element ("code", null, bare (one))]),
                       ...lacking (old.flags, cell.flags).map (one => ["no longer ", badge ("flag", one)]),
                       ...lacking (cell.flags, old.flags).map (one => ["now ", badge ("flag", one)])].filter (one => one);
      if (changes.length)
        items.push (element ("li", null, element ("strong", null, name), ": ", ...changes.flatMap ((one, i) => [i ? ", " : "", ...one])));
    }
  before = new Map ([...then, ...now]); /* a model without an answer keeps its last one */
  if (items.length === 0 && isApplied)
    items.push (element ("li", null, "No model's answer has changed."));
  byId ("edit").hidden = items.length === 0;
  byId ("edit").replaceChildren (element ("h3", null, "This edit"), element ("ul", { class: "differences" }, ...items));
}

/* The model's statement with that name, in its own text or one that it includes. */
definitionOf = (model, axiom) => {
  const text = name => state.texts[name] ?? shipped.installed[`cat/${name}`] ?? "";
  const included = name => [text (name), ...[...text (name).matchAll (/^include "([^"]*)"/gm)].flatMap (([, other]) => included (other))];
  const pattern = new RegExp (`^(?:~? *(?:acyclic|irreflexive|empty)|undefined_unless|flag)\\b(?:(?!\\bas\\b)[^])*?\\bas ${CSS.escape (axiom)}\\b`, "m");
  return included (`${model}.cat`).map (one => pattern.exec (one)?.[0]).find (one => one) ?? null;
};

/* ---- Events and lines ---- */

/* Marks a line of the test, and its events in the picture; none for NaN. */
function pointAt (line)
{
  for (const node of document.querySelectorAll (".pointed"))
    node.classList.remove ("pointed");
  if (Number.isNaN (line) || state.tab !== FILE)
    return;
  colours.querySelectorAll (".line")[line - 1]?.classList.add ("pointed");
  for (const node of document.querySelectorAll (".canvas .node"))
    node.classList.toggle ("pointed", lineOf (node) === line);
}

const lineOf = node => Number (/line (\d+)/.exec (node?.textContent)?.[1]);

function lineUnder (event)
{
  const { lineHeight, paddingTop } = getComputedStyle (text);
  return Math.floor ((event.offsetY - parseFloat (paddingTop)) / parseFloat (lineHeight)) + 1;
}

/* ---- What if ---- */

const QUESTIONS = { vary: ["-vary"], repair: ["-repair"], forbid: ["-repair", "forbid"], relax: ["-relax"], apart: ["-distinguish", "-events", "3"] };

const apply = source => element ("button", { type: "button", class: "apply", onclick: ({ target }) => {
  replaceText (source);
  isApplied = true;
  for (const button of byId ("answer").querySelectorAll (".apply"))
    {
      button.disabled = button === target;
      button.textContent = button === target ? "Applied" : "Apply";
    }
} }, "Apply");

const place = (line, column) => element ("button", { type: "button", onclick: () => goTo (FILE, line, column) }, `${line}:${column}`);

const bare = words => words.replace (/;$/, ""); /* a state, in a list */

/* The answer of an undefined test is no verdict. */
const answerOf = one => one.reason ?? (one.undefined ? "undefined" : one.observation);

const matters = row => answerOf (row.before) !== answerOf (row.after) || row.gained.length + row.lost.length > 0 || String (row.before.flags) !== String (row.after.flags);

function variation (row)
{
  const { before: then, after } = row, words = [answerOf (after)];
  words.push (...row.gained.map (one => `gains ${bare (one)}`), ...row.lost.map (one => `loses ${bare (one)}`),
              ...then.flags.filter (one => !after.flags.includes (one)).map (one => `no ${one}`), ...after.flags.filter (one => !then.flags.includes (one)));
  return [element ("span", null, place (row.line, row.column), ` ${row.operation}: ${row.as_it_is} → ${row.instead}`), matters (row) ? words.join (", ") : "the same", apply (row.source)];
}

/* "line 14, column 3: …" */
function editItem (words)
{
  const [, line, column, what] = /^line (\d+), column (\d+):(.*)$/.exec (words) ?? [];
  return line === undefined ? element ("li", null, words) : element ("li", null, place (Number (line), Number (column)), what);
}

const patch = version => element ("li", null, element ("ul", { class: "edits" }, ...version.edits.replace (/^[^:]*: /, "").split ("; ").map (editItem)),
                                  `cost ${version.cost} `, apply (version.source),
                                  element ("pre", { class: "trace" }, version.patch.replace (`--- ${FILE}\n+++ ${FILE}\n`, `--- ${state.name}\n+++ ${state.name}\n`)));

/* The first of those that differ only by scopes and the like, with the others. */
const families = lines => Object.values (Object.groupBy (lines, line => `${line.found} ${line.class?.twins}`));

const opening = found => element ("button", { type: "button", onclick: () => loadTest (found.test, found.source) }, "Open");

const program = ([found, ...twins]) => element ("li", null, element ("span", null, found.summary, " "), opening (found), element ("pre", { class: "trace" }, found.source),
  twins.length > 0 && element ("details", null, element ("summary", null, `${plural (twins.length, "twin")}, with other scopes or trees or U for W`),
                               element ("ul", null, ...twins.map (one => element ("li", null, one.summary, " ", opening (one))))));

function answerParts (question, lines)
{
  if (question === "vary")
    {
      const drawn = rows => element ("div", { class: "scroll" }, table ({ class: "plain" }, ["Change", "Then", ""], rows.map (variation)));
      const [yes, no] = [lines.filter (matters), lines.filter (row => !matters (row))];
      return [element ("p", null, `${yes.length} of ${plural (lines.length, "change")} matter.`), yes.length > 0 && drawn (yes),
              no.length > 0 && element ("details", { open: yes.length === 0 }, element ("summary", null, `${plural (no.length, "change")} without effect`), drawn (no))].filter (one => one);
    }
  const found = question === "apart" ? families (lines).map (program) : lines.flatMap (line => line.versions.map (patch));
  if (question === "apart" && found.length === 0)
    return [element ("p", null, "No program of at most three operations tells them apart.")];
  const meaning = question === "apart" ? "R is a load, W a store, U a read-modify-write, F a fence" : "cost: the sum over the edits, of which a small change is 1, a fence 4";
  return [found.length > 0 && note (meaning), element ("ul", { class: "patches" }, ...found), ...lines.filter (line => line.versions && line.summary).map (line => element ("p", null, line.summary))].filter (one => one);
}

const note = words => element ("p", { class: "note" }, words);

/* Once the check is over, which the question would end. */
async function askWhat (question)
{
  byId ("answer").replaceChildren (note ("Searching…"));
  while (checked !== version)
    await soon ();
  clearTimeout (timer);
  const about = question === "apart" ? modelOptions () : ["-model", byId ("under").value, ...aboutText (FILE)];
  const answer = await ask (asker, { args: [...QUESTIONS[question], "-json", ...about] },
                            ({ searched }) => byId ("answer").replaceChildren (note (`Searching… ${searched}`)));
  if (answer === null)
    {
      byId ("answer").replaceChildren (note ("Stopped."));
      return;
    }
  if (explained !== version && !isKernel ()) /* the question has ended that */
    explain (version);
  const lines = jsonLines (answer.out).filter (line => !line.findings && !line.kernels);
  byId ("answer").replaceChildren (...answerParts (question, lines), ...(answer.error ? [element ("pre", { class: "trace" }, answer.error)] : []));
}

/* ---- In and out ---- */

/* In a live page this is a frame, and the address that of the page around it. */
const around = location.protocol === "about:" ? parent : window;

async function share ()
{
  around.history.replaceState (null, "", await packState (state));
  await copy (around.location.href, "The link", location.protocol === "http:" ? ": it works on this machine only, while rspcheck -serve runs" : "");
}

/* Options of a link run only once the reader has seen and accepted them. */
function offerOptions (words)
{
  const choose = chosen => { byId ("linked").replaceChildren (); setOptions (chosen); };
  byId ("linked").replaceChildren ("This link asks for options: ", element ("code", null, words.join (" ")), " ",
                                   element ("button", { onclick: () => choose (words) }, "Use them"), " ",
                                   element ("button", { onclick: () => choose (optionWords ()) }, "Leave them out"));
}

/* FALSE if the address holds no state. */
async function followLink ()
{
  const [, packed] = /^#s=(.*)$/.exec (around.location.hash) ?? [];
  if (!packed)
    return false;
  try
    {
      const { name, texts, others, tab, models: chosenModels, options, grid = state.grid } = await (await unpacked (packed.replaceAll ("-", "+").replaceAll ("_", "/"))).json ();
      Object.assign (state, { name: String (name), texts: { ...texts }, others: { ...others }, tab: texts[tab] === undefined ? FILE : tab, models: chosenModels.map (String), grid: String (grid) });
      const words = String (options).split (/\s+/).filter (word => word);
      if (around.accepted === around.location.hash) /* the report's own, not a link's */
        state.options = words.join (" ");
      else if (words.length)
        offerOptions (words);
      return typeof state.texts[FILE] === "string";
    }
  catch
    {
      byId ("state").textContent = "This link is broken.";
      return false;
    }
}

async function copy (words, what, more = "")
{
  try
    {
      await navigator.clipboard.writeText (words);
      byId ("state").textContent = `${what} is copied${more}.`;
    }
  catch
    {
      prompt (what, words);
    }
}

/* The command that prints the same, for a shell. */
function copyCommand ()
{
  const quote = word => /^[\w./=:@%+,-]+$/.test (word) ? word : `'${word.replaceAll ("'", "'\\''")}'`;
  const words = ["rspcheck", ...allOptions (), ...aboutText (state.path ?? state.name)].map (quote).join (" ");
  return copy (words, "The command", `: ${words}`);
}

/* To the server's folder, if it may write there; otherwise as a download. */
async function save ()
{
  const name = state.tab === FILE ? state.path ?? state.name : state.tab;
  if (shipped.write)
    {
      const error = await post ("save", { name, text: text.value }).then (() => null, failure => failure.message);
      byId ("state").textContent = error ?? `${name} is saved.`;
      return;
    }
  const link = element ("a", { href: URL.createObjectURL (new Blob ([text.value])), download: name.split ("/").at (-1) });
  link.click ();
  URL.revokeObjectURL (link.href);
}

async function openFile (file)
{
  const source = await file.text ();
  if (!file.name.endsWith (".cat"))
    loadTest (file.name, source);
  else
    {
      state.texts[file.name] = source;
      state.models = [...new Set ([...state.models, file.name])];
      showModels ();
      showTab (file.name);
      checkSoon ();
    }
}

function listen ()
{
  followPointer ();
  text.addEventListener ("mousemove", event => pointAt (lineUnder (event)));
  text.addEventListener ("mouseleave", () => pointAt (NaN));
  byId ("body").addEventListener ("mouseover", event => pointAt (lineOf (event.target.closest (".node"))));
  byId ("stop").addEventListener ("click", stopAll);
  byId ("back").hidden = around === window;
  byId ("back").addEventListener ("click", () => { around.location.hash = ""; });
  byId ("share").addEventListener ("click", share);
  byId ("save").addEventListener ("click", save);
  byId ("open").addEventListener ("click", () => byId ("file").click ());
  byId ("file").addEventListener ("change", event => event.target.files[0] && openFile (event.target.files[0]));
  byId ("command").addEventListener ("click", copyCommand);
  byId ("ask").addEventListener ("click", event => event.target.dataset.ask && askWhat (event.target.dataset.ask));
  document.addEventListener ("keydown", event => {
    const menu = document.querySelector (".menu[open]");
    if (event.key === "Escape" && menu)
      {
        menu.open = false;
        menu.querySelector ("summary").focus ();
      }
    else if (event.key === "Escape")
      stopAll ();
  });
}

async function startWorkbench ()
{
  ({ shipped, checker, asker, helper } = await openHome ());
  if (shipped.models.length)
    state.models = shipped.models;
  state.options = shipped.options ?? "";
  listen ();
  startEditor ();
  const linked = await followLink (), first = shipped.given[0] ?? DEFAULT;
  startMenus ();
  startKernels ();
  showModels ();
  if (linked)
    {
      showTab (state.tab);
      checkSoon ();
    }
  else
    loadTest (first, shipped.tests[first] ?? "");
  performance.mark ("rspcheck-ready");
}

startWorkbench ();
