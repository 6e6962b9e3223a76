/* The program, in a worker that can be ended: in Chromium it then goes on for two seconds, on a core that others need. */

const PATIENCE = 1000; /* milliseconds for a run that is left to end by itself */

class Checker
{
  /* source: of the worker; given: a promise of { module, installed }, see engine.js; headers: name → text, what shipped kernels include. */
  constructor (source, given, headers)
  {
    this.headers = headers;
    this.address = URL.createObjectURL (new Blob ([source], { type: "text/javascript" }));
    this.given = given;
  }

  start ()
  {
    const worker = new Worker (this.address);
    this.given.then (given => worker.postMessage (given));
    return worker;
  }

  /* The worker that runs what is asked from now on. */
  use (worker)
  {
    worker.onmessage = ({ data: { answer, event, what } }) => answer ? this.finish (answer) : this.tell?.(event, what);
    worker.onerror = event => this.finish ({ status: -1, out: "", error: `error: ${event.message}\n`, wanted: "" });
    this.worker = worker;
  }

  /* A worker takes long to start and to run something for the first time, so one that has done both waits to take over. */
  prepare ()
  {
    if (this.spare !== undefined)
      return;
    this.spare = null;
    const worker = this.start ();
    worker.onmessage = () => { this.spare = worker; };
    this.given.then (() => worker.postMessage ({ args: ["-version"], files: {} }));
  }

  get isBusy ()
  {
    return this.resolve !== undefined;
  }

  finish (answer)
  {
    const { resolve } = this;
    this.resolve = undefined;
    resolve?.(answer);
    if (answer)
      this.prepare ();
  }

  /* Ends the worker, and another takes over. */
  replace ()
  {
    this.worker.terminate ();
    this.use (this.spare ?? this.start ());
    if (this.spare)
      this.spare = undefined;
    this.left = undefined;
  }

  /* Ends the run, if there is one: it resolves to null. */
  stop ()
  {
    if (!this.isBusy)
      return;
    this.replace ();
    this.finish (null);
  }

  /* The run resolves to null, and may go on for a while before the next one begins. */
  leave ()
  {
    if (!this.isBusy)
      return;
    const { worker } = this;
    this.left ??= new Promise (done => {
      worker.onmessage = ({ data: { answer } }) => answer && done (true);
      worker.onerror = () => done (false);
      setTimeout (() => done (false), PATIENCE);
    }).then (isOver => {
      if (this.worker !== worker)
        return;
      if (isOver)
        this.use (worker);
      else
        this.replace ();
      this.left = undefined;
    });
    this.finish (null);
  }

  /* Ends the run before, and begins one: see runOnce in engine.js. */
  run (request, tell)
  {
    this.stop ();
    if (!this.worker)
      this.use (this.start ());
    return new Promise (resolve => {
      Object.assign (this, { resolve, tell });
      Promise.all ([this.given, this.left]).then (() => this.resolve === resolve && this.worker.postMessage ({ ...request, files: { ...this.headers, ...request.files } }));
    });
  }
}

/* Graphviz is started for the first picture, and pictures are drawn when they are looked at. */
function drawWith (source)
{
  let graphviz = null;
  const start = async () => {
    document.head.append (element ("script", null, await (await unpacked (source)).text ()));
    return Viz.instance ();
  };
  unpack = async test => {
    const packed = JSON.parse (test.packed), drawn = new Map ();
    const drawing = await (graphviz ??= start ());
    packed.pictures = {};
    let n = 0;
    for (const picture of packed.cells.filter (cell => cell).flatMap (cell => [...cell.groups, ...cell.answers, { pictures: cell.flags }]).flatMap (owner => owner.pictures))
      {
        picture.svg = n;
        Object.defineProperty (packed.pictures, n++, { get: () => {
          if (!drawn.has (picture.dot))
            drawn.set (picture.dot, drawing.renderString (picture.dot.replaceAll ("sans-serif", "Helvetica"), { format: "svg" }));
          return drawn.get (picture.dot);
        } });
      }
    return packed;
  };
}

/* See served.js. */
async function openHome ()
{
  const packed = JSON.parse (byId ("shipped").textContent), source = unpacked (byId ("worker").textContent).then (response => response.text ());
  const program = unpacked (packed.wasm).then (({ body }) => WebAssembly.compileStreaming (new Response (body, { headers: { "Content-Type": "application/wasm" } })));
  const shipped = await (await unpacked (packed.texts)).json ();
  const given = program.then (module => ({ module, installed: shipped.installed }));
  const [checker, asker, helper] = await Promise.all ([1, 2, 3].map (async () => new Checker (await source, given, shipped.headers)));
  checker.use (checker.start ());
  drawWith (byId ("graphviz").textContent);
  return { shipped: { given: [], models: [], write: false, ...shipped }, checker, asker, helper };
}
