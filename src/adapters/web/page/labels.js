/** The page's texts in the viewer's language, which come with the page and again with the session. */

/** @typedef {import('../../../words/en/labels.ts').PageWords} Labels */
/** @typedef {keyof Labels} Key */

/** @param {string | null} name @returns {name is Key} */
function isKey(name) {
  return name !== null && Object.hasOwn(labels, name);
}

/** @type {Labels} */
let labels = JSON.parse(document.querySelector('meta[name=labels]')?.getAttribute('content') ?? '{}');

/** @param {Key} key @param {Record<string, string | number>} [values] */
export function label(key, values = {}) {
  return labels[key].replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** The `data-*` attributes that name a label, and the property that gets its text. */
const PROPERTIES = { label: 'textContent', title: 'title', name: 'ariaLabel', hint: 'placeholder' };

/** Writes the texts into the static elements of the page. @param {string} locale @param {Labels} [next] */
export function setLanguage(locale, next = labels) {
  labels = next;
  document.documentElement.lang = locale;
  for (const [name, property] of Object.entries(PROPERTIES)) {
    for (const element of document.querySelectorAll(`[data-${name}]`)) {
      const key = element.getAttribute(`data-${name}`);
      if (isKey(key)) Object.assign(element, { [property]: label(key) });
    }
  }
}

setLanguage(document.documentElement.lang);
