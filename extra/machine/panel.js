/* A machine's cells: is the mapping sound, which trace shows that it is not, and what does it cost? */

const SOUNDNESS = {
  sound: "the model allows all states of the machine",
  unsound: "the machine has a state that the model does not allow",
  vacuous: "the program is undefined under the model, which allows everything",
  bounded: "a limit ended the search, or a loop was truncated: no state was found that the model does not allow"
};
const onMachine = data.tests.some (test => test.cells.some (cell => cell?.m));
const capitalised = word => word[0].toUpperCase () + word.slice (1);

function machineBadges (cell)
{
  const { verdict, deadlock, violated } = cell.m ?? {}, parts = [];
  if (verdict in SOUNDNESS)
    parts.push (" ", badge (verdict === "unsound" ? "flag" : verdict === "sound" ? "sound" : "loop", capitalised (verdict), SOUNDNESS[verdict]));
  if (deadlock)
    parts.push (" ", badge ("flag", "Deadlock", "some interleaving ends with a thread that cannot go on"));
  if (violated)
    parts.push (" ", badge ("flag", "Invariant", `some state of the machine violates the invariant: ${violated}`));
  return parts;
}

const hasMachineVerdict = (cell, wanted) =>
  wanted === "Deadlock" ? cell.m?.deadlock === true : wanted === "Invariant" ? cell.m?.violated !== undefined : cell.m !== undefined && capitalised (cell.m.verdict) === wanted;

const MACHINE_VERDICTS = [...Object.keys (SOUNDNESS).map (capitalised), "Deadlock", "Invariant"];

/* One line per mapping: how often each verdict occurs; a number shows its tests. */
function showMachines ()
{
  for (const [k, name] of onMachine ? models.entries () : [])
    {
      const counted = MACHINE_VERDICTS.map (word => [word, data.tests.filter (test => test.cells[k] && hasMachineVerdict (test.cells[k], word)).length]);
      const parts = counted.filter (([, n]) => n > 0).flatMap (([word, n], i) => [i ? ", " : ": ", `${word} `,
        element ("button", { type: "button", class: "number", title: `show tests: ${word} under ${name}`,
                             onclick: () => setFilter ({ verdict: word, model: String (k) }) }, n.toLocaleString ("en"))]);
      byId ("same").append (element ("li", null, element ("strong", null, name), ...parts));
    }
}

/* ---- The panel ---- */

const traceOf = (title, text) => text && element ("div", null, element ("p", { class: "note" }, title),
  element ("pre", { class: "trace", tabindex: "0" }, text.trimEnd ()));

function machineText (test, cell, name)
{
  const { verdict, unsound, by, readings, states, trace, deadlockTrace, violated, violatedTrace } = cell.m;
  const found = unsound.length ? [": ", element ("code", null, test.states[unsound[0]] || "a state"),
                                  unsound.length > 1 ? ` and ${plural (unsound.length - 1, "other")}` : "", ` not allowed by ${by}`] : [];
  return element ("div", { class: "machine" },
    element ("p", null, element ("strong", null, name), " ", ...machineBadges (cell), ...found),
    element ("p", { class: "note" }, `${plural (states, "state")} of the machine${readings ? `; readings: ${readings}` : ""}`),
    traceOf ("The shortest interleaving to it, one step per line:", trace),
    traceOf ("The shortest interleaving to a deadlock:", deadlockTrace),
    traceOf (`The shortest interleaving to a state that violates "${violated}":`, violatedTrace));
}

/* One row per kind of event that costs something, one column per mapping. */
function billTable (cells)
{
  const paid = cells.filter (([, cell]) => cell.m.bill.length > 0);
  if (paid.length === 0)
    return null;
  const items = paid[0][1].m.bill.map (([item]) => item);
  const rows = items.flatMap ((item, i) => paid.every (([, cell]) => cell.m.bill[i][3] === 0) ? []
    : [[item, ...paid.map (([, cell]) => element ("td", { class: "numeric", title: "least, mean, most" },
        `${cell.m.bill[i][1]} / ${cell.m.bill[i][2].toFixed (2)} / ${cell.m.bill[i][3]}`))]]);
  return element ("div", { class: "scroll" }, table ({ class: "plain bill" },
    ["Costs (least / mean / most)", ...paid.map (([name]) => element ("th", { scope: "col", class: "numeric" }, name))], rows));
}

function machineView (test)
{
  const cells = test.cells.flatMap ((cell, k) => cell?.m ? [[models[k], cell]] : []);
  return cells.length ? part ("On the machine", ...cells.map (([name, cell]) => machineText (test, cell, name)), billTable (cells)) : null;
}

panels.push ({ isUsed: onMachine, column: "mapping", badges: machineBadges, words: MACHINE_VERDICTS, has: hasMachineVerdict,
               summarise: showMachines, view: machineView });
