// The editor: text with messages in place, completion, documentation of classes, layout.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory, redo, undo } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import type { Diagnostic as Mark } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import type { Text, Transaction } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers, showDialog } from "@codemirror/view";
import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { edit, formatted, jump, save } from "./actions";
import { isWritten } from "./buffers";
import { completions, documentationAt } from "./completion";
import { cutsetLanguage } from "./language";
import { listUses, nameToChange, positionOf, rename, showDeclaration } from "./naming";
import type { Change, Position } from "./naming";
import * as state from "./state";
import type { Diagnostic } from "./types";

const NONCE = document.querySelector<HTMLMetaElement>('meta[name="nonce"]')?.content ?? "";

const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", backgroundColor: "var(--surface)", color: "var(--text)" },
  ".cm-content": { fontFamily: "var(--mono)", padding: "6px 0", caretColor: "var(--accent)" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--faint)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 8px 0 12px", minWidth: "32px" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--line-now)" },
  "&.cm-focused": { outline: "none" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--selection) !important" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--text)", border: "1px solid var(--border)", borderRadius: "6px", boxShadow: "var(--shadow)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "#fff" },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--text)", fontSize: "13px" },
  ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--border)" },
  ".cm-panels .cm-textfield, .cm-panels .cm-button": { fontSize: "13px", background: "var(--surface)", color: "var(--text)", border: "1px solid var(--border)", borderRadius: "5px" },
  ".cm-searchMatch": { backgroundColor: "var(--selection)" },
});

export function Editor() {
  const home = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!home.current) return undefined;
    // The styles of an editor have the nonce of its first state.
    const view = new EditorView({ parent: home.current, state: EditorState.create({ extensions: EditorView.cspNonce.of(NONCE) }) });
    const stopped = [keepText(view), keepMessages(view)];
    jump.show = () => scrollTo(view, jump);
    shown = view;
    return () => {
      states.set(state.current.value, view.state);
      shown = jump.show = null;
      for (const stop of stopped) stop();
      view.destroy();
    };
  }, []);
  return <div class="editor" ref={home} data-test="editor" />;
}

const states = new Map<string, EditorState>();

/** Shows the current file; each file keeps its history. */
function keepText(view: EditorView): () => void {
  let shown = "";
  return effect(() => {
    const path = state.current.value, file = state.currentFile.value;
    if (shown !== path) {
      if (shown) states.set(shown, view.state);
      view.setState(states.get(path) ?? newState(path, file?.text ?? ""));
      shown = path;
    }
    if (file && view.state.doc.toString() !== file.text) {
      view.dispatch({ changes: difference(view.state.doc.toString(), file.text) });
    }
  });
}

/** The change that makes one text another: the cursor and marks elsewhere stay. */
function difference(before: string, after: string): { from: number; to: number; insert: string } {
  const most = Math.min(before.length, after.length);
  let start = 0, end = 0;
  while (start < most && before[start] === after[start]) start++;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}

function keepMessages(view: EditorView): () => void {
  return effect(() => {
    const path = state.current.value, found = state.messages.value.filter((each) => each.place?.file === path);
    view.dispatch(setDiagnostics(view.state, found.flatMap((each) => mark(view.state.doc, each))));
  });
}

function newState(path: string, text: string): EditorState {
  return EditorState.create({
    doc: text,
    extensions: [
      EditorView.cspNonce.of(NONCE),
      lineNumbers(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(),
      highlightActiveLine(), highlightActiveLineGutter(), highlightSelectionMatches(),
      lintGutter(), cutsetLanguage(), theme, EditorState.tabSize.of(2),
      EditorState.readOnly.of(!isWritten(path)),
      autocompletion({ override: [completions], icons: false }),
      hoverTooltip((view, at) => documentationAt(view.state, at)),
      keymap.of([
        { key: "Mod-s", run: () => (void save(path), true) },
        { key: "Shift-Alt-f", run: (view) => (void format(view), true) },
        { key: "F12", run: () => ask("declaration") },
        { key: "Shift-F12", run: () => ask("uses") },
        { key: "F2", run: () => ask("rename") },
        ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap,
        indentWithTab,
      ]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged && state.currentFile.value?.text !== update.state.doc.toString())
          edit(path, update.state.doc.toString());
      }),
      EditorView.domEventHandlers({
        mousedown: (event, view) => {
          if (!(event.ctrlKey || event.metaKey)) return false;
          const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
          if (at === null || !view.state.wordAt(at)) return false;
          void showDeclaration(state.current.value, positionOf(view.state.doc, at));
          return true;
        },
      }),
    ],
  });
}

let shown: EditorView | null = null;

/** Follows the name at the cursor; true if the editor is shown. */
export function ask(what: string): boolean {
  const view = shown, path = state.current.value;
  if (!view) return false;
  const at = positionOf(view.state.doc, view.state.selection.main.head);
  if (what === "declaration") void showDeclaration(path, at);
  else if (what === "uses") void listUses(path, at);
  else void renameAt(view, path, at);
  return true;
}

async function renameAt(view: EditorView, path: string, at: Position): Promise<void> {
  const name = await nameToChange(path, at);
  if (name === null) return;
  const { close, result } = showDialog(view, {
    label: `Rename ${name} to`, submitLabel: "Rename", input: { name: "name", value: name, class: "cm-textfield", autocomplete: "off" }, focus: true, class: "rename",
  });
  const form = await result, newName = form ? new FormData(form).get("name") : null;
  view.dispatch({ effects: close });
  view.focus();
  if (typeof newName === "string" && newName.trim() && newName.trim() !== name) await rename(path, at, newName.trim());
}

/** The state of the text of a file, as it is shown or was last. */
function stateOf(path: string, text: string): EditorState {
  const found = shown && state.current.value === path ? shown.state : (states.get(path) ?? newState(path, text));
  const now = found.doc.toString();
  return now === text ? found : found.update({ changes: difference(now, text) }).state;
}

function take(path: string, made: Transaction): void {
  if (shown && state.current.value === path) shown.dispatch(made);
  else {
    states.set(path, made.state);
    edit(path, made.newDoc.toString());
  }
}

/** Changes the text of a file as one step of its history. */
export function change(path: string, text: string, changes: Change[]): void {
  const now = stateOf(path, text);
  const at = (line: number, character: number) => Math.min(now.doc.line(Math.min(line + 1, now.doc.lines)).from + character, now.doc.length);
  const edits = changes.map((each) => ({ from: at(each.line, each.character), to: at(each.end_line, each.end_character), insert: each.text }));
  take(path, now.update({ changes: edits, annotations: isolateHistory.of("full") }));
}

/** Takes the last change of a text back, or makes it again. */
export function step(path: string, way: "undo" | "redo"): void {
  const text = state.files.value.find((file) => file.path === path)?.text;
  if (text !== undefined) (way === "undo" ? undo : redo)({ state: stateOf(path, text), dispatch: (made) => take(path, made) });
}

export async function format(view: EditorView | null): Promise<void> {
  const text = await formatted();
  const file = state.currentFile.value;
  if (text === null || !file || text === file.text) return;
  if (view) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  else edit(file.path, text);
}

function scrollTo(view: EditorView, { line: number, from, to }: typeof jump): void {
  const line = view.state.doc.line(Math.min(Math.max(number, 1), view.state.doc.lines));
  const place = (character: number) => Math.min(line.from + character, line.to);
  view.dispatch({ selection: { anchor: place(from), head: place(to) }, effects: EditorView.scrollIntoView(line.from, { y: "center" }) });
  view.focus();
}

/** The place in the text of a line and a column, which count from 1. */
function position(text: Text, line: number, column: number): number {
  const found = text.line(Math.min(Math.max(line, 1), text.lines));
  return Math.min(found.from + column - 1, found.to);
}

function mark(text: Text, message: Diagnostic): Mark[] {
  const place = message.place;
  if (!place) return [];
  const from = position(text, place.line, place.column), to = position(text, place.end_line, place.end_column);
  const actions = message.remedies.map((remedy) => ({
    name: remedy.title,
    apply: (view: EditorView, now: number) => {
      // The message has moved with the text before it since the check.
      const first = remedy.from + now - from, last = first + remedy.to - remedy.from;
      if (view.state.sliceDoc(first, last) === remedy.old) view.dispatch({ changes: { from: first, to: last, insert: remedy.text } });
    },
  }));
  return [{
    from, to: Math.max(to, Math.min(from + 1, text.length)),
    severity: message.severity === "note" ? "info" : message.severity,
    message: [`${message.code}: ${message.message}`, message.hint].filter(Boolean).join("\n"),
    actions,
  }];
}
