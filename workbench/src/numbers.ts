// Writes numbers as people read them.
import type { Variable } from "./types";

/** At most `digits` significant digits, without trailing zeros. */
export function short(x: number | null | undefined, digits = 5): string {
  if (x === null || x === undefined || Number.isNaN(x)) return "-";
  if (!Number.isFinite(x)) return x > 0 ? "inf" : "-inf";
  const text = String(Number(x.toPrecision(digits)));
  return x !== 0 && Math.abs(x) < 1e-4 && !text.includes("e") ? exponential(x, digits) : text;
}

/** A number with its unit, which has a prefix where the number would have many zeros. */
export function quantity(x: number | undefined, unit: string): [number: string, unit: string] {
  const found = prefixed(unit, Math.abs(x ?? NaN));
  return [short(x === undefined ? x : x / found.factor), found.unit];
}

// Units that have prefixes; those of the second kind have them for small numbers only.
const WITH_PREFIX = /^(V|A|W|J|N|Pa|F|H|Ohm|m|Hz|C|Wb|T|S|VA|var|(s|rad))(?![\w^])/, PREFIXES = ["p", "n", "\u00b5", "m", "", "k", "M", "G", "T"];

/** The unit of numbers of this size with a prefix, and how many of `unit` it is. */
export function prefixed(unit: string, size: number): { factor: number; unit: string } {
  const found = WITH_PREFIX.exec(unit), power = size > 0 ? Math.floor(Math.log10(size) / 3 + 1e-9) : 0;
  if (!found || !(size > 0 && (size < (found[2] ? 1e-3 : 0.1) || (size >= 1e4 && !found[2]))) || Math.abs(power) > 4) return { factor: 1, unit };
  return { factor: 1000 ** power, unit: `${PREFIXES[power + 4] ?? ""}${unit}` };
}

/** The largest absolute value of numbers, those that are not finite left out. */
export function largest(columns: Iterable<Iterable<number | null>>): number {
  let found = 0;
  for (const column of columns) for (const x of column) if (x !== null && Number.isFinite(x) && Math.abs(x) > found) found = Math.abs(x);
  return found;
}

/** A number with as many digits as a slider resolves. */
export function rounded(x: number, low: number, high: number): number {
  const step = 10 ** Math.floor(Math.log10(Math.max(high - low, 1e-300)) - 2.3);
  return Number((Math.round(x / step) * step).toPrecision(6));
}

/** The unit in which people see a variable. */
export function shownUnit(variable: Variable | null | undefined): string {
  const unit = variable?.display?.[0] ?? variable?.unit ?? "";
  return unit === "1" ? "" : unit;
}

/** A value of a variable in that unit, and the value of a number in it. */
export function inShownUnit(x: number, variable: Variable | null): number {
  return variable?.display ? (x - variable.display[2]) / variable.display[1] : x;
}

export function fromShownUnit(x: number, variable: Variable | null): number {
  return variable?.display ? x * variable.display[1] + variable.display[2] : x;
}

/** Takes the number in a field; the field shows if it has none. `read` finds that of a text with a unit. */
export function takeNumber(input: HTMLInputElement, take: (x: number) => void, read?: (text: string) => Promise<number | null>): void {
  const text = input.value.trim(), x = Number(text.replace(",", "."));
  const isNumber = text !== "" && Number.isFinite(x);
  input.classList.toggle("wrong", !isNumber);
  if (isNumber) take(x);
  else if (read && /^[-+.\d]/.test(text)) {
    void read(text).then((found) => {
      input.classList.toggle("wrong", found === null);
      if (found !== null) take(found);
    });
  }
}

/** A time in seconds with a fitting unit. */
export function duration(seconds: number): string {
  return seconds < 1e-3 ? `${short(seconds * 1e6, 3)} us` : seconds < 1 ? `${short(seconds * 1e3, 3)} ms` : `${short(seconds, 3)} s`;
}

/** The labels of ticks that are `step` apart: as many decimals as tell them apart, or exponents. */
export function tickLabels(ticks: (number | null)[], step: number): string[] {
  const known = ticks.filter((x): x is number => x !== null), largest = Math.max(...known.map(Math.abs), 0);
  const decimals = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  const digits = largest > 0 ? Math.max(1, Math.ceil(Math.log10(largest / step) + 1)) : 1;
  const isPlain = largest >= 1e-3 && (largest < 1e5 || digits > 6);
  return ticks.map((x) => {
    if (x === null) return "";
    if (Math.abs(x) < 1e-9 * step) return "0";
    return isPlain ? x.toFixed(stepDecimals(step, decimals)) : exponential(x, digits);
  });
}

/** A step of 2.5 or 0.25 needs one decimal more than its size tells. */
function stepDecimals(step: number, decimals: number): number {
  const scaled = step * 10 ** decimals;
  return Math.abs(scaled - Math.round(scaled)) > 1e-6 ? decimals + 1 : decimals;
}

function exponential(x: number, digits: number): string {
  const [mantissa = "", exponent = ""] = x.toExponential(Math.min(digits - 1, 6)).split("e");
  return `${mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa}e${exponent.replace("+", "")}`;
}

/** The labels of a logarithmic axis: powers of ten only. */
export function powerLabels(ticks: (number | null)[]): string[] {
  return ticks.map((x) => x !== null && Math.abs(Math.log10(x) - Math.round(Math.log10(x))) < 1e-9 ? short(x, 1) : "");
}
