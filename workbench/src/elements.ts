// Makes elements where there is no framework: in the page of animations, and within the editor.

/** An element with a class and children; text is never parsed as HTML. */
export function made<K extends keyof HTMLElementTagNameMap>(tag: K, name: string, ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  element.className = name;
  element.append(...children);
  return element;
}
