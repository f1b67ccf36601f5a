// The grammar, with the engine of VS Code: no text of the standard library has a scope of an error.
"use strict";

const assert = require("node:assert");
const { readFileSync, readdirSync } = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const root = path.join(__dirname, "..", "..", "..");

async function loaded() {
  const wasm = readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const file = path.join(__dirname, "..", "syntaxes", "cutset.tmLanguage.json");
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(readFileSync(file, "utf8"), file),
  });
  return registry.loadGrammar("source.cutset");
}

function tokens(grammar, text) {
  const found = [];
  let state = textmate.INITIAL;
  for (const line of text.split("\n")) {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    for (const token of result.tokens) found.push([line.slice(token.startIndex, token.endIndex), token.scopes.at(-1)]);
  }
  return found;
}

test("every file of the standard library", async () => {
  const grammar = await loaded();
  const files = readdirSync(path.join(root, "stdlib"), { recursive: true }).filter((each) => each.endsWith(".mo"));
  assert.ok(files.length > 50);
  for (const file of files) {
    const text = readFileSync(path.join(root, "stdlib", file), "utf8");
    const wrong = tokens(grammar, text).filter(([, scope]) => scope.startsWith("invalid"));
    assert.deepStrictEqual(wrong, [], file);
  }
});

test("scopes", async () => {
  const grammar = await loaded();
  const text = 'model class (TwoPin) R "x"\n  parameter R (unit="Ohm")\n  y = sin(1.5e3) $ "open\nend';
  const scopes = Object.fromEntries(tokens(grammar, text));
  assert.strictEqual(scopes.model, "storage.type.cutset");
  assert.strictEqual(scopes.TwoPin, "entity.other.inherited-class.cutset");
  assert.strictEqual(scopes.parameter, "storage.modifier.cutset");
  assert.strictEqual(scopes.unit, "entity.other.attribute-name.cutset");
  assert.strictEqual(scopes.sin, "support.function.cutset");
  assert.strictEqual(scopes["1.5e3"], "constant.numeric.cutset");
  assert.strictEqual(scopes.$, "invalid.illegal.character.cutset");
  assert.strictEqual(scopes['"open'], "invalid.illegal.unclosed-string.cutset");
});
