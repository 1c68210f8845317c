import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withFileSentences } from '../../scripts/way-page.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/way-of-a-command.md'), 'utf8');

it('docs/way-of-a-command.md says of each file what the file says of itself', () => {
  expect(withFileSentences(page), 'out of date: run `npx node scripts/way-page.ts`').toBe(page);
});

it('each file that docs/way-of-a-command.md names says what it does', () => {
  const silent = [...page.matchAll(/^\| `([^`]+)` \| {2}\|$/gm)].map(([, file]) => file);
  expect(silent, 'the first thing that they export needs a comment').toEqual([]);
});
