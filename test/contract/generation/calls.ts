import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { z } from 'zod';
import { createGenerationClient, type GenerationClient } from '../../../src/generation-client/client.ts';
import type { GenerationRequest } from '../../../src/generation-client/endpoint.ts';
import type { GenerationOutput } from '../../../src/generation-client/result/status-report.ts';
import {
  createGenerationService,
  type GenerationService,
  type GenerationServiceOptions,
} from '../../fakes/service/service.ts';

/** The service under test: any base URL from the environment, or the embedded one. */
export interface Target {
  url: string;
  apiKey: string;
  apiKeyHeader: string;
  token: string;
  /** The embedded service, for what needs scripting or looking inside; absent for an outside one. */
  embedded?: GenerationService;
}

/** Whether the suite runs against an outside service, where tests that need scripting are skipped by name. */
export const isOutside = process.env.CONFORMANCE_URL !== undefined;

const quick: GenerationServiceOptions = { script: { jobs: { queuedMs: 30, runningMs: 30 } } };

/**
 * Gives the suite its target, or every test (and every try of it) one of its own. Call it at the top of a `describe`.
 */
export function useTarget(
  options: GenerationServiceOptions = quick,
  whose: 'suite' | 'test' = 'suite',
): () => Target {
  let target: Target | undefined;
  const [begin, end] = whose === 'suite' ? [beforeAll, afterAll] : [beforeEach, afterEach];
  begin(async () => {
    target = fromEnvironment(process.env) ?? (await startEmbedded(options));
  });
  end(async () => {
    await target?.embedded?.close();
  });
  return () => {
    if (target === undefined) throw new Error('the target is there only inside tests');
    return target;
  };
}

async function startEmbedded(options: GenerationServiceOptions): Promise<Target> {
  const embedded = await createGenerationService({ ...quick, ...options });
  const { url, apiKey, apiKeyHeader, token } = embedded;
  return { url, apiKey, apiKeyHeader, token, embedded };
}

function fromEnvironment(env: NodeJS.ProcessEnv): Target | undefined {
  const url = env.CONFORMANCE_URL?.replace(/\/+$/, '');
  if (url === undefined) return undefined;
  return {
    url,
    apiKey: env.CONFORMANCE_KEY ?? '',
    apiKeyHeader: env.CONFORMANCE_KEY_HEADER ?? 'X-API-Key',
    token: env.CONFORMANCE_TOKEN ?? '',
  };
}

/** The credential with which a call is made. */
export type Credential = 'key' | 'token' | 'none';

/** An answer of the service, with its body as JSON. */
export interface Answer {
  status: number;
  body: unknown;
  headers: Headers;
}

/** Makes a call in plain HTTP, without the client, as anyone could with curl. */
export async function send(
  target: Target,
  method: string,
  path: string,
  {
    credential,
    body,
    headers = {},
  }: { credential: Credential; body?: unknown; headers?: Record<string, string> },
): Promise<Answer> {
  const all = new Headers(headers);
  if (credential === 'key') all.set(target.apiKeyHeader, target.apiKey);
  if (credential === 'token') all.set('authorization', `Bearer ${target.token}`);
  if (body !== undefined) all.set('content-type', 'application/json');
  const payload = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await fetch(target.url + path, { method, headers: all, body: payload });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) };
}

const accepted = z.object({ id: z.string().min(1), status: z.string() });
const report = z.object({
  id: z.string(),
  status: z.string(),
  output: z
    .object({
      images: z.array(z.string()).optional(),
      video_url: z.string().optional(),
      video_status: z.string().optional(),
      video_error: z.string().optional(),
    })
    .optional(),
});

/** An answer to a status call. */
export type Report = z.infer<typeof report>;

/** Makes a run call that must be accepted. */
export async function submit(target: Target, path: string, credential: Credential, body: unknown) {
  const answer = await send(target, 'POST', path, { credential, body });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return accepted.parse(answer.body);
}

/** Makes a status call that must be answered. */
export async function poll(
  target: Target,
  path: string,
  id: string,
  credential: Credential,
): Promise<Report> {
  const answer = await send(target, 'POST', `${path}/${id}`, { credential });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return report.parse(answer.body);
}

/** Polls a job to its end and returns every report on the way, without repetitions of the same status. */
export async function follow(target: Target, path: string, id: string, credential: Credential) {
  const reports: Report[] = [];
  for (;;) {
    const now = await poll(target, path, id, credential);
    if (reports.at(-1)?.status !== now.status) reports.push(now);
    if (now.status === 'COMPLETED' || now.status === 'FAILED') return reports;
    await wait(isOutside ? 5000 : 25);
  }
}

/** A photo, in base64. */
export const photo = async (): Promise<string> => (await makePhoto()).bytes.toString('base64');

/** The address in which a photo carries itself. */
export const dataUri = (base64: string): string => `data:image/jpeg;base64,${base64}`;

/** Runs `use` with a client of the target, and closes it. */
export async function withClient<T>(
  target: Target,
  use: (client: GenerationClient) => Promise<T>,
  change: Partial<Parameters<typeof createGenerationClient>[0]> = {},
): Promise<T> {
  const { url, apiKey, apiKeyHeader, token } = target;
  const client = createGenerationClient({ baseUrl: url, apiKey, apiKeyHeader, token, ...change });
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

/** Makes a photo of this size, every pixel of one colour. */
export async function makePhoto(width = 480, height = 320) {
  const background = { r: 200, g: 120, b: 60 };
  const bytes = await sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();
  return { bytes, type: 'image/jpeg' } as const;
}

/** Goes from submission to result, as any user of the client would. */
export async function generate(
  client: GenerationClient,
  request: GenerationRequest,
): Promise<GenerationOutput> {
  const { id } = await client.run(request);
  for (;;) {
    const report = await client.status({ endpoint: request.endpoint, id });
    if (report.state === 'completed') return report.output;
    if (report.state === 'failed') throw new Error(`the job failed: ${report.reason}`);
    await wait(isOutside ? 5000 : 30);
  }
}
