// Bundles src/ into ../runtime/bundle, which is committed and shipped: users need no node.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "..", "runtime", "bundle");

/** The hash of all sources, in order; tests/server/test_bundle.py computes the same. */
function hashOfSources() {
  const names = readdirSync(join(here, "src")).sort().map((name) => `src/${name}`);
  const hash = createHash("sha256");
  for (const name of [...names, "build.mjs", "package.json", "package-lock.json", "tsconfig.json"])
    hash.update(`${name}\n`).update(readFileSync(join(here, name)));
  return hash.digest("hex");
}

/** The bundled packages with their versions; LICENSE.txt has their licenses. */
function parts() {
  const { packages } = JSON.parse(readFileSync(join(here, "package-lock.json"), "utf8"));
  const used = Object.entries(packages).filter(([path, { dev }]) => path && !dev);
  return used.map(([path, { version }]) => `${path.replace("node_modules/", "")} ${version}`).join(", ");
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const common = { bundle: true, minify: true, target: "es2022", outdir: out, legalComments: "none", absWorkingDir: here };
const page = { jsx: "automatic", jsxImportSource: "preact" };
const source = (name) => join(here, "src", name);
// The workbench.
await build({
  ...common,
  entryPoints: [source("main.tsx"), source("formulas.ts")],
  splitting: true,
  format: "esm",
  ...page,
  chunkNames: "chunk-[hash]",
  assetNames: "[name]",
  loader: { ".woff2": "file", ".woff": "empty", ".ttf": "empty" },
  banner: { js: `/* ${parts()}: see LICENSE.txt */` },
});
// The widget of notebooks: one module without imports, since notebooks load the text of one.
await build({ ...common, ...page, entryPoints: [source("explore.tsx")], format: "esm", banner: { js: "/* uPlot, Preact: see LICENSE.txt */" } });
// The page of animations, and three.js, which all of them share as a script of its own.
await build({ ...common, entryPoints: [source("page.ts")], format: "iife" });
const three = readFileSync(join(here, "node_modules", "three", "LICENSE"), "utf8").trim();
await build({
  ...common,
  entryPoints: [source("three.ts")],
  entryNames: "three.min",
  format: "iife",
  globalName: "THREE",
  banner: { js: `/* three.js\n${three}\n*/` },
});
for (const name of ["index.html", "page.html"]) writeFileSync(join(out, name), readFileSync(source(name)));
writeFileSync(join(out, "sources.txt"), `${hashOfSources()}\n`);
