// Shows the picture of `cutset diagram`: a click selects a component, a double click opens it.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { select } from "./actions";
import { useAnswer } from "./asking";
import { copyText, download } from "./copying";
import * as state from "./state";

const STYLE = `
  :host { display: block; }
  svg { display: block; max-width: none; }
  svg > rect:first-of-type { fill: none; }
  .part { cursor: pointer; }
  .part.selected > rect { stroke: var(--accent); stroke-width: 2.5; }
  .part:hover > rect { stroke: var(--accent); }`;

/** The submodel around which the picture is drawn, and how deep. */
export function Diagram({ blocks = false }: { blocks?: boolean }) {
  const home = useRef<HTMLDivElement>(null);
  const inside = useSignal(""), zoom = useSignal<number | null>(null), scale = useRef(1), text = useSignal("");
  const model = state.model.value, list = state.listing.value;
  useEffect(() => { inside.value = ""; }, [model?.name]);
  const given = model && list ? { blocks, submodel: inside.value, depth: blocks ? null : 1 } : null;
  const { trouble, isWaiting } = useAnswer<{ svg: string }>("diagram", given, [list, inside.value, blocks], ({ svg }) => (text.value = svg));
  useEffect(() => {
    if (home.current && text.value) scale.current = draw(home.current, text.value, zoom.value, (path) => { inside.value = path; });
  }, [text.value, zoom.value]);
  useEffect(() => { if (home.current?.shadowRoot) mark(home.current.shadowRoot, state.selected.value); }, [state.selected.value, text.value, zoom.value]);
  const up = inside.value.slice(0, Math.max(0, inside.value.lastIndexOf(".")));
  return (
    <div class="fill column" data-test="diagram">
      <div class="bar">
        {blocks ? null : <button class="small" disabled={!inside.value} onClick={() => (inside.value = up)}>Up</button>}
        <span class="grow faint">{blocks ? "in the order of evaluation" : inside.value || model?.name}{isWaiting ? " ..." : ""}</span>
        <button class="small" aria-label="smaller" onClick={() => (zoom.value = scale.current / 1.25)}>-</button>
        <button class="small" aria-label="larger" onClick={() => (zoom.value = scale.current * 1.25)}>+</button>
        <button class="small" onClick={() => void copyText(text.value, "picture as SVG")}>Copy SVG</button>
        <button class="small" onClick={() => download(new Blob([text.value], { type: "image/svg+xml" }), "diagram.svg")}>Save</button>
      </div>
      {trouble ? <pre class="message error">{trouble}</pre> : null}
      <div class="grow scroll canvas-home"><div ref={home} /></div>
    </div>
  );
}

// The letters of a picture are 11 pixels high: where it is made smaller, they are left out.
const WITHOUT_LETTERS = "text { display: none; }";

/** Puts the picture in a tree of its own, so that its styles meet no others; it is scrolled where its pane is smaller.
 * Returns its scale. The server has escaped all names. */
function draw(home: HTMLElement, text: string, zoom: number | null, open: (path: string) => void): number {
  const root = home.shadowRoot ?? home.attachShadow({ mode: "open" });
  // The policy of the page admits no style elements in what is parsed.
  const [, own] = /<style>([^<]*)<\/style>/.exec(text) ?? [];
  const svg = new DOMParser().parseFromString(text.replace(/<style>[^<]*<\/style>/, ""), "image/svg+xml").documentElement;
  const sheet = new CSSStyleSheet();
  const scale = zoom ?? 1;
  sheet.replaceSync((own ?? "") + STYLE + (scale < 0.95 ? WITHOUT_LETTERS : ""));
  root.adoptedStyleSheets = [sheet];
  for (const side of ["width", "height"]) svg.setAttribute(side, String(Number(svg.getAttribute(side)) * scale));
  root.replaceChildren(document.importNode(svg, true));
  const part = (event: Event) => (event.target as Element).closest<SVGElement>("[data-path]")?.dataset["path"];
  root.firstElementChild?.addEventListener("click", (event) => { const path = part(event); if (path !== undefined) select(path); });
  root.firstElementChild?.addEventListener("dblclick", (event) => {
    const path = part(event);
    if (path && state.listing.value?.components.some((each) => each.name.startsWith(`${path}.`))) open(path);
  });
  return scale;
}

function mark(root: ShadowRoot, selected: string): void {
  for (const part of root.querySelectorAll<SVGElement>(".part")) part.classList.toggle("selected", part.dataset["path"] === selected && selected !== "");
}
