import { beforeEach, expect, it } from 'vitest';
import type { Caller, Place } from '../../../../src/command/place.ts';
import { CommunityError } from '../../../../src/community/community-error.ts';
import { createAuditedChange } from '../../../../src/community/rules/audit.ts';

const caller: Caller = { platform: 'web', id: 'mod', name: 'Mod', locale: 'en' };
const place: Place = { platform: 'web', community: 'web:room', channel: 'room', direct: false };

let trail: string[];
let isAway: boolean;

beforeEach(() => {
  trail = [];
  isAway = false;
});

const change = () =>
  createAuditedChange(
    { demand: async () => undefined },
    { note: async (_who, _place, action) => void (isAway ? expect.fail('away') : trail.push(action)) },
    { event: 'e', caller, place },
  );

it('a change is audited once, before it is made', async () => {
  let trailBeforeChange: readonly string[] = [];

  await change()('settings.pause', {}, async (begin) => {
    await begin();
    await begin();
    trailBeforeChange = [...trail];
  });

  expect(trailBeforeChange).toEqual(['settings.pause']);
  expect(trail).toEqual(['settings.pause']);
});

it('a change that failed is audited as failed', async () => {
  const refused = new CommunityError({ code: 'words-limit', limit: 1 });

  const changing = change()('settings.banword', {}, async (begin) => {
    await begin();
    throw refused;
  });

  await expect(changing).rejects.toBe(refused);
  expect(trail).toEqual(['settings.banword', 'settings.banword.failed']);
});

it('a change that failed is told with its own error, also when the trail cannot be written any more', async () => {
  const refused = new CommunityError({ code: 'words-limit', limit: 1 });

  const changing = change()('settings.pause', {}, async (begin) => {
    await begin();
    isAway = true;
    throw refused;
  });

  await expect(changing).rejects.toBe(refused);
  expect(trail).toEqual(['settings.pause']);
});

it('a change that was refused before it began is not audited', async () => {
  await expect(change()('alias.create', {}, () => Promise.reject(new Error('no')))).rejects.toThrow();
  await change()('alias.create', {}, async () => 'model-needed');
  expect(trail).toEqual([]);
});
