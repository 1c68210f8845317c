import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createDataFolder, type Program, startProgram } from '../../e2e/program.ts';
import { type Crowd, createLoad, type Load, type Taken } from './load.ts';

export interface Contest {
  readonly platform: string;
  /** A bot that only acknowledges: its name, its file beside this one, and what it is started with. */
  readonly bare: { readonly name: string; readonly file: string; readonly args: readonly string[] };
  /** How Darkroom finds the platform's fake. */
  readonly settings: Readonly<Record<string, string>>;
  readonly crowds: { readonly bare: Crowd; readonly ours: Crowd };
}

export interface Contestant {
  readonly name: string;
  readonly load: Load;
  readonly turns: Taken[];
}

/** Nobody is refused. */
export const generous = {
  GENERATION_API_KEY: 'key',
  GENERATION_TOKEN: 'token',
  CONSENT: 'off',
  USER_WAITING_JOBS: '1000',
  USER_JOBS_PER_MINUTE: '10000',
  USER_DAILY_CREDITS: '1000000',
};
export const people = 600;
export const turns = 15;
/** Both are warm before it counts: what a start costs is another question. */
export const warmUpSeconds = 5;

const share = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
const p99 = (times: readonly number[]): number =>
  share(
    times.toSorted((a, b) => a - b),
    0.99,
  );
export const write = (line: string): void => void process.stdout.write(`${line}\n`);

export const spawnBeside = async (
  file: string,
  args: readonly string[] = [],
): Promise<[ChildProcess, string]> => {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = await once(child.stdout, 'data');
  return [child, String(said).trim()];
};

/** An error message would be a quick first answer, too: every command must have become a job. */
export const checkJobs = async (program: Program, expected: number): Promise<void> => {
  const text = await (await fetch(`${program.url}/metrics`)).text();
  const jobs = [...text.matchAll(/^darkroom_jobs\{.*\} (\d+)$/gm)].reduce((sum, [, n]) => sum + Number(n), 0);
  if (jobs !== expected) throw new Error(`${expected} commands made ${jobs} jobs`);
};

export const figuresOf = (
  name: string,
  all: readonly (readonly number[])[],
): { readonly p50: number; readonly p99: number } => {
  const sorted = all.flat().toSorted((a, b) => a - b);
  const [half, most, max] = [share(sorted, 0.5), share(sorted, 0.99), share(sorted, 1)];
  const each = all.map((times) => p99(times).toFixed(1)).join(' ');
  write(
    `${name.padEnd(16)} n=${sorted.length} p50=${half.toFixed(1)} p99=${most.toFixed(1)} max=${max.toFixed(1)} (p99 of each turn: ${each})`,
  );
  return { p50: half, p99: most };
};

const report = (platform: string, yardstick: Contestant, contestant: Contestant): void => {
  const [bare, ours] = [yardstick, contestant].map(({ name, turns: all }) =>
    figuresOf(
      name,
      all.map(({ first }) => first),
    ),
  );
  const cards = contestant.turns.map(({ card }) => card);
  if (cards.flat().length > 0) figuresOf('  its cards', cards);
  if (bare === undefined || ours === undefined) return;
  write(`${platform}: ratio p50=${(ours.p50 / bare.p50).toFixed(2)} p99=${(ours.p99 / bare.p99).toFixed(2)}`);
};

/** Everything but the fake platforms and the crowds has a process of its own; the two take turns. */
export const runContest = async (contest: Contest): Promise<void> => {
  const perSecond = Number(process.argv[2] ?? 100);
  const seconds = Number(process.argv[3] ?? 30);
  await using opened = new AsyncDisposableStack();
  const [service, url] = await spawnBeside('endless-service.ts');
  opened.defer(() => void service.kill());
  const [bare] = await spawnBeside(contest.bare.file, contest.bare.args);
  opened.defer(() => void bare.kill());
  const folder = createDataFolder();
  opened.defer(folder.remove);
  const program = await startProgram(folder.path, { ...contest.settings, ...generous, GENERATION_URL: url });
  opened.defer(async () => void (await program.stop()));
  const yardstick: Contestant = {
    name: contest.bare.name,
    load: createLoad(contest.crowds.bare),
    turns: [],
  };
  const ours: Contestant = { name: 'Darkroom', load: createLoad(contest.crowds.ours), turns: [] };
  await yardstick.load(perSecond, warmUpSeconds);
  const unmeasured = await ours.load(perSecond, warmUpSeconds);
  for (let turn = 0; turn < turns; turn += 1)
    for (const { load, turns: all } of [yardstick, ours]) all.push(await load(perSecond, seconds / turns));
  const commands = [unmeasured, ...ours.turns].reduce((sum, { first }) => sum + first.length, 0);
  await checkJobs(program, commands);
  write(`first answer on ${contest.platform}, ${perSecond} commands a second for ${seconds} s each, in ms`);
  report(contest.platform, yardstick, ours);
};
