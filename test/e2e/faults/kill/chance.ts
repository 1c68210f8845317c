/**
 * Chance that can be repeated: what is sent and when the program is killed follow from the seed, which is printed.
 * KILL_SEED=123 npx vitest run test/e2e/faults/kill.test.ts
 */
export type Chance = ReturnType<typeof createChance>;

const anySeed = Number(process.env.KILL_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Mulberry32; `use` keeps the tests of one seed apart. */
export function createChance(use: string, seed = anySeed) {
  let state = seed;
  for (const character of use) state = Math.imul(state ^ character.charCodeAt(0), 0x9e3779b1);
  /** The next random number in [0, 1). */
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (least: number, most: number): number => least + next() * (most - least),
    pick: <T>(list: readonly [T, ...T[]]): T => list[Math.floor(next() * list.length)] ?? list[0],
  };
}

/** Logs the counts of a test, and the seed with which it can be repeated. */
export const tell = (counts: Readonly<Record<string, number>>): void => {
  const words = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  console.log(`KILL_SEED=${anySeed}: ${words.join(', ')}`);
};
