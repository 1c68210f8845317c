import { createServer, type IncomingMessage, request as open, type ServerResponse } from 'node:http';
import { runEndpoints } from '../../../src/generation-service/runs/endpoints.ts';
import { recordRequest } from '../../fakes/record-requests.ts';
import { hangUp, listen } from '../../listen.ts';

/** One call that the program made to the generation service, as it arrived there. */
export interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Readonly<Record<string, unknown>>;
  /** The status of the answer; undefined: there was none. */
  status?: number;
}

export type Recorder = Awaited<ReturnType<typeof createRecorder>>;

const runPaths = new Set(runEndpoints.map(({ path }) => path));

const isRun = ({ method, path }: Recorded): boolean =>
  method === 'POST' && runPaths.has(path.replace(/\/+$/, ''));

const parsed = (bytes: Buffer): Recorded['body'] => {
  const text = bytes.toString();
  return text.startsWith('{') ? JSON.parse(text) : {};
};

/** Stands before the generation service, hands everything on unchanged, and remembers what was asked. */
export const createRecorder = async (target: string) => {
  const calls: Recorded[] = [];

  const handOn = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const { method = 'GET', url = '/', headers } = request;
    const call: Recorded = { method, path: url, headers, body: parsed(bytes) };
    calls.push(call);
    recordRequest('service', method, url, call.body);
    // The caller meets what the service does to the connection: a reset stays a reset, a hanging call hangs.
    const broken = (): void => void request.socket.resetAndDestroy();
    const outgoing = open(`${target}${url}`, { method, headers }, (answer) => {
      call.status = answer.statusCode ?? 502;
      response.writeHead(call.status, answer.headers);
      answer.on('error', broken);
      answer.pipe(response);
    });
    outgoing.on('error', broken);
    response.on('close', () => outgoing.destroy());
    outgoing.end(bytes);
  };

  const server = createServer((request, response) => {
    handOn(request, response).catch(() => request.socket.destroy());
  });
  return {
    url: await listen(server),
    calls,
    /** Only the calls that ask for something to be made. */
    runs: (path?: string): readonly Recorded[] =>
      calls.filter((call) => isRun(call) && (path === undefined || call.path === path)),
    close: () => hangUp(server),
  };
};
