// Draws formulas. A bundle of its own, since KaTeX is large; it is loaded when formulas are first shown.
import katex from "katex";
import "katex/dist/katex.min.css";

/** Draws LaTeX into an element. It may come from a model: no command can leave the formula. */
export function draw(latex: string, home: HTMLElement): void {
  katex.render(latex, home, { throwOnError: false, trust: false, strict: false, maxSize: 20, maxExpand: 200, output: "html" });
}
