import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { isFinal } from '../../../src/orchestrator/job.ts';
import { createOutside, type KillOrders, type Outside, type PlatformEvent, type Report } from './chat.ts';

const program = new URL('./program.ts', import.meta.url).pathname;

/** The program is started a hundred times: compiled once, it starts in a third of the time. */
const compileCache = join(tmpdir(), 'darkroom-kill-compile-cache');

export interface Series {
  readonly outside: Outside;
  send(prompt: string, more?: Partial<PlatformEvent>): void;
  /** Runs the program until it dies or has nothing left to do. */
  run(how: {
    readonly kill?: KillOrders['kill'];
    readonly killAfterMs?: number;
  }): Promise<'killed' | 'ended'>;
  /** Lets it finish everything, and checks what holds however often it was killed. */
  conclude(): Promise<Report>;
  close(): Promise<void>;
}

export async function createSeries(): Promise<Series> {
  const outside = await createOutside();
  const folder = mkdtempSync(join(tmpdir(), 'darkroom-kill-'));
  let count = 0;

  const run: Series['run'] = ({ kill, killAfterMs }) =>
    new Promise((resolve, reject) => {
      const orders: KillOrders = {
        ...outside.urls,
        file: join(folder, 'jobs.sqlite'),
        ...(kill === undefined ? {} : { kill }),
      };
      const child = spawn(process.execPath, [program, JSON.stringify(orders)], {
        stdio: ['ignore', 'inherit', 'inherit'],
        env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
      });
      const timer =
        killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
      child.on('exit', (code, signal) => {
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
      const person = count % 2 === 0 ? 'ann' : 'ben';
      outside.send({ id: `event ${count}`, person, prompt: `${prompt} ${count}`, ...more });
    },
    run,
    async conclude() {
      outside.closing = true;
      expect(await run({})).toBe('ended');
      const report = outside.reports.at(-1);
      if (report === undefined) throw new Error('The program did not report.');
      check(outside, report, count);
      return report;
    },
    async close() {
      await outside.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function check({ cards, runs }: Outside, { jobs, usage }: Report, sent: number): void {
  expect(jobs).toHaveLength(sent);
  expect(new Set(jobs.map(({ origin }) => origin)).size).toBe(sent);
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
  }
  expect(usage).toMatchObject({ reserved: 0, spent: owed, jobs: sent });
}
