// Wraps uPlot: several runs over each other, events as lines, phase plots, one cursor for all.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { Marks } from "./marks";
import { tickLabels } from "./numbers";
import type { Curves, Plot } from "./state";

export interface Layer {
  curves: Curves;
  isLatest: boolean;
  number: number;
}

export interface Handlers {
  onCursor: (time: number | null) => void;
  /** The user marks an instant to compare with. */
  onOrigin?: (time: number) => void;
  onRange: (range: [number, number] | null) => void;
  onLeave: () => void;
}

const PALETTE = ["#2f6fde", "#d9622b", "#2f9e62", "#8e54c4", "#c29a1b", "#c23b55", "#1f9aa8", "#7a6a58"];

export function colorOf(k: number): string {
  return PALETTE[k % PALETTE.length] ?? "#2f6fde";
}

// Of the lines of events on average, and of the marks in place of them, in pixels.
const LEAST_DISTANCE = 9, MARK_HEIGHT = 7;

const FONT = "11px system-ui, sans-serif";

const NAME_FONT = "12px system-ui, sans-serif", LINE = 18;

/** Where the names stand above a picture, in lines that are not wider than it. */
function inLines(context: CanvasRenderingContext2D, names: string[], width: number): { at: { left: number; bottom: number }[]; height: number } {
  let left = 10, bottom = LINE - 3;
  context.font = NAME_FONT;
  const at = names.map((name) => {
    const needed = context.measureText(name).width + 30;
    if (left > 10 && left + needed > width) [left, bottom] = [10, bottom + LINE];
    left += needed;
    return { left: left - needed, bottom };
  });
  return { at, height: names.length > 0 ? bottom + 3 : 0 };
}

function inUnit(name: string, unit: string): string {
  return unit ? `${name} in ${unit}` : name;
}

/** The chart of one plot. */
export class Chart {
  private chart: uPlot | null = null;
  private shape = "";
  private eventTimes: number[] = [];
  private isSetting = false;
  private marks: Marks | null = null;
  private isPhase = false;
  private cursor: number | null = null;
  private origin: number | null = null;

  constructor(private readonly home: HTMLElement, private readonly handlers: Handlers) {}

  /** Draws the curves. The range stays while the plot has one. */
  draw(plot: Plot, layers: Layer[], eventTimes: number[], unitOf: (name: string) => string): void {
    this.eventTimes = eventTimes;
    const isPhase = plot.over !== "time", units = plot.names.map(unitOf);
    this.isPhase = isPhase;
    const shape = JSON.stringify([plot.over, plot.names, units, layers.map((layer) => [layer.number, layer.isLatest, layer.curves.names.length])]);
    const data = isPhase ? phaseData(plot, layers) : timeData(plot, layers);
    if (shape !== this.shape || !this.chart) {
      this.chart?.destroy();
      this.shape = shape;
      this.chart = new uPlot(this.options(plot, layers, isPhase ? inUnit(plot.over, unitOf(plot.over)) : "time in s", units), data as uPlot.AlignedData, this.home);
      if (plot.range && !isPhase) this.setRange(plot.range);
      this.mark(plot, layers);
      return;
    }
    this.isSetting = true;
    this.chart.setData(data as uPlot.AlignedData, plot.range === null);
    if (plot.range && !isPhase) {
      this.setRange(plot.range);
      this.chart.redraw(true, true);
    }
    this.isSetting = false;
    this.mark(plot, layers);
  }

  /** Marks the instants on the curves of the latest run. */
  private mark(plot: Plot, layers: Layer[]): void {
    if (!this.chart) return;
    this.marks?.end();
    this.marks = new Marks(this.chart, plot, layers.find((layer) => layer.isLatest)?.curves ?? null, colorOf);
    this.marks.show(this.cursor, this.origin);
  }

  /** Shows the instant with which values are compared; null for none. */
  compare(origin: number | null): void {
    this.origin = origin;
    this.marks?.show(this.cursor, origin);
  }

  /** Moves the cursor to a time that another part of the page shows. */
  point(time: number | null): void {
    const chart = this.chart;
    this.cursor = time;
    if (!chart) return;
    if (this.isPhase) {
      this.marks?.show(time, this.origin);
      return;
    }
    if (time === null) {
      chart.setCursor({ left: -10, top: -10 }, false);
      return;
    }
    const left = chart.valToPos(time, "x");
    if (Number.isFinite(left)) chart.setCursor({ left, top: chart.cursor.top ?? 0 }, false);
  }

  resize(): void {
    this.chart?.setSize({ width: this.home.clientWidth, height: this.home.clientHeight });
  }

  /** The picture as PNG, with the names of the curves above it. */
  picture(names: string[]): Promise<Blob | null> {
    const canvas = this.chart?.ctx.canvas, copy = document.createElement("canvas"), context = copy.getContext("2d");
    if (!canvas || !context) return Promise.resolve(null);
    const places = inLines(context, names, canvas.width / devicePixelRatio), above = places.height * devicePixelRatio;
    copy.width = canvas.width;
    copy.height = canvas.height + above;
    context.fillStyle = this.css("--surface");
    context.fillRect(0, 0, copy.width, copy.height);
    context.drawImage(canvas, 0, above);
    context.scale(devicePixelRatio, devicePixelRatio);
    context.font = NAME_FONT;
    names.forEach((name, k) => {
      const { left, bottom } = places.at[k] ?? { left: 0, bottom: 0 };
      context.fillStyle = colorOf(k);
      context.fillRect(left, bottom - 6, 10, 3);
      context.fillStyle = this.css("--text");
      context.fillText(name, left + 14, bottom);
    });
    return new Promise((resolve) => copy.toBlob(resolve));
  }

  destroy(): void {
    this.chart?.destroy();
    this.chart = this.marks = null;
    this.shape = "";
  }

  /** A color of the page around the chart. */
  private css(name: string): string {
    return getComputedStyle(this.home).getPropertyValue(name).trim();
  }

  private setRange([min, max]: [number, number]): void {
    this.isSetting = true;
    this.chart?.setScale("x", { min, max });
    this.isSetting = false;
  }

  private options(plot: Plot, layers: Layer[], below: string, units: string[]): uPlot.Options {
    const isPhase = plot.over !== "time", isOther = (k: number) => !isPhase && units[k] !== units[0];
    const axis: uPlot.Axis = {
      // Read when it is drawn: a notebook puts the chart into its page later.
      stroke: () => this.css("--faint"), grid: { stroke: () => this.css("--grid"), width: 1 }, ticks: { stroke: () => this.css("--grid"), width: 1, size: 4 },
      font: FONT, labelFont: FONT, labelSize: 15, labelGap: 0, gap: 3,
      values: (_, ticks, __, ___, step) => tickLabels(ticks, step),
    };
    const labeled = (label: string) => (label ? { label } : {});
    const [first] = plot.names, left = plot.names.length === 1 && first ? inUnit(first, units[0] ?? "") : (units[0] ?? "");
    const right = [...new Set(units.filter((_, k) => isOther(k)))].join(", ");
    const series: uPlot.Series[] = isPhase ? [] : [{ label: "time" }];
    for (const layer of layers)
      plot.names.forEach((name, k) => {
        const own: uPlot.Series = {
          label: name, stroke: layer.isLatest ? colorOf(k) : `${colorOf(k)}a6`, width: layer.isLatest ? 1.6 : 1,
          ...(layer.isLatest ? {} : { dash: [5, 3] }), spanGaps: true, pxAlign: 0, points: { show: false },
        };
        if (isOther(k)) own.scale = "other";
        if (isPhase) own.paths = path;
        series.push(own);
      });
    return {
      width: Math.max(this.home.clientWidth, 80), height: Math.max(this.home.clientHeight, 60),
      mode: isPhase ? 2 : 1, legend: { show: false }, padding: [8, 12, 0, 0],
      scales: { x: { time: false }, y: isPhase ? { range: (_, low, high) => padded(low, high) } : {} },
      axes: [
        { ...axis, size: 24, label: below }, { ...axis, size: 50, ...labeled(left) },
        ...(plot.names.some((_, k) => isOther(k)) ? [{ ...axis, scale: "other", side: 1 as const, size: 50, ...labeled(right), grid: { show: false } }] : []),
      ],
      series: isPhase ? [{}, ...series] as uPlot.Series[] : series,
      cursor: { drag: { x: !isPhase, y: false }, ...(isPhase ? { show: false } : {}), points: { size: 6 } },
      hooks: isPhase ? this.phaseHooks() : this.hooks(),
    };
  }

  private hooks(): uPlot.Hooks.Arrays {
    return {
      setCursor: [(chart) => {
        const left = chart.cursor.left ?? -1;
        if (!this.isSetting && left >= 0 && chart.cursor.event) this.handlers.onCursor(chart.posToVal(left, "x"));
      }],
      setScale: [(chart, key) => {
        if (key !== "x" || this.isSetting) return;
        const { min, max } = chart.scales["x"] ?? {};
        const time = chart.data[0];
        if (min === undefined || max === undefined || min === null || max === null || time.length === 0) return;
        if (chart.select.width > 0) this.handlers.onRange([min, max]);
      }],
      drawClear: [(chart) => this.drawEvents(chart)],
      draw: [() => this.marks?.show(this.cursor, this.origin)],
      ready: [(chart) => {
        chart.over.addEventListener("dblclick", () => this.handlers.onRange(null));
        chart.over.addEventListener("mouseleave", () => this.handlers.onLeave());
        chart.over.addEventListener("click", (event) => {
          if (event.shiftKey) this.handlers.onOrigin?.(chart.posToVal(event.offsetX, "x"));
        });
      }],
    };
  }

  /** A phase plot has no axis of time: its cursor is the point of a curve that is next to the pointer. */
  private phaseHooks(): uPlot.Hooks.Arrays {
    return {
      draw: [() => this.marks?.show(this.cursor, this.origin)],
      ready: [(chart) => {
        const near = (event: MouseEvent) => this.marks?.nearest(event.offsetX, event.offsetY) ?? null;
        chart.over.addEventListener("mousemove", (event) => {
          const time = near(event);
          if (time !== null) this.handlers.onCursor(time);
        });
        chart.over.addEventListener("click", (event) => {
          const time = near(event);
          if (event.shiftKey && time !== null) this.handlers.onOrigin?.(time);
        });
      }],
    };
  }

  private drawEvents(chart: uPlot): void {
    const { ctx, bbox } = chart;
    ctx.save();
    ctx.strokeStyle = this.css("--event");
    ctx.globalAlpha = 0.7;
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
    ctx.beginPath();
    const places = new Set(this.eventTimes.map((time) => Math.round(chart.valToPos(time, "x", true))));
    const shown = [...places].filter((x) => x >= bbox.left && x <= bbox.left + bbox.width);
    // Lines at small distances would hide the curves: marks at the axis do not.
    const isDense = shown.length * LEAST_DISTANCE * devicePixelRatio > bbox.width;
    if (isDense) ctx.setLineDash([]);
    const bottom = bbox.top + bbox.height, top = isDense ? bottom - MARK_HEIGHT * devicePixelRatio : bbox.top;
    for (const x of shown) {
      ctx.moveTo(x, top);
      ctx.lineTo(x, bottom);
    }
    ctx.stroke();
    ctx.restore();
  }
}

function padded(low: number | null, high: number | null): [number, number] {
  const a = low ?? 0, b = high ?? 1, room = 0.05 * (b - a || Math.abs(a) || 1);
  return [a - room, b + room];
}

/** Rows of all runs on one axis. At an event two rows have the same time; the second is moved by its last digits. */
function timeData(plot: Plot, layers: Layer[]): (number | null | undefined)[][] {
  const tables = layers.map(({ curves }) => {
    const time = Array.from(curves.time);
    for (let k = 1; k < time.length; k++)
      if ((time[k] ?? 0) <= (time[k - 1] ?? 0)) time[k] = (time[k - 1] ?? 0) + Math.max(Math.abs(time[k - 1] ?? 0) * 1e-13, 1e-15);
    const columns = plot.names.map((name) => columnOf(curves, name));
    return [time, ...columns] as uPlot.AlignedData;
  });
  const [first] = tables;
  if (!first) return [[], ...plot.names.map(() => [])];
  return (tables.length === 1 ? first : uPlot.join(tables)) as unknown as (number | null | undefined)[][];
}

function columnOf(curves: Curves, name: string): (number | null)[] {
  const column = curves.columns[curves.names.indexOf(name)];
  return column ? Array.from(column, (x) => (Number.isFinite(x) ? x : null)) : Array.from(curves.time, () => null);
}

function phaseData(plot: Plot, layers: Layer[]): unknown[] {
  const facets = layers.flatMap(({ curves }) => plot.names.map((name) => [columnOf(curves, plot.over), columnOf(curves, name)]));
  return [null, ...facets];
}

/** The path of a phase plot: the points in the order of time. */
const path: uPlot.Series.PathBuilder = (chart, index) => {
  const stroke = new Path2D();
  const [xs, ys] = chart.data[index] as unknown as [(number | null)[], (number | null)[]];
  let isDown = false;
  for (let k = 0; k < xs.length; k++) {
    const x = xs[k], y = ys[k];
    if (x === null || y === null || x === undefined || y === undefined) {
      isDown = false;
      continue;
    }
    const left = chart.valToPos(x, "x", true), top = chart.valToPos(y, "y", true);
    if (isDown) stroke.lineTo(left, top);
    else stroke.moveTo(left, top);
    isDown = true;
  }
  return { stroke, flags: 0 };
};
