// Finds rows of curves.
import type { Curves } from "./state";

/** The last row at or before a time, or the last row. */
export function rowAt(curves: Curves, time: number | null): number {
  let low = 0, high = curves.time.length - 1;
  if (time === null) return high;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((curves.time[middle] ?? 0) <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}
