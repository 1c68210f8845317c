import type { IncomingMessage } from 'node:http';
import { badRequest } from './refusal.ts';

/** The arguments of a call, and the files that came with it. */
export interface Payload {
  readonly values: Readonly<Record<string, unknown>>;
  readonly files: ReadonlyMap<string, { readonly bytes: Uint8Array; readonly name: string }>;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const readAll = async (request: IncomingMessage): Promise<Buffer<ArrayBuffer>> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** Fields whose value is text even when it looks like JSON. */
const texts = new Set(['text', 'caption', 'callback_query_id', 'url', 'secret_token', 'file_id']);

/** Reads the arguments of a call. Telegram refuses a body that it cannot read; its words for that are not documented. */
export const readPayload = async (request: IncomingMessage): Promise<Payload> => {
  const body = await readAll(request);
  return parsePayload(body, request.headers['content-type'] ?? '').catch(() => {
    throw badRequest("can't parse the body of the request");
  });
};

const parsePayload = async (body: Buffer<ArrayBuffer>, type: string): Promise<Payload> => {
  if (body.length === 0) return { values: {}, files: new Map() };
  if (type.includes('application/json'))
    return { values: JSON.parse(body.toString('utf8')), files: new Map() };
  const form = await new Response(body, { headers: { 'content-type': type } }).formData();
  const values: Record<string, unknown> = {};
  const files = new Map<string, { bytes: Uint8Array; name: string }>();
  for (const [name, value] of form) {
    if (typeof value === 'string') values[name] = texts.has(name) ? value : parsed(value);
    else files.set(name, { bytes: new Uint8Array(await value.arrayBuffer()), name: value.name });
  }
  return { values, files };
};
