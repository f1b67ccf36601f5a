// Shows a parameter as a field with a slider, or as a list of its values.
import { rounded, short, takeNumber } from "./numbers";

export interface Slider {
  name: string;
  label: string;
  /** The value of the model. */
  value: number | null;
  low: number | null;
  high: number | null;
  unit: string;
  documentation: string;
  /** The names of the values, if it is not a number; they count from `first`. */
  choices: string[];
  first: number;
  whole: boolean;
  /** A change translates the model again, so that it waits for the end of a drag. */
  slow: boolean;
  /** A part of a vector: it has a field only. */
  isPart?: boolean;
  /** The number of a text with a unit. */
  read?: (text: string) => Promise<number | null>;
}

/** A row; `value` is that of the user, if there is one, and `onChange` gets null for that of the model. */
export function SliderRow({ slider, value, onChange }: { slider: Slider; value: number | undefined; onChange: (value: number | null, isMoving: boolean) => void }) {
  const { name, label, unit, choices, first, slow } = slider;
  const usual = slider.value ?? 0, shown = value ?? usual, isChanged = value !== undefined;
  const low = Math.min(slider.low ?? 0, shown), high = Math.max(slider.high ?? 1, shown);
  const move = (range: HTMLInputElement, isMoving: boolean) =>
    onChange(slider.whole ? range.valueAsNumber : rounded(range.valueAsNumber, low, high), isMoving);
  const title = [slider.documentation, slow ? "part of the code: a change translates the model again" : ""].filter(Boolean).join("\n");
  return (
    <div class={`parameter ${isChanged ? "changed" : ""}`} title={title} data-parameter={name}>
      <label for={`p-${name}`}>{label}</label>
      {choices.length > 0 ? (
        <select id={`p-${name}`} class="number" value={shown} onChange={(event) => onChange(Number(event.currentTarget.value), false)}>
          {choices.map((word, k) => <option key={word} value={first + k}>{word}</option>)}
        </select>
      ) : (
        <input id={`p-${name}`} class="number" type="text" inputMode="decimal" value={short(shown, 6)}
          onChange={(event) => takeNumber(event.currentTarget, (x) => onChange(x, false), slider.read)} />
      )}
      <span class="unit">{unit}</span>
      <button class={`reset ${isChanged ? "" : "hidden"}`} aria-label={`reset ${name}`} title={`back to ${short(usual, 7)}`} onClick={() => onChange(null, false)}>&#8634;</button>
      {choices.length > 0 || slider.isPart ? null : (
        <input class="slider" type="range" min={low} max={high} step={slider.whole ? 1 : "any"} value={shown} aria-label={name}
          onInput={(event) => { if (!slow) move(event.currentTarget, true); }}
          onChange={(event) => move(event.currentTarget, false)} />
      )}
    </div>
  );
}
