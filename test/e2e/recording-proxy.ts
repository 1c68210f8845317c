import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface RecordedRun {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Stands before the generation service and writes down what it is asked to make. */
export interface RecordingProxy {
  readonly url: string;
  readonly runs: readonly RecordedRun[];
  /** From now on nothing is answered, until it is called with false. */
  hang(on: boolean): void;
  close(): Promise<void>;
}

export const createRecordingProxy = async (target: string): Promise<RecordingProxy> => {
  const runs: RecordedRun[] = [];
  let hanging = false;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (hanging) return;
    const body = Buffer.concat(chunks);
    const path = request.url ?? '/';
    if (request.method === 'POST' && !path.includes('/status'))
      runs.push({ path, body: JSON.parse(body.toString()) });
    const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' && !['host', 'connection', 'content-length'].includes(name)
        ? [[name, value]]
        : [],
    );
    const method = request.method ?? 'GET';
    const answer = await fetch(`${target}${path}`, { method, headers, ...(body.length > 0 ? { body } : {}) });
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? 'application/json',
    });
    if (answer.body === null) response.end();
    else await pipeline(Readable.fromWeb(answer.body), response).catch(() => response.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    runs,
    hang(on) {
      hanging = on;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
};
