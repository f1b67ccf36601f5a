// Proposes what can be written in the editor, and shows the documentation of names, with the code of the language server.
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { EditorState } from "@codemirror/state";
import type { Tooltip } from "@codemirror/view";
import { made } from "./elements";
import { ask, positionOf } from "./naming";
import * as state from "./state";

/** What can be written at the cursor: in a word, after `@` or the mark of a member, and where the user asks. */
export async function completions(context: CompletionContext): Promise<CompletionResult | null> {
  const word = context.matchBefore(/[A-Za-z_]\w*/);
  if (!word && !context.explicit && !context.matchBefore(/@|[A-Za-z_]\w*[.:]/)) return null;
  const { options } = await answer("completion", context.state, context.pos, { options: new Array<Completion>() });
  return { from: word?.from ?? context.pos, options, validFor: /^\w*$/ };
}

/** The declaration and the documentation of the word at a place of the text. */
export async function documentationAt(editor: EditorState, at: number): Promise<Tooltip | null> {
  const word = editor.wordAt(at);
  const { lines: [title, ...lines] } = word ? await answer("hover", editor, at, { lines: new Array<string>() }) : { lines: [] };
  if (!word || !title) return null;
  const create = () => ({ dom: made("div", "hover", made("div", "title", title), ...lines.map((line) => made("div", "said", line))) });
  return { pos: word.from, end: word.to, above: true, create };
}

/** The answer of the server; `none` if there is none, as for a process that has ended. */
async function answer<T>(call: string, editor: EditorState, at: number, none: T): Promise<T> {
  try {
    return (await ask<T>(call, state.current.value, positionOf(editor.doc, at))).data;
  } catch {
    return none;
  }
}
