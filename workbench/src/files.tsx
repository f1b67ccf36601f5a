// Lists the files of the folder.
import { signal } from "@preact/signals";
import { openFile } from "./actions";
import { isWritten } from "./buffers";
import * as state from "./state";

const filter = signal("");

export function Files() {
  const wanted = filter.value.toLowerCase();
  const unsaved = state.files.value.filter(({ path }) => isWritten(path)).map(({ path }) => path);
  const all = [...new Set([...(state.project.value?.files ?? []), ...unsaved])];
  const shown = all.filter((file) => file.toLowerCase().includes(wanted));
  return (
    <div class="fill column">
      <input class="filter" type="search" placeholder="Find a file" value={filter.value} aria-label="Find a file"
        onInput={(event) => (filter.value = event.currentTarget.value)} />
      {shown.length === 0 ? <p class="empty">{wanted ? "No file has this in its name." : "This folder has no models."}</p> : null}
      <ul class="list" role="listbox" aria-label="files">
        {shown.map((path) => <FileRow key={path} path={path} />)}
      </ul>
      <form class="bar" onSubmit={(event) => { event.preventDefault(); create(event.currentTarget); }}>
        <input class="grow" name="name" placeholder="new.mo" aria-label="name of a new file" autocomplete="off" /><button class="small">New file</button>
      </form>
    </div>
  );
}

/** Starts a file, which is on the disk once it is saved. */
function create(form: HTMLFormElement): void {
  const given = new FormData(form).get("name"), name = typeof given === "string" ? given.trim() : "";
  if (!name) return;
  const path = name.endsWith(".mo") ? name : `${name}.mo`;
  if (state.project.value?.files.includes(path)) return state.tell("error", `There is a file ${path} already.`);
  const model = (path.slice(path.lastIndexOf("/") + 1, -3).replace(/\W/g, "") || "Model").replace(/^(?=\d)/, "M");
  const text = `model ${model.charAt(0).toUpperCase()}${model.slice(1)} ""\nend\n`;
  if (!state.files.value.some((file) => file.path === path)) state.files.value = [...state.files.value, { path, text, saved: "", mark: "" }];
  form.reset();
  state.show({ left: "library", center: "diagram", phone: "text" });
  void openFile(path, true);
}

function FileRow({ path }: { path: string }) {
  const file = state.files.value.find((each) => each.path === path);
  const isModel = state.model.value?.file === path, isModelFile = /\.(mo|urdf|xml)$/.test(path);
  const cut = path.lastIndexOf("/") + 1;
  return (
    <li class={`row ${state.current.value === path ? "selected" : ""}`} data-file={path}>
      <button class="plain grow" title={path} onClick={() => { state.show({ center: "text", phone: "text" }); void openFile(path); }}>
        <span class="faint">{path.slice(0, cut)}</span>{path.slice(cut)}
        {file && file.text !== file.saved ? <span class="dot" title="not saved" /> : null}
      </button>
      {isModel ? <span class="tag">model</span> : null}
      {isModelFile && !isModel ? <button class="small" title="make it the model, and run it" onClick={() => { state.show({ phone: "plots" }); void openFile(path, true); }}>Run</button> : null}
    </li>
  );
}
