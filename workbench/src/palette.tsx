// Shows the classes that can be placed, with pictures; one is dragged into the diagram, or placed with Enter.
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { place } from "./building";
import { unsavedBut } from "./buffers";
import { useAnswer } from "./asking";
import * as state from "./state";

interface Offered {
  name: string;
  documentation: string;
  /** SVG of the server, in which nothing can run; empty without a symbol. */
  picture: string;
}

interface Group {
  /** Empty for the classes of the folder. */
  library: string;
  classes: Offered[];
}

/** The type of what is dragged. */
export const CLASS = "application/x-cutset-class";

const words = signal(""), groups = signal<Group[] | null>(null);

export function Palette() {
  const file = state.currentFile.value, list = groups.value;
  const given = file ? { file: file.path, text: file.text, words: words.value, unsaved: unsavedBut(file.path) } : null;
  const { trouble } = useAnswer<{ groups: Group[] }>("palette", given, [file?.path, words.value, file?.text], (data) => (groups.value = data.groups), true);
  const isSearch = words.value.trim() !== "";
  return (
    <div class="fill column" data-test="palette">
      <input class="filter" type="search" placeholder="Find a class: motor, drum, battery" aria-label="Find a class" value={words.value}
        onInput={(event) => (words.value = event.currentTarget.value)} />
      {trouble ? <p class="empty">{trouble}</p> : !list ? <p class="empty">Reading the libraries ...</p> : list.length === 0 ? <p class="empty">No class has these words in its name or documentation.</p> : null}
      <div class="list">
        {list?.map(({ library, classes }) => (
          <details key={library} class="group" open={isSearch || library === "" || undefined}>
            <summary>{library || "This folder"} <span class="faint">{classes.length}</span></summary>
            <ul>{classes.map((each) => <Entry key={each.name} library={library} {...each} />)}</ul>
          </details>
        ))}
      </div>
    </div>
  );
}

function Entry({ library, name, documentation, picture }: Offered & { library: string }) {
  return (
    <li>
      <button class="plain class" draggable data-class={name} title={documentation} aria-label={`place ${name}: ${documentation}`}
        onDragStart={(event) => event.dataTransfer?.setData(CLASS, JSON.stringify([library, name]))}
        onKeyDown={(event) => { if (event.key === "Enter") { event.preventDefault(); void place(library, name); } }}
        onDblClick={() => void place(library, name)}>
        <Picture text={picture} />
        <span class="grow"><b>{name}</b><br /><span class="faint">{documentation}</span></span>
      </button>
    </li>
  );
}

function Picture({ text }: { text: string }) {
  const home = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (!text || !home.current) return;
    const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    home.current.replaceChildren(document.importNode(svg, true));
  }, [text]);
  return <span ref={home} class={`symbol-home ${text ? "" : "box"}`} aria-hidden="true" />;
}
