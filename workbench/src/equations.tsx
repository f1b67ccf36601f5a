// Shows the equations of the selected component as formulas.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { goTo } from "./actions";
import { useAnswer } from "./asking";
import * as state from "./state";
import type { Equation } from "./types";

type Draw = (latex: string, home: HTMLElement) => void;
let formulas: Promise<Draw> | null = null;

/** Loads KaTeX and its styles, once. */
function loadFormulas(): Promise<Draw> {
  formulas ??= (async () => {
    const sheet = document.createElement("link");
    sheet.rel = "stylesheet";
    sheet.href = "assets/formulas.css";
    document.head.append(sheet);
    const { draw } = await import("./formulas");
    return draw;
  })();
  return formulas;
}

export function Equations() {
  const found = useSignal<Equation[]>([]);
  const component = state.selected.value, list = state.listing.value;
  const { trouble, isWaiting } = useAnswer<{ equations: Equation[] }>("equations", list && { component }, [component, list], async ({ equations }) => {
    await loadFormulas();
    found.value = equations;
  });
  const about = list?.components.find((each) => each.name === component);
  return (
    <div class="fill column" data-test="equations">
      <div class="bar"><span class="grow"><b>{component || about?.class_name}</b> <span class="faint">{component ? about?.class_name : ""}{isWaiting ? " ..." : ""}</span></span></div>
      {trouble ? <pre class="message error">{trouble}</pre> : null}
      <div class="grow scroll formulas">
        {found.value.length === 0 && !isWaiting ? <p class="empty">This component only has parts and connections: select one of its parts.</p> : null}
        {found.value.map((each, k) => <Formula key={`${k} ${each.latex}`} equation={each} />)}
      </div>
    </div>
  );
}

function Formula({ equation }: { equation: Equation }) {
  const home = useRef<HTMLDivElement>(null);
  useEffect(() => { void loadFormulas().then((draw) => home.current && draw(equation.latex, home.current)); }, [equation.latex]);
  return (
    <div class="formula">
      <div class="grow" ref={home} />
      <button class="link faint" onClick={() => void goTo(`${equation.file}:${equation.line}:1`)}>{equation.file.slice(equation.file.lastIndexOf("/") + 1)}:{equation.line}</button>
    </div>
  );
}
