import type { ClientResult } from './clients.ts';
import { limitAt, type Point } from './optimum.ts';

export type Row = { who: string; calls: number; mean: number; p95: number; lost: number };

export const clientRow = ({ client, callsPerJob, ...rest }: ClientResult): Row => ({
  who: client,
  calls: callsPerJob,
  ...rest,
});
export const asPoints = (rows: readonly Row[]): Point[] =>
  rows.map(({ calls, mean }) => ({ calls, delay: mean }));

const seconds = (ms: number): string =>
  Number.isFinite(ms) ? (ms / 1000).toFixed(ms < 10_000 ? 3 : 1) : '-';

/** One Markdown table for a trace, each row against the limit at its own number of calls. */
export function table(title: string, rows: readonly Row[], limit: readonly Point[] | undefined): string {
  const lines = rows.map(({ who, calls, mean, p95, lost }) => {
    const best = limit === undefined ? Number.NaN : limitAt(limit, calls);
    const reached = Number.isFinite(best) ? `${seconds(best)} | ${(mean / best).toFixed(2)}` : '- | -';
    return `| ${who} | ${calls.toFixed(2)} | ${seconds(mean)} | ${seconds(p95)} | ${reached} | ${lost} |`;
  });
  return [
    `### ${title}`,
    '',
    '| | calls/job | mean delay s | p95 s | optimum s at these calls | times optimum | lost |',
    '|---|---|---|---|---|---|---|',
    ...lines,
    '',
  ].join('\n');
}
