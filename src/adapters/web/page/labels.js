/** The page's texts in the viewer's language. They come with the page and again with the session. */

/** @typedef {import('../../../words/page/en.ts').PageWords} Labels */
/** @typedef {keyof Labels} Key */

/** @param {string | undefined} name @returns {name is Key} */
const isKey = (name) => name !== undefined && Object.hasOwn(labels, name);

/** @type {Labels} */
let labels = JSON.parse(document.querySelector('meta[name=labels]')?.getAttribute('content') ?? '{}');

/** @param {Key} key @param {Record<string, string | number>} [values] */
export const label = (key, values = {}) =>
  labels[key].replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));

/** `data-*` attributes that name a label, and where its text goes. */
const places = /** @type {const} */ ([
  ['label', (/** @type {HTMLElement} */ element, /** @type {string} */ text) => (element.textContent = text)],
  ['title', (/** @type {HTMLElement} */ element, /** @type {string} */ text) => (element.title = text)],
  ['name', (/** @type {HTMLElement} */ element, /** @type {string} */ text) => (element.ariaLabel = text)],
  [
    'hint',
    (/** @type {HTMLElement} */ element, /** @type {string} */ text) =>
      element.setAttribute('placeholder', text),
  ],
]);

/** Writes the texts into the static elements of the page. @param {string} locale @param {Labels} [next] */
export const setLanguage = (locale, next = labels) => {
  labels = next;
  document.documentElement.lang = locale;
  for (const [name, write] of places)
    for (const element of document.querySelectorAll(`[data-${name}]`)) {
      if (!(element instanceof HTMLElement)) continue;
      const key = element.dataset[name];
      if (isKey(key)) write(element, label(key));
    }
};

setLanguage(document.documentElement.lang);
