import { afterEach, beforeEach, expect } from 'vitest';
import { createDiscord } from '../../../src/adapters/discord/adapter.ts';
import type { Clock } from '../../../src/base/clock.ts';
import type { Records } from '../../../src/base/keyv/records.ts';
import type { Members } from '../../../src/base/members/members.ts';
import { type Command, defineAction } from '../../../src/command/command.ts';
import type { CardRef } from '../../../src/command/place.ts';
import { jobAudience, type Reply, type ReplyOf } from '../../../src/command/reply.ts';
import type { View } from '../../../src/command/view.ts';
import { createLog } from '../../../src/log/log.ts';
import { inEachLanguage } from '../../../src/words/language.ts';
import { holds } from '../../eventually.ts';
import { createFakeClock, type FakeClock } from '../clock.ts';
import { imageOf } from '../pictures.ts';
import { createRecords } from '../records.ts';
import { createScriptedDesk } from '../scripted-desk.ts';
import { soleMember } from '../sole-member.ts';
import { createFakeDiscord, type FakeDiscord } from './discord.ts';
import { display } from './markdown.ts';
import type { DiscordPerson, Sent } from './people.ts';
import type { Message } from './world.ts';

/** What differs from an adapter with a few commands, stores in memory and the machine’s clock. */
export interface StageOptions {
  readonly commands?: readonly Command[];
  readonly fake?: FakeDiscord;
  readonly state?: Records;
  readonly owedNotes?: Records;
  readonly clock?: FakeClock;
  readonly members?: Members;
  readonly sessionsExhausted?: () => void;
  readonly conflicted?: () => void;
  /** Interactions come by HTTP, signed with this. */
  readonly publicKey?: string;
}

/** An adapter that is not started, with a desk and a log of its own. */
export const createStaged = (fake: FakeDiscord, clock: Clock, options: StageOptions) => {
  const desk = createScriptedDesk();
  const state = options.state ?? createRecords();
  /** Everything that was logged. */
  const logged: string[] = [];
  const { adapter, webhook } = createDiscord({
    token: fake.token,
    apiUrl: fake.api,
    cdnHosts: [fake.cdnHost],
    publicKey: options.publicKey,
    members: options.members ?? soleMember,
    commands: options.commands ?? [],
    desk,
    state,
    owedNotes: options.owedNotes ?? createRecords(),
    clock,
    log: createLog({ level: 'debug', secrets: [fake.token], stream: { write: (line) => logged.push(line) } }),
    tellOwners: (trouble) =>
      trouble === 'discord-conflict' ? options.conflicted?.() : options.sessionsExhausted?.(),
  });
  /** The reference of the first card, once the adapter has reported it. */
  const cardShown = (): Promise<CardRef> => holds(() => desk.cards[0]?.card ?? expect.fail('no card yet'));
  return { adapter, webhook, desk, state, logged, cardShown };
};

/** The adapter, connected to a fake Discord that shares its clock. */
export const openStage = async (options: StageOptions = {}) => {
  const clock = options.clock ?? createFakeClock();
  const fake = options.fake ?? (await createFakeDiscord(clock));
  const staged = createStaged(fake, clock, options);
  await staged.adapter.start();
  return {
    ...staged,
    fake,
    clock,
    async stop(): Promise<void> {
      await staged.adapter.stop();
      await fake.stop();
    },
  };
};

/** An adapter that is connected to a fake Discord, and a scripted desk behind it. */
export type Stage = Awaited<ReturnType<typeof openStage>>;

/** The stage of the running test, in files that call `useStage`. */
export let stage: Stage;

/** Opens a stage of its own for each test of a file. */
export const useStage = (options: StageOptions = {}): void => {
  beforeEach(async () => {
    stage = await openStage(options);
  });
  afterEach(async () => {
    await stage.stop();
    expect(stage.fake.world.complaints).toEqual([]);
  });
};

/** Sockets are real even where time is not. */
export const until = holds;

/** Like `until`, and the clock advances by `ms` before each check. */
export const passing = <T>(clock: FakeClock, ms: number, check: () => T | Promise<T>): Promise<T> =>
  until(async () => {
    await clock.advance(ms);
    return check();
  });

/** What `work` resolves to, while the clock advances in steps of `ms`. */
export const passingUntil = async <T>(clock: FakeClock, ms: number, work: Promise<T>): Promise<T> => {
  await passing(clock, ms, async () =>
    expect(await Promise.race([work, Promise.resolve(undefined)])).toBeDefined(),
  );
  return work;
};

/** A fault with which Discord refuses a request. */
export const refusal = (status: number, code: number, message = '') =>
  ({ kind: 'status', status, body: { code, message } }) as const;

/** The message that answers what a person sent, once it has a text. */
export const shown = (sent: Sent): Promise<Message> =>
  until(() => {
    const message = sent.message();
    if (message === undefined || message.content === '') throw new Error('no message yet');
    return message;
  });

/** A message that everybody reads. */
export const publicReply = (text: string, more: Partial<View> = {}): Reply => ({
  kind: 'message',
  audience: 'everyone',
  view: view(text, more),
});

/** A message that only who asked reads. */
export const privateReply = (text: string): Reply => ({
  kind: 'message',
  audience: 'caller',
  view: view(text),
});

/** The messages that everybody reads in the channel of all people. */
export const room = (): readonly Message[] => stage.fake.messages(stage.fake.channel);

/** Ann's command gets this reply; resolves with the message that she sees then. */
export const show = (reply: Reply, command = '/help', values: Parameters<DiscordPerson['types']>[1] = {}) => {
  stage.desk.replies(reply);
  return shown(stage.fake.user('ann').types(command, values));
};

/** A message of the bot that everybody reads, with one button. */
export const showWithButton = (text: string, label: string, action: string): Promise<Message> =>
  show(publicReply(text, { buttons: [[{ action, label }]] }));

/** Messages as they read on the screen. */
export const texts = (messages: readonly Message[]): readonly string[] =>
  messages.map((each) => display(each.content).text);

/** A view with one line of text. */
export const view = (text: string, more: Partial<View> = {}): View => ({
  tone: 'busy',
  lines: [text],
  ...more,
});

/** A reply with the card of a job. */
export const card = (text: string, more: Partial<ReplyOf<'card'>> = {}): Reply => ({
  kind: 'card',
  job: 'job-1',
  view: view(text),
  audience: 'everyone',
  ...more,
});

/** A view that shows a finished picture. */
export const picture = (bytes: Uint8Array, more: Partial<View> = {}): View => ({
  tone: 'done',
  lines: ['AI-generated'],
  media: imageOf(bytes, { type: 'image/png', name: 'result.png' }),
  ...more,
});

/** A job's card in the channel, as `ann` ordered it. */
export const showCard = async (isPrivate = false): Promise<CardRef> => {
  stage.desk.replies(card('Place in line: 2', { audience: jobAudience(isPrivate) }));
  stage.fake.user('ann').types('/faceswap', { filter: '12', private: isPrivate });
  return stage.cardShown();
};

/** A command that takes a while and does nothing. */
export const faceswap: Command = {
  name: 'faceswap',
  description: inEachLanguage(() => 'Swap'),
  access: 'everyone',
  examples: [],
  generates: true,
  action: defineAction({
    description: inEachLanguage(() => 'Swap'),
    options: {},
    run: async () => ({ kind: 'note', text: '' }),
  }),
};
