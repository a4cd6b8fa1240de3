// Starts kumoc's language server and puts it at the service of every .kumo file.

const path = require("node:path");
const { commands, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

/** The program and arguments of the server; a path is taken from the first folder of the workspace. */
function serverCommand() {
  const [program, ...args] = workspace.getConfiguration("kumo").get("server");
  const folder = workspace.workspaceFolders?.[0]?.uri.fsPath;
  const isPath = program.includes("/") || program.includes(path.sep);
  return { command: isPath && folder ? path.resolve(folder, program) : program, args };
}

async function start() {
  client = new LanguageClient("kumo", "Kumo", serverCommand(), { documentSelector: [{ language: "kumo" }] });
  try {
    await client.start();
  } catch {
    const help = "install it with pip install 'kumoc[editor]', and say in the setting kumo.server where it is";
    window.showErrorMessage(`The language server of kumoc did not start: ${help}.`);
  }
}

async function stop() {
  await client?.dispose();
  client = undefined;
}

async function activate(context) {
  const restart = async () => {
    await stop();
    await start();
  };
  context.subscriptions.push(
    commands.registerCommand("kumo.restart", restart),
    workspace.onDidChangeConfiguration((event) => event.affectsConfiguration("kumo.server") && restart()),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
