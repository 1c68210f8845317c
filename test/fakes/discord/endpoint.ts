import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import type { FakeDiscord } from './discord.ts';

/** Opens the adapter's endpoint of interactions on a real port, to which the fake posts from then on. */
export const openEndpoint = async (
  fake: FakeDiscord,
  handle: (request: Request) => Promise<Response>,
): Promise<{ close(): Promise<void> }> => {
  const server = serve({ port: 0, hostname: '127.0.0.1', fetch: handle });
  await once(server, 'listening');
  fake.http.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    async close() {
      if ('closeAllConnections' in server) server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
};
