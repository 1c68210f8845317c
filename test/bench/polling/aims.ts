import { callsAt, limitAt } from './optimum.ts';
import type { Others } from './others.worker.ts';
import type { Ours, OutageRun } from './ours.ts';
import { asPoints } from './report.ts';

/** What was aimed at, what came out; one line each. */
export function aims(mine: readonly Ours[], outages: readonly OutageRun[], { byTrace }: Others): string[] {
  const [plain, video] = mine;
  const fal = byTrace.get(0)?.find(({ client }) => client.startsWith('@fal'));
  if (plain === undefined || video === undefined || fal === undefined) return [];
  const aim = (what: string, value: number, most: number, unit: string): string =>
    `- ${value <= most ? 'met' : 'MISSED'}: ${what}: ${Number(value.toFixed(3))} ${unit} (aim: at most ${most})`;
  const s = (ms: number): string => (ms / 1000).toFixed(3);
  const calls = fal.callsPerJob;
  const lost = outages.flatMap(({ results }) => results.map(({ result }) => result.lost));
  return [
    aim(
      `delay at fal's ${calls.toFixed(1)} calls (fal ${s(fal.mean)} s, optimum ${s(limitAt(plain.limit, calls))} s)`,
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
    ...mine.flatMap(({ trace, limit, free, seeing }) => {
      const worst = (rows: typeof free) =>
        Math.max(...rows.map(({ calls, mean }) => mean / limitAt(limit, calls)));
      const blind = aim(`${trace.name}: delay over the optimum's, worst price`, worst(free), 1.1, 'times');
      if (seeing.length === 0) return [blind];
      return [
        blind,
        aim(`${trace.name}: the same, sees the queue, the optimum does not`, worst(seeing), 1, 'times'),
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
