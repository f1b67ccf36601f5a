// Runs the model and takes its curves and animation; a slider that moves runs it again and again.
import { batch } from "@preact/signals";
import { RequestError } from "./connection";
import { report } from "./reporting";
import * as state from "./state";
import type { Changes, Curves, Plot, Run } from "./state";
import type { ModelEvent, NumberArray, RunFacts } from "./types";
import { scheduleWorkspace } from "./workspace";

const ROWS_OF_SCENE = 600, ROWS_WHILE_DRAGGING = 120;
// A run that takes longer is canceled by the move of a slider that would have to wait for it; other changes cancel at once.
const STALE_MS = 1000;
let running: { abort: AbortController; since: number } | null = null;
let again: { isLive: boolean } | null = null;

interface RunAnswer {
  run: RunFacts;
  curves: { names: string[]; units: string[] }[];
  has_scene: boolean;
}

/** Runs the model with the values that the page shows. A run in progress, which has other values, is canceled; only the latest request is kept. */
export async function runNow(isLive = false): Promise<void> {
  if (running) {
    again = { isLive };
    if (!isLive || performance.now() - running.since > STALE_MS) running.abort.abort();
    return;
  }
  const own = (running = { abort: new AbortController(), since: performance.now() });
  try {
    await once(isLive, own.abort);
  } catch (error) {
    if (error instanceof RequestError && error.failure.kind === "run") {
      state.isOld.value = true;
      tellFailure(error.failure.text);
    } else if (!(error instanceof RequestError && error.isCanceled)) report(error);
  } finally {
    running = null;
    if (state.progress.value?.abort === own.abort) state.progress.value = null;
  }
  if (again) {
    const next = again;
    again = null;
    await runNow(next.isLive);
  }
}

/** Runs the model with the values of runs that the workspace kept, and draws the next runs over them. */
export async function runKept(kept: Changes[]): Promise<void> {
  for (const each of kept) {
    try {
      await once(false, new AbortController(), each);
      state.runs.value = state.runs.value.map((run) => ({ ...run, isKept: true }));
    } catch (error) {
      report(error);
    }
  }
}

async function once(isLive: boolean, abort: AbortController, changes: Changes = { values: state.values.value, starts: state.starts.value }): Promise<void> {
  const model = state.model.value;
  if (!model) return;
  const { stop } = state.settings.value;
  const timer = setTimeout(() => {
    state.progress.value = { what: "running", fraction: 0, abort };
  }, 250);
  const kept = state.runs.value.filter((run) => run.isKept);
  const latest = state.runs.value.find((run) => !run.isKept);
  const shown = state.plots.value.filter((plot) => plot.names.length > 0);
  const isSceneShown = model.has_scene && state.panes.value.right;
  try {
    const { values, starts } = changes;
    const answer = await state.connection.ask<RunAnswer>(
      "run",
      {
        settings: { ...state.settings.value, parameters: values, initial: starts },
        number: latest?.number ?? null,
        curves: shown.map(curvesOf),
        scene_rows: isSceneShown ? (isLive ? ROWS_WHILE_DRAGGING : ROWS_OF_SCENE) : 0,
      },
      {
        model: model.file,
        signal: abort.signal,
        news: ({ time }) => {
          if (state.progress.value && typeof time === "number")
            state.progress.value = { what: "running", fraction: Math.min(1, time / stop), abort };
        },
      },
    );
    if (state.model.value?.file !== model.file || (abort.signal.aborted && again)) return;
    take(answer.data, answer.arrays, shown, kept, changes);
    if (!isLive) void takeEvents(answer.data.run.number);
  } finally {
    clearTimeout(timer);
  }
}

function take(
  data: RunAnswer, arrays: NumberArray[], shown: Plot[], kept: Run[], changes: Changes,
): void {
  const curves = new Map<number, Curves>();
  let at = 0;
  data.curves.forEach(({ names, units }, k) => {
    const plot = shown[k];
    const [time, ...columns] = arrays.slice(at, at + 1 + names.length) as Float64Array[];
    if (plot && time) curves.set(plot.id, { names, units, time, columns });
    at += 1 + names.length;
  });
  const run: Run = { number: data.run.number, label: label({ ...changes.values, ...changes.starts }), facts: data.run, changes, curves, isKept: false };
  batch(() => {
    state.runs.value = [...kept, run];
    const scene = data.has_scene ? arrays[at] : undefined;
    if (scene) state.scene.value = new TextDecoder().decode(scene as Uint8Array);
    state.isOld.value = false;
    if (data.run.error) tellFailure(data.run.error);
    else {
      state.failedRun.value = "";
      if (state.notice.value?.kind === "error") state.notice.value = null;
    }
  });
}

/** A failure is a message, with all it says; the notice is for windows that do not show messages. */
function tellFailure(text: string): void {
  state.failedRun.value = text;
  state.show({ bottom: "messages" });
  state.tell("error", text.split("\n")[0] ?? text);
}

/** What differs from the values of the model, briefly. */
function label(values: Record<string, number>): string {
  const changed = Object.entries(values).map(([name, value]) => `${name}=${Number(value.toPrecision(4))}`);
  return changed.length === 0 ? "this run" : changed.slice(0, 3).join(", ") + (changed.length > 3 ? ", ..." : "");
}

function curvesOf(plot: Plot): Record<string, unknown> {
  const names = plot.over === "time" ? plot.names : [plot.over, ...plot.names];
  const [start, stop] = plot.over === "time" && plot.range ? plot.range : [null, null];
  return { names, start, stop, width: 900 };
}

async function takeEvents(number: number): Promise<void> {
  const model = state.model.value;
  if (!model) return;
  const { data, arrays } = await state.connection.ask<{ count: number; events: ModelEvent[] }>(
    "events", { run: number }, { model: model.file },
  );
  state.events.value = { run: number, ...data, times: Array.from(arrays[0] ?? []) };
}

/** Takes the curves of a plot anew, after its variables or its range changed. */
export async function refresh(plot: Plot): Promise<void> {
  const model = state.model.value;
  if (!model) return;
  const found = new Map<number, Curves>();
  try {
    for (const run of plot.names.length > 0 ? state.runs.value : []) {
      const { data, arrays } = await state.connection.ask<{ curves: { names: string[]; units: string[] }[] }>(
        "curves", { run: run.number, curves: [curvesOf(plot)] }, { model: model.file },
      );
      const [time, ...columns] = arrays as Float64Array[];
      if (time && data.curves[0]) found.set(run.number, { ...data.curves[0], time, columns });
    }
  } catch (error) {
    report(error);
    return;
  }
  state.runs.value = state.runs.value.map((run) => {
    const curves = found.get(run.number);
    return curves ? { ...run, curves: new Map(run.curves).set(plot.id, curves) } : run;
  });
}

/** Keeps the curves of the latest run, so that later ones are drawn over them. */
export function keepRun(): void {
  state.runs.value = state.runs.value.map((run) => ({ ...run, isKept: true }));
  void runNow();
  scheduleWorkspace();
}

export function dropRun(number: number): void {
  state.runs.value = state.runs.value.filter((run) => run.number !== number);
  scheduleWorkspace();
  const model = state.model.value;
  if (model) void state.connection.ask("drop", { runs: [number] }, { model: model.file });
}

/** Sets a parameter, or a start value, or with null takes back the value of the model. */
export function setValue(name: string, value: number | null, isLive = false, of = state.values): void {
  const { [name]: _, ...others } = of.value;
  of.value = value === null ? others : { ...others, [name]: value };
  void runNow(isLive);
  if (!isLive) scheduleWorkspace();
}

/** Cancels what is in progress, and the run that waits for it. */
export function cancel(): void {
  again = null;
  running?.abort.abort();
  state.progress.value?.abort.abort();
}
