// Shows the selected component: documentation, parameters as fields and sliders, start values, variables to plot.
import { computed, signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { goTo } from "./actions";
import { Motion, familyOf } from "./moving";
import { addToLast } from "./plotting";
import { setValue } from "./running";
import * as state from "./state";
import type { Component, Shown, Variable } from "./types";
import { fromShownUnit, inShownUnit, quantity, short, shownUnit, takeNumber } from "./numbers";
import { SliderRow } from "./sliders";

// So many rows are drawn at once; a group with more than the second number is closed first.
const MOST_ROWS = 300, MOST_OPEN = 10;
// A finger drags no names.
const CANNOT_HOVER = matchMedia("(hover: none)");
const filter = signal("");

/** A scalar, or the elements of an array with its sizes, `Ia(6,6)`. */
interface Row {
  label: string;
  variables: Variable[];
}

interface Group {
  title: string;
  rows: Row[];
  isOpen: boolean;
}

/** The name of an array without the indices of an element, der(x) of der(x(1)). */
function stemOf(name: string): string {
  return name.replace(/\([\d,]+\)(?=\)?$)/, "");
}

/** Arrays are one row, with their sizes. */
function rowsOf(variables: Variable[], label: (name: string) => string): Row[] {
  const found = new Map<string, Variable[]>();
  for (const each of variables) found.set(stemOf(each.name), [...(found.get(stemOf(each.name)) ?? []), each]);
  return [...found.values()].map((elements) => ({ label: label(elements.at(-1)?.name ?? ""), variables: elements }));
}

const isStill = ({ kind }: Variable) => kind === "constant" || kind === "fixed";

/** The variables of the selected component by what they mean, those that move first; with a filter, what fits. */
const groups = computed<Group[]>(() => {
  const list = state.listing.value, path = state.selected.value, wanted = filter.value.trim().toLowerCase();
  if (!list) return [];
  const all = [...list.variables.values()].filter(({ name }) => !(name in (state.model.value?.parameters ?? {})));
  if (wanted) {
    const fitting = all.filter(({ name }) => name.startsWith(path) && name.toLowerCase().includes(wanted));
    return [{ title: "Found", rows: rowsOf(fitting, (name) => name), isOpen: true }];
  }
  const moving = new Set(familyOf(path).map(({ variable }) => variable.name));
  let left = rowsOf(all.filter(({ name }) => isOwn(name, path) && !moving.has(name)), ownName);
  const found: Group[] = [];
  const take = (title: string, fits: (row: Row) => boolean, isOpen?: boolean) => {
    const rows = left.filter(fits);
    left = left.filter((row) => !fits(row));
    if (rows.length > 0) found.push({ title, rows, isOpen: isOpen ?? rows.length <= MOST_OPEN });
  };
  const still = ({ variables }: Row) => variables.every(isStill);
  take("States", ({ variables }) => variables.some(({ kind }) => kind === "state"), true);
  take("Inputs", ({ variables }) => variables.some(({ kind }) => kind === "input"), true);
  for (const cut of list.components.find(({ name }) => name === path)?.cuts ?? [])
    take(`Cut ${cut.name}`, (row) => !still(row) && cut.variables.includes(stemOf(row.label)), true);
  take("Other", (row) => !still(row));
  take("Fixed", still, false);
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
  return (
    <div class="fill scroll" data-test="inspector">
      <About component={component} />
      {filter.value ? null : <Motion path={component.name}>{(variable, label, value) => <VariableRow key={variable.name} variable={variable} label={label} value={value} />}</Motion>}
      <Parameters names={parametersShown.value} />
      <section class="section">
        <input class="filter" type="search" placeholder="Find a variable" value={filter.value} aria-label="Find a variable"
          onInput={(event) => (filter.value = event.currentTarget.value)} />
        {groups.value.map((group) => <VariableGroup key={`${component.name} ${group.title}`} group={group} />)}
        <p class="hint">{CANNOT_HOVER.matches ? "Tap + to plot a variable." : "Drag a name into a plot, or click +."}</p>
      </section>
    </div>
  );
}

function VariableGroup({ group: { title, rows, isOpen } }: { group: Group }) {
  const [open, setOpen] = useState(isOpen);
  return (
    <details class="group" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title} <span class="faint">{rows.length}</span></summary>
      {open ? rows.slice(0, MOST_ROWS).map((row) => <VariableOrArray key={row.label} row={row} />) : null}
      {open && rows.length > MOST_ROWS ? <p class="hint">and {rows.length - MOST_ROWS} more: type a part of the name above</p> : null}
    </details>
  );
}

function VariableOrArray({ row: { label, variables } }: { row: Row }) {
  const [open, setOpen] = useState(false), [first] = variables;
  if (!first) return null;
  if (variables.length === 1) return <VariableRow variable={first} label={label} />;
  return (
    <details class="array" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="variable" title={first.documentation}><span class="grow name">{label}</span><span class="unit">{shownUnit(first)}</span></summary>
      {open ? variables.map((each) => <VariableRow key={each.name} variable={each} label={ownName(each.name)} />) : null}
    </details>
  );
}

/** The parameters of the selected component; of all components, if the model itself is selected and has none. */
const parametersShown = computed(() => {
  const all = Object.keys(state.model.value?.parameters ?? {}), path = state.selected.value;
  const wanted = state.listing.value ? filter.value.trim().toLowerCase() : "";
  const inner = all.filter((name) => wanted ? name.toLowerCase().includes(wanted) && name.startsWith(path) : isOwn(name, path));
  return inner.length > 0 || path || wanted ? inner : all;
});

/** Before the components are listed, the parameters of the object can be changed; a phone has them next to the plots. */
export function QuickParameters() {
  return <div class="fill scroll" data-test="inspector"><Parameters names={parametersShown.value} /></div>;
}

function Parameters({ names }: { names: string[] }) {
  const variables = state.listing.value?.variables;
  if (names.length === 0) return null;
  return (
    <section class="section">
      <h4>Parameters <span class="faint">{names.length}</span></h4>
      {names.slice(0, MOST_ROWS).map((name) => <Parameter key={name} name={name} variable={variables?.get(name) ?? null} />)}
      {names.length > MOST_ROWS ? <p class="hint">and {names.length - MOST_ROWS} more: select a component, or type a part of the name</p> : null}
    </section>
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

/** True for a part of a direction, an offset or a matrix of inertia, which no single slider moves. */
function isPart(name: string): boolean {
  return name.includes(".") && /^(n[gxyz]?|r|I|S)\d\d?$/.test(ownName(name));
}

function Parameter({ name, variable }: { name: string; variable: Variable | null }) {
  const model = state.model.value, usual = model?.parameters[name] ?? 0, value = state.values.value[name];
  const [low, high] = range(usual, variable).map((x) => inShownUnit(x, variable)), set = value === undefined ? value : inShownUnit(value, variable);
  const limits = [variable?.min, variable?.max].some((each) => typeof each === "number")
    ? `from ${limit(variable, variable?.min) ?? "-inf"} to ${limit(variable, variable?.max) ?? "inf"}` : "";
  const slider = {
    name, label: isOwn(name, state.selected.value) ? ownName(name) : name, value: inShownUnit(usual, variable), low: low ?? 0, high: high ?? 1,
    unit: shownUnit(variable), read: reader(name, variable), documentation: [variable?.documentation, limits].filter(Boolean).join("\n"),
    choices: variable?.type === "Boolean" ? ["false", "true"] : [], first: 0, whole: false, slow: model?.folded.includes(name) ?? false, isPart: isPart(name),
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

function VariableRow({ variable, label, value }: { variable: Variable; label: string; value?: preact.ComponentChildren }) {
  const { name, kind, start } = variable;
  const setStart = (x: number | null) => setValue(name, x === null ? x : fromShownUnit(x, variable), false, state.starts);
  const shownStart = state.starts.value[name] ?? (typeof start === "number" ? start : null), still = isStill(variable);
  const [number, unit] = still && typeof variable.value === "number" ? quantity(inShownUnit(variable.value, variable), shownUnit(variable)) : ["", shownUnit(variable)];
  return (
    <div class={`variable ${still ? "still" : ""}`} draggable={!still} data-variable={name} title={[name, variable.documentation, variable.alias_of && `= ${variable.alias_of}`].filter(Boolean).join("\n")}
      onDragStart={(event) => event.dataTransfer?.setData("text/plain", name)}>
      <span class="grow name">{label}</span>
      {value ?? (kind === "state" ? (
        <input class="number start" type="text" inputMode="decimal" title="start value" aria-label={`start value of ${name}`} placeholder="start"
          value={shownStart === null ? "" : short(inShownUnit(shownStart, variable), 6)}
          onChange={(event) => (event.currentTarget.value.trim() === "" ? setStart(null) : takeNumber(event.currentTarget, setStart, reader(name, variable)))} />
      ) : still ? <span class="value">{number}</span> : null)}
      {value === undefined ? <span class="unit">{unit}</span> : null}
      <span class="tools">
        {still ? null : <button class="add" aria-label={`plot ${name}`} title="plot" onClick={() => plot(name)}>+</button>}
        <button class="add" aria-label={`why ${name}`} title="why: how it is determined" onClick={() => whyOf(name)}>?</button>
      </span>
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
