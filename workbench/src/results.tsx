// Shows what a run tells beside its curves: messages, statistics, events, reasons.
import { useSignal } from "@preact/signals";
import { edit, goTo } from "./actions";
import { useAnswer } from "./asking";
import { commandLine, copyText } from "./copying";
import { asked } from "./inspector";
import { duration, short } from "./numbers";
import * as state from "./state";
import { showPlace } from "./naming";
import type { Diagnostic, Remedy } from "./types";

export function Messages() {
  const all = state.messages.value;
  const notes = state.currentRun.value?.facts.notes ?? [], failed = state.failedRun.value;
  if (all.length === 0 && notes.length === 0 && !failed) {
    return <p class="empty">{state.isChecking.value ? "Checking ..." : "No errors."}</p>;
  }
  return (
    <ul class="messages scroll fill" data-test="messages">
      {all.map((each, k) => <Message key={k} message={each} />)}
      {failed ? <li class="message error" data-test="failed-run"><pre class="grow aligned">{failed}</pre></li> : null}
      {notes.map((text) => <li class="message note" key={text}><span class="grow">{text}</span></li>)}
    </ul>
  );
}

function Message({ message }: { message: Diagnostic }) {
  const place = message.place, isOpen = state.files.value.some((file) => file.path === place?.file);
  return (
    <li class={`message ${message.severity}`}>
      <div class="grow">
        <b class="code">{message.code}</b> {message.message}
        {message.instance ? <span class="faint"> in {message.instance}</span> : null}
        {message.hint ? <div class="hint">{message.hint}</div> : null}
        {message.notes.map((note) => <div class="faint aligned" key={note}>{note}</div>)}
      </div>
      {place && isOpen ? message.remedies.map((remedy) => <button key={remedy.title} class="small" onClick={() => apply(place.file, remedy)}>{remedy.title}</button>) : null}
      {place ? <button class="link" onClick={() => void goTo(`${place.file}:${place.line}:${place.column}`)}>{place.file}:{place.line}</button> : null}
    </li>
  );
}

/** Makes the change that a message proposes, unless the text has changed there since. */
function apply(path: string, { from, to, old, text }: Remedy): void {
  const file = state.files.value.find((each) => each.path === path);
  if (file && file.text.slice(from, to) === old) edit(path, file.text.slice(0, from) + text + file.text.slice(to));
}

/** The places that use a name, as lines of the text. */
export function Uses() {
  const found = state.uses.value;
  if (!found) return <p class="empty">Press Shift-F12 on a name in the text to see where it is used.</p>;
  return (
    <ul class="messages scroll fill" data-test="uses">
      <li class="empty">{found.count} {found.count === 1 ? "place" : "places"} with {found.name}</li>
      {found.places.map((place, k) => (
        <li key={k} class="message pointed" onClick={() => void showPlace(place)}>
          <code class="grow command">{place.text.trim()}</code>
          <button class="link" title={place.file}>{place.file.slice(place.file.lastIndexOf("/") + 1)}:{place.line + 1}</button>
        </li>
      ))}
      {found.count > found.places.length ? <li class="empty">and {found.count - found.places.length} more</li> : null}
    </ul>
  );
}

export function Statistics() {
  const run = state.currentRun.value, facts = state.model.value?.facts;
  if (!run || !facts) return <p class="empty">Run a model to see what the run cost.</p>;
  const { statistics } = run.facts;
  const work = [...facts.work].sort((a, b) => cost(b) - cost(a)).slice(0, 12);
  const sizes = (list: { size: number; torn: number }[]) => list.map(({ size, torn }) => (torn < size ? `${size} (torn to ${torn})` : String(size))).join(", ") || "none";
  const rows: [string, string][] = [
    ["outcome", run.facts.outcome.replaceAll("_", " ") + (run.facts.ended_by ? `: ${run.facts.ended_by}` : "")],
    ["method", statistics.method],
    ["steps", `${statistics.steps}, ${statistics.error_test_failures} rejected`],
    ["evaluations", String(statistics.evaluations)],
    ["events", Object.entries(statistics.events).map(([kind, count]) => `${count} ${kind}`).join(", ") || "none"],
    ["time of the run", duration(statistics.wall_seconds)],
    ["equations", `${facts.equations}, ${facts.aliases} aliases`],
    ["states", String(facts.states)],
    ["blocks", String(facts.blocks)],
    ["linear systems", sizes(facts.linear_systems)],
    ["nonlinear systems", sizes(facts.nonlinear_systems)],
    ["operations", `${facts.operations.mul_div} *,/  ${facts.operations.add_sub} +,-  ${facts.operations.functions} functions`],
    ["differentiated equations", String(facts.differentiated_equations)],
    ["translation", duration(Object.values(facts.time_seconds).reduce((a, b) => a + b, 0))],
  ];
  return (
    <div class="fill scroll" data-test="statistics">
      <div class="bar"><code class="grow command">{commandLine()}</code><button class="small" onClick={() => void copyText(commandLine(), "command")}>Copy command</button></div>
      <div class="two">
        <table class="facts"><tbody>{rows.map(([name, value]) => <tr key={name}><th>{name}</th><td>{value}</td></tr>)}</tbody></table>
        <table class="facts"><thead><tr><th>component</th><th>*,/</th><th>+,-</th><th>functions</th></tr></thead>
          <tbody>{work.map((each) => <tr key={each.instance}><th>{each.instance || state.model.value?.name}</th><td>{each.mul_div}</td><td>{each.add_sub}</td><td>{each.functions}</td></tr>)}</tbody></table>
      </div>
    </div>
  );
}

function cost(work: { mul_div: number; add_sub: number; functions: number }): number {
  return work.mul_div + work.add_sub + 10 * work.functions;
}

export function Events() {
  const found = state.events.value;
  if (!found || found.count === 0) return <p class="empty">The run had no events.</p>;
  return (
    <div class="fill scroll">
      <table class="facts" data-test="events">
        <thead><tr><th>time in s</th><th>kind</th><th>what changed</th></tr></thead>
        <tbody>{found.events.map((event, k) => (
          <tr key={k} class="pointed" onClick={() => (state.cursor.value = event.time)}>
            <td>{short(event.time, 8)}</td><td>{event.kinds.join(", ") || "input"}</td>
            <td>{[
              ...Object.entries(event.relations).map(([text, holds]) => `${text}: ${holds ? "true" : "false"}`),
              ...Object.entries({ ...event.discrete, ...event.states }).map(([name, [before, after]]) => `${name}: ${short(before)} \u2192 ${short(after)}`),
            ].join("; ")}</td>
          </tr>))}
        </tbody>
      </table>
      {found.count > found.events.length ? <p class="empty">and {found.count - found.events.length} more</p> : null}
    </div>
  );
}

interface Reason {
  name: string;
  kind: string;
  lines: string[];
}

export function Why() {
  const found = useSignal<Reason[]>([]), name = asked.value;
  const { trouble, isWaiting } = useAnswer<{ reasons: Reason[] }>("why", name && state.listing.value ? { name } : null, [name], ({ reasons }) => (found.value = reasons));
  if (!name) return <p class="empty">Click ? next to a variable to see how it is determined.</p>;
  return (
    <div class="fill scroll why">
      {trouble ? <pre class="message error">{trouble}</pre> : null}
      {isWaiting ? <p class="empty">{name} ...</p> : null}
      {(trouble || isWaiting ? [] : found.value).map((each) => (
        <div key={each.name}><h4>{each.name} <span class="faint">{each.kind}</span></h4><ul>{each.lines.map((line) => <li key={line}>{line}</li>)}</ul></div>
      ))}
    </div>
  );
}
