import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { expect } from 'vitest';
import { isFinal } from '../../../../src/orchestrator/job/job.ts';
import type { Chance } from './chance.ts';
import { createOutside, type KillOrders, type Outside, people, type Report } from './chat.ts';
import { createDeath, endOf, type Moment } from './death.ts';
import type { Wish } from './kinds.ts';

/** A moment that never comes, because the program kills itself at a named point. */
const never: Moment = { calls: Number.POSITIVE_INFINITY, ms: 0 };
/** A moment by which the program has long ended by itself, unless something does not come to its end. */
const conclusion: Moment = { calls: 0, ms: 600_000 };

/** The program is started hundreds of times: one file, compiled once, starts in a third of the time. */
async function build(folder: string, change: (code: string) => string): Promise<string> {
  const input = new URL('./program.ts', import.meta.url).pathname;
  const bundle = await rolldown({ input, platform: 'node' });
  await bundle.write({ dir: folder, format: 'esm' });
  await bundle.close();
  // The worker stands beside the program, as in the source.
  const thread = new URL('../../../../src/store/sqlite/file/checkpoint.worker.ts', import.meta.url);
  copyFileSync(thread, join(folder, 'checkpoint.worker.ts'));
  const program = join(folder, 'program.js');
  writeFileSync(program, change(readFileSync(program, 'utf8')));
  return program;
}

export interface How {
  /** The named point at which the program kills itself. */
  readonly kill?: KillOrders['kill'];
  readonly moment?: Moment;
}

export type Series = Awaited<ReturnType<typeof createSeries>>;

export interface SeriesOptions {
  /** The disk of the store: `begin` is called before each start, `ended` after each end. */
  readonly disk?: (folder: string) => {
    readonly env: Readonly<Record<string, string>>;
    begin(): void;
    ended(): void;
  };
  /** Changes the compiled code of the program before it is started. */
  readonly change?: (code: string) => string;
}

export async function createSeries(chance: Chance, options: SeriesOptions = {}) {
  const outside = await createOutside(chance);
  const folder = mkdtempSync(join(tmpdir(), 'darkroom-kill-'));
  const program = await build(join(folder, 'program'), options.change ?? ((code) => code));
  mkdirSync(join(folder, 'data'));
  const disk = options.disk?.(folder);
  /** The file of the program's store. */
  const file = join(folder, 'data', 'jobs.sqlite');
  let events = 0;
  let jobs = 0;

  /** Runs the program until it dies or has nothing left to do. */
  const run = async ({ kill, moment = kill ? never : conclusion }: How) => {
    const orders: KillOrders = { ...outside.urls, file, ...(kill === undefined ? {} : { kill }) };
    disk?.begin();
    const child = spawn(process.execPath, [program, JSON.stringify(orders)], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled'), ...disk?.env },
    });
    const death = createDeath(child, moment);
    outside.called = death.called;
    outside.asked = death.asked;
    const end = await endOf(child).finally(death.callOff);
    disk?.ended();
    return end === 'killed' && !death.struck ? ('died at its point' as const) : end;
  };

  return {
    outside,
    file,
    /** Somebody asks for this, in a prompt that no other request has. */
    send(wish: Wish): void {
      events += 1;
      jobs += wish.photos ?? 1;
      const person = people[events % people.length] ?? '';
      outside.send({ ...wish, id: `event ${events}`, person, prompt: `${wish.prompt} ${events}` });
    },
    run,
    /** Lets the program finish everything, checks what holds however often it was killed, and says how much there was. */
    async conclude() {
      outside.closing = true;
      expect(await run({}), 'everything comes to its end').toBe('ended');
      const report = outside.reports.at(-1);
      if (report === undefined) throw new Error('The program did not report.');
      return { points: report.points, counts: check(outside, report, jobs) };
    },
    async close(): Promise<void> {
      await outside.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function check({ cards, runs }: Outside, { jobs, usage }: Report, sent: number): Record<string, number> {
  expect(jobs).toHaveLength(sent);
  expect(new Set(jobs.map(({ origin }) => origin)).size).toBe(sent);
  const counts: Record<string, number> = { jobs: sent };
  const count = (what: string, by = 1): void => {
    counts[what] = (counts[what] ?? 0) + by;
  };
  let owed = 0;
  for (const job of jobs) {
    const prompt = job.request.kind === 'self-prompt' ? job.request.prompt : '';
    const taken = runs.get(prompt) ?? 0;
    const edits = cards.get(job.card?.ref ?? '') ?? [];
    const finals = edits.filter(({ importance }) => importance === 'final');

    expect(isFinal(job.state) && job.settled, `${prompt} has ended`).toBe(true);
    expect(taken, `run calls for ${prompt}`).toBeLessThanOrEqual(1);
    if (job.state === 'done') expect(taken).toBe(1);
    expect(finals.length, `final edits of ${prompt}`).toBeGreaterThan(0);
    expect(new Set(finals.map(({ state }) => state)), `final states on the card of ${prompt}`).toEqual(
      new Set([job.state]),
    );
    expect(edits.at(-1)?.importance, 'nothing is drawn over the end').toBe('final');
    expect(finals.every(({ result }) => result === (job.state === 'done'))).toBe(true);
    expect(job.charge, `credits of ${prompt}, ${job.state}`).toBe(
      { done: 'spent', uncertain: 'spent', failed: 'returned' }[job.state as string] ?? job.charge,
    );
    if (job.state === 'cancelled' && taken === 1) expect(job.charge).toBe('spent');
    if (job.charge === 'spent') owed += job.credits;
    count(job.state);
    count('run calls', taken);
    count('final edits', finals.length);
  }
  expect(usage).toMatchObject({ reserved: 0, spent: owed, jobs: sent });
  count('credits spent', owed);
  return counts;
}
