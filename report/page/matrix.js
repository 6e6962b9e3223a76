/* The matrix: one row per test, one column per model. Rows are made when they are first shown: some at once,
 * so that the page can be read, the others while the browser has nothing else to do. They stand in
 * groups, of which the browser lays out only those in sight (page.css). */

const FIRST_ROWS = 40, MORE_ROWS = 100;
const rows = new Map (); /* test → tr */
let unfinishedDrawing = 0; /* number of the callback that continues drawing */
let drawn = 0;             /* of the shown tests */

const addressOf = test => `#test=${encodeURIComponent (test.key)}`;

function matrixCell (test, cell, k)
{
  const differs = cell?.differs === true;
  return element ("td", { role: "cell", "data-model": models[k], class: differs ? "differs" : null },
                  element ("span", { class: "in" }, ...verdictParts (cell),
                           differs && sign ("≠", `differs from ${models[firstOf (test)]}`)));
}

function makeRow (test)
{
  return element ("tr", { role: "row", "data-key": test.key, class: test.differs ? "differs" : null },
                  element ("th", { scope: "row", role: "rowheader" },
                           element ("a", { href: addressOf (test), title: test.path }, test.name),
                           test.differs && sign ("≠", "the models differ")),
                  ...test.cells.map ((cell, k) => matrixCell (test, cell, k)));
}

function rowOf (test)
{
  if (!rows.has (test))
    rows.set (test, makeRow (test));
  return rows.get (test);
}

/* ---- Drawing ---- */

/* Soon, and sooner if idle: a browser may never report that it is idle. */
const whenIdle = work => window.requestIdleCallback ? requestIdleCallback (work, { timeout: 100 }) : setTimeout (work, 10);
const notWhenIdle = window.cancelIdleCallback ?? clearTimeout;

function drawRows (n)
{
  const group = element ("tbody", { role: "rowgroup" }, ...shown.slice (drawn, drawn + n).map (rowOf));
  group.style.setProperty ("--rows", group.rows.length);
  byId ("matrix").append (group);
  drawn += group.rows.length;
}

function drawMore ()
{
  drawRows (MORE_ROWS);
  unfinishedDrawing = drawn < shown.length ? whenIdle (drawMore) : 0;
}

/* All at once: for printing. */
function drawAll ()
{
  notWhenIdle (unfinishedDrawing);
  unfinishedDrawing = 0;
  while (drawn < shown.length)
    drawRows (MORE_ROWS);
}

function showMatrix ()
{
  notWhenIdle (unfinishedDrawing);
  drawn = 0;
  byId ("matrix").replaceChildren (byId ("matrix").tHead);
  drawRows (FIRST_ROWS);
  unfinishedDrawing = drawn < shown.length ? whenIdle (drawMore) : 0;
  byId ("nothing").hidden = shown.length > 0 || data.tests.length === 0;
  byId ("scroller").hidden = shown.length === 0;
  byId ("shown").textContent = shown.length === data.tests.length ? `All ${plural (data.tests.length, "test")}`
    : `${shown.length.toLocaleString ("en")} of ${plural (data.tests.length, "test")}`;
}

/* ---- Heads ---- */

/* Up, down, as given. */
function sortBy (column)
{
  if (sorted.column !== column)
    sorted = { column, descending: false };
  else if (!sorted.descending)
    sorted = { column, descending: true };
  else
    sorted = { column: null, descending: false };
  for (const head of document.querySelectorAll ("#matrix thead th"))
    if (Number (head.dataset.column) === sorted.column)
      head.setAttribute ("aria-sort", sorted.descending ? "descending" : "ascending");
    else
      head.removeAttribute ("aria-sort");
  applyFilter ();
}

function startMatrix ()
{
  const head = (column, title) => element ("th", { scope: "col", role: "columnheader", "data-column": String (column) },
    element ("button", { type: "button", title: `sort by ${column < 0 ? "name" : `the verdict of ${title}`}`,
                         onclick: () => sortBy (column) }, title));
  byId ("matrix").tHead.append (element ("tr", { role: "row" }, head (-1, "Test"),
                                         ...models.map ((name, k) => head (k, name))));
  byId ("matrix").style.setProperty ("--models", models.length);
  /* The head stays in sight while the page scrolls, unless the table itself has to scroll. */
  const fit = () => {
    byId ("scroller").classList.remove ("wide");
    byId ("scroller").classList.toggle ("wide", byId ("matrix").scrollWidth > byId ("scroller").clientWidth);
  };
  new ResizeObserver (fit).observe (document.documentElement);
  byId ("matrix").addEventListener ("click", event => {
    const row = event.target.closest ("tbody tr");
    if (row && !event.target.closest ("a") && getSelection ().isCollapsed)
      location.hash = addressOf (testsByKey.get (row.dataset.key));
  });
  window.addEventListener ("beforeprint", drawAll);
}
