import { byId, h } from './elements.js';

const shownMs = 6000;
const most = 4;

/**
 * A short note that disappears by itself.
 * @param {string} text
 */
export const toast = (text) => {
  const toasts = byId('toasts', HTMLElement);
  // Already shown.
  if ([...toasts.children].some((each) => each.textContent === text)) return;
  const note = h('p', { class: 'toast' }, text);
  toasts.append(note);
  while (toasts.childElementCount > most) toasts.firstElementChild?.remove();
  setTimeout(() => note.remove(), shownMs);
};
