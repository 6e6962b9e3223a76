/* Pictures: Graphviz's SVG of a candidate execution, to which edges of other relations are added. */

const SVG = "http://www.w3.org/2000/svg";
const DRAWN = new Set (["svg", "g", "path", "polygon", "polyline", "ellipse", "text", "title"]);
const COLOURS = 6; /* of relations that have none of their own: --edge-0 … */

/* A copy of Graphviz's drawing with only shapes and text. */
function cleanCopy (node)
{
  if (!DRAWN.has (node.localName))
    return null;
  const copy = document.createElementNS (SVG, node.localName);
  for (const { name, value } of node.attributes)
    if (!/^(on|xmlns|id$|style$|font-family$)|href/.test (name))
      copy.setAttribute (name, value);
  for (const child of node.childNodes)
    if (child.nodeType === Node.TEXT_NODE)
      copy.append (child.data);
    else if (child.nodeType === Node.ELEMENT_NODE)
      copy.append (cleanCopy (child) ?? "");
  return copy;
}

/* A stable colour for a name: the SVG's own for those that Graphviz drew. */
const colourOf = name => `var(--edge-${[...name].reduce ((sum, c) => (sum * 31 + c.codePointAt (0)) % 997, 7) % COLOURS})`;

const pairKey = (name, from, to) => JSON.stringify ([name, from, to]);

/* An inline SVG: { svg, nodes: id → element, edges: key of name and pair → element }. */
function parsePicture (text)
{
  const root = cleanCopy (new DOMParser ().parseFromString (text, "image/svg+xml").documentElement);
  const svg = root?.localName === "svg" ? root : document.createElementNS (SVG, "svg");
  const nodes = new Map (), edges = new Map ();
  for (const node of svg.querySelectorAll ("g.node, g.edge"))
    {
      const title = node.querySelector ("title")?.textContent ?? "";
      const [from, to] = title.split ("->");
      const name = node.querySelector ("text")?.textContent || "po";
      if (to === undefined)
        nodes.set (from, node);
      else
        edges.set (pairKey (name, from, to), node);
      if (to !== undefined)
        node.dataset.relation = name;
    }
  svg.querySelectorAll ("title").forEach (title => title.remove ());
  svg.setAttribute ("role", "img");
  return { svg, nodes, edges };
}

/* What the picture shows, for readers who do not see it: "a: W x=1; b: R x=1; rf a → b". */
function inWords ({ nodes, edges })
{
  const events = Array.from (nodes.values (), node => Array.from (node.querySelectorAll ("text"), one => one.textContent).join (" "));
  return [...events, ...Array.from (edges.keys (), key => (([name, from, to]) => `${name} ${from} → ${to}`) (JSON.parse (key)))].join ("; ");
}

/* ---- Edges of other relations ---- */

function shape (name, attributes, ...children)
{
  const node = document.createElementNS (SVG, name);
  for (const [key, value] of Object.entries (attributes))
    node.setAttribute (key, value);
  node.append (...children);
  return node;
}

/* The middle of an event and half its size, in the picture's own units. */
function boxOf (node)
{
  const { x, y, width, height } = node.getBBox ();
  return { x: x + width / 2, y: y + height / 2, w: width / 2 + 2, h: height / 2 + 2 };
}

/* The point where a line from the middle of a box towards a point leaves the box. */
function exitOf (box, [x, y])
{
  const dx = x - box.x, dy = y - box.y;
  const t = 1 / Math.max (Math.abs (dx) / box.w, Math.abs (dy) / box.h, 1e-6);
  return [box.x + dx * t, box.y + dy * t];
}

/* An arc from one event to another, bent more for each one between the same two. */
function drawEdge (picture, name, from, to, bend)
{
  const a = picture.nodes.get (from), b = picture.nodes.get (to);
  if (!a || !b)
    return null;
  const p = boxOf (a), q = boxOf (b), loop = from === to;
  const dx = q.x - p.x, dy = q.y - p.y, length = Math.hypot (dx, dy) || 1, off = 22 + 16 * bend;
  const middle = loop ? [p.x + p.w + 34 + 12 * bend, p.y - 30]
    : [(p.x + q.x) / 2 - dy / length * off, (p.y + q.y) / 2 + dx / length * off];
  const start = exitOf (p, middle), end = loop ? [p.x + p.w, p.y + 4] : exitOf (q, middle);
  const angle = Math.atan2 (end[1] - middle[1], end[0] - middle[0]);
  const corner = turn => end.map ((at, i) => at - 8 * (i ? Math.sin (angle + turn) : Math.cos (angle + turn)));
  const at = [(start[0] + 2 * middle[0] + end[0]) / 4, (start[1] + 2 * middle[1] + end[1]) / 4];
  const edge = shape ("g", { class: "edge own", style: `--colour: ${colourOf (name)}` },
    shape ("path", { d: `M${start}Q${middle} ${end}`, fill: "none" }),
    shape ("polygon", { points: [end, corner (0.4), corner (-0.4)].join (" ") }),
    shape ("text", { x: at[0], y: at[1], "text-anchor": "middle", "font-size": "11" }, name));
  edge.dataset.relation = name;
  picture.svg.querySelector ("g").append (edge);
  picture.edges.set (pairKey (name, from, to), edge);
  return edge;
}

/* The pairs of a list from, to, from, to, … without those that follow from others through an event. */
function reduced (list)
{
  const pairs = [], has = new Set ();
  for (let i = 0; i < list.length; i += 2)
    {
      pairs.push ([list[i], list[i + 1]]);
      has.add (pairKey ("", list[i], list[i + 1]));
    }
  return pairs.filter (([a, b]) => !pairs.some (([x, z]) => x === a && z !== a && z !== b
    && has.has (pairKey ("", z, b)) && !has.has (pairKey ("", z, z))));
}

/* ---- What is to be seen ---- */

/* Highlights edges (relation, from, to, …) and events; everything else recedes. Edges that the picture lacks are drawn. */
function light (picture, edges, events)
{
  for (const node of picture.svg.querySelectorAll (".lit"))
    node.classList.remove ("lit");
  for (const node of picture.svg.querySelectorAll (".passing"))
    node.remove ();
  const lit = new Set (events);
  for (let i = 0; i + 2 < edges.length; i += 3)
    {
      const [name, from, to] = edges.slice (i, i + 3);
      let edge = picture.edges.get (pairKey (name, from, to));
      if (!edge?.isConnected)
        {
          edge = drawEdge (picture, name, from, to, 0);
          edge?.classList.add ("passing");
        }
      edge?.classList.add ("lit");
      lit.add (from).add (to);
    }
  for (const id of lit)
    picture.nodes.get (id)?.classList.add ("lit");
  picture.svg.classList.toggle ("chosen", lit.size > 0);
}

/* Shows the relations whose names are in the set, and hides the others. */
function showRelations (picture, relations, names)
{
  for (const edge of picture.svg.querySelectorAll (".own"))
    edge.remove ();
  for (const [key, edge] of picture.edges)
    if (edge.matches (".own"))
      picture.edges.delete (key);
    else
      edge.classList.toggle ("off", !names.has (edge.dataset.relation));
  const bends = new Map ();
  for (const name of names)
    if (Object.hasOwn (relations, name))
      for (const [from, to] of reduced (relations[name]))
        {
          const key = pairKey ("", from, to), bend = bends.get (key) ?? 0;
          if (picture.edges.has (pairKey (name, from, to)))
            continue;
          bends.set (key, bend + 1);
          drawEdge (picture, name, from, to, bend);
        }
}
