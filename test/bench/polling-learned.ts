/**
 * How much the learning costs: every trace drawn several times over, at every price, beside the same scheduler told
 * the distribution. One draw of 400 jobs is too few to tell five percent; the optimum is replayed on the same jobs.
 */
import { limitAt, limitCurve, type Point } from './polling/optimum.ts';
import { mean, simulate } from './polling/simulate.ts';
import { told, truths } from './polling/told.ts';
import { type Trace, tracesOf } from './polling/traces.ts';

/** How many draws, and of which trace if not of all. */
const [, , draws = '6', ONLY] = process.argv;
const DRAWS = Number(draws);

const PRICES_MS = {
  image: [5, 10, 50, 150, 600, 2_500],
  video: [50, 100, 500, 1_500, 6_000, 25_000],
};

/** Close enough to each other that nothing hangs on how the limit is drawn between them. */
const LIMIT_PRICES_MS = Array.from({ length: 37 }, (_, i) => 0.05 * 1.43 ** i);
/** As soon as polls that find nothing could tell of the change, and as soon as the first slow jobs could. */
const LATE_MS = [10_000, 20_000];

const pooled = (points: readonly Point[]): Point => ({
  calls: mean(points.map(({ calls }) => calls)),
  delay: mean(points.map(({ delay }) => delay)),
});

/** The measured jobs of all draws, part by part. */
const together = (traces: readonly Trace[], parts: number): Trace['measured'] =>
  Array.from({ length: parts }, (_, i) =>
    traces.flatMap(({ measured }) =>
      measured.slice((i * measured.length) / parts, ((i + 1) * measured.length) / parts),
    ),
  ).flat();

const drawn = Array.from({ length: DRAWS }, (_, i) => tracesOf(42 + i));
const kinds = drawn[0] ?? [];

for (const [index, kind] of kinds.entries()) {
  if (ONLY !== undefined && index !== Number(ONLY)) continue;
  const { name, output, truth } = kind;
  const traces = drawn.flatMap((each): Trace[] => (each[index] === undefined ? [] : [each[index]]));
  const scale = output === 'video' ? 10 : 1;
  const prices = PRICES_MS[output];
  const everyPrice = [...LIMIT_PRICES_MS.map((ms) => ms * scale), ...prices];
  const limit = limitCurve({ ...kind, measured: together(traces, truth.length) }, everyPrice);
  const hazards = truths(truth);
  const late = truth.length > 1 ? LATE_MS : [];
  console.log(`### ${name}, ${DRAWS} x 400 jobs\n`);
  const columns = ['told the distribution', ...late.map((ms) => `told of the shift ${ms / 1000} s late`)];
  console.log(
    `| price ms | calls/job | delay s | cost over the optimum's | delay at equal calls | ${columns.join(' | ')} |`,
  );
  console.log(`|---|---|---|---|---|${columns.map(() => '---|').join('')}`);
  for (const [k, price] of prices.entries()) {
    const best = limit[LIMIT_PRICES_MS.length + k] ?? { calls: 0, delay: 0 };
    const ratio = ({ calls, delay }: Point): string => (delay / limitAt(limit, calls)).toFixed(2);
    const ours = pooled(
      traces.map((trace) => {
        const { delays, callsPerJob } = simulate(trace, { floorMs: 0, price: () => price });
        return { calls: callsPerJob, delay: mean(delays) };
      }),
    );
    const cost = (ours.delay + price * ours.calls) / (best.delay + price * best.calls);
    const known = [0, ...late].map((ms) =>
      ratio(pooled(traces.map((trace) => told(trace, hazards, price, ms)))),
    );
    const cells = [
      ours.calls.toFixed(2),
      (ours.delay / 1000).toFixed(3),
      cost.toFixed(3),
      ratio(ours),
      ...known,
    ];
    console.log(`| ${price} | ${cells.join(' | ')} |`);
  }
  console.log();
}
