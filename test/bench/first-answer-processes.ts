/**
 * How soon does a person get the first answer from one process on SQLite, and from 1, 2 and 4 on PostgreSQL? The same crowd on
 * Telegram, by long polling, with a job written down for each command. They take turns, so that a busy moment of this
 * machine hits all alike; those whose turn it is not are idle.
 *
 *   POSTGRES_URL=postgres://… npm run bench -- first-answer-processes [commands a second] [seconds]
 */
import type { Program } from '../e2e/program.ts';
import { createTestDatabase } from '../fakes/postgres.ts';
import { createFakeTelegram } from '../fakes/telegram/telegram.ts';
import { postgresUrl } from '../needs.ts';
import { runContest, startDarkroom } from './first-answer/contest.ts';
import { crowdAt } from './first-answer/telegram-crowd.ts';

if (postgresUrl === undefined)
  throw new Error('Set POSTGRES_URL to a server on which databases may be created.');

await using opened = new AsyncDisposableStack();

const start = async (name: string, count: number, store: Readonly<Record<string, string>>) => {
  const telegram = await createFakeTelegram({ flood: 'off' });
  opened.defer(telegram.stop);
  const settings = { TELEGRAM_TOKEN: telegram.token, TELEGRAM_API_URL: telegram.url, ...store };
  const programs: Program[] = [];
  for (let index = 0; index < count; index += 1) programs.push(await startDarkroom(opened, settings));
  return { name, crowd: crowdAt(telegram), programs };
};

const contestants = [await start('SQLite', 1, {})];

for (const count of [1, 2, 4]) {
  const { url } = opened.use(await createTestDatabase());
  contestants.push(await start(`PostgreSQL, ${count}`, count, { STORE_URL: url }));
}

await runContest('Telegram', contestants);
