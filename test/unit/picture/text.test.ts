import { describe, expect, it } from 'vitest';
import { textSvg, textWidth, wrapText } from '../../../src/picture/text.ts';

describe('text', () => {
  const style = { size: 10, colour: '#fff' };

  it('wraps lines within the width and cuts the rest', () => {
    const lines = wrapText('one two three four five six seven eight nine ten eleven', 60, 3, style);
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(textWidth(line, style)).toBeLessThanOrEqual(60);
    expect(lines.at(-1)).toMatch(/\.\.\.$/);
  });

  it('draws accents as plain letters and needs no font for Latin text', () => {
    expect(textSvg('Crème brûlée, 50%!', 0, 0, style)).not.toContain('<text');
  });

  it('spells Cyrillic and Greek in Latin letters and leaves emoji out', () => {
    expect(textSvg('Привет 🎉 Αθήνα', 0, 0, style)).toBe(textSvg('Privet  Athina', 0, 0, style));
  });

  it('escapes markup', () => {
    const svg = textSvg('<script>&"日', 0, 0, style);
    expect(svg).not.toContain('<script');
    expect(svg).toContain('日');
  });

  it('cuts a single very long word', () => {
    expect(wrapText('x'.repeat(5000), 100, 2, style).every((line) => textWidth(line, style) <= 100)).toBe(
      true,
    );
  });
});
