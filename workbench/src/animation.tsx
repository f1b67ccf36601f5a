// Shows the animation, coupled with the time cursor of the plots.
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { select } from "./actions";
import { copyPicture } from "./copying";
import { Player } from "./player";
import { SceneView, loadViewer } from "./scene";
import * as state from "./state";
import { short } from "./numbers";

export function Animation() {
  const canvas = useRef<HTMLCanvasElement>(null), view = useRef<SceneView | null>(null);
  const trouble = useSignal(""), isPlaying = useSignal(false), speed = useSignal(1), isReady = useSignal(false);
  useEffect(() => {
    const stops: (() => void)[] = [];
    void loadViewer().then(() => {
      if (canvas.current) stops.push(...begin(canvas.current, view, isReady));
    }).catch((error: unknown) => (trouble.value = String(error)));
    return () => { for (const stop of stops) stop(); };
  }, []);
  const player = useMemo(() => playerOf(view, () => speed.value, (on) => (isPlaying.value = on)), []);
  useEffect(() => () => player.play(false), []);
  const [start, stop] = isReady.value && state.scene.value ? (view.current?.span ?? [0, 0]) : [0, 0];
  const now = state.cursor.value ?? start;
  return (
    <section class="fill column scene" data-test="animation">
      {trouble.value ? <p class="empty">This browser cannot show the animation: {trouble.value}</p> : null}
      <div class="grow canvas"><canvas ref={canvas} tabIndex={0} aria-label="the moving model; drag to turn it, double-click a part to select it" /></div>
      <div class="bar player">
        <button class="small play" aria-label={isPlaying.value ? "pause" : "play"} onClick={() => player.play(!player.isPlaying)}>{isPlaying.value ? "\u275a\u275a" : "\u25b6\ufe0e"}</button>
        <input class="grow" type="range" min={start} max={stop} step="any" value={now} aria-label="time"
          onInput={(event) => (state.cursor.value = event.currentTarget.valueAsNumber)} />
        <output>{now.toFixed(3)} s</output>
        <select class="small" aria-label="speed" value={speed.value} onChange={(event) => (speed.value = Number(event.currentTarget.value))}>
          {[0.1, 0.25, 0.5, 1, 2, 5].map((each) => <option key={each} value={each}>{short(each)}x</option>)}
        </select>
        <button class="small" title="the view of the beginning" onClick={() => view.current?.goHome()}>Reset view</button>
        <button class="small wide-only" onClick={() => void view.current?.picture().then((blob) => blob && copyPicture(blob))}>Copy picture</button>
      </div>
    </section>
  );
}

/** Starts the view, and returns what ends it. */
function begin(canvas: HTMLCanvasElement, view: { current: SceneView | null }, isReady: { value: boolean }): (() => void)[] {
  const made = new SceneView(canvas, { onPick: select });
  view.current = made;
  const home = canvas.parentElement ?? canvas;
  const observer = new ResizeObserver(() => made.resize(home.clientWidth, home.clientHeight));
  observer.observe(home);
  let shownOf: string | null = null;
  const stops = [
    state.scene.subscribe((text) => {
      if (!text) return;
      const of = `${state.model.value?.file} ${state.model.value?.name}`;
      made.show(text, of !== shownOf);
      made.mark(state.selected.value);
      shownOf = of;
      isReady.value = true;
    }),
    state.cursor.subscribe((time) => { if (time !== null) made.go(time); }),
    state.selected.subscribe((name) => made.mark(name)),
  ];
  return [...stops, () => observer.disconnect(), () => made.dispose()];
}

/** The player of the time cursor. */
function playerOf(view: { current: SceneView | null }, speed: () => number, onChange: (isPlaying: boolean) => void): Player {
  const span = () => view.current?.span ?? ([0, 0] as [number, number]);
  return new Player({ now: () => state.cursor.value ?? span()[0], span, speed, go: (time) => (state.cursor.value = time), onChange });
}
