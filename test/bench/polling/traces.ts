import type { Output } from '../../../src/orchestrator/schedule/durations.ts';
import { createChance } from '../../e2e/faults/kill/chance.ts';

/** Milliseconds. `queue` is the part of the duration spent waiting, where a trace tells it. */
export type Job = { submittedAt: number; duration: number; queue?: number };
type Draw = (random: () => number) => Omit<Job, 'submittedAt'>;

export type Trace = {
  name: string;
  output: Output;
  /** Learned from, not counted. */
  training: readonly Job[];
  measured: readonly Job[];
  /** The true durations, in as many parts as the measured jobs have. The optimum knows them, the scheduler does not. */
  truth: readonly Draw[];
};

export const seeded = (seed: number): (() => number) => createChance('', seed).next;

function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** A lognormal of the given mean, in seconds. */
function lognormal(mean: number, sigma: number): (random: () => number) => number {
  return (random) => 1000 * mean * Math.exp(sigma * gaussian(random) - sigma ** 2 / 2);
}

const only =
  (duration: (random: () => number) => number): Draw =>
  (random) => ({ duration: duration(random) });

const plain = only(lognormal(8, 0.35));
const bimodal = only((random) => (random() < 0.6 ? lognormal(4, 0.15) : lognormal(14, 0.15))(random));
const heavy = only((random) => 3_000 + 3_000 * (1 - random()) ** (-1 / 1.8));

const queued: Draw = (random) => {
  const queue = lognormal(12, 0.8)(random);
  return { queue, duration: queue + lognormal(8, 0.2)(random) };
};

const TRAINING = 200;
const MEASURED = 400;

function trace(name: string, output: Output, spacing: number, truth: readonly Draw[], seed = 42): Trace {
  const random = seeded(seed);
  let submittedAt = 0;
  const job = (draw: Draw | undefined): Job => {
    submittedAt += -spacing * Math.log(1 - random());
    return { submittedAt, ...(draw ?? plain)(random) };
  };
  const training = Array.from({ length: TRAINING }, () => job(truth[0]));
  const measured = Array.from({ length: MEASURED }, (_, i) =>
    job(truth[Math.floor((i * truth.length) / MEASURED)]),
  );
  return { name, output, training, measured, truth };
}

export const tracesOf = (seed: number): readonly Trace[] => [
  trace('lognormal, mean 8 s, sigma .35', 'image', 400, [plain], seed),
  trace('video, lognormal, mean 100 s, sigma .25', 'video', 5_000, [only(lognormal(100, 0.25))], seed),
  trace('bimodal, 4 s and 14 s', 'image', 400, [bimodal], seed),
  trace('heavy tail, 3 s + Pareto 1.8', 'image', 400, [heavy], seed),
  trace('shift, 8 s to 16 s in the middle', 'image', 600, [plain, only(lognormal(16, 0.35))], seed),
  trace('queued 12 s, then running 8 s', 'image', 1_000, [queued], seed),
];
