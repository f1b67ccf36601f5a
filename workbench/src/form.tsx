// Shows the parameters of a part as a form: values are checked as one types them, and written into the text.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ask, choose, does, formOf, path } from "./building";
import { rename } from "./naming";

interface Parameter {
  name: string;
  shape: string;
  unit: string;
  value: string;
  default: string;
  documentation: string;
}

interface PartFacts {
  class_name: string;
  documentation: string;
  parameters: Parameter[];
  file: string;
  line: number;
  character: number;
}

const CHECK_AFTER_MS = 150;

export function Form() {
  return formOf.value === null ? null : <Opened key={formOf.value} part={formOf.value} />;
}

function Opened({ part }: { part: string }) {
  const dialog = useRef<HTMLDialogElement>(null), waiting = useRef<ReturnType<typeof setTimeout>>();
  const facts = useSignal<PartFacts | null>(null), trouble = useSignal<Record<string, string>>({});
  const close = () => (formOf.value = null);
  useEffect(() => {
    void ask<PartFacts>("part", { part }).then((found) => {
      if (!found) return close();
      facts.value = found;
    });
  }, []);
  useEffect(() => {
    if (!facts.value) return;
    dialog.current?.showModal();
    const fields = [...(dialog.current?.querySelectorAll("input") ?? [])];
    (fields.find((each) => "needed" in each.dataset) ?? fields[1] ?? fields[0])?.select();
  }, [facts.value]);
  const found = facts.value;
  /** The values that differ from the text. */
  const changed = (form: HTMLFormElement) => {
    const data = new FormData(form), texts = found?.parameters.map(({ name, value }) => [name, value, String(data.get(name) ?? "").trim()] as const) ?? [];
    return Object.fromEntries(texts.filter(([, before, now]) => before !== now).map(([name, , now]) => [name, now]));
  };
  const check = (form: HTMLFormElement) => {
    clearTimeout(waiting.current);
    waiting.current = setTimeout(() => void (async () => {
      trouble.value = (await ask<{ trouble: Record<string, string> }>("hand", { does: "values", given: { part, values: changed(form) } }))?.trouble ?? {};
    })(), CHECK_AFTER_MS);
  };
  const submit = async (form: HTMLFormElement) => {
    clearTimeout(waiting.current);
    const values = changed(form), name = String(new FormData(form).get("name of the part") ?? "").trim();
    const written = Object.keys(values).length > 0 ? await does("values", { part, values }) : { trouble: {} };
    trouble.value = written?.trouble ?? {};
    if (!written || Object.keys(written.trouble).length > 0 || !found) return;
    close();
    if (name && name !== part && (await rename(found.file, found, name))) choose([path(name)]);
  };
  return (
    <dialog ref={dialog} class="part-form" aria-label={`parameters of ${part}`} data-test="form" onClose={close}>
      {found ? (
        <form onInput={(event) => check(event.currentTarget)} onSubmit={(event) => { event.preventDefault(); void submit(event.currentTarget); }}>
          <div class="bar"><input name="name of the part" aria-label="name" defaultValue={part} autocomplete="off" /><b>{found.class_name}</b></div>
          <p class="hint">{found.documentation}</p>
          <div class="rows">
            {found.parameters.map((each) => (
              <label key={each.name} class="value-row">
                <span>{each.name}{each.shape}</span>
                <input name={each.name} defaultValue={each.value} placeholder={each.default || "needed"} autocomplete="off" spellcheck={false} class={trouble.value[each.name] ? "wrong" : ""}
                  data-needed={!each.default && !each.value ? "" : undefined} aria-invalid={each.name in trouble.value} />
                <span class="unit">{each.unit === "1" ? "" : each.unit}</span>
                <span class={trouble.value[each.name] ? "bad" : "faint"}>{trouble.value[each.name] ?? each.documentation}</span>
              </label>
            ))}
          </div>
          <div class="bar"><span class="grow" /><button type="button" class="small" onClick={close}>Cancel</button><button class="primary">OK</button></div>
        </form>
      ) : null}
    </dialog>
  );
}
