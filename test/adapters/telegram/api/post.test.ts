import { createServer, type RequestListener, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { inspect } from 'node:util';
import { type Api, InputFile } from 'grammy';
import { afterEach, describe, expect, it } from 'vitest';
import { createBot } from '../../../../src/adapters/telegram/api/create-bot.ts';
import { refusalOf, TelegramFault } from '../../../../src/adapters/telegram/api/fault.ts';
import { createFakeClock } from '../../../fakes/clock.ts';
import { listen } from '../../../listen.ts';

const token = '123456:a-token-that-nobody-may-see';
const clock = createFakeClock();
let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const open = async (answer: RequestListener) => {
  server = createServer(answer);
  const apiUrl = await listen(server);
  return { apiUrl, api: createBot({ token, apiUrl, clock }).api };
};

const refused = (error_code: number, description: string, parameters = {}): TelegramFault =>
  refusalOf('x', { ok: false, error_code, description, parameters });

describe('calls to Telegram', () => {
  it('a call to Telegram sends JSON, and files as a form, over connections that stay open', async () => {
    const seen: { readonly type: string; readonly body: string; readonly port: number | undefined }[] = [];
    const { api } = await open(async (request, response) => {
      const body = await text(request);
      seen.push({ type: String(request.headers['content-type']), body, port: request.socket.remotePort });
      response.end(JSON.stringify({ ok: true, result: { message_id: seen.length, chat: { id: 5 } } }));
    });

    const said = await api.sendMessage(5, 'hello');
    // The connection is free again a turn later.
    await turn();
    const photo = new InputFile(Buffer.from('the picture'), 'me.jpg');
    await api.sendPhoto(5, photo);

    expect(said.message_id).toBe(1);
    expect(seen[0]).toMatchObject({ type: 'application/json', body: '{"chat_id":5,"text":"hello"}' });
    expect(seen[1]?.type).toContain('multipart/form-data; boundary=');
    expect(seen[1]?.body).toContain('the picture');
    expect(seen[1]?.port).toBe(seen[0]?.port);
  });

  it('a call to Telegram follows no redirects, because the token is in the URL', async () => {
    const paths: (string | undefined)[] = [];
    const { api } = await open((request, response) => {
      paths.push(request.url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    await expect(api.getMe()).rejects.toMatchObject({ kind: 'unreachable', unsent: false });
    expect(paths).toEqual([`/bot${token}/getMe`]);
  });

  it('a call to Telegram limits the size of a response', async () => {
    const { api } = await open((_, response) => {
      const piece = Buffer.alloc(1024 ** 2, ' ');
      const more = (): boolean => !response.destroyed && response.write(piece, () => setImmediate(more));
      more();
    });
    await expect(api.getMe()).rejects.toMatchObject({ kind: 'unreachable' });
  });

  const me = { id: 1, is_bot: true, first_name: 'D', username: 'd_bot' };

  it.each<{ status: number; body: string; fault: object }>([
    // The next errors have fields left out, or of another type.
    { status: 502, body: '{"ok":false,"error_code":502}', fault: { kind: 'unreachable' } },
    {
      status: 502,
      body: '{"ok":false,"error_code":null,"description":null,"parameters":"x"}',
      fault: { kind: 'unreachable' },
    },
    { status: 400, body: '{"ok":false,"error_code":400}', fault: { kind: 'refused' } },
    {
      status: 400,
      body: '{"ok":false,"description":"Bad Request: chat not found"}',
      fault: { kind: 'gone' },
    },
    {
      status: 200,
      body: '{"ok":false,"description":"Bad Request: chat not found"}',
      fault: { kind: 'gone' },
    },
    { status: 200, body: '{"ok":false,"error_code":"403"}', fault: { kind: 'gone', isForbidden: true } },
    { status: 200, body: '{"error_code":401,"description":7}', fault: { kind: 'unauthorized' } },
    { status: 200, body: '{"ok":false,"error_code":1e99}', fault: { kind: 'unreachable' } },
    { status: 429, body: '{"ok":false}', fault: { kind: 'rate-limited', retryAfterMs: 9_000 } },
    {
      status: 429,
      body: '{"ok":false,"parameters":{"retry_after":-5}}',
      fault: { kind: 'rate-limited', retryAfterMs: 1_000 },
    },
    {
      status: 429,
      body: '{"ok":false,"parameters":{"retry_after":"7"}}',
      fault: { kind: 'rate-limited', retryAfterMs: 7_000 },
    },
    {
      status: 429,
      body: '{"ok":false,"parameters":{"retry_after":"soon"}}',
      fault: { kind: 'rate-limited', retryAfterMs: 1_000 },
    },
    {
      status: 429,
      body: '{"ok":false,"parameters":{"retry_after":9e15}}',
      fault: { retryAfterMs: 3_600_000 },
    },
    { status: 400, body: '{"ok":false,"parameters":{"migrate_to_chat_id":"x"}}', fault: { kind: 'refused' } },
    // The next bodies are those of a proxy.
    { status: 413, body: '<html>Request Entity Too Large</html>', fault: { kind: 'too-large' } },
    { status: 429, body: '<html>Slow down</html>', fault: { kind: 'rate-limited', retryAfterMs: 9_000 } },
    { status: 403, body: '<html>Forbidden</html>', fault: { kind: 'unreachable' } },
    { status: 404, body: '{"message":"no Route matched with those values"}', fault: { kind: 'unreachable' } },
    // The next bodies are no answers of Telegram.
    { status: 200, body: '', fault: { kind: 'unreachable' } },
    { status: 200, body: '<html>Welcome</html>', fault: { kind: 'unreachable' } },
    { status: 200, body: 'null', fault: { kind: 'unreachable' } },
    { status: 200, body: '{"ok":true', fault: { kind: 'unreachable' } },
    { status: 200, body: '{"ok":"true","result":{}}', fault: { kind: 'unreachable' } },
    { status: 200, body: '{"ok":true}', fault: { kind: 'unreachable' } },
    { status: 200, body: '{"ok":true,"result":{"id":"1"}}', fault: { kind: 'unreachable' } },
    { status: 502, body: JSON.stringify({ ok: true, result: me }), fault: { kind: 'unreachable' } },
  ])('a call to Telegram says what status $status with $body means', async ({ status, body, fault }) => {
    const { api } = await open((_, response) => {
      response.writeHead(status, { 'retry-after': '9' }).end(body);
    });
    const error = await api.getMe().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TelegramFault);
    expect(error).toMatchObject(fault);
  });

  it.each([
    { compared: 'more', length: 2 },
    { compared: 'fewer', length: 2_000 },
  ])(
    'a call to Telegram takes an answer with $compared bytes than announced for none',
    async ({ length }) => {
      const { api } = await open((request, response) => {
        const body = JSON.stringify({ ok: true, result: me });
        request.socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n${body}`);
        response.destroy();
      });
      await expect(api.getMe()).rejects.toMatchObject({ kind: 'unreachable' });
    },
  );

  it.each<{ what: string; ask: (api: Api) => Promise<unknown>; result: unknown }>([
    { what: 'updates that are no list', ask: (api) => api.getUpdates(), result: { update_id: 1 } },
    { what: 'an update that is none', ask: (api) => api.getUpdates(), result: [7] },
    { what: 'a message without its number', ask: (api) => api.sendMessage(5, 'x'), result: {} },
    { what: 'an edit without a message', ask: (api) => api.editMessageText(5, 1, 'x'), result: false },
    {
      what: 'a photo that is no list',
      ask: (api) => api.sendPhoto(5, 'x'),
      result: { message_id: 1, chat: { id: 5 }, photo: {} },
    },
    { what: 'a member without a status', ask: (api) => api.getChatMember(5, 1), result: { user: me } },
    { what: 'administrators that are none', ask: (api) => api.getChatAdministrators(5), result: [null] },
    { what: 'a file with a strange path', ask: (api) => api.getFile('x'), result: { file_path: 1 } },
    { what: 'a webhook without an address', ask: (api) => api.getWebhookInfo(), result: {} },
  ])('a call to Telegram takes $what for no answer', async ({ ask, result }) => {
    const { api } = await open(
      (_request, response) => void response.end(JSON.stringify({ ok: true, result })),
    );
    await expect(ask(api)).rejects.toMatchObject({ kind: 'unreachable' });
  });

  it('a call to Telegram knows what cannot have arrived, and never shows the token', async () => {
    const { api, apiUrl } = await open((_, response) => response.destroy());
    await expect(api.getMe()).rejects.toMatchObject({ kind: 'unreachable', unsent: false });

    server?.close();
    server?.closeAllConnections();
    const fault = await createBot({ token, apiUrl, clock })
      .api.getMe()
      .catch((error: unknown) => error);
    expect(fault).toMatchObject({ kind: 'unreachable', unsent: true });

    const hanging = await open(() => undefined);
    const waiting = hanging.api.getMe().catch((error: unknown) => error);
    await new Promise((resolve) => server?.once('request', resolve));
    await clock.advance(15_000);
    const late = await waiting;

    expect(late).toBeInstanceOf(TelegramFault);
    expect(
      `${inspect([fault, late], { depth: 20, showHidden: true })} ${JSON.stringify([fault, late])}`,
    ).not.toContain('a-token');
  });
});

it('an error of a refused call does not hold its payload, because that contains messages', async () => {
  const { api } = await open((_, response) => {
    response.writeHead(400).end('{"ok":false,"error_code":400,"description":"Bad Request"}');
  });
  const fault = await api.sendMessage(5, 'private').catch((thrown: unknown) => thrown);
  expect(fault).toMatchObject({ name: 'TelegramFault', kind: 'refused' });
  expect(inspect(fault, { depth: 9, showHidden: true })).not.toContain('private');
});

describe('what Telegram answers, and what it means', () => {
  it.each([
    { code: 429, words: 'Too Many Requests: retry after 7', kind: 'rate-limited' },
    { code: 409, words: 'Conflict: terminated by other getUpdates request', kind: 'conflict' },
    { code: 401, words: 'Unauthorized', kind: 'unauthorized' },
    { code: 413, words: 'Request Entity Too Large', kind: 'too-large' },
    { code: 403, words: 'Forbidden: bot was blocked by the user', kind: 'gone' },
    { code: 400, words: "Bad Request: message can't be deleted for everyone", kind: 'undeletable' },
    {
      code: 400,
      words: 'Bad Request: message is not modified: specified new message content',
      kind: 'unchanged',
    },
    { code: 400, words: 'Bad Request: PHOTO_INVALID_DIMENSIONS', kind: 'refused' },
    { code: 502, words: 'Bad Gateway', kind: 'unreachable' },
  ] as const)('the meaning of Telegram’s answer $code $words', ({ code, words, kind }) => {
    expect(refused(code, words).kind).toBe(kind);
  });

  it('the new id of a group in Telegram’s answer is kept', () => {
    const fault = refused(400, 'Bad Request', { migrate_to_chat_id: -100 });
    expect(fault).toMatchObject({ kind: 'migrated', migratedTo: -100 });
  });
});
