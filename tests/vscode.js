/* The extension for Visual Studio Code, without its window: tests/vscode.js EXTENSION PROGRAM prints what the editor would
 * be told. `vscode` is a stand-in: it has what the extension uses of it, and keeps what it is given. */
"use strict";
const fs = require ("fs"), Module = require ("module"), os = require ("os"), path = require ("path");
const [folder, program] = process.argv.slice (2).map (name => path.resolve (name));

class Record
{
  constructor (...values)
  {
    this.values = values;
  }
}
class Position extends Record { get line () { return this.values[0]; } get character () { return this.values[1]; } }
class Range { constructor (a, b, c, d) { this.start = new Position (a, b); this.end = new Position (c, d); } }
class Uri { constructor (text) { this.text = text; } static parse (text) { return new Uri (text); } toString () { return this.text; } get fsPath () { return this.text.slice (7); } }
class WorkspaceEdit { all = []; replace (...one) { this.all.push (one); } }

const providers = {}, events = {}, commands = {}, found = new Map (), shown = [], documents = [];
const scratch = fs.mkdtempSync (path.join (os.tmpdir (), "rspcheck-"));
const settings = { command: [program, "-lsp"], models: ["opencl.cat"] };
const on = name => callback => { events[name] = callback; };
const vscode = {
  Range, Uri, WorkspaceEdit, Diagnostic: Record, DiagnosticRelatedInformation: Record, Location: Record, Hover: Record, MarkdownString: Record, CompletionItem: Record,
  SignatureHelp: Record, SignatureInformation: Record, ParameterInformation: Record, TextEdit: Record, DocumentSymbol: Record, FoldingRange: Record, CodeAction: Record,
  CodeLens: class { constructor (range) { this.range = range; } }, CodeActionKind: { QuickFix: "quickfix" }, ViewColumn: { Beside: -2 },
  EventEmitter: class { event = () => {}; fire () { this.fired = true; } },
  commands: { registerCommand: (name, run) => { commands[name] = run; } },
  languages: new Proxy ({ createDiagnosticCollection: () => ({ set: (uri, list) => found.set (String (uri), list), clear: () => found.clear () }) },
                        { get: (own, name) => own[name] ?? ((_, provider) => { providers[name.replace ("register", "")] = provider; }) }),
  window: { showErrorMessage: async text => { shown.push (text); }, showTextDocument: async document => { shown.push (document.content); } },
  workspace: { textDocuments: documents, workspaceFolders: [{ uri: new Uri (`file://${scratch}`), name: "x" }], getConfiguration: () => ({ get: name => settings[name] }),
               openTextDocument: async document => document, onDidOpenTextDocument: on ("open"), onDidChangeTextDocument: on ("change"), onDidSaveTextDocument: on ("save"),
               onDidCloseTextDocument: on ("close"), onDidChangeConfiguration: on ("configuration") }
};
const load = Module._load;
Module._load = (name, ...rest) => name === "vscode" ? vscode : load (name, ...rest);

const say = (...words) => console.log (words.join (" "));
const place = ({ start }) => `${start.line + 1}:${start.character + 1}`;
const token = { onCancellationRequested: () => {} };
const write = (name, text) => fs.writeFileSync (path.join (scratch, name), text);
const opened = (name, languageId, text) => ({ uri: new Uri (`file://${scratch}/${name}`), languageId, version: 1, getText: () => text });

async function until (holds)
{
  for (let i = 0; i < 1000 && !holds (); i++)
    await new Promise (resolve => setTimeout (resolve, 20));
}

async function main ()
{
  const text = fs.readFileSync (path.join (__dirname, "../litmus/rsp/RSP_Test2.litmus"), "utf8");
  write ("base.cat", "let sw = rf & ext\n");
  write ("RSP_Test2.litmus", text);
  const model = opened ("é m.cat", "cat", 'include "base.cat"\nlet hb = (* 𝔸 *) po | rff\nlet f (a, b) = a & b\nacyclic hb | sw as c\n');
  const test = opened ("RSP_Test2.litmus", "litmus", text), other = opened ("x.txt", "plaintext", "(");
  documents.push (model, other);
  const { activate, deactivate } = require (path.join (folder, "extension.js"));
  await activate ({ subscriptions: [] });
  await until (() => found.size);
  for (const [uri, list] of found)
    for (const one of list)
      say (uri.split ("/").at (-1), place (one.values[0]), one.values[2], one.values[1].replace ("\n", "; "));
  const at = new Position (1, 25), whole = { start: new Position (0, 0), end: new Position (9, 0) };
  const [fix] = await providers.CodeActionsProvider.provideCodeActions (model, whole, {}, token);
  const [[uri, range, by]] = fix.edit.all;
  say ("fix:", fix.values[0], String (uri) === String (model.uri), place (range), by);
  events.change ({ document: Object.assign (model, { version: 2 }), contentChanges: [{ range: new Range (1, 23, 1, 26), text: "rf" }] });
  await until (() => !found.get (String (model.uri)).some (one => one.values[1].includes ("rff")));
  say ("then:", found.get (String (model.uri)).map (one => one.values[1]));
  events.save (model);
  say ("hover:", (await providers.HoverProvider.provideHover (model, new Position (3, 13), token)).values[0].values[0].split ("\n").at (-1));
  const defined = await providers.DefinitionProvider.provideDefinition (model, new Position (3, 13), token);
  say ("definition:", String (defined.values[0]).split ("/").at (-1), place (defined.values[1]));
  say ("references:", (await providers.ReferenceProvider.provideReferences (model, new Position (3, 9), { includeDeclaration: true }, token)).map (one => place (one.values[1])));
  say ("rename:", (await providers.RenameProvider.provideRenameEdits (model, new Position (3, 9), "order", token)).all.map (([, where, name]) => `${place (where)} ${name}`));
  await providers.RenameProvider.provideRenameEdits (model, new Position (3, 9), "let", token).catch (error => say ("refused:", error.message));
  say ("completion:", (await providers.CompletionItemProvider.provideCompletionItems (model, at, token)).filter (one => one.values[0] === "hb" || one.values[0] === "acyclic").map (one => [...one.values, one.detail]).join ("; "));
  say ("symbols:", (await providers.DocumentSymbolProvider.provideDocumentSymbols (model, token)).map (one => one.values[0]));
  say ("folds:", (await providers.FoldingRangeProvider.provideFoldingRanges (model, {}, token)).length);
  events.change ({ document: model, contentChanges: [{ range: new Range (3, 0, 3, 0), text: "let  g=f (po, \n" }] });
  const help = await providers.SignatureHelpProvider.provideSignatureHelp (model, new Position (3, 14), token);
  say ("signature:", help.signatures[0].values[0], help.activeParameter);
  events.change ({ document: model, contentChanges: [{ range: new Range (3, 0, 4, 0), text: "let  g=f (po, rf)\n" }] });
  const [edit] = await providers.DocumentFormattingEditProvider.provideDocumentFormattingEdits (model, {}, token);
  say ("layout:", edit.values[1].split ("\n")[3]);
  events.open (test);
  const [lens] = await providers.CodeLensProvider.provideCodeLenses (test, token);
  say ("lens:", (await providers.CodeLensProvider.resolveCodeLens (lens, token)).command.title);
  await commands[lens.command.command] (...lens.command.arguments);
  say ("explained:", /allowed|race/.test (shown.at (-1)));
  const [changes] = await providers.CodeLensProvider.provideCodeLenses (model, token);
  say ("changes:", (await providers.CodeLensProvider.resolveCodeLens (changes, token)).command.title);
  events.close (model);
  await until (() => found.get (String (model.uri))?.length === 0);
  say ("closed:", found.get (String (model.uri)).length);
  await deactivate ();
  settings.command = ["/no/such/program"];
  activate ({ subscriptions: [] });
  await until (() => shown.at (-1).startsWith ("rspcheck -lsp"));
  say (shown.at (-1));
  fs.rmSync (scratch, { recursive: true });
}

main ().then (() => process.exit (0), error => {
  console.log (error.stack);
  process.exit (1);
});
