/* Kernels of OpenCL C: what is found on a grid, and patches. */

const isKernel = () => state.name.endsWith (".cl");
const jsonLines = out => out.split ("\n").filter (line => line).map (line => JSON.parse (line));

/* What comes after models and options: the text that is checked. */
const aboutText = name => isKernel () ? ["-kernel", name, "-grid", state.grid] : [name];

function showGrid ()
{
  byId ("grid").hidden = !isKernel ();
  byId ("grid").querySelector ("input").value = state.grid;
  document.body.classList.toggle ("kernel", isKernel ());
}

const countOf = ({ findings: { length } }) => `${length || "no"} finding${length === 1 ? "" : "s"}`;

const finding = one => element ("li", null, place (one.line, one.column), ` ${one.message}`);

function kernelPart (report, k)
{
  const { findings, loop, executions } = report;
  return element ("section", null, element ("h3", null, state.models[k] ?? "the language's own model"),
    element ("p", { class: "found" }, `${countOf (report)} on the grid ${report.grid}, ${executions} execution${executions === "1" ? "" : "s"}`,
             loop && "; some loop needs more rounds than -unroll allows"),
    element ("ul", { class: "patches" }, ...findings.map (finding)));
}

/* The findings, as warnings at their places and as a list; the number of findings by model. */
function showKernel (answer)
{
  const reports = answer.status === 0 || answer.status === 3 ? jsonLines (answer.out) : [];
  data.tests = [];
  readMessages (answer.error);
  for (const one of reports[0]?.findings ?? [])
    messages.push ({ file: FILE, row: one.line, column: one.column, kind: "warning", words: one.message });
  if (reports.length)
    {
      byId ("edit").hidden = true;
      byId ("body").replaceChildren (...reports.map (kernelPart));
      showStrip (reports.map ((report, k) => `${state.models[k] ?? "the language's own model"}: ${countOf (report)}`));
    }
  return reports.length > 0;
}

function startKernels ()
{
  byId ("grid").addEventListener ("change", event => {
    state.grid = event.target.value.trim ();
    checkSoon ();
  });
}
