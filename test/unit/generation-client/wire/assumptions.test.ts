import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { completeAssumptions } from '../../../../src/generation-client/wire/assumptions.ts';

it('the page for owners shows the defaults as they are', () => {
  const page = readFileSync(new URL('../../../../docs/generation-assumptions.md', import.meta.url), 'utf8');
  const shown = /```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  expect(JSON.parse(shown)).toEqual(completeAssumptions());
});

it('what is given replaces only what it names, and can be completed again', () => {
  const changed = completeAssumptions({ lists: { id: ['key'] }, credits: { group: 7 } });
  const defaults = completeAssumptions();
  expect(changed).toEqual({
    ...defaults,
    lists: { ...defaults.lists, id: ['key'] },
    credits: { face: 2, group: 7 },
  });
  expect(completeAssumptions(changed)).toEqual(changed);
});
