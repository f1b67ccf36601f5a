"use strict";

const assert = require("node:assert");
const { test } = require("node:test");
const commands = require("../src/commands");

test("models of a text", () => {
  const text = '{ model A }\nmodel class B\nend\n# model C\nmodel D "model E"\nend\nmodel (B) F\nend\nmodel class (B) G\nend';
  assert.deepStrictEqual(commands.modelsOf(text), ["D", "F"]);
});

test("command lines", () => {
  const given = { stopTime: 2, libraryPath: ["/lib"] };
  const words = commands.simulate("/a b/it's.mo", "M", given);
  assert.deepStrictEqual(words, ["simulate", "/a b/it's.mo", "-m", "M", "--stop", "2", "-I", "/lib"]);
  assert.strictEqual(commands.shellLine("cutset", ["x; rm", "it's"], "linux"), `cutset 'x; rm' 'it'\\''s'`);
  assert.strictEqual(commands.shellLine("cutset", ["it's $x"], "win32"), "& cutset 'it''s $x'");
});

test("paths of settings", () => {
  assert.strictEqual(commands.resolved("cutset", "/w"), "cutset");
  assert.strictEqual(commands.resolved(".venv/bin/cutset", "/w"), "/w/.venv/bin/cutset");
  assert.strictEqual(commands.resolved("lib", "/w", true), "/w/lib");
});

test("names that plot lists", () => {
  const output = "r.npz: 501 rows\n name   unit  min  max\n C.u    V   0  1  voltage\n r(1)   m\n a.b(2,1).c\n time  s\n";
  assert.deepStrictEqual(commands.namesOf(output), ["C.u", "r(1)", "a.b(2,1).c"]);
});

test("a picture can run nothing", () => {
  const html = commands.pictureHtml("<svg><script>alert(1)</script></svg>");
  assert.ok(!html.includes("<script>") && html.includes("default-src 'none'"));
  assert.ok(commands.isCode("E205") && !commands.isCode("--help"));
});
