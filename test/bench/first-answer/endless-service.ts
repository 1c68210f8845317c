import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service that takes every job and is never done with it: what is measured is the first answer, not rendering. */
export const startEndlessService = async (): Promise<{ readonly url: string; close(): void }> => {
  const server = createServer((request, response) => {
    request.resume();
    const isStatus = request.url?.includes('/status') ?? false;
    const body =
      request.method === 'GET'
        ? [{ id: '3', name: 'Watercolour' }]
        : { id: 'x', status: isStatus ? 'IN_PROGRESS' : 'IN_QUEUE' };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
};
