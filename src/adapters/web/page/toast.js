import { byId, h } from './elements.js';

const SHOWN_MS = 6000;
const MOST = 4;

/**
 * Shows a short note that disappears by itself.
 * @param {string} text
 */
export function toast(text) {
  const toasts = byId('toasts', HTMLElement);
  // A note that is already shown is not repeated.
  if ([...toasts.children].some((each) => each.textContent === text)) return;
  const note = h('p', { class: 'toast' }, text);
  toasts.append(note);
  while (toasts.childElementCount > MOST) toasts.firstElementChild?.remove();
  setTimeout(() => note.remove(), SHOWN_MS);
}
