// The widget of `model.explore()` in notebooks, loaded by anywidget: sliders, curves, and the animation.
import { useSignal } from "@preact/signals";
import { render } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { Chart } from "./chart";
import { colorOf } from "./lane";
import "./explore.css";
import { short, takeNumber } from "./numbers";
import { Player } from "./player";
import { SceneView } from "./scene";
import { SliderRow } from "./sliders";
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

type Ask = <K extends "values" | "shown" | "stop">(name: K, value: Traits[K]) => void;

// A run that takes longer than so many ms can be canceled.
const LONG = 400;
const MOST_FOUND = 20;

function numbers(view: DataView): Float64Array {
  return new Float64Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
}

function unitOf(picture: Picture, k: number): string {
  const unit = picture.units[k] ?? "";
  return unit === "1" ? "" : unit;
}

/** Changes traits. The kernel gets a change when it has answered the request before. */
class Requests {
  private isWaiting = false;
  private isBehind = false;

  constructor(private readonly model: Model) {}

  readonly ask: Ask = (name, value) => {
    this.model.set(name, value);
    if (this.isWaiting) {
      this.isBehind = true;
      return;
    }
    this.isWaiting = true;
    this.model.set("asked", this.model.get("asked") + 1);
    this.model.save_changes();
  };

  take(picture: Picture): void {
    if (picture.number >= this.model.get("asked")) this.isWaiting = false;
    if (!this.isWaiting && this.isBehind) {
      this.isBehind = false;
      this.ask("values", this.model.get("values"));
    }
  }
}

function Explorer({ model }: { model: Model }) {
  const requests = useMemo(() => new Requests(model), []), about = model.get("about");
  const values = useSignal(model.get("values")), picture = useSignal(model.get("picture")), isLong = useSignal(false);
  useEffect(() => {
    let running: ReturnType<typeof setTimeout> | undefined;
    const listeners: Record<string, () => void> = {
      "change:values": () => (values.value = model.get("values")),
      "change:picture": () => requests.take((picture.value = model.get("picture"))),
      "change:is_running": () => {
        clearTimeout(running);
        if (model.get("is_running")) running = setTimeout(() => (isLong.value = true), LONG);
        else isLong.value = false;
      },
    };
    for (const [event, listener] of Object.entries(listeners)) model.on(event, listener);
    return () => {
      clearTimeout(running);
      for (const [event, listener] of Object.entries(listeners)) model.off(event, listener);
    };
  }, []);
  const change = (slider: Slider, value: number | null) => {
    const { [slider.name]: _, ...others } = values.value;
    values.value = value === null || value === slider.value ? others : { ...others, [slider.name]: value };
    requests.ask("values", values.value);
  };
  return (
    <>
      <div class="title">{about.title}</div>
      <div class="panes">
        <Sliders sliders={about.sliders} first={about.first} values={values.value} change={change} />
        <Pictures picture={picture.value} names={about.names} stop={model.get("stop")} ask={requests.ask}>
          {isLong.value ? <Running model={model} /> : null}
        </Pictures>
      </div>
    </>
  );
}

/** The first sliders, and a field that finds other parameters by a part of their names. */
function Sliders({ sliders, first, values, change }: { sliders: Slider[]; first: number; values: Traits["values"]; change: (slider: Slider, value: number | null) => void }) {
  const wanted = useSignal(""), word = wanted.value.trim().toLowerCase(), others = sliders.slice(first);
  const found = word ? others.filter(({ name }) => name.toLowerCase().includes(word)).slice(0, MOST_FOUND) : [];
  const row = (slider: Slider) => <SliderRow key={slider.name} slider={slider} value={values[slider.name]} onChange={(value) => change(slider, value)} />;
  return (
    <div class="sliders">
      {sliders.slice(0, first).map(row)}
      {others.length > 0 ? (
        <input class="find" type="search" aria-label="find a parameter" placeholder={`find one of ${others.length} other parameters`}
          value={wanted.value} onInput={(event) => (wanted.value = event.currentTarget.value)} />
      ) : null}
      {found.map(row)}
    </div>
  );
}

/** A long run can be ended: the kernel reads no message before the run is over, but can be interrupted. */
function Running({ model }: { model: Model }) {
  const kernel = model.widget_manager?.kernel, isCanceled = useSignal(false);
  const cancel = () => {
    isCanceled.value = true;
    void kernel?.interrupt?.();
  };
  return (
    <div class="waiting">
      {kernel?.interrupt ? <>running ... <button class="cancel" disabled={isCanceled.value} onClick={cancel}>Cancel</button></> : "running ... Interrupt the kernel to end the run."}
    </div>
  );
}

/** The curves, the animation, and what moves the time of both. */
function Pictures({ picture, names, stop, ask, children }: { picture: Picture; names: string[]; stop: number; ask: Ask; children: preact.ComponentChildren }) {
  const right = useRef<HTMLDivElement>(null), plot = useRef<HTMLDivElement>(null), canvas = useRef<HTMLCanvasElement>(null);
  const chart = useRef<Chart | null>(null), view = useRef<SceneView | null>(null), scene = useRef("");
  const time = useSignal(0), span = useSignal<[number, number]>([0, 0]), isPlaying = useSignal(false), trouble = useSignal("");
  /** Shows a time: in the animation, and with `isPointed` as the cursor of the plot, which else is there already. */
  const go = (now: number, isPointed = true) => {
    time.value = now;
    view.current?.go(now);
    if (isPointed) chart.current?.point(now);
  };
  const resize = () => {
    if (!plot.current?.clientWidth) return;
    chart.current?.resize();
    if (canvas.current?.parentElement) view.current?.resize(canvas.current.parentElement.clientWidth, canvas.current.parentElement.clientHeight);
  };
  const player = useMemo(() => new Player({ now: () => time.value, span: () => span.value, speed: () => 1, go, onChange: (on) => (isPlaying.value = on) }), []);
  useEffect(() => {
    const observer = new ResizeObserver(resize);
    if (right.current) observer.observe(right.current);
    return () => {
      player.play(false);
      observer.disconnect();
      chart.current?.destroy();
      view.current?.dispose();
    };
  }, []);
  useEffect(() => {
    if (!plot.current) return;
    chart.current ??= new Chart(plot.current, { onCursor: (now) => { if (now !== null) go(now, false); }, onRange: () => undefined, onLeave: () => undefined });
    const curves = { names: picture.names, time: numbers(picture.time), columns: picture.columns.map(numbers) };
    const shown = { id: 0, names: picture.names, over: "time", range: null };
    chart.current.draw(shown, [{ curves, isLatest: true, number: 0 }], picture.events, (name) => unitOf(picture, picture.names.indexOf(name)));
    const [start, end] = (span.value = [curves.time[0] ?? 0, curves.time.at(-1) ?? 0]);
    if (picture.scene && picture.scene !== scene.current && canvas.current) {
      try {
        view.current ??= new SceneView(canvas.current);
        view.current.show(picture.scene, scene.current === "");
        resize();
      } catch (error) {
        trouble.value = `This browser cannot show the animation: ${String(error)}`;
      }
    }
    scene.current = picture.scene;
    go(Math.min(Math.max(time.value, start), end));
  }, [picture]);
  return (
    <div class="right" ref={right}>
      <Legend picture={picture} names={names} ask={ask} />
      <div class="plot" ref={plot} data-number={picture.number} />
      <div class="stage" hidden={!picture.scene}>{trouble.value || <canvas ref={canvas} aria-label="the moving model; drag to turn it" />}</div>
      <div class="player">
        <button class="play" aria-label={isPlaying.value ? "pause" : "play"} onClick={() => player.play(!player.isPlaying)}>{isPlaying.value ? "\u275a\u275a" : "\u25b6\ufe0e"}</button>
        <input class="time" type="range" min={span.value[0]} max={span.value[1]} step="any" value={time.value} aria-label="time" onInput={(event) => go(event.currentTarget.valueAsNumber)} />
        <output class="now">{time.value.toFixed(3)} s</output>
        <label class="until">stop <input class="number" inputMode="decimal" value={short(stop, 7)} onChange={(event) => takeNumber(event.currentTarget, (value) => ask("stop", value))} /> s</label>
      </div>
      {children}
      <p class={`message ${picture.error === null ? "" : "wrong"}`}>{[picture.error ?? "", ...picture.notes].filter(Boolean).join("\n")}</p>
    </div>
  );
}

let latest = 0;

/** The names of the curves, each with a button that removes it, and a field that adds one. */
function Legend({ picture, names, ask }: { picture: Picture; names: string[]; ask: Ask }) {
  const id = useMemo(() => `cutset-names-${(latest += 1)}`, []);
  const add = (field: HTMLInputElement) => {
    const name = field.value.trim();
    if (!names.includes(name)) return;
    field.value = "";
    if (!picture.names.includes(name)) ask("shown", [...picture.names, name]);
  };
  return (
    <div class="legend">
      {picture.names.map((name, k) => (
        <span class="entry" key={name}>
          <span class="swatch" style={{ background: colorOf(k) }} />{picture.labels[k]} <span class="unit">{unitOf(picture, k)}</span>
          <button class="remove" title={`remove ${picture.labels[k]}`} onClick={() => ask("shown", picture.names.filter((each) => each !== name))}>&#215;</button>
        </span>
      ))}
      <input class="add" type="search" list={id} placeholder="add a variable" aria-label="add a variable to the plot" onChange={(event) => add(event.currentTarget)} />
      <datalist id={id}>{names.map((name) => <option key={name} value={name} />)}</datalist>
    </div>
  );
}

/** Called by anywidget for each place that shows the widget. */
export default {
  render({ model, el }: { model: Model; el: HTMLElement }): () => void {
    el.classList.add("cutset-explore");
    // In JupyterLab Enter alone does not end what is typed into a field.
    el.addEventListener("keydown", ({ key, target }) => { if (key === "Enter" && target instanceof HTMLInputElement) target.blur(); });
    render(<Explorer model={model} />, el);
    return () => render(null, el);
  },
};
