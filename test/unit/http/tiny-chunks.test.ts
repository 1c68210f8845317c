import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { refuseTinyChunks } from '../../../src/http/server.ts';

let server: Server;
afterEach(() => server.close());

/** A server that answers with the number of bytes that came; resolves to all that it says to a body of such chunks. */
const sendChunks = async (...sizes: readonly number[]): Promise<string> => {
  server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined);
    if (body !== undefined) response.end(`got ${body.length}`);
  });
  refuseTinyChunks(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  const said: string[] = [];
  socket.on('data', (data) => said.push(String(data)));
  const body = sizes.map((size) => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`).join('');
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n');
  socket.write(`${body}0\r\n\r\n`);
  await new Promise((closed) => socket.once('close', closed));
  return said.join('');
};

describe('a body in chunks', () => {
  it('of one byte each is aborted', async () => {
    expect(await sendChunks(...Array<number>(3_000).fill(1))).toBe('');
  });

  it('of a few bytes is accepted when there are few of them, or large ones among them', async () => {
    expect(await sendChunks(...Array<number>(99).fill(1))).toContain('got 99');
    expect(await sendChunks(...Array<number>(200).fill(1_000), ...Array<number>(200).fill(1))).toContain(
      'got 200200',
    );
  });
});
