import { describe, expect, it } from 'vitest';
import { plot, type Series } from '../../../src/console/charts/plot.ts';
import { languages } from '../../../src/words/words.ts';

interface Unit {
  readonly one: string;
  readonly many: string;
}

const CALLS: Unit = { one: 'call', many: 'calls' };
const JOBS: Unit = { one: 'job', many: 'jobs' };
const SECONDS: Unit = { one: 's', many: 's' };

/** The texts and paths of a chart that has one point a minute. */
const draw = (kind: 'bars' | 'lines', unit: Unit, ...series: readonly Series[]) => {
  const text = String(
    plot(
      {
        title: 'T',
        unit: (count) => (count === 1 ? unit.one : unit.many),
        from: 0,
        stepMs: 60_000,
        kind,
        series,
      },
      languages.en,
    ),
  );
  const all = (pattern: RegExp): readonly string[] =>
    [...text.matchAll(pattern)].map(([, found = '']) => found);
  return {
    labels: all(/<title>00:0\d: ([^<]*)<\/title>/g),
    ticks: all(/text-anchor="end">([^<]*)</g),
    lines: all(/class="line first" d="([^"]*)"/g),
    dots: all(/class="line dot first" d="([^"]*)"/g),
  };
};

describe('a chart', () => {
  it('a chart says what is at a point, in words that fit one, and that there was nothing', () => {
    const values = [1, undefined, 2.5];
    expect(draw('lines', CALLS, { name: 'calls', values }).labels).toEqual(['1 call', 'none', '2.5 calls']);

    const times = [
      { name: 'p50', values: [1, undefined] },
      { name: 'p95', values: [3, undefined] },
    ];
    expect(draw('lines', SECONDS, ...times).labels).toEqual(['p50 1, p95 3 s', 'none']);
  });

  it('a chart of things that are counted has whole numbers at its axis, and short ones for many', () => {
    const ticks = (most: number) => draw('bars', JOBS, { name: 'done', values: [most] }).ticks;
    expect(ticks(1)).toEqual(['0', '1']);
    expect(ticks(2)).toEqual(['0', '1', '2']);
    expect(ticks(12_000)).toEqual(['0', '5k', '10k', '15k']);
    expect(draw('lines', CALLS, { name: 'calls', values: [2] }).ticks).toContain('0.5');
  });

  it('a chart shows a value between two gaps as a dot', () => {
    const { lines, dots } = draw('lines', SECONDS, { name: 'p50', values: [1, undefined, 1, 1] });
    expect(lines[0]).toMatch(/^M[\d. ]+L[\d. ]+$/);
    expect(dots[0]).toMatch(/^M[\d. ]+h\.1$/);

    expect(draw('lines', SECONDS, { name: 'p50', values: [1, 1] }).dots).toEqual([]);
  });
});
