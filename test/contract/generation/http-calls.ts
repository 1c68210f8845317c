import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { z } from 'zod';
import { isOutside, type Target } from './target.ts';

/** Plain HTTP, without the client: what anyone could do with curl. */
export type Credential = 'key' | 'token' | 'none';

export interface Answer {
  status: number;
  body: unknown;
  headers: Headers;
}

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

export type Report = z.infer<typeof report>;

export async function submit(target: Target, path: string, credential: Credential, body: unknown) {
  const answer = await send(target, 'POST', path, { credential, body });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return accepted.parse(answer.body);
}

export async function look(
  target: Target,
  path: string,
  id: string,
  credential: Credential,
): Promise<Report> {
  const answer = await send(target, 'POST', `${path}/${id}`, { credential });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return report.parse(answer.body);
}

/** Polls to the end and returns every report on the way, without repetitions of the same word. */
export async function follow(target: Target, path: string, id: string, credential: Credential) {
  const reports: Report[] = [];
  for (;;) {
    const now = await look(target, path, id, credential);
    if (reports.at(-1)?.status !== now.status) reports.push(now);
    if (now.status === 'COMPLETED' || now.status === 'FAILED') return reports;
    await wait(isOutside ? 5000 : 25);
  }
}

/** A small photo with something to see in it. */
export async function photo(width = 360, height = 480, colour = '#c98b5a'): Promise<string> {
  const face = `<svg width="${width}" height="${height}"><circle cx="50%" cy="45%" r="28%" fill="#ffe0c0"/></svg>`;
  const bytes = await sharp({ create: { width, height, channels: 3, background: colour } })
    .composite([{ input: Buffer.from(face) }])
    .jpeg()
    .toBuffer();
  return bytes.toString('base64');
}

export const dataUri = (base64: string): string => `data:image/jpeg;base64,${base64}`;
