import { callsAt, limitAt } from './optimum.ts';
import type { Ours, OutageRun } from './ours.ts';
import { asPoints, type Row } from './report.ts';

/** What was aimed at, what came out; one line each. */
export function aims(mine: readonly Ours[], outages: readonly OutageRun[]): string[] {
  const [plain, video] = mine;
  if (plain === undefined || video === undefined) return [];
  // A busy machine slows the real client down; its interval without any hold-up is the harder mark.
  const fal = plain.everyHalf;
  const aim = (what: string, value: number, most: number, unit: string): string =>
    `- ${value <= most ? 'met' : 'MISSED'}: ${what}: ${Number(value.toFixed(3))} ${unit} (aim: at most ${most})`;
  const s = (ms: number): string => (ms / 1000).toFixed(3);
  const calls = fal.calls;
  const lost = outages.flatMap(({ results }) => results.map(({ result }) => result.lost));
  return [
    aim(
      `delay at the ${calls.toFixed(1)} calls of fal's interval (fal ${s(fal.mean)} s, optimum ${s(limitAt(plain.limit, calls))} s)`,
      limitAt(asPoints(plain.free), calls) / 1000,
      0.15,
      's',
    ),
    aim(
      `calls at fal's delay (fal ${calls.toFixed(1)}, optimum ${callsAt(plain.limit, fal.mean).toFixed(1)})`,
      callsAt(asPoints(plain.free), fal.mean),
      10.5,
      'calls',
    ),
    aim(
      `video: calls for the delay of every 5 s (${video.every5.calls.toFixed(1)} calls, ${s(video.every5.mean)} s)`,
      callsAt(asPoints(video.free), video.every5.mean),
      9.5,
      'calls',
    ),
    ...mine.flatMap(({ trace, limit, prices, atPrices, free, seeing }) => {
      const worst = (rows: readonly Row[]) =>
        Math.max(...rows.map((row) => row.mean / limitAt(limit, row.calls)));
      const costs = free.map((row, i) => {
        const [price, best] = [prices[i] ?? 0, atPrices[i]];
        return best === undefined ? 0 : (row.mean + price * row.calls) / (best.delay + price * best.calls);
      });
      return [
        aim(
          `${trace.name}: delay + price x calls over the optimum's, worst price`,
          Math.max(...costs),
          1.1,
          'times',
        ),
        aim(
          `${trace.name}: delay over the optimum's at the same calls, worst price`,
          worst(free),
          1.1,
          'times',
        ),
        ...(seeing.length === 0
          ? []
          : [
              aim(
                `${trace.name}: the same, seeing the queue that the optimum does not see`,
                worst(seeing),
                1,
                'times',
              ),
            ]),
      ];
    }),
    aim(
      'jobs lost in all outages',
      lost.reduce((sum, count) => sum + count, 0),
      0,
      'jobs',
    ),
  ];
}
