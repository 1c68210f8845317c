import { z } from 'zod';
import type { JobKind } from '../kinds/kinds.ts';
import { ALIAS_ROOT, createAliasCalls, MOST_ALIASES_BYTES } from './aliases.ts';
import { createEndpoints, type GenerationRequest, type PriceRange, type VideoCredits } from './endpoint.ts';
import {
  CATALOG_PATHS,
  type CustomFilter,
  catalogSink,
  customFilterSink,
  type ServiceCatalogEntry,
  type ServiceCatalogName,
} from './lists.ts';
import { createResultScanner } from './result/result-stream.ts';
import {
  createStatusReader,
  isJobId,
  jobIdShape,
  readStatusReport,
  type ServiceJobState,
  type StatusReport,
} from './result/status-report.ts';
import { type AssumptionOverrides, completeAssumptions } from './wire/assumptions.ts';
import { anyJsonSink, createFirstByteCheck, jsonSink } from './wire/body-sinks.ts';
import { type Call, type ConnectionOptions, createCalls, type Purpose } from './wire/call.ts';
import { InvalidResponse, ruleError } from './wire/errors.ts';
import type { BodySink } from './wire/exchange.ts';

/** Settings of the client. */
export interface GenerationClientOptions extends ConnectionOptions {
  videoCredits?: VideoCredits | undefined;
  /** The owner's replacements of assumptions, validated when the client is created. */
  assumptions?: AssumptionOverrides | Readonly<Record<string, unknown>> | undefined;
  log?: { warn: (fields: Record<string, unknown>, message: string) => void } | undefined;
  maxPictureBytes?: number | undefined;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
}

/** The client of the generation service, see `createGenerationClient`. */
export type GenerationClient = ReturnType<typeof createGenerationClient>;

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
const MOST_PICTURE_BYTES = 32 * MEBIBYTE;
const MOST_REST_BYTES = 64 * KIBIBYTE;
const DEFAULT_VIDEO_CREDITS: VideoCredits = { simple: 5, advanced: 10, performance: 20 };

const runAnswer = z.object({ id: jobIdShape, status: z.string().trim().min(1).optional().catch(undefined) });

/**
 * The room's entry: a typed client of the generation service's HTTP interface. `run` submits a job and `status` polls it; both
 * are described by the kind's row in `src/kinds/kinds.ts`, from which `endpoint.ts` makes the request. `wire/` has the HTTP
 * calls with their rate limit, retries, timeouts and errors, `result/` reads answers to polls, and `wire/assumptions.ts` lists
 * what the interface leaves open.
 */
export function createGenerationClient(options: GenerationClientOptions) {
  const assumptions = completeAssumptions(options.assumptions);
  const endpoints = createEndpoints(assumptions, options.videoCredits ?? DEFAULT_VIDEO_CREDITS);
  const { send: call, secrets, close } = createCalls(options, assumptions);
  const stateOf = createStatusReader(
    (family, word, readAs) =>
      options.log?.warn({ family, word, readAs }, 'unknown status word from the service'),
    assumptions.statusWords,
  );

  const get = <T>(
    endpoint: string,
    path: string,
    credentials: 'key' | 'token',
    read: () => BodySink<T>,
    more: Partial<Call<T>> = {},
  ) => call({ kind: 'read', lane: 'read', ...more, endpoint, method: 'GET', path, credentials, read });

  return {
    /** The price of a request in credits. Throws if the request breaks a rule. Makes no call and does not read the photos. */
    cost: ({ endpoint, input }: GenerationRequest): number => endpoints.of(endpoint).price(input),
    /** The range of prices of a kind, whatever options are chosen; undefined: not known. */
    prices: (endpoint: JobKind): PriceRange | undefined => endpoints.of(endpoint).prices(),

    async run(
      { endpoint, input }: GenerationRequest,
      { signal, record, bodySent }: Pick<Call<unknown>, 'signal' | 'record' | 'bodySent'> = {},
    ): Promise<{ id: string; state: ServiceJobState }> {
      const { path, credentials, family, toBody } = endpoints.of(endpoint);
      const body = toBody(input);
      return call({
        endpoint,
        kind: 'run',
        lane: 'submit',
        method: 'POST',
        path,
        credentials,
        body,
        bodySent,
        signal,
        record,
        read: () =>
          jsonSink(MOST_REST_BYTES, (document) => {
            const answer = runAnswer.safeParse(document);
            if (!answer.success) throw new InvalidResponse('accepted without a job id');
            const { id, status } = answer.data;
            return { id, state: status === undefined ? 'waiting' : stateOf(family, status) };
          }),
      });
    },

    /** Asks for the status of a job, in one attempt without retries. */
    async status(
      { endpoint, id }: { endpoint: JobKind; id: string },
      { signal, reserve }: Pick<Call<unknown>, 'signal' | 'reserve'> = {},
    ): Promise<StatusReport> {
      const { statusPath, credentials, family, output } = endpoints.of(endpoint);
      if (!isJobId(id)) throw ruleError(endpoint, 'This is not the id of a job.');
      const limits = {
        maxPictureBytes: options.maxPictureBytes ?? MOST_PICTURE_BYTES,
        maxRestBytes: MOST_REST_BYTES,
      };
      return call({
        endpoint,
        kind: 'poll',
        lane: 'poll',
        method: 'POST',
        path: statusPath.replace('{id}', () => encodeURIComponent(id)),
        credentials,
        body: assumptions.statusBody || undefined,
        signal,
        reserve: reserve && ((bytes) => reserve(Math.min(bytes, limits.maxPictureBytes))),
        read: (head) => {
          const scanner = createResultScanner(limits, head.contentLength);
          const check = createFirstByteCheck(['{']);
          let size = 0;
          return {
            write(chunk) {
              check(chunk);
              size += chunk.length;
              scanner.write(chunk);
            },
            end: () =>
              readStatusReport(scanner.end(), {
                id,
                size,
                kind: output,
                stateOf: (word) => stateOf(family, word),
                secrets,
                baseUrl: options.baseUrl,
              }),
          };
        },
      });
    },

    /** Fetches a list and discards it, to see whether the service accepts these credentials. One attempt. */
    async probe(credentials: 'key' | 'token'): Promise<void> {
      const path = credentials === 'key' ? CATALOG_PATHS['face-v6'] : ALIAS_ROOT;
      // The limit is that of the longest list: any list shows that the service answers.
      await get('probe', path, credentials, () => anyJsonSink(MOST_ALIASES_BYTES), { kind: 'poll' });
    },

    catalog: async (name: ServiceCatalogName, { signal }: CallOptions = {}): Promise<ServiceCatalogEntry[]> =>
      get(
        `catalog ${name}`,
        CATALOG_PATHS[name],
        assumptions.credentials.catalogs,
        () => catalogSink(assumptions.lists, options.baseUrl),
        { signal },
      ),

    customFilters: async (more: CallOptions & Partial<Purpose> = {}): Promise<CustomFilter[]> =>
      get(
        'custom filters',
        '/v1/users/me/my-custom-filters',
        assumptions.credentials.customFilters,
        () => customFilterSink(assumptions, options.baseUrl),
        more,
      ),

    aliases: createAliasCalls(call, assumptions),
    close,
  };
}
