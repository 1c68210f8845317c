import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Caller, Place } from '../../../src/command/place.ts';
import { createTestCore, type TestCore } from '../../fakes/core.ts';

const forgotten: string[] = [];

let core: TestCore;
beforeEach(async () => {
  forgotten.length = 0;
  core = await createTestCore({
    isModerator: async ({ id }) => id === 'mod',
    forget: async ({ id }) => void forgotten.push(id),
  });
});
afterEach(() => core.close());

const place: Place = { platform: 'web', community: 'web:room', channel: 'room', direct: false };
const personOf = (id: string): Caller => ({ platform: 'web', id, name: id, locale: 'en' });
let events = 0;
const as = (id: string) => ({ event: `event-${++events}`, caller: personOf(id), place });
const generate = async (id: string, prompt: string): Promise<string> => {
  const given = { photo: { from: 'web', ref: 'photo' }, prompt, gender: 'female' } as const;
  const reply = await core.desk.command({ ...as(id), command: 'faceswap', given });
  if (reply.kind !== 'card') throw new Error(`no card but ${JSON.stringify(reply)}`);
  return reply.job;
};

it('erasing a person removes their audit lines, but not those of moderators', async () => {
  const other = await generate('ben', 'a red balloon');
  await core.desk.press({ ...as('mod'), action: `cancel:${other}` });
  const banned = { command: 'settings', subcommand: 'banword', given: { word: 'kraken' } };
  await core.desk.command({ ...as('mod'), ...banned });
  await generate('ann', 'a secret garden');

  const erase = async (id: string): Promise<void> => {
    const page = await core.desk.command({ ...as(id), command: 'privacy', given: {} });
    const action = 'view' in page ? (page.view.buttons?.flat()[0]?.action ?? '') : '';
    expect(action).toMatch(/^erase:/);
    await core.desk.press({ ...as(id), action: `${action}:yes` });
  };
  // A prompt is in nobody's trail: it is kept longer than the job, and others read it.
  const before = await core.state(['web:room']);
  expect(before).toContain('"actor":"web:ann","action":"job"');
  expect(before).not.toMatch(/secret garden|red balloon/);
  await erase('ann');
  expect(forgotten).toEqual(['ann']);
  const left = await core.state(['web:room']);
  expect(left).not.toContain('web:ann');
  expect(left).toContain('"actor":"web:ben","action":"job"');

  await erase('mod');
  const trail = await core.state(['web:room']);
  expect(trail).toContain('settings.banword');
  expect(trail).toContain('moderator.cancel');
});
