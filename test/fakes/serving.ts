import { createServer, type RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { listen } from '../listen.ts';

/** A server of the running test's own; resolves with its address. */
export const serving = (answer: RequestListener): Promise<string> => {
  const server = createServer(answer);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return listen(server);
};
