// The header: the model, the settings of the run, progress, which panes are shown.
import { useRef } from "preact/hooks";
import { openModel } from "./actions";
import { isWritten } from "./buffers";
import { commandLine, copyText } from "./copying";
import { cancel, runNow } from "./running";
import * as state from "./state";
import type { Pane } from "./state";
import type { RunFacts, Settings } from "./types";
import { METHODS } from "./types";
import { duration, short } from "./numbers";
import { scheduleWorkspace } from "./workspace";

const PANES: [Pane, string][] = [["left", "Components"], ["center", "Text"], ["bottom", "Results"], ["right", "Plots"]];

export function Header() {
  const model = state.model.value, run = state.currentRun.value, progress = state.progress.value;
  // A file whose text had errors when it was opened is not the model yet.
  const path = model?.file ?? (isWritten(state.current.value) ? state.current.value : "");
  const start = () => { cancel(); void openModel(path, model?.name ?? null); };
  return (
    <header class="top">
      <b class="brand wide-only">Cutset</b>
      <span class="title" title={state.project.value?.path}>{model ? model.name : state.project.value?.folder}<span class="faint wide-only"> {model?.file}</span></span>
      <button class="primary" data-test="run" disabled={!path || progress?.fraction === null} title="translate the text and run it" onClick={start}>Run</button>
      <Setting label="stop" unit="s" name="stop" />
      <More />
      {progress ? (
        <span class="progress" data-test="progress" data-what={progress.what}>
          <progress value={progress.fraction ?? undefined} max={1} /> <span class="wide-only">{progress.what}{progress.fraction ? ` ${Math.round(100 * progress.fraction)} %` : ""}</span>
          <button class="small" data-test="cancel" onClick={cancel}>Cancel</button>
        </span>
      ) : run ? <span class="faint wide-only" data-test="time">{outcomeOf(run.facts)}</span> : null}
      <span class="grow" />
      <Sets />
      <button class="small wide-only" disabled={!model} title={commandLine()} onClick={() => void copyText(commandLine(), "command")}>Copy command</button>
      <span class="toggles wide-only" role="group" aria-label="panes">
        {PANES.map(([pane, label]) => (
          <button key={pane} class={`small ${state.panes.value[pane] ? "on" : ""}`} aria-pressed={state.panes.value[pane]} onClick={() => {
            state.panes.value = { ...state.panes.value, [pane]: !state.panes.value[pane] };
            scheduleWorkspace();
          }}>{label}</button>
        ))}
      </span>
    </header>
  );
}

function outcomeOf({ outcome, stop, statistics }: RunFacts): string {
  if (outcome === "interrupted") return `Canceled at ${short(stop, 4)} s`;
  return `${duration(statistics.wall_seconds)}, ${statistics.steps} steps${outcome === "completed" ? "" : `, ${outcome.replaceAll("_", " ")}`}`;
}

function Setting({ label, unit, name }: { label: string; unit: string; name: Exclude<keyof Settings, "method"> }) {
  const change = (input: HTMLInputElement) => {
    const isUsual = name === "points" && input.value.trim() === "";
    const x = Number(input.value), isGood = isUsual || (Number.isFinite(x) && x > 0);
    input.classList.toggle("wrong", !isGood);
    if (!isGood) return;
    state.settings.value = { ...state.settings.value, [name]: isUsual ? null : name === "points" ? Math.round(x) : x };
    scheduleWorkspace();
    void runNow();
  };
  const now = state.settings.value[name];
  return (
    <label class="setting">{label} <input class="number" type="text" inputMode="decimal" data-test={name} placeholder="model" value={now === null ? "" : short(now, 8)} onChange={(event) => change(event.currentTarget)} /> {unit}</label>
  );
}

/** A popover ends with Escape, and with a click elsewhere. */
function More() {
  const button = useRef<HTMLButtonElement>(null);
  const place = (event: ToggleEvent & { currentTarget: HTMLElement }) => {
    const { left = 0, bottom = 0 } = button.current?.getBoundingClientRect() ?? {}, popup = event.currentTarget;
    Object.assign(popup.style, { left: `${Math.min(left, innerWidth - 270)}px`, top: `${bottom + 4}px` });
  };
  return (
    <>
      <button ref={button} class="small" popovertarget="settings">Settings</button>
      <div id="settings" class="popup" popover="auto" onBeforeToggle={place}>
        <Setting label="output times" unit="" name="points" />
        <label class="setting">method <select value={state.settings.value.method} onChange={(event) => {
          state.settings.value = { ...state.settings.value, method: event.currentTarget.value };
          scheduleWorkspace();
          void runNow();
        }}>{METHODS.map((name) => <option key={name}>{name}</option>)}</select></label>
        <Setting label="relative tolerance" unit="" name="rtol" /><Setting label="absolute tolerance" unit="" name="atol" />
      </div>
    </>
  );
}

/** Sets of changed parameters: to keep, to use again, to take back. */
function Sets() {
  const changed = Object.keys(state.values.value).length + Object.keys(state.starts.value).length, sets = state.parameterSets.value;
  if (changed === 0 && sets.length === 0) return null;
  const choose = (what: string) => {
    const set = sets.find((each) => each.name === what);
    if (what === "+") {
      const name = `set ${sets.length + 1}`;
      state.parameterSets.value = [...sets, { name, values: state.values.value, starts: state.starts.value }];
    } else {
      state.values.value = set?.values ?? {};
      state.starts.value = set?.starts ?? {};
      void runNow();
    }
    scheduleWorkspace();
  };
  return (
    <select class="small" aria-label="parameter sets" value="" onChange={(event) => { choose(event.currentTarget.value); event.currentTarget.value = ""; }}>
      <option value="" hidden>{changed === 0 ? "parameter sets" : changed === 1 ? "1 changed value" : `${changed} changed values`}</option>
      {changed > 0 ? <option value="+">Keep as a set</option> : null}
      {changed > 0 ? <option value="-">Reset all</option> : null}
      {sets.map(({ name }) => <option key={name}>{name}</option>)}
    </select>
  );
}
