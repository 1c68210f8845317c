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

  it.each<[status: number, body: string, fault: object]>([
    // Errors with fields left out, or of another type.
    [502, '{"ok":false,"error_code":502}', { kind: 'unreachable' }],
    [502, '{"ok":false,"error_code":null,"description":null,"parameters":"x"}', { kind: 'unreachable' }],
    [400, '{"ok":false,"error_code":400}', { kind: 'refused' }],
    [400, '{"ok":false,"description":"Bad Request: chat not found"}', { kind: 'gone' }],
    [200, '{"ok":false,"description":"Bad Request: chat not found"}', { kind: 'gone' }],
    [200, '{"ok":false,"error_code":"403"}', { kind: 'gone', isForbidden: true }],
    [200, '{"error_code":401,"description":7}', { kind: 'unauthorized' }],
    [200, '{"ok":false,"error_code":1e99}', { kind: 'unreachable' }],
    [429, '{"ok":false}', { kind: 'rate-limited', retryAfterMs: 9_000 }],
    [429, '{"ok":false,"parameters":{"retry_after":-5}}', { kind: 'rate-limited', retryAfterMs: 1_000 }],
    [429, '{"ok":false,"parameters":{"retry_after":"7"}}', { kind: 'rate-limited', retryAfterMs: 7_000 }],
    [429, '{"ok":false,"parameters":{"retry_after":"soon"}}', { kind: 'rate-limited', retryAfterMs: 1_000 }],
    [429, '{"ok":false,"parameters":{"retry_after":9e15}}', { retryAfterMs: 3_600_000 }],
    [400, '{"ok":false,"parameters":{"migrate_to_chat_id":"x"}}', { kind: 'refused' }],
    // These are answers of a proxy.
    [413, '<html>Request Entity Too Large</html>', { kind: 'too-large' }],
    [429, '<html>Slow down</html>', { kind: 'rate-limited', retryAfterMs: 9_000 }],
    [403, '<html>Forbidden</html>', { kind: 'unreachable' }],
    [404, '{"message":"no Route matched with those values"}', { kind: 'unreachable' }],
    // No answers.
    [200, '', { kind: 'unreachable' }],
    [200, '<html>Welcome</html>', { kind: 'unreachable' }],
    [200, 'null', { kind: 'unreachable' }],
    [200, '{"ok":true', { kind: 'unreachable' }],
    [200, '{"ok":"true","result":{}}', { kind: 'unreachable' }],
    [200, '{"ok":true}', { kind: 'unreachable' }],
    [200, '{"ok":true,"result":{"id":"1"}}', { kind: 'unreachable' }],
    [502, JSON.stringify({ ok: true, result: me }), { kind: 'unreachable' }],
  ])('a call to Telegram says what status %i with %s means', async (status, body, fault) => {
    const { api } = await open((_, response) => {
      response.writeHead(status, { 'retry-after': '9' }).end(body);
    });
    const error = await api.getMe().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TelegramFault);
    expect(error).toMatchObject(fault);
  });

  it.each([
    ['more', 2],
    ['fewer', 2_000],
  ])('a call to Telegram takes an answer with %s bytes than announced for none', async (_, length) => {
    const { api } = await open((request, response) => {
      const body = JSON.stringify({ ok: true, result: me });
      request.socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n${body}`);
      response.destroy();
    });
    await expect(api.getMe()).rejects.toMatchObject({ kind: 'unreachable' });
  });

  it.each<[name: string, ask: (api: Api) => Promise<unknown>, result: unknown]>([
    ['updates that are no list', (api) => api.getUpdates(), { update_id: 1 }],
    ['an update that is none', (api) => api.getUpdates(), [7]],
    ['a message without its number', (api) => api.sendMessage(5, 'x'), {}],
    ['an edit without a message', (api) => api.editMessageText(5, 1, 'x'), false],
    [
      'a photo that is no list',
      (api) => api.sendPhoto(5, 'x'),
      { message_id: 1, chat: { id: 5 }, photo: {} },
    ],
    ['a member without a status', (api) => api.getChatMember(5, 1), { user: me }],
    ['administrators that are none', (api) => api.getChatAdministrators(5), [null]],
    ['a file with a strange path', (api) => api.getFile('x'), { file_path: 1 }],
    ['a webhook without an address', (api) => api.getWebhookInfo(), {}],
  ])('a call to Telegram takes %s for no answer', async (_, ask, result) => {
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
    [429, 'Too Many Requests: retry after 7', 'rate-limited'],
    [409, 'Conflict: terminated by other getUpdates request', 'conflict'],
    [401, 'Unauthorized', 'unauthorized'],
    [413, 'Request Entity Too Large', 'too-large'],
    [403, 'Forbidden: bot was blocked by the user', 'gone'],
    [400, "Bad Request: message can't be deleted for everyone", 'undeletable'],
    [400, 'Bad Request: message is not modified: specified new message content', 'unchanged'],
    [400, 'Bad Request: PHOTO_INVALID_DIMENSIONS', 'refused'],
    [502, 'Bad Gateway', 'unreachable'],
  ] as const)('the meaning of Telegram’s answer %i %s', (code, words, kind) => {
    expect(refused(code, words).kind).toBe(kind);
  });

  it('the new id of a group in Telegram’s answer is kept', () => {
    const fault = refused(400, 'Bad Request', { migrate_to_chat_id: -100 });
    expect(fault).toMatchObject({ kind: 'migrated', migratedTo: -100 });
  });
});
