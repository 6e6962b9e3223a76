/* The program in node, as a test sees it: node node.js FOLDER reads lines of JSON, each a request (engine.js), and answers each with
 * a line. FOLDER holds rspcheck.js and rspcheck.wasm; models and mappings are those of cat/ and machine/. */
"use strict";
const fs = require ("fs"), path = require ("path"), readline = require ("readline"), vm = require ("vm");
const [, , folder] = process.argv, root = path.join (__dirname, "../..");
vm.runInThisContext (fs.readFileSync (path.join (__dirname, "engine.js"), "utf8"));

async function main ()
{
  const make = require (path.resolve (folder, "rspcheck.js"));
  const module = await WebAssembly.compile (fs.readFileSync (path.join (folder, "rspcheck.wasm")));
  const paths = ["cat", "machine"].flatMap (name => fs.readdirSync (path.join (root, name)).filter (file => /\.(cat|map|machine)$/.test (file)).map (file => `${name}/${file}`));
  const installed = Object.fromEntries (paths.map (file => [file, fs.readFileSync (path.join (root, file), "utf8")]));
  for await (const line of readline.createInterface ({ input: process.stdin }))
    {
      const begin = performance.now (), answer = await runOnce (make, module, installed, JSON.parse (line));
      process.stdout.write (`${JSON.stringify ({ ...answer, milliseconds: performance.now () - begin })}\n`);
    }
}
main ();
