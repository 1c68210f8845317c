import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createDataFolder, type Program, startProgram } from '../../e2e/program.ts';
import { type Crowd, createLoad, type Taken } from './load.ts';

interface Contestant {
  readonly name: string;
  readonly crowd: Crowd;
  /** Programs of Darkroom. Every command must have become a job, because an error message would be a quick first answer, too. */
  readonly programs?: readonly Program[];
}

/** Nobody is refused. */
const generous = {
  GENERATION_API_KEY: 'the-key',
  GENERATION_TOKEN: 'token',
  CONSENT: 'off',
  USER_WAITING_JOBS: '1000',
  USER_JOBS_PER_MINUTE: '10000',
  USER_DAILY_CREDITS: '1000000',
};

export const people = 600;
const turns = 15;
/** All programs are warm before it counts, because the cost of a start is another question. */
const warmUpSeconds = 5;

const share = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;

const ascending = (times: readonly number[]): readonly number[] => times.toSorted((a, b) => a - b);
const write = (line: string): void => void process.stdout.write(`${line}\n`);

/** A program beside this one, and the first that it says. */
export const spawnBeside = async (
  opened: AsyncDisposableStack,
  file: string,
  args: readonly string[] = [],
): Promise<string> => {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child: ChildProcess = spawn(process.execPath, [path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  opened.defer(() => void child.kill());
  const [said] = child.stdout === null ? [] : await once(child.stdout, 'data');
  return String(said).trim();
};

let service: Promise<string> | undefined;

/** Starts a program; all of them use one generation service, which never finishes anything. */
export const startDarkroom = async (
  opened: AsyncDisposableStack,
  settings: Readonly<Record<string, string>>,
): Promise<Program> => {
  service ??= spawnBeside(opened, 'endless-service.ts');
  const GENERATION_URL = await service;
  const folder = createDataFolder();
  opened.defer(folder.remove);
  const program = await startProgram(folder.path, { ...settings, ...generous, GENERATION_URL });
  opened.defer(async () => void (await program.stop()));
  return program;
};

const checkJobs = async (program: Program, expected: number): Promise<void> => {
  const text = await (await fetch(`${program.url}/metrics`)).text();
  const jobs = [...text.matchAll(/^darkroom_jobs\{.*\} (\d+)$/gm)].reduce((sum, [, n]) => sum + Number(n), 0);
  if (jobs !== expected) throw new Error(`${expected} commands made ${jobs} jobs`);
};

const figuresOf = (name: string, all: readonly (readonly number[])[]) => {
  const sorted = ascending(all.flat());
  const p50 = share(sorted, 0.5);
  const p99 = share(sorted, 0.99);
  const max = share(sorted, 1);
  const each = all.map((times) => share(ascending(times), 0.99).toFixed(1)).join(' ');
  write(
    `${name.padEnd(16)} n=${sorted.length} p50=${p50.toFixed(1)} p99=${p99.toFixed(1)} max=${max.toFixed(1)} (p99 of each turn: ${each})`,
  );
  return { p50, p99 };
};

/** Everything but the fake platforms and the crowds has a process of its own; they take turns, the first is the yardstick. */
export const runContest = async (platform: string, all: readonly Contestant[]): Promise<void> => {
  const perSecond = Number(process.argv[2] ?? 100);
  const seconds = Number(process.argv[3] ?? 30);
  const contestants = all.map((each) => ({ ...each, load: createLoad(each.crowd), taken: [] as Taken[] }));
  const unmeasured: Taken[] = [];
  for (const { load } of contestants) unmeasured.push(await load(perSecond, warmUpSeconds));
  for (let turn = 0; turn < turns; turn += 1)
    for (const { load, taken } of contestants) taken.push(await load(perSecond, seconds / turns));
  for (const [index, { programs = [], taken }] of contestants.entries()) {
    const turnsOfAll = [...taken, ...unmeasured.slice(index, index + 1)];
    const commands = turnsOfAll.reduce((sum, { first }) => sum + first.length, 0);
    for (const program of programs) await checkJobs(program, commands);
  }
  write(`first answer on ${platform}, ${perSecond} commands a second for ${seconds} s each, in ms`);
  const figures = contestants.map(({ name, taken }) => {
    const found = figuresOf(
      name,
      taken.map(({ first }) => first),
    );
    const cards = taken.map(({ card }) => card);
    if (cards.flat().length > 0) figuresOf('  its cards', cards);
    return { name, ...found };
  });
  const [yardstick, ...others] = figures;
  for (const { name, p50, p99 } of others)
    if (yardstick !== undefined)
      write(
        `${name}: times ${yardstick.name} p50=${(p50 / yardstick.p50).toFixed(2)} p99=${(p99 / yardstick.p99).toFixed(2)}`,
      );
};
