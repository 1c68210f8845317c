/**
 * How soon does a person get the first answer when a hundred commands a second arrive? The whole program, its jobs
 * written down and a generation service that never finishes any, beside a bare grammY bot that only answers with a
 * word. Both are processes of their own; they take turns, so that a busy moment of this machine hits both alike.
 *
 *   npm run bench -- first-answer-telegram [commands a second] [seconds]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { jpeg } from '../contract/adapter/pictures.ts';
import { createDataFolder, startProgram } from '../e2e/program.ts';
import { createFakeTelegram } from '../fakes/telegram/telegram.ts';
import { startEndlessService } from './first-answer/endless-service.ts';
import { createLoad, type Load } from './first-answer/load.ts';

const perSecond = Number(process.argv[2] ?? 100);
const seconds = Number(process.argv[3] ?? 30);
const turns = 5;
const people = 600;

const share = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;

const service = await startEndlessService();
const photo = await jpeg();
const bareTelegram = await createFakeTelegram({ flood: 'off' });
const ourTelegram = await createFakeTelegram({ flood: 'off' });
const bareFile = fileURLToPath(new URL('first-answer/bare-grammy.ts', import.meta.url));
const bare: ChildProcess = spawn(process.execPath, [bareFile, bareTelegram.token, bareTelegram.url], {
  stdio: ['ignore', 'pipe', 'ignore'],
});
if (bare.stdout) await once(bare.stdout, 'data');
const folder = createDataFolder();
const program = await startProgram(folder.path, {
  TELEGRAM_TOKEN: ourTelegram.token,
  TELEGRAM_API_URL: ourTelegram.url,
  GENERATION_URL: service.url,
  GENERATION_API_KEY: 'key',
  GENERATION_TOKEN: 'token',
  CONSENT: 'off',
  USER_WAITING_JOBS: '1000',
  USER_JOBS_PER_MINUTE: '10000',
  USER_DAILY_CREDITS: '1000000',
});

try {
  const contestants: readonly { readonly name: string; readonly load: Load; readonly taken: number[] }[] = [
    { name: 'bare grammY', load: createLoad(bareTelegram, people, photo), taken: [] },
    { name: 'Darkroom', load: createLoad(ourTelegram, people, photo), taken: [] },
  ];
  for (const { load } of contestants) await load.run(20, 2);
  for (let turn = 0; turn < turns; turn += 1)
    for (const { load, taken } of contestants) taken.push(...(await load.run(perSecond, seconds / turns)));

  const figures = contestants.map(({ name, taken }) => {
    const sorted = taken.toSorted((a, b) => a - b);
    return {
      name,
      count: sorted.length,
      p50: share(sorted, 0.5),
      p99: share(sorted, 0.99),
      max: share(sorted, 1),
    };
  });
  const write = (line: string): void => void process.stdout.write(`${line}\n`);
  write(`first answer on Telegram, ${perSecond} commands a second for ${seconds} s each, in milliseconds`);
  for (const { name, count, p50, p99, max } of figures)
    write(`${name.padEnd(12)} n=${count} p50=${p50.toFixed(1)} p99=${p99.toFixed(1)} max=${max.toFixed(1)}`);
  const [yardstick, ours] = figures;
  if (yardstick && ours)
    write(`ratio p50=${(ours.p50 / yardstick.p50).toFixed(2)} p99=${(ours.p99 / yardstick.p99).toFixed(2)}`);
} finally {
  bare.kill();
  await program.stop();
  service.close();
  await Promise.all([bareTelegram.stop(), ourTelegram.stop()]);
  folder.remove();
}
