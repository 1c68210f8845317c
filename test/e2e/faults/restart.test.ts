// @module-tag slow
// @module-tag longest
import { afterEach, expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import { polledJob } from '../../fakes/service-calls.ts';
import type { Person, Seen } from '../stage/chat.ts';
import { hidden, photo, sharedIn, swapOf as swap } from '../stage/lines.ts';
import { photoOf } from '../stage/pictures.ts';
import { names, stage, useStage } from '../stage/stage.ts';

const path = '/v6/run/face_swap';

let runningMs = 40;
let hanging = false;
useStage({
  // Lists of filters and aliases: everything that a start asks for.
  http: ({ method }) => (hanging && method === 'GET' ? { kind: 'hang' } : undefined),
  jobs: () => ({ runningMs }),
  env: { USER_CONCURRENT_JOBS: '1' },
});
afterEach(() => {
  hanging = false;
});

/** On each platform: the cards of a job at the service and of one in line behind it, and a question that waits for its answer. */
const begin = async (who: string) =>
  Promise.all(
    names.map(async (name) => {
      const person = stage.platforms[name].room().person(`${who} on ${name}`);
      const atService = await cardOf(person, '3');
      const inLine = await cardOf(person, '4');
      const question = await person
        .types({ command: 'faceswap', given: { filter: '5' }, photos: { photo } })
        .offers('girl');
      return { person, atService, inLine, question };
    }),
  );

const cardOf = (person: Person, filter: string): Promise<Seen> => person.types(swap(filter)).offers('Cancel');

it.each(['stop', 'kill'] as const)(
  'after a %s, every card still gets exactly one result and buttons work',
  async (how) => {
    runningMs = 600_000;
    const before = stage.recorder.runs(path).length;
    const calls = stage.recorder.calls.length;
    const all = await begin(how);
    // A job whose state was asked for is stored as running.
    const polled = (): ReadonlySet<string> =>
      new Set(stage.recorder.calls.slice(calls).flatMap(({ path: called }) => polledJob(called) ?? []));
    await eventually(() => polled().size === names.length, 'both to be submitted');

    await stage.restart(how);
    runningMs = 40;
    stage.laterAtService(600_000);

    for (const { person, atService, inLine, question } of all) {
      await eventually(() => person.again(atService)?.media, 'the result on the first card');
      const shown = await eventually(() => {
        const card = person.again(inLine);
        return card?.media !== undefined && card;
      }, 'the result on the second card');

      const answered = await person.presses(question, 'girl').result('the answer to an old question');
      expect(answered.text).toContain('AI-generated');

      const again = await person
        .presses(shown, 'Again')
        .until(({ id, media }) => id !== inLine.id && media !== undefined, 'the result of an old button');
      expect(again.buttons).toContain('Again');
    }

    // Two cards, one question, one button, on each platform: nothing was asked for twice.
    expect(stage.recorder.runs(path).length - before).toBe(names.length * 4);
  },
);

it.each([
  { when: 'before the program heard that its card was there', after: true },
  { when: 'before its card was there', after: false },
])('a card whose program was killed $when is found on Discord and gets its result', async ({ after }) => {
  runningMs = 40;
  const before = stage.recorder.runs(path).length;
  const person = stage.platforms.discord.room().person(`unheard on discord ${after}`);
  stage.discord.fault({ method: 'PATCH', path: /@original$/, kind: 'hang', after, times: 1 });
  const edits = (): number => stage.discord.received.filter(({ method }) => method === 'PATCH').length;
  const earlier = edits();
  person.types(swap('7'));
  // The card is asked for when the job has been stored.
  await eventually(() => edits() > earlier, 'the card to be sent');
  const [first] = person.seenByAll();
  await stage.restart('kill');

  const done = await eventually(
    () => person.seenByAll().find(({ media }) => media !== undefined),
    'the result',
  );
  expect(done.id).toBe(first?.id);
  expect(person.seenByAll()).toHaveLength(1);
  expect(stage.recorder.runs(path).length - before).toBe(1);
});

it('a card on Telegram that a kill kept from being confirmed is shown again, and says so', async () => {
  runningMs = 1_000;
  const before = stage.recorder.runs(path).length;
  const person = stage.platforms.telegram.room().person('unheard on telegram');
  stage.telegram.fault({ method: 'sendMessage', kind: 'mute' });
  const first = await cardOf(person, '7');
  await stage.restart('kill');
  const second = await eventually(
    () => person.seenByAll().find(({ text }) => text.includes('Sent again after an interruption')),
    'the second card',
  );

  expect(second.id).not.toBe(first.id);

  await eventually(() => person.again(second)?.media, 'the result on the second card');
  expect(person.seenByAll()).toHaveLength(2);
  expect(stage.recorder.runs(path).length - before).toBe(1);

  // The first card is out of date: a press removes it.
  person.presses(first, 'Cancel');
  await eventually(() => person.seenByAll().length === 1, 'the first card to go');

  expect(person.seenByAll().map(({ id }) => id)).toEqual([second.id]);
});

it('Cancel on the older copy on Telegram cancels the job, updates the newer card and removes the copy', async () => {
  runningMs = 600_000;
  const before = stage.recorder.runs(path).length;
  const person = stage.platforms.telegram.room().person('behind on telegram');
  stage.telegram.fault({ method: 'sendMessage', kind: 'mute' });
  const first = await cardOf(person, '7');
  await stage.restart('kill');
  const second = await eventually(
    () => person.seenByAll().find(({ id }) => id !== first.id),
    'the second card',
  );
  await eventually(() => stage.recorder.runs(path).length > before, 'the submission');
  person.presses(first, 'Cancel');
  await eventually(() => person.again(second)?.text.includes('Cancelled.'), 'the end on the second card');
  await eventually(() => person.again(first) === undefined, 'the first card to go');
});

it.each(names)('a cancelled job stays cancelled after a kill, on %s', async (name) => {
  runningMs = 60_000;
  const person = stage.platforms[name].room().person(`cancelling on ${name}`);
  const before = stage.recorder.runs(path).length;
  const running = person.types(swap('6'));
  const card = await running.offers('Cancel');
  await eventually(() => stage.recorder.runs(path).length > before, 'the submission');
  person.presses(card, 'Cancel');
  await running.says('Cancelled.');

  await stage.restart('kill');

  await person.types({ command: 'jobs' }).says('cancelled');
  expect(person.again(card)?.text).toContain('Cancelled.');
});

it('a program starts while every list of the service hangs, and accepts filter numbers', async () => {
  hanging = true;
  runningMs = 40;
  await stage.restart('kill');
  const outcomes = names.map((name) =>
    stage.platforms[name].room().person(`starting on ${name}`).types(swap('3')),
  );
  for (const outcome of outcomes) await outcome.result();
});

it('a program registers the commands with Discord once, however often it starts', () => {
  expect(stage.discord.world.registrations).toBe(1);
});

const album = Object.fromEntries(
  await Promise.all(
    ['#c02020', '#20c020', '#2020c0'].map(async (colour) => [colour, await photoOf(colour)] as const),
  ),
);

it.each([
  { when: 'before the first card', method: 'editMessageText', kind: 'hang', tooMany: 0 },
  { when: 'before the second card', method: 'sendMessage', kind: 'hang', tooMany: 0 },
  // Telegram cannot be asked whether a message was sent.
  { when: 'when the second card was sent', method: 'sendMessage', kind: 'mute', tooMany: 1 },
] as const)(
  'an album whose program dies $when makes each job once, with a card each',
  async ({ method, kind, tooMany }) => {
    runningMs = 40;
    const ann = stage.platforms.telegram.room({ hearsAll: true }).person('Ann album');
    const before = stage.recorder.runs().length;
    const question = await ann.types({ ...swap('3'), photos: album }).says('3 photos at once');
    const results = () => ann.seenByAll().filter(({ media }) => media !== undefined);
    const arrived = Promise.withResolvers<void>();
    stage.telegram.fault({ method, kind });
    stage.telegram.onCall((call) => call.method === method && arrived.resolve());
    ann.presses(question, question.buttons[0] ?? '');
    await arrived.promise;
    // A kill while it is submitted would leave it uncertain.
    if (method === 'sendMessage') await eventually(() => results().length === 1, 'the first result');
    await stage.restart('kill', {}, async () => stage.telegram.clearFaults());
    await eventually(() => results().length === 3, 'three results');

    expect(ann.seenByAll()).toHaveLength(3 + tooMany);
    expect(stage.recorder.runs()).toHaveLength(before + 3);

    const usage = await ann.types({ command: 'usage' }).says('today');
    expect(usage.text).toMatch(/\b6\b/);
  },
);

it.each([
  { name: 'discord', got: 'has', count: 1 },
  { name: 'discord', got: 'has not', count: 0 },
  { name: 'telegram', got: 'has', count: 1 },
  { name: 'telegram', got: 'has not', count: 0 },
] as const)(
  'a result is shared once at most when the program dies while it shares on $name, which $got got the message',
  async ({ name, count }) => {
    runningMs = 40;
    const ann = stage.platforms[name].room().person('Ann kill');
    const result = await hidden(ann);
    const press = ann.actionOf(result, 'Share');
    const arrived = Promise.withResolvers<void>();
    if (name === 'discord') {
      const path = /^\/channels\/\d+\/messages$/;
      stage.discord.fault({ method: 'POST', path, kind: 'hang', after: count === 1 });
      const posts = (): number =>
        stage.discord.received.filter((each) => each.method === 'POST' && path.test(each.path)).length;
      const before = posts();
      void eventually(() => posts() > before, 'the request').then(() => arrived.resolve());
    } else {
      stage.telegram.fault({ method: 'sendPhoto', kind: count === 1 ? 'mute' : 'hang' });
      stage.telegram.onCall(({ method }) => method === 'sendPhoto' && arrived.resolve());
    }
    ann.presses(result, 'Share');
    await arrived.promise;
    await eventually(() => sharedIn(ann).length === count, 'the message');
    await stage.restart('kill', {}, async () => stage[name].clearFaults());
    await ann.forges(result, press).says('may have been interrupted');

    expect(sharedIn(ann)).toHaveLength(count);

    for (const seen of sharedIn(ann)) ann.presses(seen, 'Delete');
    await eventually(() => sharedIn(ann).length === 0, 'the shared result to go');
  },
);
