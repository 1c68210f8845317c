import type { Family } from '../../../src/orchestrator/durations.ts';

/** Milliseconds. `queue` is the part of the duration spent waiting, where a trace tells it. */
export type Job = { submittedAt: number; duration: number; queue?: number };
export type Outage = { from: number; until: number };
export type Trace = {
  name: string;
  family: Family;
  /** Learned from, not counted. */
  training: readonly Job[];
  measured: readonly Job[];
  /** What a job's duration truly is, for the exact optimum; several where it changes, by first job. */
  draw: (random: () => number) => Omit<Job, 'submittedAt'>;
  outage?: Outage;
};

export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** A lognormal of the given mean, in seconds. */
export function lognormal(mean: number, sigma: number): (random: () => number) => number {
  return (random) => 1000 * mean * Math.exp(sigma * gaussian(random) - sigma ** 2 / 2);
}

export function jobs(
  count: number,
  { from, spacing, random }: { from: number; spacing: number; random: () => number },
  draw: Trace['draw'],
): Job[] {
  let submittedAt = from;
  return Array.from({ length: count }, () => {
    submittedAt += -spacing * Math.log(1 - random());
    return { submittedAt, ...draw(random) };
  });
}
