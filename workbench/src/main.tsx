// Starts the workbench.
import { render } from "preact";
import { start } from "./actions";
import { App } from "./app";
import * as state from "./state";
import "./styles.css";

const root = document.getElementById("root");
if (root) {
  root.replaceChildren();
  render(<App />, root);
  start().catch((error: unknown) => state.tell("error", error instanceof Error ? error.message : String(error)));
}
