// Shows the picture of `cutset diagram`, on which a hand builds: see handling.ts.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { save } from "./actions";
import { useAnswer } from "./asking";
import { choose, chosen, does, formOf, inside, parts, place, remove, short, shown, step } from "./building";
import { copyText, download } from "./copying";
import { Handling } from "./handling";
import { CLASS } from "./palette";
import * as state from "./state";

const STYLE = `
  :host { display: block; position: relative; user-select: none; }
  .part:not(.whole), .cut { touch-action: none; }
  svg { display: block; max-width: none; }
  svg > rect:first-of-type { fill: none; }
  .part, .net { cursor: pointer; }
  .cut { cursor: crosshair; }
  [tabindex] { outline: none; }
  .part.selected > rect, .part:not(.whole):hover > rect { stroke: var(--accent); }
  .part.selected > rect { stroke-width: 2.5; }
  [tabindex]:focus-visible > rect { stroke: var(--accent); stroke-width: 3; fill-opacity: 1; }
  .net.selected > path:not(.near), .net:focus-visible > path:not(.near) { stroke: var(--accent); stroke-width: 3; }
  .cut:hover > rect, .cut.fits > rect, .cut:focus-visible > rect { stroke: var(--accent); stroke-width: 5; fill: var(--accent); }
  .connecting .part, .connecting .net, .connecting .cut:not(.fits) { opacity: 0.4; }
  .moving { opacity: 0.25; }
  .over { position: absolute; left: 0; top: 0; pointer-events: none; will-change: transform; }
  .rubber { stroke: var(--accent); stroke-width: 2; stroke-dasharray: 5 3; }`;

/** The submodel around which the picture is drawn. */
export function Diagram() {
  const home = useRef<HTMLDivElement>(null), hand = useRef<Handling | null>(null), scale = useRef(1);
  const zoom = useSignal<number | null>(null), text = useSignal(""), title = useSignal("");
  const given = shown(), model = state.model.value, file = state.files.value.find(({ path }) => path === given?.file);
  useEffect(() => { inside.value = ""; choose([]); }, [model?.name, given?.file]);
  const asked = given && { ...given };
  const depends = [given?.file, given?.text, given?.name, given?.submodel, JSON.stringify(given?.unsaved)];
  const { trouble, isWaiting } = useAnswer<{ svg: string; class_name: string }>("picture", asked, depends, (data) => { text.value = data.svg; title.value = data.class_name; }, true);
  const open = (part: string) => { if (state.listing.value?.components.some((each) => each.name.startsWith(`${part}.`))) { inside.value = part; choose([]); } };
  useEffect(() => {
    if (!home.current || !text.value) return;
    const focused = hand.current?.focused() ?? "";
    scale.current = draw(home.current, text.value, zoom.value);
    const root = home.current.shadowRoot, svg = root?.querySelector("svg");
    if (root && svg) hand.current = new Handling(root, svg, scale.current, open);
    if (focused) hand.current?.focus(focused);
  }, [text.value, zoom.value]);
  useEffect(() => { if (state.selected.value && !chosen.value.has(state.selected.value)) chosen.value = new Set([state.selected.value]); }, [state.selected.value]);
  useEffect(() => hand.current?.mark(), [chosen.value]);
  const up = inside.value.slice(0, Math.max(0, inside.value.lastIndexOf("."))), picked = parts(), [one] = [...chosen.value];
  const wrap = async (named: string) => { if (named && (await does("wrap", { parts: picked, named }))) choose([]); };
  return (
    <div class="fill column" data-test="diagram" onKeyDown={(event) => {
      if ((event.ctrlKey || event.metaKey) && event.key === "s" && file) { event.preventDefault(); void save(file.path); }
      if ((event.ctrlKey || event.metaKey) && /^[zy]$/i.test(event.key)) { event.preventDefault(); void step(event.key.toLowerCase() === "y" || event.shiftKey ? "redo" : "undo"); }
    }}>
      <div class="bar">
        <span class="grow faint">{inside.value || title.value}{isWaiting ? " ..." : ""}</span>
        <Tools text={text.value} zoom={(by) => (zoom.value = scale.current * by)} />
      </div>
      <div class="bar" role="toolbar" aria-label="build">
        <button class="small" disabled={!inside.value} onClick={() => (inside.value = up)}>Up</button>
        <button class="small" disabled={picked.length !== 1} onClick={() => one && open(one)}>Inside</button>
        <button class="small" disabled={picked.length !== 1} onClick={() => (formOf.value = picked[0] ?? null)}>Values</button>
        <button class="small" aria-label="remove" title="Delete" disabled={chosen.value.size === 0} onClick={() => void remove()}>Remove</button>
        <button class="small" disabled={picked.length !== 1} title="where the layout puts it" onClick={() => void does("move", { part: short(one ?? ""), place: null })}>Unpin</button>
        <button class="small" title="Ctrl+S" disabled={!file || file.text === file.saved} onClick={() => file && void save(file.path)}>Save</button>
        <Wrap isPossible={picked.length > 0} wrap={wrap} />
        <button class="small" aria-label="undo" title="Undo (Ctrl+Z)" onClick={() => void step("undo")}>&#8630;</button>
        <button class="small" aria-label="redo" title="Redo (Ctrl+Y)" onClick={() => void step("redo")}>&#8631;</button>
      </div>
      {trouble ? <pre class="message error">{trouble}</pre> : null}
      <div class="grow scroll canvas-home" onDragOver={(event) => { if (event.dataTransfer?.types.includes(CLASS)) event.preventDefault(); }}
        onDrop={(event) => {
          const found = event.dataTransfer?.getData(CLASS);
          if (!found) return;
          event.preventDefault();
          const [library = "", name = ""] = JSON.parse(found) as string[];
          void place(library, name);
        }}>
        <div ref={home} />
        {text.value && !text.value.includes("data-cut=") ? <p class="empty">Drag a class here from the tab Library, or press Enter on it.</p> : null}
      </div>
    </div>
  );
}

/** The name of a new class, in a popover. */
function Wrap({ isPossible, wrap }: { isPossible: boolean; wrap: (named: string) => Promise<void> }) {
  return (
    <>
      <button class="small" disabled={!isPossible} popovertarget="wrap">Wrap</button>
      <form id="wrap" class="popup" popover="auto" onSubmit={(event) => {
        event.preventDefault();
        event.currentTarget.hidePopover();
        void wrap(String(new FormData(event.currentTarget).get("class") ?? "").trim());
      }}>
        <label class="setting">as the class <input name="class" autocomplete="off" autofocus /></label><button class="primary">Wrap</button>
      </form>
    </>
  );
}

/** The incidence of equations and unknowns. */
export function Blocks() {
  const home = useRef<HTMLDivElement>(null), scale = useRef(1), zoom = useSignal<number | null>(null), text = useSignal("");
  const list = state.listing.value, given = state.model.value && list ? { blocks: true, submodel: "", depth: null } : null;
  const { trouble, isWaiting } = useAnswer<{ svg: string }>("diagram", given, [list], ({ svg }) => (text.value = svg));
  useEffect(() => { if (home.current && text.value) scale.current = draw(home.current, text.value, zoom.value); }, [text.value, zoom.value]);
  return (
    <div class="fill column" data-test="diagram">
      <div class="bar"><span class="grow faint">in the order of evaluation{isWaiting ? " ..." : ""}</span><Tools text={text.value} zoom={(by) => (zoom.value = scale.current * by)} /></div>
      {trouble ? <pre class="message error">{trouble}</pre> : null}
      <div class="grow scroll canvas-home"><div ref={home} /></div>
    </div>
  );
}

function Tools({ text, zoom }: { text: string; zoom: (by: number) => void }) {
  return (
    <>
      <button class="small" aria-label="smaller" onClick={() => zoom(1 / 1.25)}>-</button>
      <button class="small" aria-label="larger" onClick={() => zoom(1.25)}>+</button>
      <button class="small" onClick={() => void copyText(text, "picture as SVG")}>Copy SVG</button>
      <button class="small" onClick={() => download(new Blob([text], { type: "image/svg+xml" }), "diagram.svg")}>Save SVG</button>
    </>
  );
}

// The letters of a picture are 11 pixels high: where it is made smaller, they are left out.
const WITHOUT_LETTERS = "text { display: none; }";

/** Puts the picture in a tree of its own, so that its styles meet no others; it is scrolled where its pane is smaller.
 * Returns its scale. The server has escaped all names. */
function draw(home: HTMLElement, text: string, zoom: number | null): number {
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
  return scale;
}
