/**
 * The memory of one process that is connected for 12,000 Discord servers: ways of being connected alone, each in a process of
 * its own, and the whole program; then how soon the program answers on every shard after a restart and after a kill.
 *
 *   npm run bench -- discord-servers [servers] [shards]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createDataFolder, type Program, startProgram } from '../e2e/program.ts';
import { createFakeDiscord } from '../fakes/discord/discord.ts';
import type { Sent } from '../fakes/discord/people.ts';
import { userJson } from '../fakes/discord/world.ts';
import { describeGuild } from './discord-servers/describe-guild.ts';

const servers = Number(process.argv[2] ?? 12_000);
const shards = Number(process.argv[3] ?? 12);
const SETTLE_MS = 5_000;
const ASK_EVERY_MS = 250;

const fake = await createFakeDiscord();
const { world } = fake;
world.shards = shards;
world.sessions.remaining = 10_000;
for (let index = 0; index < servers; index += 1) {
  const id = String((BigInt(1_000_000_000 + index) << 22n) + 1n);
  world.guilds.set(id, { id, owner: '1', roles: new Map(), members: new Map(), botPresent: true });
}
const bot = { ...userJson(world.bot), id: world.bot.id, bot: true };
world.describeGuild = (id) => describeGuild(id, bot);

const write = (line: string): void => void process.stdout.write(`${line}\n`);
const megabytes = (pid: number, field: 'VmRSS' | 'VmHWM'): string => {
  const line = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return `${Math.round(Number(line?.[1]) / 1_000)} MB`;
};
const reportMemory = async (name: string, pid: number): Promise<void> => {
  await pause(SETTLE_MS);
  write(`${name.padEnd(52)} RSS ${megabytes(pid, 'VmRSS')}, peak ${megabytes(pid, 'VmHWM')}`);
};

const connectionFile = fileURLToPath(new URL('discord-servers/connection.ts', import.meta.url));
const measureConnection = async (way: string, name: string): Promise<void> => {
  const args = [connectionFile, way, fake.token, fake.api, String(shards)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  await reportMemory(name, child.pid ?? 0);
  child.kill('SIGKILL');
  await once(child, 'exit');
};

/** Asks on a server of this shard again and again, until one command is answered. */
const firstAnswer = async (shard: number, begun: number): Promise<number> => {
  const guild = [...world.guilds.keys()].find((id) => Number((BigInt(id) >> 22n) % BigInt(shards)) === shard);
  if (guild === undefined) throw new Error('a shard without a server');
  const channel = `${guild}1`;
  world.channels.set(channel, { id: channel, guild });
  const asked: Sent[] = [];
  for (;;) {
    const ann = fake.newcomer('ann').at({ channel, guild, guildInstalled: true });
    asked.push(ann.slash('/help'));
    await pause(ASK_EVERY_MS);
    const answered = asked.flatMap(({ interaction }) => interaction.ack?.at ?? []);
    if (answered.length > 0) return Math.min(...answered) - begun;
  }
};
const measureStart = async (name: string, start: () => Promise<Program>): Promise<Program> => {
  const identified = fake.gateway.identifies.length;
  const begun = Date.now();
  const starting = start();
  const times = await Promise.all(Array.from({ length: shards }, (_, shard) => firstAnswer(shard, begun)));
  const [first, last] = [Math.min(...times), Math.max(...times)].map((ms) => `${(ms / 1_000).toFixed(1)} s`);
  const fresh = fake.gateway.identifies.length - identified;
  write(`${name.padEnd(52)} first shard ${first}, last shard ${last}, new sessions ${fresh}`);
  return starting;
};

write(`${servers} servers on ${shards} shards`);
// The connections alone need not wait for each other.
world.sessions.max_concurrency = shards;
await measureConnection('all', 'discord.js, intent for servers, as it comes');
await measureConnection('few', 'discord.js, intent for servers, fewest caches');
await measureConnection('no-intent', 'discord.js, no intent, fewest caches');
await measureConnection('client-per-shard', 'the same, a Client for each shard');
await measureConnection('manager', '@discordjs/ws, one WebSocketManager');
await measureConnection('darkroom', 'Darkroom’s shards');

const folder = createDataFolder();
const settings = { DISCORD_TOKEN: fake.token, DISCORD_API_URL: fake.api, DISCORD_CDN_HOSTS: fake.cdnHost };
const start = (): Promise<Program> => startProgram(folder.path, settings);
world.sessions.max_concurrency = 1;
const first = await measureStart('Darkroom, first start, an identify every 5 s', start);
await reportMemory('Darkroom, the whole program', first.pid);
await first.stop();
const second = await measureStart('Darkroom, restarted', start);
await pause(SETTLE_MS);
await second.kill();
const third = await measureStart('Darkroom, after kill -9', start);
await reportMemory('Darkroom, the whole program', third.pid);
await third.stop();
folder.remove();
await fake.stop();
