import { describe, expect, it } from 'vitest';
import { type Chart, groupDigits, layOutChart, roundUp } from '../../../src/picture/chart.ts';

const chart = (name: string, value: number): Chart => ({
  title: name,
  subtitle: name,
  totals: Array.from({ length: 4 }, () => ({ label: name, value })),
  series: [{ label: name, values: [...Array(29).fill(0), value], marks: [{ at: 29, text: '16 nov.' }] }],
  lists: [
    { label: name, rows: [{ name, value, text: groupDigits(value) }] },
    { label: name, rows: [] },
  ],
});

/** Where letters and bars begin, and where bars end. */
const drawnAt = (svg: string): readonly number[] => [
  ...[...svg.matchAll(/translate\(([\d.-]+) /g)].map(([, x]) => Number(x)),
  ...[...svg.matchAll(/<rect x="([\d.-]+)"[^>]* width="([\d.-]+)"/g)].flatMap(([, x, width]) => [
    Number(x),
    Number(x) + Number(width),
  ]),
];

describe('the layout of a chart', () => {
  it.each([
    { what: 'a Spanish name', name: 'Trabajos por día', value: 1 },
    { what: 'a Japanese name', name: '日本の夏', value: 109 },
    { what: 'a very long name', name: 'x'.repeat(5_000), value: 534 },
    { what: 'a name that looks like markup', name: '<svg onload="x">&amp;', value: 1_234_567 },
    { what: 'no name and a huge value', name: '', value: Number.MAX_SAFE_INTEGER },
  ])('the layout of a chart with $what stays inside, without fonts', ({ name, value }) => {
    const { width, svg } = layOutChart(chart(name, value));

    expect(svg).not.toContain('<text');
    expect(svg).not.toContain('NaN');
    expect(svg.match(/<svg/g)).toHaveLength(1);
    expect(svg.length).toBeLessThan(200_000);

    const drawn = drawnAt(svg);

    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(40);
    expect(Math.max(...drawn)).toBeLessThanOrEqual(width - 40);
  });

  it('a chart is drawn without any job', () => {
    expect(layOutChart(chart('Jobs', 0)).svg).not.toMatch(/NaN|Infinity/);
  });

  it('the axis of a chart ends at a round number', () => {
    expect([0, 1, 3, 7, 9, 11, 109, 534, 1_001].map(roundUp)).toEqual([1, 1, 4, 8, 10, 20, 200, 600, 2_000]);
    expect([0, 999, 1_000, 1_234_567].map(groupDigits)).toEqual(['0', '999', '1 000', '1 234 567']);
  });
});
