import { byId } from './elements.js';
import { label } from './labels.js';

/** What one should know before writing on: that the server is away, that this is too long, that something is being sent. */

/** @typedef {'tryingAgain' | 'tooLong' | 'sending'} Notice */

/** What is over in a moment is nobody's business. */
const unnoticedMs = 1000;

/** The more important first. @type {readonly Notice[]} */
const notices = ['tryingAgain', 'tooLong', 'sending'];
/** @type {Map<Notice, ReturnType<typeof setTimeout>>} */
const timers = new Map();
/** @type {Set<Notice>} */
const lasting = new Set();

const show = () => {
  const first = notices.find((each) => lasting.has(each));
  byId('notice', HTMLElement).textContent = first === undefined ? '' : label(first);
};

/** @param {Notice} what @param {boolean} is @param {number} [delay] */
const tell = (what, is, delay = unnoticedMs) => {
  clearTimeout(timers.get(what));
  const begin = () => {
    lasting.add(what);
    show();
  };
  if (is) timers.set(what, setTimeout(begin, delay));
  else if (lasting.delete(what)) show();
};

/** @param {boolean} connected */
export const tellConnected = (connected) => tell('tryingAgain', !connected);

/** Told again, it is heard again. @param {boolean} yes */
export const tellTooLong = (yes) => {
  tell('tooLong', false);
  tell('tooLong', yes, 0);
};

/** @param {boolean} yes */
export const tellSending = (yes) => tell('sending', yes);
