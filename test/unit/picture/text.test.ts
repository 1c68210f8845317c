import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { drawableText, textSvg, textWidth, wrapText } from '../../../src/picture/text.ts';

describe('text', () => {
  const style = { size: 10, colour: '#fff' };

  it('a drawn text wraps lines within the width and cuts the rest', () => {
    const lines = wrapText('one two three four five six seven eight nine ten eleven', 60, 3, style);

    expect(lines).toHaveLength(3);

    for (const line of lines) expect(textWidth(line, style)).toBeLessThanOrEqual(60);

    expect(lines.at(-1)).toMatch(/\.\.\.$/);
  });

  it('a drawn text has accents, and needs no font for the languages of Europe', () => {
    const svg = textSvg('Crème brûlée, 50%!', 0, 0, style);

    expect(svg).not.toContain('<text');
    expect(svg.length).toBeGreaterThan(textSvg('Creme brulee, 50%!', 0, 0, style).length);

    const width = textWidth('Öl', style);

    expect(textWidth('O\u0308l', style)).toBe(width);
    expect(textWidth('Ol', style)).toBe(width);
  });

  it.each([
    { name: 'Größe: ÄÖÜ „Öl“', start: 'GRO\u0308' },
    { name: '¿Niño, años? ¡Sí!', start: '¿NIN\u0303O' },
    { name: 'Œuvre à la façon d’été', start: 'OEUVRE A\u0300' },
    { name: 'Coração em São João', start: 'CORAC\u0327A\u0303O' },
    { name: 'Łódź, Ærø', start: 'LO\u0301D' },
    { name: 'Pop Art™ ✨ • 2', start: 'POP ART' },
  ])('a drawn text can have $name', ({ name, start }) => {
    expect(drawableText(name)).toMatch(new RegExp(`^${start.replace('?', '\\?')}`));
    expect(textSvg(drawableText(name) ?? '', 0, 0, style)).not.toContain('<text');
  });

  it.each(['日本の夏', 'Neon 東京', 'مرحبا', 'ไทย', '🎉', '', '   '])(
    'a drawn text says that it cannot draw "%s"',
    (name) => expect(drawableText(name)).toBeUndefined(),
  );

  it('a drawn text spells Cyrillic and Greek in Latin letters and leaves emoji out', () => {
    expect(textSvg('Привет 🎉 Αθήνα', 0, 0, style)).toBe(textSvg('Privet  Athina', 0, 0, style));
  });

  it('a drawn text escapes markup', () => {
    const svg = textSvg('<script>&"日', 0, 0, style);

    expect(svg).not.toContain('<script');
    expect(svg).toContain('日');
  });

  it('a drawn text leaves out what XML cannot hold, wherever it stands', async () => {
    const isInXml = (point: number): boolean =>
      [0x9, 0xa, 0xd].includes(point) ||
      (point >= 0x20 && point < 0xd800) ||
      (point > 0xdfff && point < 0xfffe) ||
      point > 0xffff;

    const points = Array.from({ length: 0x10000 }, (_, point) => point).filter((point) => !isInXml(point));

    expect(points).toHaveLength(29 + 2048 + 2);

    for (const point of points) {
      const letter = String.fromCodePoint(point);
      expect(textSvg(`日${letter}ab${letter}`, 0, 0, style)).toBe(textSvg('日ab', 0, 0, style));
    }
    const drawn = textSvg('日\ufffe\uffff\ud800\u0000\u{1fffe}本', 5, 5, style);
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">${drawn}</svg>`;

    expect((await sharp(Buffer.from(svg)).metadata()).width).toBe(40);
  });

  it('a drawn text cuts a single very long word', () => {
    expect(wrapText('x'.repeat(5000), 100, 2, style).every((line) => textWidth(line, style) <= 100)).toBe(
      true,
    );
  });
});
