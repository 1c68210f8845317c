/** The page's own words, in the language of whoever looks at it. They come with the page and again with the session. */

/** @typedef {import('../../../words/page/en.ts').PageWords} Labels */
/** @typedef {keyof Labels} Key */

/** @param {string | undefined} name @returns {name is Key} */
const isKey = (name) => name !== undefined && Object.hasOwn(labels, name);

/** @type {Labels} */
let labels = JSON.parse(document.querySelector('meta[name=labels]')?.getAttribute('content') ?? '{}');

/** @param {Key} key @param {Record<string, string | number>} [values] */
export const label = (key, values = {}) =>
  labels[key].replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));

/** Which attribute of `data-` names the label of what. */
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

/** Writes them into what stands in the page from the beginning. @param {string} locale @param {Labels} [next] */
export const speak = (locale, next = labels) => {
  labels = next;
  document.documentElement.lang = locale;
  for (const [name, write] of places)
    for (const element of document.querySelectorAll(`[data-${name}]`)) {
      if (!(element instanceof HTMLElement)) continue;
      const key = element.dataset[name];
      if (isKey(key)) write(element, label(key));
    }
};

speak(document.documentElement.lang);
