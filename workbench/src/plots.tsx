// Shows the plots: drop targets, legends with values at the cursor, menus.
import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Chart, leastHeight } from "./chart";
import { colorOf } from "./lane";
import type { Layer } from "./lane";
import { copyPicture, copyText, download } from "./copying";
import { rowAt } from "./curves";
import { addPlot, addVariable, removePlot, removeVariable, setOver, setRange } from "./plotting";
import { dropRun, keepRun } from "./running";
import * as state from "./state";
import type { Plot } from "./state";
import { quantity, short, shownUnit } from "./numbers";

export function Plots() {
  return (
    <div class="fill column" data-test="plots">
      <RunBar />
      <div class={`plots grow ${state.isOld.value ? "old" : ""}`}>{state.plots.value.map((plot) => <PlotView key={plot.id} plot={plot} />)}</div>
    </div>
  );
}

/** The runs whose curves are drawn over each other. */
function RunBar() {
  const runs = state.runs.value;
  return (
    <div class="bar">
      {runs.map((run) => (
        <span class={`chip ${run.isKept ? "kept" : ""}`} key={run.number} title={`run ${run.number}`}>
          <svg width="18" height="8" aria-hidden="true"><line x1="0" x2="18" y1="4" y2="4" class={run.isKept ? "dashed" : "solid"} /></svg>
          {run.label}
          {run.isKept ? <button class="close" aria-label={`remove run ${run.number}`} onClick={() => dropRun(run.number)}>&#215;</button> : null}
        </span>
      ))}
      {state.isOld.value ? <span class="tag" data-test="old" title="the text or the values have errors since">old curves</span> : null}
      <Cursor />
      <span class="grow" />
      <button class="small" disabled={runs.length === 0} title="keep the curves of this run, and draw the next ones over them" onClick={keepRun}>Keep run</button>
      <button class="small" onClick={addPlot}>Add plot</button>
    </div>
  );
}

/** The unit in which people see a variable; before the variables are listed, the one that came with its curve. */
function unitOf(name: string): string {
  const found = state.listing.value?.variables.get(name);
  if (found) return shownUnit(found);
  const curves = [...(state.currentRun.value?.curves.values() ?? [])].find(({ names }) => names.includes(name));
  const unit = curves?.units?.[curves.names.indexOf(name)] ?? "";
  return unit === "1" ? "" : unit;
}

/** The time at which the legends show values, and the one with which they are compared. */
function Cursor() {
  const now = state.cursor.value, from = state.origin.value;
  if (now === null) return state.runs.value.length > 0 ? <span class="faint">values at the end</span> : null;
  return (
    <>
      <span class="chip" data-test="cursor">
        <span class="faint">at {short(now, 5)} s</span>
        {from === null ? <button class="link" title="keep this time, and show differences to it; or hold Shift and click into a plot" onClick={() => (state.origin.value = now)}>compare</button> : null}
        <button class="close" aria-label="show the last values" title="show the last values" onClick={() => (state.cursor.value = null)}>&#215;</button>
      </span>
      {from === null ? null : (
        <span class="chip" title={`differences to the values at ${short(from, 5)} s`}>
          <span class="faint">{"\u0394"} {short(now - from, 5)} s</span>
          <button class="close" aria-label="end the comparison" title="end the comparison" onClick={() => (state.origin.value = null)}>&#215;</button>
        </span>
      )}
    </>
  );
}

function PlotView({ plot }: { plot: Plot }) {
  const home = useRef<HTMLDivElement>(null), chart = useRef<Chart | null>(null);
  const isOver = useSignal(false);
  const theme = useSignal(0);
  useEffect(() => {
    if (!home.current) return undefined;
    const made = new Chart(home.current, {
      onCursor: (time) => (state.cursor.value = time),
      onOrigin: (time) => (state.origin.value = time),
      onRange: setRange,
      onLeave: () => setTimeout(() => made.point(state.cursor.value)),
    });
    chart.current = made;
    const observer = new ResizeObserver(() => made.resize());
    observer.observe(home.current);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const redo = () => { made.destroy(); theme.value++; };
    dark.addEventListener("change", redo);
    const stops = [state.cursor.subscribe((time) => made.point(time)), state.origin.subscribe((time) => made.compare(time))];
    return () => { observer.disconnect(); dark.removeEventListener("change", redo); for (const stop of stops) stop(); made.destroy(); };
  }, []);
  const runs = state.runs.value, events = state.events.value;
  useEffect(() => {
    const layers: Layer[] = runs.flatMap((run, k) => {
      const curves = run.curves.get(plot.id);
      return curves ? [{ curves, isLatest: k === runs.length - 1, number: run.number }] : [];
    });
    const times = events && runs.at(-1)?.number === events.run ? events.times : [];
    chart.current?.draw(plot, layers, times, unitOf);
    chart.current?.point(state.cursor.peek());
  }, [runs, events, plot, theme.value, state.listing.value]);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    isOver.value = false;
    const name = event.dataTransfer?.getData("text/plain");
    if (name && state.listing.value?.variables.has(name)) addVariable(plot.id, name);
  };
  return (
    <section class={`plot ${isOver.value ? "target" : ""}`} data-plot={plot.id} onDrop={drop} style={{ minHeight: `${leastHeight(new Set(plot.names.map(unitOf)).size)}px` }}
      onDragOver={(event) => { event.preventDefault(); isOver.value = true; }} onDragLeave={() => (isOver.value = false)}>
      <Legend plot={plot} chart={() => chart.current} />
      <div class="chart" ref={home}>{plot.names.length === 0 ? <p class="empty over">{state.model.value ? "Drag variables here." : "The curves of a run are shown here."}</p> : null}</div>
    </section>
  );
}

function Legend({ plot, chart }: { plot: Plot; chart: () => Chart | null }) {
  return (
    <div class="legend">
      <div class="controls"><PlotMenu plot={plot} chart={chart} /></div>
      {plot.names.map((name, k) => (
        <span class="chip" key={name} data-series={name}>
          <i class="swatch" style={{ background: colorOf(k) }} />
          {name} <Value plot={plot} name={name} />
          <button class="close" aria-label={`remove ${name}`} onClick={() => removeVariable(plot.id, name)}>&#215;</button>
        </span>
      ))}
    </div>
  );
}

/** The value at the cursor, without one the last value, and its difference to that at the time that was kept. */
function Value({ plot, name }: { plot: Plot; name: string }) {
  const text = useComputed(() => {
    const curves = state.currentRun.value?.curves.get(plot.id);
    const column = curves?.columns[curves.names.indexOf(name)];
    if (!curves || !column) return ["", "", ""];
    const now = column[rowAt(curves.time, state.cursor.value)] ?? NaN, from = state.origin.value, unit = unitOf(name);
    if (from === null || state.cursor.value === null) return [...quantity(now, unit), ""];
    return [...quantity(now, unit), `\u0394 ${quantity(now - (column[rowAt(curves.time, from)] ?? NaN), unit).join(" ")}`];
  });
  const [now, unit, difference] = text.value;
  return <><b><span class="at">{now}</span> {unit}</b>{difference ? <span class="faint difference">{difference}</span> : null}</>;
}

function PlotMenu({ plot, chart }: { plot: Plot; chart: () => Chart | null }) {
  const csv = async () => {
    const model = state.model.value, run = state.currentRun.value;
    if (!model || !run) return;
    const { data } = await state.connection.ask<{ text: string }>("table", { run: run.number, names: plot.names }, { model: model.file });
    return data.text;
  };
  const over = ["time", ...plot.names, ...(plot.over !== "time" && !plot.names.includes(plot.over) ? [plot.over] : [])];
  return (
    <>
      {plot.range ? <button class="small" onClick={() => setRange(null)}>All time</button> : null}
      <select class="small" aria-label="horizontal axis" title="horizontal axis" value={plot.over} onChange={(event) => setOver(plot.id, event.currentTarget.value)}>
        {over.map((name) => <option key={name} value={name}>{name === "time" ? "over time" : `over ${name}`}</option>)}
      </select>
      <select class="small menu" aria-label="more" value="" onChange={(event) => {
        const what = event.currentTarget.value;
        event.currentTarget.value = "";
        if (what === "picture") void chart()?.picture(plot.names).then((blob) => blob && copyPicture(blob));
        else if (what === "save") void chart()?.picture(plot.names).then((blob) => blob && download(blob, "plot.png"));
        else if (what === "data") void csv().then((text) => (text ? copyText(text, "data") : undefined));
        else if (what === "csv") void csv().then((text) => { if (text) download(new Blob([text]), "data.csv"); });
        else if (what === "remove") removePlot(plot.id);
      }}>
        <option value="" hidden>...</option>
        <option value="picture">Copy picture</option><option value="save">Save picture</option>
        <option value="data">Copy data</option><option value="csv">Save data (CSV)</option>
        <option value="remove">Remove plot</option>
      </select>
    </>
  );
}
