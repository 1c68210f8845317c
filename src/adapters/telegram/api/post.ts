import { type Dispatcher, Pool } from 'undici';
import { z } from 'zod';
import { parseJson } from '../../../base/parse-json.ts';

type PostOptions = Required<Pick<Dispatcher.DispatchOptions, 'headers' | 'body'>> & {
  readonly signal: AbortSignal;
};

export const OFFICIAL_URL = 'https://api.telegram.org';

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');
/** The part of the API's address that the URLs of all calls and files begin with. */
export const rootOf = ({ apiUrl = OFFICIAL_URL }: { readonly apiUrl?: string | undefined }): string =>
  withoutSlash(apiUrl);

/** The longest answer that is read: far more than a hundred long messages. */
const MOST_RESPONSE_BYTES = 32 * 1024 ** 2;
const MOST_CONNECTIONS = 256;

const success = z.object({ ok: z.literal(true), result: z.unknown() });
const errorCode = z.coerce.number().int().min(400).max(599);
/** Every field of an error is optional: proxies and other servers leave them out. */
const refusal = z
  .looseObject({ ok: z.literal(false), error_code: errorCode.optional().catch(undefined) })
  .or(z.looseObject({ error_code: errorCode }));
/**
 * HTTP statuses that mean the same from a proxy as from Telegram. Any other status of a proxy says nothing about the call.
 */
const PROXY_STATUSES: readonly number[] = [413, 429];

const decoder = new TextDecoder();

/** Reads an answer into the shape that grammY expects; throws if it is no answer of the Bot API. */
function readAnswer(status: number, text: string, retryAfter: unknown) {
  const json = parseJson(text);
  const answered = success.safeParse(json).data;
  if (answered !== undefined && status < 300) return answered;
  const refused = refusal.safeParse(json).data;
  if (refused === undefined && !PROXY_STATUSES.includes(status)) throw new Error('No answer of Telegram.');
  const parameters = { retry_after: retryAfter };
  return { parameters, ...refused, ok: false, error_code: refused?.error_code ?? status };
}

/** Makes the function that sends calls of the Bot API. `root` is cut from every URL, because undici would parse each URL. */
export function createPost(root: string) {
  const { origin, pathname } = new URL(root);
  const folder = withoutSlash(pathname);
  const pool = new Pool(origin, {
    connections: MOST_CONNECTIONS,
    allowH2: false,
    maxResponseSize: MOST_RESPONSE_BYTES,
    // Idle connections are kept between commands, because a new one takes longer than the rest of a call.
    keepAliveTimeout: 30_000,
  });
  // `dispatch` is used because `pool.request` makes a stream of each answer, which takes longer than all other work here.
  return (url: string, { headers, body, signal }: PostOptions) =>
    new Promise<{ readonly json: () => Promise<ReturnType<typeof readAnswer>> }>((resolve, reject) => {
      const chunks: Buffer[] = [];
      let status = 0;
      let retryAfter: unknown;
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
            status = statusCode;
            retryAfter = received['retry-after'];
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
