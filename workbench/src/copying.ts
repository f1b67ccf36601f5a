// Copies pictures, data and commands out of the page.
import * as state from "./state";

export async function copyText(text: string, what: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  state.tell("info", `copied the ${what}`);
}

export async function copyPicture(blob: Blob): Promise<void> {
  await navigator.clipboard.write([new ClipboardItem({ [blob.type]: blob })]);
  state.tell("info", "copied the picture");
}

/** Saves a file in the folder of downloads. */
export function download(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** A word of a POSIX shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The command that repeats the latest run, and plots what the first plot shows. */
export function commandLine(): string {
  const model = state.model.value;
  if (!model) return "";
  const { stop, points, method, rtol, atol } = state.settings.value;
  const words = ["cutset", "simulate", model.file, "-m", model.name, "--stop", String(stop)];
  if (points !== null) words.push("--points", String(points));
  if (method !== "auto") words.push("--method", method);
  if (rtol !== 1e-6) words.push("--rtol", String(rtol));
  if (atol !== 1e-8) words.push("--atol", String(atol));
  for (const [name, value] of Object.entries({ ...state.values.value, ...state.starts.value })) words.push("--set", `${name}=${value}`);
  const names = state.plots.value.flatMap((plot) => plot.names);
  if (names.length > 0) words.push("--plot", [...new Set(names)].join(","));
  return words.map(quoted).join(" ");
}
