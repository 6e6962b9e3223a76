/* Kernels of OpenCL C: what is found on a grid, and patches. */

const isKernel = () => state.name.endsWith (".cl");
const jsonLines = out => out.split ("\n").filter (line => line).map (line => JSON.parse (line));

/* One of several kernels and models is in a list of all, each kernel's models together. */
const kernelReports = out => jsonLines (out).flatMap (line => line.kernels ?? [line]);

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

/* Of which model a report is, and of which kernel if there are several. */
function reportTitle (report, k, reports)
{
  const model = state.models[k % Math.max (1, state.models.length)] ?? "the language's own model";
  return reports.every (other => other.kernel === report.kernel) ? model : `${report.kernel}, ${model}`;
}

function kernelPart (report, k, reports)
{
  const { findings, loop, executions } = report;
  return element ("section", null, element ("h3", null, reportTitle (report, k, reports)),
    element ("p", { class: "found" }, `${countOf (report)} on the grid ${report.grid}`, executions !== null && `, ${executions.toLocaleString ("en")} execution${executions === 1 ? "" : "s"}`,
             loop && "; some loop needs more rounds than -unroll allows"),
    element ("ul", { class: "patches" }, ...findings.map (finding)));
}

/* The findings, as warnings at their places and as a list; the number of findings by model. */
function showKernel (answer)
{
  const reports = answer.status === 0 || answer.status === 3 ? kernelReports (answer.out).filter (report => report.findings) : [];
  data.tests = [];
  readMessages (answer.error);
  for (const one of reports[0]?.findings ?? [])
    messages.push ({ file: FILE, row: one.line, column: one.column, kind: "warning", words: one.message });
  if (reports.length)
    {
      byId ("edit").hidden = true;
      byId ("body").replaceChildren (...reports.map (kernelPart));
      showStrip (reports.map ((report, k) => `${reportTitle (report, k, reports)}: ${countOf (report)}`));
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
