// Holds what the workbench shows, as signals. Modules with verbs change it; components read it.
import { batch, computed, signal } from "@preact/signals";
import { Connection } from "./connection";
import type { NamedPlace } from "./naming";
import type {
  Component, Diagnostic, ModelEvent, OpenedModel, Project, RunFacts, Settings, Variable,
} from "./types";

export interface OpenFile {
  path: string;
  text: string;
  saved: string;
  /** Tells whether the file on the disk is still the one that was read or written. */
  mark: string;
}

export interface Notice {
  kind: "error" | "info";
  text: string;
  choices?: { label: string; act: () => void }[];
}

export interface ModelState extends OpenedModel {
  file: string;
}

export interface Listing {
  components: Component[];
  variables: Map<string, Variable>;
}

export interface Curves {
  names: string[];
  units?: string[];
  time: Float64Array;
  columns: Float64Array[];
}

/** What differs from the values of the model. */
export interface Changes {
  values: Record<string, number>;
  starts: Record<string, number>;
}

export interface Run {
  number: number;
  label: string;
  facts: RunFacts;
  changes: Changes;
  /** The curves by plot. */
  curves: Map<number, Curves>;
  isKept: boolean;
}

export interface Plot {
  id: number;
  names: string[];
  /** The variable of the horizontal axis; "time" or the first axis of a phase plot. */
  over: string;
  range: [number, number] | null;
}

export type Pane = "left" | "center" | "right" | "bottom";

export const USUAL_SETTINGS: Settings = { stop: 1, points: null, method: "auto", rtol: 1e-6, atol: 1e-8 };

export const online = signal(false);
export const connection = new Connection((isOpen) => (online.value = isOpen));

export const project = signal<Project | null>(null);
export const files = signal<OpenFile[]>([]);
export const current = signal("");
export const diagnostics = signal<ReadonlyMap<string, Diagnostic[]>>(new Map());
export const isChecking = signal(false);
/** The models of the current file. */
export const objects = signal<string[]>([]);
/** The places that use a name which the user asked about. */
export const uses = signal<{ name: string; places: NamedPlace[]; count: number } | null>(null);

export const model = signal<ModelState | null>(null);
export const listing = signal<Listing | null>(null);
export const selected = signal("");
export const values = signal<Record<string, number>>({});
export const starts = signal<Record<string, number>>({});
export const settings = signal<Settings>(USUAL_SETTINGS);
export const parameterSets = signal<{ name: string; values: Record<string, number>; starts: Record<string, number> }[]>([]);

export const runs = signal<Run[]>([]);
export const events = signal<{ run: number; count: number; events: ModelEvent[]; times: number[] } | null>(null);
/** The curves are those of a model or of values before the latest ones, which have errors. */
export const isOld = signal(false);
export const scene = signal<string | null>(null);
export const cursor = signal<number | null>(null);
/** A time whose values are subtracted from those at the cursor. */
export const origin = signal<number | null>(null);
export const progress = signal<{ what: string; fraction: number | null; abort: AbortController } | null>(null);
export const notice = signal<Notice | null>(null);

export const plots = signal<Plot[]>([{ id: 1, names: [], over: "time", range: null }]);
export const panes = signal<Record<Pane, boolean>>({ left: true, center: true, right: true, bottom: true });
export const sizes = signal({ left: 290, right: 44, bottom: 220, scene: 48, inspector: 46 });
export const tabs = signal({ left: "components", center: "text", bottom: "messages", phone: "plots" });

export const currentFile = computed(() => files.value.find((file) => file.path === current.value) ?? null);
export const currentRun = computed(() => runs.value.at(-1) ?? null);
/** The messages of all checked files; one that several files cause is listed once. */
export const messages = computed(() => {
  const found = new Map<string, Diagnostic>();
  for (const each of [...diagnostics.value.values()].flat()) found.set(JSON.stringify([each.code, each.message, each.place]), each);
  return [...found.values()];
});
/** Why the latest run failed, or could not start. */
export const failedRun = signal("");
export const errorCount = computed(() => messages.value.filter((each) => each.severity === "error").length + (failedRun.value ? 1 : 0));

/** Forgets what belongs to a model, before another one is shown. */
export function forgetModel(): void {
  batch(() => {
    model.value = null;
    diagnostics.value = new Map();
    listing.value = scene.value = events.value = cursor.value = origin.value = uses.value = null;
    selected.value = failedRun.value = "";
    values.value = {};
    starts.value = {};
    settings.value = USUAL_SETTINGS;
    parameterSets.value = [];
    runs.value = [];
    isOld.value = false;
    plots.value = [{ id: 1, names: [], over: "time", range: null }];
  });
}

export function show(change: Partial<typeof tabs.value>): void {
  tabs.value = { ...tabs.value, ...change };
}

/** Shows a tab of the bottom pane, which a phone has apart. */
export function showBelow(bottom: string): void {
  panes.value = { ...panes.value, bottom: true };
  show({ bottom, phone: "more" });
}

export function tell(kind: "error" | "info", text: string): void {
  notice.value = { kind, text };
}
