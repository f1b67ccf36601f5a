// Lets the user move the border between two panes, by pointer or by arrow keys.
import * as state from "./state";
import { scheduleWorkspace } from "./workspace";

type Side = keyof typeof state.sizes.value;

/** Which way a border moves, and the limits of its size: pixels, or parts of the surrounding box in percent. */
const KINDS: Record<Side, { isVertical: boolean; sign: 1 | -1; inPercent: boolean; limits: [number, number] }> = {
  left: { isVertical: true, sign: 1, inPercent: false, limits: [180, 560] },
  right: { isVertical: true, sign: -1, inPercent: true, limits: [20, 70] },
  bottom: { isVertical: false, sign: -1, inPercent: false, limits: [90, 600] },
  scene: { isVertical: false, sign: -1, inPercent: true, limits: [15, 85] },
  inspector: { isVertical: false, sign: -1, inPercent: true, limits: [15, 85] },
};

export function Splitter({ side }: { side: Side }) {
  const { isVertical, sign, inPercent, limits } = KINDS[side];
  const set = (size: number) => {
    state.sizes.value = { ...state.sizes.value, [side]: Math.min(Math.max(size, limits[0]), limits[1]) };
    scheduleWorkspace();
  };
  const start = (event: PointerEvent) => {
    const bar = event.currentTarget as HTMLElement, box = bar.parentElement?.getBoundingClientRect();
    const from = isVertical ? event.clientX : event.clientY, before = state.sizes.value[side];
    const whole = inPercent && box ? (isVertical ? box.width : box.height) / 100 : 1;
    bar.setPointerCapture(event.pointerId);
    bar.onpointermove = (move) => set(before + (sign * ((isVertical ? move.clientX : move.clientY) - from)) / whole);
    bar.onpointerup = () => { bar.onpointermove = null; };
  };
  const key = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (step) set(state.sizes.value[side] + sign * step * (inPercent ? 2 : 16));
  };
  return <div class={`splitter ${isVertical ? "vertical" : "horizontal"}`} role="separator" aria-label={`size of the ${side} pane`} tabIndex={0} onPointerDown={start} onKeyDown={key} />;
}
