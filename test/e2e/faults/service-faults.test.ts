// @module-tag slow
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import type { HttpFault } from '../../fakes/service/script.ts';
import { isPoll } from '../../fakes/service-calls.ts';
import type { Person } from '../stage/chat.ts';
import { swap } from '../stage/lines.ts';
import { names, stage, useStage } from '../stage/stage.ts';

const run = '/v6/run/face_swap';

/** The first person of the fake. */
const owner = 1001;
let boss: Person;
/** The fault of the service instead of an answer; undefined: it answers. */
let fault: (operation: string) => HttpFault | undefined = () => undefined;
let met = 0;
useStage({
  http: ({ operation }) => {
    const what = fault(operation);
    if (what !== undefined) met += 1;
    return what;
  },
  // Everything that is ever logged: no secret may be in it.
  env: { LOG_LEVEL: 'trace', OWNERS: `telegram:${owner}` },
});
beforeAll(async () => {
  boss = stage.platforms.telegram.room().person('Boss');
  // Everything that a start asks for has come before anything misbehaves.
  await eventually(async () => {
    const list = await boss.types({ command: 'filters', given: { model: 'face' } }).answer();
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
    stage.platforms[name].room().person(`weathering on ${name}`).types(swap),
  );
  for (const outcome of outcomes) await outcome.offers('Cancel');
  await eventually(() => met >= times, 'the fault to be met');
  fault = () => undefined;
  for (const outcome of outcomes) {
    const result = await outcome.result();
    expect(result.text).toContain('AI-generated');
    expect(outcome.now()).toHaveLength(1);
  }
};

const calls = (part: string): number => stage.recorder.calls.filter(({ path }) => path.includes(part)).length;

it('commands are answered immediately while every call hangs, filters from the cache, and the job can be cancelled', async () => {
  fault = () => ({ kind: 'hang' });
  for (const name of names) {
    const ann = stage.platforms[name].room().person('Ann hanging');
    const outcome = ann.types(swap);
    const card = await outcome.offers('Cancel');
    await ann.types({ command: 'filters', given: { model: 'face' } }).says('Press one to use it.');
    await ann.types({ command: 'jobs' }).says('Face swap');
    ann.presses(card, 'Cancel');
    await outcome.says('Cancelled.');
  }
  fault = () => undefined;
});

it('a job goes on after troubles of polls, and its run is sent again after 429', async () => {
  await weathers(onStatus({ kind: 'reset' }), 2);
  const accepted = stage.service.accepted();
  await weathers(onRun({ kind: 'status', status: 429, headers: { 'retry-after': '1' } }), 1);

  expect(stage.service.accepted()).toBe(accepted + names.length);
});

describe.each(names)('on %s', (name) => {
  it('a run that may have been accepted is never repeated: the card says so, and Retry makes another', async () => {
    const ann = stage.platforms[name].room().person('Ann uncertain');
    const accepted = stage.service.accepted();
    const before = calls(run);

    fault = onRun({ kind: 'reset', when: 'after' });
    const outcome = ann.types(swap);
    const card = await outcome.says('not certain whether it was submitted');
    fault = () => undefined;

    expect(calls(run)).toBe(before + 1);
    expect(stage.service.accepted()).toBe(accepted + 1);
    expect(card.buttons).toEqual(['Retry']);

    await ann.presses(card, 'Retry').result();
    expect(calls(run)).toBe(before + 2);
  });
});

it('without credits at the service the card says so and the owner is notified', async () => {
  const ann = stage.platforms.discord.room().person('Ann unpaid');
  fault = onRun({ kind: 'status', status: 402 });
  const card = await ann.types(swap).says('run out of credits');

  expect(card.buttons).toEqual(['Retry']);
  expect(card.text).toContain('refunded');

  const isTold = () =>
    boss
      .at('direct')
      .sees()
      .some(({ text }) => text.includes('Add credits there'));
  await eventually(isTold, 'word to the owner');
});
