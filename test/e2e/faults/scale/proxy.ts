import { connect, createServer, type Socket } from 'node:net';
import { listen } from '../../../listen.ts';

/** The network between the programs and the database, which can be slow, silent or cut. */
export async function createProxy(target: () => number) {
  const pairs = new Set<readonly [Socket, Socket]>();
  const lost = new Set<Socket>();
  let delayMs = 0;
  let isSilent = false;

  const forward = (from: Socket, to: Socket): void => {
    from.on('data', (chunk) => {
      if (isSilent || lost.has(from)) return void lost.add(from);
      const write = (): void => void (to.writable && !lost.has(from) && to.write(chunk));
      if (delayMs === 0) write();
      else setTimeout(write, delayMs);
    });
  };
  const server = createServer((client) => {
    const database = connect(target(), '127.0.0.1');
    const pair = [client, database] as const;
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      for (const socket of pair) {
        lost.delete(socket);
        socket.destroy();
      }
    };
    for (const socket of pair) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      // While it is silent, the other end is not told either.
      socket.on('close', () => {
        if (!isSilent && !lost.has(socket)) end();
      });
    }
    forward(client, database);
    forward(database, client);
  });
  const { port } = new URL(await listen(server));
  /** Ends every connection. */
  const cut = (): void => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    pairs.clear();
    lost.clear();
  };
  return {
    port: Number(port),
    cut,
    /** From now on everything arrives so much later. */
    delay(ms: number): void {
      delayMs = ms;
    },
    /** Nothing is forwarded any more, and nobody is told: both ends believe in their connections. */
    halfOpen(): void {
      isSilent = true;
    },
    /** From now on everything is forwarded again; connections that were half open are lost. */
    heal(): void {
      delayMs = 0;
      isSilent = false;
    },
    async close(): Promise<void> {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
