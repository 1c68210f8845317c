import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isPoll } from './service-calls.ts';

/**
 * With `RECORD_REQUESTS=FOLDER` everything that the program asks of fake platforms and of the generation service is written
 * there, a file for each test file, without what differs from run to run. `scripts/compare-requests.ts` compares two of them.
 */
const folder = process.env.RECORD_REQUESTS;
/** The name under which requests that repeat themselves are recorded, in place of a test. */
export const REPEATED = 'whenever';
const under = { file: '', test: '' };

/** `test`: undefined between two tests. */
export function recordUnder(file: string, test: string | undefined): void {
  Object.assign(under, { file, test: test ?? 'between the tests' });
}

/** Ids of messages, chats and people of Telegram are small numbers. */
const ID =
  /^(chat_id|user_id|message_id|message_thread_id|from_chat_id|nonce|callback_query_id|file_id|secret_token)$/;
/** The longest text that is recorded of anything but pictures and videos. */
const LONG = 300;
const PROGRESS = 'PROGRESS';

const hashOf = (bytes: Uint8Array | string): string =>
  `${bytes.length}:${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}`;

function plainText(text: string): string {
  return text
    .replaceAll(/\bhttps?:\/\/127\.0\.0\.1:\d+/g, 'URL')
    .replaceAll(/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g, 'UUID')
    .replaceAll(/<t:\d+(:\w)?>/g, 'TIME')
    .replaceAll(/\b\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?)?/g, 'DATE')
    .replaceAll(/[▰▱]+ \d+%/g, PROGRESS)
    .replaceAll(/\bex=[\da-f]+/g, 'EXPIRY')
    .replaceAll(
      /(?<=[:=]|darkroom-|attach:\/\/|\/files\/)(?!face-swap|multi-swap)(?=[^\s:;&]*[A-Z\d])(?:\\?[\w-]){12,40}/g,
      'KEY',
    )
    .replaceAll(/\b(\d+ h )?\d+ (s|min|h)\b/g, 'DURATION')
    .replaceAll(/-?\d{6,}/g, 'ID');
}

function plain(value: unknown, key = ''): unknown {
  if (ID.test(key)) return key.toUpperCase();
  if (value instanceof Uint8Array) return hashOf(value);
  if (typeof value === 'string')
    return value.length > LONG && !value.includes(' ') ? hashOf(value) : plainText(value);
  if (Array.isArray(value)) return value.map((each) => plain(each));
  if (typeof value !== 'object' || value === null)
    return typeof value === 'number' && value >= 1e9 ? 'NUMBER' : value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each, name)]));
}

/** Whether timing decides how often a request is made, and during which test: at the start, or until something has happened. */
const isRepeated = (method: string, path: string): boolean =>
  method === 'GET' ||
  isPoll(path) ||
  /^(get|setMy|deleteWebhook$|sendChatAction$)|^\/applications\/|\/typing$/.test(path);

const EPHEMERAL = 64;
const reply = z.object({ type: z.int(), data: z.looseObject({ flags: z.int().optional() }).optional() });
/** An edit also empties fields that only messages of the old sort have; these are left out. */
const edit = z
  .looseObject({ flags: z.int().optional() })
  .transform(({ content: _, embeds: __, ...shown }) => shown);

/** The answer that Discord shows, whether it came in time or was announced before; undefined: an announcement. */
function answerOf(path: string, json: unknown): unknown {
  const { type = 4, data } = path.endsWith('@original') ? { data: edit.parse(json) } : reply.parse(json);
  return type === 5 || type === 6 ? undefined : { ...data, type, flags: (data?.flags ?? 0) & ~EPHEMERAL };
}

/** Records a request to a fake, `to`, with the files that came with it. */
export function recordRequest(
  to: string,
  method: string,
  path: string,
  body: unknown,
  files: readonly unknown[] = [],
): void {
  if (folder === undefined) return;
  const isAnswer = /\/callback\?|^PATCH .*@original/.test(`${method} ${path}`);
  const shown = isAnswer ? answerOf(path, body) : body;
  const request = JSON.stringify({
    to,
    ...(isAnswer ? { method: 'ANSWER' } : { method, path: plainText(path) }),
    body: plain(shown),
    files: plain(files),
  });
  // The progress that a card shows depends on timing, too.
  if ((isAnswer && shown === undefined) || request.includes(PROGRESS)) return;
  mkdirSync(folder, { recursive: true });
  const test = isRepeated(method, path) ? REPEATED : under.test;
  const name = `${under.file.replace(/^.*\/test\//, '').replaceAll('/', '_')}.jsonl`;
  appendFileSync(join(folder, name), `${JSON.stringify({ test, request })}\n`);
}
