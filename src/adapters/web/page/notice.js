import { byId } from './elements.js';
import { label } from './labels.js';

/** Shows a line above the message form: no connection, text too long, or sending. */

/** @typedef {'tryingAgain' | 'tooLong' | 'sending'} Notice */

/** A notice is shown after this time, so that short interruptions are not. */
const DELAY_MS = 1000;

/** The notices, the most important first. @type {readonly Notice[]} */
const NOTICES = ['tryingAgain', 'tooLong', 'sending'];
/** @type {Map<Notice, ReturnType<typeof setTimeout>>} */
const timers = new Map();
/** @type {Set<Notice>} */
const active = new Set();

function show() {
  const first = NOTICES.find((each) => active.has(each));
  byId('notice', HTMLElement).textContent = first === undefined ? '' : label(first);
}

/** @param {Notice} what @param {boolean} is @param {number} [delay] */
function setNotice(what, is, delay = DELAY_MS) {
  clearTimeout(timers.get(what));
  const begin = () => {
    active.add(what);
    show();
  };
  if (is) timers.set(what, setTimeout(begin, delay));
  else if (active.delete(what)) show();
}

/** @param {boolean} connected */
export function setConnected(connected) {
  return setNotice('tryingAgain', !connected);
}

/**
 * Shows that the text is too long. The notice is cleared first, so that screen readers announce it again.
 * @param {boolean} yes
 */
export function setTooLong(yes) {
  setNotice('tooLong', false);
  setNotice('tooLong', yes, 0);
}

/** @param {boolean} yes */
export function setSending(yes) {
  return setNotice('sending', yes);
}
