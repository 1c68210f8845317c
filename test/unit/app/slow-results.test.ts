import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Adapter } from '../../../src/adapters/adapter.ts';
import { createFairBudget } from '../../../src/base/limits/fair-budget.ts';
import { createDownloads, type Downloads } from '../../../src/base/network/download.ts';
import type { View } from '../../../src/command/view.ts';
import type { Job } from '../../../src/orchestrator/job/job.ts';
import { holds } from '../../eventually.ts';
import { createFakeClock, type FakeClock } from '../../fakes/clock.ts';
import type { JobFields } from '../../fakes/job.ts';
import { film, MB, openJobPorts, videoJob } from './ports/open-job-ports.ts';

/** Links to results that send next to nothing, on real connections. */

let clock: FakeClock;
let downloads: Downloads;
let ports: ReturnType<typeof openJobPorts>;
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
  ports.close();
  await new Promise((done) => server.close(done));
});

const jobOf = (person: string, more: JobFields = {}): Job => videoJob(person, { state: 'done', ...more });

const opened = () => {
  const drawn: { readonly card: string; readonly media: View['media'] }[] = [];
  const draw: Adapter['draw'] = async ({ ref }, { media }) => {
    drawn.push({ card: ref, media });
    return { state: 'drawn' };
  };
  ports = openJobPorts(clock, { adapter: { draw }, downloads });
  const bytes = createFairBudget({ total: 200 * MB, perPerson: 100 * MB });
  const drawResult = (job: Job, path: string) =>
    ports.draw(job, {}, 'final', { kind: 'video', url: `${url}${path}` }, async (size) => {
      await bytes.take(job.caller.id, size);
    });
  return { draw: drawResult, drawn, bytes };
};

describe('slow result links', () => {
  it('do not delay other results, and hold no memory', async () => {
    const { draw, drawn, bytes } = opened();
    const slow = Array.from({ length: 40 }, (_, index) =>
      draw(jobOf(`slow ${index % 20}`, { id: `slow ${index}` }), '/trickle').catch((error: unknown) => error),
    );
    await holds(() => expect(hanging.length).toBe(40));
    expect(await draw(jobOf('calm'), '/film.mp4')).toEqual({ state: 'drawn' });
    expect(drawn.map(({ card }) => card)).toEqual(['calm']);
    // And of the copy that has the provenance mark.
    expect(bytes.held).toBe(2 * film.length);
    await clock.advance(15_000);
    for (const error of await Promise.all(slow)) expect(error).toEqual({ state: 'unfetched', slow: true });
  });

  it('have a limit per person, and a separate one for retries', async () => {
    const { draw } = opened();
    const first = Array.from({ length: 10 }, () => draw(jobOf('eve'), '/trickle').catch(() => 'slow'));
    await holds(() => expect(hanging.length).toBe(3));
    const again = Array.from({ length: 20 }, (_, index) =>
      draw(jobOf(`slow ${index}`, { fetches: 1 }), '/trickle').catch(() => 'slow'),
    );
    await holds(() => expect(hanging.length).toBe(11));
    expect(await draw(jobOf('calm'), '/film.mp4')).toEqual({ state: 'drawn' });
    expect(asked).toBe(12);
    server.closeAllConnections();
    const closing = setInterval(() => server.closeAllConnections(), 10);
    await Promise.all([...first, ...again]);
    clearInterval(closing);
  });

  it('are tried three times, then the link is shown', async () => {
    const { draw, drawn } = opened();
    const tried = async (fetches: number): Promise<unknown> => {
      const before = hanging.length;
      const drawing = draw(jobOf('ann', { fetches }), '/trickle').catch((error: unknown) => error);
      await holds(() => expect(hanging.length).toBe(before + 1));
      await clock.advance(15_000);
      return drawing;
    };
    expect(await tried(0)).toMatchObject({ state: 'unfetched' });
    expect(await tried(1)).toMatchObject({ state: 'unfetched' });
    expect(await tried(2)).toEqual({ state: 'drawn' });
    expect(drawn[0]?.media).toMatchObject({ kind: 'link', url: `${url}/trickle` });
  });
});
