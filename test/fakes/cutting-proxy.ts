import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Passes everything on to a server until a client sends `word`: that is passed on too, and nothing that follows. */
export async function startCuttingProxy(serverUrl: string, word: string) {
  const server = new URL(serverUrl);
  const sockets = new Set<Socket>();
  const listener = createServer((client) => {
    const upstream = connect(Number(server.port), server.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    let isLast = false;
    client.on('data', (chunk: Buffer) => {
      isLast ||= chunk.includes(word);
      upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => (isLast ? stop() : client.write(chunk)));
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  const stop = (): void => {
    listener.close();
    for (const socket of sockets) socket.destroy();
  };
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  const url = new URL(serverUrl);
  url.port = String(typeof address === 'object' ? address?.port : '');
  return { url: url.href, stop };
}
