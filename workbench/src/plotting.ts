// Changes the plots: which variables they show, over what, and in which range.
import { refresh } from "./running";
import * as state from "./state";
import type { Plot } from "./state";
import { scheduleWorkspace } from "./workspace";

function change(id: number, with_: Partial<Plot>): Plot | undefined {
  state.plots.value = state.plots.value.map((plot) => (plot.id === id ? { ...plot, ...with_ } : plot));
  scheduleWorkspace();
  return state.plots.value.find((plot) => plot.id === id);
}

/** Adds a variable to a plot. */
export function addVariable(id: number, name: string): void {
  const plot = state.plots.value.find((each) => each.id === id);
  if (!plot || plot.names.includes(name)) return;
  const changed = change(id, { names: [...plot.names, name] });
  if (changed) void refresh(changed);
}

/** Adds a variable to the last plot. */
export function addToLast(name: string): void {
  const last = state.plots.value.at(-1);
  if (last) addVariable(last.id, name);
}

export function removeVariable(id: number, name: string): void {
  const plot = state.plots.value.find((each) => each.id === id);
  if (!plot) return;
  const changed = change(id, { names: plot.names.filter((each) => each !== name) });
  if (changed) void refresh(changed);
}

/** Shows a plot over time or, as a phase plot, over a variable. */
export function setOver(id: number, over: string): void {
  const changed = change(id, { over, range: null });
  if (changed) void refresh(changed);
}

let waiting: ReturnType<typeof setTimeout> | undefined;

/** Shows a range of time in all plots over time, or with null all of it; the rows in it are fetched. */
export function setRange(range: [number, number] | null): void {
  state.plots.value = state.plots.value.map((plot) => (plot.over === "time" ? { ...plot, range } : plot));
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    for (const plot of state.plots.value) if (plot.over === "time") void refresh(plot);
    scheduleWorkspace();
  }, 120);
}

export function addPlot(): void {
  const id = Math.max(0, ...state.plots.value.map((plot) => plot.id)) + 1;
  const range = state.plots.value.find((plot) => plot.over === "time")?.range ?? null;
  state.plots.value = [...state.plots.value, { id, names: [], over: "time", range }];
  scheduleWorkspace();
}

export function removePlot(id: number): void {
  if (state.plots.value.length > 1) state.plots.value = state.plots.value.filter((plot) => plot.id !== id);
  else change(id, { names: [], over: "time" });
  scheduleWorkspace();
}
