import type { Output } from '../../../src/orchestrator/schedule/durations.ts';
import { createChance } from '../../e2e/faults/kill/chance.ts';

/** A job of a trace, in milliseconds. `queue` is the part of its duration that it waits, where a trace tells it. */
export type Job = { submittedAt: number; duration: number; queue?: number };
type Draw = (random: () => number) => Omit<Job, 'submittedAt'>;

export type Trace = {
  name: string;
  output: Output;
  /** Jobs that the model learns from. Their delays and calls are not counted. */
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

interface TraceOptions {
  readonly name: string;
  readonly output: Output;
  /** The mean time between two submissions. */
  readonly spacingMs: number;
  readonly truth: readonly Draw[];
  readonly seed: number;
}

function trace({ name, output, spacingMs, truth, seed }: TraceOptions): Trace {
  const random = seeded(seed);
  let submittedAt = 0;
  const job = (draw: Draw | undefined): Job => {
    submittedAt += -spacingMs * Math.log(1 - random());
    return { submittedAt, ...(draw ?? plain)(random) };
  };
  const training = Array.from({ length: TRAINING }, () => job(truth[0]));
  const measured = Array.from({ length: MEASURED }, (_, i) =>
    job(truth[Math.floor((i * truth.length) / MEASURED)]),
  );
  return { name, output, training, measured, truth };
}

export const tracesOf = (seed: number): readonly Trace[] => [
  trace({ name: 'lognormal, mean 8 s, sigma .35', output: 'image', spacingMs: 400, truth: [plain], seed }),
  trace({
    name: 'video, lognormal, mean 100 s, sigma .25',
    output: 'video',
    spacingMs: 5_000,
    truth: [only(lognormal(100, 0.25))],
    seed,
  }),
  trace({ name: 'bimodal, 4 s and 14 s', output: 'image', spacingMs: 400, truth: [bimodal], seed }),
  trace({ name: 'heavy tail, 3 s + Pareto 1.8', output: 'image', spacingMs: 400, truth: [heavy], seed }),
  trace({
    name: 'shift, 8 s to 16 s in the middle',
    output: 'image',
    spacingMs: 600,
    truth: [plain, only(lognormal(16, 0.35))],
    seed,
  }),
  trace({ name: 'queued 12 s, then running 8 s', output: 'image', spacingMs: 1_000, truth: [queued], seed }),
];
