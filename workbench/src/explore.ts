// The widget of `model.explore()` in notebooks, loaded by anywidget: sliders, curves, and the animation.
import { Chart, colorOf } from "./chart";
import { made } from "./elements";
import "./explore.css";
import { short, takeNumber } from "./numbers";
import { Player } from "./player";
import { SceneView } from "./scene";
import { Sliders } from "./sliders";
import type { Slider } from "./sliders";

/** What the widget uses of anywidget's model: the traits of api/notebook/widget.py. */
interface Traits {
  about: { title: string; sliders: Slider[]; first: number; names: string[] };
  values: Record<string, number>;
  shown: string[];
  stop: number;
  asked: number;
  picture: Picture;
  is_running: boolean;
}

interface Picture {
  number: number;
  names: string[];
  labels: string[];
  units: string[];
  time: DataView;
  columns: DataView[];
  events: number[];
  notes: string[];
  scene: string;
  error: string | null;
}

interface Model {
  get<K extends keyof Traits>(name: K): Traits[K];
  set<K extends keyof Traits>(name: K, value: Traits[K]): void;
  on(event: string, listener: () => void): void;
  off(event: string, listener: () => void): void;
  save_changes(): void;
  /** Of JupyterLab and the classic notebook it has the kernel. */
  widget_manager?: { kernel?: { interrupt?: () => Promise<void> } };
}

// A run that takes longer than so many ms can be canceled.
const LONG = 400;

function numbers(view: DataView): Float64Array {
  return new Float64Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
}

function unitOf(picture: Picture, k: number): string {
  const unit = picture.units[k] ?? "";
  return unit === "1" ? "" : unit;
}

let latest = 0;

class Explorer {
  private readonly plot = made("div", "plot");
  private readonly legend = made("div", "legend");
  private readonly message = made("p", "message");
  private readonly stage = made("div", "stage");
  private readonly time = made("input", "time");
  private readonly now = made("output", "now");
  private readonly play = made("button", "play", "\u25b6\ufe0e");
  private readonly waiting = made("div", "waiting");
  private running: ReturnType<typeof setTimeout> | undefined;
  private readonly chart: Chart;
  private readonly sliders: Sliders;
  private readonly observer: ResizeObserver;
  private view: SceneView | null = null;
  private shownScene = "";
  private isWaiting = false;
  private isBehind = false;
  private readonly clock = new Player({
    now: () => this.time.valueAsNumber,
    span: () => [Number(this.time.min), Number(this.time.max)],
    speed: () => 1,
    go: (time) => this.go(time, true),
    onChange: (isPlaying) => this.showPlaying(isPlaying),
  });
  private readonly onPicture = () => this.take();
  private readonly onRunning = () => this.showRunning(this.model.get("is_running"));
  private readonly onValues = () => this.sliders.show(this.model.get("values"));

  constructor(private readonly model: Model, home: HTMLElement) {
    const about = model.get("about");
    this.sliders = new Sliders(about.sliders, about.first, (values) => this.ask("values", values));
    const right = made("div", "right", this.legend, this.plot, this.stage, this.player(), this.waiting, this.message);
    home.classList.add("cutset-explore");
    // In JupyterLab Enter alone does not end what is typed into a field.
    home.addEventListener("keydown", ({ key, target }) => { if (key === "Enter" && target instanceof HTMLInputElement) target.blur(); });
    home.append(made("div", "title", about.title), made("div", "panes", this.sliders.root, right));
    this.chart = new Chart(this.plot, {
      onCursor: (time) => { if (time !== null) this.go(time); },
      onRange: () => undefined,
      onLeave: () => undefined,
    });
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(right);
    model.on("change:picture", this.onPicture);
    model.on("change:values", this.onValues);
    model.on("change:is_running", this.onRunning);
    this.showRunning(false);
    this.onValues();
    this.take();
  }

  end(): void {
    this.clock.play(false);
    this.model.off("change:picture", this.onPicture);
    this.model.off("change:values", this.onValues);
    this.model.off("change:is_running", this.onRunning);
    clearTimeout(this.running);
    this.observer.disconnect();
    this.chart.destroy();
    this.view?.dispose();
  }

  /** Changes a trait. The kernel gets it when it has answered the request before. */
  private ask<K extends "values" | "shown" | "stop">(name: K, value: Traits[K]): void {
    this.model.set(name, value);
    if (this.isWaiting) {
      this.isBehind = true;
      return;
    }
    this.isWaiting = true;
    this.model.set("asked", this.model.get("asked") + 1);
    this.model.save_changes();
  }

  private take(): void {
    const picture = this.model.get("picture");
    if (picture.number >= this.model.get("asked")) this.isWaiting = false;
    this.draw(picture);
    if (!this.isWaiting && this.isBehind) {
      this.isBehind = false;
      this.ask("values", this.model.get("values"));
    }
  }

  private draw(picture: Picture): void {
    const time = numbers(picture.time), columns = picture.columns.map(numbers);
    const curves = { names: picture.names, time, columns }, plot = { id: 0, names: picture.names, over: "time", range: null };
    this.chart.draw(plot, [{ curves, isLatest: true, number: 0 }], picture.events, (name) => unitOf(picture, picture.names.indexOf(name)));
    this.describe(picture);
    this.message.textContent = [picture.error ?? "", ...picture.notes].filter(Boolean).join("\n");
    this.message.classList.toggle("wrong", picture.error !== null);
    const [start, stop] = [time[0] ?? 0, time.at(-1) ?? 0], before = this.time.valueAsNumber;
    Object.assign(this.time, { min: String(start), max: String(stop) });
    if (picture.scene && picture.scene !== this.shownScene) this.show(picture.scene);
    this.shownScene = picture.scene;
    this.stage.hidden = !picture.scene;
    this.go(Math.min(Math.max(before, start), stop), true);
    this.plot.dataset["number"] = String(picture.number);
  }

  /** A long run has a button that ends it: the kernel reads no message before the run is over, but can be interrupted. */
  private showRunning(isRunning: boolean): void {
    clearTimeout(this.running);
    this.waiting.hidden = true;
    if (!isRunning) return;
    this.running = setTimeout(() => {
      const kernel = this.model.widget_manager?.kernel, cancel = made("button", "cancel", "Cancel");
      cancel.onclick = () => {
        cancel.disabled = true;
        void kernel?.interrupt?.();
      };
      const ways = kernel?.interrupt ? ["running ... ", cancel] : ["running ... Interrupt the kernel to end the run."];
      this.waiting.replaceChildren(...ways);
      this.waiting.hidden = false;
    }, LONG);
  }

  /** The names of the curves, each with a button that removes it, and a field that adds one. */
  private describe(picture: Picture): void {
    const entries = picture.names.map((name, k) => {
      const swatch = made("span", "swatch"), unit = unitOf(picture, k);
      swatch.style.background = colorOf(k);
      const remove = made("button", "remove", "\u00d7");
      remove.title = `remove ${picture.labels[k] ?? ""}`;
      remove.onclick = () => this.ask("shown", picture.names.filter((each) => each !== name));
      return made("span", "entry", swatch, `${picture.labels[k] ?? ""} `, made("span", "unit", unit), remove);
    });
    const before = this.legend.querySelector<HTMLInputElement>("input.add");
    this.legend.replaceChildren(...entries, ...(before ? [before] : this.adder()));
  }

  private adder(): Node[] {
    const field = made("input", "add"), list = document.createElement("datalist"), { names } = this.model.get("about");
    list.id = `cutset-names-${(latest += 1)}`;
    list.append(...names.map((name) => Object.assign(document.createElement("option"), { value: name })));
    Object.assign(field, { placeholder: "add a variable", type: "search" });
    field.setAttribute("list", list.id);
    field.setAttribute("aria-label", "add a variable to the plot");
    field.onchange = () => {
      const name = field.value.trim(), shown = this.model.get("shown");
      if (!names.includes(name)) return;
      field.value = "";
      if (!shown.includes(name)) this.ask("shown", [...shown, name]);
    };
    this.legend.after(list);
    return [field];
  }

  private player(): HTMLElement {
    Object.assign(this.time, { type: "range", step: "any", value: "0" });
    this.time.setAttribute("aria-label", "time");
    this.time.oninput = () => this.go(this.time.valueAsNumber, true);
    this.play.setAttribute("aria-label", "play");
    this.play.onclick = () => this.clock.play(!this.clock.isPlaying);
    const stop = made("input", "number");
    Object.assign(stop, { value: short(this.model.get("stop"), 7), inputMode: "decimal" });
    stop.onchange = () => takeNumber(stop, (value) => this.ask("stop", value));
    return made("div", "player", this.play, this.time, this.now, made("label", "until", "stop ", stop, " s"));
  }

  private showPlaying(isPlaying: boolean): void {
    this.play.textContent = isPlaying ? "\u275a\u275a" : "\u25b6\ufe0e";
    this.play.setAttribute("aria-label", isPlaying ? "pause" : "play");
  }

  /** Shows a time: in the animation, and with `isPointed` as the cursor of the plot, which else is there already. */
  private go(time: number, isPointed = false): void {
    this.time.value = String(time);
    this.now.textContent = `${this.time.valueAsNumber.toFixed(3)} s`;
    this.view?.go(this.time.valueAsNumber);
    if (isPointed) this.chart.point(this.time.valueAsNumber);
  }

  private show(scene: string): void {
    try {
      if (!this.view) {
        const canvas = document.createElement("canvas");
        canvas.setAttribute("aria-label", "the moving model; drag to turn it");
        this.stage.append(canvas);
        this.view = new SceneView(canvas);
        this.view.show(scene, true);
      } else this.view.show(scene, false);
      this.resize();
    } catch (error) {
      this.stage.textContent = `This browser cannot show the animation: ${String(error)}`;
    }
  }

  private resize(): void {
    if (!this.plot.clientWidth) return;
    this.chart.resize();
    this.view?.resize(this.stage.clientWidth, this.stage.clientHeight);
  }
}

/** Called by anywidget for each place that shows the widget. */
export default {
  render({ model, el }: { model: Model; el: HTMLElement }): () => void {
    const explorer = new Explorer(model, el);
    return () => explorer.end();
  },
};
