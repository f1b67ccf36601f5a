// The extension: starts the language server, and runs models with the command cutset.
"use strict";

const { execFile } = require("node:child_process");
const { mkdtempSync, readFileSync, rmSync } = require("node:fs");
const { tmpdir } = require("node:os");
const path = require("node:path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const commands = require("./commands");

let client;
let log;
let folder; // of results and pictures, removed at the end
const panels = new Map();
// Pages of error codes are documents that nobody can change, so that none asks to be saved.
const PAGES = "cutset-page";
const pages = new Map();

async function activate(context) {
  log = vscode.window.createOutputChannel("Cutset");
  folder = mkdtempSync(path.join(tmpdir(), "cutset-"));
  context.subscriptions.push(log, { dispose: () => rmSync(folder, { recursive: true, force: true }) });
  const add = (name, work) => context.subscriptions.push(vscode.commands.registerCommand(`cutset.${name}`, work));
  add("run", () => onModel(run));
  add("plot", () => onModel(plot));
  add("animate", () => onModel(animate));
  add("diagram", () => onModel(diagram));
  add("explain", explain);
  add("restart", start);
  const page = { provideTextDocumentContent: (uri) => pages.get(uri.path) ?? "" };
  context.subscriptions.push(vscode.workspace.registerTextDocumentContentProvider(PAGES, page));
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("cutset.path") || change.affectsConfiguration("cutset.libraryPath")) start();
    }),
  );
  await start();
}

async function deactivate() {
  if (client) await client.stop();
}

function settings() {
  const found = vscode.workspace.getConfiguration("cutset");
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
  return {
    command: commands.resolved(found.get("path", "cutset"), root),
    libraryPath: found.get("libraryPath", []).map((each) => commands.resolved(each, root, true)),
    stopTime: found.get("stopTime", 1),
  };
}

async function start() {
  if (client) await client.stop().catch(() => undefined);
  const { command, libraryPath } = settings();
  client = new LanguageClient(
    "cutset",
    "Cutset",
    { command, args: ["lsp"] },
    {
      documentSelector: [{ scheme: "file", language: "cutset" }],
      initializationOptions: { libraryPath },
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.mo") },
      outputChannel: log,
    },
  );
  try {
    await client.start();
  } catch (error) {
    const install = "Install it: pip install 'cutset[lsp]'; or set cutset.path to the command.";
    vscode.window.showErrorMessage(`The command ${command} cannot be started. ${install}`, "Open Settings").then((chosen) => {
      if (chosen) vscode.commands.executeCommand("workbench.action.openSettings", "cutset.path");
    });
    log.appendLine(String(error));
  }
}

// Saves the model of the active editor and works on its file.
async function onModel(work) {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== "cutset") return;
  if (!vscode.workspace.isTrusted) {
    vscode.window.showWarningMessage("Models are run in trusted folders only.");
    return;
  }
  await document.save();
  const models = commands.modelsOf(document.getText());
  const model = models.length > 1 ? await vscode.window.showQuickPick(models, { title: "Model" }) : models[0];
  if (models.length && !model) return;
  await work(document.uri.fsPath, model);
}

async function run(file, model) {
  const given = settings();
  const terminal = vscode.window.terminals.find((each) => each.name === "Cutset") ?? vscode.window.createTerminal("Cutset");
  terminal.show(true);
  terminal.sendText(commands.shellLine(given.command, commands.simulate(file, model, given), process.platform));
}

async function plot(file, model) {
  const result = await simulated(file, model);
  if (!result) return;
  const listed = await cutset(["plot", result]);
  if (listed === undefined) return;
  // The first one is chosen already: Enter alone shows a picture.
  const names = commands.namesOf(listed).map((label, k) => ({ label, picked: k === 0 }));
  const chosen = await vscode.window.showQuickPick(names, { title: "Variables to plot", canPickMany: true });
  if (!chosen?.length) return;
  const picture = path.join(folder, "plot.svg");
  if ((await cutset(["plot", result, ...chosen.map(({ label }) => label), "--save", picture])) === undefined) return;
  show("plot", `Plot of ${model ?? path.basename(file)}`, commands.pictureHtml(readFileSync(picture)), false);
}

async function animate(file, model) {
  const page = path.join(folder, "motion.html");
  const given = settings();
  if ((await cutset([...commands.simulate(file, model, given), "--animate", page])) === undefined) return;
  show("animation", `Motion of ${model ?? path.basename(file)}`, readFileSync(page, "utf8"), true);
}

async function diagram(file, model) {
  const picture = path.join(folder, "diagram.svg");
  const chosen = model ? ["-m", model] : [];
  if ((await cutset(["diagram", file, ...chosen, ...commands.includes(settings()), "-o", picture])) === undefined) return;
  show("diagram", `Diagram of ${model ?? path.basename(file)}`, commands.pictureHtml(readFileSync(picture)), false);
}

async function explain() {
  const code = (await vscode.window.showInputBox({ title: "Error code", placeHolder: "E205" }))?.trim().toUpperCase();
  const text = code && commands.isCode(code) ? await cutset(["explain", code]) : undefined;
  if (text === undefined) return;
  pages.set(code, text);
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(`${PAGES}:${code}`));
  await vscode.window.showTextDocument(document, vscode.ViewColumn.Beside, true);
}

async function simulated(file, model) {
  const result = path.join(folder, "result.npz");
  const words = [...commands.simulate(file, model, settings()), "-o", result];
  return (await cutset(words)) === undefined ? undefined : result;
}

// The output of the command; undefined, after its messages were shown, if it fails or the user cancels.
function cutset(words) {
  const options = { location: vscode.ProgressLocation.Notification, title: `cutset ${words[0]}`, cancellable: true };
  return vscode.window.withProgress(options, (_, token) => {
    return new Promise((done) => {
      const process = execFile(settings().command, words, { maxBuffer: 1 << 26 }, (error, output, messages) => {
        if (messages) log.append(messages);
        if (error && !token.isCancellationRequested) {
          const first = messages.split("\n")[0] || String(error);
          vscode.window.showErrorMessage(first, "Show All").then((chosen) => chosen && log.show(true));
        }
        done(error ? undefined : output);
      });
      token.onCancellationRequested(() => process.kill());
    });
  });
}

function show(kind, title, html, enableScripts) {
  let panel = panels.get(kind);
  if (!panel) {
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    panel = vscode.window.createWebviewPanel(`cutset.${kind}`, title, column, {
      enableScripts,
      retainContextWhenHidden: true,
      localResourceRoots: [],
    });
    panel.onDidDispose(() => panels.delete(kind));
    panels.set(kind, panel);
  }
  panel.title = title;
  panel.webview.html = html;
  panel.reveal(undefined, true);
}

module.exports = { activate, deactivate };
