// Draws a plot: the curves of each unit in a lane of their own, below each other over one horizontal axis.
import { Lane, colorOf } from "./lane";
import type { Entry, Handlers, Layer } from "./lane";
import type { Plot } from "./state";

// The height of the horizontal axis, and the least one of the curves of a lane.
const AXIS = 40, LEAST = 76;

/** The least height of a plot of so many units, in pixels. */
export function leastHeight(units: number): number {
  return Math.max(1, units) * LEAST + AXIS;
}

/** The curves of a plot by unit; a phase plot does not draw its horizontal variable over itself. */
function grouped(plot: Plot, unitOf: (name: string) => string): Entry[][] {
  const found = new Map<string, Entry[]>();
  plot.names.forEach((name, place) => {
    const unit = unitOf(name);
    if (name !== plot.over) found.set(unit, [...(found.get(unit) ?? []), { name, place, unit }]);
  });
  return [...found.values()];
}

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

/** The picture of one plot. */
export class Chart {
  private lanes: Lane[] = [];
  private shape = "";

  constructor(private readonly home: HTMLElement, private readonly handlers: Handlers) {}

  /** Draws the curves. The range stays while the plot has one. */
  draw(plot: Plot, layers: Layer[], eventTimes: number[], unitOf: (name: string) => string): void {
    const groups = layers.length > 0 ? grouped(plot, unitOf) : [];
    const shape = JSON.stringify([plot.over, groups]);
    if (shape !== this.shape) {
      this.destroy();
      this.shape = shape;
      this.lanes = groups.map((_, k) => new Lane(this.room(k, groups.length), this.handlers, k === groups.length - 1));
    }
    groups.forEach((group, k) => this.lanes[k]?.draw(plot, group, layers, eventTimes, unitOf(plot.over)));
  }

  /** An element for a lane; the last one has the horizontal axis. */
  private room(k: number, count: number): HTMLElement {
    const room = document.createElement("div"), axis = k === count - 1 ? ` + ${AXIS}px` : "";
    room.style.cssText = `height: calc((100% - ${AXIS}px) / ${count}${axis}); overflow: hidden`;
    return this.home.appendChild(room);
  }

  /** Shows the instant with which values are compared; null for none. */
  compare(origin: number | null): void {
    for (const lane of this.lanes) lane.compare(origin);
  }

  /** Moves the cursor to a time that another part of the page shows. */
  point(time: number | null): void {
    for (const lane of this.lanes) lane.point(time);
  }

  resize(): void {
    for (const lane of this.lanes) lane.resize();
  }

  /** The picture as PNG, with the names of the curves above it. */
  picture(names: string[]): Promise<Blob | null> {
    const canvases = this.lanes.flatMap((lane) => lane.canvas ?? []), copy = document.createElement("canvas"), context = copy.getContext("2d");
    if (canvases.length === 0 || !context) return Promise.resolve(null);
    copy.width = canvases[0]?.width ?? 0;
    const css = (name: string) => getComputedStyle(this.home).getPropertyValue(name).trim();
    const places = inLines(context, names, copy.width / devicePixelRatio);
    let top = places.height * devicePixelRatio;
    copy.height = top + canvases.reduce((sum, each) => sum + each.height, 0);
    context.fillStyle = css("--surface");
    context.fillRect(0, 0, copy.width, copy.height);
    for (const each of canvases) {
      context.drawImage(each, 0, top);
      top += each.height;
    }
    context.scale(devicePixelRatio, devicePixelRatio);
    context.font = NAME_FONT;
    names.forEach((name, k) => {
      const { left, bottom } = places.at[k] ?? { left: 0, bottom: 0 };
      context.fillStyle = colorOf(k);
      context.fillRect(left, bottom - 6, 10, 3);
      context.fillStyle = css("--text");
      context.fillText(name, left + 14, bottom);
    });
    return new Promise((resolve) => copy.toBlob(resolve));
  }

  destroy(): void {
    for (const lane of this.lanes) lane.destroy();
    this.lanes = [];
    this.shape = "";
  }
}
