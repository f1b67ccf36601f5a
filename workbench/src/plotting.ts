// Changes the plots: which variables they show, over what, and in which range.
import { refresh } from "./running";
import * as state from "./state";
import type { Plot } from "./state";
import { scheduleWorkspace } from "./workspace";

/** Changes a plot, and fetches its curves. */
function change(id: number, what: (plot: Plot) => Partial<Plot>): void {
  state.plots.value = state.plots.value.map((plot) => (plot.id === id ? { ...plot, ...what(plot) } : plot));
  scheduleWorkspace();
  for (const plot of state.plots.value) if (plot.id === id) void refresh(plot);
}

/** Adds a variable to a plot. */
export function addVariable(id: number, name: string): void {
  const isThere = state.plots.value.some((plot) => plot.id === id && plot.names.includes(name));
  if (!isThere) change(id, ({ names }) => ({ names: [...names, name] }));
}

/** Adds a variable to the last plot. */
export function addToLast(name: string): void {
  const last = state.plots.value.at(-1);
  if (last) addVariable(last.id, name);
}

export function removeVariable(id: number, name: string): void {
  change(id, ({ names }) => ({ names: names.filter((each) => each !== name) }));
}

/** Shows a plot over time or, as a phase plot, over a variable. */
export function setOver(id: number, over: string): void {
  change(id, () => ({ over, range: null }));
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
  else change(id, () => ({ names: [], over: "time" }));
  scheduleWorkspace();
}
