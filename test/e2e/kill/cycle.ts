import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { expect } from 'vitest';
import { isFinal } from '../../../src/orchestrator/job.ts';
import type { Chance } from './chance.ts';
import {
  createOutside,
  type KillOrders,
  type Outside,
  type PlatformEvent,
  people,
  type Report,
} from './chat.ts';

/** A point that is a matter of luck may not be met again: then any other moment will do. */
const LONGEST_LIFE_MS = 4_000;
/** Nothing is left to do: it need not be waited for. */
const IDLE_MS = 150;

/** The program is started hundreds of times: one file, compiled once, starts in a third of the time. */
async function build(folder: string): Promise<string> {
  const input = new URL('./program.ts', import.meta.url).pathname;
  const bundle = await rolldown({ input, platform: 'node' });
  await bundle.write({ dir: folder, format: 'esm' });
  await bundle.close();
  return join(folder, 'program.js');
}

export interface How {
  /** At a named point. */
  readonly kill?: KillOrders['kill'];
  /** So long after it has made so many calls: a busy machine only makes it slower. */
  readonly afterCalls?: { readonly count: number; readonly ms: number };
}

export interface Series {
  readonly outside: Outside;
  send(prompt: string, more?: Partial<PlatformEvent>): void;
  /** Runs the program until it dies or has nothing left to do. */
  run(how: How): Promise<'killed' | 'ended'>;
  /** Lets it finish everything, checks what holds however often it was killed, and says how much there was. */
  conclude(): Promise<{
    readonly points: Report['points'];
    readonly counts: Readonly<Record<string, number>>;
  }>;
  close(): Promise<void>;
}

export async function createSeries(chance: Chance): Promise<Series> {
  const outside = await createOutside(chance);
  const folder = mkdtempSync(join(tmpdir(), 'darkroom-kill-'));
  const program = await build(join(folder, 'program'));
  let count = 0;

  const run: Series['run'] = ({ kill, afterCalls }) =>
    new Promise((resolve, reject) => {
      const orders: KillOrders = {
        ...outside.urls,
        file: join(folder, 'jobs.sqlite'),
        ...(kill === undefined ? {} : { kill }),
      };
      const child = spawn(process.execPath, [program, JSON.stringify(orders)], {
        stdio: ['ignore', 'inherit', 'inherit'],
        env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') },
      });
      const die = (): void => void child.kill('SIGKILL');
      let calls = 0;
      let timer = kill || afterCalls ? setTimeout(die, LONGEST_LIFE_MS) : undefined;
      const called = (): void => {
        if (afterCalls === undefined || calls > afterCalls.count) return;
        clearTimeout(timer);
        timer = setTimeout(die, calls === afterCalls.count ? afterCalls.ms : IDLE_MS);
        calls += 1;
      };
      outside.called = called;
      if (afterCalls?.count === 0) called();
      child.on('exit', (code, signal) => {
        outside.called = undefined;
        clearTimeout(timer);
        if (signal === 'SIGKILL') resolve('killed');
        else if (code === 0) resolve('ended');
        else reject(new Error(`the program ended with ${code ?? signal}`));
      });
    });

  return {
    outside,
    send(prompt, more) {
      count += 1;
      const person = people[count % people.length] ?? '';
      outside.send({ id: `event ${count}`, person, prompt: `${prompt} ${count}`, ...more });
    },
    run,
    async conclude() {
      outside.closing = true;
      expect(await run({})).toBe('ended');
      const report = outside.reports.at(-1);
      if (report === undefined) throw new Error('The program did not report.');
      return { points: report.points, counts: check(outside, report, count) };
    },
    async close() {
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
