// Lets hand and keyboard work on the picture of a model: select, move, connect, remove, open.
import { ask, choose, chosen, does, formOf, inside, path, remove, short } from "./building";

// A pointer within so many pixels of a cut takes it; a part moves once it was dragged this far, by key in such steps.
const REACH = 11, FAR = 4, STEP = 20;
const PARTS = ".part:not(.whole)";

interface Point {
  x: number;
  y: number;
}

/** The picture under a hand. `over` is drawn above it while something is dragged: a layer of its own is cheap to move. */
export class Handling {
  private from: string | null = null;
  private over: SVGSVGElement | null = null;
  private stop: (() => void) | null = null;

  constructor(private readonly root: ShadowRoot, private readonly svg: SVGSVGElement, private readonly scale: number, private readonly open: (part: string) => void) {
    for (const each of svg.querySelectorAll<SVGElement>(".part")) each.classList.toggle("whole", each.dataset["path"] === inside.value);
    for (const each of svg.querySelectorAll<SVGElement>(`${PARTS}, .cut, .net`)) {
      each.setAttribute("tabindex", "0");
      each.setAttribute("role", "button");
      each.setAttribute("aria-label", `${each.matches(".part") ? "part" : each.matches(".cut") ? "cut" : "line"} ${each.querySelector("title")?.textContent ?? ""}`);
    }
    svg.addEventListener("pointerdown", (event) => this.press(event));
    svg.addEventListener("dblclick", (event) => { const key = this.keyAt(event.target); if (key && !key.includes(":")) formOf.value = short(key); });
    svg.addEventListener("keydown", (event) => this.key(event));
    this.mark();
  }

  /** Shows what is chosen. */
  mark(): void {
    for (const each of this.svg.querySelectorAll<SVGElement>(`${PARTS}, .net`)) each.classList.toggle("selected", chosen.value.has(this.keyOf(each)));
  }

  /** Gives the keyboard back what it had before the picture was drawn again. */
  focus(key: string): void {
    for (const each of this.svg.querySelectorAll<SVGElement>("[tabindex]")) if (this.keyOf(each) === key) return each.focus();
  }

  focused(): string {
    return this.keyOf(this.root.activeElement);
  }

  /** The name of a part or a cut, or the ports of a line. */
  private keyOf(element: Element | null): string {
    const { path: part, cut, ends } = (element as SVGElement | null)?.dataset ?? {};
    const ports = ends?.split(" ").map((end) => (end.includes(":") ? path(end) : `${inside.value}:${end}`)).join(" ");
    return part ?? cut ?? ports ?? "";
  }

  private keyAt(target: EventTarget | null): string {
    return this.keyOf((target as Element).closest(`${PARTS}, .net`));
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0) return;
    const cut = this.cutAt(event);
    if (cut) return this.connect(event, cut);
    const key = this.keyAt(event.target);
    if (!key) return choose([]);
    if (event.shiftKey) choose(chosen.value.has(key) ? [...chosen.value].filter((each) => each !== key) : [...chosen.value, key]);
    else choose([key]);
    if (!key.includes(":") && !event.shiftKey) this.move(event, key);
  }

  /** The nearest cut within reach, of those that may be connected. */
  private cutAt(at: MouseEvent, reach = REACH): string | null {
    let best = reach, found: string | null = null;
    for (const each of this.svg.querySelectorAll<SVGElement>(this.from ? ".cut.fits" : ".cut")) {
      const { x, y, width, height } = each.getBoundingClientRect();
      const away = Math.hypot(x + width / 2 - at.clientX, y + height / 2 - at.clientY);
      if (away < best) [best, found] = [away, each.dataset["cut"] ?? null];
    }
    return found;
  }

  // --- moving -------------------------------------------------------------------------------------

  private move(event: PointerEvent, key: string): void {
    const start: Point = { x: event.clientX, y: event.clientY };
    const own = [...this.svg.querySelectorAll<SVGElement>(".part, .cut")].filter(({ dataset: { path: part, cut } }) => part === key || cut?.startsWith(`${key}:`));
    let by: Point | null = null;
    this.drag((now) => {
      const far = { x: now.clientX - start.x, y: now.clientY - start.y };
      if (!by && Math.hypot(far.x, far.y) < FAR) return;
      if (!by) {
        this.overlay().append(...own.map((each) => each.cloneNode(true)));
        for (const each of own) each.classList.add("moving");
      }
      by = far;
      if (this.over) this.over.style.transform = `translate(${far.x}px, ${far.y}px)`;
    }, () => {
      if (by) void this.moved(key, { x: by.x / this.scale, y: by.y / this.scale });
    }, () => { for (const each of own) each.classList.remove("moving"); });
  }

  /** Places a part as far from where it is. The place is that of its center from the corner of the model. */
  private async moved(key: string, by: Point): Promise<void> {
    const frame = this.boxOf(key), whole = this.boxOf(inside.value);
    if (frame && whole) await does("move", { part: short(key), place: [Math.round(frame.x - whole.left + by.x), Math.round(frame.y - whole.top + by.y)] });
  }

  private boxOf(key: string): { x: number; y: number; left: number; top: number } | null {
    const part = [...this.svg.querySelectorAll<SVGElement>(".part")].find((each) => each.dataset["path"] === key);
    const box = part?.querySelector<SVGRectElement>(":scope > rect");
    if (!box) return null;
    const [x = 0, y = 0, width = 0, height = 0] = ["x", "y", "width", "height"].map((name) => Number(box.getAttribute(name)));
    return { x: x + width / 2, y: y + height / 2, left: x, top: y };
  }

  // --- connecting ---------------------------------------------------------------------------------

  private connect(event: PointerEvent, cut: string): void {
    const line = this.overlay().appendChild(document.createElementNS("http://www.w3.org/2000/svg", "line"));
    line.setAttribute("class", "rubber");
    const { left, top } = this.svg.getBoundingClientRect();
    const to = (end: "1" | "2", at: MouseEvent) => {
      line.setAttribute(`x${end}`, String((at.clientX - left) / this.scale));
      line.setAttribute(`y${end}`, String((at.clientY - top) / this.scale));
    };
    to("1", event);
    to("2", event);
    const fitting = this.light(cut);
    this.drag((now) => to("2", now), (now) => {
      void fitting.then(() => {
        const other = this.cutAt(now, 2 * REACH);
        this.unlight();
        if (other) void does("connect", { one: cut, other });
      });
    }, () => undefined);
  }

  /** Lights the cuts that fit, as the server decides. */
  private async light(cut: string): Promise<void> {
    this.from = cut;
    this.svg.classList.add("connecting");
    const ports = new Set((await ask<{ ports: string[] }>("fitting", { port: cut }))?.ports);
    if (this.from !== cut) return;
    for (const each of this.svg.querySelectorAll<SVGElement>("[tabindex]")) {
      const fits = ports.has(each.dataset["cut"] ?? "");
      each.classList.toggle("fits", fits);
      each.setAttribute("tabindex", fits ? "0" : "-1");
    }
  }

  private unlight(): void {
    this.from = null;
    this.svg.classList.remove("connecting");
    for (const each of this.svg.querySelectorAll("[tabindex]")) {
      each.classList.remove("fits");
      each.setAttribute("tabindex", "0");
    }
  }

  // --- keyboard -----------------------------------------------------------------------------------

  private key(event: KeyboardEvent): void {
    const target = (event.target as Element).closest<SVGElement>("[tabindex]"), key = this.keyOf(target);
    if (!target || !key) return;
    const isPart = target.matches(".part"), away = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.key === "Escape") {
      if (this.from) this.focus(this.from);
      this.unlight();
      this.stop?.();
    } else if (event.key === "Enter" && target.matches(".cut")) void this.enter(key);
    else if (event.key === "Enter" && isPart) { choose([key]); formOf.value = short(key); }
    else if (event.key === " ") choose(chosen.value.has(key) ? [...chosen.value].filter((each) => each !== key) : [...chosen.value, key]);
    else if (event.key === "Delete" || event.key === "Backspace") {
      if (!target.matches(".cut") && !chosen.value.has(key)) choose([key]);
      void remove();
    } else if (away && isPart && event.altKey) void this.moved(key, { x: (away[0] ?? 0) * STEP, y: (away[1] ?? 0) * STEP });
    else if (event.key === "i" && isPart) this.open(key);
    else return;
    event.preventDefault();
  }

  /** Begins a connection at a cut; the next one that is entered ends it. */
  private async enter(cut: string): Promise<void> {
    if (this.from) {
      const one = this.from;
      this.unlight();
      if (one !== cut) await does("connect", { one, other: cut });
      return;
    }
    await this.light(cut);
    const first = this.svg.querySelector<SVGElement>(".fits");
    if (first) first.focus();
    else this.unlight();
  }

  // --- dragging -----------------------------------------------------------------------------------

  private overlay(): SVGSVGElement {
    const made = this.svg.cloneNode(false) as SVGSVGElement;
    made.setAttribute("class", "over");
    this.over = made;
    this.root.append(made);
    return made;
  }

  private drag(follow: (now: PointerEvent) => void, drop: (now: PointerEvent) => void, end: () => void): void {
    const abort = new AbortController();
    this.stop = () => {
      abort.abort();
      this.over?.remove();
      this.over = this.stop = null;
      end();
    };
    const up = (now: PointerEvent) => {
      this.stop?.();
      drop(now);
    };
    // A picture that captured the pointer would get the clicks on its parts.
    addEventListener("pointermove", follow, { signal: abort.signal });
    addEventListener("pointerup", up, { signal: abort.signal });
    addEventListener("pointercancel", () => { this.stop?.(); this.unlight(); }, { signal: abort.signal });
  }
}
