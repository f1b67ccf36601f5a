// Does what the user asks for: opens files, checks, translates, saves, formats.
import { batch } from "@preact/signals";
import * as state from "./state";
import type { Component, Diagnostic, OpenedModel, Project, Shown, Variable } from "./types";
import { isWritten, lookAgain, opened, unsavedBut, write } from "./buffers";
import { report } from "./reporting";
import { runKept, runNow } from "./running";
import type { Changes } from "./state";
import { restoreWorkspace, scheduleWorkspace } from "./workspace";

const CHECK_AFTER_MS = 20;

/** Reads what was opened, and opens the model or the first one of the folder. */
export async function start(): Promise<void> {
  await state.connection.open();
  const { data } = await state.connection.ask<Project>("project");
  state.project.value = data;
  document.title = `${data.model || data.folder} - Cutset`;
  const first = data.model || data.files.find((file) => file.endsWith(".mo"));
  if (first) await openFile(first, true);
}

/** Shows a file in the editor, and makes it the model if `asModel`. */
export async function openFile(path: string, asModel = false): Promise<void> {
  try {
    await opened(path);
  } catch (error) {
    report(error);
    return;
  }
  state.current.value = path;
  if (asModel) {
    if (state.model.value?.file !== path) state.forgetModel();
    const restored = restoreWorkspace(path);
    const opened = openModel(path, null, restored);
    await restored;
    void check(path);
    await opened;
  } else if (isWritten(path)) void check(path);
}

export function closeFile(path: string): void {
  state.files.value = state.files.value.filter((file) => file.path !== path);
  state.diagnostics.value = new Map([...state.diagnostics.value].filter(([of]) => of !== path));
  if (state.current.value === path) state.current.value = state.files.value.at(-1)?.path ?? "";
  scheduleWorkspace();
}

let latestOpened = 0;

/** Translates an object of a file, then runs it and lists what it contains. */
export async function openModel(path: string, name: string | null, ready: Promise<Changes[]> = Promise.resolve([])): Promise<void> {
  const file = state.files.value.find((each) => each.path === path);
  if (!file) return;
  const given = { file: path, text: file.text, name, unsaved: unsavedBut(path) };
  const abort = new AbortController(), number = ++latestOpened;
  state.progress.value = { what: `translating ${path}`, fraction: null, abort };
  try {
    const { data } = await state.connection.ask<OpenedModel>("open", given, { model: path, signal: abort.signal });
    if (number !== latestOpened) return; // the user has opened another one meanwhile
    const isOther = state.model.value?.file !== path || state.model.value.name !== data.name;
    batch(() => {
      state.model.value = { ...data, file: path };
      if (isOther) state.listing.value = null;
      state.progress.value = null;
    });
    const kept = await ready;
    if (state.settings.value === state.USUAL_SETTINGS) state.settings.value = { ...state.USUAL_SETTINGS, ...data.settings };
    const known = (values: Record<string, number>) => Object.fromEntries(Object.entries(values).filter(([name]) => name in data.parameters));
    state.values.value = known(state.values.value);
    showFirst(data.shown);
    await runKept(kept.map(({ values, starts }) => ({ values: known(values), starts })));
    await runNow();
    await list(path, given);
  } catch (error) {
    state.progress.value = null;
    state.isOld.value = state.runs.value.length > 0;
    report(error, path);
  }
}

/** Plots some of what `cutset simulate` shows, if no plot shows anything yet: positions, if there are any. */
function showFirst(shown: string[]): void {
  if (state.plots.value.some((plot) => plot.names.length > 0)) return;
  const positions = shown.filter((name) => /\.(q|phi|h)$/.test(name)).slice(0, 6);
  const [first, ...others] = state.plots.value;
  const chosen = positions.length > 0 ? positions : shown.filter((name) => name !== "time").slice(0, 3);
  if (first) state.plots.value = [{ ...first, names: chosen }, ...others];
}

async function list(path: string, given: Record<string, unknown>): Promise<void> {
  await state.connection.ask("open", given, { aside: true });
  const { data } = await state.connection.ask<{ components: Component[]; fields: (keyof Variable)[]; variables: Shown[][] }>(
    "listing", {}, { aside: true },
  );
  if (state.model.value?.file !== path) return;
  const variables = new Map<string, Variable>();
  for (const row of data.variables) {
    const variable = Object.fromEntries(data.fields.map((field, k) => [field, row[k] ?? null])) as unknown as Variable;
    variables.set(variable.name, variable);
  }
  state.listing.value = { components: data.components, variables };
}

let waiting: ReturnType<typeof setTimeout> | undefined;

/** Takes the text that the user typed, and checks it soon. */
export function edit(path: string, text: string): void {
  state.files.value = state.files.value.map((file) => (file.path === path ? { ...file, text } : file));
  clearTimeout(waiting);
  waiting = setTimeout(() => void check(path, true), CHECK_AFTER_MS);
}

let latestCheck = 0;

/** Checks a file, then the model, which may include it; messages appear as soon as they are known. */
export async function check(path: string, isTyping = false): Promise<void> {
  const number = ++latestCheck;
  state.isChecking.value = true;
  const model = state.model.value?.file ?? path;
  try {
    for (const each of new Set([path, model])) await checkOne(each, number, isTyping);
  } catch (error) {
    report(error);
  } finally {
    if (number === latestCheck) state.isChecking.value = false;
  }
}

async function checkOne(path: string, number: number, isTyping: boolean): Promise<void> {
  const file = state.files.value.find((each) => each.path === path);
  if (!file || !isWritten(path) || number !== latestCheck) return;
  const given = { file: path, text: file.text, unsaved: unsavedBut(path) };
  const take = (messages: Diagnostic[]) => {
    if (number === latestCheck) state.diagnostics.value = new Map([...state.diagnostics.value, [path, messages]]);
  };
  const hear = (data: CheckNews) => take(data.messages ?? (state.diagnostics.value.get(path) ?? []).filter((each) => !OF_NAMES.test(each.code)));
  const answer = await state.connection.ask<{ messages: Diagnostic[]; objects: string[]; is_complete: boolean }>("check", { ...given, is_typing: isTyping }, { news: hear });
  if (number !== latestCheck) return;
  if (!answer.data.is_complete) return checkOne(path, number, isTyping); // another request ended it
  take(answer.data.messages);
  if (path === state.current.value) state.objects.value = answer.data.objects;
}

interface CheckNews {
  messages?: Diagnostic[];
}

// The codes of errors of the text, of names, types and units: there are no more of them when news have no messages.
const OF_NAMES = /^E[123]/;

export async function save(path: string): Promise<void> {
  if (!(await write(path))) return;
  const project = state.project.value;
  if (project && !project.files.includes(path)) {
    const { data } = await state.connection.ask<{ files: string[] }>("files");
    state.project.value = { ...project, files: data.files };
  }
  const model = state.model.value, found = state.diagnostics.value.get(model?.file ?? "") ?? [];
  if (model && !found.some((each) => each.severity === "error")) await openModel(model.file, model.name);
}

/** Takes what other programs have written while the page was not looked at. */
export async function comeBack(): Promise<void> {
  const before = state.files.value;
  try {
    await lookAgain();
  } catch (error) {
    report(error);
  }
  if (state.files.value !== before && state.current.value) await check(state.current.value);
}

/** The text of the current file in the standard layout; null if it has errors. */
export async function formatted(): Promise<string | null> {
  const file = state.currentFile.value;
  if (!file) return null;
  try {
    return (await state.connection.ask<{ text: string }>("format", { file: file.path, text: file.text })).data.text;
  } catch (error) {
    report(error);
    return null;
  }
}

/** Shows the component everywhere. */
export function select(name: string): void {
  state.selected.value = name;
}

/** Shows the place of a declaration, written as file:line:column, in the editor. */
export async function goTo(place: string): Promise<void> {
  const found = /^(.*):(\d+):(\d+)$/.exec(place);
  if (found?.[1] && found[2] && !found[1].startsWith("/")) await showLine(found[1], Number(found[2]));
}

/** Shows a line of a file in the editor, with the characters between `from` and `to` selected. */
export async function showLine(path: string, line: number, from = 0, to = from): Promise<void> {
  await openFile(path);
  state.show({ center: "text", phone: "text" });
  Object.assign(jump, { line, from, to });
  jump.show?.();
}

/** The editor sets `show`, which moves to `line` and selects the characters between `from` and `to`. */
export const jump: { line: number; from: number; to: number; show: (() => void) | null } = { line: 1, from: 0, to: 0, show: null };
