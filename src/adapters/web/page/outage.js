import { byId } from './elements.js';
import { label } from './labels.js';

/** A connection that is taken up again at once is nobody's business. */
const unnoticedMs = 1000;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Says where one writes that the server is away, and takes it back. @param {boolean} connected */
export const tellOutage = (connected) => {
  const note = byId('away', HTMLElement);
  clearTimeout(timer);
  if (connected) note.textContent = '';
  else timer = setTimeout(() => (note.textContent = label('tryingAgain')), unnoticedMs);
};
