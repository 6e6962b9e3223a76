/* Calls tell with the last of the lines that the program appends to a file. */
function watchFile (FS, name, tell)
{
  FS.writeFile (name, "");
  const { node } = FS.lookupPath (name), decoder = new TextDecoder (), { write } = node.stream_ops;
  let text = "";
  node.stream_ops = { ...node.stream_ops, write: (stream, buffer, offset, length, position) => {
    text += decoder.decode (buffer.slice (offset, offset + length), { stream: true });
    const end = text.lastIndexOf ("\n") + 1;
    if (end)
      tell (text.slice (0, end).split ("\n").at (-2));
    text = text.slice (end);
    return write (stream, buffer, offset, length, position);
  } };
}

/* Runs the program once, in a memory of its own: make and module are Emscripten's; installed: "cat/M.cat" and
 * "machine/M.map" → text, or its bytes. The request is { args; files: name → text, where it runs; wanted: a file that the program writes, or
 * nothing; watched: one that it appends to; input: what it reads, if anything }. Resolves to { status, out, error, wanted }.
 * Meanwhile it calls tell, if there is one, with "watched" and the last line of that file. */
async function runOnce (make, module, installed, { args, files, wanted, watched, input }, tell)
{
  const read = (FS, name) => FS.analyzePath (name).exists ? FS.readFile (name, { encoding: "utf8" }) : "";
  const program = await make ({
    instantiateWasm: (imports, done) => { WebAssembly.instantiate (module, imports).then (instance => done (instance, module)); return {}; },
    quit: (_, error) => { throw error; }
  });
  const { FS } = program;
  for (const folder of ["/cat", "/machine", "/run"])
    FS.mkdir (folder);
  for (const [path, text] of Object.entries (installed)) /* a model that is being edited is included by others */
    FS.writeFile (`/${path}`, files[path.replace ("cat/", "")] ?? text);
  FS.chdir ("/run");
  for (const [name, text] of Object.entries (files))
    FS.writeFile (name, text);
  FS.writeFile ("/in", input ?? "");
  if (tell && watched)
    watchFile (FS, watched, line => tell ("watched", line));
  for (const [number, name] of [[0, "/in"], [1, "/out"], [2, "/error"]])
    {
      FS.close (FS.streams[number]);
      FS.open (name, number ? "w" : "r");
    }
  let status, fault = "";
  try
    {
      status = program.callMain (args);
    }
  catch (error)
    {
      status = -1; /* out of memory or stack */
      fault = `error: the check ended: ${error.message ?? error}\n`;
    }
  return { status, out: read (FS, "/out"), error: read (FS, "/error") + fault, wanted: wanted ? read (FS, wanted) : "" };
}
