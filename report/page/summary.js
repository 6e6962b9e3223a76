/* More pairs than this are folded away. */
const MANY_PAIRS = 3;

/* The parts above and below the matrix: totals, pairs of models, how the run was made. */

/* What a column is. */
const columnWord = panels.find (panel => panel.isUsed)?.column ?? "model";

function showTitle ()
{
  const differing = data.tests.filter (test => test.differs).length;
  const what = models.length > 1 ? `${plural (data.tests.length, "test")} under ${plural (models.length, columnWord)}`
    : `${plural (data.tests.length, "test")} under ${models[0] ?? "no model"}`;
  byId ("title").textContent = what;
  document.title = `${what} – rspcheck`;
  if (models.length > 1)
    byId ("lead").textContent = differing ? `The ${columnWord}s differ on ${plural (differing, "test")}.`
      : data.tests.some (test => test.relations.includes (EQUAL)) ? "The models differ on no test."
      : "No test has answers from two models.";
}

/* A number that sets a filter. */
function numberButton (n, title, filter)
{
  return n === 0 ? element ("td", { class: "zero" }, "0")
    : element ("td", null, element ("button", { type: "button", class: "number", title, onclick: () => setFilter (filter) },
                                    n.toLocaleString ("en")));
}

/* Never, Sometimes, Always and unfinished as parts of a bar; the numbers are next to it. */
function bar (model)
{
  const shares = ["Never", "Sometimes", "Always", "unfinished"].map (title => [title, model.totals[data.totals.indexOf (title)]]);
  return element ("div", { class: "bar", "aria-hidden": "true" }, ...shares.map (([title, n]) => {
    const part = element ("span", { class: verdictClass (title), title: `${title}: ${n}` });
    part.style.flexGrow = n;
    return part;
  }));
}

function totalFilter (title, k)
{
  return title === "flagged" ? { flag: "any", model: String (k) }
    : { verdict: title === "left out" ? "LeftOut" : title, model: String (k) };
}

function showTotals ()
{
  const heads = ["Model", element ("td", { class: "bars" }), ...data.totals.map (title => element ("th", { scope: "col", class: "numeric" },
    ...(["Never", "Sometimes", "Always"].includes (title) ? [dot (title), title] : [title])))];
  const rows = data.models.map ((model, k) => [model.name, element ("td", { class: "bars" }, bar (model)),
    ...model.totals.map ((n, i) => numberButton (n, `show tests: ${data.totals[i]} under ${model.name}`,
                                                 totalFilter (data.totals[i], k)))]);
  byId ("totals").append (table ({ class: "numbers", "aria-labelledby": "summary-title" }, heads, rows));
}

function showPairs ()
{
  if (models.length < 2)
    return;
  const heads = ["Pair", ...data.relations.map (title => element ("th", { scope: "col", class: "numeric" }, title))];
  const rows = data.pairs.map (([a, b, ...numbers]) => [
    element ("th", { scope: "row" }, models[a], element ("span", { class: "muted" }, " to "), models[b]),
    ...numbers.map ((n, relation) => numberButton (n, `show tests: ${models[a]} to ${models[b]}, ${data.relations[relation]}`,
                                                   { pair: [a, b, relation] }))]);
  byId ("pairs").hidden = false;
  byId ("pairs").open = data.pairs.length <= MANY_PAIRS;
  window.addEventListener ("beforeprint", () => byId ("pairs").open = true);
  byId ("pairs").lastElementChild.append (table ({ class: "numbers" }, heads, rows));
  byId ("same").append (...data.same.map (([a, b, whole]) => element ("li", null,
    `${models[a]} and ${models[b]} are indistinguishable on this suite${whole ? "" : ", as far as both were checked"}.`)));
}

function showProvenance ()
{
  const rows = data.models.map (model => [model.name, element ("td", null, element ("code", { class: "digest" }, model.log ?? model.digest ?? "–")),
    element ("td", null, element ("code", null, model.options ?? "–")), model.version ?? "–"]);
  byId ("provenance").append (table ({ class: "plain", "aria-labelledby": "about-title" },
    ["Model", "SHA-256 of its text, or log", "Options", "Version"], rows));
}

function showSummary ()
{
  showTitle ();
  showTotals ();
  showPairs ();
  for (const panel of panels)
    panel.summarise ();
  showProvenance ();
}
