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
import { png } from '../generation-client/sample.ts';
import { createWorld, swap, video, type World } from './world.ts';

const MINUTE = 60_000;
const picture = png.toString('base64');
const completed = (id: string) => statusOf(id, 'COMPLETED', { images: [picture] });
const waiting = (id: string): Answer => answer(200, statusOf(id, 'IN_QUEUE'));

let service: HostileService;
let client: GenerationClient;
let world: World;
let inFlight = 0;
let answered = (): void => undefined;

/** A client that gives up after so much silence: real time, and only as little of it where silence is the answer. */
const connect = (silenceMs: number): GenerationClient => {
  const timeouts = {
    repeatableMs: silenceMs,
    headersMs: silenceMs,
    bodyMs: silenceMs,
    beginningMs: silenceMs,
    totalMs: 30_000,
  };
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

type Row = readonly [
  name: string,
  look: (id: string, count: number) => Answer,
  end: 'done' | keyof typeof en.failure,
];

const gone: Row[] = [
  ['404 for ever', () => answer(404, {}), 'job-unknown'],
  ['404, then it appears', (id, n) => (n < 4 ? answer(404, {}) : answer(200, completed(id))), 'done'],
];

const states: Row[] = [
  ['an unknown word for ever', (id) => answer(200, statusOf(id, 'PONDERING')), 'deadline'],
  ['a status that is a number', (id) => answer(200, { id, status: 7 }), 'result-unusable'],
  ['no status at all', (id) => answer(200, { id }), 'result-unusable'],
  ['completed without output for ever', (id) => answer(200, { id, status: 'COMPLETED' }), 'result-unusable'],
  ['completed with null', (id) => answer(200, statusOf(id, 'COMPLETED', null)), 'result-unusable'],
  [
    'completed without output at first',
    (id, n) => answer(200, n < 3 ? statusOf(id, 'COMPLETED') : completed(id)),
    'done',
  ],
  ['the picture of another job', () => answer(200, completed('somebody-elses')), 'result-unusable'],
  ['failed with no words', (id) => answer(200, statusOf(id, 'FAILED', [])), 'generation-failed'],
];

const wire: Row[] = [
  ['JSON called HTML', (id) => answer(200, completed(id), { 'content-type': 'text/html' }), 'done'],
  ['an HTML page', () => answer(200, '<html>Please log in</html>'), 'result-unusable'],
  [
    'gzip that nobody asked for',
    (id) => answer(200, gzipSync(JSON.stringify(completed(id)))),
    'result-unusable',
  ],
  ['a truncated body', (id) => truncated(completed(id)), 'deadline'],
  [
    'a length that is too short',
    (id) => answer(200, completed(id), { 'content-length': 20 }),
    'result-unusable',
  ],
  ['a cut connection', () => cut, 'deadline'],
  ['a redirect', () => answer(302, '', { location: 'http://169.254.169.254/' }), 'deadline'],
  ['brackets', () => answer(200, '[{"a":'.repeat(5_000)), 'result-unusable'],
  ['an object of brackets', () => answer(200, `{"a":${'['.repeat(50_000)}`), 'result-unusable'],
];

const silent: Row[] = [
  ['no answer', () => silence, 'deadline'],
  ['a head and no body', () => stalled('{"id'), 'deadline'],
];

const big: Row[] = [
  ['endless junk', () => endless('<', Buffer.alloc(65_536, 0x41)), 'result-unusable'],
  ['an endless object', () => endless('{"a":"', Buffer.alloc(65_536, 0x41)), 'result-unusable'],
  ['endless blanks', () => endless(' ', Buffer.alloc(65_536, 0x20)), 'result-unusable'],
  [
    'megabytes with an unfinished job',
    (id) =>
      answer(200, {
        id,
        status: 'IN_QUEUE',
        output: { images: [`${picture.slice(0, 32)}${'A'.repeat(2_000_000)}`] },
      }),
    'result-unusable',
  ],
];

const waits: Row[] = [
  [
    '429 with a huge Retry-After, once',
    (id, n) => (n === 1 ? answer(429, {}, { 'retry-after': '99999999999999' }) : answer(200, completed(id))),
    'done',
  ],
  [
    '429 with a negative Retry-After',
    (id, n) => (n < 4 ? answer(429, {}, { 'retry-after': '-5' }) : answer(200, completed(id))),
    'done',
  ],
  ['429 for ever', () => answer(429, {}, { 'retry-after': '0' }), 'deadline'],
  ['503 with words', () => answer(503, 'x'.repeat(100_000)), 'deadline'],
];

const endsAs = async (look: Row[1], end: Row[2]): Promise<void> => {
  service.script.look = look;
  const job = await ended(swap);
  if (end === 'done') expect(job).toMatchObject({ state: 'done', charge: 'spent' });
  else {
    expect(job).toMatchObject({ state: 'failed', charge: 'returned', failure: { code: end } });
    expect(says(job)).toBe(en.failure[end]);
  }
  expect(world.finalDrawings(job.id)).toHaveLength(1);
};

describe('a picture whose status is answered with', () => {
  it.each([...gone, ...states, ...wire, ...big, ...waits])('%s', (_, look, end) => endsAs(look, end));

  it.each(silent)('%s', async (_, look, end) => {
    await becomeImpatient();
    await endsAs(look, end);
  });

  it.each(big)('%s is fetched a few times, while others are answered', async (_, look) => {
    service.script.look = (id, count) =>
      id === 'job-1' ? look(id, count) : count < 200 ? waiting(id) : answer(200, completed(id));
    const first = await world.submit('ann');
    await pass(2_000, () => false);
    await world.submit('ben');
    await pass(4 * MINUTE, async () => (await world.orchestrator.get(first.id))?.settled === true);
    const asked = service.asked.filter((path) => path.endsWith('/job-1')).length;
    expect((await world.orchestrator.get(first.id))?.failure).toEqual({ code: 'result-unusable' });
    expect(asked).toBeLessThan(100);
    // What the sockets had taken when the answer was cut off is counted, too.
    expect(service.bytesSent()).toBeLessThan(asked * 8_000_000);
  });
});

describe('a video whose link', () => {
  it.each([
    'http://127.0.0.1:1/a.mp4',
    'https://127.0.0.1/a.mp4',
    'https://10.0.0.7/a.mp4',
    'https://[::ffff:169.254.169.254]/latest',
    'http://example.com/a.mp4',
    'ftp://example.com/a.mp4',
    'https://user:password@example.com/a.mp4',
    'file:///etc/passwd',
    'javascript:alert(1)',
    '',
  ])('is %s is never followed', async (url) => {
    service.script.look = (id) =>
      answer(200, statusOf(id, 'COMPLETED', { video_url: url, video_status: 'completed' }));
    const job = await ended(video);
    expect(job).toMatchObject({ state: 'failed', failure: { code: 'result-unusable' }, charge: 'returned' });
  });

  it('that leads to a private address by a redirect is not followed there', async () => {
    service.script.look = (id) =>
      answer(200, statusOf(id, 'COMPLETED', { video_url: '/film.mp4', video_status: 'completed' }));
    service.script.other = () => answer(302, '', { location: 'http://169.254.169.254/latest' });
    expect(await ended(video)).toMatchObject({ state: 'failed', failure: { code: 'result-unusable' } });
  });

  it('goes back from completed to running ends as completed', async () => {
    service.script.look = (id, n) =>
      answer(
        200,
        n === 1
          ? statusOf(id, 'COMPLETED', { video_url: '/film.mp4', video_status: 'completed' })
          : statusOf(id, 'IN_PROGRESS'),
      );
    service.script.other = () => answer(503, '');
    expect(await ended(video, 30 * MINUTE)).toMatchObject({
      state: 'failed',
      failure: { code: 'result-gone' },
      charge: 'returned',
    });
  });
});

describe('a run that is answered with', () => {
  it.each([
    ['no id', answer(200, { status: 'IN_QUEUE' }), 'uncertain'],
    ['an empty id', answer(200, { id: '' }), 'uncertain'],
    ['a huge id', answer(200, { id: 'x'.repeat(10_000) }), 'uncertain'],
    ['an id that leads elsewhere', answer(200, { id: '../../api/alias' }), 'uncertain'],
    ['an id with a query', answer(200, { id: '1?x=2' }), 'uncertain'],
    ['an id of control characters', answer(200, { id: 'a\r\nb' }), 'uncertain'],
    ['an id that is a list', answer(200, { id: ['1'] }), 'uncertain'],
    ['a fraction for an id', answer(200, { id: 1.5 }), 'uncertain'],
    ['a number for an id', answer(200, { id: 77, status: 'IN_QUEUE' }), 'done'],
    ['a truncated body', truncated({ id: 'job-1' }), 'uncertain'],
    ['endless junk', endless('{"id":"', Buffer.alloc(65_536, 0x41)), 'uncertain'],
    ['a 303', answer(303, '', { location: '/elsewhere' }), 'uncertain'],
    ['a cut connection', cut, 'uncertain'],
    ['no answer', silence, 'uncertain'],
  ] as const)('%s', async (_, run, end) => {
    if (run === silence) await becomeImpatient();
    service.script.run = () => run;
    service.script.look = (id) => answer(200, completed(id));
    const job = await ended(swap);
    expect(job).toMatchObject({ state: end, charge: 'spent' });
    if (end === 'uncertain') expect(says(job)).toBe(en.card.uncertain);
    expect(service.asked.filter((path) => path.includes('/run/'))).toHaveLength(1);
  });
});
