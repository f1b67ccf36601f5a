// Tells the user of failed requests.
import { RequestError } from "./connection";
import * as state from "./state";

/** Tells the user of a failed request; messages about the model, `of` a file, go to the editor. */
export function report(error: unknown, of = state.current.value): void {
  if (!(error instanceof RequestError)) throw error;
  if (error.isCanceled) state.tell("info", "canceled");
  else if (error.failure.kind === "model" && error.failure.messages) {
    state.diagnostics.value = new Map([...state.diagnostics.value, [of, error.failure.messages]]);
    state.show({ bottom: "messages" });
  } else state.tell("error", error.failure.text);
}
