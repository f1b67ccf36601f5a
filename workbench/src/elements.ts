// Makes elements of the widget of notebooks, which has no framework.

/** An element with a class and children; text is never parsed as HTML. */
export function made<K extends keyof HTMLElementTagNameMap>(tag: K, name: string, ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  element.className = name;
  element.append(...children);
  return element;
}
