import { createServer } from 'node:http';
import { Writable } from 'node:stream';
import { inspect } from 'node:util';
import { DiscordAPIError, HTTPError, REST } from 'discord.js';
import fc from 'fast-check';
import { Api, GrammyError, HttpError } from 'grammy';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLog, createOutlet } from '../../../src/log/log.ts';
import { holds } from '../../eventually.ts';
import { hangUp, listen } from '../../listen.ts';

const TELEGRAM = '123456789:AAFakeFakeFakeFakeFakeFakeFakeFake_-1';
const DISCORD = 'MTAwMDAwMDAwMDAwMDAwMDAw.GfAkEd.fake-discord-token_for-tests';
const INTERACTION = 'aW50ZXJhY3Rpb246MTIzNDU2Nzg5MDEyMzQ1Njc4OTA6c2VjcmV0';

/** A local server that answers every request with one status and body, or drops the connection. */
async function failing(status: number | 'drop', body = '{}'): Promise<string> {
  const server = createServer((request, response) => {
    if (status === 'drop') request.socket.destroy();
    else response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  onTestFinished(() => hangUp(server));
  return listen(server);
}

function recorder(secrets: string[] = [], more: Partial<Parameters<typeof createLog>[0]> = {}) {
  const lines: string[] = [];
  const log = createLog({ level: 'trace', secrets, stream: { write: (line) => lines.push(line) }, ...more });
  const entries = () => lines.map((line) => JSON.parse(line));
  return { log, lines, entries, text: () => lines.join(''), entry: () => entries().at(-1) };
}

/** Logs an error in every way that code in a hurry does it. */
function logEveryWay(log: ReturnType<typeof recorder>['log'], error: unknown): void {
  log.error(error);
  log.error({ err: error }, 'failed');
  log.error({ nested: { deeper: [error] } }, 'failed');
  log.error(new Error('wrapped', { cause: error }), 'failed %s', String(error));
  log.error(`failed ${String(error)} %o`, inspect(error, { depth: 10 }));
  log.error(inspect(error, { depth: 10 }));
  log.child({ during: error }).warn('child');
}

describe('errors of the real platform libraries', () => {
  const telegram = (status: number | 'drop', body?: string) => async () =>
    new Api(TELEGRAM, { apiRoot: await failing(status, body) }).sendMessage(1, `my token is ${TELEGRAM}`);

  const discord = async (status: number, body?: string) =>
    new REST({ api: await failing(status, body), retries: 0 }).setToken(DISCORD);

  const photo = Buffer.from('the bytes of a private photo');
  const notFound = { ok: false, error_code: 400, description: 'chat not found' };

  it.each([
    {
      what: 'HttpError of grammY',
      type: HttpError,
      fail: telegram('drop'),
      carried: TELEGRAM,
      kept: ['sendMessage'],
    },
    {
      what: 'GrammyError',
      type: GrammyError,
      fail: telegram(400, JSON.stringify(notFound)),
      carried: TELEGRAM,
      kept: ['chat not found'],
    },
    {
      what: 'DiscordAPIError',
      type: DiscordAPIError,
      fail: async () =>
        (await discord(404, '{"code":10062,"message":"Unknown interaction"}')).patch(
          `/webhooks/1000/${INTERACTION}/messages/@original`,
          { body: { content: 'x' }, files: [{ name: 'photo.png', data: photo }] },
        ),
      carried: INTERACTION,
      kept: ['Unknown interaction', '10062'],
    },
    {
      what: 'HTTPError of Discord',
      type: HTTPError,
      fail: async () =>
        (await discord(502)).post(`/interactions/1000/${INTERACTION}/callback`, {
          body: { type: 5 },
          auth: false,
        }),
      carried: INTERACTION,
      kept: ['502'],
    },
  ])(
    'the log hides tokens and uploads in errors of $what, and keeps what was said',
    async ({ type, fail, carried, kept }) => {
      const error = await fail().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(type);

      // The library's own error contains what must not be logged.
      expect(inspect(error, { depth: 10 })).toContain(carried);
      for (const secrets of [[TELEGRAM, DISCORD], []]) {
        const { log, text } = recorder(secrets);
        log.error(error);
        log.error({ err: error }, 'failed');
        expect(text()).not.toContain('photo.png');
        logEveryWay(log, error);
        for (const hidden of [TELEGRAM, TELEGRAM.slice(12), INTERACTION, DISCORD, photo.toString('base64')])
          expect(text()).not.toContain(hidden);
        for (const words of kept) expect(text()).toContain(words);
      }
    },
  );
});

describe('known secrets', () => {
  const secret = 'pa"ss/wörd+with spaces\\';
  const known = 'S3cr3t-value_9';

  it.each([
    { what: 'as it is', form: secret },
    { what: 'in an address', form: `http://x/?key=${encodeURIComponent(secret)}` },
    { what: 'in base64', form: Buffer.from(secret).toString('base64') },
    { what: 'in base64 with something before it', form: Buffer.from(`u:${secret}`).toString('base64') },
    { what: 'in base64url after two characters', form: Buffer.from(`ab${secret}zz`).toString('base64url') },
    { what: 'inside JSON text', form: JSON.stringify({ key: secret }) },
  ])('known secrets are hidden $what', ({ form }) => {
    for (const pretty of [false, true]) {
      const { log, text } = recorder([secret], { pretty });
      log.info(form);
      log.info({ value: form, list: [form], [form]: 1, map: new Map([['a', form]]), set: new Set([form]) });
      log.child({ form }).info('child');
      expect(text()).not.toContain(secret);
      expect(text()).not.toContain(form);
      expect(text()).not.toContain(Buffer.from(secret).toString('base64').slice(4, -4));
    }
  });

  it('known secrets are removed anywhere in a text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 4000 }), fc.string({ maxLength: 4000 }), (before, after) => {
        const { log, text } = recorder([known]);
        const line = `${before}${known}${after}`;
        log.info({ value: line, err: new Error(`${before}${known}`) }, line);
        JSON.parse(text());
        // A text cut in the middle of a secret must not leave half of it either.
        return !text().includes(known.slice(0, 8));
      }),
      { numRuns: 200 },
    );
  });

  it('a text that is cut inside a known secret shows no part of it', () => {
    for (let before = 1_980; before <= 2_000; before += 1) {
      const { log, text } = recorder([known]);
      log.info({ value: `${'x'.repeat(before)}${known}${'y'.repeat(50)}` });
      expect(text()).not.toContain('S3c');
    }
  });

  it('a known secret that is put together by formatting, or bound later, is hidden in the line', () => {
    const { log, text } = recorder([known]);

    log.info('S3cr3t-%s', 'value_9');
    log.setBindings({ late: known });
    log.info('later');

    expect(text()).toContain('later');
    expect(text()).not.toContain(known);
  });
});

describe('things shaped like secrets', () => {
  it.each([
    { line: 'Authorization: Bot abc.def.ghi', hidden: 'abc.def.ghi' },
    { line: '{"authorization":"Bearer short"}', hidden: 'short' },
    { line: 'sent with Bearer abcdefghijklmnopqrst', hidden: 'abcdefghijklmnopqrst' },
    { line: `https://api.telegram.org/file/bot${TELEGRAM}/photos/1.jpg`, hidden: TELEGRAM },
    { line: `https%3A%2F%2Fx%2Fbot${encodeURIComponent(TELEGRAM)}`, hidden: encodeURIComponent(TELEGRAM) },
    { line: 'redis://default:hunter22@cache:6379', hidden: 'hunter22' },
    { line: 'postgres://ann:hunter22@db/darkroom', hidden: 'hunter22' },
    { line: 'https://hunter22@db/darkroom', hidden: 'hunter22' },
    {
      line: 'https://cdn.discordapp.com/attachments/1/2/a.png?ex=1&is=2&hm=deadbeef01',
      hidden: 'deadbeef01',
    },
    { line: `https://discord.com/api/v10/webhooks/12/${INTERACTION}?wait=true`, hidden: INTERACTION },
  ])('something shaped like a secret is hidden: $line', ({ line, hidden }) => {
    const { log, text } = recorder([]);

    log.info(line);
    log.info({ line });

    expect(text()).not.toContain(hidden);
  });

  it('secrets are hidden by the name of their field', () => {
    const { log, entry } = recorder([]);
    const headers = { Authorization: 'x1', 'X-API-Key': 'x2' };

    log.info({ headers, token: 'x3', password: 'x4', tokens: 5 }, 'm');
    const hidden = { Authorization: '[secret]', 'X-API-Key': '[secret]' };

    expect(entry()).toMatchObject({ headers: hidden, token: '[secret]', password: '[secret]', tokens: 5 });
  });

  it('ordinary lines are logged unchanged', () => {
    const { log, entry } = recorder(['secret-value']);
    const url = 'http://127.0.0.1:8080/a?b=c';
    const msg = 'postgres://ann@db/darkroom started at 10:42';

    log.info({ job: 'j1', at: new Date(0), url: new URL(url) }, msg);
    expect(entry()).toMatchObject({ level: 'info', msg, job: 'j1', at: '1970-01-01T00:00:00.000Z', url });
  });
});

describe('bounds', () => {
  it('a line of the log stays small whatever is logged', () => {
    const { log, text, entry } = recorder([]);
    const grow = (depth: number): unknown =>
      depth === 0 ? 'leaf' : Object.fromEntries([...'abcdefghijkl'].map((name) => [name, grow(depth - 1)]));

    log.info({ graph: grow(5) }, 'm');
    expect(text().length).toBeLessThan(20_000);
    expect(text()).toContain('leaf');

    const circle: Record<string, unknown> = { big: 'x'.repeat(5_000_000), bytes: Buffer.alloc(9_000_000) };
    circle.self = circle;
    circle.many = Array.from({ length: 10_000 }, (_, i) => i);
    const err = Object.assign(new Error('e'.repeat(100_000)), { circle });
    log.error({ circle, err }, 'm'.repeat(100_000));
    const line = JSON.stringify(entry());

    expect(line.length).toBeLessThan(20_000);
    expect(line).toContain('[circular]');
    expect(line).toContain('[9000000 bytes]');
  });

  it('objects whose getters throw can be logged', () => {
    const { log, entry } = recorder([]);
    const hostile = {
      n: 1n,
      get trap(): never {
        throw new Error('no');
      },
    };

    log.info({ hostile, nothing: null, toJSON: 'x' }, 'still here');
    expect(entry()).toMatchObject({ msg: 'still here', hostile: { n: '1', trap: '[unreadable]' } });

    const worse = new Proxy({}, { ownKeys: () => expect.fail('trap') });
    log.child({ worse }).info({ worse2: worse }, 'and here');
    expect(entry()).toMatchObject({ msg: 'and here', worse: '[unreadable]', worse2: '[unreadable]' });

    log.error(Object.assign(new Error('e'), { message: worse }), 'and here too');
    expect(entry()).toMatchObject({ msg: 'and here too' });
  });
});

it('the log in a terminal is readable, and control characters are escaped', () => {
  const { log, text } = recorder([], { pretty: true });

  log.warn({ user: 'eve\u001b[2J\u202e', count: 3 }, 'hello \u001b]0;owned\u0007');
  log.error(new Error('broken', { cause: new Error('because') }), 'it failed');

  for (const shown of ['WARN', 'count=3', 'Error: broken', 'because']) expect(text()).toContain(shown);
  for (const hidden of ['\u001b[2J', '\u001b]', '\u202e']) expect(text()).not.toContain(hidden);
});

/** A log of this level, and a child of it. */
const open = (level: string) => {
  const { log, lines, entries } = recorder([], { level });
  const child = log.child({ platform: 'web' });
  /** The lines that each level of each log shows now. */
  const shown = () => {
    lines.length = 0;
    for (const each of [log, child]) for (const name of ['debug', 'info', 'error'] as const) each[name](name);
    return entries().map(({ msg }) => msg);
  };
  /** Switches debug on or off; the lines that say so. */
  const switchDebug = () => {
    lines.length = 0;
    log.switchDebug();
    return entries();
  };
  return { shown, switchDebug };
};

const BOTH_DEBUG = ['debug', 'info', 'error', 'debug', 'info', 'error'];

it.each([
  { level: 'info', shownBefore: ['info', 'error', 'info', 'error'] },
  { level: 'error', shownBefore: ['error', 'error'] },
  { level: 'silent', shownBefore: [] },
])('every log goes from $level to debug and back, and says so', ({ level, shownBefore }) => {
  const { shown, switchDebug } = open(level);
  expect(shown()).toEqual(shownBefore);

  expect(switchDebug()).toMatchObject([{ level: 'info', logLevel: 'debug' }]);
  expect(shown()).toEqual(BOTH_DEBUG);

  expect(switchDebug()).toMatchObject([{ level: 'info', logLevel: level }]);
  expect(shown()).toEqual(shownBefore);

  expect(switchDebug()).toMatchObject([{ level: 'info', logLevel: 'debug' }]);
  expect(shown()).toEqual(BOTH_DEBUG);
});

it('a log that shows more than debug goes on with that', () => {
  const { shown, switchDebug } = open('trace');
  expect(shown()).toEqual(BOTH_DEBUG);

  expect(switchDebug()).toMatchObject([{ level: 'info', logLevel: 'trace' }]);
  expect(shown()).toEqual(BOTH_DEBUG);
});

describe('repeated errors', () => {
  const time = { now: 0 };
  const flood = () => recorder([], { now: () => time.now });

  it('repeated errors are logged a few times a minute, then counted', () => {
    const { log, entries } = flood();
    const fail = (job: number): void => log.error({ err: new Error('disk is full'), job }, 'a step broke');

    for (let job = 0; job < 1000; job += 1) fail(job);
    expect(entries().map(({ job }) => job)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);

    time.now += 60_000;
    fail(1000);
    expect(entries()).toHaveLength(11);
    expect(entries().at(-1)).toMatchObject({ job: 1000, suppressed: 990, msg: 'a step broke' });
    expect(entries().at(-1).err.message).toBe('disk is full');
  });

  it('repeated errors are counted separately, and info and fatal lines are never dropped', () => {
    const { log, entries } = flood();

    for (let times = 0; times < 50; times += 1) {
      log.error({ err: new Error('one') }, 'a step broke');
      log.error({ err: new Error('two') }, 'a step broke');
      log.error(new Error('three'));
      log.warn('careful');
      log.info('fine');
      log.fatal('the end');
    }
    const count = (words: string): number =>
      entries().filter(({ msg, err }) => msg === words || err?.message === words).length;

    const words = ['one', 'two', 'three', 'careful', 'fine', 'the end'];

    expect(words.map(count)).toEqual([10, 10, 10, 10, 50, 50]);

    time.now += 60_000;
    log.warn('careful');
    log.error(new Error('three'));
    expect(entries().slice(-2)).toMatchObject([
      { suppressed: 40, msg: 'careful' },
      { suppressed: 40, msg: 'three', err: { message: 'three' } },
    ]);
  });
});

describe('lines that nobody reads', () => {
  it('lines that nobody reads are dropped instead of buffered, and counted when reading continues', async () => {
    let read: (() => void) | undefined;
    let text = '';
    const slow = new Writable({
      write(chunk, _, done) {
        text += chunk;
        if (read === undefined) read = done;
        else done();
      },
    });
    const outlet = createOutlet(slow);
    const line = `${'x'.repeat(1023)}\n`;

    for (let count = 0; count < 100_000; count += 1) outlet.write(line);
    expect(slow.writableLength).toBeLessThan(5 * 1024 ** 2);

    read?.();
    await holds(() => expect(slow.writableLength).toBe(0));

    outlet.write('again\n');
    await holds(() => expect(text.endsWith('again\n')).toBe(true));

    const told = JSON.parse(text.trimEnd().split('\n').at(-2) ?? '');
    expect(told).toMatchObject({ level: 'warn', msg: 'lines were dropped: the output was not read' });
    expect(told.lines + (text.length - JSON.stringify(told).length - 7) / 1024).toBe(100_000);
  });

  it('lines that nobody reads do not end the process when the reader is gone', async () => {
    const closed = new Writable({ write: (_chunk, _, done) => done(new Error('EPIPE')) });
    const outlet = createOutlet(closed);

    outlet.write('one\n');
    await holds(() => expect(closed.errored).not.toBeNull());
    expect(() => outlet.write('two\n')).not.toThrow();
  });
});
