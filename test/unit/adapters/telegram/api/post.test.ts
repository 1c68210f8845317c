import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { InputFile } from 'grammy';
import { afterEach, describe, expect, it } from 'vitest';
import { createCalls } from '../../../../../src/adapters/telegram/api/api.ts';
import { createFakeClock } from '../../../../fakes/clock.ts';

const token = '123456:a-token-that-nobody-may-see';
const clock = createFakeClock();
let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const open = async (answer: RequestListener) => {
  server = createServer(answer);
  await new Promise<void>((listening) => server?.listen(0, '127.0.0.1', listening));
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { apiUrl, call: createCalls({ token, apiUrl, clock }) };
};
const getMe = (call: ReturnType<typeof createCalls>) => call('getMe', undefined);

describe('calls to Telegram', () => {
  it('sends JSON, and files as a form, over connections that stay open', async () => {
    const seen: { readonly type: string; readonly body: string; readonly port: number | undefined }[] = [];
    const { call } = await open(async (request, response) => {
      const body = await text(request);
      seen.push({ type: String(request.headers['content-type']), body, port: request.socket.remotePort });
      response.end(JSON.stringify({ ok: true, result: { message_id: seen.length } }));
    });
    const said = await call('sendMessage', { chat_id: 5, text: 'hello' });
    // The connection is free again a turn later.
    await turn();
    const photo = new InputFile(Buffer.from('the picture'), 'me.jpg');
    await call('sendPhoto', { chat_id: 5, photo });
    expect(said.message_id).toBe(1);
    expect(seen[0]).toMatchObject({ type: 'application/json', body: '{"chat_id":5,"text":"hello"}' });
    expect(seen[1]?.type).toContain('multipart/form-data; boundary=');
    expect(seen[1]?.body).toContain('the picture');
    expect(seen[1]?.port).toBe(seen[0]?.port);
  });

  it('follows no redirects: the token is in the URL', async () => {
    const paths: (string | undefined)[] = [];
    const { call } = await open((request, response) => {
      paths.push(request.url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    await expect(getMe(call)).rejects.toMatchObject({ kind: 'unreachable', unsent: false });
    expect(paths).toEqual([`/bot${token}/getMe`]);
  });

  it('limits the size of a response', async () => {
    const { call } = await open((_, response) => {
      const piece = Buffer.alloc(1024 ** 2, ' ');
      const more = (): boolean => !response.destroyed && response.write(piece, () => setImmediate(more));
      more();
    });
    await expect(getMe(call)).rejects.toMatchObject({ kind: 'unreachable' });
  });

  it('knows what cannot have arrived, and never shows the token', async () => {
    const { call, apiUrl } = await open((_, response) => response.destroy());
    await expect(getMe(call)).rejects.toMatchObject({ kind: 'unreachable', unsent: false });
    server?.close();
    server?.closeAllConnections();
    const fault = await getMe(createCalls({ token, apiUrl, clock })).catch((error: unknown) => error);
    expect(fault).toMatchObject({ kind: 'unreachable', unsent: true });
    expect(`${String(fault)} ${JSON.stringify(fault)}`).not.toContain('a-token');
  });
});
