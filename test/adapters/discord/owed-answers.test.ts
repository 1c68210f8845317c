import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Records } from '../../../src/base/keyv/records.ts';
import type { MemberInfo, Members } from '../../../src/base/members/members.ts';
import type { CardRef } from '../../../src/command/place.ts';
import type { Reply } from '../../../src/command/reply.ts';
import { en } from '../../../src/words/en/words.ts';
import { holds as until } from '../../eventually.ts';
import { createFakeClock, type FakeClock } from '../../fakes/clock.ts';
import { createFakeDiscord, type FakeDiscord } from '../../fakes/discord/discord.ts';
import type { Sent } from '../../fakes/discord/people.ts';
import {
  card,
  faceswap,
  openStage,
  passingUntil,
  publicReply,
  refusal,
  type Stage,
  shown,
  texts,
  view,
} from '../../fakes/discord/stage.ts';
import type { Message } from '../../fakes/discord/world.ts';
import { createRecords } from '../../fakes/records.ts';
import { soleMember } from '../../fakes/sole-member.ts';

/** Interactions that a process acknowledged and did not answer before it died. */

/** The desk's reply of a process that dies before it replies. */
const never = new Promise<Reply>(() => undefined);

let clock: FakeClock;
let fake: FakeDiscord;
let notes: Records;
let stages: Stage[];

beforeEach(async () => {
  clock = createFakeClock();
  fake = await createFakeDiscord(clock);
  notes = createRecords();
  stages = [];
});

afterEach(async () => {
  // Work that never ends is not waited for.
  await passingUntil(clock, 1_000, Promise.all(stages.map((stage) => stage.adapter.stop())));
  await fake.stop();
  expect(fake.world.complaints).toEqual([]);
});

interface Beginning {
  /** The processes that are alive, as this one knows. */
  readonly living?: readonly string[];
  /** Whether this process looks after the answers that are owed. */
  readonly looks?: boolean;
}

const begin = async (process: string, { living = [], looks = true }: Beginning = {}): Promise<Stage> => {
  const list = living.map((each) => ({ process: each, isAlive: true }) as MemberInfo);
  const hold: Members['hold'] = async (name, ...work) => {
    if (looks || name !== 'discord-owed') await soleMember.hold(name, ...work);
  };
  const members: Members = { ...soleMember, process, hold, list: async () => list };
  const stage = await openStage({ fake, clock, members, owedNotes: notes, commands: [faceswap] });
  stages.push(stage);
  return stage;
};

const notedIds = async (): Promise<readonly string[]> => {
  const found: string[] = [];
  for await (const [id] of notes.iterator()) found.push(id);
  return found;
};

const notesShowing = async (what: string): Promise<boolean> => {
  for await (const [, value] of notes.iterator())
    if (JSON.stringify(value).includes(`"shows":"${what}"`)) return true;
  return false;
};

/** What Ann reads in the channel. */
const seen = () => texts(fake.messages(fake.channel, fake.user('ann')));

/** A command whose answer does not come. */
const ask = async (stage: Stage): Promise<Sent> => {
  stage.desk.replies(never);
  const sent = fake.user('ann').types('/faceswap');
  expect((await sent.answered()).type).toBe(5);
  await until(() => expect(stage.desk.heard).toHaveLength(1));
  return sent;
};

/** The process that asked counts as dead from now on. */
const dies = (stage: Stage): void => {
  fake.gateway.cut();
  stages.splice(stages.indexOf(stage), 1);
};

const resultWithAgain = async (stage: Stage): Promise<Message> => {
  stage.desk.replies(publicReply('Result', { buttons: [[{ action: 'again:1', label: 'Again' }]] }));
  return shown(fake.user('ann').types('/help'));
};

/** A process that knows all others as dead looks for what they owed. */
const nextProcessLooks = async (): Promise<Stage> => {
  const next = await begin('second');
  await clock.advance(20_000);
  return next;
};

test.each([
  { when: 'at once', minutes: 0 },
  { when: 'minutes later, while the token lives', minutes: 13 },
])(
  '"thinking…" of a dead process becomes a sentence, once, when the next one starts $when, and nothing is kept',
  async ({ minutes }) => {
    const first = await begin('first');
    await ask(first);
    expect(await notedIds()).toHaveLength(1);

    dies(first);
    clock.leap(minutes * 60_000);
    const second = await nextProcessLooks();
    await until(() => expect(seen()).toEqual([expect.stringContaining(en.notes.interrupted)]));
    await until(async () => expect(await notedIds()).toEqual([]));

    expect(second.desk.heard).toEqual([]);
  },
);

describe('what was shown meanwhile', () => {
  const busy = {
    kind: 'message',
    audience: 'everyone',
    view: view('Looking at your photo…'),
  } as const;

  test('a message that a dead process has shown meanwhile becomes a sentence', async () => {
    const first = await begin('first');
    first.desk.replies(({ meanwhile }) => {
      meanwhile?.(busy);
      return never;
    });
    fake.user('ann').types('/faceswap');
    await until(() => expect(seen()).toEqual([expect.stringContaining('Looking')]));

    dies(first);
    await nextProcessLooks();
    await until(() => expect(seen()).toEqual([expect.stringContaining(en.notes.interrupted)]));
    await until(async () => expect(await notedIds()).toEqual([]));
  });

  test('a message of a dead process in the place of a question becomes a sentence, too', async () => {
    const first = await begin('first');
    const message = await resultWithAgain(first);
    first.desk.replies(({ meanwhile }) => {
      meanwhile?.({ ...busy, replaces: true });
      return never;
    });
    fake.user('ann').presses(message, 'Again');
    await until(() => expect(seen()).toEqual([expect.stringContaining('Looking')]));
    // The note of it is stored after it is shown.
    await until(async () => expect(await notesShowing('thinking')).toBe(true));

    dies(first);
    await nextProcessLooks();
    await until(() => expect(seen()).toEqual([expect.stringContaining(en.notes.maybeInterrupted)]));
  });

  test('a message of a dead process becomes the card of a job that was made and not shown', async () => {
    const first = await begin('first');
    const answer = Promise.withResolvers<CardRef | undefined>();

    first.desk.replies(({ meanwhile, answer: card }) => {
      meanwhile?.(busy);
      answer.resolve(card);
      return never;
    });
    fake.user('ann').types('/faceswap');
    await until(() => expect(seen()).toEqual([expect.stringContaining('Looking')]));

    const answerRef = (await answer.promise) ?? expect.fail('the desk knows no answer');
    const found = (await first.adapter.find?.(answerRef, 'job1')) ?? expect.fail('it was not found');
    const drawn = await first.adapter.draw(found, view('Place in line: 1'), 'final');

    expect(drawn.state).toBe('drawn');
    expect(seen()).toEqual(['Place in line: 1']);

    dies(first);
  });
});

test('an owed answer that has made a job is left to the job', async () => {
  const first = await begin('first');
  const sent = await ask(first);
  dies(first);
  const second = await begin('second');
  second.desk.jobs.add(`discord:${sent.interaction.id}`);
  await clock.advance(20_000);
  await until(async () => expect(await notedIds()).toEqual([]));

  expect(seen()).toEqual(['']);
});

test('an owed answer of a living process is left alone', async () => {
  const first = await begin('first');
  await ask(first);
  await begin('second', { living: ['first', 'second'] });
  await clock.advance(60_000);

  expect(await notedIds()).toHaveLength(1);
  expect(seen()).toEqual(['']);

  // The desk of the first process never replies, so that its stop would not end.
  stages.shift();
});

test('a person who pressed a button of a dead process is told that nobody knows its outcome', async () => {
  const first = await begin('first');
  const message = await resultWithAgain(first);
  first.desk.replies(never);
  const press = fake.user('ann').presses(message, 'Again');
  await until(() => expect(first.desk.heard).toHaveLength(2));
  await clock.advance(1_200);

  expect((await press.answered()).type).toBe(6);

  dies(first);
  await nextProcessLooks();
  await until(() => expect(seen()).toEqual(['Result', expect.stringContaining(en.notes.maybeInterrupted)]));

  expect(texts(fake.messages(fake.channel))).toEqual(['Result']);

  await until(async () => expect(await notedIds()).toEqual([]));
});

test('an event that is answered leaves no note of an owed answer', async () => {
  const stage = await begin('first');
  stage.desk.replies(card('Place in line: 1'));
  fake.user('ann').types('/faceswap');

  await until(() => expect(stage.desk.cards).toHaveLength(1));
  await until(async () => expect(await notedIds()).toEqual([]));
});

test('a store that does not answer delays the note of an owed answer, and "thinking…", for a moment only', async () => {
  let asked = false;
  notes.update = () => {
    asked = true;
    return new Promise<never>(() => undefined);
  };
  const stage = await begin('first');
  stage.desk.replies(card('Place in line: 1'));
  const sent = fake.user('ann').types('/faceswap');
  await until(() => expect(asked).toBe(true));
  await clock.advance(150);

  expect((await sent.answered()).type).toBe(5);

  await until(() => expect(stage.desk.cards).toHaveLength(1));
  stages.shift();
});

test('an interaction that is delivered twice is owed until the first one is answered', async () => {
  const first = await begin('first');
  await ask(first);
  fake.gateway.dispatch('INTERACTION_CREATE', fake.lastEvent('INTERACTION_CREATE'));
  const callbacks = () => fake.received.filter(({ path }) => path.endsWith('/callback'));
  await until(() => expect(callbacks()).toHaveLength(2));
  await clock.advance(1_000);

  expect(await notedIds()).toHaveLength(1);

  dies(first);
});

test.each([
  { process: 'the same process', looks: true },
  { process: 'another one, which looks for all', looks: false },
])('an answer that Discord did not take is told as missing when it does, by $process', async ({ looks }) => {
  const living = ['first', 'second'];
  const stage = await begin('first', { living, looks });
  fake.fault({ method: 'PATCH', path: /@original$/, ...refusal(400, 50035) });
  stage.desk.replies(publicReply('Hello'));
  fake.user('ann').types('/faceswap');

  await until(() => expect(stage.logged.join()).toContain('could not be answered'));
  fake.clearFaults();
  if (!looks) await begin('second', { living });
  await clock.advance(20_000);
  await until(() => expect(seen()).toEqual([expect.stringContaining(en.notes.interrupted)]));
});

test('an event that a process noted and did not acknowledge is not told of when another process has answered it', async () => {
  const stage = await begin('second');

  const message = await resultWithAgain(stage);
  const slow = Promise.withResolvers<Reply>();
  stage.desk.replies(slow.promise);
  const press = fake.user('ann').presses(message, 'Again');
  await until(() => expect(stage.desk.heard).toHaveLength(2));
  const card = stage.desk.heard[0]?.answer?.ref;
  await notes.set(press.interaction.id, { card, process: 'first', shows: 'nothing', makesJob: false });
  await clock.advance(1_200);

  expect((await press.answered()).type).toBe(6);

  slow.resolve(publicReply('Done'));
  await until(() => expect(seen()).toEqual(['Result', 'Done']));
  await until(async () => expect(await notedIds()).toEqual([]));
});
