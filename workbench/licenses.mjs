// Writes the licenses of all bundled packages into ../runtime/bundle/LICENSE.txt.
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const lock = JSON.parse(readFileSync(join(here, "package-lock.json"), "utf8"));
const parts = [];
for (const [path, { version, license, dev }] of Object.entries(lock.packages)) {
  if (!path.startsWith("node_modules/") || dev) continue;
  const folder = join(here, path), name = path.slice("node_modules/".length);
  if (!existsSync(folder)) continue;
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  parts.push(`${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), "utf8").trim() : `License: ${license}`}\n`);
}
writeFileSync(join(here, "..", "runtime", "bundle", "LICENSE.txt"), parts.join(`\n${"-".repeat(80)}\n\n`));
