import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** A port below those that systems hand out by themselves: nobody who asks for just any port is given it meanwhile. */
export const freePort = async (): Promise<number> => {
  const port = randomInt(20_000, 30_000);
  const server = createServer();
  const isFree = await new Promise<boolean>((done) => {
    server.once('error', () => done(false));
    server.listen(port, '127.0.0.1', () => done(true));
  });
  if (!isFree) return freePort();
  await new Promise((done) => server.close(done));
  return port;
};
