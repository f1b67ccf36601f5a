// Lists the files of the folder.
import { signal } from "@preact/signals";
import { openFile } from "./actions";
import * as state from "./state";

const filter = signal("");

export function Files() {
  const wanted = filter.value.toLowerCase();
  const shown = (state.project.value?.files ?? []).filter((file) => file.toLowerCase().includes(wanted));
  return (
    <div class="fill column">
      <input class="filter" type="search" placeholder="Find a file" value={filter.value} aria-label="Find a file"
        onInput={(event) => (filter.value = event.currentTarget.value)} />
      <ul class="list" role="listbox" aria-label="files">
        {shown.map((path) => <FileRow key={path} path={path} />)}
      </ul>
    </div>
  );
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
