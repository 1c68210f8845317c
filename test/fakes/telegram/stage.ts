import type { Chat } from 'grammy/types';
import { expect, onTestFinished } from 'vitest';
import type { Adapter, Connected, Memberships } from '../../../src/adapters/adapter.ts';
import { createTelegram } from '../../../src/adapters/telegram/adapter.ts';
import { telegramRecordRules } from '../../../src/adapters/telegram/records.ts';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import type { Records } from '../../../src/base/keyv/records.ts';
import type { Inbox } from '../../../src/base/members/inbox.ts';
import type { Members } from '../../../src/base/members/members.ts';
import type { Caller, CardRef } from '../../../src/command/place.ts';
import { jobAudience, type Reply } from '../../../src/command/reply.ts';
import type { View } from '../../../src/command/view.ts';
import { createLog } from '../../../src/log/log.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { createSoleMember } from '../../../src/store/store.ts';
import { holds } from '../../eventually.ts';
import { createFakeClock, type FakeClock } from '../clock.ts';
import { imageOf } from '../pictures.ts';
import { createScriptedDesk, type Script, type ScriptedDesk } from '../scripted-desk.ts';
import type { FloodLimits } from './flood.ts';
import type { MessageParts, TelegramPerson } from './people.ts';
import { createFakeTelegram } from './telegram.ts';
import { testCommands } from './test-commands.ts';

/** What differs from a started adapter with the machine’s clock, long polling and stores in memory. */
export interface StageOptions {
  readonly clock?: Clock & Partial<Pick<FakeClock, 'advance'>>;
  readonly flood?: FloodLimits | 'off';
  readonly webhook?: { readonly url: string; readonly secret: string };
  readonly state?: Records;
  /** Methods that replace those of the store's inbox. */
  readonly inbox?: Partial<Inbox>;
  readonly migrated?: (from: string, to: string) => Promise<void> | void;
  readonly memberships?: Memberships;
  readonly conflicted?: () => void;
  /** Makes the members of each process; by default a process is the only one. */
  readonly members?: () => Members;
  /** The fake's own time, when it is to differ from the adapter's. */
  readonly fakeClock?: Clock;
  readonly start?: boolean;
}

/** The stage of the running test. */
export let stage: Stage;
/** A started adapter that is connected to a fake Telegram, and a scripted desk behind it. */
export type Stage = Awaited<ReturnType<typeof setStage>>;

/** Opens a started adapter, a scripted desk and a Telegram of the test's own, until the test ends. */
export const setStage = async (options: StageOptions = {}) => {
  const clock: NonNullable<StageOptions['clock']> = options.clock ?? systemClock;
  const fake = await createFakeTelegram({
    clock: options.fakeClock ?? clock,
    ...(options.flood === undefined ? {} : { flood: options.flood }),
  });
  const desk = createScriptedDesk();
  const store = await openSqliteStore({ path: ':memory:', keys: [], now: clock.now });
  const state = options.state ?? store.keyv('adapter:telegram', telegramRecordRules);
  const logged: string[] = [];
  const connected: Connected[] = [];
  const open = new Map<number, boolean>();
  const inboxOfStore: Inbox = {
    ...store.inbox,
    async put(entries, member) {
      for (const { id } of entries) if (!open.has(id)) open.set(id, true);
      return store.inbox.put(entries, member);
    },
    async settle(member, handled, returned) {
      await store.inbox.settle(member, handled, returned);
      for (const id of handled) open.set(id, false);
    },
  };
  /** An adapter of another process at the same store and the same Telegram. Unless they are several, the ones before it lose the store. */
  const another = (hands: ScriptedDesk = desk): Adapter => {
    const number = connected.length;
    const isGone = (): boolean => options.members === undefined && number < connected.length - 1;
    const inbox = new Proxy<Inbox>(
      { ...inboxOfStore, ...options.inbox },
      {
        get: (target, name) =>
          isGone() ? () => Promise.reject(new Error('gone')) : Reflect.get(target, name),
      },
    );
    const made = createTelegram({
      token: fake.token,
      apiUrl: fake.url,
      webhook: options.webhook,
      commands: testCommands,
      desk: hands,
      state,
      members: options.members?.() ?? createSoleMember(),
      inbox,
      clock,
      log: createLog({ level: 'debug', secrets: [], stream: { write: (line) => logged.push(line) } }),
      migrated: async (from, to) => options.migrated?.(from, to),
      memberships: options.memberships ?? { joined: async () => undefined, left: async () => undefined },
      tellOwners: () => options.conflicted?.(),
    });
    connected.push(made);
    return made.adapter;
  };
  const adapter = another();
  if (options.start !== false) await adapter.start();
  let ann: TelegramPerson | undefined;
  let group: Chat | undefined;
  const set = {
    fake,
    /** Ann and the group exist from the first time that a test asks for them. */
    get ann(): TelegramPerson {
      ann ??= fake.person('Ann');
      return ann;
    },
    get group(): Chat {
      group ??= fake.group('Club');
      return group;
    },
    desk,
    adapter,
    /** Answers a request that Telegram sends to the webhook. */
    webhook: async (request: Request, to = adapter) =>
      connected.find((each) => each.adapter === to)?.webhook?.handle(request),
    state,
    store,
    /** How many updates were not handled yet, whether Telegram or the store has them. */
    unhandled(): number {
      const atTelegram = fake.delivery.pending.filter(({ update_id: id }) => !open.has(id));
      return atTelegram.length + [...open.values()].filter(Boolean).length;
    },
    /** Everything that was logged, as text. */
    logged,
    another,
    async stop(): Promise<void> {
      // The fake stops first, so that calls that hang there end.
      const stopped = connected.map((each) => each.adapter.stop());
      await fake.stop();
      await clock.advance?.(60_000);
      await Promise.all(stopped);
      store.close();
    },
  };
  stage = set;
  onTestFinished(async () => {
    await set.stop();
    expect(fake.complaints).toEqual([]);
  });
  return set;
};

/** Like `setStage`, with a clock that the test moves. */
export const setTimedStage = async (options: StageOptions = {}) => {
  const clock = createFakeClock();
  return Object.assign(await setStage({ clock, ...options }), { clock });
};

/** How often Telegram got a call of this method. */
export const count = (method: string): number =>
  stage.fake.calls.filter((each) => each.method === method).length;

/** Waits until the desk has heard so many events and all of them are handled. */
export const settled = (heard: number): Promise<true> =>
  stage.fake.until(() => stage.desk.heard.length === heard && stage.unhandled() === 0, `${heard} answers`);

/** Somebody does something, the desk gives these replies, and then all of it is handled. */
export const answered = async <T>(act: () => T, ...replies: readonly Script[]): Promise<T> => {
  const before = stage.desk.heard.length;
  stage.desk.replies(...replies);
  const done = act();
  await settled(before + 1);
  return done;
};

/**
 * Lets the test's own time pass step by step until it holds, real sockets doing their part in between: how long they
 * take nobody knows. `most`: no more than this passes, then it is waited for all the same.
 */
export const passUntil = (
  clock: FakeClock,
  step: number,
  check: () => boolean,
  most = Number.POSITIVE_INFINITY,
): Promise<void> => {
  const end = clock.now() + most;
  return holds(async () => {
    if (check()) return;
    await clock.advance(Math.min(step, end - clock.now()));
    throw new Error('not yet');
  });
};

/** A view with one line of text. */
export const line = (text: string): View => ({ tone: 'info', lines: [text] });

/** A message that everybody reads. */
export const publicReply = (text: string): Reply => ({
  kind: 'message',
  audience: 'everyone',
  view: line(text),
});

/** A person as the core knows them. */
export const callerOf = ({ user }: TelegramPerson): Caller => ({
  platform: 'telegram',
  id: String(user.id),
  name: user.first_name,
  locale: 'en',
});

/** A reply with the card of a job. */
export const card = (job = 'job-1', isPrivate = false): Reply => ({
  kind: 'card',
  job,
  view: {
    tone: 'busy',
    title: 'Face swap',
    lines: ['Place in line: 2'],
    bar: 0.1,
    buttons: [[{ action: 'cancel:1', label: 'Cancel', style: 'danger' }]],
  },
  audience: jobAudience(isPrivate),
});

/** A view that shows a finished picture. */
export const picture = (bytes: Uint8Array, more: Partial<View> = {}): View => ({
  tone: 'done',
  title: 'Face swap',
  lines: ['AI-generated'],
  media: imageOf(bytes),
  ...more,
});

/** The card of a job that somebody asked for; in a private chat, unless it is said where. */
export const openCard = async (
  who: TelegramPerson = stage.fake.person('Ann'),
  chat: Chat = who.chat,
  job?: string,
  as?: MessageParts,
): Promise<CardRef> => {
  const before = stage.desk.cards.length;
  stage.desk.replies(card(job));
  who.types(chat, '/faceswap 12', as);
  const shown = await stage.fake.until(() => stage.desk.cards[before], 'the card');
  return shown.card;
};
