/* Elements. Text is only ever inserted as text, so nothing in a test can become markup. */

const byId = id => document.getElementById (id);

/* attributes: strings; true for one without a value; false, null and undefined for none; functions
 * listen: { onclick: … }. Children that are null or false are left out. */
function element (tag, attributes, ...children)
{
  const node = document.createElement (tag);
  for (const [name, value] of Object.entries (attributes ?? {}))
    if (typeof value === "function")
      node.addEventListener (name.slice (2), value);
    else if (value !== false && value !== null && value !== undefined)
      node.setAttribute (name, value === true ? "" : value);
  node.append (...children.filter (child => child !== null && child !== undefined && child !== false));
  return node;
}

/* Words for readers who do not see the sign. */
const sign = (shape, words) =>
  element ("span", { class: "sign", role: "img", "aria-label": words, title: words }, shape);

const verdictClass = word => ["Never", "Sometimes", "Always"].includes (word) ? word.toLowerCase () : "stopped";

const dot = word => element ("span", { class: `dot ${verdictClass (word)}`, "aria-hidden": "true" });

const badge = (kind, text, title) => element ("span", { class: `badge ${kind}`, title }, text);

/* What folders of extra/ add to the page, each by one object (extra/NAME/panel.js):
 * isUsed: does this run have such answers? column: what a column then is ("mapping"). badges (cell): beside the verdict.
 * words, has (cell, word): verdicts to filter by. summarise (): adds to the summary. view (test): a part of the panel, or null. */
const panels = [];

/* A verdict with what belongs to it: counts, Loop, flags. */
function verdictParts (cell)
{
  if (cell === null)
    return [element ("span", { class: "none", title: "not checked" }, "–")];
  const word = verdictOf (cell);
  const parts = [element ("span", { class: `verdict ${verdictClass (word)}`, title: cell.reason }, dot (word), word)];
  if (!isFinished (cell))
    return parts;
  if (cell.p !== null)
    parts.push (" ", element ("span", { class: "counts", title: "executions for and against" },
                              `${count (cell.p)}/${count (cell.n)}`));
  if (cell.u)
    parts.push (" ", badge ("loop", `${count (cell.u)} undetermined`,
                            "executions that may be for or against: it depends on undetermined values"));
  if (cell.loop)
    parts.push (" ", badge ("loop", "Loop", "a loop was cut: the verdict holds up to -unroll rounds"));
  for (const flag of flagsOf (cell))
    parts.push (" ", badge ("flag", flag));
  parts.push (...panels.flatMap (panel => panel.badges (cell)));
  if (cell.j)
    parts.push (" ", badge (cell.j.includes ("Violation") ? "flag" : "loop", cell.j, "what the models say of what the device showed"));
  return parts;
}

/* A table: heads and rows are lists of the contents of cells, elements (th, td) or text; the first of a row is its head.
   On phones, tables of numbers show their columns' heads before each cell. */
function table (attributes, heads, rows)
{
  const cell = (content, i) => {
    const made = content instanceof HTMLTableCellElement ? content : element (i ? "td" : "th", { scope: i ? null : "row" }, content);
    made.dataset.head = heads[i]?.textContent ?? heads[i] ?? "";
    return made;
  };
  return element ("table", attributes,
    element ("thead", null, element ("tr", null, ...heads.map (head =>
      head instanceof HTMLTableCellElement ? head : element ("th", { scope: "col" }, head)))),
    element ("tbody", null, ...rows.map (row =>
      row instanceof HTMLTableRowElement ? row : element ("tr", null, ...row.map (cell)))));
}

/* ---- Compressed texts ---- */

/* The workbench's state in an address: #s=…, JSON compressed (deflate) in base64 for addresses. */

async function packState (state)
{
  const stream = new Blob ([JSON.stringify (state)]).stream ().pipeThrough (new CompressionStream ("deflate"));
  const bytes = new Uint8Array (await new Response (stream).arrayBuffer ());
  return `#s=${btoa (String.fromCharCode (...bytes)).replaceAll ("+", "-").replaceAll ("/", "_")}`;
}

/* What such a text holds, as a response. */
async function unpacked (text)
{
  const binary = atob (text), bytes = new Uint8Array (binary.length);
  for (let i = 0; i < bytes.length; i++) /* ten times as fast as Uint8Array.from */
    bytes[i] = binary.charCodeAt (i);
  return new Response (new Blob ([bytes]).stream ().pipeThrough (new DecompressionStream ("deflate")));
}
