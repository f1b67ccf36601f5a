// Shows the page that `cutset animate` writes: a scene, arrows, axes, names, and controls.
import { made } from "./elements";
import { Arrows, Labels, frameAxes } from "./decorations";
import { Motion } from "./motion";
import { short } from "./numbers";
import "./page.css";
import { Player } from "./player";
import { SceneView } from "./scene";

function element<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

class Page {
  readonly motion: Motion;
  readonly axes: ReturnType<typeof frameAxes>;
  readonly labels: Labels;
  readonly arrows: Record<"forces" | "torques", Arrows>;
  readonly player = new Player({
    now: () => this.motion.now,
    span: () => this.view.span,
    speed: () => Number(element<HTMLSelectElement>("speed").value),
    go: (time) => this.go(time),
    onChange: (isPlaying) => {
      element("play").textContent = isPlaying ? "\u23f8\ufe0e" : "\u25b6\ufe0e";
      element("play").setAttribute("aria-label", isPlaying ? "pause" : "play");
    },
  });
  private readonly view: SceneView;
  private readonly time = element<HTMLInputElement>("time");

  constructor(data: string) {
    this.view = new SceneView(element<HTMLCanvasElement>("view"), { covered });
    this.view.show(data, true);
    if (!this.view.motion) throw new Error("the scene is empty");
    this.motion = this.view.motion;
    const { scene, dark, reach } = this.view;
    this.axes = frameAxes(this.motion);
    this.labels = new Labels(this.motion, 0.06 * reach, dark.matches);
    dark.addEventListener("change", () => this.labels.color(dark.matches));
    this.arrows = {
      forces: new Arrows(this.motion, "force", 0xd0342c, "N"),
      torques: new Arrows(this.motion, "torque", 0x2b6fb5, "N.m"),
    };
    scene.add(this.labels.group, ...Object.values(this.arrows).map(({ group }) => group));
    this.connect();
    this.resize();
    this.view.goHome();
    const wanted = new URLSearchParams(location.hash.slice(1));
    for (const name of ["frames", "forces", "torques", "names"]) if (wanted.has(name)) element(name).click();
    this.go(Number(wanted.get("t") ?? this.motion.start));
  }

  private connect(): void {
    const [start, stop] = this.view.span;
    Object.assign(this.time, { min: String(start), max: String(stop) });
    this.time.addEventListener("input", () => this.go(this.time.valueAsNumber));
    element("play").addEventListener("click", () => this.player.play(!this.player.isPlaying));
    element("home").addEventListener("click", () => this.view.goHome());
    this.connectSwitch("frames", (on) => { for (const axes of this.axes) axes.visible = on; });
    this.connectSwitch("names", (on) => { this.labels.group.visible = on; });
    for (const [id, arrows] of Object.entries(this.arrows)) {
      this.connectSwitch(id, (on) => { arrows.group.visible = on; });
      const choice = element(id).parentElement;
      if (choice) choice.style.display = this.motion.data.forces.length ? "" : "none";
    }
    addEventListener("resize", () => this.resize());
    addEventListener("keydown", (event) => this.key(event));
    this.describe();
  }

  private connectSwitch(id: string, show: (on: boolean) => void): void {
    const box = element<HTMLInputElement>(id);
    box.addEventListener("change", () => {
      show(box.checked);
      this.describe();
      this.go(this.motion.now);
    });
  }

  private key(event: KeyboardEvent): void {
    if ((event.target as HTMLElement).matches("input, select, button") && event.key !== "Escape") return;
    const [start, stop] = this.view.span, step = (stop - start) / 100;
    const keys: Record<string, () => void> = {
      " ": () => this.player.play(!this.player.isPlaying),
      ArrowRight: () => this.go(this.motion.now + step),
      ArrowLeft: () => this.go(this.motion.now - step),
      Home: () => this.go(start),
      End: () => this.go(stop),
    };
    if (!keys[event.key]) return;
    keys[event.key]?.();
    event.preventDefault();
  }

  /** The legend: the scales of the grid and of the arrows. */
  private describe(): void {
    const text: (Node | string)[] = [`grid ${short(this.view.step, 3)} m`];
    for (const { group, color, scale, unit } of Object.values(this.arrows)) {
      if (!group.visible) continue;
      const swatch = made("span", "swatch");
      swatch.style.background = `#${color.toString(16).padStart(6, "0")}`;
      text.push(" \u00b7 ", swatch, `1 m for ${short(scale, 3)} ${unit}`);
    }
    if (element<HTMLInputElement>("frames").checked) text.push(" \u00b7 axes 1 red, 2 green, 3 blue");
    element("scales").replaceChildren(...text);
  }

  private resize(): void {
    this.view.resize(innerWidth, innerHeight);
  }

  /** Moves the scene to this time. */
  go(time: number): void {
    this.view.go(Number.isFinite(time) ? time : this.motion.start);
    this.labels.update();
    for (const arrows of Object.values(this.arrows)) arrows.update();
    this.time.value = String(this.motion.now);
    element("now").textContent = `${this.motion.now.toFixed(3)} s`;
  }
}

/** How many pixels the panels cover above and below. */
function covered(): [number, number] {
  const [above, below] = ["header", "footer"].map((name) => document.querySelector(name)?.getBoundingClientRect());
  return [above?.bottom ?? 0, innerHeight - (below?.top ?? innerHeight)];
}

function show(): void {
  try {
    Object.assign(globalThis, { page: new Page(element("data").textContent ?? "") });
  } catch (error) {
    element("trouble").hidden = false;
    element("trouble").textContent = `This browser cannot show the animation: ${(error as Error).message}`;
    throw error;
  }
}

// Without a document, the motion can still be computed.
if (globalThis.document) show();
else Object.assign(globalThis, { Motion });
