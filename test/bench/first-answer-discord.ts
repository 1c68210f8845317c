/**
 * How soon does a person get the first answer when a hundred commands a second arrive? The whole program, its jobs
 * written down and a generation service that never finishes any, beside a bare discord.js bot that only acknowledges.
 * Both are processes of their own; they take turns, so that a busy moment of this machine hits both alike.
 *
 *   npm run bench -- first-answer-discord [commands a second] [seconds]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { jpeg } from '../contract/adapter/pictures.ts';
import { createDataFolder, startProgram } from '../e2e/program.ts';
import { createFakeDiscord } from '../fakes/discord/discord.ts';
import { createDiscordLoad } from './first-answer/discord-load.ts';
import { startEndlessService } from './first-answer/endless-service.ts';

const perSecond = Number(process.argv[2] ?? 100);
const seconds = Number(process.argv[3] ?? 30);
const turns = 5;
const people = 600;

const service = await startEndlessService();
const photo = await jpeg();
const bareDiscord = await createFakeDiscord();
const ourDiscord = await createFakeDiscord();
const bareFile = fileURLToPath(new URL('first-answer/bare-discord.ts', import.meta.url));
const bare = spawn(process.execPath, [bareFile, bareDiscord.token, bareDiscord.api], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
await once(bare.stdout, 'data');
const folder = createDataFolder();
const program = await startProgram(folder.path, {
  DISCORD_TOKEN: ourDiscord.token,
  DISCORD_API_URL: ourDiscord.api,
  DISCORD_CDN_HOSTS: ourDiscord.cdnHost,
  GENERATION_URL: service.url,
  GENERATION_API_KEY: 'key',
  GENERATION_TOKEN: 'token',
  CONSENT: 'off',
  USER_WAITING_JOBS: '1000',
  USER_JOBS_PER_MINUTE: '10000',
  USER_DAILY_CREDITS: '1000000',
});

const contestants = [
  { name: 'bare discord.js', load: createDiscordLoad(bareDiscord, people, photo), taken: [] as number[] },
  { name: 'Darkroom', load: createDiscordLoad(ourDiscord, people, photo), taken: [] as number[] },
];
for (const { load } of contestants) await load(20, 2);
for (let turn = 0; turn < turns; turn += 1)
  for (const { load, taken } of contestants) taken.push(...(await load(perSecond, seconds / turns)));

const write = (line: string): void => void process.stdout.write(`${line}\n`);
const share = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;

write(`first answer on Discord, ${perSecond} commands a second for ${seconds} s each, in milliseconds`);
const figures = contestants.map(({ name, taken }) => {
  const sorted = taken.toSorted((a, b) => a - b);
  const [p50, p99, max] = [share(sorted, 0.5), share(sorted, 0.99), share(sorted, 1)];
  write(
    `${name.padEnd(16)} n=${sorted.length} p50=${p50.toFixed(1)} p99=${p99.toFixed(1)} max=${max.toFixed(1)}`,
  );
  return { p50, p99 };
});
const [yardstick, ours] = figures;
if (yardstick !== undefined && ours !== undefined)
  write(`ratio p50=${(ours.p50 / yardstick.p50).toFixed(2)} p99=${(ours.p99 / yardstick.p99).toFixed(2)}`);
for (const complaint of new Set(ourDiscord.world.complaints)) write(`complaint: ${complaint}`);

bare.kill();
await program.stop();
service.close();
await Promise.all([bareDiscord.stop(), ourDiscord.stop()]);
folder.remove();
