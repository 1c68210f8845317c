/** Answers that no service should give, on a real socket, through the real client: each with the end its user sees. */
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { createDownloads, DownloadRefused } from '../../../src/base/network/download.ts';
import { drawCard } from '../../../src/cards/card.ts';
import { createGenerationClient, type GenerationClient } from '../../../src/generation-client/client.ts';
import { JobFailure } from '../../../src/orchestrator/job/failure.ts';
import type { Job } from '../../../src/orchestrator/job/job.ts';
import type { Service } from '../../../src/orchestrator/steps/effects.ts';
import { en } from '../../../src/words/en/words.ts';
import {
  type Answer,
  answer,
  createHostileService,
  cut,
  endless,
  type HostileService,
  silence,
  stalled,
  statusOf,
  truncated,
} from '../../fakes/hostile-service.ts';
import { createWorld, MINUTE, swap, video, type World } from '../../fakes/orchestrator-world.ts';
import { png } from '../../fakes/service/sample-requests.ts';
import { isRun } from '../../fakes/service-calls.ts';

const picture = png.toString('base64');
const completed = (id: string) => statusOf(id, 'COMPLETED', { images: [picture] });

let service: HostileService;
let client: GenerationClient;
let world: World;
let inFlight = 0;
let answered = (): void => undefined;

/** A client that gives up after so much silence: real time, and only as little of it where silence is the answer. */
const connect = (silenceMs: number): GenerationClient => {
  const each = { repeatableMs: silenceMs, headersMs: silenceMs, bodyMs: silenceMs, beginningMs: silenceMs };
  const timeouts = { ...each, totalMs: 30_000 };
  return createGenerationClient({ baseUrl: service.url, timeouts, sleep: async () => undefined });
};

const counted = async <T>(call: () => Promise<T>): Promise<T> => {
  inFlight += 1;
  try {
    return await call();
  } finally {
    inFlight -= 1;
    if (inFlight === 0) answered();
  }
};

const open = async (silenceMs: number, imageMs: number): Promise<void> => {
  client = connect(silenceMs);
  const counting: Service = {
    run: (request, options) => counted(() => client.run(request, options)),
    status: (job) => counted(() => client.status(job)),
    probe: (credentials) => counted(() => client.probe(credentials)),
  };
  const downloads = createDownloads(service.url, systemClock);
  world = await createWorld({ service: counting, deadlines: { imageMs, videoMs: 4 * MINUTE } });
  world.script.draw = async (_, importance, output) => {
    if (importance === 'final' && output?.kind === 'video')
      await counted(() => followed(downloads, output.url));
    return { state: 'drawn' };
  };
};
const close = async (): Promise<void> => {
  await world.close();
  await client.close();
};

beforeEach(async () => {
  service = await createHostileService();
  await open(30_000, 2 * MINUTE);
});
afterEach(async () => {
  await close();
  await service.close();
});

/** For silence: the client notices it after a real second, which is its timer's resolution. */
const becomeImpatient = async (): Promise<void> => {
  await close();
  await open(15, 15_000);
};

/** As the app does it: a link that may not be followed is a result of no use. */
async function followed(downloads: ReturnType<typeof createDownloads>, url: string): Promise<void> {
  await downloads.get(url, { maxBytes: 1_000 }).catch((error: unknown) => {
    if (error instanceof DownloadRefused) throw new JobFailure({ code: 'result-unusable' });
    throw error;
  });
}

/** Time passes, a second at a time, and real answers are waited for in between. */
async function pass(ms: number, until: () => boolean | Promise<boolean>): Promise<void> {
  for (let passed = 0; passed < ms && !(await until()); passed += 1_000) {
    await world.clock.advance(1_000);
    while (inFlight > 0) {
      const waited = Promise.withResolvers<void>();
      answered = waited.resolve;
      await waited.promise;
    }
    await world.clock.advance(0);
  }
}

async function ended(request: Job['request'], ms = 12 * MINUTE): Promise<Job> {
  const { id } = await world.submit('ann', { request });
  await pass(ms, async () => (await world.orchestrator.get(id))?.settled === true);
  const job = await world.orchestrator.get(id);
  if (job === undefined) throw new Error('the job has gone');
  return job;
}

const says = (job: Job): unknown => drawCard(job, {}, en).lines[0];

/** What a status call is answered with, by the job's id and the number of the call, and the end of the job. */
type Row = readonly [
  name: string,
  look: (id: string, count: number) => Answer,
  end: 'done' | keyof typeof en.failure,
];
const ok = (value: unknown, headers = {}): Answer => answer(200, value, headers);
const junk = Buffer.alloc(65_536, 0x41);
const half = { images: [`${picture.slice(0, 32)}${'A'.repeat(2_000_000)}`] };

const big: Row[] = [
  ['endless junk', () => endless('<', junk), 'result-unusable'],
  ['an endless object', () => endless('{"a":"', junk), 'result-unusable'],
  ['endless blanks', () => endless(' ', Buffer.alloc(65_536, 0x20)), 'result-unusable'],
  ['megabytes with an unfinished job', (id) => ok(statusOf(id, 'IN_QUEUE', half)), 'result-unusable'],
];
const silent: Row[] = [
  ['no answer', () => silence, 'deadline'],
  ['a head and no body', () => stalled('{"id'), 'deadline'],
];
const limited = (after: string): Answer => answer(429, {}, { 'retry-after': after });
const others: Row[] = [
  ['404 for ever', () => answer(404, {}), 'job-unknown'],
  ['404, then it appears', (id, n) => (n < 4 ? answer(404, {}) : ok(completed(id))), 'done'],
  ['an unknown word for ever', (id) => ok(statusOf(id, 'PONDERING')), 'deadline'],
  ['no status at all', (id) => ok({ id }), 'result-unusable'],
  ['completed without output for ever', (id) => ok({ id, status: 'COMPLETED' }), 'result-unusable'],
  ['no output at first', (id, n) => ok(n < 3 ? statusOf(id, 'COMPLETED') : completed(id)), 'done'],
  ['the picture of another job', () => ok(completed('somebody-elses')), 'result-unusable'],
  ['failed with no words', (id) => ok(statusOf(id, 'FAILED', [])), 'generation-failed'],
  ['JSON called HTML', (id) => ok(completed(id), { 'content-type': 'text/html' }), 'done'],
  ['an HTML page', () => ok('<html>Please log in</html>'), 'result-unusable'],
  ['gzip that nobody asked for', (id) => ok(gzipSync(JSON.stringify(completed(id)))), 'result-unusable'],
  ['a truncated body', (id) => truncated(completed(id)), 'deadline'],
  ['a length that is too short', (id) => ok(completed(id), { 'content-length': 20 }), 'result-unusable'],
  ['a cut connection', () => cut, 'deadline'],
  ['a redirect', () => answer(302, '', { location: 'http://169.254.169.254/' }), 'deadline'],
  ['brackets', () => ok('[{"a":'.repeat(5_000)), 'result-unusable'],
  ['429, huge Retry-After', (id, n) => (n === 1 ? limited('99999999999999') : ok(completed(id))), 'done'],
  ['429, negative Retry-After', (id, n) => (n < 4 ? limited('-5') : ok(completed(id))), 'done'],
  ['429 for ever', () => limited('0'), 'deadline'],
  ['503 with words', () => answer(503, 'x'.repeat(100_000)), 'deadline'],
];

describe('a picture whose status is answered with', () => {
  it.each([...others, ...silent, ...big])(
    'a picture whose status is answered with %s',
    async (name, look, end) => {
      if (silent.some(([each]) => each === name)) await becomeImpatient();
      service.script.poll = look;
      const job = await ended(swap);

      if (end === 'done') expect(job).toMatchObject({ state: 'done', charge: 'spent' });
      else {
        expect(job).toMatchObject({ state: 'failed', charge: 'returned', failure: { code: end } });
        expect(says(job)).toBe(en.failure[end]);
      }
      expect(world.finalDrawings(job.id)).toHaveLength(1);
    },
  );

  it.each(big)(
    'a picture whose status is answered with %s is fetched a few times, while others are answered',
    async (_, look) => {
      service.script.poll = (id, count) =>
        id === 'job-1' ? look(id, count) : ok(count < 200 ? statusOf(id, 'IN_QUEUE') : completed(id));
      const first = await world.submit('ann');
      await pass(2_000, () => false);
      await world.submit('ben');
      await pass(4 * MINUTE, async () => (await world.orchestrator.get(first.id))?.settled === true);
      const asked = service.asked.filter((path) => path.endsWith('/job-1')).length;

      expect((await world.orchestrator.get(first.id))?.failure).toEqual({ code: 'result-unusable' });
      expect(asked).toBeLessThan(100);
      // What the sockets had taken when the answer was cut off is counted, too.
      expect(service.bytesSent()).toBeLessThan(asked * 8_000_000);
    },
  );
});

describe('a video', () => {
  const film = (id: string, url: string) =>
    statusOf(id, 'COMPLETED', { video_url: url, video_status: 'completed' });
  const failed = (code: string) => ({ state: 'failed', failure: { code }, charge: 'returned' });

  it.each(['http://127.0.0.1:1/a', 'file:///etc/passwd', ''])(
    'a video with link %s is not fetched',
    async (url) => {
      service.script.poll = (id) => ok(film(id, url));
      expect(await ended(video)).toMatchObject(failed('result-unusable'));
    },
  );

  it('a video that goes back from completed to running is gone', async () => {
    service.script.poll = (id, n) => ok(n === 1 ? film(id, '/film.mp4') : statusOf(id, 'IN_PROGRESS'));
    service.script.other = () => answer(503, '');
    expect(await ended(video, 30 * MINUTE)).toMatchObject(failed('result-gone'));
  });
});

it.each([
  ['no id', ok({ status: 'IN_QUEUE' }), 'uncertain'],
  ['an empty id', ok({ id: '' }), 'uncertain'],
  ['a huge id', ok({ id: 'x'.repeat(10_000) }), 'uncertain'],
  ['an id that leads elsewhere', ok({ id: '../../api/alias' }), 'uncertain'],
  ['an id with a query', ok({ id: '1?x=2' }), 'uncertain'],
  ['an id of control characters', ok({ id: 'a\r\nb' }), 'uncertain'],
  ['an id that is a list', ok({ id: ['1'] }), 'uncertain'],
  ['a fraction for an id', ok({ id: 1.5 }), 'uncertain'],
  ['a number for an id', ok({ id: 77, status: 'IN_QUEUE' }), 'done'],
  ['endless junk', endless('{"id":"', junk), 'uncertain'],
  ['a 303', answer(303, '', { location: '/elsewhere' }), 'uncertain'],
  ['a cut connection', cut, 'uncertain'],
  ['no answer', silence, 'uncertain'],
] as const)('a run that is answered with: %s', async (_, run, end) => {
  if (run === silence) await becomeImpatient();
  service.script.run = () => run;
  service.script.poll = (id) => ok(completed(id));
  const job = await ended(swap);

  expect(job).toMatchObject({ state: end, charge: 'spent' });
  if (end === 'uncertain') expect(says(job)).toBe(en.card.uncertain);
  expect(service.asked.filter((path) => isRun('POST', path))).toHaveLength(1);
});
