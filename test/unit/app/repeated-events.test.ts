import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestCore, type TestCore } from '../../fakes/core.ts';

const from = {
  caller: { platform: 'web', id: 'ann', name: 'Ann', locale: 'en' },
  place: { platform: 'web', community: 'web:room', channel: 'room', direct: false },
} as const;

const photo = { from: 'web', ref: 'photo' } as const;

let core: TestCore;
let choices: string[];
beforeEach(async () => {
  core = await createTestCore();
  const question = await core.desk.command({
    ...from,
    event: 'event-1',
    command: 'faceswap',
    given: { photo, gender: 'female' },
  });
  choices = 'view' in question ? (question.view.buttons ?? []).flat().map(({ action }) => action) : [];
});
afterEach(() => core.close());

const press = (event: string, choice: number) =>
  core.desk.press({ ...from, event, action: choices[choice] ?? '' });

it('two simultaneous answers to one question make one job and one card', async () => {
  const replies = await Promise.all([press('event-2', 0), press('event-3', 1)]);
  expect(replies.map(({ kind }) => kind).toSorted()).toEqual(['card', 'note']);
});

it('an answer repeated after a crash gets the card; after that it is stale', async () => {
  const first = await press('event-2', 0);
  const again = await press('event-2', 0);
  if (first.kind !== 'card') throw new Error('There should be a card.');
  expect(again).toMatchObject({ kind: 'card', job: first.job, again: true });
  await core.desk.shown(first.job, { platform: 'web', ref: 'card' });
  const late = await press('event-3', 0);
  expect(late.kind === 'note' && late.text).toMatch(/no longer valid/);
  expect(core.errors).toEqual([]);
});

it('a second press does not make an answer stale before its card is shown', async () => {
  const first = await press('event-2', 0);
  if (first.kind !== 'card') throw new Error('There should be a card.');
  expect(await press('event-3', 0)).toMatchObject({
    kind: 'note',
    known: true,
    text: 'This has already been started, but its card has not been shown yet. If it does not appear within a few minutes, try again.',
  });
  expect(await press('event-2', 0)).toMatchObject({ kind: 'card', job: first.job, again: true });
});

it('an accepted job gets its card although the community was paused or the person blocked; no new job is accepted', async () => {
  const first = await press('event-2', 0);
  if (first.kind !== 'card') throw new Error('There should be a card.');
  await core.rules.pause(from.place.community, 'lunch');
  await core.rules.block(from.place.community, 'web:ann', 'spam');
  const again = await press('event-2', 0);
  expect(again).toMatchObject({ kind: 'card', job: first.job, again: true, replaces: true });
  const command = { ...from, command: 'faceswap', given: { photo, prompt: 'a portrait' } };
  expect(await core.desk.command({ ...command, event: 'event-3' })).toMatchObject({
    view: { tone: 'failed' },
  });
});

it('a repeated command gets the card of its job, although its filter no longer exists', async () => {
  const command = { ...from, event: 'event-2', command: 'faceswap', given: { photo, prompt: 'a zebra' } };
  const first = await core.desk.command(command);
  if (first.kind !== 'card') throw new Error('There should be a card.');
  await core.rules.banWord(from.place.community, 'zebra');
  expect(await core.desk.command(command)).toMatchObject({ kind: 'card', job: first.job, again: true });
});

it('a press in a list of jobs does not turn the list into a card', async () => {
  const card = await press('event-2', 0);
  if (card.kind !== 'card') throw new Error('There should be a card.');
  const list = { platform: 'web', ref: 'a list' } as const;
  const jobs = await core.desk.command({ ...from, event: 'event-3', command: 'jobs', given: {} });
  const buttons = 'view' in jobs ? (jobs.view.buttons ?? []).flat() : [];
  const action = buttons.find(({ label }) => label.includes('Cancel'))?.action ?? '';
  expect(await core.desk.press({ ...from, event: 'event-4', action, pressed: list })).toMatchObject({
    kind: 'note',
    text: 'Cancelled.',
  });
  expect(await core.state([], card.job)).not.toContain('a list');
});
