import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readPage } from '../../../../src/adapters/web/page-files.ts';

const folder = new URL('../../../../src/adapters/web/page/', import.meta.url);
const page = readPage();

it('serves every file of the page, and no other', () => {
  const there = readdirSync(folder).filter((name) => name !== 'tsconfig.json');
  expect([...page.keys()].sort()).toEqual(there.sort());
});

it('never reads markup from text, and asks nothing of anybody else', () => {
  const scripts = [...page].filter(([name]) => name.endsWith('.js'));
  for (const [name, { text }] of scripts) {
    expect(text, name).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function/,
    );
    for (const [, from] of text.matchAll(/^import .* from '([^']+)';$/gm))
      expect(page.has(from?.slice(2) ?? '')).toBe(true);
  }
  for (const [name, { text }] of page)
    expect(text.replaceAll('http://www.w3.org/2000/svg', ''), name).not.toMatch(/https?:\/\/|url\(/);
});
