import { createServer, type IncomingMessage, request as open, type ServerResponse } from 'node:http';
import { hangUp, listen } from '../../listen.ts';

/**
 * Stands between the program and the generation service. What calm people ask for is handed on unchanged; a job whose
 * prompt begins with "hostile KIND" is answered here, by the script of that kind.
 */
export interface HostileFront {
  readonly url: string;
  /** The address to which everything else goes. */
  forwardTo(url: string): void;
  close(): Promise<void>;
}

interface Asked {
  /** The id of the job, for jobs that were given one of their own. */
  readonly id: string;
  /** 0 for the first status call of this job. */
  readonly count: number;
  /** Our own address. */
  readonly url: string;
}

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** `never`: no answer at all; `trickle`: a byte a second. */
  readonly how?: 'whole' | 'never' | 'trickle';
}

interface Script {
  readonly run?: (asked: Asked) => Answer;
  readonly status: (asked: Asked) => Answer;
}

const json = (body: unknown): Answer => ({ body: JSON.stringify(body) });
const word = (id: string, status: unknown): Answer => json({ id, status, output: {} });

const video = (id: string, link: string): Answer =>
  json({ id, status: 'COMPLETED', output: { video_url: link, video_status: 'completed' } });

const junk = Buffer.alloc(24 * 1024 * 1024, '{"a":[');
const nested = `{"id":"x","status":"RUNNING","output":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;

/** Kinds of answers; the second word of the prompt says which is meant. */
const scripts = (picture: (count: number) => Buffer): Readonly<Record<string, Script>> => ({
  back: {
    status: ({ id, count }) => word(id, ['IN_PROGRESS', 'IN_QUEUE', 'RUNNING', 'QUEUED'][count % 4]),
  },
  reused: {
    run: () => json({ id: 'always-the-same', status: 'IN_QUEUE' }),
    status: ({ id }) => word(id, 'IN_PROGRESS'),
  },
  junk: { status: () => ({ body: junk }) },
  nested: { status: () => ({ body: nested }) },
  silent: { status: () => ({ body: '', how: 'never' }) },
  slow: { status: ({ id }) => ({ ...word(id, 'COMPLETED'), how: 'trickle' }) },
  picture: {
    status: ({ id, count }) =>
      json({ id, status: 'COMPLETED', output: { images: [` ${picture(count).toString('base64')}`] } }),
  },
  inside: {
    status: ({ id, count }) =>
      video(
        id,
        [
          'http://169.254.169.254/latest/meta-data',
          'http://127.0.0.1:22/',
          'file:///etc/passwd',
          'https://[::1]/',
          'https://0x7f000001/',
          'gopher://127.0.0.1/',
        ][count % 6] ?? '',
      ),
  },
  crawling: { status: ({ id, url }) => video(id, `${url}/hostile-files/crawling`) },
  circle: { status: ({ id, url }) => video(id, `${url}/hostile-files/circle`) },
  // The last two: everybody waits for a while when runs come to nothing, or when the service asks for that.
  path: { run: () => json({ id: '../../v1/users/me', status: 'IN_QUEUE' }), status: ({ id }) => word(id, 0) },
  wait: {
    run: ({ count }) => ({
      status: 429,
      headers: { 'retry-after': ['99999999999', '-5', 'never', '1e400'][count % 4] ?? '' },
      body: '',
    }),
    status: ({ id }) => word(id, 'IN_PROGRESS'),
  },
});

const isPrompt = /^hostile (\w+)/;

const promptIn = (body: Buffer): string => {
  try {
    const { prompt } = JSON.parse(body.toString());
    return typeof prompt === 'string' ? prompt : '';
  } catch {
    return '';
  }
};

const read = async (request: IncomingMessage): Promise<Buffer> => Buffer.concat(await request.toArray());

export const hostileKinds = Object.keys(scripts(() => Buffer.alloc(0)));

export const createHostileFront = async (picture: (count: number) => Buffer): Promise<HostileFront> => {
  const byKind = scripts(picture);
  const target = Promise.withResolvers<string>();
  /** The script and the number of status calls of each job that was begun here. */
  const jobs = new Map<string, { readonly script: Script; calls: number }>();
  const timers = new Set<NodeJS.Timeout>();
  let url = '';
  let begun = 0;

  const give = (
    response: ServerResponse,
    { status = 200, headers = {}, body, how = 'whole' }: Answer,
  ): void => {
    if (how === 'never') return;
    const bytes = Buffer.from(body);
    response.writeHead(status, {
      'content-type': 'application/json',
      ...headers,
      'content-length': bytes.length,
    });
    if (how === 'whole') {
      response.end(bytes);
      return;
    }
    response.write(bytes.subarray(0, 1));
    let at = 1;
    const timer = setInterval(() => response.write(bytes.subarray(at, ++at)), 1_000);
    timers.add(timer);
    response.on('close', () => clearInterval(timer));
  };

  const handOn = async (request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> => {
    const to = new URL(request.url ?? '/', await target.promise);
    const { host: _, ...headers } = request.headers;
    const onward = open(to, { method: request.method ?? 'GET', headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    onward.end(body);
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '/';
    if (path === '/hostile-files/circle') {
      response.writeHead(302, { location: path }).end();
      return;
    }
    if (path === '/hostile-files/crawling') {
      give(response, {
        body: Buffer.alloc(1_000_000),
        headers: { 'content-type': 'video/mp4' },
        how: 'trickle',
      });
      return;
    }
    const body = await read(request);
    const job = jobs.get(decodeURIComponent(path.split('/').at(-1) ?? ''));
    if (job !== undefined) {
      const id = decodeURIComponent(path.split('/').at(-1) ?? '');
      give(response, job.script.status({ id, count: job.calls++, url }));
      return;
    }
    const script = byKind[isPrompt.exec(promptIn(body))?.[1] ?? ''];
    if (script === undefined) return handOn(request, body, response);
    begun += 1;
    const id = `hostile-${begun}`;
    const answer = script.run?.({ id, count: begun, url }) ?? word(id, 'IN_QUEUE');
    const given = /"id":"([^"]+)"/.exec(answer.body.toString())?.[1];
    if (given !== undefined && !jobs.has(given)) jobs.set(given, { script, calls: 0 });
    give(response, answer);
  };

  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    handle(request, response).catch(() => response.destroy());
  });
  url = await listen(server);
  return {
    url,
    forwardTo: (to) => target.resolve(to),
    async close() {
      for (const timer of timers) clearInterval(timer);
      await hangUp(server);
    },
  };
};
