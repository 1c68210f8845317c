import { Api, type ApiClientOptions, type RawApi } from 'grammy';
import { z } from 'zod';
import type { KeyValue } from '../../../base/key-value.ts';
import type { ConnectParts } from '../../adapter.ts';
import { TelegramFault, toFault } from './fault.ts';
import { createPost, rootOf } from './post.ts';

type Signal = Parameters<RawApi['getMe']>[0];

type Method = keyof RawApi;

/** `undefined` for methods without parameters. */
type Payload<M extends Method> = RawApi[M] extends (signal?: Signal) => unknown
  ? undefined
  : Parameters<RawApi[M]>[0];

type Answer<M extends Method> = Awaited<ReturnType<RawApi[M]>>;

interface CallLimits {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

const ORDINARY_TIMEOUT_MS = 15_000;
/** grammY's own timeout; ours, on the clock, is shorter. */
const BACKSTOP_SECONDS = 500;

const id = z.number().int();
const file = z.looseObject({ file_id: z.string() });
const message = z.looseObject({
  message_id: id,
  ephemeral_message_id: id.optional(),
  chat: z.looseObject({ id }),
  photo: z.array(file).optional(),
  document: file.optional(),
});
const edited = message.or(z.literal(true));
const member = z.looseObject({ status: z.string(), user: z.looseObject({ id }) });

/** What is read of the answers: a server that leaves it out counts as one that does not answer. */
const RESULTS: { readonly [M in Method]?: z.ZodType } = {
  getMe: z.looseObject({ id, username: z.string() }),
  // One that has no valid number does not keep the others from being read.
  getUpdates: z.array(z.looseObject({})),
  getWebhookInfo: z.looseObject({ url: z.string() }),
  getFile: z.looseObject({ file_size: z.number().optional(), file_path: z.string().optional() }),
  getChat: z.looseObject({ title: z.string().optional() }),
  getChatMember: member,
  getChatMemberCount: id,
  getChatAdministrators: z.array(member),
  sendMessage: message,
  sendPhoto: message,
  sendVideo: message,
  sendDocument: message,
  editMessageText: edited,
  editMessageCaption: edited,
  editMessageMedia: edited,
};

export interface TelegramConfig {
  readonly token: string;
  readonly apiUrl?: string | undefined;
  /** Without it, updates come by long polling. */
  readonly webhook?: { readonly url: string; readonly secret: string } | undefined;
}

export interface TelegramOptions extends Omit<ConnectParts, 'state'>, TelegramConfig {
  readonly state: KeyValue;
}

/** Of the methods that are called here, those whose payload can have files in it. */
const HAS_FILES = /(Photo|Video|Document|Media)$/;
const JSON_HEADERS = { 'content-type': 'application/json' };

/** What every part of the adapter can use. */
export interface TelegramParts extends TelegramOptions {
  readonly call: BotCalls;
  /** The adapter stops. */
  readonly stop: AbortSignal;
}

/** Every call to Telegram: with a timeout, and with errors that are safe to log. */
export function createBotCalls(options: Pick<TelegramOptions, 'token' | 'apiUrl' | 'clock'>) {
  const apiRoot = rootOf(options);
  const post = createPost(apiRoot);
  const { raw, config } = new Api(options.token, {
    timeoutSeconds: BACKSTOP_SECONDS,
    // grammY's own follows redirects with the token in the URL, and reads answers of any length.
    // Of an answer it uses only what `post` returns.
    fetch: post as unknown as NonNullable<ApiClientOptions['fetch']>,
    apiRoot,
  });
  // For calls without files, grammY's way to the socket takes longer than ours from a command to its card.
  config.use(async (send, method, payload, signal) => {
    if (HAS_FILES.test(method)) return send(method, payload, signal);
    // `call` below always gives a signal, and checks results; grammY's types of both are wider.
    const request = { headers: JSON_HEADERS, body: JSON.stringify(payload), signal: signal as AbortSignal };
    const answer = await post(`${apiRoot}/bot${options.token}/${method}`, request);
    return (await answer.json()) as Awaited<ReturnType<typeof send>>;
  });
  return async <M extends Method>(
    method: M,
    payload: Payload<M>,
    limits: CallLimits = {},
  ): Promise<Answer<M>> => {
    const abort = new AbortController();
    const abortCall = (): void => abort.abort();
    const cancel = options.clock.after(limits.timeoutMs ?? ORDINARY_TIMEOUT_MS, abortCall);
    limits.signal?.addEventListener('abort', abortCall, { once: true });
    if (limits.signal?.aborted) abortCall();
    try {
      // A method chosen at run time has no type of its own.
      const send = raw[method] as (...given: readonly unknown[]) => Promise<Answer<M>>;
      const result = await (payload === undefined ? send(abort.signal) : send(payload, abort.signal));
      if (RESULTS[method]?.safeParse(result).success === false)
        throw new TelegramFault(method, 'unreachable', 'no usable answer');
      return result;
    } catch (thrown) {
      throw toFault(method, thrown);
    } finally {
      cancel();
      limits.signal?.removeEventListener('abort', abortCall);
    }
  };
}

export type BotCalls = ReturnType<typeof createBotCalls>;
