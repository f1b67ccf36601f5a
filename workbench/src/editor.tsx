// The editor: text with messages in place, completion, documentation of classes, layout.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import type { Diagnostic as Mark } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import type { Text } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { edit, formatted, goTo, jump, save } from "./actions";
import { isWritten } from "./buffers";
import { completions, documentationAt } from "./completion";
import { cutsetLanguage } from "./language";
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
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--text)" },
});

export function Editor() {
  const home = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!home.current) return undefined;
    // The styles of an editor have the nonce of its first state.
    const view = new EditorView({ parent: home.current, state: EditorState.create({ extensions: EditorView.cspNonce.of(NONCE) }) });
    const stopped = [keepText(view), keepMessages(view)];
    jump.show = () => scrollTo(view, jump.line);
    return () => {
      jump.show = null;
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
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: file.text } });
    }
  });
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
        { key: "F12", run: (view) => definition(view) },
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
          return at !== null && definition(view, at);
        },
      }),
    ],
  });
}

/** Goes to the declaration of the class at the cursor. */
function definition(view: EditorView, at = view.state.selection.main.head): boolean {
  const word = view.state.wordAt(at);
  const name = word ? view.state.sliceDoc(word.from, word.to) : "";
  const declared = state.names.value?.declared.find((each) => each.name === name);
  if (!declared) return false;
  void goTo(declared.place);
  return true;
}

export async function format(view: EditorView | null): Promise<void> {
  const text = await formatted();
  const file = state.currentFile.value;
  if (text === null || !file || text === file.text) return;
  if (view) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  else edit(file.path, text);
}

function scrollTo(view: EditorView, number: number): void {
  const line = view.state.doc.line(Math.min(Math.max(number, 1), view.state.doc.lines));
  view.dispatch({ selection: { anchor: line.from }, effects: EditorView.scrollIntoView(line.from, { y: "center" }) });
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
  const remedy = message.remedy;
  const actions = remedy
    ? [{
        name: `Replace by ${remedy.text}`,
        apply: (view: EditorView) => view.dispatch({ changes: {
          from: position(view.state.doc, remedy.line, remedy.column),
          to: position(view.state.doc, remedy.line, remedy.end_column),
          insert: remedy.text,
        } }),
      }]
    : [];
  return [{
    from, to: Math.max(to, Math.min(from + 1, text.length)),
    severity: message.severity === "note" ? "info" : message.severity,
    message: [`${message.code}: ${message.message}`, message.hint].filter(Boolean).join("\n"),
    actions,
  }];
}
