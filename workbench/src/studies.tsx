// Studies of the model: sweep, linearization, equilibrium, verification, fit.
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { RequestError } from "./connection";
import type { Answer } from "./connection";
import { copyText } from "./copying";
import { Bode, Poles } from "./pictures";
import type { Motion, Response } from "./pictures";
import { short } from "./numbers";
import { setValue } from "./running";
import * as state from "./state";

type Kind = "sweep" | "linearize" | "steady" | "verify" | "fit";
const KINDS: [Kind, string][] = [["sweep", "Sweep"], ["linearize", "Linearize"], ["steady", "Equilibrium"], ["verify", "Verify"], ["fit", "Fit"]];

const kind = signal<Kind>("sweep");
const busy = signal<{ kind: Kind; abort: AbortController } | null>(null);
const trouble = signal("");
const news = signal("");

type Cell = string | number | boolean | null;
interface Compared { way: string; passed: boolean; states: number; problem: string; at_points: { size: number } | null; in_runs: { size: number } | null; laws: { size: number } | null }
const table = signal<{ columns: string[]; rows: Cell[][] } | null>(null);
const linear = signal<{ motions: Motion[]; response: Response | null } | null>(null);
const rest = signal<[string, number, string][] | null>(null);
const verified = signal<{ passed: boolean; rows: Compared[] } | null>(null);
const fitted = signal<{ values: Record<string, number>; errors: Record<string, number>; runs: number } | null>(null);

/** Asks for a study; one at a time. */
async function study<T>(call: Kind, given: Record<string, unknown>, take: (answer: Answer<T>) => void): Promise<void> {
  const abort = new AbortController();
  busy.value = { kind: call, abort };
  trouble.value = news.value = "";
  const settings = { ...state.settings.value, parameters: state.values.value, initial: state.starts.value };
  try {
    take(await state.connection.ask<T>(call, { settings, ...given }, {
      aside: true, signal: abort.signal, news: (data) => { if (typeof data["error"] === "number") news.value = `root mean square error ${short(data["error"])}`; },
    }));
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (!error.isCanceled) trouble.value = error.failure.text;
  } finally {
    busy.value = null;
  }
}

export function Studies() {
  const home = useRef<HTMLDivElement>(null), isNew = useRef(false);
  useEffect(() => {
    // A low pane shows the form only: what was found is below it.
    if (isNew.current) home.current?.querySelector(".form ~ *")?.scrollIntoView({ block: "start" });
    isNew.current = true;
  }, [table.value, linear.value, rest.value, verified.value, fitted.value, trouble.value]);
  return (
    <div class="fill column" data-test="studies">
      <div class="bar">
        {KINDS.map(([each, label]) => <button key={each} class={`tab ${kind.value === each ? "on" : ""}`} onClick={() => (kind.value = each)}>{label}</button>)}
        <span class="grow" />
        {busy.value ? <><span class="faint">{KINDS.find(([each]) => each === busy.value?.kind)?.[1]}: {news.value || "working ..."}</span><button class="small" onClick={() => busy.value?.abort.abort()}>Cancel</button></> : null}
      </div>
      <div class="grow scroll study" ref={home}>
        {kind.value === "sweep" ? <SweepStudy /> : kind.value === "linearize" ? <LinearStudy /> : kind.value === "steady" ? <SteadyStudy />
          : kind.value === "verify" ? <VerifyStudy /> : <FitStudy />}
        {trouble.value ? <pre class="message error">{trouble.value}</pre> : null}
      </div>
    </div>
  );
}

function Form({ action, children, onSubmit }: { action: string; children?: ComponentChildren; onSubmit: (given: FormData) => void }) {
  return (
    <form class="form" onSubmit={(event) => { event.preventDefault(); onSubmit(new FormData(event.currentTarget)); }}>
      {children}
      <button class="primary" disabled={busy.value !== null || !state.model.value}>{action}</button>
    </form>
  );
}

// What `Number` reads.
const NUMBER = String.raw`\s*[+\-]?(\d+\.?\d*|\.\d+)([eE][+\-]?\d+)?\s*`;

function Field(props: { label: string; name: string; value?: string; empty?: string; list?: string[]; wide?: boolean; number?: boolean }) {
  const id = `list-${props.name}`;
  return (
    <label class={props.wide ? "field wide" : "field"}>{props.label}
      <input name={props.name} defaultValue={props.value ?? ""} placeholder={props.empty ?? ""} {...(props.number ? { pattern: NUMBER, title: "a number", required: !props.empty, inputMode: "decimal" as const } : {})} list={props.list ? id : undefined} autocomplete="off" />
      {props.list ? <datalist id={id}>{props.list.slice(0, 2000).map((each) => <option key={each} value={each} />)}</datalist> : null}
    </label>
  );
}

function text(given: FormData, name: string): string {
  const found = given.get(name);
  return typeof found === "string" ? found.trim() : "";
}

function parameterNames(): string[] {
  return Object.keys(state.model.value?.parameters ?? {});
}

function plotted(): string {
  return state.plots.value.flatMap((plot) => plot.names)[0] ?? "";
}

function variableNames(): string[] {
  return [...(state.listing.value?.variables.keys() ?? [])];
}

function SweepStudy() {
  const first = Object.keys(state.values.value)[0] ?? parameterNames()[0] ?? "", usual = state.values.value[first] ?? state.model.value?.parameters[first] ?? 1;
  const run = (given: FormData) => {
    const count = Math.max(2, Math.round(Number(text(given, "count")))), from = Number(text(given, "from")), to = Number(text(given, "to"));
    const points = Array.from({ length: count }, (_, k) => from + ((to - from) * k) / (count - 1));
    const keep = text(given, "keep").split(";").map((each) => each.trim()).filter(Boolean);
    void study<{ columns: string[]; rows: Cell[][] }>("sweep", { vary: { [text(given, "vary")]: points }, keep }, ({ data }) => (table.value = data));
  };
  return (
    <>
      <Form key={state.model.value?.name ?? ""} action="Sweep" onSubmit={run}>
        <Field label="vary" name="vary" value={first} list={parameterNames()} />
        <Field label="from" name="from" number value={short(0.5 * usual)} /><Field label="to" name="to" number value={short(usual === 0 ? 1 : 1.5 * usual)} /><Field label="points" name="count" number value="11" />
        <Field label="record" empty="name; max(name)" name="keep" value={plotted() ? `max(${plotted()}); ${plotted()}` : ""} wide />
      </Form>
      {table.value ? <Table {...table.value} /> : null}
    </>
  );
}

function Table({ columns, rows }: { columns: string[]; rows: Cell[][] }) {
  const cell = (value: Cell) => (typeof value === "number" ? short(value, 6) : String(value ?? "-"));
  const csv = () => [columns, ...rows].map((row) => row.map((each) => (/[",\n]/.test(String(each ?? "")) ? `"${String(each).replaceAll('"', '""')}"` : String(each ?? ""))).join(",")).join("\n");
  return (
    <>
      <button class="small" onClick={() => void copyText(csv(), "table")}>Copy table</button>
      <table class="facts" data-test="table"><thead><tr>{columns.map((name) => <th key={name}>{name}</th>)}</tr></thead>
        <tbody>{rows.map((row, k) => <tr key={k}>{row.map((value, j) => <td key={j}>{cell(value)}</td>)}</tr>)}</tbody></table>
    </>
  );
}

function LinearStudy() {
  const inputs = state.model.value?.inputs ?? [], found = linear.value;
  const run = (given: FormData) => {
    const where = text(given, "time");
    const asked = { time: where === "" ? null : Number(where), input_name: text(given, "input"), output_name: text(given, "output") };
    void study<{ motions: Motion[] }>("linearize", asked, ({ data, arrays }) => {
      const [omega, magnitude, phase] = arrays as Float64Array[];
      linear.value = { ...data, response: omega && magnitude && phase ? { omega, magnitude, phase } : null };
    });
  };
  return (
    <>
      <Form action="Linearize" onSubmit={run}>
        <Field label="at time, in s" empty="equilibrium" name="time" value="0" number />
        {inputs.length > 0 ? <><Field label="response to input" name="input" value={inputs[0] ?? ""} list={inputs} /><Field label="of variable" name="output" value={plotted()} list={variableNames()} /></> : null}
      </Form>
      {inputs.length > 0 || found ? null : <p class="hint">Shows the eigenvalues. A model with inputs also has a frequency response.</p>}
      {found ? (
        <div class="two">
          <div class="pictures"><Poles motions={found.motions} />{found.response ? <Bode response={found.response} /> : null}</div>
          <table class="facts" data-test="motions"><thead><tr><th>eigenvalue in 1/s</th><th>frequency in rad/s</th><th>damping</th><th>states</th></tr></thead>
            <tbody>{found.motions.map((each, k) => (
              <tr key={k}><td>{complex(each.eigenvalue)}{each.count > 1 ? ` (${each.count})` : ""}</td><td>{short(each.frequency)}</td><td>{each.damping === null ? "-" : short(each.damping, 3)}</td><td title={Object.keys(each.states).join(", ")}>{some(Object.keys(each.states))}</td></tr>
            ))}</tbody></table>
        </div>
      ) : null}
    </>
  );
}

/** The first names, and how many there are besides. */
function some(names: string[]): string {
  return names.length > 5 ? `${names.slice(0, 4).join(", ")} and ${names.length - 4} more` : names.join(", ");
}

function complex([re, im]: [number, number]): string {
  return im === 0 ? short(re) : `${short(re)} \u00b1 ${short(Math.abs(im))}i`;
}

function SteadyStudy() {
  const run = (given: FormData) =>
    void study<{ rows: [string, number, string][] }>("steady", { time: Number(text(given, "time")) }, ({ data }) => (rest.value = data.rows));
  return (
    <>
      <Form action="Find the equilibrium" onSubmit={run}><Field label="with time at, in s" name="time" value="0" number /></Form>
      {rest.value ? <Table columns={["state", "value", "unit"]} rows={rest.value} /> : null}
    </>
  );
}

function VerifyStudy() {
  const found = verified.value, size = (each: { size: number } | null) => (each ? short(each.size, 3) : "-");
  return (
    <>
      <Form action="Verify" onSubmit={() => void study<{ passed: boolean; rows: Compared[] }>("verify", {}, ({ data }) => (verified.value = data))}>
        <p class="hint">Computes the saved model in independent ways, with each multibody library, and compares them. The table has differences as multiples of the largest allowed one. This can take a minute.</p>
      </Form>
      {found ? <p class={found.passed ? "good" : "bad"}>{found.passed ? "All ways agree." : "The ways differ."}</p> : null}
      {found ? <Table columns={["way", "agrees", "states", "at points", "in runs", "laws", "problem"]}
        rows={found.rows.map((row) => [row.way, row.passed ? "yes" : "no", row.states, size(row.at_points), size(row.in_runs), size(row.laws), row.problem])} /> : null}
    </>
  );
}

function FitStudy() {
  const tables = (state.project.value?.files ?? []).filter((file) => file.endsWith(".csv")), found = fitted.value;
  const run = (given: FormData) => {
    const columns = Object.fromEntries(text(given, "columns").split(";").map((each) => each.split("=").map((part) => part.trim())).filter(([name]) => name).map(([name, column]) => [name, column ?? name]));
    const find = text(given, "find").split(";").map((each) => each.trim()).filter(Boolean);
    void study<{ values: Record<string, number>; errors: Record<string, number>; runs: number }>("fit", { table_file: text(given, "file"), columns, find }, ({ data }) => (fitted.value = data));
  };
  return (
    <>
      <Form action="Fit" onSubmit={run}>
        <Field label="CSV file with a column time" empty="data.csv" name="file" value={tables[0] ?? ""} list={tables} />
        <Field label="variables and their columns" empty="variable = column; ..." name="columns" value={plotted() ? `${plotted()} = ${plotted()}` : ""} wide />
        <Field label="find the parameters" empty="a; b" name="find" value={parameterNames()[0] ?? ""} list={parameterNames()} />
      </Form>
      {found ? (
        <>
          <Table columns={["parameter", "value"]} rows={Object.entries(found.values)} />
          <p class="hint">{found.runs} evaluations; root mean square errors: {Object.entries(found.errors).map(([name, error]) => `${name} ${short(error)}`).join(", ")}</p>
          <button class="small" onClick={() => { for (const [name, value] of Object.entries(found.values)) setValue(name, value); }}>Use these values</button>
        </>
      ) : null}
    </>
  );
}
