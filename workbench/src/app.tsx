// Lays out the workbench: the header, panes that can be hidden and resized, tabs; one pane at a time on a phone.
import { signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { closeFile, comeBack, openModel, save } from "./actions";
import { Animation } from "./animation";
import { isWritten } from "./buffers";
import { Blocks, Diagram } from "./diagram";
import { Equations } from "./equations";
import { Files } from "./files";
import { Form } from "./form";
import { Header } from "./header";
import { Inspector, QuickParameters } from "./inspector";
import { Palette } from "./palette";
import { Plots } from "./plots";
import { Events, Messages, Statistics, Uses, Why } from "./results";
import { Splitter } from "./splitter";
import * as state from "./state";
import { Studies } from "./studies";
import { Tree } from "./tree";
import { scheduleWorkspace } from "./workspace";

const PHONE = matchMedia("(max-width: 820px)");

export function App() {
  const isPhone = useSignal(PHONE.matches);
  useEffect(() => {
    const change = () => (isPhone.value = PHONE.matches);
    PHONE.addEventListener("change", change);
    const back = () => void comeBack();
    addEventListener("focus", back);
    return () => {
      PHONE.removeEventListener("change", change);
      removeEventListener("focus", back);
    };
  }, []);
  return (
    <>
      <Header />
      {isPhone.value ? <PhoneLayout /> : <WideLayout />}
      <Form />
      <Notice />
    </>
  );
}

function WideLayout() {
  const { left, center, right, bottom } = state.panes.value, size = state.sizes.value;
  const columns = [left ? `${size.left}px 5px` : "", center || bottom ? "minmax(0, 1fr)" : "", right ? (center || bottom ? `5px ${size.right}%` : "minmax(0, 1fr)") : ""];
  return (
    <main class="wide" style={{ gridTemplateColumns: columns.filter(Boolean).join(" ") }}>
      {left ? <><LeftPane /><Splitter side="left" /></> : null}
      {center || bottom ? <CenterPane /> : null}
      {right ? <>{center || bottom ? <Splitter side="right" /> : null}<RightPane /></> : null}
    </main>
  );
}

function PhoneLayout() {
  const shown = state.tabs.value.phone;
  return (
    <main class="phone">
      <div class="pane grow">
        {shown === "model" ? <LeftPane /> : shown === "text" ? <Views /> : shown === "plots" ? <PhonePlots /> : <BottomPane />}
      </div>
      <nav class="phone-tabs">
        {[["model", "Model"], ["text", "Text"], ["plots", "Plots"], ["more", "Results"]].map(([key, label]) => (
          <button key={key} class={shown === key ? "on" : ""} onClick={() => state.show({ phone: key ?? "plots" })}>{label}{key === "text" && state.errorCount.value > 0 ? <i class="badge">{state.errorCount.value}</i> : null}</button>
        ))}
      </nav>
    </main>
  );
}

export interface Tab {
  key: string;
  label: string;
  badge?: number;
}

function Tabs({ tabs, shown, onShow, children }: { tabs: Tab[]; shown: string; onShow: (key: string) => void; children?: ComponentChildren }) {
  return (
    <div class="tabs" role="tablist">
      {tabs.map(({ key, label, badge }) => (
        <button key={key} role="tab" aria-selected={shown === key} class={`tab ${shown === key ? "on" : ""}`} onClick={() => { onShow(key); scheduleWorkspace(); }}>
          {label}{badge ? <i class="badge">{badge}</i> : null}
        </button>
      ))}
      <span class="grow" />
      {children}
    </div>
  );
}

function LeftPane() {
  const shown = state.tabs.value.left;
  return (
    <div class="pane column">
      <Tabs tabs={[{ key: "components", label: "Components" }, { key: "library", label: "Library" }, { key: "files", label: "Files" }]} shown={shown} onShow={(left) => state.show({ left })} />
      <div class="stack" style={{ gridTemplateRows: `minmax(60px, ${100 - state.sizes.value.inspector}%) 5px minmax(60px, 1fr)` }}>
        {shown === "files" ? <Files /> : shown === "library" ? <Palette /> : <Tree />}
        <Splitter side="inspector" />
        <Inspector />
      </div>
    </div>
  );
}

function CenterPane() {
  const { center, bottom } = state.panes.value;
  const rows = center && bottom ? `minmax(0, 1fr) 5px ${state.sizes.value.bottom}px` : "minmax(0, 1fr)";
  return (
    <div class="stack" style={{ gridTemplateRows: rows }}>
      {center ? <Views /> : null}
      {center && bottom ? <Splitter side="bottom" /> : null}
      {bottom ? <BottomPane /> : null}
    </div>
  );
}

function Views() {
  const shown = state.tabs.value.center;
  const tabs = [{ key: "text", label: "Text", badge: state.errorCount.value }, { key: "diagram", label: "Diagram" }, { key: "equations", label: "Equations" }, { key: "blocks", label: "Blocks" }];
  return (
    <div class="pane column">
      <Tabs tabs={tabs} shown={shown} onShow={(center) => state.show({ center })} />
      {shown === "diagram" ? <Diagram /> : shown === "equations" ? <Equations /> : shown === "blocks" ? <Blocks /> : <TextView />}
    </div>
  );
}

// Two thirds of the code of the page are the editor: the first picture does not wait for it.
const loaded = signal<typeof import("./editor") | null>(null);
void import("./editor").then((found) => (loaded.value = found));

function TextView() {
  const editor = loaded.value;
  const file = state.currentFile.value, objects = state.objects.value, model = state.model.value;
  return (
    <div class="fill column">
      <div class="bar files">
        {state.files.value.map(({ path, text, saved }) => (
          <span key={path} class={`chip file ${path === state.current.value ? "on" : ""}`}>
            <button class="plain" title={path} onClick={() => (state.current.value = path)}>{path.slice(path.lastIndexOf("/") + 1)}{text !== saved ? <i class="dot" title="not saved" /> : null}</button>
            <button class="close" aria-label={`close ${path}`} onClick={() => closeFile(path)}>&#215;</button>
          </span>
        ))}
        <span class="grow" />
        {objects.length > 1 && model && model.file === file?.path ? (
          <select class="small" aria-label="model" value={model.name} onChange={(event) => void openModel(model.file, event.currentTarget.value)}>{objects.map((name) => <option key={name}>{name}</option>)}</select>
        ) : null}
        <select class="small name-menu" aria-label="the name at the cursor" title="the name at the cursor" value="" disabled={!file} onChange={(event) => {
          editor?.ask(event.currentTarget.value);
          event.currentTarget.value = "";
        }}>
          <option value="" hidden>Name</option>
          <option value="declaration">Declaration (F12)</option><option value="uses">Uses (Shift+F12)</option><option value="rename">Rename ... (F2)</option>
        </select>
        <button class="small" title="Shift+Alt+F" disabled={!file || !isWritten(file.path)} onClick={() => void editor?.format(null)}>Format</button>
        <button class="small" title="Ctrl+S" disabled={!file || file.text === file.saved} onClick={() => file && void save(file.path)}>Save</button>
      </div>
      <div class="grow clip">{state.files.value.length === 0 ? <p class="empty">Open a file from the list.</p> : editor ? <editor.Editor /> : null}</div>
    </div>
  );
}

function BottomPane() {
  const shown = state.tabs.value.bottom;
  const tabs = [{ key: "messages", label: "Messages", badge: state.errorCount.value }, { key: "run", label: "Run" }, { key: "events", label: "Events" }, { key: "studies", label: "Studies" }, { key: "why", label: "Why" }, ...(state.uses.value ? [{ key: "uses", label: "Uses" }] : [])];
  return (
    <div class="pane column" data-test="bottom">
      <Tabs tabs={tabs} shown={shown} onShow={(bottom) => state.show({ bottom })} />
      <div class="grow clip">{shown === "run" ? <Statistics /> : shown === "events" ? <Events /> : shown === "studies" ? <Studies /> : shown === "why" ? <Why /> : shown === "uses" ? <Uses /> : <Messages />}</div>
    </div>
  );
}

function RightPane() {
  const hasScene = state.model.value?.has_scene ?? false;
  return (
    <div class="pane stack" style={{ gridTemplateRows: hasScene ? `minmax(0, ${100 - state.sizes.value.scene}%) 5px minmax(0, 1fr)` : "minmax(0, 1fr)" }}>
      <Plots />
      {hasScene ? <><Splitter side="scene" /><Animation /></> : null}
    </div>
  );
}

/** A phone shows the sliders below what they change. */
function PhonePlots() {
  const hasSliders = Object.keys(state.model.value?.parameters ?? {}).length > 0;
  return (
    <div class="stack" style={{ gridTemplateRows: hasSliders ? "minmax(0, 1fr) minmax(0, 190px)" : "minmax(0, 1fr)" }}>
      <RightPane />
      {hasSliders ? <div class="pane beside"><QuickParameters /></div> : null}
    </div>
  );
}

function Notice() {
  const notice = state.notice.value;
  useEffect(() => {
    if (notice?.kind !== "info") return undefined;
    const timer = setTimeout(() => (state.notice.value = null), 2500);
    return () => clearTimeout(timer);
  }, [notice]);
  if (!state.online.value && state.project.value) return <div class="notice error" role="alert">The server has stopped. Start it again with cutset open, and use its new address.</div>;
  if (!notice) return null;
  return (
    <div class={`notice ${notice.kind}`} role={notice.kind === "error" ? "alert" : "status"} data-test="notice">
      <pre>{notice.text}</pre>
      {notice.choices?.map(({ label, act }) => <button key={label} class="small" onClick={act}>{label}</button>)}
      <button class="close" aria-label="close" onClick={() => (state.notice.value = null)}>&#215;</button>
    </div>
  );
}
