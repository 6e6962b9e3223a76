/* The checker of `rspcheck -serve`: native, on all cores of the machine that serves this page. */

async function post (what, message)
{
  const answer = await fetch (what, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify (message) });
  if (!answer.ok)
    throw new Error (await answer.text ());
  return answer.json ();
}

class Checker
{
  id = null;

  /* Ends the run, if there is one: it resolves to null. */
  stop ()
  {
    if (this.id !== null)
      post ("stop", { id: this.id }).catch (() => {});
    this.id = null;
  }

  /* Ends the run before, and begins one: see runOnce in engine.js. */
  async run (args, files, wanted, input)
  {
    this.stop ();
    const id = this.id = crypto.randomUUID ();
    const failed = error => ({ status: -1, out: "", error: `error: the server does not answer: ${error.message}\n`, wanted: "" });
    const answer = await post ("run", { id, args, files, wanted, input }).catch (failed);
    if (this.id !== id)
      return null;
    this.id = null;
    return answer;
  }
}

/* { shipped: { installed, tests, given, models, write }, checker, helper }: texts, who checks, and who helps in the
 * editor meanwhile. */
async function openHome ()
{
  const shipped = await (await fetch ("texts")).json ();
  addEventListener ("pagehide", () => checker.stop ());
  return { shipped, checker: new Checker (), helper: new Checker () };
}
