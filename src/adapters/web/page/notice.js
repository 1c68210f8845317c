import { byId } from './elements.js';
import { label } from './labels.js';

/** A line above the message form: no connection, text too long, or sending. */

/** @typedef {'tryingAgain' | 'tooLong' | 'sending'} Notice */

/** Short interruptions are not shown. */
const delayMs = 1000;

/** Most important first. @type {readonly Notice[]} */
const notices = ['tryingAgain', 'tooLong', 'sending'];
/** @type {Map<Notice, ReturnType<typeof setTimeout>>} */
const timers = new Map();
/** @type {Set<Notice>} */
const active = new Set();

const show = () => {
  const first = notices.find((each) => active.has(each));
  byId('notice', HTMLElement).textContent = first === undefined ? '' : label(first);
};

/** @param {Notice} what @param {boolean} is @param {number} [delay] */
const setNotice = (what, is, delay = delayMs) => {
  clearTimeout(timers.get(what));
  const begin = () => {
    active.add(what);
    show();
  };
  if (is) timers.set(what, setTimeout(begin, delay));
  else if (active.delete(what)) show();
};

/** @param {boolean} connected */
export const setConnected = (connected) => setNotice('tryingAgain', !connected);

/** Cleared first, so that screen readers announce it again. @param {boolean} yes */
export const setTooLong = (yes) => {
  setNotice('tooLong', false);
  setNotice('tooLong', yes, 0);
};

/** @param {boolean} yes */
export const setSending = (yes) => setNotice('sending', yes);
