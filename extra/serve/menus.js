/* What is chosen: test, models, options. */

/* ---- Tests and models ---- */

const shippedModels = () => Object.keys (shipped.installed).filter (path => path.endsWith (".cat")).map (path => path.slice (4)).sort ();

/* "OPENCL", as a test begins, after comments. */
const languageOf = (name, source) => name.endsWith (".cl") ? "OPENCL" : /^(?:\s|\(\*[^]*?\*\)|\/\/.*)*(\w*)/.exec (source)[1].toUpperCase ();

/* The test that was shown before keeps a tab. One in another language gets its models, unless some were given to -serve. */
function loadTest (path, source)
{
  const name = path.split ("/").at (-1), given = shipped.given.includes (path) ? path : state.others[name]?.path;
  if (state.texts[FILE] !== "" && state.name !== name)
    state.others[state.name] = { text: state.texts[FILE], path: state.path };
  delete state.others[name];
  const language = languageOf (name, source);
  if (shipped.models.length === 0 && language !== languageOf (state.name, state.texts[FILE]))
    {
      state.models = language === "OPENCL" ? MODELS : [];
      showModels ();
    }
  state.name = name;
  delete byId ("under").dataset.test; /* another test may have the same name */
  state.path = given; /* where -write saves it */
  state.texts[FILE] = source;
  before = null;
  showTab (FILE);
  byId ("picked").querySelector ("summary").textContent = state.name || "Test";
  byId ("answer").replaceChildren ();
  checkSoon ();
}

function closeTest ()
{
  const [name, { text: source }] = Object.entries (state.others)[0];
  state.texts[FILE] = "";
  loadTest (name, source);
}

/* Its shipped text counts again. */
function closeModel (name)
{
  delete state.texts[name];
  if (!shipped.installed[`cat/${name}`])
    state.models = state.models.filter (one => one.split (" ")[0] !== name);
  showModels ();
  showTab (FILE);
  checkSoon ();
}

/* What a test is about: the first sentence of its first comment, or the text below its name. */
function aboutTest (source)
{
  const words = /\(\*([^]*?)\*\)|\/\*([^]*?)\*\/|\/\/(.*)|^"(.*)"/m.exec (source)?.slice (1).find (one => one) ?? "";
  return /^.*?(?=[.:](?:\s|$)|$)/.exec (words.trim ().replace (/\s+/g, " "))[0];
}

/* The flags that models raise, as the suite of a test expects them: path without suffix → flag → models. */
function expectedFlags ()
{
  const found = {};
  const add = (path, flag, model) => ((found[path] ??= {})[flag] ??= []).push (model);
  for (const [path, text] of Object.entries (shipped.expected))
    {
      const rows = text.split ("\n").filter (line => !line.startsWith ("#")).map (line => line.split ("\t")), column = rows[0].indexOf ("flags");
      for (const [first, second, third, ...more] of rows)
        if (first.endsWith (".cl") && !second.includes ("-D"))
          third.split (", ").filter (one => one.includes (":")).forEach (one => add (path.replace ("expected.tsv", first.slice (0, -3)), one.split (":")[0], "kernel"));
        else if (column > 2 && first !== "model" && more[column - 3] !== undefined)
          more[column - 3].split (",").filter (flag => flag !== "-").forEach (flag => add (path.replace ("expected.tsv", second), flag, first));
    }
  return found;
}

/* Of each test that can be chosen: { name, about, flags, sought }. */
let allTests = null;

function listTests ()
{
  const flags = expectedFlags ();
  const isGiven = name => shipped.given.some (given => given !== name && given.split ("/").at (-1) === name.split ("/").at (-1) && shipped.tests[given] === shipped.tests[name]);
  return [...new Set ([...shipped.given, ...Object.keys (shipped.tests).filter (name => !isGiven (name)).sort ()])].map (name => {
    const own = Object.entries (flags[name.replace (/\.\w+$/, "")] ?? {}), about = aboutTest (shipped.tests[name]);
    return { name, about, flags: own, sought: [name, about, ...own.flat ()].join (" ").toLowerCase () };
  });
}

const testRow = ({ name, about, flags }) => element ("li", null, element ("button", { type: "button", title: name, onclick: () => {
  byId ("picked").open = false;
  loadTest (name, shipped.tests[name]);
} }, name, ...flags.flatMap (([flag, by]) => [" ", badge ("flag", flag, by.join (", "))]), about && element ("span", { class: "about" }, about)));

/* Those in which all words are. */
function showTests ()
{
  const words = byId ("search").value.toLowerCase ().split (/\s+/);
  allTests ??= listTests ();
  byId ("tests").replaceChildren (...allTests.filter (({ sought }) => words.every (word => sought.includes (word))).map (testRow));
}

function openModel (name)
{
  state.texts[name] ??= shipped.installed[`cat/${name}`] ?? "";
  showTab (name);
}

/* Files that others include say nothing alone: they are shown when they are sought. */
function fragments ()
{
  return new Set (shippedModels ().filter (name => !shipped.models.some (one => one.split (" ")[0] === name))
    .flatMap (name => [...shipped.installed[`cat/${name}`].matchAll (/^include "([^"]*)"/gm)].map (([, other]) => other)));
}

function showModels ()
{
  byId ("chosen").querySelector ("summary").textContent = state.models.join (", ") || "Models: the language's own";
  byId ("under").replaceChildren (...(state.models.length ? state.models : shippedModels ()).map (name => element ("option", null, name)));
  const sought = byId ("find").value.toLowerCase ();
  const own = [...state.models, ...Object.keys (state.texts).filter (name => name !== FILE)], parts = fragments ();
  const titleOf = name => aboutTest (state.texts[name] ?? shipped.installed[`cat/${name}`] ?? "");
  const names = [...new Set ([...own, ...shippedModels ().filter (name => sought || !parts.has (name))])].filter (name => `${name} ${titleOf (name.split (" ")[0])}`.toLowerCase ().includes (sought));
  redraw (byId ("models"), () => byId ("models").replaceChildren (...names.map (name => element ("div", null,
    element ("label", null, element ("input", { type: "checkbox", value: name, checked: state.models.includes (name), onchange: event => {
      state.models = event.target.checked ? [...state.models, name] : state.models.filter (one => one !== name);
      before = null;
      showModels ();
      checkSoon ();
    } }), ` ${name} `, element ("span", { class: "about" }, titleOf (name.split (" ")[0]))), element ("button", { type: "button", onclick: () => openModel (name.split (" ")[0]) }, "edit")))));
}

/* ---- Options ---- */

const GROUPS = { models: "The model", tests: "The test", search: "The search", machines: "A machine beside the model" };
const OTHERS = ["model", "I", "help-model", "help-mapping", "names", "kinds", "conds", "j", "resume", "shard", "initwrites"];

const optionWords = () => state.options.split (/\s+/).filter (word => word);

/* The options as words, without one, which may have a value. */
function without (name, hasValue)
{
  const words = optionWords (), at = words.findIndex (word => word === `-${name}`);
  return at < 0 ? words : [...words.slice (0, at), ...words.slice (at + (hasValue ? 2 : 1))];
}

function nameOptions ()
{
  byId ("options").value = state.options;
  byId ("set").querySelector ("summary").textContent = state.options || "Options";
}

function setOptions (words)
{
  state.options = words.join (" ");
  nameOptions ();
  before = null;
  checkSoon ();
}

/* An option with what chooses its value. */
function optionRow ({ name, argument, words, help })
{
  const given = optionWords (), at = given.indexOf (`-${name}`), value = at < 0 ? "" : given[at + 1] ?? "";
  const change = now => setOptions ([...without (name, argument !== undefined), ...(now === "" ? [] : argument ? [`-${name}`, now] : [`-${name}`])]);
  const control = argument === undefined ? element ("input", { type: "checkbox", checked: at >= 0, onchange: event => change (event.target.checked ? "on" : "") })
    : words ? element ("select", { onchange: event => change (event.target.value) }, element ("option", { value: "" }, "–"),
                       ...words.map (word => element ("option", { value: word, selected: word === value }, word)))
    : element ("input", { value, placeholder: argument, onchange: event => change (event.target.value.trim ()) });
  const here = help.replace (/(?:, see|; see) -help-\w+| \(docs\/[\w.]+\)/g, ""); /* which the page does not have */
  return [element ("dt", null, element ("label", null, `-${name} `, control)), element ("dd", null, ...quoted (here))];
}

/* The options that say something about a test; the checker lists them. */
async function showOptions ()
{
  if (byId ("table").childElementCount === 0)
    {
      const answer = await helper.run ({ args: ["-help-all", "-json"], files: {} });
      shipped.options = JSON.parse (answer?.out || "[]").filter (one => GROUPS[one.topic] && !OTHERS.includes (one.name) && !one.name.startsWith ("W"));
    }
  byId ("table").replaceChildren (...Object.entries (GROUPS).flatMap (([topic, title]) => [element ("h2", null, title),
    element ("dl", null, ...shipped.options.filter (one => one.topic === topic).flatMap (optionRow))]));
}

/* Arrows go through the rows of an open menu, from its field and back; Enter in the field takes the first row. */
function walkRows (event)
{
  const menu = event.currentTarget, field = menu.querySelector ("input"), rows = [...menu.querySelectorAll ("li > button, label > input[type=checkbox]")];
  const at = rows.indexOf (document.activeElement), step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const next = step ? rows[at + step] ?? (at + step < 0 ? field : undefined) : event.key === "End" && at >= 0 ? rows.at (-1) : event.key === "Home" && at >= 0 ? rows[0] : undefined;
  if (event.key === "Enter" && document.activeElement === field && field.value)
    rows[0]?.click ();
  else if (!next || (at < 0 && step < 0))
    return;
  next?.focus ();
  event.preventDefault ();
}

function startMenus ()
{
  nameOptions ();
  byId ("options").addEventListener ("change", event => setOptions (event.target.value.split (/\s+/).filter (word => word)));
  byId ("set").addEventListener ("toggle", () => byId ("set").open && showOptions ());
  byId ("search").addEventListener ("input", showTests);
  byId ("find").addEventListener ("input", showModels);
  byId ("picked").addEventListener ("toggle", () => allTests ?? showTests ()); /* once: later the pointer may be on a row already */
  for (const [menu, field] of [["picked", "search"], ["chosen", "find"]])
    {
      byId (menu).addEventListener ("toggle", () => byId (menu).open && byId (field).focus ());
      byId (menu).addEventListener ("keydown", walkRows);
    }
  document.addEventListener ("click", event => {
    for (const menu of document.querySelectorAll (".menu[open]"))
      if (!menu.contains (event.target) && event.target.isConnected)
        menu.open = false;
  });
}
