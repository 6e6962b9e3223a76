/* Visual Studio Code's client of `rspcheck -lsp`: what the editor asks goes to the server as it is, and positions count
 * the same units on both sides. The editor has no client of its own for the Language Server Protocol, and this one needs
 * no other packages. */
"use strict";
const { spawn } = require ("child_process");
const vscode = require ("vscode");

const LANGUAGES = ["litmus", "cat", "rspcheck-map", "opencl"];
const CANCELLED = -32800, CONTENT_MODIFIED = -32801; /* no answer, and no fault */

/* ---- Messages ---- */

class Connection
{
  /* notice: gets { method, params } of the server's notifications; ended: why the server is not there (any more). */
  constructor ([program, ...words], notice, ended)
  {
    this.number = 0;
    this.waiting = new Map (); /* number of a request → its promise's functions */
    this.input = Buffer.alloc (0);
    this.notice = notice;
    this.process = spawn (program, words, { cwd: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath });
    this.process.stdout.on ("data", part => this.read (part));
    this.process.stdin.on ("error", () => {});
    this.process.on ("error", error => this.end (error.message, ended));
    this.process.on ("exit", status => this.end (`it ended with status ${status}`, ended));
  }

  /* What it was asked has no answer. */
  end (why, ended)
  {
    ended (why);
    for (const { resolve } of this.waiting.values ())
      resolve (null);
    this.waiting.clear ();
  }

  send (message)
  {
    const text = JSON.stringify ({ jsonrpc: "2.0", ...message });
    this.process.stdin.write (`Content-Length: ${Buffer.byteLength (text)}\r\n\r\n${text}`);
  }

  tell (method, params)
  {
    this.send ({ method, params });
  }

  /* Resolves to the result; to null if the request is cancelled, or an edit has overtaken it. */
  ask (method, params, token)
  {
    const id = ++this.number;
    this.send ({ id, method, params });
    token?.onCancellationRequested (() => this.tell ("$/cancelRequest", { id }));
    return new Promise ((resolve, reject) => this.waiting.set (id, { resolve, reject }));
  }

  read (part)
  {
    this.input = Buffer.concat ([this.input, part]);
    for (let end; (end = this.input.indexOf ("\r\n\r\n")) >= 0;)
      {
        const length = Number (/Content-Length: *(\d+)/i.exec (this.input.toString ("latin1", 0, end))[1]), begin = end + 4;
        if (this.input.length < begin + length)
          return;
        const message = JSON.parse (this.input.toString ("utf8", begin, begin + length));
        this.input = this.input.subarray (begin + length);
        this.take (message);
      }
  }

  take ({ id, method, params, result, error })
  {
    const request = this.waiting.get (id);
    this.waiting.delete (id);
    if (method)
      this.notice (method, params);
    else if (error && error.code !== CANCELLED && error.code !== CONTENT_MODIFIED)
      request?.reject (new Error (error.message));
    else
      request?.resolve (result ?? null);
  }
}

/* ---- What the editor calls them, and the protocol ---- */

const plain = ({ start, end }) => ({ start: { line: start.line, character: start.character }, end: { line: end.line, character: end.character } });
const range = ({ start, end }) => new vscode.Range (start.line, start.character, end.line, end.character);
const location = found => new vscode.Location (vscode.Uri.parse (found.uri), range (found.range));
const named = document => ({ textDocument: { uri: String (document.uri) } });
const at = (document, { line, character }) => ({ ...named (document), position: { line, character } });
const list = (found, as) => (found ?? []).map (as);

function diagnostic (found)
{
  const made = new vscode.Diagnostic (range (found.range), found.message, found.severity - 1);
  made.source = found.source;
  made.relatedInformation = list (found.relatedInformation, one => new vscode.DiagnosticRelatedInformation (location (one.location), one.message));
  return made;
}

function completion ({ label, kind, detail })
{
  const made = new vscode.CompletionItem (label, kind - 1);
  made.detail = detail;
  return made;
}

function signature (found)
{
  const help = new vscode.SignatureHelp (), [{ label, parameters }] = found.signatures, made = new vscode.SignatureInformation (label);
  made.parameters = parameters.map (one => new vscode.ParameterInformation (one.label));
  return Object.assign (help, { signatures: [made], activeSignature: 0, activeParameter: found.activeParameter });
}

function workspaceEdit ({ changes })
{
  const edit = new vscode.WorkspaceEdit ();
  for (const [uri, all] of Object.entries (changes))
    for (const one of all)
      edit.replace (vscode.Uri.parse (uri), range (one.range), one.newText);
  return edit;
}

function action (found)
{
  const made = new vscode.CodeAction (found.title, vscode.CodeActionKind.QuickFix);
  return Object.assign (made, { edit: workspaceEdit (found.edit), diagnostics: found.diagnostics.map (diagnostic) });
}

const orNull = (found, as) => found && as (found);

/* ---- Providers ---- */

/* Calls of vscode.languages: name, provider, arguments that follow. ask (method, params, token): of the server that runs. */
const providers = (ask, lensesChange) => [
  ["registerHoverProvider", { provideHover: async (document, place, token) => orNull (await ask ("textDocument/hover", at (document, place), token),
    found => new vscode.Hover (new vscode.MarkdownString (found.contents.value), found.range && range (found.range))) }],
  ["registerDefinitionProvider", { provideDefinition: async (document, place, token) => orNull (await ask ("textDocument/definition", at (document, place), token), location) }],
  ["registerReferenceProvider", { provideReferences: async (document, place, context, token) =>
    list (await ask ("textDocument/references", { ...at (document, place), context: { includeDeclaration: context.includeDeclaration } }, token), location) }],
  ["registerRenameProvider", { provideRenameEdits: async (document, place, newName, token) =>
    orNull (await ask ("textDocument/rename", { ...at (document, place), newName }, token), workspaceEdit) }],
  ["registerCompletionItemProvider", { provideCompletionItems: async (document, place, token) => list (await ask ("textDocument/completion", at (document, place), token), completion) }],
  ["registerSignatureHelpProvider", { provideSignatureHelp: async (document, place, token) => orNull (await ask ("textDocument/signatureHelp", at (document, place), token), signature) },
    "(", ","],
  ["registerDocumentFormattingEditProvider", { provideDocumentFormattingEdits: async (document, options, token) =>
    list (await ask ("textDocument/formatting", { ...named (document), options: {} }, token), one => new vscode.TextEdit (range (one.range), one.newText)) }],
  ["registerDocumentSymbolProvider", { provideDocumentSymbols: async (document, token) => list (await ask ("textDocument/documentSymbol", named (document), token),
    one => new vscode.DocumentSymbol (one.name, "", one.kind - 1, range (one.range), range (one.selectionRange))) }],
  ["registerFoldingRangeProvider", { provideFoldingRanges: async (document, context, token) => list (await ask ("textDocument/foldingRange", named (document), token),
    one => new vscode.FoldingRange (one.startLine, one.endLine)) }],
  ["registerCodeActionsProvider", { provideCodeActions: async (document, where, context, token) =>
    list (await ask ("textDocument/codeAction", { ...named (document), range: plain (where), context: { diagnostics: [] } }, token), action) }],
  ["registerCodeLensProvider", {
    onDidChangeCodeLenses: lensesChange,
    provideCodeLenses: async (document, token) => list (await ask ("textDocument/codeLens", named (document), token),
      one => Object.assign (new vscode.CodeLens (range (one.range)), { data: one.data })),
    resolveCodeLens: async (lens, token) => Object.assign (lens, { command: (await ask ("codeLens/resolve", { range: plain (lens.range), data: lens.data }, token))?.command }) }]
];

/* ---- The server and the texts ---- */

class Client
{
  constructor ()
  {
    this.found = vscode.languages.createDiagnosticCollection ("rspcheck");
    this.lensesChange = new vscode.EventEmitter (); /* a test's verdict changes with its model */
    this.connection = null;                         /* once it has answered */
  }

  get settings ()
  {
    return vscode.workspace.getConfiguration ("rspcheck");
  }

  async start ()
  {
    const connection = new Connection (this.settings.get ("command"), (...notice) => this.notice (...notice), why => this.lost (connection, why));
    this.begun = connection;
    await connection.ask ("initialize", { processId: process.pid, capabilities: {}, initializationOptions: { models: this.settings.get ("models") },
                                          workspaceFolders: list (vscode.workspace.workspaceFolders, ({ uri, name }) => ({ uri: String (uri), name })) });
    if (this.begun !== connection)
      return;
    connection.tell ("initialized", {});
    this.connection = connection;
    vscode.workspace.textDocuments.forEach (document => this.open (document));
    this.lensesChange.fire ();
  }

  async lost (connection, why)
  {
    if (this.begun !== connection)
      return;
    this.begun = this.connection = null;
    this.found.clear ();
    if (await vscode.window.showErrorMessage (`rspcheck -lsp: ${why}. The setting rspcheck.command says what is started.`, "Start again"))
      this.start ();
  }

  async stop ()
  {
    const connection = this.connection;
    this.begun = this.connection = null;
    await connection?.ask ("shutdown");
    connection?.tell ("exit");
  }

  notice (method, params)
  {
    if (method === "textDocument/publishDiagnostics")
      this.found.set (vscode.Uri.parse (params.uri), params.diagnostics.map (diagnostic));
  }

  async ask (method, params, token)
  {
    return this.connection ? this.connection.ask (method, params, token) : null;
  }

  tell (document, method, params)
  {
    if (LANGUAGES.includes (document.languageId))
      this.connection?.tell (`textDocument/${method}`, params);
  }

  open (document)
  {
    this.tell (document, "didOpen", { textDocument: { uri: String (document.uri), languageId: document.languageId, version: document.version, text: document.getText () } });
  }

  change ({ document, contentChanges })
  {
    if (contentChanges.length)
      this.tell (document, "didChange", { textDocument: { ...named (document).textDocument, version: document.version },
                                          contentChanges: contentChanges.map (one => ({ range: plain (one.range), text: one.text })) });
    if (document.languageId === "cat")
      this.lensesChange.fire ();
  }
}

/* ---- The extension ---- */

let client;

/* Why a test has its verdict, as a text beside it. */
async function explain (uri, model)
{
  const text = await client.ask ("workspace/executeCommand", { command: "rspcheck.explain", arguments: [uri, model] });
  if (text)
    await vscode.window.showTextDocument (await vscode.workspace.openTextDocument ({ content: text }), { viewColumn: vscode.ViewColumn.Beside, preview: true });
}

function activate (context)
{
  client = new Client ();
  const on = vscode.workspace, ask = (...question) => client.ask (...question);
  context.subscriptions.push (
    client.found, client.lensesChange,
    ...providers (ask, client.lensesChange.event).map (([name, provider, ...more]) => vscode.languages[name] (LANGUAGES, provider, ...more)),
    vscode.commands.registerCommand ("rspcheck.explain", explain),
    on.onDidOpenTextDocument (document => client.open (document)),
    on.onDidChangeTextDocument (event => client.change (event)),
    on.onDidSaveTextDocument (document => client.tell (document, "didSave", named (document))),
    on.onDidCloseTextDocument (document => client.tell (document, "didClose", named (document))),
    on.onDidChangeConfiguration (() => {
      client.connection?.tell ("workspace/didChangeConfiguration", { settings: { rspcheck: { models: client.settings.get ("models") } } });
      client.lensesChange.fire ();
    }));
  return client.start ();
}

module.exports = { activate, deactivate: () => client?.stop () };
