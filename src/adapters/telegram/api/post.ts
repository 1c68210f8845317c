import { type Dispatcher, Pool } from 'undici';
import { z } from 'zod';
import { parseJson } from '../../../base/parse-json.ts';

type PostOptions = Required<Pick<Dispatcher.DispatchOptions, 'headers' | 'body'>> & {
  readonly signal: AbortSignal;
};

export const OFFICIAL_URL = 'https://api.telegram.org';

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');
/** The beginning of the URLs of calls and files. */
export const rootOf = ({ apiUrl = OFFICIAL_URL }: { readonly apiUrl?: string | undefined }): string =>
  withoutSlash(apiUrl);

/** Far more than an answer with a hundred long messages. */
const MOST_RESPONSE_BYTES = 32 * 1024 ** 2;
const MOST_CONNECTIONS = 256;

const success = z.object({ ok: z.literal(true), result: z.unknown() });
const errorCode = z.coerce.number().int().min(400).max(599);
/** Every field of an error is optional: proxies and other servers leave them out. */
const refusal = z
  .looseObject({ ok: z.literal(false), error_code: errorCode.optional().catch(undefined) })
  .or(z.looseObject({ error_code: errorCode }));
/** Statuses of a proxy that mean the same as Telegram's; its others say nothing about the call. */
const PROXY_STATUSES: readonly number[] = [413, 429];

const decoder = new TextDecoder();

/** The answer as grammY expects it, even if the server sent something else; throws if it is no answer. */
function readAnswer(status: number, text: string, retryAfter: unknown) {
  const json = parseJson(text);
  const answered = success.safeParse(json).data;
  if (answered !== undefined && status < 300) return answered;
  const refused = refusal.safeParse(json).data;
  if (refused === undefined && !PROXY_STATUSES.includes(status)) throw new Error('No answer of Telegram.');
  const parameters = { retry_after: retryAfter };
  return { parameters, ...refused, ok: false, error_code: refused?.error_code ?? status };
}

/** Calls of the Bot API. `root`: what every URL begins with; undici would parse the URL of every call. */
export function createPost(root: string) {
  const { origin, pathname } = new URL(root);
  const folder = withoutSlash(pathname);
  const pool = new Pool(origin, {
    connections: MOST_CONNECTIONS,
    allowH2: false,
    maxResponseSize: MOST_RESPONSE_BYTES,
    // A new connection takes longer than the rest of a call, and people pause between commands.
    keepAliveTimeout: 30_000,
  });
  // `pool.request` makes a stream of each answer, which takes longer than all that is done with it here.
  return (url: string, { headers, body, signal }: PostOptions) =>
    new Promise<{ readonly json: () => Promise<ReturnType<typeof readAnswer>> }>((resolve, reject) => {
      const chunks: Buffer[] = [];
      let [status, retryAfter]: [number, unknown] = [0, undefined];
      const path = folder + url.slice(root.length);
      pool.dispatch(
        { path, method: 'POST', headers, body },
        {
          onRequestStart(controller) {
            const abort = (): void => controller.abort(new Error('The call was aborted.'));
            if (signal.aborted) abort();
            else signal.addEventListener('abort', abort, { once: true });
          },
          onResponseStart(_controller, statusCode, received) {
            [status, retryAfter] = [statusCode, received['retry-after']];
          },
          onResponseData: (_controller, chunk) => void chunks.push(chunk),
          onResponseEnd: () =>
            resolve({
              json: async () => readAnswer(status, decoder.decode(Buffer.concat(chunks)), retryAfter),
            }),
          onResponseError: (_controller, error) => reject(error),
        },
      );
    });
}

export type Post = ReturnType<typeof createPost>;
