import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import type { Server } from 'node:net';

/** Starts a server on a free port of this machine; resolves with its address. */
export async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

/** Ends it, whoever is still connected. */
export async function hangUp(server: HttpServer): Promise<void> {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
}
