import { connect, createServer, type Socket } from 'node:net';
import { listen } from '../listen.ts';

/**
 * A proxy that passes everything on to a server until a client sends `word`: the word is passed on, too, and nothing that follows.
 * With `connections`, only the connection on which it was sent is cut, and no more than so many of them; others may follow.
 */
export async function startCuttingProxy(serverUrl: string, word: string, connections?: number) {
  const server = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let left = connections ?? 1;
  const listener = createServer((client) => {
    const upstream = connect(Number(server.port), server.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    let isLast = false;
    const cut = (): void => {
      if (connections === undefined) stop();
      client.destroy();
    };
    client.on('data', (chunk: Buffer) => {
      if (!isLast && left > 0 && chunk.includes(word)) {
        isLast = true;
        left -= 1;
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => (isLast ? cut() : client.write(chunk)));
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  const stop = (): void => {
    listener.close();
    for (const socket of sockets) socket.destroy();
  };
  const url = new URL(serverUrl);
  url.port = new URL(await listen(listener)).port;
  /** `left`: connections that are still to be cut. */
  return { url: url.href, stop, left: () => left };
}
