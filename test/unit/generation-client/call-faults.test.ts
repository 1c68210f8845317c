import type { ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createGenerationClient } from '../../../src/generation-client/client.ts';
import type { GenerationErrorKind } from '../../../src/generation-client/wire/errors.ts';
import type { Lane } from '../../../src/generation-client/wire/transport.ts';
import { eventually } from '../../eventually.ts';
import { failureOf, openClient } from '../../fakes/service/open-client.ts';
import { sampleOf, signature } from '../../fakes/service/sample-requests.ts';
import { json, text } from '../../fakes/service/scripted-service.ts';
import { isRun } from '../../fakes/service-calls.ts';

const run = sampleOf('face-swap-v6');
const job = { endpoint: 'face-swap-v6', id: 'job-1' } as const;
const accepted = json(200, { id: 'job-1', status: 'IN_QUEUE' });

const totalMs = 98_765;

const MB = 1024 * 1024;

/** Larger than those that the service makes. */
const picture = JSON.stringify({
  id: 'job-1',
  status: 'COMPLETED',
  output: { images: [Buffer.concat([signature, Buffer.alloc(13 * MB)]).toString('base64')] },
});

/** The deadline of a call falls when the test says so: how long a busy machine takes until then is its own affair. */
function holdDeadlines(): () => void {
  const { setTimeout: real } = globalThis;
  const { clearTimeout: clear } = globalThis;
  const held = new Map<unknown, () => void>();
  const hold = (run: () => void, ms?: number): NodeJS.Timeout => {
    if (ms !== totalMs) return real(run, ms);
    const timer = real(() => undefined, 0);
    held.set(timer, run);
    return timer;
  };
  const spies = [
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(hold as typeof setTimeout),
    vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
      held.delete(timer);
      clear(timer);
    }),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return () => {
    for (const [timer, run] of [...held]) {
      held.delete(timer);
      run();
    }
  };
}

/** Sends so little for ever, and lets the deadlines fall now and then. */
function drip(response: ServerResponse, drop: string, fall: () => void): void {
  let drops = 0;
  const dripping = setInterval(() => {
    response.write(drop);
    drops += 1;
    if (drops % 20 === 0) fall();
  }, 5);
  response.on('close', () => clearInterval(dripping));
}

describe('a run call', () => {
  it('a run call is repeated when the connection is refused, then fails as not sent', async () => {
    const slept: number[] = [];
    const attempts: Lane[] = [];
    const client = createGenerationClient({
      baseUrl: 'http://127.0.0.1:9',
      random: () => 1,
      sleep: async (ms) => void slept.push(ms),
      pace: async (lane, attempt) => {
        attempts.push(lane);
        return attempt();
      },
    });

    expect(await failureOf(client.run(run))).toMatchObject({ kind: 'unreachable', mayHaveArrived: false });
    expect(slept).toEqual([250, 500]);
    expect(attempts).toEqual(['submit', 'submit', 'submit']);

    await client.close();
  });

  it.each([
    { what: 'the name does not resolve', urlOf: () => 'http://no-such-host.invalid' },
    { what: 'the TLS handshake fails', urlOf: (url: string) => url.replace('http:', 'https:') },
  ])('a run call is not sent when $what', async ({ urlOf }) => {
    const { service } = await openClient(accepted);
    const client = createGenerationClient({ baseUrl: urlOf(service.url), sleep: async () => {} });

    expect(await failureOf(client.run(run))).toMatchObject({ kind: 'unreachable', mayHaveArrived: false });

    await client.close();
  });

  it('a run call is not repeated by undici when a kept-alive connection is closed', async () => {
    const { client, service } = await openClient(accepted);

    await client.run(run);
    service.answerWith((_, response) => response.destroy());

    expect(await failureOf(client.run(run))).toMatchObject({ kind: 'unknown-outcome', mayHaveArrived: true });
    expect(service.seen).toHaveLength(2);
  });

  interface Uncertain {
    readonly what: string;
    readonly answer: Parameters<typeof openClient>[0];
    /** Whether only a deadline ends the call. */
    readonly isSilent?: boolean;
    readonly kind: GenerationErrorKind;
  }
  const kind = 'unknown-outcome';

  it.each<Uncertain>([
    { what: 'the connection is cut before an answer', answer: (_, response) => response.destroy(), kind },
    {
      what: 'the answer is cut',
      answer: (_, response) => {
        response.writeHead(200, { 'content-length': 50 }).write('{"id":');
        setImmediate(() => response.destroy());
      },
      kind,
    },
    { what: 'the answer is garbage', answer: text(200, '<html>'), kind },
    { what: 'the answer is empty', answer: text(200, ''), kind },
    { what: 'the answer has no id', answer: json(200, { status: 'IN_QUEUE' }), kind },
    { what: 'the id is unusable', answer: json(200, { id: '..', status: 'IN_QUEUE' }), kind },
    {
      what: 'the answer is too long',
      answer: text(200, `{"id":"1","status":"QUEUED","x":"${'y'.repeat(300_000)}"}`),
      kind,
    },
    { what: 'no answer comes', answer: () => undefined, isSilent: true, kind },
    { what: 'the answer is a 502', answer: text(502, 'Bad Gateway'), kind: 'unavailable' },
  ])('a run call is not repeated when $what', async ({ answer, isSilent = false, kind: expected }) => {
    const fall = holdDeadlines();
    const { client, service } = await openClient(
      (request, response) => {
        answer(request, response);
        if (isSilent) fall();
      },
      { timeouts: { totalMs } },
    );

    const error = await failureOf(client.run(run));

    expect(error.kind).toBe(expected);
    expect(error.mayHaveArrived).toBe(true);
    expect(service.seen).toHaveLength(1);
  });

  it('a run call accepts a number for an id, and an answer without a status', async () => {
    const { client } = await openClient(json(200, { id: 17 }));

    expect(await client.run(run)).toEqual({ id: '17', state: 'waiting' });
  });
});

describe('a deadline', () => {
  it.each<{
    readonly what: string;
    readonly timeouts: object;
    readonly answer: Parameters<typeof openClient>[0];
  }>([
    { what: 'headers', timeouts: { headersMs: 50 }, answer: () => {} },
    { what: 'headers of calls that may be repeated', timeouts: { repeatableMs: 50 }, answer: () => {} },
    { what: 'body', timeouts: { bodyMs: 50 }, answer: (_, response) => response.writeHead(200).write('{') },
  ])('the deadline for the $what ends a poll', async ({ timeouts, answer }) => {
    const { client } = await openClient(answer, { timeouts });

    expect(await failureOf(client.status(job))).toMatchObject({ kind: 'unavailable', mayHaveArrived: true });
  });

  it.each([
    { what: 'the whole response ends a slow one', timeouts: { totalMs }, said: 'no complete answer' },
    {
      what: 'a small response is much shorter',
      timeouts: { beginningMs: totalMs, totalMs: 2 * totalMs },
      said: 'bytes within',
    },
  ])('a call has a deadline for $what', async ({ timeouts, said }) => {
    const fall = holdDeadlines();
    const { client } = await openClient(
      (_request, response) => {
        response.writeHead(200).write('{"status":');
        drip(response, ' ', fall);
      },
      { timeouts },
    );

    const error = await failureOf(client.status(job));

    expect(error.kind).toBe('unavailable');
    expect(error.message).toContain(said);
  });

  it('the deadline ends a large response that is too slow while memory is held for it', async () => {
    const fall = holdDeadlines();
    const asked: number[] = [];
    const { client } = await openClient(
      (_, response) => {
        response.writeHead(200, { 'content-length': 10 * MB }).write(picture.slice(0, 200_000));
        drip(response, 'A', fall);
      },
      { timeouts: { beginningMs: totalMs, totalMs: 2 * totalMs } },
    );
    const reserve = async (bytes: number): Promise<void> => void asked.push(bytes);

    expect(await failureOf(client.status(job, { reserve }))).toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('bytes within'),
    });
    expect(asked).toEqual([10 * MB]);
  });

  it('the deadline does not count the time that a response waits for memory', async () => {
    const fall = holdDeadlines();
    const { client } = await openClient((_, response) => void response.writeHead(200).end(picture), {
      timeouts: { beginningMs: totalMs, totalMs },
    });
    const reserve = async (): Promise<void> => {
      await new Promise(setImmediate);
      fall();
    };

    expect(await client.status(job, { reserve })).toMatchObject({ state: 'completed' });
  });

  it.each([
    { what: 'as announced', headers: { 'content-length': picture.length }, expected: [picture.length] },
    { what: 'as an ordinary one, then as the largest', headers: {}, expected: [16 * MB, 32 * MB] },
  ])('a large response asks for memory $what', async ({ headers, expected }) => {
    const asked: number[] = [];
    const { client } = await openClient((_, response) => {
      response.writeHead(200, headers);
      response.write(picture.slice(0, MB));
      response.end(picture.slice(MB));
    });
    const reserve = async (bytes: number): Promise<void> => void asked.push(bytes);

    expect(await client.status(job, { reserve })).toMatchObject({ state: 'completed' });
    expect(asked).toEqual(expected);
  });

  it('the deadline includes the wait for a connection, and reports that nothing was sent', async () => {
    const fall = holdDeadlines();
    const { client, service } = await openClient(() => fall(), { connections: 1, timeouts: { totalMs } });

    const [first, second] = await Promise.all([failureOf(client.status(job)), failureOf(client.status(job))]);

    expect(first).toMatchObject({ kind: 'unavailable', mayHaveArrived: true });
    expect(second).toMatchObject({ kind: 'unreachable', mayHaveArrived: false });

    service.answerWith(json(200, { status: 'RUNNING' }));
    // Behind the one that gave up on the only connection: had that been sent after all, it would be seen by now.
    await client.status({ ...job, id: 'third' });

    expect(service.seen.map(({ path }) => path)).toEqual(['/v6/status/job-1', '/v6/status/third']);
  });
});

describe('the record of a call', () => {
  it('the record of a call is asked when the call is next, and false cancels it before anything is sent', async () => {
    const order: string[] = [];
    const { client, service } = await openClient(accepted, {
      pace: async (_, attempt) => {
        order.push('waits');
        await turn();
        order.push('its turn');
        return attempt();
      },
    });
    const ready = async () => {
      order.push('asked');
      return false;
    };

    const error = await failureOf(client.run(run, { record: { ready, unsent: async () => undefined } }));

    expect(error).toMatchObject({ kind: 'aborted', mayHaveArrived: false });
    expect(order).toEqual(['waits', 'its turn', 'asked']);
    expect(service.seen).toHaveLength(0);
  });

  /** Notes of calls, until the disk is full. */
  const recorded = (order: string[], most = Number.POSITIVE_INFINITY) => {
    const note = async (what: string): Promise<true> => {
      order.push(what);
      if (order.length > most) throw new Error('the disk is full');
      return true;
    };
    return { ready: () => note('ready'), unsent: async () => void (await note('unsent')) };
  };

  it('the record of a call is asked before every attempt, and its errors are passed on', async () => {
    const { client, service } = await openClient(json(429, {}));
    const order: string[] = [];
    const called = client.run(run, { record: recorded(order, 2) });

    await expect(called).rejects.toThrow('the disk is full');
    expect(order).toEqual(['ready', 'unsent', 'ready']);
    expect(service.seen).toHaveLength(1);
  });

  it('the record of a call prevents another attempt when the result of the first cannot be stored', async () => {
    const { client, service } = await openClient(json(429, {}));
    const error = await failureOf(client.run(run, { record: recorded([], 1) }));

    expect(error).toMatchObject({ kind: 'rate-limited', mayHaveArrived: false });
    expect(service.seen).toHaveLength(1);
  });

  it('the record of a call is not marked unsent for a call that may have arrived', async () => {
    const { client } = await openClient(json(503, {}));
    const order: string[] = [];

    expect(await failureOf(client.run(run, { record: recorded(order) }))).toMatchObject({
      mayHaveArrived: true,
    });
    expect(order).toEqual(['ready']);
  });
});

describe('an abort signal', () => {
  it('an abort signal stops a call before it is sent', async () => {
    const { client, service } = await openClient(accepted);
    const error = await failureOf(client.run(run, { signal: AbortSignal.abort() }));

    expect(error).toMatchObject({ kind: 'aborted', mayHaveArrived: false });
    expect(service.seen).toHaveLength(0);
  });

  it('an abort signal stops a call in progress, which may have arrived', async () => {
    const controller = new AbortController();
    const { client, service } = await openClient(() => controller.abort());

    const error = await failureOf(client.run(run, { signal: controller.signal }));

    expect(error).toMatchObject({ kind: 'aborted', mayHaveArrived: true });
    expect(service.seen).toHaveLength(1);
  });

  it('an abort signal stops the wait between two attempts', async () => {
    const controller = new AbortController();
    const { client, service } = await openClient(json(503, {}), {
      sleep: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
          controller.abort();
        }),
    });

    const error = await failureOf(client.catalog('face-v6', { signal: controller.signal }));

    expect(error.kind).toBe('unavailable');
    expect(service.seen).toHaveLength(1);
  });
});

describe('reads', () => {
  it('reads are repeated after errors', async () => {
    const troubles = [json(500, {}), text(200, 'garbage'), json(429, {}, { 'retry-after': '1' })];
    const { client, service, slept } = await openClient((request, response) => {
      const trouble = troubles.shift() ?? json(200, [{ id: '4', name: 'Comic' }]);
      trouble(request, response);
    });
    expect(await client.catalog('face-v6')).toEqual([{ id: 4, name: 'Comic' }]);
    expect(service.seen).toHaveLength(4);
    expect(slept).toEqual([125, 250, 1500]);
  });

  it('a probe is one attempt per credential, and accepts any list, but no HTML page', async () => {
    const { client, service } = await openClient(json(503, {}));
    for (const credentials of ['key', 'token'] as const)
      expect((await failureOf(client.probe(credentials))).kind).toBe('unavailable');

    service.answerWith(text(200, ' [anything'));
    await client.probe('token');
    service.answerWith(text(200, '<html>Please log in</html>'));

    expect((await failureOf(client.probe('token'))).kind).toBe('bad-response');

    const calls = service.seen.map(({ method, path, headers }) => ({
      method,
      path,
      hasToken: headers.authorization !== undefined,
    }));
    expect(calls).toEqual([
      { method: 'GET', path: '/v6/filters', hasToken: false },
      { method: 'GET', path: '/api/alias/', hasToken: true },
      { method: 'GET', path: '/api/alias/', hasToken: true },
      { method: 'GET', path: '/api/alias/', hasToken: true },
    ]);
  });
});

it('every attempt of a call is paced in its lane', async () => {
  const lanes: Lane[] = [];
  const { client } = await openClient(json(200, [{ id: '4', name: 'Comic' }]), {
    pace: async (lane, attempt) => {
      lanes.push(lane);
      return attempt();
    },
  });
  const { aliases } = client;
  const filter = '6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f';

  await client.catalog('classic');
  await failureOf(client.run(run));
  await failureOf(client.status(job));
  await failureOf(aliases.create({ filter }));
  await aliases.update(filter, { filter, project: 'discord:1' });
  await aliases.delete(filter);

  expect(lanes.splice(0)).toEqual(['read', 'submit', 'poll', 'moderator', 'moderator', 'moderator']);

  await failureOf(aliases.list());
  await failureOf(aliases.resolve(filter));
  await failureOf(client.customFilters({ lane: 'moderator' }));

  expect(new Set(lanes.splice(0))).toEqual(new Set(['moderator']));

  await failureOf(client.customFilters());

  expect(new Set(lanes)).toEqual(new Set(['read']));
});

it('calls that hang take no connections of other kinds of calls', async () => {
  const { client, service } = await openClient(
    (request, response) => {
      if (!isRun(request.method, request.path)) accepted(request, response);
    },
    { connections: 2 },
  );
  const ended = vi.fn();

  for (let count = 0; count < 3; count += 1) void client.run(run).catch(ended);
  await eventually(() => service.seen.length === 2, 'all connections to be used');

  expect(await client.status(job)).toEqual({ state: 'waiting' });
  expect(ended).not.toHaveBeenCalled();
});
