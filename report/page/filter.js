/* Which tests are shown, and in which order. */

/* pair: [a, b, relation], or null. sort: column (-1: names, k: a model; null: as they were given). */
const nothingChosen = { words: "", verdict: "", flag: "", model: "", differs: false, pair: null };
let chosen = { ...nothingChosen };
let sorted = { column: null, descending: false };
let shown = data.tests;

function hasVerdict (cell, wanted)
{
  const panel = panels.find (one => one.words.includes (wanted));
  return wanted === "" || (panel ? panel.has (cell, wanted)
    : wanted === "Loop" ? cell.loop === true
    : wanted === "unfinished" ? !isFinished (cell) && verdictOf (cell) !== "LeftOut" : verdictOf (cell) === wanted);
}

/* Do the cells of a test, of one model or of all, match? */
function hasCells (test)
{
  const asked = chosen.model === "" ? test.cells : [test.cells[chosen.model]];
  const cells = asked.filter (cell => cell !== null && hasVerdict (cell, chosen.verdict));
  if (cells.length === 0)
    return chosen.verdict === "" && chosen.flag === "" && chosen.model === "";
  switch (chosen.flag)
    {
    case "": return true;
    case "any": return cells.some (cell => cell.f);
    case "none": return cells.every (cell => !cell.f);
    default: return cells.some (cell => flagsOf (cell).includes (chosen.flag.slice (1)));
    }
}

function isShown (test, words)
{
  return (!chosen.differs || test.differs === true)
    && words.every (word => test.sought.includes (word))
    && (chosen.pair === null || relationOf (test, chosen.pair[0], chosen.pair[1]) === chosen.pair[2])
    && hasCells (test);
}

/* Always, Sometimes, Never, then tests without an answer. */
const verdictRank = cell => cell === null ? 5 : ["Always", "Sometimes", "Never", verdictOf (cell)].indexOf (verdictOf (cell));

function compareTests (a, b)
{
  if (sorted.column === -1)
    return a.name.localeCompare (b.name, "en", { numeric: true });
  return verdictRank (a.cells[sorted.column]) - verdictRank (b.cells[sorted.column]);
}

/* Brings the list up to date and draws it. */
function applyFilter ()
{
  const words = chosen.words.toLowerCase ().split (/\s+/).filter (word => word);
  shown = data.tests.filter (test => isShown (test, words));
  if (sorted.column !== null)
    {
      const direction = sorted.descending ? -1 : 1;
      shown.sort ((a, b) => direction * compareTests (a, b));
    }
  showMatrix ();
}

/* ---- The form ---- */

function readForm ()
{
  chosen = { ...chosen, words: byId ("search").value, differs: byId ("differs").checked };
  for (const field of ["verdict", "flag", "model"])
    chosen[field] = byId (field).value;
  applyFilter ();
}

function writeForm ()
{
  byId ("search").value = chosen.words;
  byId ("differs").checked = chosen.differs;
  for (const field of ["verdict", "flag", "model"])
    byId (field).value = chosen[field];
  const pair = byId ("pair");
  pair.hidden = chosen.pair === null;
  if (chosen.pair)
    pair.textContent = `${models[chosen.pair[0]]} to ${models[chosen.pair[1]]}: ${data.relations[chosen.pair[2]]} ✕`;
}

/* Sets only this filter, and goes to the tests. */
function setFilter (wanted)
{
  chosen = { ...nothingChosen, ...wanted };
  writeForm ();
  applyFilter ();
  byId ("tests").scrollIntoView ();
  byId ("tests").focus ({ preventScroll: true });
}

function addOptions (id, options)
{
  byId (id).append (...options.map (([value, text]) => element ("option", { value }, text)));
}

function startFilter ()
{
  const stopped = data.verdicts.filter (word => verdictClass (word) === "stopped");
  const words = ["Never", "Sometimes", "Always", "Loop", ...panels.flatMap (panel => panel.isUsed ? panel.words : []), ...stopped, ...(stopped.length ? ["unfinished"] : [])];
  addOptions ("verdict", [["", "any"], ...words.map (word => [word, word])]);
  /* A flag may have any name, so it is marked by a sign. */
  addOptions ("flag", [["", "any or none"], ["any", "some flag"], ["none", "no flag"],
                       ...data.flags.map (name => [`=${name}`, name])]);
  addOptions ("model", [["", "any"], ...models.map ((name, k) => [String (k), name])]);
  if (models.length < 2)
    byId ("model").parentElement.hidden = byId ("differs").parentElement.hidden = true;
  byId ("filter").addEventListener ("input", readForm);
  byId ("filter").addEventListener ("submit", event => event.preventDefault ());
  byId ("filter").addEventListener ("reset", event => {
    event.preventDefault ();
    chosen = { ...nothingChosen };
    writeForm ();
    applyFilter ();
  });
  byId ("pair").addEventListener ("click", () => {
    chosen.pair = null;
    writeForm ();
    applyFilter ();
    byId ("search").focus ();
  });
}
