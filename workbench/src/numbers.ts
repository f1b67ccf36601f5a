// Writes numbers as people read them.

/** At most `digits` significant digits, without trailing zeros. */
export function short(x: number | null | undefined, digits = 5): string {
  if (x === null || x === undefined || Number.isNaN(x)) return "-";
  if (!Number.isFinite(x)) return x > 0 ? "inf" : "-inf";
  return String(Number(x.toPrecision(digits)));
}

/** A time in seconds with a fitting unit. */
export function duration(seconds: number): string {
  return seconds < 1e-3 ? `${short(seconds * 1e6, 3)} us` : seconds < 1 ? `${short(seconds * 1e3, 3)} ms` : `${short(seconds, 3)} s`;
}
