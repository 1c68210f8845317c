import { h } from './elements.js';
import { label } from './labels.js';

/**
 * Makes a progress bar that never goes back. The server reports progress every few seconds; in between the bar moves
 * slightly ahead, ever slower, and never to the end.
 */

const STEP_MS = 250;
const AHEAD = 0.12;
const MOST = 0.97;
const PACE = 0.03;

export function createProgress() {
  const bar = h('progress', { max: 1, value: 0, class: 'progress', 'aria-label': label('progress') });
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  let reported = 0;
  const timer = setInterval(() => {
    // The timer ends when the bar has left the page: the card shows its result or was removed.
    if (!bar.isConnected) return clearInterval(timer);
    const limit = Math.min(MOST, reported + AHEAD);
    if (!still && bar.value < limit) bar.value += (limit - bar.value) * PACE;
  }, STEP_MS);
  return {
    element: bar,
    /** @param {number} value */
    update(value) {
      reported = Math.max(reported, value);
      bar.value = Math.max(bar.value, Math.min(reported, 0.99));
    },
  };
}
