import { h } from './elements.js';
import { label } from './labels.js';

/**
 * A bar that never stands still and never goes back. How far a job is, is told every few seconds; in between it
 * creeps a little ahead of what was told, slower and slower, and never to the end.
 */

const stepMs = 250;
const ahead = 0.12;
const most = 0.97;
const pace = 0.03;

export const createProgress = () => {
  const bar = h('progress', { max: 1, value: 0, class: 'progress', 'aria-label': label('progress') });
  const element = h('div', { class: 'bar' }, bar);
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  let told = 0;
  const timer = setInterval(() => {
    // It ends with the element: the card shows its result, or is gone.
    if (!element.isConnected) return clearInterval(timer);
    const limit = Math.min(most, told + ahead);
    if (!still && bar.value < limit) bar.value += (limit - bar.value) * pace;
  }, stepMs);
  return {
    element,
    /** @param {number} value */
    tell(value) {
      told = Math.max(told, value);
      bar.value = Math.max(bar.value, Math.min(told, 0.99));
    },
  };
};
