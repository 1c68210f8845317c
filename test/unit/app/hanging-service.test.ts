import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import type { Adapter } from '../../../src/adapters/adapter.ts';
import { createDownloads } from '../../../src/base/network/download.ts';
import type { GenerateRequest } from '../../../src/command/kinds.ts';
import { createGenerationClient } from '../../../src/generation-client/client.ts';
import { polledJob } from '../../fakes/status-calls.ts';
import { createWorld, orderOf } from '../orchestrator/world.ts';
import { film, MB, openJobPorts } from './ports/open-job-ports.ts';

/** What becomes of a job stands in its prompt. */
const requestFor = (prompt: string): GenerateRequest => ({
  kind: 'single-frame-video',
  photo: { from: 'link', url: 'https://photos.example/a.jpg' },
  prompt,
  model: 'advanced',
  duration: '4s',
  aspect: 'auto',
});

it('a job ends although run calls, status calls and result links of other people hang', async () => {
  const open = { run: 0, status: 0, link: 0 };
  let id = 0;
  const server = createServer((request, response) => {
    const json = (value: unknown): void => void response.end(JSON.stringify(value));
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      const path = request.url ?? '';
      const job = polledJob(path);
      if (path === '/film') response.writeHead(200, { 'content-length': film.length }).end(film);
      else if (path === '/trickle') {
        open.link += 1;
        response.writeHead(200, { 'content-length': 49 * MB }).write('x');
      } else if (path.includes('/run/')) {
        const { prompt } = JSON.parse(body) as { prompt: string };
        if (prompt === 'run') open.run += 1;
        else json({ id: `${prompt}-${++id}`, status: 'IN_QUEUE' });
      } else if (job !== undefined) {
        const link = job.startsWith('link') ? '/trickle' : '/film';
        if (job.startsWith('status')) open.status += 1;
        else json({ id: job, status: 'COMPLETED', output: { video_url: link, video_status: 'completed' } });
      } else json([]);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const client = createGenerationClient({ baseUrl, token: 'token', apiKey: 'key' });
  const shown: string[] = [];
  const draw: Adapter['draw'] = async ({ ref }, { media }) => {
    if (media?.kind === 'video') shown.push(ref);
    return { state: 'drawn' };
  };
  const opened: { close(): unknown }[] = [client];
  const world = await createWorld({
    service: client,
    ports(clock) {
      const downloads = createDownloads(baseUrl, clock);
      const ports = openJobPorts(clock, { adapter: { draw }, downloads });
      opened.push(downloads, ports);
      return ports;
    },
    limits: { serviceConcurrentJobs: 100, serviceCallsPerSecond: 1000 },
  });
  const submit = async (person: string, prompt: string): Promise<string> => {
    const { job } = await world.orchestrator.accept(orderOf(person, { request: requestFor(prompt) }));
    void world.orchestrator.shown(job.id, { platform: 'web', ref: person });
    return job.id;
  };
  const until = async (check: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await check())) {
      await world.clock.advance(100);
      await new Promise((later) => setTimeout(later, 1));
    }
  };

  for (let person = 0; person < 12; person += 1) await submit(`run ${person}`, 'run');
  for (let person = 0; person < 40; person += 1) await submit(`status ${person}`, 'status');
  for (let person = 0; person < 12; person += 1) await submit(`link ${person}`, 'link');
  await until(() => open.run === 12 && open.status === 40 && open.link >= 12);
  const calm = await submit('calm', 'calm');
  await until(async () => (await world.orchestrator.get(calm))?.state === 'done');
  expect(shown).toEqual(['calm']);
  expect([open.run, open.status]).toEqual([12, 40]);

  const closed = world.close();
  server.closeAllConnections();
  server.close();
  await Promise.allSettled(opened.map((each) => each.close()));
  await closed;
});
