import { describe, expect, it } from 'vitest';
import { columnsFor, layOut } from '../../../src/previews/layout.ts';

const picture = new Uint8Array(1);

const tiles = (count: number, name = 'Pop Art') =>
  Array.from({ length: count }, (_, index) => ({ label: String(index + 1), name, picture }));

describe('the layout of a sheet', () => {
  it.each([1, 2, 3, 4, 5, 7, 9, 12, 16, 17, 25])(
    'a sheet of previews places %i tiles inside, none over another',
    (count) => {
      const { width, height, pictures } = layOut(tiles(count));
      expect(pictures).toHaveLength(count);
      expect(width).toBeLessThanOrEqual(1_280);
      for (const [index, { left, top, width: side }] of pictures.entries()) {
        expect(left + side).toBeLessThan(width);
        expect(top + side).toBeLessThan(height);
        for (const other of pictures.slice(index + 1))
          expect(Math.max(Math.abs(other.left - left), Math.abs(other.top - top))).toBeGreaterThan(side);
      }
    },
  );

  it('a sheet of previews has five columns for a full page, and no more columns than tiles', () => {
    expect(columnsFor(25)).toBe(5);
    for (let count = 1; count <= 25; count += 1) expect(columnsFor(count)).toBeLessThanOrEqual(count);
  });

  it.each(['日本の夏', 'مرحبا', 'ไทย', '🎉🎉', ''])(
    'a sheet of previews never needs a font: "%s" is left out',
    (name) => {
      const { svg } = layOut(tiles(2, name));
      expect(svg).not.toContain('<text');
      expect(svg).toBe(layOut(tiles(2, '')).svg);
    },
  );

  it('a sheet of previews draws nothing for a label that is empty or has no letters', () => {
    const without = layOut([{ label: '', name: 'Noir', picture }]).svg;
    expect(layOut([{ label: '東', name: 'Noir', picture }]).svg).toBe(without);
    expect(layOut([{ label: '1', name: 'Noir', picture }]).svg.length).toBeGreaterThan(without.length);
  });

  it('a sheet of previews shortens endless names and labels, and escapes everything', () => {
    for (const name of ['x'.repeat(5_000), 'word '.repeat(1_000), '<svg onload="x">&amp;']) {
      const { svg } = layOut([
        { label: name, name, picture },
        { label: name, name },
      ]);
      expect(svg.length).toBeLessThan(400_000);
      expect(svg.match(/<svg/g)).toHaveLength(1);
      const drawn = [...svg.matchAll(/translate\(([\d.-]+) /g)].map((found) => Number(found[1]));
      expect(drawn).not.toEqual([]);
      expect(Math.min(...drawn)).toBeGreaterThanOrEqual(20);
      expect(Math.max(...drawn)).toBeLessThanOrEqual(layOut(tiles(2)).width - 20);
    }
  });
});
