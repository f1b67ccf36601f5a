// Shows instants in a chart, as elements over it: a line in a plot over time, points on the curves of a phase plot.
import uPlot from "uplot";
import { rowAt } from "./curves";
import type { Curves, Plot } from "./state";

/** A point of a curve, in pixels of the chart. */
interface Point {
  left: number;
  top: number;
  color: string;
}

/** The marks of one chart. `cursor` follows the pointer, `origin` is the instant that it is compared with. */
export class Marks {
  private readonly line = document.createElement("div");
  private points: HTMLElement[] = [];

  constructor(private readonly chart: uPlot, private readonly plot: Plot, private readonly curves: Curves | null, private readonly color: (k: number) => string) {
    this.line.className = "mark-line";
    this.line.hidden = true;
    chart.over.append(this.line);
  }

  end(): void {
    for (const each of [this.line, ...this.points]) each.remove();
  }

  /** Shows the instants; null for none. In a plot over time the chart itself has a cursor. */
  show(cursor: number | null, origin: number | null): void {
    if (this.plot.over === "time") {
      const left = origin === null ? NaN : this.chart.valToPos(origin, "x");
      this.line.hidden = !(left >= 0 && left <= this.chart.over.clientWidth);
      this.line.style.left = `${left}px`;
      return;
    }
    const shown = [...this.at(origin).map((point) => ({ ...point, kind: "mark-point hollow" })), ...this.at(cursor).map((point) => ({ ...point, kind: "mark-point" }))];
    while (this.points.length > shown.length) this.points.pop()?.remove();
    shown.forEach(({ left, top, color, kind }, k) => {
      const element = this.points[k] ??= this.chart.over.appendChild(document.createElement("div"));
      element.className = kind;
      Object.assign(element.style, { left: `${left}px`, top: `${top}px`, borderColor: color, backgroundColor: kind === "mark-point" ? color : "" });
    });
  }

  /** The instant of the point of a curve that is next to a place in the chart; null if there is no curve. */
  nearest(left: number, top: number): number | null {
    let best = Infinity, found: number | null = null;
    const xs = this.column(this.plot.over), time = this.curves?.time;
    const [x0, dx] = this.scale("x"), [y0, dy] = this.scale("y");
    for (const name of this.plot.names) {
      const ys = this.column(name);
      if (!xs || !ys || !time) continue;
      for (let k = 0; k < time.length; k++) {
        const distance = ((xs[k] ?? NaN) * dx + x0 - left) ** 2 + ((ys[k] ?? NaN) * dy + y0 - top) ** 2;
        if (distance < best) {
          best = distance;
          found = time[k] ?? null;
        }
      }
    }
    return found;
  }

  /** Pixels at zero and per unit of a scale: valToPos for many values. */
  private scale(name: string): [number, number] {
    const zero = this.chart.valToPos(0, name);
    return [zero, this.chart.valToPos(1, name) - zero];
  }

  private column(name: string): Float64Array | undefined {
    return this.curves?.columns[this.curves.names.indexOf(name)];
  }

  private at(time: number | null): Point[] {
    if (time === null || !this.curves) return [];
    const row = rowAt(this.curves.time, time), x = this.column(this.plot.over)?.[row];
    return this.plot.names.flatMap((name, k) => {
      const y = this.column(name)?.[row];
      const point = { left: this.chart.valToPos(x ?? NaN, "x"), top: this.chart.valToPos(y ?? NaN, "y"), color: this.color(k) };
      return Number.isFinite(point.left) && Number.isFinite(point.top) ? [point] : [];
    });
  }
}
