// Finds rows by their times.

/** The last row at or before a time, or the last row. */
export function rowAt(times: Float64Array, time: number | null): number {
  let low = 0, high = times.length - 1;
  if (time === null) return high;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((times[middle] ?? 0) <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}
