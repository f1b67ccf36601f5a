// Tells the user of failed requests.
import { RequestError } from "./connection";
import * as state from "./state";
import type { Diagnostic } from "./types";

/** Tells the user of a failed request; messages about the model go to the editor. */
export function report(error: unknown): void {
  if (!(error instanceof RequestError)) throw error;
  if (error.isCanceled) state.tell("info", "canceled");
  else if (error.failure.kind === "model" && error.failure.messages) {
    const by = new Map<string, Diagnostic[]>();
    for (const each of error.failure.messages) {
      const file = each.place?.file ?? state.current.value;
      by.set(file, [...(by.get(file) ?? []), each]);
    }
    state.diagnostics.value = by;
    state.show({ bottom: "messages" });
  } else state.tell("error", error.failure.text);
}
