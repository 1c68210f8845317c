/** The service gives answers that no service should give, on a real socket to the real client; each has the end that a person sees. */
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
let callsInFlight = 0;
let lastCallEnded = (): void => undefined;

const inFlight = async <T>(call: () => Promise<T>): Promise<T> => {
  callsInFlight += 1;
  try {
    return await call();
  } finally {
    callsInFlight -= 1;
    if (callsInFlight === 0) lastCallEnded();
  }
};

interface Patience {
  /** The client gives up a call after so much silence. It is real time. */
  readonly silenceMs: number;
  /** A picture is given up after this time of the fake clock. */
  readonly imageMs: number;
}

const patient: Patience = { silenceMs: 30_000, imageMs: 2 * MINUTE };
/** Where no call succeeds, the end is the same after half a minute. */
const untilDeadline: Patience = { silenceMs: 30_000, imageMs: 30_000 };
/** Where the service is silent, the client waits in vain: it does so for as little real time as its timers can measure. */
const impatient: Patience = { silenceMs: 15, imageMs: 15_000 };

const openWorld = async ({ silenceMs, imageMs }: Patience): Promise<void> => {
  client = createGenerationClient({
    baseUrl: service.url,
    timeouts: {
      repeatableMs: silenceMs,
      headersMs: silenceMs,
      bodyMs: silenceMs,
      beginningMs: silenceMs,
      totalMs: 30_000,
    },
    sleep: async () => undefined,
  });
  const countedService: Service = {
    run: (request, options) => inFlight(() => client.run(request, options)),
    status: (job) => inFlight(() => client.status(job)),
    probe: (credentials) => inFlight(() => client.probe(credentials)),
  };
  const downloads = createDownloads(service.url, systemClock);
  world = await createWorld({ service: countedService, deadlines: { imageMs, videoMs: 4 * MINUTE } });
  world.script.draw = async (_, importance, output) => {
    if (importance === 'final' && output?.kind === 'video')
      await inFlight(() => followed(downloads, output.url));
    return { state: 'drawn' };
  };
};

beforeEach(async () => {
  service = await createHostileService();
});
afterEach(async () => {
  await world.close();
  await client.close();
  await service.close();
});

/** Like the app, it treats a link that may not be followed as a result that cannot be used. */
async function followed(downloads: ReturnType<typeof createDownloads>, url: string): Promise<void> {
  await downloads.get(url, { maxBytes: 1_000 }).catch((error: unknown) => {
    if (error instanceof DownloadRefused) throw new JobFailure({ code: 'result-unusable' });
    throw error;
  });
}

/** Lets time pass a second at a time, and waits for real answers in between. */
async function pass(ms: number, until: () => boolean | Promise<boolean>): Promise<void> {
  for (let passed = 0; passed < ms && !(await until()); passed += 1_000) {
    await world.clock.advance(1_000);
    while (callsInFlight > 0) {
      const ended = Promise.withResolvers<void>();
      lastCallEnded = ended.resolve;
      await ended.promise;
    }
    await world.clock.advance(0);
  }
}

const isSettled = async ({ id }: Pick<Job, 'id'>): Promise<boolean> =>
  (await world.orchestrator.get(id))?.settled === true;

/** Submits a job and lets time pass until it has ended. */
async function submitUntilEnded(request: Job['request'], ms = 12 * MINUTE): Promise<Job> {
  const job = await world.submit('ann', { request });
  await pass(ms, () => isSettled(job));
  return (await world.jobOf(job)) ?? expect.fail('the job has gone');
}

const firstLineOfCard = (job: Job): unknown => drawCard(job, {}, en).lines[0];

interface StatusCase {
  readonly answered: string;
  /** What a status call is answered with, by the job's id and the number of the call. */
  readonly poll: (id: string, count: number) => Answer;
  /** The end of the job; where it is not done, the reason why it failed. */
  readonly end: 'done' | keyof typeof en.failure;
}
const ok = (value: unknown, headers = {}): Answer => answer(200, value, headers);
const junk = Buffer.alloc(65_536, 0x41);
const half = { images: [`${picture.slice(0, 32)}${'A'.repeat(2_000_000)}`] };

const bigAnswers: readonly StatusCase[] = [
  { answered: 'endless junk', poll: () => endless('<', junk), end: 'result-unusable' },
  { answered: 'an endless object', poll: () => endless('{"a":"', junk), end: 'result-unusable' },
  {
    answered: 'endless blanks',
    poll: () => endless(' ', Buffer.alloc(65_536, 0x20)),
    end: 'result-unusable',
  },
  {
    answered: 'megabytes with an unfinished job',
    poll: (id) => ok(statusOf(id, 'IN_QUEUE', half)),
    end: 'result-unusable',
  },
];
const silentAnswers: readonly StatusCase[] = [
  { answered: 'no answer', poll: () => silence, end: 'deadline' },
  { answered: 'a head and no body', poll: () => stalled('{"id'), end: 'deadline' },
];
const limited = (after: string): Answer => answer(429, {}, { 'retry-after': after });
const otherAnswers: readonly StatusCase[] = [
  { answered: '404 for ever', poll: () => answer(404, {}), end: 'job-unknown' },
  {
    answered: '404, then it appears',
    poll: (id, n) => (n < 4 ? answer(404, {}) : ok(completed(id))),
    end: 'done',
  },
  { answered: 'an unknown word for ever', poll: (id) => ok(statusOf(id, 'PONDERING')), end: 'deadline' },
  { answered: 'no status at all', poll: (id) => ok({ id }), end: 'result-unusable' },
  {
    answered: 'completed without output for ever',
    poll: (id) => ok({ id, status: 'COMPLETED' }),
    end: 'result-unusable',
  },
  {
    answered: 'no output at first',
    poll: (id, n) => ok(n < 3 ? statusOf(id, 'COMPLETED') : completed(id)),
    end: 'done',
  },
  {
    answered: 'the picture of another job',
    poll: () => ok(completed('somebody-elses')),
    end: 'result-unusable',
  },
  {
    answered: 'failed with no words',
    poll: (id) => ok(statusOf(id, 'FAILED', [])),
    end: 'generation-failed',
  },
  {
    answered: 'JSON called HTML',
    poll: (id) => ok(completed(id), { 'content-type': 'text/html' }),
    end: 'done',
  },
  { answered: 'an HTML page', poll: () => ok('<html>Please log in</html>'), end: 'result-unusable' },
  {
    answered: 'gzip that nobody asked for',
    poll: (id) => ok(gzipSync(JSON.stringify(completed(id)))),
    end: 'result-unusable',
  },
  { answered: 'a truncated body', poll: (id) => truncated(completed(id)), end: 'deadline' },
  {
    answered: 'a length that is too short',
    poll: (id) => ok(completed(id), { 'content-length': 20 }),
    end: 'result-unusable',
  },
  { answered: 'a cut connection', poll: () => cut, end: 'deadline' },
  {
    answered: 'a redirect',
    poll: () => answer(302, '', { location: 'http://169.254.169.254/' }),
    end: 'deadline',
  },
  { answered: 'brackets', poll: () => ok('[{"a":'.repeat(5_000)), end: 'result-unusable' },
  {
    answered: '429, huge Retry-After',
    poll: (id, n) => (n === 1 ? limited('99999999999999') : ok(completed(id))),
    end: 'done',
  },
  {
    answered: '429, negative Retry-After',
    poll: (id, n) => (n < 4 ? limited('-5') : ok(completed(id))),
    end: 'done',
  },
  { answered: '429 for ever', poll: () => limited('0'), end: 'deadline' },
  { answered: '503 with words', poll: () => answer(503, 'x'.repeat(100_000)), end: 'deadline' },
];

const patienceFor = (answered: string, end: StatusCase['end']): Patience => {
  if (silentAnswers.some((each) => each.answered === answered)) return impatient;
  return end === 'deadline' ? untilDeadline : patient;
};

it.each([...otherAnswers, ...silentAnswers, ...bigAnswers])(
  'a picture whose status is answered with $answered ends as its card says',
  async ({ answered, poll, end }) => {
    await openWorld(patienceFor(answered, end));
    service.script.poll = poll;
    const job = await submitUntilEnded(swap);

    if (end === 'done') expect(job).toMatchObject({ state: 'done', charge: 'spent' });
    else {
      expect(job).toMatchObject({ state: 'failed', charge: 'returned', failure: { code: end } });
      expect(firstLineOfCard(job)).toBe(en.failure[end]);
    }
    expect(world.finalDrawings(job.id)).toHaveLength(1);
  },
);

it.each(bigAnswers)(
  'a picture whose status is answered with $answered is fetched a few times, while others are answered',
  async ({ poll }) => {
    await openWorld(patient);
    service.script.poll = (id, count) => {
      if (id === 'job-1') return poll(id, count);
      return ok(count < 200 ? statusOf(id, 'IN_QUEUE') : completed(id));
    };
    const first = await world.submit('ann');
    await pass(2_000, () => false);
    await world.submit('ben');
    await pass(4 * MINUTE, () => isSettled(first));
    const polls = service.asked.filter((path) => path.endsWith('/job-1')).length;

    expect((await world.jobOf(first))?.failure).toEqual({ code: 'result-unusable' });
    expect(polls).toBeLessThan(100);
    // What the sockets had taken when the answer was cut off is counted, too.
    expect(service.bytesSent()).toBeLessThan(polls * 8_000_000);
  },
);

describe('a video', () => {
  const film = (id: string, url: string) =>
    statusOf(id, 'COMPLETED', { video_url: url, video_status: 'completed' });
  const failed = (code: string) => ({ state: 'failed', failure: { code }, charge: 'returned' });

  it.each(['http://127.0.0.1:1/a', 'file:///etc/passwd', ''])(
    'a video with link %s is not fetched',
    async (url) => {
      await openWorld(patient);
      service.script.poll = (id) => ok(film(id, url));

      expect(await submitUntilEnded(video)).toMatchObject(failed('result-unusable'));
    },
  );

  it('a video that goes back from completed to running is gone', async () => {
    await openWorld(patient);
    service.script.poll = (id, count) =>
      ok(count === 1 ? film(id, '/film.mp4') : statusOf(id, 'IN_PROGRESS'));
    service.script.other = () => answer(503, '');

    expect(await submitUntilEnded(video, 30 * MINUTE)).toMatchObject(failed('result-gone'));
  });
});

it.each([
  { answered: 'no id', run: ok({ status: 'IN_QUEUE' }), end: 'uncertain' },
  { answered: 'an empty id', run: ok({ id: '' }), end: 'uncertain' },
  { answered: 'a huge id', run: ok({ id: 'x'.repeat(10_000) }), end: 'uncertain' },
  { answered: 'an id that leads elsewhere', run: ok({ id: '../../api/alias' }), end: 'uncertain' },
  { answered: 'an id with a query', run: ok({ id: '1?x=2' }), end: 'uncertain' },
  { answered: 'an id of control characters', run: ok({ id: 'a\r\nb' }), end: 'uncertain' },
  { answered: 'an id that is a list', run: ok({ id: ['1'] }), end: 'uncertain' },
  { answered: 'a fraction for an id', run: ok({ id: 1.5 }), end: 'uncertain' },
  { answered: 'a number for an id', run: ok({ id: 77, status: 'IN_QUEUE' }), end: 'done' },
  { answered: 'endless junk', run: endless('{"id":"', junk), end: 'uncertain' },
  { answered: 'a 303', run: answer(303, '', { location: '/elsewhere' }), end: 'uncertain' },
  { answered: 'a cut connection', run: cut, end: 'uncertain' },
  { answered: 'no answer', run: silence, end: 'uncertain' },
] as const)('a run that is answered with $answered is sent once, and is $end', async ({ run, end }) => {
  await openWorld(run === silence ? impatient : patient);
  service.script.run = () => run;
  service.script.poll = (id) => ok(completed(id));
  const job = await submitUntilEnded(swap);

  expect(job).toMatchObject({ state: end, charge: 'spent' });
  if (end === 'uncertain') expect(firstLineOfCard(job)).toBe(en.card.uncertain);
  expect(service.asked.filter((path) => isRun('POST', path))).toHaveLength(1);
});
