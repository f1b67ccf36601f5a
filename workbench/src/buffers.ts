// Keeps the texts in the editor and the files on the disk together, which other programs change too.
import { RequestError } from "./connection";
import { report } from "./reporting";
import * as state from "./state";
import type { OpenFile } from "./state";

// Before the name of a file that comes with Cutset, as the server names it.
const SHIPPED = "(the standard library)/";

/** True for a model file that can be changed. */
export function isWritten(path: string): boolean {
  return path.endsWith(".mo") && !path.startsWith(SHIPPED);
}

/** The file as it is on the disk. */
async function read(path: string): Promise<OpenFile> {
  if (path.startsWith(SHIPPED)) {
    const { text } = (await state.connection.ask<{ text: string }>("library", { place: path })).data;
    return { path, text, saved: text, mark: "" };
  }
  const { data } = await state.connection.ask<{ text: string; mark: string }>("read", { file: path });
  return { path, text: data.text, saved: data.text, mark: data.mark };
}

/** The file, open in the editor; opens it unless it is. */
export async function opened(path: string): Promise<OpenFile> {
  const open = () => state.files.value.find((file) => file.path === path);
  const file = open() ?? (await read(path));
  if (!open()) state.files.value = [...state.files.value, file];
  return file;
}

/** The texts of the other files that are not saved: checks and runs of a model that includes them take these. */
export function unsavedBut(path: string): Record<string, string> {
  const others = state.files.value.filter((file) => file.path !== path && file.text !== file.saved);
  return Object.fromEntries(others.map((file) => [file.path, file.text]));
}

/** Writes the text of a file; true if it was written. If another program has changed the file, the user decides. */
export async function write(path: string, overwrites = false): Promise<boolean> {
  const file = state.files.value.find((each) => each.path === path);
  if (!file) return false;
  try {
    const given = { file: path, text: file.text, mark: overwrites ? null : file.mark };
    const { data } = await state.connection.ask<{ mark: string }>("write", given);
    change(path, { saved: file.text, mark: data.mark });
    return true;
  } catch (error) {
    if (error instanceof RequestError && error.failure.kind === "changed") askAbout(path);
    else report(error);
    return false;
  }
}

/** Takes what other programs have written since; the user decides about a file with changes that are not saved. */
export async function lookAgain(): Promise<void> {
  if (!state.online.value) return;
  const files = state.files.value.filter((file) => isWritten(file.path));
  const { data } = await state.connection.ask<{ marks: Record<string, string | null> }>("marks", { files: files.map(({ path }) => path) });
  for (const file of files) {
    const mark = data.marks[file.path];
    if (!mark || mark === file.mark) continue;
    if (file.text === file.saved) await load(file.path);
    else askAbout(file.path);
  }
}

async function load(path: string): Promise<void> {
  try {
    change(path, await read(path));
  } catch (error) {
    report(error);
  }
}

function askAbout(path: string): void {
  const done = (act: () => Promise<unknown>) => () => {
    state.notice.value = null;
    void act();
  };
  state.notice.value = {
    kind: "error",
    text: `Another program has changed ${path} on the disk. The text here has changes that are not saved.`,
    choices: [
      { label: "Load from the disk", act: done(() => load(path)) },
      { label: "Overwrite", act: done(() => write(path, true)) },
    ],
  };
}

function change(path: string, what: Partial<OpenFile>): void {
  state.files.value = state.files.value.map((file) => (file.path === path ? { ...file, ...what } : file));
}
