// What the extension computes without the editor: command lines, names in outputs, pages.
"use strict";

const path = require("node:path");

// The command or folder of a setting: a path is relative to the folder of the workspace, a single word is left as it is.
function resolved(text, root, isFolder = false) {
  const home = text.startsWith("~/") ? path.join(process.env.HOME ?? "", text.slice(2)) : text;
  const isWord = !isFolder && !/[\\/]/.test(home);
  return isWord || path.isAbsolute(home) || !root ? home : path.join(root, home);
}

// The models of a text that can be run, in its order.
function modelsOf(text) {
  const code = text.replace(/\{[^}]*\}|#.*|"[^"\n]*"/g, " ");
  const found = code.matchAll(/^[ \t]*model(?![ \t]+(?:class|type)\b)[ \t]*(?:\([^)]*\))?[ \t]*([A-Za-z_]\w*|'[^'"\\\n]+')/gm);
  return [...found].map((each) => each[1]);
}

function includes({ libraryPath }) {
  return libraryPath.flatMap((each) => ["-I", each]);
}

function simulate(file, model, given) {
  return ["simulate", file, ...(model ? ["-m", model] : []), "--stop", String(given.stopTime), ...includes(given)];
}

// A command line for a terminal, whatever the words contain.
function shellLine(command, words, platform) {
  const plain = /^[\w./:=+-]+$/;
  if (platform === "win32") {
    const quoted = (word) => (plain.test(word) ? word : `'${word.replaceAll("'", "''")}'`);
    return `& ${[command, ...words].map(quoted).join(" ")}`;
  }
  return [command, ...words].map((word) => (plain.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");
}

// The names that `cutset plot RESULT` lists below the head of its table, one in a line.
function namesOf(output) {
  const lines = output.split("\n").map((line) => line.trim().split(/\s+/)[0]);
  return lines.slice(lines.indexOf("name") + 1).filter((name) => /^[A-Za-z_][\w.]*(?:\(\d+(?:,\d+)?\)[\w.]*)*$/.test(name) && name !== "time");
}

function isCode(text) {
  return /^\s*[Ee]?\d{3}\s*$/.test(text);
}

// A page with a picture that can run nothing.
function pictureHtml(svg) {
  const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";
  const data = Buffer.from(svg).toString("base64");
  const style = "body{background:#fff;margin:0}img{width:100%;height:auto}";
  return (
    `<!DOCTYPE html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">` +
    `<style>${style}</style></head><body><img alt="" src="data:image/svg+xml;base64,${data}"></body></html>`
  );
}

module.exports = { includes, isCode, modelsOf, namesOf, pictureHtml, resolved, shellLine, simulate };
