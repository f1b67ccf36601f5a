// The language for the editor: its words, comments, brackets and colors.
import { HighlightStyle, indentService, LanguageSupport, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import type { StreamParser } from "@codemirror/language";
import { tags } from "@lezer/highlight";
import { words } from "./words";

const declaring = [...words.declaring, ...words.modifiers];
export const keywords = [...declaring, ...words.control, ...words.connecting, ...words.operators];

const kinds = new Map<string, string>([
  ...declaring.map((word): [string, string] => [word, "keyword"]),
  ...[...words.control, ...words.connecting].map((word): [string, string] => [word, "controlKeyword"]),
  ...words.operators.map((word): [string, string] => [word, "operatorKeyword"]),
  ...words.functions.map((word): [string, string] => [word, "functionName"]),
  ...words.constants.map((word): [string, string] => [word, "number"]),
]);

interface Tokens {
  inComment: boolean;
  /** The word before is one after which a class stands in parentheses. */
  expectsClass: boolean;
}

const parser: StreamParser<Tokens> = {
  name: "cutset",
  startState: () => ({ inComment: false, expectsClass: false }),
  token(stream, tokens) {
    if (tokens.inComment || stream.match("{")) {
      tokens.inComment = !stream.match(/^[^}]*\}/);
      if (tokens.inComment) stream.skipToEnd();
      return "comment";
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return "comment";
    if (stream.match(/^"[^"]*"?/)) return "string";
    if (stream.match(/^@\w+(\.\w+|\/\w+)*/)) return "meta";
    if (stream.match(/^(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?/)) return "number";
    // Behind an operand a quote transposes.
    if (!/[\w)\]'"]/.test(stream.string[stream.pos - 1] ?? "") && stream.match(/^'[^'"\\]+'/)) return null;
    const word = stream.match(/^[A-Za-z_]\w*/) as RegExpMatchArray | null;
    if (word) {
      const kind = kinds.get(word[0]) ?? null;
      if (tokens.expectsClass && kind === null) {
        tokens.expectsClass = false;
        return "typeName";
      }
      tokens.expectsClass = ["model", "class", "submodel", "type"].includes(word[0]);
      return kind;
    }
    const sign = stream.next();
    if (sign !== "(") tokens.expectsClass = false;
    return sign !== undefined && "+-*/^=<>:".includes(sign) ? "operator" : null;
  },
  languageData: { commentTokens: { line: "#", block: { open: "{", close: "}" } }, closeBrackets: { brackets: ["(", "[", '"', "{"] } },
};

const OPENS = /^\s*(model\b|if\b.*\bthen\s*$|for\b.*|while\b.*|when\b.*|initial\s*$|function\b.*)/;
const CLOSES = /^\s*(end|endif|endfor|endwhile|endwhen|endinitial|else|elseif|elsewhen)\b/;

/** A line is indented as the one before it, by two more after a line that opens a block. */
const indentation = indentService.of((context, at) => {
  const line = context.state.doc.lineAt(at);
  if (line.number === 1) return 0;
  const before = context.state.doc.line(line.number - 1).text;
  const depth = /^\s*/.exec(before)?.[0].length ?? 0;
  return Math.max(0, depth + (OPENS.test(before) ? 2 : 0) - (CLOSES.test(line.text) ? 2 : 0));
});

const colors = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--code-keyword)" },
  { tag: tags.controlKeyword, color: "var(--code-control)" },
  { tag: tags.operatorKeyword, color: "var(--code-control)" },
  { tag: tags.typeName, color: "var(--code-type)" },
  { tag: tags.function(tags.variableName), color: "var(--code-function)" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: tags.meta, color: "var(--code-meta)" },
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
]);

export function cutsetLanguage(): LanguageSupport {
  const language = StreamLanguage.define({
    ...parser,
    tokenTable: { functionName: tags.function(tags.variableName), controlKeyword: tags.controlKeyword },
  });
  return new LanguageSupport(language, [syntaxHighlighting(colors), indentation]);
}
