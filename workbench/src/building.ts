// Writes what a hand does on the diagram into the text: the server computes edits, and the editor applies them.
import { signal } from "@preact/signals";
import { isWritten, opened, unsavedBut } from "./buffers";
import type { Change } from "./naming";
import { report } from "./reporting";
import * as state from "./state";

/** The submodel whose diagram is shown. */
export const inside = signal("");
/** The parts and lines that are selected in the diagram: names of parts, and the ports of a line. */
export const chosen = signal<ReadonlySet<string>>(new Set());
/** The part whose form is open; null without one. */
export const formOf = signal<string | null>(null);
/** The file that a hand changed last. */
let changedLast = "";

export interface Shown {
  file: string;
  text: string;
  name: string | null;
  submodel: string;
  unsaved: Record<string, string>;
}

export interface Written {
  changes: Record<string, Change[]>;
  /** The name of what was added. */
  part: string;
  /** Why values are none, by parameter. */
  trouble: Record<string, string>;
}

/** What is drawn: the model, or the file in the editor while none could be translated. */
export function shown(): Shown | null {
  const path = state.model.value?.file ?? state.current.value;
  const file = state.files.value.find((each) => each.path === path);
  if (!file || !/\.(mo|urdf|xml)$/.test(path)) return null;
  return { file: path, text: file.text, name: state.model.value?.name ?? null, submodel: inside.value, unsaved: unsavedBut(path) };
}

/** Asks about the diagram; null after an error, which the user is told. */
export async function ask<T>(call: string, given: Record<string, unknown>): Promise<T | null> {
  try {
    return (await state.connection.ask<T>(call, { ...shown(), ...given })).data;
  } catch (error) {
    report(error);
    return null;
  }
}

/** Does it, as one step of the history; null after an error, or with the trouble that values have. */
export async function does(what: string, given: Record<string, unknown>): Promise<Written | null> {
  const found = await ask<Written>("hand", { does: what, given });
  if (found && Object.keys(found.trouble).length === 0) await write(found.changes);
  return found;
}

/** Changes files as typing would; the user saves them. */
export async function write(changes: Record<string, Change[]>): Promise<void> {
  const { change } = await import("./editor");
  for (const [path, edits] of Object.entries(changes)) {
    if (edits.length === 0 || !isWritten(path)) continue;
    change(path, (await opened(path)).text, edits);
    changedLast = path;
  }
}

/** Takes the last change of the text back, or makes it again. */
export async function step(way: "undo" | "redo"): Promise<void> {
  const path = changedLast || (shown()?.file ?? "");
  if (path) (await import("./editor")).step(path, way);
}

/** A class of the palette becomes a part; its form opens, where values are given. */
export async function place(library: string, name: string): Promise<void> {
  state.show({ center: "diagram", phone: "text" });
  const added = await does("add", { library, class: name });
  if (!added) return;
  choose([path(added.part)]);
  formOf.value = added.part;
}

/** The full name of a part of the shown submodel, and the short one of a full one. */
export const path = (name: string): string => (inside.value ? `${inside.value}.${name}` : name);
export const short = (full: string): string => (inside.value ? full.slice(inside.value.length + 1) : full);

export function choose(keys: Iterable<string>): void {
  chosen.value = new Set(keys);
  const [first, ...others] = chosen.value;
  if (first && others.length === 0 && !first.includes(":")) state.selected.value = first;
}

/** The chosen parts, by their short names. */
export function parts(): string[] {
  return [...chosen.value].filter((key) => !key.includes(":")).map(short);
}

/** Removes what is chosen: parts with their connections, and lines. */
export async function remove(): Promise<void> {
  const lines = [...chosen.value].filter((key) => key.includes(":"));
  if (chosen.value.size === 0) return;
  const done = await does("remove", { parts: parts(), ports: lines.flatMap((key) => key.split(" ")) });
  if (done) choose([]);
}
