import type { Others } from './others.worker.ts';
import type { Ours } from './ours.ts';
import type { Panel } from './plot.ts';
import { asPoints, clientRow, type Row } from './report.ts';

const SHOWN = [0, 1, 5];

export function panels(mine: readonly Ours[], { byTrace }: Others): Panel[] {
  return SHOWN.flatMap((index) => {
    const found = mine[index];
    if (found === undefined) return [];
    const { trace, limit, free, seeing, floored, every5 } = found;
    const clients = (byTrace.get(index) ?? []).map(clientRow);
    const most = 1.1 * Math.max(...[...free, ...clients].map(({ calls }) => calls));
    const least = 0.95 * Math.min(...free.map(({ calls }) => calls));
    const dots = (label: string, colour: string, rows: readonly Row[]) => ({
      label,
      colour,
      line: false,
      points: asPoints(rows),
    });
    const series = [
      {
        label: 'exact optimum, told the distribution',
        colour: '#111',
        line: true,
        dashed: true,
        points: limit.filter(({ calls }) => calls <= most && calls >= least),
      },
      { label: 'Darkroom, no floor', colour: '#c2410c', line: true, points: asPoints(free) },
      {
        label: 'Darkroom, no floor, sees the queue',
        colour: '#15803d',
        line: true,
        points: asPoints(seeing),
      },
      dots('Darkroom, floors 1 s and 5 s', '#f59e0b', floored),
      dots('every 5 s', '#6b7280', [every5]),
      {
        ...dots(
          '@fal-ai/client',
          '#2563eb',
          clients.filter(({ who }) => who.startsWith('@fal')),
        ),
        ring: true,
      },
      dots(
        'replicate',
        '#9333ea',
        clients.filter(({ who }) => who === 'replicate'),
      ),
    ];
    return [{ title: trace.name, series: series.filter(({ points }) => points.length > 0) }];
  });
}
