/**
 * How soon does a person get the first answer from one process on SQLite, and from 1, 2 and 4 on PostgreSQL? The same crowd on
 * Telegram, by long polling, with a job written down for each command. They take turns, so that a busy moment of this
 * machine hits all alike; those whose turn it is not are idle.
 *
 *   POSTGRES_URL=postgres://… npm run bench -- first-answer-processes [commands a second] [seconds]
 */
import { createDataFolder, type Program, startProgram } from '../e2e/program.ts';
import { createTestDatabase, postgresUrl } from '../fakes/postgres.ts';
import { createFakeTelegram } from '../fakes/telegram/telegram.ts';
import {
  type Contestant,
  checkJobs,
  figuresOf,
  generous,
  spawnBeside,
  turns,
  warmUpSeconds,
  write,
} from './first-answer/contest.ts';
import { createLoad } from './first-answer/load.ts';
import { crowdAt } from './first-answer/telegram-crowd.ts';

if (postgresUrl === undefined)
  throw new Error('Set POSTGRES_URL to a server on which databases may be created.');
const perSecond = Number(process.argv[2] ?? 100);
const seconds = Number(process.argv[3] ?? 30);

await using opened = new AsyncDisposableStack();
const [service, url] = await spawnBeside('endless-service.ts');
opened.defer(() => void service.kill());

const start = async (name: string, count: number, isShared: boolean) => {
  const telegram = await createFakeTelegram({ flood: 'off' });
  opened.defer(telegram.stop);
  const database = isShared ? opened.use(await createTestDatabase()) : undefined;
  const programs: Program[] = [];
  for (let index = 0; index < count; index += 1) {
    const folder = createDataFolder();
    opened.defer(folder.remove);
    const program = await startProgram(folder.path, {
      ...generous,
      GENERATION_URL: url,
      TELEGRAM_TOKEN: telegram.token,
      TELEGRAM_API_URL: telegram.url,
      ...(database && { STORE_URL: database.url }),
    });
    opened.defer(async () => void (await program.stop()));
    programs.push(program);
  }
  const contestant: Contestant = { name, load: createLoad(crowdAt(telegram)), turns: [] };
  const unmeasured = await contestant.load(perSecond, warmUpSeconds);
  const check = async (): Promise<void> => {
    const commands = [unmeasured, ...contestant.turns].reduce((sum, { first }) => sum + first.length, 0);
    for (const program of programs) await checkJobs(program, commands);
  };
  return { ...contestant, check };
};

const contestants = [await start('SQLite', 1, false)];
for (const count of [1, 2, 4]) contestants.push(await start(`PostgreSQL, ${count}`, count, true));
for (let turn = 0; turn < turns; turn += 1)
  for (const { load, turns: all } of contestants) all.push(await load(perSecond, seconds / turns));
for (const { check } of contestants) await check();

write(`first answer on Telegram, ${perSecond} commands a second for ${seconds} s each, in ms`);
const figures = contestants.map(({ name, turns: all }) =>
  figuresOf(
    name,
    all.map(({ first }) => first),
  ),
);
const [sqlite] = figures;
for (const [index, { p50, p99 }] of figures.entries())
  if (sqlite !== undefined && index > 0)
    write(
      `${contestants[index]?.name}: times SQLite p50=${(p50 / sqlite.p50).toFixed(2)} p99=${(p99 / sqlite.p99).toFixed(2)}`,
    );
