import type { IncomingMessage, ServerResponse } from 'node:http';
import { recordRequest } from '../record-requests.ts';
import { ApiError } from './api-error.ts';
import { botRoutes } from './bot-routes.ts';
import { applyFault, type Faults } from './faults.ts';
import { interactionRoutes } from './interactions.ts';
import type { CheckRequest } from './openapi.ts';
import type { World } from './world.ts';
import type { Body, Upload } from './write-message.ts';

/** A request to the fake Discord, as a route’s handler gets it. */
export interface Request {
  readonly world: World;
  /** The origin of this fake, for addresses of files. */
  readonly origin: string;
  readonly gateway: string;
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Body;
  /** A body that is a list. */
  readonly list: readonly unknown[];
}

/** Handlers by method and path; each `:id` is a parameter. */
export type Routes = Readonly<Record<string, (request: Request) => unknown>>;

/** A request as it came in, for tests of what the bot sends. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly json: unknown;
  readonly files: number;
}

const routes = Object.entries({ ...interactionRoutes, ...botRoutes }).map(([route, handle]) => ({
  pattern: new RegExp(`^${route.replaceAll(':id', '([^/]+)')}$`),
  handle,
}));
/** Answered by the token in the path; everything else needs the bot's own. */
const open = /^\/(interactions|webhooks)\//;

/** Discord's REST interface, version 10. */
export const createRest = (
  world: World,
  faults: Faults,
  token: string,
  origin: () => string,
  check: CheckRequest | undefined,
) => {
  const received: Received[] = [];

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', origin());
    const path = decoded(url.pathname).replace(/^\/api\/v10/, '');
    const method = request.method ?? 'GET';
    const read = await readBody(request);
    if (read === undefined) return send(response, 400, NO_JSON);
    const { json, uploads } = read;
    received.push({ method, path, json, files: uploads.length });
    recordRequest('discord', method, `${path}${url.search}`, json, uploads);
    const problems = check?.(method, path, url.searchParams, json) ?? [];
    world.complaints.push(
      ...problems.map((problem) => `${method} ${path.replaceAll(/\d{6,}/g, 'id')}: ${problem}`),
    );
    const fault = faults.take(method, path, uploads.length > 0);
    if (fault !== undefined && fault.after !== true) return applyFault(fault, request, response);
    const isAllowed = request.headers.authorization === `Bot ${token}` && world.tokenAccepted;
    const [status, answer] = run(method, path, url.searchParams, json, uploads, isAllowed);
    if (fault !== undefined) return applyFault(fault, request, response);
    send(response, status, answer);
  };

  const run = (
    method: string,
    path: string,
    query: URLSearchParams,
    json: unknown,
    uploads: readonly Upload[],
    isAllowed: boolean,
  ): [number, unknown] => {
    try {
      if (!open.test(path) && !isAllowed) throw new ApiError(401, 0, '401: Unauthorized');
      const route = routes.find(({ pattern }) => pattern.test(`${method} ${path}`));
      if (route === undefined) throw new ApiError(404, 0, `404: Not Found ${method} ${path}`);
      const params = route.pattern.exec(`${method} ${path}`)?.slice(1) ?? [];
      const body: Body = { json: (json ?? {}) as Readonly<Record<string, unknown>>, uploads };
      const list = Array.isArray(json) ? json : [];
      const gateway = `${origin().replace('http', 'ws')}/gateway`;
      const answer = route.handle({ world, origin: origin(), gateway, params, query, body, list });
      return [answer === undefined ? 204 : 200, answer];
    } catch (error) {
      if (error instanceof ApiError) return [error.status, { code: error.code, message: error.message }];
      throw error;
    }
  };

  return { handle, received };
};

const NO_JSON = { code: 50109, message: 'The request body contains invalid JSON.' };

const send = (response: ServerResponse, status: number, answer: unknown): void => {
  response.writeHead(status, answer === undefined ? {} : { 'content-type': 'application/json' });
  response.end(answer === undefined ? undefined : JSON.stringify(answer));
};

/** The path without its percent signs; as it is if they encode nothing. */
const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

interface ReadBody {
  readonly json: unknown;
  readonly uploads: readonly Upload[];
}

/** The body of a request; undefined where it cannot be read. */
const readBody = async (request: IncomingMessage): Promise<ReadBody | undefined> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return parseBody(Buffer.concat(chunks), request.headers['content-type'] ?? '').catch(() => undefined);
};

const parseBody = async (bytes: Buffer<ArrayBuffer>, type: string): Promise<ReadBody> => {
  if (!type.startsWith('multipart/'))
    return { json: bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined, uploads: [] };
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
  const uploads: Upload[] = [];
  for (const [field, value] of form)
    if (typeof value !== 'string')
      uploads.push({ field, name: value.name, type: value.type, bytes: await value.bytes() });
  return { json: JSON.parse(String(form.get('payload_json'))), uploads };
};
