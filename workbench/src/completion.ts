// Proposes words in the editor, and shows the documentation of classes and functions.
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { EditorState } from "@codemirror/state";
import type { Tooltip } from "@codemirror/view";
import { keywords } from "./language";
import * as state from "./state";
import type { Declared } from "./types";
import { words } from "./words";

/** What can be written here: libraries after @, parameters within the parentheses of a submodel, else all names. */
export function completions(context: CompletionContext): CompletionResult | null {
  const names = state.names.value;
  const library = context.matchBefore(/@\w*/);
  if (library && names) {
    return { from: library.from + 1, options: names.libraries.map((label) => ({ label, type: "namespace" })) };
  }
  const word = context.matchBefore(/[A-Za-z_]\w*/);
  if (!word && !context.explicit) return null;
  const from = word?.from ?? context.pos;
  const before = context.state.doc.sliceString(Math.max(0, from - 400), from);
  const inside = classAround(before);
  if (inside) return { from, options: inside.parameters.map(parameter), validFor: /^\w*$/ };
  const options: Completion[] = keywords.map((label) => ({ label, type: "keyword", boost: -1 }));
  for (const each of names?.functions ?? []) options.push({ label: each.name, type: "function", detail: each.use, info: each.documentation });
  const known = new Set(options.map(({ label }) => label));
  for (const label of words.functions) if (!known.has(label)) options.push({ label, type: "function" });
  if (isInModel(context.state.doc.lineAt(from).number)) options.push(...ownNames());
  for (const each of names?.declared ?? []) options.push({ label: each.name, type: "class", detail: each.kind, info: each.documentation });
  return { from, options, validFor: /^\w*$/ };
}

/** The components and variables that the model itself declares. */
function ownNames(): Completion[] {
  const list = state.listing.value;
  const components = (list?.components ?? []).filter(({ name }) => name && !name.includes("."));
  const variables = [...(list?.variables.values() ?? [])].filter(({ name }) => /^\w+$/.test(name));
  return [
    ...components.map(({ name, class_name, documentation }) => ({ label: name, type: "variable", detail: class_name, info: documentation })),
    ...variables.map(({ name, kind, unit, documentation }) => ({ label: name, type: "variable", detail: unit ? `${kind}, ${unit}` : kind, info: documentation })),
  ];
}

/** The class of the submodel within whose parentheses the text ends: `submodel (Resistor) R(`. */
function classAround(before: string): Declared | null {
  const found = /\(\s*([\w.]+)\s*\)(?:[^()]|\([^()]*\))*\([^()=]*(?:=[^(),]*,[^()=]*)*$/.exec(before.slice(before.lastIndexOf("submodel")));
  const declared = found ? state.names.value?.declared.find((each) => each.name === found[1]) : undefined;
  return declared ?? null;
}

function parameter(each: Declared["parameters"][number]): Completion {
  const label = each.name.replace(/\(.*/, "");
  return { label, type: "property", apply: `${label}=`, detail: each.unit ? `in ${each.unit}` : "", info: each.documentation };
}

/** True for a line of the open file that belongs to the model: names in classes before it have other meanings. */
function isInModel(line: number): boolean {
  const found = /^(.*):(\d+):\d+$/.exec(state.listing.value?.components[0]?.place ?? "");
  return found !== null && found[1] === state.current.value && line >= Number(found[2]);
}

/** The documentation of the word at a place of the text. */
export function documentationAt(editor: EditorState, at: number): Tooltip | null {
  const word = editor.wordAt(at);
  if (!word) return null;
  const name = editor.sliceDoc(word.from, word.to);
  const declared = state.names.value?.declared.find((each) => each.name === name);
  const called = state.names.value?.functions.find((each) => each.name === name);
  const list = isInModel(editor.doc.lineAt(at).number) ? state.listing.value : null;
  const variable = list?.variables.get(name), component = list?.components.find((each) => each.name === name);
  if (!declared && !called && !variable && !component) return null;
  return {
    pos: word.from, end: word.to, above: true,
    create: () => {
      const dom = document.createElement("div");
      dom.className = "hover";
      if (declared) describe(dom, declared);
      else if (called) line(dom, "title", called.use), line(dom, "said", called.documentation);
      else if (component) line(dom, "title", `${component.class_name} ${name}`), line(dom, "said", component.documentation || component.class_documentation);
      else if (variable) line(dom, "title", `${variable.kind} ${name}${variable.unit ? ` in ${variable.unit}` : ""}`), line(dom, "said", variable.documentation);
      return { dom };
    },
  };
}

function describe(dom: HTMLElement, declared: Declared): void {
  line(dom, "title", `${declared.kind} ${declared.name}`);
  if (declared.documentation) line(dom, "said", declared.documentation);
  if (declared.interface) line(dom, "cuts", declared.interface);
  for (const each of declared.parameters.slice(0, 12)) {
    const unit = each.unit ? ` [${each.unit}]` : "", value = each.default ? ` = ${each.default}` : "";
    line(dom, "parameter", `${each.name}${value}${unit}  ${each.documentation}`);
  }
}

function line(dom: HTMLElement, kind: string, text: string): void {
  const found = document.createElement("div");
  found.className = kind;
  found.textContent = text;
  dom.append(found);
}
