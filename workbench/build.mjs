// Bundles src/ into ../server/bundle and ../api/notebook/page, which are committed and shipped: users need no node.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "..", "server", "bundle");
const widget = join(here, "..", "api", "notebook", "page");

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
await build({
  entryPoints: [join(here, "src", "main.tsx"), join(here, "src", "formulas.ts")],
  bundle: true,
  minify: true,
  splitting: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  outdir: out,
  chunkNames: "chunk-[hash]",
  assetNames: "[name]",
  loader: { ".woff2": "file", ".woff": "empty", ".ttf": "empty" },
  legalComments: "none",
  banner: { js: `/* ${parts()}: see LICENSE.txt */` },
  absWorkingDir: here,
});
// The widget of notebooks: one module without imports, since notebooks load the text of one.
await build({
  entryPoints: [join(here, "src", "explore.ts")],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  outdir: widget,
  legalComments: "none",
  banner: { js: "/* uPlot: see LICENSE.txt of the workbench */" },
  absWorkingDir: here,
});
const page = readFileSync(join(here, "src", "index.html"), "utf8");
writeFileSync(join(out, "index.html"), page);
writeFileSync(join(out, "sources.txt"), `${hashOfSources()}\n`);
