// Keeps the workspace in a file beside the model. What is read from it is checked: it can come from anyone.
import { opened } from "./buffers";
import * as state from "./state";
import type { Changes, Plot } from "./state";
import { METHODS } from "./types";

const VERSION = 1, SAVE_AFTER_MS = 600, MOST_PLOTS = 12, MOST_RUNS = 6;

let waiting: ReturnType<typeof setTimeout> | undefined;
let isRestored = false;

/** Saves the workspace soon. */
export function scheduleWorkspace(): void {
  if (!isRestored) return;
  clearTimeout(waiting);
  waiting = setTimeout(() => void saveWorkspace(), SAVE_AFTER_MS);
}

async function saveWorkspace(): Promise<void> {
  const model = state.model.value;
  if (!model || !state.online.value) return;
  const workspace = {
    version: VERSION,
    files: state.files.value.map((file) => file.path),
    current: state.current.value,
    plots: state.plots.value,
    values: state.values.value,
    starts: state.starts.value,
    runs: state.runs.value.filter((run) => run.isKept).slice(-MOST_RUNS).map((run) => run.changes),
    settings: state.settings.value,
    sets: state.parameterSets.value,
    panes: state.panes.value,
    sizes: state.sizes.value,
    tabs: state.tabs.value,
    selected: state.selected.value,
  };
  try {
    await state.connection.ask("save_workspace", { file: model.file, workspace });
  } catch {
    // The folder may be read-only; the workspace is then not kept.
  }
}

/** Shows what the workspace of a model holds, if there is one; returns the runs that it kept. */
export async function restoreWorkspace(path: string): Promise<Changes[]> {
  let kept: Changes[] = [], files: string[] = [];
  try {
    const { data } = await state.connection.ask<{ workspace: unknown }>("workspace", { file: path });
    if (isRecord(data.workspace) && data.workspace["version"] === VERSION) {
      apply(data.workspace);
      kept = list(data.workspace["runs"]).slice(-MOST_RUNS).flatMap(changesOf);
      files = strings(data.workspace["files"]);
    }
  } finally {
    isRestored = true;
  }
  for (const path of files) if (state.project.value?.files.includes(path)) await opened(path);
  return kept;
}

function apply(found: Record<string, unknown>): void {
  const plots = list(found["plots"]).slice(0, MOST_PLOTS).flatMap(plotOf);
  if (plots.length > 0) state.plots.value = plots.map((plot, k) => ({ ...plot, id: k + 1 }));
  state.values.value = numbers(found["values"]);
  state.starts.value = numbers(found["starts"]);
  const settings = isRecord(found["settings"]) ? found["settings"] : {};
  const usual = numbers(settings);
  const method = METHODS.find((each) => each === settings["method"]) ?? "auto";
  state.settings.value = { ...state.settings.value, ...pick(usual, ["stop", "points", "rtol", "atol"]), method };
  state.parameterSets.value = list(found["sets"]).flatMap((each) =>
    isRecord(each) && typeof each["name"] === "string"
      ? changesOf(each).map((changes) => ({ name: String(each["name"]), ...changes }))
      : [],
  );
  const panes = isRecord(found["panes"]) ? found["panes"] : {};
  state.panes.value = {
    left: panes["left"] !== false, center: panes["center"] !== false,
    right: panes["right"] !== false, bottom: panes["bottom"] !== false,
  };
  state.sizes.value = { ...state.sizes.value, ...pick(numbers(found["sizes"]), Object.keys(state.sizes.value)) };
  const tabs = isRecord(found["tabs"]) ? found["tabs"] : {};
  for (const key of ["left", "center", "bottom"] as const) {
    const tab = tabs[key];
    if (typeof tab === "string" && /^[a-z]{1,20}$/.test(tab)) state.show({ [key]: tab });
  }
  if (typeof found["selected"] === "string") state.selected.value = found["selected"];
}

function changesOf(found: unknown): Changes[] {
  return isRecord(found) ? [{ values: numbers(found["values"]), starts: numbers(found["starts"]) }] : [];
}

function plotOf(found: unknown): Plot[] {
  if (!isRecord(found) || typeof found["over"] !== "string") return [];
  const range = list(found["range"]);
  const [from, to] = [Number(range[0]), Number(range[1])];
  const shown: [number, number] | null = range.length === 2 && from < to ? [from, to] : null;
  return [{ id: 0, names: strings(found["names"]).slice(0, 40), over: found["over"], range: shown }];
}

function isRecord(found: unknown): found is Record<string, unknown> {
  return typeof found === "object" && found !== null && !Array.isArray(found);
}

function list(found: unknown): unknown[] {
  return Array.isArray(found) ? found : [];
}

function strings(found: unknown): string[] {
  return list(found).filter((each): each is string => typeof each === "string");
}

function numbers(found: unknown): Record<string, number> {
  const pairs = isRecord(found) ? Object.entries(found) : [];
  return Object.fromEntries(pairs.filter((pair): pair is [string, number] => Number.isFinite(pair[1])));
}

function pick(from: Record<string, number>, keys: string[]): Record<string, number> {
  return Object.fromEntries(keys.flatMap((key) => (key in from ? [[key, from[key] as number]] : [])));
}
