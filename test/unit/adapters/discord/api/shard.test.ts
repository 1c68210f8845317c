import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { openShard } from '../../../../../src/adapters/discord/api/shard.ts';
import { createFakeClock } from '../../../../fakes/clock.ts';
import { acceptSocket } from '../../../../fakes/discord/websocket.ts';

test('a shard that is closed while it connects does not connect again', async () => {
  const identified = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<number | undefined>();
  let lines = 0;
  const server = createServer();
  server.on('upgrade', (request, stream) => {
    lines += 1;
    // Never says that it is ready.
    const socket = acceptSocket(request, stream, {
      text: (text) => (JSON.parse(text).op === 2 ? identified.resolve() : undefined),
      closed: closed.resolve,
    });
    socket.send(JSON.stringify({ op: 10, d: { heartbeat_interval: 41_250 } }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const clock = createFakeClock();
  const shard = openShard({
    id: 0,
    count: 1,
    token: 'token',
    gateway: {
      url: `ws://127.0.0.1:${port}`,
      shards: 1,
      session_start_limit: { total: 1_000, remaining: 1_000, reset_after: 0, max_concurrency: 1 },
    },
    session: undefined,
    clock,
    mayIdentify: async () => undefined,
    connected: () => undefined,
    disconnected: () => undefined,
    ended: () => undefined,
    interaction: () => undefined,
    failed: () => undefined,
  });
  await identified.promise;
  const closing = shard.close();
  await clock.advance(5_000);
  await closing;
  expect(await closed.promise).toBe(4200);
  // The library would do so after half a second.
  await new Promise((done) => setTimeout(done, 700));
  expect(lines).toBe(1);
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});
