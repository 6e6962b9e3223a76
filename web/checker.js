/* The program, in a worker that can be ended. */

class Checker
{
  /* source: of the worker; module, installed: see engine.js. */
  constructor (source, module, installed)
  {
    this.address = URL.createObjectURL (new Blob ([source], { type: "text/javascript" }));
    this.given = { module, installed };
    this.number = 0;
    this.start ();
  }

  start ()
  {
    this.worker = new Worker (this.address);
    this.worker.postMessage (this.given);
    this.worker.onmessage = ({ data: { answer, event, what } }) => answer ? this.finish (answer) : this.tell?.(event, what);
    this.worker.onerror = event => this.finish ({ status: -1, out: "", error: `error: ${event.message}\n`, wanted: "" });
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
  }

  /* Ends the run, if there is one: it resolves to null. */
  stop ()
  {
    if (!this.isBusy)
      return;
    this.worker.terminate ();
    this.start ();
    this.finish (null);
  }

  /* Ends the run before, and begins one: see runOnce in engine.js. */
  run (request, tell)
  {
    this.stop ();
    return new Promise (resolve => {
      Object.assign (this, { resolve, tell });
      this.worker.postMessage (request);
    });
  }
}

/* The pictures are drawn when they are looked at. */
function drawWith (graphviz)
{
  unpack = async test => {
    const packed = JSON.parse (test.packed);
    const drawing = await graphviz, drawn = new Map ();
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
  const packed = JSON.parse (byId ("shipped").textContent), source = unpacked (byId ("worker").textContent);
  const program = unpacked (packed.wasm).then (response => response.arrayBuffer ()).then (bytes => WebAssembly.compile (bytes));
  const shipped = await (await unpacked (packed.texts)).json (), given = [await (await source).text (), await program, shipped.installed];
  drawWith (unpacked (byId ("graphviz").textContent).then (response => response.text ()).then (script => {
    document.head.append (element ("script", null, script));
    return Viz.instance ();
  }));
  return { shipped: { given: [], models: [], write: false, ...shipped }, checker: new Checker (...given), helper: new Checker (...given) };
}
