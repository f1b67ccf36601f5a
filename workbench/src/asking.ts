// Asks for what a view shows, anew whenever it depends on something else.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { RequestError } from "./connection";
import * as state from "./state";

/** Asks while `given` is not null, again when `depends` changes, and passes the answer on. Gives why there is none, and whether one is awaited.
 * What is quick is not canceled: that would end a process which is not at it yet. */
export function useAnswer<T>(call: string, given: Record<string, unknown> | null, depends: unknown[], take: (data: T) => unknown, isQuick = false): { trouble: string; isWaiting: boolean } {
  const trouble = useSignal(""), isWaiting = useSignal(false);
  useEffect(() => {
    if (!given) return undefined;
    const abort = new AbortController();
    trouble.value = "";
    isWaiting.value = true;
    const isLate = () => isQuick && abort.signal.aborted;
    state.connection.ask<T>(call, given, { aside: true, ...(isQuick ? {} : { signal: abort.signal }) })
      .then(({ data }) => { if (!isLate()) take(data); })
      .catch((error: unknown) => { if (error instanceof RequestError && !error.isCanceled && !isLate()) trouble.value = error.failure.text; })
      .finally(() => { if (!isLate()) isWaiting.value = false; });
    return () => abort.abort();
  }, depends);
  return { trouble: trouble.value, isWaiting: isWaiting.value };
}
