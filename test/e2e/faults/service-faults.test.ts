import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import type { HttpFault } from '../../fakes/service/script.ts';
import { isPoll } from '../../fakes/status-calls.ts';
import type { Line, Member } from '../stage/chat.ts';
import { photo, swap } from '../stage/lines.ts';
import { resultOf } from '../stage/pictures.ts';
import { stage, useStage } from '../stage/stage.ts';

const made = await resultOf('#e0a010');
const run = '/v6/run/face_swap';
const names = ['discord', 'telegram'] as const;

/** The first person of the fake. */
const owner = 1001;
let boss: Member;
/** What the service does instead of answering; undefined: it answers. */
let fault: (operation: string) => HttpFault | undefined = () => undefined;
let met = 0;
useStage({
  script: {
    http: ({ operation }) => {
      const what = fault(operation);
      if (what !== undefined) met += 1;
      return what;
    },
    jobs: () => ({ queuedMs: 0, runningMs: 40, result: made }),
  },
  // Everything that is ever logged: no secret may be in it.
  env: { LOG_LEVEL: 'trace', OWNERS: `telegram:${owner}` },
});
beforeAll(async () => {
  boss = stage.platforms.telegram.room().member('Boss');
  // Everything that a start asks for has come before anything misbehaves.
  await eventually(async () => {
    const list = await boss
      .sends({ command: 'filters', given: { model: 'face' } })
      .until(({ text }) => text !== '', 'the list');
    return list.text.includes('Press one to use it.');
  }, 'the filters');
});
afterEach(() => {
  fault = () => undefined;
});

const onRun =
  (what: HttpFault) =>
  (operation: string): HttpFault | undefined =>
    operation.includes(run) ? what : undefined;
const onStatus =
  (what: HttpFault) =>
  (operation: string): HttpFault | undefined =>
    isPoll(operation.split(' ')[1] ?? '') ? what : undefined;

/** Everybody sends, the service misbehaves, recovers, and everybody gets one result for one run. */
const weathers = async (bad: typeof fault, times: number): Promise<void> => {
  met = 0;
  fault = bad;
  const outcomes = names.map((name) =>
    stage.platforms[name].room().member(`weathering on ${name}`).sends(swap),
  );
  for (const outcome of outcomes) await outcome.until(({ buttons }) => buttons.includes('Cancel'), 'a card');
  await eventually(() => met >= times, 'the fault to be met');
  fault = () => undefined;
  for (const outcome of outcomes) {
    const result = await outcome.result();
    expect(result.text).toContain('AI-generated');
    expect(outcome.now()).toHaveLength(1);
  }
};

const calls = (part: string): number => stage.recorder.calls.filter(({ path }) => path.includes(part)).length;

it('answers immediately while every call hangs, and the job can be cancelled', async () => {
  fault = () => ({ kind: 'hang' });
  for (const name of names) {
    const ann = stage.platforms[name].room().member('Ann hanging');
    const outcome = ann.sends(swap);
    const card = await outcome.until(({ buttons }) => buttons.includes('Cancel'), 'a card');
    await ann.sends({ command: 'jobs' }).says('Face swap');
    ann.press(card, 'Cancel');
    await outcome.says('Cancelled.');
  }
  fault = () => undefined;
});

it.each([
  ['503 with Retry-After', { kind: 'status', status: 503, headers: { 'retry-after': '1' } }],
  ['429 with Retry-After', { kind: 'status', status: 429, headers: { 'retry-after': '1' } }],
  ['garbage', { kind: 'garbage' }],
  ['a reset', { kind: 'reset' }],
] as const)('continues after %s on polls', async (_name, bad) => {
  await weathers(onStatus(bad), 2);
});

it('sends a run again after 429', async () => {
  const accepted = stage.service.accepted();
  await weathers(onRun({ kind: 'status', status: 429, headers: { 'retry-after': '1' } }), 1);
  expect(stage.service.accepted()).toBe(accepted + names.length);
});

describe.each(names)('on %s', (name) => {
  it('never repeats a run that may have been accepted: the card says so, and Retry makes another', async () => {
    const ann = stage.platforms[name].room().member('Ann uncertain');
    const accepted = stage.service.accepted();
    const before = calls(run);
    fault = onRun({ kind: 'reset', when: 'after' });
    const outcome = ann.sends(swap);
    const card = await outcome.says('not certain whether it was submitted');
    fault = () => undefined;
    expect(calls(run)).toBe(before + 1);
    expect(stage.service.accepted()).toBe(accepted + 1);
    expect(card.buttons).toEqual(['Retry']);
    await ann.press(card, 'Retry').result();
    expect(calls(run)).toBe(before + 2);
  });

  it('shows why the service refused, and returns the credits', async () => {
    const ann = stage.platforms[name].room().member('Ann refused');
    const body = JSON.stringify({ error_code: 'FILTER_BLOCKED', detail: 'Not for @everyone **today**.' });
    fault = onRun({ kind: 'status', status: 422, body });
    const card = await ann.sends(swap).says('refunded');
    fault = () => undefined;
    expect(card.buttons).toEqual(['Retry']);
    await ann.sends({ command: 'usage' }).says('You used 0 of');
  });

  it('answers /filters, autocomplete and lists from the cache while the service is down', async () => {
    const ann = stage.platforms[name].room().member('Ann lists');
    fault = () => ({ kind: 'hang' });
    await ann.sends({ command: 'filters', given: { model: 'face' } }).says('Press one to use it.');
    await ann.sends({ command: 'jobs' }).says('You have no jobs yet.');
    fault = () => undefined;
  });
});

const film: Line = { command: 'animate', given: { prompt: 'a zoom' }, photos: { photo } };
it.each([
  [402, swap, 'run out of credits', 'Add credits there'],
  [401, film, 'credentials', 'refuses the credentials'],
  [302, film, 'redirects', 'GENERATION_URL'],
] as const)(
  'on %s the card says what is wrong and the owner is notified',
  async (status, line, words, notice) => {
    const ann = stage.platforms.discord.room().member(`Ann ${status}`);
    fault = (operation) => (operation.includes('/run/') ? { kind: 'status', status } : undefined);
    const card = await ann.sends(line).says(words);
    expect(card.buttons).toEqual(['Retry']);
    expect(card.text).toContain('refunded');
    await eventually(() => boss.inbox().some(({ text }) => text.includes(notice)), 'word to the owner');
    fault = () => undefined;
  },
);
