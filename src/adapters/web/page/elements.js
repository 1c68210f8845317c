/** Creates and finds elements. Strings become text nodes, never markup. */

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, unknown>} [properties] `class`, `on` (listeners), attributes with a dash, or properties
 * @param {...(Node | string | undefined)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    if (name === 'on')
      for (const [event, listener] of Object.entries(/** @type {Record<string, EventListener>} */ (value)))
        element.addEventListener(event, listener);
    else if (name === 'class') element.className = String(value);
    else if (name === 'role' || name.includes('-')) element.setAttribute(name, String(value));
    else Object.assign(element, { [name]: value });
  }
  for (const child of children) if (child !== undefined) element.append(child);
  return element;
}

/**
 * Finds an element of the page; throws if it is missing.
 * @template {HTMLElement} E
 * @param {string} id
 * @param {new () => E} type
 * @returns {E}
 */
export function byId(id, type) {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`the page has no ${id}`);
  return element;
}
