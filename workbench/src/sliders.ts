// Shows parameters as sliders and fields, and tells of each change. Used by the widget of notebooks.
import { made } from "./elements";
import { rounded, short, takeNumber } from "./numbers";

export interface Slider {
  name: string;
  label: string;
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
}

const MOST_FOUND = 20;

export class Sliders {
  readonly root = made("div", "sliders");
  private values: Record<string, number> = {};
  private readonly shown = new Map<string, { show: (value: number) => void; row: HTMLElement }>();

  constructor(private readonly sliders: Slider[], first: number, private readonly onChange: (values: Record<string, number>) => void) {
    const some = made("div", "some", ...sliders.slice(0, first).map((slider) => this.row(slider)));
    this.root.append(some);
    if (sliders.length > first) this.root.append(this.finder(sliders.slice(first)));
  }

  /** Shows these values, and the usual ones of all others. */
  show(values: Record<string, number>): void {
    this.values = values;
    for (const slider of this.sliders) {
      const shown = this.shown.get(slider.name);
      shown?.show(values[slider.name] ?? slider.value ?? 0);
      shown?.row.classList.toggle("changed", slider.name in values);
    }
  }

  /** A field that finds other parameters by a part of their names. */
  private finder(others: Slider[]): HTMLElement {
    const field = made("input", "find"), found = made("div", "some");
    Object.assign(field, { type: "search", placeholder: `find one of ${others.length} other parameters` });
    field.setAttribute("aria-label", "find a parameter");
    field.oninput = () => {
      const wanted = field.value.trim().toLowerCase();
      const fits = wanted ? others.filter((each) => each.name.toLowerCase().includes(wanted)).slice(0, MOST_FOUND) : [];
      found.replaceChildren(...fits.map((each) => this.row(each)));
      this.show(this.values);
    };
    return made("div", "finder", field, found);
  }

  private change(slider: Slider, value: number): void {
    const { [slider.name]: _, ...others } = this.values;
    this.show(value === slider.value ? others : { ...others, [slider.name]: value });
    this.onChange(this.values);
  }

  private row(slider: Slider): HTMLElement {
    const parts = slider.choices.length ? this.choice(slider) : this.number(slider);
    const reset = made("button", "reset", "\u21ba");
    reset.title = `back to ${short(slider.value, 7)}`;
    reset.setAttribute("aria-label", `reset ${slider.label}`);
    reset.onclick = () => this.change(slider, slider.value ?? 0);
    const row = made("div", "parameter", made("span", "name", slider.label), parts.field, made("span", "unit", slider.unit), reset, ...parts.more);
    row.title = [slider.documentation, slider.slow ? "part of the code: a change translates the model again" : ""].filter(Boolean).join("\n");
    row.dataset["parameter"] = slider.name;
    this.shown.set(slider.name, { show: parts.show, row });
    return row;
  }

  private number(slider: Slider): { field: HTMLElement; more: HTMLElement[]; show: (value: number) => void } {
    const field = made("input", "number"), range = made("input", "slider");
    const low = slider.low ?? 0, high = slider.high ?? 1;
    Object.assign(range, { type: "range", min: String(low), max: String(high), step: slider.whole ? "1" : "any" });
    range.setAttribute("aria-label", slider.label);
    field.setAttribute("aria-label", `value of ${slider.label}`);
    field.inputMode = "decimal";
    const moved = () => this.change(slider, slider.whole ? range.valueAsNumber : rounded(range.valueAsNumber, low, high));
    range.oninput = () => { if (!slider.slow) moved(); };
    range.onchange = moved;
    field.onchange = () => takeNumber(field, (value) => this.change(slider, value));
    return { field, more: [range], show: (value) => {
      Object.assign(range, { min: String(Math.min(low, value)), max: String(Math.max(high, value)), value: String(value) });
      field.value = short(value, 7);
    } };
  }

  private choice(slider: Slider): { field: HTMLElement; more: HTMLElement[]; show: (value: number) => void } {
    const field = made("select", "choice");
    field.append(...slider.choices.map((word, k) => Object.assign(document.createElement("option"), { value: String(slider.first + k), textContent: word })));
    field.setAttribute("aria-label", slider.label);
    field.onchange = () => this.change(slider, Number(field.value));
    return { field, more: [], show: (value) => { field.value = String(value); } };
  }
}
