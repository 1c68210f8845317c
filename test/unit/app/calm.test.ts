import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createEgress } from '../../../src/app/platforms/outgoing.ts';
import { createDresser, createJobPorts } from '../../../src/app/ports/orchestrator-ports.ts';
import type { GenerateRequest } from '../../../src/command/request.ts';
import { createGenerationClient } from '../../../src/generation-client/client.ts';
import { createDownloads } from '../../../src/media/download.ts';
import { createOrchestrator } from '../../../src/orchestrator/orchestrator.ts';
import { createDecoder } from '../../../src/picture/decoder.ts';
import { openStore } from '../../../src/store/store.ts';
import { idleAdapter, unused } from '../../fakes/adapter.ts';
import { createFakeClock } from '../../fakes/clock.ts';
import { orderOf } from '../orchestrator/world.ts';

const MB = 1024 * 1024;
const film = Buffer.concat([Buffer.from('000000186674797069736f6d00000000', 'hex'), Buffer.alloc(MB)]);
const room = { imageBytes: 50 * MB, fileBytes: 50 * MB, videoBytes: 50 * MB };

/** What becomes of a job stands in its prompt. */
const requestFor = (prompt: string): GenerateRequest => ({
  kind: 'single-frame-video',
  photo: { from: 'link', url: 'https://photos.example/a.jpg' },
  prompt,
  model: 'advanced',
  duration: '4s',
  aspect: 'auto',
});

it('a calm person’s job ends while run calls, status calls and result links of others hang', async () => {
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
      if (path === '/film') response.writeHead(200, { 'content-length': film.length }).end(film);
      else if (path === '/trickle') {
        open.link += 1;
        response.writeHead(200, { 'content-length': 49 * MB }).write('x');
      } else if (path.includes('/run/')) {
        const { prompt } = JSON.parse(body) as { prompt: string };
        if (prompt === 'run') open.run += 1;
        else json({ id: `${prompt}-${++id}`, status: 'IN_QUEUE' });
      } else if (path.includes('/status/')) {
        const job = path.split('/').at(-1) ?? '';
        const link = job.startsWith('link') ? '/trickle' : '/film';
        if (job.startsWith('status')) open.status += 1;
        else json({ id: job, status: 'COMPLETED', output: { video_url: link, video_status: 'completed' } });
      } else json([]);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const clock = createFakeClock();
  const store = openStore({ path: ':memory:', keys: [], now: clock.now });
  const client = createGenerationClient({ baseUrl, token: 'token', apiKey: 'key' });
  const downloads = createDownloads(baseUrl, clock);
  const decoder = createDecoder({ clock });
  const shown: string[] = [];
  const adapter = {
    ...idleAdapter,
    limits: () => room,
    draw: async ({ ref }: { readonly ref: string }, view: { readonly media?: { readonly kind: string } }) => {
      if (view.media?.kind === 'video') shown.push(ref);
      return { state: 'drawn' } as const;
    },
  };
  const egress = createEgress(new Map([['web', adapter]]));
  const dressed = createDresser({ egress, downloads, decoder });
  const ports = createJobPorts({
    aliases: {
      create: unused,
      list: unused,
      show: unused,
      repoint: unused,
      delete: unused,
      named: unused,
      use: unused,
      move: unused,
      heal: unused,
    },
    egress,
    dressed,
    clock,
    decoder,
    finished: () => undefined,
    aliasBroken: unused,
    ownerNotice: unused,
  });
  const orchestrator = createOrchestrator({
    store: { ...store, jobs: { ...store.jobs, onDisk: async () => undefined } },
    models: store.keyv('durations'),
    client,
    ports,
    limits: {
      userConcurrentJobs: 2,
      userWaitingJobs: 5,
      userJobsPerMinute: 1000,
      serviceConcurrentJobs: 100,
      serviceCallsPerSecond: 1000,
    },
    clock,
    random: () => 0.5,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  await orchestrator.start();
  const submit = (person: string, prompt: string): string => {
    const { job } = orchestrator.accept(orderOf(person, { request: requestFor(prompt) }));
    void orchestrator.shown(job.id, { platform: 'web', ref: person });
    return job.id;
  };
  const until = async (check: () => boolean): Promise<void> => {
    while (!check()) {
      await clock.advance(100);
      await new Promise((later) => setTimeout(later, 1));
    }
  };

  for (let person = 0; person < 12; person += 1) submit(`run ${person}`, 'run');
  for (let person = 0; person < 40; person += 1) submit(`status ${person}`, 'status');
  for (let person = 0; person < 12; person += 1) submit(`link ${person}`, 'link');
  await until(() => open.run === 12 && open.status === 40 && open.link >= 12);
  const calm = submit('calm', 'calm');
  await until(() => orchestrator.get(calm)?.state === 'done');
  expect(shown).toEqual(['calm']);
  expect([open.run, open.status]).toEqual([12, 40]);

  const stopped = orchestrator.stop();
  await clock.advance(20_000);
  await stopped;
  server.closeAllConnections();
  server.close();
  await Promise.allSettled([client.close(), downloads.close(), decoder.close()]);
  await clock.advance(1_000);
  store.close();
});
