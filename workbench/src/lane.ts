// Wraps uPlot: the curves of one unit, of several runs over each other, with events as lines and the names at the curves.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { Marks } from "./marks";
import { largest, prefixed, tickLabels } from "./numbers";
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

/** A name, its place in the legend, which gives its color, and its unit. */
export interface Entry {
  name: string;
  place: number;
  unit: string;
}

const PALETTE = ["#2f6fde", "#d9622b", "#2f9e62", "#8e54c4", "#c29a1b", "#c23b55", "#1f9aa8", "#7a6a58"];

export function colorOf(k: number): string {
  return PALETTE[k % PALETTE.length] ?? "#2f6fde";
}

// Of the lines of events on average, and of the marks in place of them, in pixels.
const LEAST_DISTANCE = 9, MARK_HEIGHT = 7;
const FONT = "11px system-ui, sans-serif", NAME_FONT = "11.5px system-ui, sans-serif";
// A narrower plot has no names at its curves; longer names are cut. In pixels.
const NARROW = 420, WIDEST_NAME = 130, NAME_HEIGHT = 13;

const ROUND = Array.from({ length: 40 }, (_, k) => k - 20).flatMap((power) => [1, 2, 5].map((digit) => Number(`${digit}e${power}`)));
/** The distances of ticks that people expect. */
function increments(unit: string): number[] {
  return unit === "deg" ? [...ROUND.filter((x) => x <= 10), 15, 30, 45, 90, 180, 360, ...ROUND.filter((x) => x >= 1000)] : ROUND;
}

/** The picture of the curves of one unit. */
export class Lane {
  private chart: uPlot | null = null;
  private shape = "";
  private eventTimes: number[] = [];
  private isSetting = false;
  private marks: Marks | null = null;
  private isPhase = false;
  private cursor: number | null = null;
  private origin: number | null = null;
  private entries: Entry[] = [];
  /** The names of all lanes, whose curves end at one place. */
  private names: string[] = [];
  private latest: Curves | null = null;
  /** The factors and the labels of the units of both axes. */
  private below = { factor: 1, unit: "" };
  private left = { factor: 1, unit: "" };

  constructor(private readonly home: HTMLElement, private readonly handlers: Handlers, private readonly isLast: boolean) {}

  get canvas(): HTMLCanvasElement | null {
    return this.chart?.ctx.canvas ?? null;
  }

  draw(plot: Plot, entries: Entry[], layers: Layer[], eventTimes: number[], unitBelow: string): void {
    const isPhase = plot.over !== "time", names = entries.map(({ name }) => name);
    this.eventTimes = eventTimes;
    this.isPhase = isPhase;
    this.entries = entries;
    this.names = plot.names;
    this.latest = layers.find((layer) => layer.isLatest)?.curves ?? null;
    const data = isPhase ? phaseData(plot.over, names, layers) : timeData(names, layers);
    this.left = prefixed(entries[0]?.unit ?? "", largest(layers.flatMap(({ curves }) => names.map((name) => columnOf(curves, name)))));
    this.below = prefixed(isPhase ? unitBelow : "s", largest(layers.map(({ curves }) => (isPhase ? columnOf(curves, plot.over) : curves.time))));
    const shape = JSON.stringify(layers.map((layer) => [layer.number, layer.isLatest, layer.curves.names.length]));
    if (shape !== this.shape || !this.chart) {
      this.chart?.destroy();
      this.shape = shape;
      this.chart = new uPlot(this.options(plot, layers, isPhase), data as uPlot.AlignedData, this.home);
      if (plot.range && !isPhase) this.setRange(plot.range);
    } else {
      this.isSetting = true;
      this.chart.setData(data as uPlot.AlignedData, plot.range === null);
      if (plot.range && !isPhase) {
        this.setRange(plot.range);
        this.chart.redraw(true, true);
      }
      this.isSetting = false;
    }
    this.marks?.end();
    this.marks = new Marks(this.chart, { ...plot, names }, this.latest, (k) => colorOf(entries[k]?.place ?? 0));
    this.marks.show(this.cursor, this.origin);
  }

  compare(origin: number | null): void {
    this.origin = origin;
    this.marks?.show(this.cursor, origin);
  }

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

  destroy(): void {
    this.chart?.destroy();
    this.chart = this.marks = null;
    this.home.remove();
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

  private options(plot: Plot, layers: Layer[], isPhase: boolean): uPlot.Options {
    const axis: uPlot.Axis = {
      // Read when it is drawn: a notebook puts the chart into its page later.
      stroke: () => this.css("--faint"), grid: { stroke: () => this.css("--grid"), width: 1 }, ticks: { stroke: () => this.css("--grid"), width: 1, size: 4 },
      font: FONT, labelFont: FONT, labelSize: 15, labelGap: 0, gap: 3,
    };
    const scaled = (of: () => { factor: number }) => (_: uPlot, ticks: number[], __: number, ___: number, step: number) => tickLabels(ticks.map((x) => x / of().factor), step / of().factor);
    const series: uPlot.Series[] = isPhase ? [] : [{ label: "time" }];
    for (const layer of layers)
      for (const { name, place } of this.entries)
        series.push({
          label: name, stroke: layer.isLatest ? colorOf(place) : `${colorOf(place)}a6`, width: layer.isLatest ? 1.6 : 1,
          ...(layer.isLatest ? {} : { dash: [5, 3] }), spanGaps: true, pxAlign: 0, points: { show: false }, ...(isPhase ? { paths: path } : {}),
        });
    const below = isPhase ? plot.over : "time", range = (_: uPlot, low: number | null, high: number | null) => padded(low, high);
    return {
      width: Math.max(this.home.clientWidth, 80), height: Math.max(this.home.clientHeight, 60),
      mode: isPhase ? 2 : 1, legend: { show: false }, padding: [8, () => this.roomForNames(), this.isLast ? 0 : 6, 0],
      scales: { x: isPhase ? { time: false, range } : { time: false }, y: { range } },
      axes: [
        { ...axis, values: this.isLast ? scaled(() => this.below) : () => [], size: this.isLast ? 24 : 0, incrs: increments(isPhase ? this.below.unit : ""), space: (_, __, ___, ____, width) => Math.max(64, width / 9),
          ...(this.isLast ? { label: () => inUnit(below, this.below.unit) } : { ticks: { show: false } }) },
        { ...axis, values: scaled(() => this.left), size: 46, incrs: increments(this.left.unit), space: (_, __, ___, ____, height) => Math.max(18, height / 6),
          label: () => this.leftLabel() },
      ],
      series: isPhase ? [{}, ...series] as uPlot.Series[] : series,
      cursor: { drag: { x: !isPhase, y: false }, ...(isPhase ? { show: false } : {}), points: { size: 6 } },
      hooks: isPhase ? this.phaseHooks() : this.hooks(),
    };
  }

  /** The unit; where the only curve has no name beside it, its name too. */
  private leftLabel(): string {
    const [first] = this.entries;
    return this.names.length === 1 && first && this.roomForNames() < 20 ? inUnit(first.name, this.left.unit) : this.left.unit;
  }

  /** The width beside the curves, in pixels. */
  private roomForNames(): number {
    if (this.home.clientWidth < NARROW || this.isPhase) return 12;
    const context = document.createElement("canvas").getContext("2d");
    if (!context) return 12;
    context.font = NAME_FONT;
    return 14 + Math.max(...this.names.map((name) => context.measureText(shortened(context, name)).width));
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
      draw: [(chart) => this.drawNames(chart), () => this.marks?.show(this.cursor, this.origin)],
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

  /** Writes the names beside the ends of the curves, in the order of these, without overlap. */
  private drawNames(chart: uPlot): void {
    const room = this.roomForNames(), { ctx, bbox } = chart, last = chart.scales["x"]?.max ?? Infinity;
    if (room < 20 || !this.latest) return;
    const ends = this.entries.flatMap(({ name, place }) => {
      const column = this.latest ? columnOf(this.latest, name) : [];
      let row = column.length - 1;
      while (row >= 0 && (column[row] === null || (this.latest?.time[row] ?? 0) > last)) row -= 1;
      const y = column[row];
      return y === null || y === undefined ? [] : [{ name, place, top: chart.valToPos(y, "y", true) }];
    }).sort((a, b) => a.top - b.top);
    const step = NAME_HEIGHT * devicePixelRatio, middle = (k: number) => ends[k]?.top ?? 0;
    for (let k = 1; k < ends.length; k++) if (middle(k) < middle(k - 1) + step) ends[k]!.top = middle(k - 1) + step;
    let bottom = bbox.top + bbox.height;
    for (let k = ends.length - 1; k >= 0; k--) {
      ends[k]!.top = Math.max(Math.min(middle(k), bottom), bbox.top);
      bottom = middle(k) - step;
    }
    ctx.save();
    ctx.scale(devicePixelRatio, devicePixelRatio);
    ctx.font = NAME_FONT;
    ctx.textBaseline = "middle";
    ctx.textAlign = "left";
    for (const { name, place, top } of ends) {
      ctx.fillStyle = colorOf(place);
      ctx.fillText(shortened(ctx, name), (bbox.left + bbox.width) / devicePixelRatio + 6, top / devicePixelRatio);
    }
    ctx.restore();
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

function inUnit(name: string, unit: string): string {
  return unit ? `${name} in ${unit}` : name;
}

/** The end of a name that is too long: it differs more than the beginning. */
function shortened(context: CanvasRenderingContext2D, name: string): string {
  let shown = name;
  while (shown.length > 4 && context.measureText(shown).width > WIDEST_NAME) shown = `\u2026${shown.slice(2)}`;
  return shown;
}

function padded(low: number | null, high: number | null): [number, number] {
  const a = low ?? 0, b = high ?? 1, room = 0.05 * (b - a || Math.abs(a) || 1);
  return [a - room, b + room];
}

/** Rows of all runs on one axis. At an event two rows have the same time; the second is moved by its last digits. */
function timeData(names: string[], layers: Layer[]): (number | null | undefined)[][] {
  const tables = layers.map(({ curves }) => {
    const time = Array.from(curves.time);
    for (let k = 1; k < time.length; k++)
      if ((time[k] ?? 0) <= (time[k - 1] ?? 0)) time[k] = (time[k - 1] ?? 0) + Math.max(Math.abs(time[k - 1] ?? 0) * 1e-13, 1e-15);
    return [time, ...names.map((name) => columnOf(curves, name))] as uPlot.AlignedData;
  });
  const [first] = tables;
  if (!first) return [[], ...names.map(() => [])];
  return (tables.length === 1 ? first : uPlot.join(tables)) as unknown as (number | null | undefined)[][];
}

function columnOf(curves: Curves, name: string): (number | null)[] {
  const column = curves.columns[curves.names.indexOf(name)];
  return column ? Array.from(column, (x) => (Number.isFinite(x) ? x : null)) : Array.from(curves.time, () => null);
}

function phaseData(over: string, names: string[], layers: Layer[]): unknown[] {
  return [null, ...layers.flatMap(({ curves }) => names.map((name) => [columnOf(curves, over), columnOf(curves, name)]))];
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
