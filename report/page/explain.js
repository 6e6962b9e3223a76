/* Why: the candidates of a test's states under a model, one by one, with each axiom's verdict on them. */

const USUAL = ["po", "rf", "co", "fr"]; /* relations that are shown at first */
const ZOOM = 1.25;
const LEAST = 0.85; /* scale at which text is legible: for what is wider the axioms make room */

/* The test's candidates: { pictures, cells }. The workbench has its own way. */
let unpack = async test => (await unpacked (test.packed)).json ();

/* ---- What can be chosen ---- */

const listed = names => names.length < 2 ? names.join () : `${names.slice (0, -1).join (", ")} and ${names.at (-1)}`;
const alone = names => `${listed (names)} ${names.length === 1 ? "alone" : "together"}`;
const isSubset = (a, b) => a.every (name => b.includes (name));

/* The minimal sets of failed axioms among groups. */
const minimalSets = groups => groups.map (group => group.failed)
  .filter (failed => !groups.some (other => other.failed.length < failed.length && isSubset (other.failed, failed)));

/* A model's verdict on a state, in words. */
function stateWords (cell, groups)
{
  const accepted = groups.find (group => group.failed.length === 0), few = cell.complete ? "" : ", of the candidates seen";
  if (accepted)
    return `allowed: the model accepts ${plural (accepted.candidates, "execution")}${few}`;
  return `forbidden by ${minimalSets (groups).map (alone).join ("; also by ")}${few}`;
}

function answerWords (answer)
{
  const sets = answer.pictures.map (picture => alone (picture.failed));
  const more = answer.more ? "; there may be more" : "";
  if (answer.answer === "forbidden" && !sets.length)
    return "forbidden; the axioms that forbid it were not found within the limits of an explanation";
  return answer.answer === "forbidden" ? `forbidden by ${sets.join ("; also by ")}${more}`
    : [answer.answer, ...answer.reasons].join (": ");
}

/* Everything about a cell that has pictures: { kind, title, words, pictures, total }. */
function subjectsOf (cell)
{
  const states = [...new Set (cell.groups.map (group => group.state))];
  return [
    ...cell.answers.map (answer => ({ kind: "The question", title: answer.question, words: answerWords (answer),
                                      pictures: answer.pictures, total: answer.pictures.length, groups: [] })),
    ...cell.flags.map (picture => ({ kind: "Flags", title: picture.raised.join (", "), words: "raised by this execution, which the model accepts",
                                     pictures: [picture], total: 1, groups: [] })),
    ...states.map (state => {
      const groups = cell.groups.filter (group => group.state === state);
      return { kind: "States", title: state || "(nothing is observed)", state, words: stateWords (cell, groups), groups,
               pictures: groups.flatMap (group => group.pictures), total: groups.reduce ((sum, group) => sum + group.candidates, 0) };
    })
  ];
}

/* What the model says of the axiom, for those who point at it; the workbench knows. */
let definitionOf = () => null;

/* ---- The view of one test ---- */

class Explorer
{
  constructor (test, packed)
  {
    this.test = test;
    this.packed = packed;
    this.cells = packed.cells;
    this.ticked = new Set ();
    this.relations = new Set (USUAL);
    this.exact = false;
    this.zoom = 0; /* steps from what fits */
    this.node = element ("div", { class: "explorer" });
    this.chooseModel (this.cells.findIndex (cell => cell !== null));
  }

  chooseModel (k, state)
  {
    const asked = state ?? this.subject?.state;
    this.k = k;
    this.cell = this.cells[k];
    this.subjects = subjectsOf (this.cell);
    const same = this.subjects.findIndex (subject => subject.state !== undefined && subject.state === asked);
    this.chooseSubject (Math.max (same, 0));
  }

  chooseSubject (i)
  {
    this.subject = this.subjects[i];
    this.at = 0;
    this.draw ();
  }

  /* The pictures to step through. */
  get shown ()
  {
    return this.exact ? this.subject.pictures.filter (picture => picture.failed.length === this.ticked.size
                                                       && isSubset (picture.failed, [...this.ticked]))
      : this.subject.pictures;
  }

  step (by)
  {
    this.at = Math.min (Math.max (this.at + by, 0), this.shown.length - 1);
    this.draw ();
  }

  draw ()
  {
    const focused = this.node.contains (document.activeElement) ? document.activeElement.dataset.keep : undefined;
    this.at = Math.min (this.at, Math.max (this.shown.length - 1, 0));
    this.picture = this.shown[this.at];
    this.reason = this.picture?.reasons[0];
    this.drawn = this.picture && parsePicture (this.packed.pictures[this.picture.svg]);
    this.drawn?.svg.setAttribute ("aria-label", inWords (this.drawn));
    this.canvas = element ("div", { class: "canvas", tabindex: "0", role: "group", "aria-label": "the execution" }, this.drawn?.svg);
    this.words = element ("ol", { class: "reasons" });
    this.node.replaceChildren (this.choosers (), element ("p", { class: "verdict-words", role: "status" }, this.subject.words, "."),
      element ("div", { class: "looking" }, this.axioms (), element ("div", { class: "picture" }, this.stepper (), this.canvas, this.toggles ())), this.words);
    this.show ();
    if (focused)
      this.node.querySelector (`[data-keep="${CSS.escape (focused)}"]`)?.focus ();
  }

  /* Steps that need the picture to be in the page. */
  show ()
  {
    if (!this.drawn || !this.node.isConnected)
      return;
    this.size ();
    showRelations (this.drawn, this.picture.relations, this.relations);
    this.choose (this.reason);
  }

  size ()
  {
    const { svg } = this.drawn, [, , width, height] = (svg.getAttribute ("viewBox") ?? "0 0 300 150").split (/[ ,]+/).map (Number);
    const room = () => this.canvas.clientWidth - 16, tall = parseFloat (getComputedStyle (this.canvas).maxHeight) - 16;
    this.node.classList.remove ("broad");
    this.node.classList.toggle ("broad", room () < width * LEAST);
    svg.style.width = `${Math.min (room (), width * 1.6, (tall || Infinity) * width / height) * ZOOM ** this.zoom}px`;
    svg.removeAttribute ("width");
    svg.removeAttribute ("height");
  }

  /* ---- Parts ---- */

  choosers ()
  {
    const model = this.cells.filter (cell => cell !== null).length > 1 && element ("label", null, "Model ",
      element ("select", { "data-keep": "model", onchange: event => this.chooseModel (Number (event.target.value)) },
        ...this.cells.map ((cell, k) => cell !== null && element ("option", { value: k, selected: k === this.k }, models[k]))));
    const kinds = [...new Set (this.subjects.map (subject => subject.kind))];
    const subject = element ("label", { class: "wide" }, "Ask about ",
      element ("select", { "data-keep": "subject", class: "subject", onchange: event => this.chooseSubject (Number (event.target.value)) },
        ...kinds.map (kind => element ("optgroup", { label: kind }, ...this.subjects.map ((one, i) => one.kind === kind
          && element ("option", { value: i, selected: one === this.subject }, `${one.title} — ${one.words}`))))));
    return element ("div", { class: "choosers" }, model, subject);
  }

  axioms ()
  {
    const { picture } = this, reasons = picture?.reasons ?? [];
    const button = (reason, text) => element ("button", { type: "button", class: "why", "data-keep": `why ${text}`, "aria-pressed": String (reason === this.reason),
                                                         onclick: () => this.choose (reason) }, text);
    const rows = this.cell.axioms.map (axiom => {
      const fails = picture?.failed.includes (axiom), reason = reasons.find (one => one.axiom === axiom);
      return element ("li", { class: fails ? "fails" : null },
        element ("input", { type: "checkbox", "data-keep": `tick ${axiom}`, checked: this.ticked.has (axiom), "aria-label": `tick ${axiom}`, onchange: event => {
          this.ticked[event.target.checked ? "add" : "delete"] (axiom);
          this.draw ();
        } }),
        picture && sign (fails ? "✗" : "✓", fails ? "fails" : "holds"), element ("span", { title: definitionOf (models[this.k], axiom) }, reason ? button (reason, axiom) : axiom));
    });
    const flags = reasons.filter (reason => reason.flag).map (reason => element ("li", { class: "fails" }, sign ("⚑", "raised"), button (reason, reason.flag)));
    return element ("div", { class: "axioms" }, element ("h4", null, "Axioms"), element ("ul", null, ...rows, ...flags),
      element ("label", { class: "exact" }, element ("input", { type: "checkbox", "data-keep": "exact", checked: this.exact, onchange: event => {
        this.exact = event.target.checked;
        this.at = 0;
        this.draw ();
      } }), " only executions that fail exactly the ticked axioms"));
  }

  /* The number of candidates besides those shown. */
  counted ()
  {
    const { groups } = this.subject, [n, total] = this.exact && groups.length
      ? [this.shown.length, groups.filter (group => group.failed.length === this.ticked.size && isSubset (group.failed, [...this.ticked])).reduce ((sum, group) => sum + group.candidates, 0)]
      : [this.shown.length, this.exact ? this.shown.length : this.subject.total];
    const where = n ? `${this.at + 1} of ${n}` : "none";
    const more = total > n ? `; ${total - n} more with -nshow ${total}` : "";
    return `${where}${more}${this.cell.complete || !groups.length ? "" : "; not all candidates were counted"}`;
  }

  stepper ()
  {
    const go = (by, arrow, words) => element ("button", { type: "button", "data-keep": words, "aria-label": words, disabled: this.shown[this.at + by] === undefined,
                                                        onclick: () => this.step (by) }, arrow);
    const zoom = (by, text, words) => element ("button", { type: "button", "aria-label": words, title: words, onclick: () => {
      this.zoom = by ? Math.min (Math.max (this.zoom + by, -4), 8) : 0;
      if (this.drawn)
        this.size ();
    } }, text);
    return element ("div", { class: "stepper" }, go (-1, "◀", "the execution before"), element ("span", { class: "where", role: "status" }, this.counted ()),
      go (1, "▶", "the next execution"), element ("span", { class: "zoom" }, zoom (-1, "−", "smaller"), zoom (0, "fit", "all of it"), zoom (1, "+", "larger")));
  }

  toggles ()
  {
    if (!this.picture)
      return null;
    const names = [...new Set ([...USUAL, ...Array.from (this.drawn.edges.values (), edge => edge.dataset.relation), ...Object.keys (this.picture.relations)])];
    return element ("details", { class: "relations", open: this.opened, ontoggle: event => { this.opened = event.target.open; } },
      element ("summary", null, "Relations"), element ("div", null, ...names.map (name => element ("label", null,
        element ("input", { type: "checkbox", checked: this.relations.has (name), onchange: event => {
          this.relations[event.target.checked ? "add" : "delete"] (name);
          showRelations (this.drawn, this.picture.relations, this.relations);
          this.lightReason ();
        } }), ` ${name}`))));
  }

  /* ---- Why an axiom fails ---- */

  choose (reason)
  {
    this.reason = reason;
    for (const button of this.node.querySelectorAll (".why"))
      button.setAttribute ("aria-pressed", String (reason !== undefined && button.textContent === (reason.axiom ?? reason.flag ?? "")));
    this.words.replaceChildren (...(reason && !reason.axiom && !reason.flag ? [element ("li", null, "The model's orders between threads:")] : []), ...this.lines (reason));
    this.lightReason ();
  }

  /* Its edges; of a flag the pair, too. */
  lightReason ()
  {
    const { edges = [], events = [], flag } = this.reason ?? {};
    light (this.drawn, new Set (events).size === 2 ? [...edges, flag, ...events] : edges, events);
  }

  /* One step per line; choosing a line shows the edge that it mentions. */
  lines (reason)
  {
    return (reason?.text ?? "").split ("\n").filter (line => line.trim ()).map (line => {
      const depth = line.search (/\S/) / 2, edge = /^\s*(\w+) → (\w+) {2}(.*)$/.exec (line);
      const attributes = { style: `--depth: ${depth}` };
      if (!edge)
        return element ("li", attributes, line.trim ());
      const names = edge[3].split (" by "), name = names.find (one => this.drawn.edges.has (pairKey (one, edge[1], edge[2]))) ?? names[0];
      return element ("li", attributes, element ("button", { type: "button", onclick: () => light (this.drawn, [name, edge[1], edge[2]], []) }, line.trim ()));
    });
  }
}

/* ---- In the panel ---- */

let explorer = null; /* of the opened test */

function explainSection (test)
{
  explorer = null;
  if (!test.packed)
    return null;
  const place = element ("div", { class: "explorer" }, element ("p", { class: "note" }, "…"));
  unpack (test).then (packed => {
    if (opened !== test)
      return;
    explorer = new Explorer (test, packed);
    place.replaceWith (explorer.node);
    explorer.show ();
  }, () => place.replaceChildren (element ("p", { class: "note" }, "This browser cannot unpack the executions.")));
  const section = part ("Why", place);
  section.id = "why";
  return section;
}

/* Asks about a state of a model; false if nothing is known about it. */
function explainState (k, state)
{
  if (!explorer?.cells[k])
    return false;
  explorer.chooseModel (k, state);
  explorer.node.closest ("section").scrollIntoView ({ block: "start" });
  explorer.node.querySelector (".subject").focus ({ preventScroll: true });
  return true;
}
