// The data that the server and its child processes send; server/*.py write it.

export type NumberArray = Float64Array | Float32Array | Uint8Array;

export interface Place {
  file: string;
  line: number;
  column: number;
  end_line: number;
  end_column: number;
}

/** A change of the text that a message proposes: `old`, at offsets in the text that was checked, becomes `text`. */
export interface Remedy {
  title: string;
  from: number;
  to: number;
  old: string;
  text: string;
}

export interface Diagnostic {
  code: string;
  severity: "error" | "warning" | "note";
  message: string;
  hint: string;
  notes: string[];
  instance: string;
  place: Place | null;
  remedies: Remedy[];
}

export interface Failure {
  kind: "model" | "run" | "internal" | "refused" | "changed" | "canceled" | "ended";
  code: string;
  message: string;
  hint: string;
  text: string;
  messages?: Diagnostic[];
}

export interface Project {
  folder: string;
  path: string;
  files: string[];
  model: string;
}

export interface Facts {
  equations: number;
  states: number;
  aliases: number;
  blocks: number;
  linear_systems: { size: number; torn: number }[];
  nonlinear_systems: { size: number; torn: number }[];
  operations: { mul_div: number; add_sub: number; functions: number };
  work: { instance: string; mul_div: number; add_sub: number; functions: number }[];
  differentiated_equations: number;
  time_seconds: Record<string, number>;
}

export interface OpenedModel {
  name: string;
  parameters: Record<string, number | null>;
  folded: string[];
  /** What `cutset simulate` prints. */
  shown: string[];
  inputs: string[];
  has_scene: boolean;
  /** Those that the model gives, and defaults. */
  settings: Omit<Settings, "points">;
  facts: Facts;
}

export interface Component {
  name: string;
  class_name: string;
  place: string;
  documentation: string;
  class_documentation: string;
  cuts: { name: string; variables: string[] }[];
}

export type Shown = number | boolean | string | null;

export interface Variable {
  name: string;
  kind: "state" | "derivative" | "algebraic" | "input" | "discrete" | "parameter" | "constant" | "alias" | "fixed";
  alias_of: string;
  type: string;
  unit: string;
  value: Shown;
  start: Shown;
  min: Shown;
  max: Shown;
  documentation: string;
  /** The unit in which people see the values, how many of `unit` one is, and the value of its zero. */
  display: [string, number, number] | null;
}

export interface RunFacts {
  number: number;
  rows: number;
  outcome: string;
  stop: number;
  ended_by: string | null;
  error: string | null;
  notes: string[];
  statistics: {
    method: string;
    steps: number;
    evaluations: number;
    error_test_failures: number;
    wall_seconds: number;
    events: Record<string, number>;
  };
}

export interface ModelEvent {
  time: number;
  kinds: string[];
  relations: Record<string, boolean>;
  discrete: Record<string, [number | null, number | null]>;
  states: Record<string, [number | null, number | null]>;
}

export interface Equation {
  latex: string;
  file: string;
  line: number;
}

export interface Settings {
  stop: number;
  /** null: those of the model, or 501. */
  points: number | null;
  method: string;
  rtol: number;
  atol: number;
}

export const METHODS = ["auto", "dopri5", "tsit5", "bs32", "rk4", "cvode-bdf", "cvode-adams", "ida", "bdf", "ggl", "radau"];
