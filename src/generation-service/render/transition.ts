/** How far each pixel has changed from the first to the last picture, 0 to 1, when `t` of the change is done. */
export type Change = (u: number, v: number, t: number) => number;

const soften = (value: number) => {
  const t = Math.min(1, Math.max(0, value));
  return t * t * (3 - 2 * t);
};

/** An edge that passes over the picture; `at` says when it reaches a place. */
const sweep =
  (at: (u: number, v: number) => number, softness = 0.18): Change =>
  (u, v, t) =>
    soften((t * (1 + softness) - at(u, v)) / softness);

const changes: [words: RegExp, change: Change][] = [
  [/wipe|curtain|slide|swipe|page|pan/i, sweep((u) => u)],
  [/circle|iris|bubble|portal|spotlight|zoom/i, sweep((u, v) => Math.hypot(u - 0.5, v - 0.5) * 1.4)],
  [/blind|stripe|window/i, sweep((u) => (u * 8) % 1, 0.4)],
  [/spin|clock|rotat|turn/i, sweep((u, v) => Math.atan2(u - 0.5, v - 0.5) / (2 * Math.PI) + 0.5, 0.1)],
  [
    /melt|drip|rain|pour|fall/i,
    sweep((u, v) => v * 0.72 + 0.14 * (1 + Math.sin(u * 23) * Math.sin(u * 7 + 2))),
  ],
  [/dissolve|sparkle|dust|sand|grain|magic|particles/i, sweep((u, v) => scatter(u, v), 0.12)],
  [/rise|sun|grow|up/i, sweep((_, v) => 1 - v)],
];

/** The same "random" value for the same small block of the picture. */
function scatter(u: number, v: number): number {
  const value = Math.sin(Math.floor(u * 60) * 127.1 + Math.floor(v * 80) * 311.7) * 43758.5453;
  return value - Math.floor(value);
}

const crossFade: Change = (_u, _v, t) => soften(t);

export const changeFor = (prompt: string): Change =>
  changes.find(([words]) => words.test(prompt))?.[1] ?? crossFade;
