import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { completeAssumptions } from '../../../../src/generation-client/wire/assumptions.ts';

it('docs/generation-assumptions.md lists the defaults', () => {
  const page = readFileSync(new URL('../../../../docs/generation-assumptions.md', import.meta.url), 'utf8');
  const shown = /```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  expect(JSON.parse(shown)).toEqual(completeAssumptions());
});

it('overrides replace only what they name, and completing twice changes nothing', () => {
  const changed = completeAssumptions({ lists: { id: ['key'] }, credits: { group: 7 } });
  const defaults = completeAssumptions();
  expect(changed).toEqual({
    ...defaults,
    lists: { ...defaults.lists, id: ['key'] },
    credits: { face: 2, group: 7 },
  });
  expect(completeAssumptions(changed)).toEqual(changed);
});
