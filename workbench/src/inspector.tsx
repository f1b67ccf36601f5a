// Shows the selected component: documentation, parameters as fields and sliders, start values, variables to plot.
import { computed, signal } from "@preact/signals";
import { goTo } from "./actions";
import { addToLast } from "./plotting";
import { setValue } from "./running";
import * as state from "./state";
import type { Component, Shown, Variable } from "./types";
import { fromShownUnit, inShownUnit, short, shownUnit, takeNumber } from "./numbers";
import { SliderRow } from "./sliders";

const MOST_ROWS = 300;
// A finger drags no names.
const CANNOT_HOVER = matchMedia("(hover: none)");
const filter = signal("");

const own = computed(() => {
  const list = state.listing.value, path = state.selected.value, wanted = filter.value.trim().toLowerCase();
  if (!list) return [];
  const found: Variable[] = [];
  for (const variable of list.variables.values()) {
    const inner = isOwn(variable.name, path);
    const fits = wanted ? variable.name.toLowerCase().includes(wanted) && variable.name.startsWith(path) : inner;
    if (fits && found.length < MOST_ROWS) found.push(variable);
  }
  return found;
});

/** True for the name of a variable that the component itself declares. */
function isOwn(name: string, path: string): boolean {
  const plain = /^der\((.*)\)$/.exec(name)?.[1] ?? name;
  const end = plain.indexOf("(");
  const stem = end < 0 ? plain : plain.slice(0, end);
  return stem.slice(0, Math.max(0, stem.lastIndexOf("."))) === path;
}

export function Inspector() {
  const list = state.listing.value;
  const component = list?.components.find((each) => each.name === state.selected.value);
  if (!list || !component) return <QuickParameters />;
  const shown = parametersShown.value;
  const others = own.value.filter((each) => !(each.name in (state.model.value?.parameters ?? {})));
  return (
    <div class="fill scroll" data-test="inspector">
      <About component={component} />
      <Parameters names={shown} />
      <Section title="Variables" count={others.length} hint={others.length > 0 ? (CANNOT_HOVER.matches ? "Tap + to plot a variable." : "Drag a name into a plot, or click +.") : ""}>
        <input class="filter" type="search" placeholder="Find a variable" value={filter.value} aria-label="Find a variable"
          onInput={(event) => (filter.value = event.currentTarget.value)} />
        {others.map((each) => <VariableRow key={each.name} variable={each} />)}
      </Section>
    </div>
  );
}

/** The parameters of the selected component; of all components, if the model itself is selected and has none. */
const parametersShown = computed(() => {
  const all = Object.keys(state.model.value?.parameters ?? {}), path = state.selected.value;
  const wanted = state.listing.value ? filter.value.trim().toLowerCase() : "";
  const inner = all.filter((name) => wanted ? name.toLowerCase().includes(wanted) && name.startsWith(path) : isOwn(name, path));
  return (inner.length > 0 || path || wanted ? inner : all).slice(0, MOST_ROWS);
});

/** Before the components are listed, the parameters of the object can be changed; a phone has them next to the plots. */
export function QuickParameters() {
  return <div class="fill scroll" data-test="inspector"><Parameters names={parametersShown.value} /></div>;
}

function Parameters({ names }: { names: string[] }) {
  const variables = state.listing.value?.variables;
  return (
    <Section title="Parameters" count={names.length}>
      {names.map((name) => <Parameter key={name} name={name} variable={variables?.get(name) ?? null} />)}
    </Section>
  );
}

function About({ component }: { component: Component }) {
  return (
    <header class="about">
      <h3>{component.name || component.class_name}</h3>
      <p class="faint">{component.name ? component.class_name : "model"} <button class="link" onClick={() => void goTo(component.place)}>{component.place}</button></p>
      {[component.documentation, component.class_documentation].filter(Boolean).map((text) => <p key={text}>{text}</p>)}
    </header>
  );
}

function Section(props: { title: string; count: number; hint?: string; children: preact.ComponentChildren }) {
  if (props.count === 0 && props.title === "Parameters") return null;
  return (
    <section class="section">
      <h4>{props.title} <span class="faint">{props.count}</span></h4>
      {props.hint ? <p class="hint">{props.hint}</p> : null}
      {props.children}
    </section>
  );
}

function Parameter({ name, variable }: { name: string; variable: Variable | null }) {
  const model = state.model.value, usual = model?.parameters[name] ?? 0, value = state.values.value[name];
  const [low, high] = range(usual, variable).map((x) => inShownUnit(x, variable)), set = value === undefined ? value : inShownUnit(value, variable);
  const limits = [variable?.min, variable?.max].some((each) => typeof each === "number")
    ? `from ${limit(variable, variable?.min) ?? "-inf"} to ${limit(variable, variable?.max) ?? "inf"}` : "";
  const slider = {
    name, label: isOwn(name, state.selected.value) ? ownName(name) : name, value: inShownUnit(usual, variable), low: low ?? 0, high: high ?? 1,
    unit: shownUnit(variable), read: reader(name, variable), documentation: [variable?.documentation, limits].filter(Boolean).join("\n"),
    choices: [], first: 0, whole: false, slow: model?.folded.includes(name) ?? false,
  };
  return <SliderRow slider={slider} value={set} onChange={(x, isMoving) => setValue(name, x === null ? x : fromShownUnit(x, variable), isMoving)} />;
}

function limit(variable: Variable | null, x: Shown | undefined): Shown | undefined {
  return typeof x === "number" ? short(inShownUnit(x, variable), 6) : x;
}

/** Reads a text such as `10 kOhm`; null, with the message, for another one. */
function reader(name: string, variable: Variable | null): (text: string) => Promise<number | null> {
  return async (text) => {
    const model = state.model.value;
    if (!model) return null;
    try {
      const { data } = await state.connection.ask<{ number: number }>("number", { name, text }, { model: model.file });
      return inShownUnit(data.number, variable);
    } catch (error) {
      state.tell("error", String(error instanceof Error ? error.message : error));
      return null;
    }
  };
}

/** The limits of a slider: those of the variable, else from zero to twice the value of the model. */
function range(usual: number, variable: Variable | null): [number, number] {
  let [low, high] = usual > 0 ? [0, 2 * usual] : usual < 0 ? [2 * usual, 0] : [-1, 1];
  if (typeof variable?.min === "number") low = variable.min;
  if (typeof variable?.max === "number") high = variable.max;
  return [low, high];
}

function VariableRow({ variable }: { variable: Variable }) {
  const { name, kind, start } = variable;
  const label = ownName(name);
  const setStart = (x: number | null) => setValue(name, x === null ? x : fromShownUnit(x, variable), false, state.starts);
  const isStill = kind === "constant" || kind === "fixed";
  const shownStart = state.starts.value[name] ?? (typeof start === "number" ? start : null);
  return (
    <div class="variable" draggable={!isStill} data-variable={name} title={[name, variable.documentation, variable.alias_of && `= ${variable.alias_of}`].filter(Boolean).join("\n")}
      onDragStart={(event) => event.dataTransfer?.setData("text/plain", name)}>
      <span class={`kind ${kind}`} title={kind}>{kind.charAt(0)}</span>
      <span class="grow name">{label}</span>
      {kind === "state" ? (
        <input class="number start" type="text" inputMode="decimal" title="start value" aria-label={`start value of ${name}`} placeholder="start"
          value={shownStart === null ? "" : short(inShownUnit(shownStart, variable), 6)}
          onChange={(event) => (event.currentTarget.value.trim() === "" ? setStart(null) : takeNumber(event.currentTarget, setStart, reader(name, variable)))} />
      ) : isStill && typeof variable.value === "number" ? <span class="value">{short(inShownUnit(variable.value, variable), 5)}</span> : null}
      <span class="unit">{shownUnit(variable)}</span>
      {isStill ? null : <button class="add" aria-label={`plot ${name}`} title="plot" onClick={() => plot(name)}>+</button>}
      <button class="add" aria-label={`why ${name}`} title="why: how it is determined" onClick={() => whyOf(name)}>?</button>
    </div>
  );
}

/** Adds the variable to the last plot, which a phone does not show at the same time. */
function plot(name: string): void {
  addToLast(name);
  if (!document.querySelector("[data-test=plots]")) state.tell("info", `${name} is in the plot.`);
}

/** The name within its component: x of a.b.x, der(x) of der(a.b.x). */
function ownName(name: string): string {
  const inner = /^der\((.*)\)$/.exec(name)?.[1];
  if (inner !== undefined) return `der(${ownName(inner)})`;
  const index = name.indexOf("(");
  return name.slice(name.lastIndexOf(".", index < 0 ? undefined : index) + 1);
}

/** The variable whose reason the bottom pane shows. */
export const asked = signal("");

function whyOf(name: string): void {
  asked.value = name;
  state.showBelow("why");
}
