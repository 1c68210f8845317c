/**
 * A generation service that answers whatever its script says, byte for byte, on a real socket: what no HTTP library would
 * send can be sent. It counts what it was asked and how many bytes it got rid of.
 */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { listen } from '../listen.ts';
import { isRun, polledJob } from './service-calls.ts';

/** Writes one answer; the connection is closed by whoever writes it, or kept open for ever. */
export type Answer = (socket: Socket) => void;

/** The service and its script. */
export interface HostileService {
  readonly url: string;
  /** Paths in the order in which they were asked for. */
  readonly asked: string[];
  bytesSent(): number;
  /** The answers to the next questions. */
  script: {
    run: (count: number) => Answer;
    poll: (id: string, count: number) => Answer;
    /** Everything else: catalogs and aliases. */
    other: (path: string) => Answer;
  };
  close(): Promise<void>;
}

const head = (status: number, headers: Readonly<Record<string, string | number>> = {}): string =>
  [
    `HTTP/1.1 ${status} Whatever`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n');

const body = (value: unknown): Buffer =>
  Buffer.isBuffer(value) ? value : Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));

/** A proper answer; strings and buffers are sent as they are. */
export const answer =
  (status: number, value: unknown, headers: Readonly<Record<string, string | number>> = {}): Answer =>
  (socket) => {
    const bytes = body(value);
    socket.write(head(status, { 'content-length': bytes.length, connection: 'close', ...headers }));
    socket.end(bytes);
  };

/** Sends these bytes and nothing else, and ends the connection. */
export const bytes =
  (...pieces: readonly (string | Buffer)[]): Answer =>
  (socket) => {
    for (const piece of pieces) socket.write(piece);
    socket.end();
  };

/** Announces more than it sends. */
export const truncated = (value: unknown, missing = 100): Answer => {
  const whole = body(value);
  return bytes(head(200, { 'content-length': whole.length + missing }), whole);
};

/** A piece again and again, as fast as it is taken, for ever. */
export const flood =
  (start: string | Buffer, piece: string | Buffer): Answer =>
  (socket) => {
    socket.write(start);
    const more = (): void => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', more);
    more();
  };

/** Like `flood`, in the body of a successful answer. */
export const endless = (start: string | Buffer, piece: Buffer): Answer =>
  flood(Buffer.concat([Buffer.from(head(200, { connection: 'close' })), body(start)]), piece);

/** Floods of which each piece costs its reader far more than its sender. */
export const TINY_FLOODS: readonly { readonly what: string; readonly answer: Answer }[] = [
  { what: 'interim answers', answer: flood('', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)) },
  {
    what: 'single bytes',
    answer: flood(
      `${head(200, { 'transfer-encoding': 'chunked' })}6\r\n{"a":"\r\n`,
      '1\r\n1\r\n'.repeat(1_000),
    ),
  },
];

/** The head at once, then nothing any more. */
export const stalled =
  (start: string | Buffer = ''): Answer =>
  (socket) =>
    void socket.write(Buffer.concat([Buffer.from(head(200, { 'content-length': 1000 })), body(start)]));

/** Never answers. */
export const silence: Answer = () => undefined;

/** Ends the connection without an answer. */
export const cut: Answer = (socket) => socket.destroy();

/** The body of an answer to a status call. */
export const statusOf = (id: string, status: string, output: unknown = {}) => ({ id, status, output });

/** Starts the service; without a script it takes jobs and never finishes them. */
export async function createHostileService(): Promise<HostileService> {
  const sockets = new Set<Socket>();
  const asked: string[] = [];
  const polls = new Map<string, number>();
  let runs = 0;
  let sent = 0;
  const script: HostileService['script'] = {
    run: (count) => answer(200, { id: `job-${count}`, status: 'IN_QUEUE' }),
    poll: (id) => answer(200, statusOf(id, 'IN_PROGRESS')),
    other: () => answer(200, []),
  };
  const choose = (method: string, path: string): Answer => {
    asked.push(path);
    if (isRun(method, path)) {
      runs += 1;
      return script.run(runs);
    }
    const id = polledJob(path);
    if (id === undefined) return script.other(path);
    const count = (polls.get(id) ?? 0) + 1;
    polls.set(id, count);
    return script.poll(decodeURIComponent(id), count);
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    let request = '';
    let answered = false;
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sent += socket.bytesWritten;
      sockets.delete(socket);
    });
    socket.on('data', (chunk: Buffer) => {
      request += chunk.toString('latin1');
      const end = request.indexOf('\r\n\r\n');
      if (answered || end < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(request)?.[1] ?? 0);
      if (request.length < end + 4 + length) return;
      answered = true;
      const [method = '', path = ''] = request.split(' ', 2);
      choose(method, path)(socket);
    });
  });
  return {
    url: await listen(server),
    asked,
    bytesSent: () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, sent),
    script,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
