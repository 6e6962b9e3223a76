/* The panel of one test, opened by its address. */

const MANY_STATES = 200; /* are not all shown at once */
const FEW_STATES = 6;    /* are shown without asking */
let opened = null; /* the test, or null */
let cameFrom = null; /* what had the focus before */
const isNarrow = matchMedia ("(max-width: 52rem)"); /* the panel, that wide, covers the page */

/* ---- Parts ---- */

const part = (title, ...content) => element ("section", null, element ("h3", null, title), ...content);

function verdictTable (test)
{
  const rows = test.cells.map ((cell, k) => {
    if (cell === null)
      return null;
    const head = element ("th", { scope: "row" }, models[k]);
    const verdict = element ("td", { class: cell.differs ? "differs" : null },
                             element ("span", { class: "in" }, ...verdictParts (cell),
                                      cell.differs && sign ("≠", `differs from ${models[firstOf (test)]}`)));
    return element ("tr", null, head, verdict, isFinished (cell) ? element ("td", { class: "numeric" }, count (cell.b)) : element ("td", null, cell.reason));
  });
  return element ("div", null, element ("div", { class: "scroll" },
    table ({ class: "plain verdicts" }, ["Model", "Verdict", element ("th", { scope: "col", class: "numeric" }, "Undefined executions")], rows.filter (row => row))),
    legend (test.cells.some (cell => cell?.differs) && ["≠", `differs from ${models[firstOf (test)]}`],
            test.cells.some (cell => cell && isFinished (cell) && cell.p !== null) && ["1/2", "executions for and against"],
            test.cells.some (cell => cell && flagsOf (cell).length) && ["⚑", "a flag of the model"]));
}

/* What signs mean: pairs of sign and words; false for one that does not occur. */
const legend = (...signs) => signs.some (one => one) && element ("p", { class: "note legend" }, ...signs.filter (one => one)
  .flatMap (([shape, words], i) => [i ? " · " : "", element ("strong", null, shape), ` ${words}`]));

/* States as columns of names, if all have the same: { names, values of each state }. */
function columnsOf (states)
{
  const split = states.map (text => text.split (/;\s*/).filter (item => item).map (item => {
    const equals = item.indexOf ("=");
    return equals < 0 ? [item, ""] : [item.slice (0, equals), item.slice (equals + 1)];
  }));
  const names = (split[0] ?? []).map (([name]) => name);
  const same = names.length > 0 && names.length <= 12 && split.every (items => items.length === names.length
    && items.every (([name, value], i) => name === names[i] && value !== ""));
  return same ? { names, values: split.map (items => items.map (([, value]) => value)) }
    : { names: ["State"], values: states.map (text => [text || "(nothing is observed)"]) };
}

/* If there are executions to look at, a model's verdict on a state links to the reasons. */
function asking (test, k, number, ...content)
{
  const ask = () => explainState (k, test.states[number]);
  return test.packed ? [element ("button", { type: "button", class: "number", title: "why?", onclick: ask }, ...content)] : content;
}

function stateCell (test, k, states, number)
{
  const cell = test.cells[k], state = states[k].get (number);
  const attributes = { class: "numeric", "data-model": models[k] };
  if (state)
    return element ("td", { ...attributes, "data-allowed": "yes" },
                    ...asking (test, k, number, state.executions === null ? sign ("✓", "allowed") : count (state.executions)),
                    state.undefined ? element ("span", { class: "undefined", title: `${state.undefined} of them undefined behaviour` }, ` ⚑${state.undefined}`) : null);
  return isFinished (cell) ? element ("td", { ...attributes, class: "numeric forbidden", "data-allowed": "no" }, ...asking (test, k, number, sign ("–", "forbidden")))
    : element ("td", { ...attributes, class: "numeric muted", "data-allowed": "unknown" }, sign ("?", "unknown"));
}

/* Do some models with answers allow the state, and others not? */
function isDisputed (test, states, number)
{
  const answers = test.cells.flatMap ((cell, k) => hasStates (cell) ? [states[k].has (number)] : []);
  return answers.includes (true) && answers.includes (false);
}

function stateRows (test, from, to)
{
  const { values } = columnsOf (test.states), states = test.cells.map (statesOf);
  const satisfying = new Set (test.satisfying);
  return test.states.slice (from, to).map ((text, i) => {
    const number = from + i, disputed = isDisputed (test, states, number);
    return element ("tr", { "data-state": text, class: disputed ? "differs" : null },
      ...values[number].map ((value, n) => element (n ? "td" : "th", { scope: n ? null : "row", class: "value" }, value)),
      satisfying.size > 0 && element ("td", { class: "holds" }, satisfying.has (number) && sign ("✓", "the proposition holds")),
      ...test.cells.map ((cell, k) => cell !== null && stateCell (test, k, states, number)),
      element ("td", { class: "mark" }, disputed && sign ("≠", "the models differ")));
  });
}

function stateTable (test)
{
  if (test.states.length === 0)
    return element ("p", { class: "note" }, "There are no states to show.");
  const { names } = columnsOf (test.states);
  const heads = [...names, ...test.satisfying?.length ? [element ("th", { scope: "col", title: "does the proposition hold?" }, "✓")] : [],
                 ...models.filter ((_, k) => test.cells[k] !== null).map (name => element ("th", { scope: "col", class: "numeric" }, name)), ""];
  const drawn = table ({ class: "plain states" }, heads, stateRows (test, 0, MANY_STATES));
  const body = drawn.tBodies[0], rest = () => test.states.length - body.rows.length;
  const words = () => `Show ${Math.min (rest (), 5 * MANY_STATES)} of ${plural (rest (), "more state")}`;
  const more = rest () > 0 && element ("button", { type: "button", class: "more", onclick: () => {
    body.append (...stateRows (test, body.rows.length, body.rows.length + 5 * MANY_STATES));
    more.textContent = words ();
    more.hidden = rest () === 0;
  } }, words ());
  const all = test.cells.filter (cell => cell).map (statesOf), has = hold => all.some (states => [...states.values ()].some (hold));
  return element ("div", null, element ("div", { class: "scroll" }, drawn), more,
    legend (test.satisfying?.length && ["✓", "the proposition holds"], has (one => one.executions !== null) && ["1", "executions that end so"],
            ["–", "forbidden"], has (one => one.undefined) && ["⚑", "of them undefined"],
            test.states.some ((_, i) => isDisputed (test, test.cells.map (statesOf), i)) && ["≠", "the models differ"]));
}

/* ---- Flags ---- */

/* Evidence, which quotes the test between backquotes. */
const quoted = words => words === "" ? []
  : ` ${words}`.split ("`").map ((text, i) => i % 2 ? element ("code", null, text) : text);

/* Each flag with its evidence, and the models that see it so. */
function flagList (test)
{
  const seen = new Map (); /* flag and evidence → models */
  test.cells.forEach ((cell, k) => {
    for (const flag of cell === null ? [] : flagsOf (cell))
      {
        const key = JSON.stringify ([flag, evidenceOf (cell, flag)]);
        seen.set (key, [...(seen.get (key) ?? []), models[k]]);
      }
  });
  const items = [...seen].map (([key, names]) => {
    const [flag, words] = JSON.parse (key);
    return element ("li", null, badge ("flag", flag), ...quoted (words), models.length > 1 && element ("span", { class: "muted" }, ` (${names.join (", ")})`));
  });
  return items.length ? part ("Flags", element ("ul", { class: "flags" }, ...items)) : null;
}

/* Does it hang under the progress models that were asked for, and how? */
function progressList (test)
{
  const drawn = test.cells.flatMap ((cell, k) => cell?.progress === undefined ? []
    : [models.length > 1 && element ("h4", null, models[k]), element ("pre", { class: "trace", tabindex: "0" }, cell.progress.trimEnd ())]);
  return drawn.length ? part ("Progress", ...drawn) : null;
}

/* Lines of the source that the evidence names → the flags. */
function markedLines (test)
{
  const marked = new Map ();
  for (const [flag, , ...lines] of test.cells.flatMap (cell => cell?.e ?? []))
    for (const line of lines)
      marked.set (line, [...new Set ([...(marked.get (line) ?? []), data.flags[flag]])]);
  return new Map ([...marked].map (([line, flags]) => [line, flags.join (", ")]));
}

/* ---- Differences ---- */

/* The models for which `has` holds and those for which it does not, both by number; null if it is the same for all. */
function parted (finished, has)
{
  const yes = finished.filter (has), no = finished.filter (k => !has (k));
  return yes.length && no.length ? { yes, no, separator: finished.length === 2 ? ", " : "; " } : null;
}

const namesOf = numbers => numbers.map (k => models[k]).join (", ");
const verb = (numbers, one, several) => numbers.length === 1 ? one : several;

/* Each flag that some models see and others do not. */
function partedFlags (test, finished)
{
  const flags = [...new Set (finished.flatMap (k => flagsOf (test.cells[k])))];
  return flags.flatMap (flag => {
    const groups = parted (finished, k => flagsOf (test.cells[k]).includes (flag));
    return groups === null ? [] : [element ("li", { class: "seen" }, `${namesOf (groups.yes)} ${verb (groups.yes, "sees", "see")} `,
      badge ("flag", flag), `${groups.separator}${namesOf (groups.no)} ${verb (groups.no, "does not", "do not")}.`)];
  });
}

/* The states that some models allow and others forbid, together for the same models. */
function partedStates (test, finished)
{
  const states = new Map (finished.map (k => [k, statesOf (test.cells[k])])), found = new Map ();
  for (const number of new Set (finished.flatMap (k => [...states.get (k).keys ()])))
    {
      const groups = parted (finished, k => states.get (k).has (number)), key = JSON.stringify (groups);
      if (groups !== null)
        found.set (key, [...(found.get (key) ?? []), number]);
    }
  return [...found].map (([key, numbers]) => {
    const { yes, no, separator } = JSON.parse (key);
    return element ("li", null, element ("details", { open: numbers.length <= FEW_STATES },
      element ("summary", null, `${namesOf (yes)} ${verb (yes, "allows", "allow")}${separator}${namesOf (no)} `
               + `${verb (no, "forbids", "forbid")} ${plural (numbers.length, "state")}:`),
      element ("ul", { class: "listed" },
               ...numbers.slice (0, MANY_STATES).map (number => element ("li", null, element ("code", null, test.states[number]))),
               numbers.length > MANY_STATES && element ("li", { class: "muted" }, `and ${plural (numbers.length - MANY_STATES, "more state")}`))));
  });
}

function differences (test)
{
  const finished = [...models.keys ()].filter (k => isFinished (test.cells[k]));
  const items = [...partedFlags (test, finished), ...partedStates (test, finished.filter (k => hasStates (test.cells[k])))];
  for (const a of finished)
    for (const b of finished.filter (k => k > a))
      if (relationOf (test, a, b) !== EQUAL)
        items.push (element ("li", null, element ("strong", null, models[a]), " to ", element ("strong", null, models[b]),
                             `: ${data.relations[relationOf (test, a, b)]}`));
  return items.length ? part ("Differences", element ("ul", { class: "differences" }, ...items)) : null;
}

/* ---- The whole ---- */

/* The answer under each model, in a sentence. */
const sentences = test => test.cells.flatMap ((cell, k) => cell === null ? [] : [`${models[k]}: ${data.sentences[cell.w]}.`]);

function neighbour (test, step)
{
  return shown[shown.indexOf (test) + step];
}

function panelHead (test)
{
  const go = (step, arrow, words) => {
    const other = shown.includes (test) ? neighbour (test, step) : undefined;
    return other ? element ("a", { class: "go", href: addressOf (other), title: other.name, "aria-label": `${words}: ${other.name}`, "data-step": String (step) }, arrow)
      : element ("span", { class: "go", "aria-hidden": "true" }, arrow);
  };
  return element ("header", null, element ("h2", { id: "panel-title" }, test.name),
    element ("nav", { "aria-label": "tests" }, go (-1, "←", "the test before"), go (1, "→", "the test after"),
             live && test.source !== undefined && element ("button", { type: "button", class: "edit", onclick: () => editTest (test) }, "Edit"),
             element ("button", { type: "button", class: "close", "aria-label": "close", title: "close (Esc)", onclick: closePanel }, "✕")));
}

function hashes (test)
{
  const terms = [["File", test.path], ["Hash", test.hash], ["Scope hash", test.scopeHash]].filter (([, text]) => text);
  return element ("dl", { class: "hashes" }, ...terms.flatMap (([term, text]) =>
    [element ("dt", null, term), element ("dd", null, element ("code", null, text))]));
}

function panelBody (test)
{
  return [
    element ("ul", { class: "sentences" }, ...sentences (test).map (words => element ("li", null, words))),
    test.condition && element ("p", { class: "question" }, element ("span", { class: "kind", title: `kind ${test.kind}` }, "Condition"), " ", element ("code", null, test.condition)),
    part ("Verdicts", verdictTable (test)),
    ...panels.map (panel => panel.view (test)),
    flagList (test),
    progressList (test),
    part ("States", stateTable (test)),
    explainSection (test),
    differences (test),
    test.scopes && part ("Scope tree", scopeView (test.scopes)),
    test.source !== undefined && part ("Source", sourceView (test.source, markedLines (test))),
    part ("Identity", hashes (test))
  ].filter (item => item);
}

/* What an open panel covers is out of reach of the keyboard and of screen readers. */
function shieldPage ()
{
  for (const node of document.querySelectorAll ("body > .skip, body > .top, body > main"))
    node.inert = opened !== null && isNarrow.matches;
}

function openTest (test)
{
  if (opened === null)
    cameFrom = document.activeElement;
  markRow (opened, false);
  opened = test;
  markRow (test, true);
  const panel = byId ("panel");
  panel.replaceChildren (panelHead (test), ...panelBody (test));
  panel.hidden = false;
  panel.scrollTop = 0;
  panel.focus ();
  document.body.classList.add ("opened");
  shieldPage ();
}

function markRow (test, current)
{
  const link = test && rowOf (test).querySelector ("a");
  if (!link)
    return;
  if (current)
    link.setAttribute ("aria-current", "true");
  else
    link.removeAttribute ("aria-current");
}

function hidePanel ()
{
  if (opened === null)
    return;
  const link = rowOf (opened).querySelector ("a");
  markRow (opened, false);
  opened = null;
  byId ("panel").hidden = true;
  byId ("panel").replaceChildren ();
  document.body.classList.remove ("opened");
  shieldPage ();
  (link.isConnected ? link : cameFrom)?.focus ({ preventScroll: true });
}

function closePanel ()
{
  history.pushState (null, "", location.pathname + location.search);
  hidePanel ();
}

/* Shows what the address asks for. */
function followAddress ()
{
  const match = /^#test=(.*)$/.exec (location.hash);
  let test;
  try
    {
      test = match && testsByKey.get (decodeURIComponent (match[1]));
    }
  catch
    {
      test = undefined; /* no such encoding */
    }
  if (test)
    openTest (test);
  else
    hidePanel ();
}

function startPanel ()
{
  window.addEventListener ("hashchange", followAddress);
  window.addEventListener ("popstate", followAddress);
  isNarrow.addEventListener ("change", shieldPage);
  document.addEventListener ("keydown", event => {
    const typing = event.target.closest ("input, select, pre");
    if (event.ctrlKey || event.metaKey || event.altKey)
      return;
    if (event.key === "Escape" && opened !== null)
      closePanel ();
    else if (event.key === "/" && !typing)
      {
        event.preventDefault ();
        byId ("search").focus ();
      }
    else if ((event.key === "ArrowLeft" || event.key === "ArrowRight") && !typing && opened !== null)
      document.querySelector (`#panel a[data-step="${event.key === "ArrowLeft" ? -1 : 1}"]`)?.click ();
  });
}
