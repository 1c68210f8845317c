import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Adapter } from '../../../src/adapters/adapter.ts';
import { createEgress } from '../../../src/app/platforms/outgoing.ts';
import { createDresser, createJobPorts } from '../../../src/app/ports/orchestrator-ports.ts';
import { createFairBudget } from '../../../src/base/fair-budget.ts';
import type { View } from '../../../src/command/view.ts';
import { createDownloads, type Downloads } from '../../../src/media/download.ts';
import { ResultDelayed } from '../../../src/orchestrator/job/failure.ts';
import type { Job } from '../../../src/orchestrator/job/job.ts';
import { createDecoder } from '../../../src/picture/decoder.ts';
import { idleAdapter, unused } from '../../fakes/adapter.ts';
import { createFakeClock, type FakeClock } from '../../fakes/clock.ts';
import { orderOf, video } from '../orchestrator/world.ts';

/** Links to results that send next to nothing, on real connections. */

const MB = 1024 * 1024;
const film = Buffer.concat([Buffer.from('000000186674797069736f6d00000000', 'hex'), Buffer.alloc(MB)]);

let clock: FakeClock;
let downloads: Downloads;
let url = '';
/** Answers that have sent their first byte and no more. */
let hanging: ServerResponse[] = [];
let asked = 0;
const server = createServer((request, response) => {
  asked += 1;
  if (request.url === '/film.mp4') {
    response.writeHead(200, { 'content-length': film.length }).end(film);
    return;
  }
  response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': 49 * MB });
  response.write(film.subarray(0, 1));
  hanging.push(response);
});

beforeEach(async () => {
  clock = createFakeClock();
  hanging = [];
  asked = 0;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  downloads = createDownloads(url, clock);
});
afterEach(async () => {
  server.closeAllConnections();
  await downloads.close();
  await new Promise((done) => server.close(done));
});

const jobOf = (person: string, more: Partial<Job> = {}): Job => {
  const { dailyCredits: _, ...order } = orderOf(person, { request: video });
  return {
    ...order,
    id: `job of ${person}`,
    state: 'done',
    day: '2026-01-05',
    charge: 'spent',
    card: { platform: 'web', ref: person },
    createdAt: 0,
    looks: 1,
    attempts: 0,
    shownProgress: 0,
    settled: false,
    version: 1,
    ...more,
  };
};

const opened = () => {
  const drawn: { readonly card: string; readonly media: View['media'] }[] = [];
  const adapter: Adapter = {
    ...idleAdapter,
    limits: () => ({ imageBytes: 50 * MB, fileBytes: 50 * MB, videoBytes: 50 * MB }),
    draw: async ({ ref }, { media }) => {
      drawn.push({ card: ref, media });
      return { state: 'drawn' };
    },
  };
  const egress = createEgress(new Map([['web', adapter]]));
  const decoder = createDecoder({ clock });
  const dressed = createDresser({ egress, downloads, decoder });
  const parts = { aliases: aliases(), egress, dressed, clock, decoder };
  const ports = createJobPorts({ ...parts, finished: unused, aliasBroken: unused, ownerNotice: unused });
  const bytes = createFairBudget({ total: 200 * MB, perPerson: 100 * MB });
  const draw = (job: Job, path: string) =>
    ports.draw(job, {}, 'final', { kind: 'video', url: `${url}${path}` }, async (size) => {
      await bytes.take(job.caller.id, size);
    });
  return { draw, drawn, bytes };
};
const aliases = () => ({
  create: unused,
  list: unused,
  show: unused,
  repoint: unused,
  delete: unused,
  named: unused,
  use: unused,
  move: unused,
  heal: unused,
});

describe('result links that trickle', () => {
  it('keep no other result from being shown, and take no memory', async () => {
    const { draw, drawn, bytes } = opened();
    const slow = Array.from({ length: 40 }, (_, index) =>
      draw(jobOf(`slow ${index % 20}`, { id: `slow ${index}` }), '/trickle').catch((error: unknown) => error),
    );
    await expect.poll(() => hanging.length, { timeout: 30_000 }).toBe(40);
    expect(await draw(jobOf('calm'), '/film.mp4')).toEqual({ state: 'drawn' });
    expect(drawn.map(({ card }) => card)).toEqual(['calm']);
    expect(bytes.held).toBe(film.length + 2048);
    await clock.advance(15_000);
    for (const error of await Promise.all(slow))
      expect(error).toMatchObject({ name: 'ResultDelayed', slow: true });
  });

  it('have a few turns for each person, and others when they are tried again', async () => {
    const { draw } = opened();
    const first = Array.from({ length: 10 }, () => draw(jobOf('eve'), '/trickle').catch(() => 'slow'));
    await expect.poll(() => hanging.length, { timeout: 30_000 }).toBe(3);
    const again = Array.from({ length: 20 }, (_, index) =>
      draw(jobOf(`slow ${index}`, { fetches: 1 }), '/trickle').catch(() => 'slow'),
    );
    await expect.poll(() => hanging.length, { timeout: 30_000 }).toBe(11);
    expect(await draw(jobOf('calm'), '/film.mp4')).toEqual({ state: 'drawn' });
    expect(asked).toBe(12);
    server.closeAllConnections();
    const closing = setInterval(() => server.closeAllConnections(), 10);
    await Promise.all([...first, ...again]);
    clearInterval(closing);
  });

  it('are tried three times, then people get the link', async () => {
    const { draw, drawn } = opened();
    const tried = async (fetches: number): Promise<unknown> => {
      const before = hanging.length;
      const drawing = draw(jobOf('ann', { fetches }), '/trickle').catch((error: unknown) => error);
      await expect.poll(() => hanging.length, { timeout: 30_000 }).toBe(before + 1);
      await clock.advance(15_000);
      return drawing;
    };
    expect(await tried(0)).toBeInstanceOf(ResultDelayed);
    expect(await tried(1)).toBeInstanceOf(ResultDelayed);
    expect(await tried(2)).toEqual({ state: 'drawn' });
    expect(drawn[0]?.media).toMatchObject({ kind: 'link', url: `${url}/trickle` });
  });
});
