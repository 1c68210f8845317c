import { smoothstep } from './canvas.ts';
import { startsWord } from './task.ts';

/** How much of the last picture each pixel shows, 0 to 1, at the time `t` of the transition. */
export type Transition = (u: number, v: number, t: number) => number;

/** An edge that passes over the picture; `at` says when it reaches a point. */
const sweep =
  (at: (u: number, v: number) => number, softness = 0.18): Transition =>
  (u, v, t) =>
    smoothstep((t * (1 + softness) - at(u, v)) / softness);

const transitionsByWord: [words: RegExp, transition: Transition][] = [
  [/wipe|curtain|slide|swipe|page|pan(s|ning)?\b/, sweep((u) => u)],
  [/circle|iris|bubble|portal|spotlight|zoom/, sweep((u, v) => Math.hypot(u - 0.5, v - 0.5) * 1.4)],
  [/blind|stripe|window/, sweep((u) => (u * 8) % 1, 0.4)],
  [/spin|clock|rotat|turn/, sweep((u, v) => Math.atan2(u - 0.5, v - 0.5) / (2 * Math.PI) + 0.5, 0.1)],
  [
    /melt|drip|rain|pour|fall/,
    sweep((u, v) => v * 0.72 + 0.14 * (1 + Math.sin(u * 23) * Math.sin(u * 7 + 2))),
  ],
  [/dissolve|sparkle|dust|sand|grain|magic|particles/, sweep(blockNoise, 0.12)],
  [/rise|sun|grow|up\b/, sweep((_, v) => 1 - v)],
];

/** A pseudo-random value, the same within a small block of the picture. */
function blockNoise(u: number, v: number): number {
  const value = Math.sin(Math.floor(u * 60) * 127.1 + Math.floor(v * 80) * 311.7) * 43758.5453;
  return value - Math.floor(value);
}

const crossFade: Transition = (_u, _v, t) => smoothstep(t);

export const transitionFor = (prompt: string): Transition =>
  transitionsByWord.find(([words]) => startsWord(prompt, words))?.[1] ?? crossFade;
