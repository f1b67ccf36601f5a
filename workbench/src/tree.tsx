// Shows the components of the model as a tree.
import { computed, signal } from "@preact/signals";
import { select } from "./actions";
import * as state from "./state";
import type { Component } from "./types";

const opened = signal<ReadonlySet<string>>(new Set([""]));
const filter = signal("");

const parents = computed(() => {
  const found = new Map<string, Component[]>();
  for (const each of state.listing.value?.components ?? []) {
    if (!each.name) continue;
    const parent = each.name.slice(0, Math.max(0, each.name.lastIndexOf(".")));
    found.set(parent, [...(found.get(parent) ?? []), each]);
  }
  return found;
});

export function Tree() {
  const list = state.listing.value;
  if (!list) return <p class="empty">{state.model.value ? "Listing the components ..." : state.errorCount.value > 0 ? "The text has errors. Correct them and click Run to see the components." : "Open a model to see its components."}</p>;
  const wanted = filter.value.trim().toLowerCase();
  const root = list.components[0];
  return (
    <div class="fill column">
      <input class="filter" type="search" placeholder="Find a component" value={filter.value} aria-label="Find a component"
        onInput={(event) => (filter.value = event.currentTarget.value)} />
      <ul class="list tree" role="tree" aria-label="components">
        {wanted
          ? list.components.filter((each) => matches(each, wanted)).slice(0, 200).map((each) => <Row key={each.name} component={each} depth={0} isFlat />)
          : root && <Branch component={root} depth={0} />}
      </ul>
    </div>
  );
}

function matches(component: Component, wanted: string): boolean {
  return [component.name, component.class_name, component.documentation].some((text) => text.toLowerCase().includes(wanted));
}

function Branch({ component, depth }: { component: Component; depth: number }) {
  const parts = parents.value.get(component.name) ?? [];
  return (
    <>
      <Row component={component} depth={depth} />
      {opened.value.has(component.name) ? parts.map((part) => <Branch key={part.name} component={part} depth={depth + 1} />) : null}
    </>
  );
}

function Row({ component, depth, isFlat = false }: { component: Component; depth: number; isFlat?: boolean }) {
  const { name, class_name } = component;
  const hasParts = !isFlat && parents.value.has(name), isOpen = opened.value.has(name);
  const toggle = () => {
    const next = new Set(opened.value);
    if (!next.delete(name)) next.add(name);
    opened.value = next;
  };
  return (
    <li class={`row ${state.selected.value === name ? "selected" : ""}`} role="treeitem" aria-expanded={hasParts ? isOpen : undefined}
      style={{ paddingLeft: `${4 + depth * 14}px` }} data-component={name}>
      <button class={`twist ${hasParts ? "" : "hidden"} ${isOpen ? "open" : ""}`} aria-label={isOpen ? "close" : "open"} onClick={toggle} />
      <button class="plain grow" title={component.documentation || component.class_documentation}
        onClick={() => select(name)} onDblClick={toggle}>
        {isFlat ? name : name.slice(name.lastIndexOf(".") + 1) || class_name} <span class="faint">{name ? class_name : ""}</span>
      </button>
    </li>
  );
}

/** Opens the branches that contain the selected component. */
state.selected.subscribe((name) => {
  const parts = name.split("."), next = new Set(opened.value);
  for (let k = 1; k < parts.length; k++) next.add(parts.slice(0, k).join("."));
  opened.value = next;
});
