/** Several processes over one store and one Telegram, each with its own session, inbox and desk. */
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import type { Update } from 'grammy/types';
import { createTelegramAdapter, type TelegramAdapter } from '../../../../src/adapters/telegram/adapter.ts';
import { telegramRecords } from '../../../../src/adapters/telegram/records.ts';
import { type Clock, systemClock } from '../../../../src/base/clock.ts';
import type { KeyValue } from '../../../../src/base/key-value.ts';
import type { Reply } from '../../../../src/command/reply.ts';
import { createLog } from '../../../../src/log/log.ts';
import { wordsFor } from '../../../../src/words/words.ts';
import { createScriptedDesk, type Heard } from '../../../contract/adapter/scripted-desk.ts';
import type { FakeClock } from '../../../fakes/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../fakes/postgres.ts';
import { joinStore } from '../../../fakes/shared-inbox.ts';
import { createFakeTelegram, type FakeTelegram } from '../../../fakes/telegram/telegram.ts';
import { testCommands } from '../../../fakes/telegram/test-commands.ts';
import { line } from '../stage.ts';

export interface Process {
  readonly state: KeyValue;
  readonly adapter: TelegramAdapter;
  readonly logged: string[];
  /** Whether it lost its session and has another. */
  rejoined(): boolean;
  /** It has no store any more, as a process that died. What it had begun goes nowhere. */
  die(): Promise<void>;
  stop(): Promise<void>;
}

export interface Processes extends AsyncDisposable {
  readonly fake: FakeTelegram;
  readonly database: TestDatabase;
  readonly all: readonly Process[];
  add(): Promise<Process>;
  /** What all of them were handed, in order. */
  readonly heard: readonly Heard[];
  /** Delivers an update to one of them, as Telegram does; its status. */
  post(update: Update, to: Process): Promise<number>;
  /** As the orchestrator deletes the records of a person. */
  erase(person: string): Promise<void>;
  /** How many updates are stored and not handled. */
  open(): Promise<number>;
}

export interface ProcessesOptions {
  readonly count: number;
  readonly webhook?: boolean;
  readonly clock?: Clock & Partial<Pick<FakeClock, 'advance'>>;
  readonly migrated?: (from: string, to: string) => Promise<void>;
  /** Default: everybody gets an answer at once. `by`: the number of the process. */
  readonly reply?: (heard: Heard, by: number) => Reply | Promise<Reply>;
  /** Which process gets the next update of the fake; default: one after another. */
  readonly route?: (count: number) => number;
}

const secret = 'a-secret';

export const startProcesses = async (options: ProcessesOptions): Promise<Processes> => {
  const clock: NonNullable<ProcessesOptions['clock']> = options.clock ?? systemClock;
  const database = await createTestDatabase();
  const fake = await createFakeTelegram({ clock, flood: 'off' });
  const all: Process[] = [];
  const heard: Heard[] = [];
  let requests = 0;
  const server = serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const next = options.route?.(requests) ?? requests;
      requests += 1;
      return (
        (await all[next % all.length]?.adapter.webhook?.(request)) ?? new Response(null, { status: 503 })
      );
    },
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/telegram`;

  const add = async (): Promise<Process> => {
    const joined = await joinStore(database.url);
    const { members } = joined;
    const member = members.id();
    const logged: string[] = [];
    const desk = createScriptedDesk();
    const by = all.length;
    const reply = (what: Heard): Reply | Promise<Reply> => {
      heard.push(what);
      return options.reply?.(what, by) ?? { kind: 'message', view: line('an answer') };
    };
    desk.replies(...Array.from({ length: 5_000 }, () => reply));
    const state = joined.store.keyv('adapter:telegram', telegramRecords);
    const adapter = createTelegramAdapter({
      token: fake.token,
      apiUrl: fake.url,
      webhook: options.webhook ? { url, secret } : undefined,
      commands: testCommands,
      desk,
      state,
      members,
      inbox: joined.inbox,
      clock,
      log: createLog({ level: 'debug', secrets: [], stream: { write: (text) => logged.push(text) } }),
      words: wordsFor,
      migrated: async (from, to) => options.migrated?.(from, to),
      memberships: { joined: async () => undefined, left: async () => undefined },
      tellOwners: () => undefined,
    });
    let left: Promise<void> | undefined;
    const leave = async (): Promise<void> => {
      left ??= Promise.resolve(joined[Symbol.asyncDispose]());
      await left;
    };
    const process: Process = {
      state,
      adapter,
      logged,
      rejoined: () => members.isAlive() && members.id() !== member,
      die: leave,
      async stop() {
        const stopped = adapter.stop();
        await clock.advance?.(10_000);
        await stopped;
        await leave();
      },
    };
    all.push(process);
    await adapter.start();
    return process;
  };
  for (let count = 0; count < options.count; count += 1) await add();

  return {
    fake,
    database,
    all,
    add,
    heard,
    async post(update, { adapter }) {
      const headers = { 'x-telegram-bot-api-secret-token': secret };
      const request = new Request(url, { method: 'POST', headers, body: JSON.stringify(update) });
      return (await adapter.webhook?.(request))?.status ?? 0;
    },
    async erase(person) {
      await using joined = await joinStore(database.url);
      const who = await joined.store.erasures.begin(person);
      while ((await joined.store.erasures.more(who, 100)).left);
    },
    async open() {
      const [row] = await database.query('SELECT count(*)::int AS count FROM inbox WHERE body IS NOT NULL');
      return Number(row?.count);
    },
    async [Symbol.asyncDispose]() {
      await fake.stop();
      await Promise.all(all.map((each) => each.stop()));
      server.close();
      await database[Symbol.asyncDispose]();
    },
  };
};
