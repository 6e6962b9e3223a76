/* The checker of `rspcheck -serve`: native, on all cores of the machine that serves this page. */

async function post (what, message)
{
  const answer = await fetch (what, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify (message) });
  if (!answer.ok)
    throw new Error (await answer.text ());
  return answer;
}

/* Reads the server-sent events of a check, up to its answer, which it resolves to; the others go to tell. */
async function listenTo (answer, tell)
{
  const reader = answer.body.pipeThrough (new TextDecoderStream ()).getReader ();
  for (let text = "";;)
    {
      const { done, value } = await reader.read ();
      if (done)
        throw new Error ("it has ended");
      const events = (text + value).split ("\n\n");
      text = events.pop ();
      for (const event of events)
        {
          const [, name, said] = /^event: (.*)\ndata: (.*)$/.exec (event);
          if (name === "answer")
            return JSON.parse (said);
          tell?.(name, JSON.parse (said));
        }
    }
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

  leave ()
  {
    this.stop ();
  }

  /* Ends the run before, and begins one: see runOnce in engine.js. It also calls tell with "waiting" and how many wait before it, and with "running". */
  async run (request, tell)
  {
    this.stop ();
    const id = this.id = crypto.randomUUID ();
    const failed = error => ({ status: -1, out: "", error: `error: the server does not answer: ${error.message}\n`, wanted: "" });
    const answer = await post ("run", { id, ...request }).then (stream => listenTo (stream, (event, what) => this.id === id && tell?.(event, what))).catch (failed);
    if (this.id !== id)
      return null;
    this.id = null;
    return answer;
  }
}

/* { shipped: { installed, tests, expected, given, models, options, write }, checker, asker, helper }: texts; who checks, who explains and
 * searches, and who helps in the editor meanwhile. */
async function openHome ()
{
  const shipped = await (await fetch ("texts")).json ();
  addEventListener ("pagehide", stopAll);
  return { shipped, checker: new Checker (), asker: new Checker (), helper: new Checker () };
}
