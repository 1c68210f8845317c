import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../../listen.ts';

/** A request as the server got it. */
export type SeenRequest = {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
};

type Answer = (request: SeenRequest, response: ServerResponse) => void;

/** A real HTTP server that answers as the test says and remembers what it was asked. */
export async function createScriptedService(answer: Answer) {
  const seen: SeenRequest[] = [];
  let current = answer;
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request = {
        method: incoming.method ?? '',
        path: incoming.url ?? '',
        headers: incoming.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      seen.push(request);
      current(request, response);
    });
  });
  return {
    url: await listen(server),
    seen,
    answerWith(next: Answer): void {
      current = next;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** An answer with a JSON body. */
export function json(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
  };
}

/** An answer with a body of plain text. */
export function text(status: number, body: string, headers: Record<string, string> = {}): Answer {
  return (_, response) => {
    response.writeHead(status, headers).end(body);
  };
}
