import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { hangUp, listen } from '../../../listen.ts';
import type { Chance } from '../kill/chance.ts';

/** Hands each request to any of the programs; where nobody listens, to the next one. */
export async function createBalancer(ports: readonly number[], chance: Chance) {
  const balance = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const first = Math.floor(chance.between(0, ports.length));
    const attempt = (tried: number): void => {
      if (tried === ports.length) return void outgoing.writeHead(502).end();
      const port = ports[(first + tried) % ports.length];
      const { method, headers, url } = incoming;
      const call = request(
        { host: '127.0.0.1', port, method, headers, path: url, timeout: 5_000 },
        (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(outgoing);
          answer.on('error', () => outgoing.destroy());
        },
      );
      call.once('timeout', () => call.destroy(new Error('no answer')));
      call.once('error', () => {
        if (outgoing.headersSent) outgoing.destroy();
        else attempt(tried + 1);
      });
      call.end(body);
    };
    attempt(0);
  };
  const server = createServer((incoming, outgoing) => {
    // A request that its caller breaks off cannot be read to its end, and nobody waits for an answer to it.
    balance(incoming, outgoing).catch(() => outgoing.destroy());
  });
  return { url: await listen(server), close: () => hangUp(server) };
}
