// Shows how the selected component moves: coordinate, rates and torque at the cursor, each with a small curve.
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { rowAt } from "./curves";
import { inShownUnit, quantity, shownUnit } from "./numbers";
import { report } from "./reporting";
import * as state from "./state";
import type { Curves } from "./state";
import type { Variable } from "./types";

// What a joint, a shaft and a slider call their coordinate, its two rates and the force along it.
const FAMILIES = [["q", "qd", "qdd", "lambda"], ["phi", "w", "a", "tau"], ["s", "v", "a", "f"]];
const POINTS = 120, WIDTH = 44, HEIGHT = 18;

/** The variables of the motion of a component, with the words for them; empty for one that does not move. */
export function familyOf(path: string): { variable: Variable; word: string }[] {
  const own = (name: string) => state.listing.value?.variables.get(path ? `${path}.${name}` : name);
  const names = FAMILIES.find(([coordinate = "", rate = ""]) => own(coordinate) && own(rate)) ?? [];
  const [word, unit] = own(names[0] ?? "")?.unit === "rad" ? ["torque", "N.m"] : ["force", "N"];
  return names.flatMap((name) => {
    const variable = own(name);
    if (!variable) return [];
    return [name === "lambda" ? { variable: { ...variable, unit: variable.unit || unit }, word } : { variable, word: name }];
  });
}

const found = signal<Curves | null>(null);

export function Motion({ path, children }: { path: string; children: (variable: Variable, word: string, value: ComponentChildren) => ComponentChildren }) {
  const family = familyOf(path), run = state.currentRun.value, names = family.map(({ variable }) => variable.name);
  const moving = family.filter(({ variable }) => variable.kind !== "fixed").map(({ variable }) => variable.name);
  useEffect(() => {
    found.value = null;
    const model = state.model.value;
    if (!model || !run || moving.length === 0) return undefined;
    const abort = new AbortController();
    state.connection.ask<{ curves: { names: string[] }[] }>("curves", { run: run.number, curves: [{ names: moving, start: null, stop: null, width: POINTS }] }, { model: model.file, signal: abort.signal })
      .then(({ data, arrays }) => {
        const [time, ...columns] = arrays as Float64Array[];
        if (time && data.curves[0]) found.value = { names: data.curves[0].names, time, columns };
      })
      .catch((error: unknown) => { if (!abort.signal.aborted) report(error); });
    return () => abort.abort();
  }, [run, names.join()]);
  if (family.length === 0) return null;
  return (
    <section class="section" data-test="motion">
      <h4>Motion</h4>
      {family.map(({ variable, word }) => children(variable, word, <Value variable={variable} />))}
    </section>
  );
}

/** The value at the cursor, else at the end, and the curve. */
function Value({ variable }: { variable: Variable }) {
  const curves = found.value, column = curves?.columns[curves.names.indexOf(variable.name)];
  const still = typeof variable.value === "number" ? inShownUnit(variable.value, variable) : undefined;
  const now = curves && column ? column[rowAt(curves.time, state.cursor.value)] : still;
  const [number, unit] = now === undefined ? ["", shownUnit(variable)] : quantity(now, shownUnit(variable));
  return <>{curves && column ? <Spark time={curves.time} column={column} /> : null}<span class="value">{number}</span><span class="unit">{unit}</span></>;
}

function Spark({ time, column }: { time: Float64Array; column: Float64Array }) {
  const finite = [...column].filter(Number.isFinite), low = Math.min(...finite), high = Math.max(...finite);
  const [start = 0, stop = 1] = [time[0], time.at(-1)];
  const x = (t: number) => (WIDTH * (t - start)) / (stop - start || 1), y = (v: number) => 1 + (HEIGHT - 2) * (high > low ? (high - v) / (high - low) : 0.5);
  const points = Array.from(column, (v, k) => (Number.isFinite(v) ? `${x(time[k] ?? 0).toFixed(1)},${y(v).toFixed(1)}` : "")).filter(Boolean).join(" ");
  return <svg class="spark" width={WIDTH} height={HEIGHT} aria-hidden="true"><polyline points={points} /></svg>;
}
