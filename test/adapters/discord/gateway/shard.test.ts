import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { openShard } from '../../../../src/adapters/discord/gateway/shard.ts';
import { holds } from '../../../eventually.ts';
import { createFakeClock } from '../../../fakes/clock.ts';
import { freePort } from '../../../free-port.ts';

const optionsFor = (port: number) => ({
  id: 0,
  count: 1,
  token: 'token',
  gateway: {
    url: `ws://127.0.0.1:${port}`,
    shards: 1,
    session_start_limit: { total: 1_000, remaining: 1_000, reset_after: 0, max_concurrency: 1 },
  },
  session: undefined,
  isHeld: () => true,
  identifyThrottler: { waitForIdentify: async () => undefined },
  connected: () => undefined,
  disconnected: () => undefined,
  interaction: () => undefined,
});

test('a gateway that cannot be reached is tried less and less often', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const port = await freePort();
  const clock = createFakeClock();
  const pauses: number[] = [];
  const reasons: string[] = [];
  const shard = openShard({
    ...optionsFor(port),
    clock: {
      ...clock,
      after(ms, run) {
        pauses.push(ms);
        return clock.after(ms, run);
      },
    },
    disconnected: (reason) => void reasons.push(reason),
  });
  for (const tries of [1, 2, 3, 4]) {
    await holds(() => expect(pauses).toHaveLength(tries));
    await clock.advance(pauses.at(-1) ?? 0);
  }

  expect(pauses).toEqual([1_500, 2_500, 4_500, 8_500]);
  expect(new Set(reasons)).toEqual(new Set(['it cannot be reached, or broke off']));

  const closing = shard.close();
  await clock.advance(5_000);
  await closing;
  vi.restoreAllMocks();
});

test('a shard that is closed while it connects does not connect again', async () => {
  const identified = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<number>();
  let lines = 0;
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });

  server.on('connection', (socket) => {
    lines += 1;
    // Never says that it is ready.
    socket.on('message', (text) => (JSON.parse(String(text)).op === 2 ? identified.resolve() : undefined));
    socket.on('close', closed.resolve);
    socket.send(JSON.stringify({ op: 10, d: { heartbeat_interval: 41_250 } }));
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const clock = createFakeClock();
  const shard = openShard({ ...optionsFor(port), clock });
  await identified.promise;
  const closing = shard.close();
  await clock.advance(5_000);
  await closing;

  expect(await closed.promise).toBe(4200);

  // The library would do so after half a second.
  await new Promise((done) => setTimeout(done, 700));
  expect(lines).toBe(1);

  await new Promise((done) => server.close(done));
});
