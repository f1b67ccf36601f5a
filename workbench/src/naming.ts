// Follows a name of the text: to its declaration, to its uses, and to another name. The server looks it up.
import type { Text } from "@codemirror/state";
import { showLine } from "./actions";
import { write } from "./building";
import { unsavedBut } from "./buffers";
import { report } from "./reporting";
import * as state from "./state";

/** A position in the text of a file; both count from 0. */
export interface Position {
  line: number;
  character: number;
}

export interface NamedPlace extends Position {
  file: string;
  end_line: number;
  end_character: number;
  /** The line that contains the name. */
  text: string;
}

export interface Change extends Position {
  end_line: number;
  end_character: number;
  text: string;
}

export function positionOf(text: Text, at: number): Position {
  const line = text.lineAt(at);
  return { line: line.number - 1, character: at - line.from };
}

/** Asks about a position in the text of a file. */
export function ask<T>(call: string, path: string, at: Position, more: Record<string, unknown> = {}): Promise<{ data: T }> {
  const text = state.files.value.find((each) => each.path === path)?.text ?? "";
  return state.connection.ask<T>(call, { file: path, text, ...at, ...more, unsaved: unsavedBut(path) });
}

/** Shows the declaration of the name at a position. */
export async function showDeclaration(path: string, at: Position): Promise<void> {
  try {
    const { data } = await ask<{ place: NamedPlace | null }>("definition", path, at);
    if (data.place) await showPlace(data.place);
    else state.tell("info", "There is no declaration of this in the folder or the standard library.");
  } catch (error) {
    report(error);
  }
}

/** Lists all places that use the name at a position. */
export async function listUses(path: string, at: Position): Promise<void> {
  try {
    const { data } = await ask<{ name: string; places: NamedPlace[]; count: number }>("references", path, at);
    if (!data.name) return state.tell("info", "There is no name here.");
    state.uses.value = data;
    state.showBelow("uses");
  } catch (error) {
    report(error);
  }
}

/** The name at a position, if it can change; else the user is told why not. */
export async function nameToChange(path: string, at: Position): Promise<string | null> {
  try {
    return (await ask<{ name: string }>("rename", path, at)).data.name;
  } catch (error) {
    report(error);
    return null;
  }
}

/** Gives the name at a position another one, in all files of the folder; the user saves them. True if it could. */
export async function rename(path: string, { line, character }: Position, newName: string): Promise<boolean> {
  try {
    const { data } = await ask<{ changes: Record<string, Change[]> }>("rename", path, { line, character }, { new_name: newName });
    const others = Object.keys(data.changes).filter((file) => file !== path);
    await write(data.changes);
    if (others.length > 0) state.tell("info", `Also changed, not saved: ${others.join(", ")}`);
    return true;
  } catch (error) {
    report(error);
    return false;
  }
}

/** Shows a place in the editor, with the name selected. */
export async function showPlace(place: NamedPlace): Promise<void> {
  await showLine(place.file, place.line + 1, place.character, place.end_line === place.line ? place.end_character : place.character);
}
