import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { GrammyError } from 'grammy';
import { describe, expect, test } from 'vitest';
import { createBotCalls } from '../../../src/adapters/telegram/api/api.ts';
import { TelegramFault, toFault } from '../../../src/adapters/telegram/api/fault.ts';
import { createFakeClock } from '../../fakes/clock.ts';

const token = '987654321:AAsecret-secret-secret-secret-secret';

const refused = (error_code: number, description: string, parameters = {}): TelegramFault =>
  toFault(
    'x',
    new GrammyError('x', { ok: false, error_code, description, parameters }, 'x', { text: 'private' }),
  );

describe('what Telegram answers, and what it means', () => {
  test.each([
    [429, 'Too Many Requests: retry after 7', 'rate-limited'],
    [409, 'Conflict: terminated by other getUpdates request', 'conflict'],
    [401, 'Unauthorized', 'unauthorized'],
    [413, 'Request Entity Too Large', 'too-large'],
    [403, 'Forbidden: bot was blocked by the user', 'gone'],
    [400, 'Bad Request: chat not found', 'gone'],
    [400, 'Bad Request: message to edit not found', 'gone'],
    [400, 'Bad Request: TOPIC_CLOSED', 'gone'],
    [400, "Bad Request: message can't be deleted for everyone", 'undeletable'],
    [400, 'Bad Request: message is not modified: specified new message content', 'unchanged'],
    [400, 'Bad Request: PHOTO_INVALID_DIMENSIONS', 'refused'],
    [502, 'Bad Gateway', 'unreachable'],
  ] as const)('%i %s', (code, words, kind) => {
    expect(refused(code, words).kind).toBe(kind);
  });

  test('retry_after and the new id of a group are kept', () => {
    expect(refused(429, 'x', { retry_after: 7 }).retryAfterMs).toBe(7_000);
    expect(refused(429, 'x', { retry_after: 1e9 }).retryAfterMs).toBe(3_600_000);
    expect(refused(400, 'x', { migrate_to_chat_id: -100 })).toMatchObject({
      kind: 'migrated',
      migratedTo: -100,
    });
  });

  test('the payload of a refused call is not kept, because it contains messages', () => {
    expect(inspect(refused(400, 'Bad Request'), { depth: 9, showHidden: true })).not.toContain('private');
  });
});

describe('calls that fail', () => {
  const everything = async (failing: Promise<unknown>): Promise<string> => {
    const error = await failing.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TelegramFault);
    return inspect(error, { depth: 20, showHidden: true }) + JSON.stringify(error);
  };

  test('with a response that is not JSON, or late', async () => {
    let hang = false;
    const server = createServer((_request, response) => {
      if (!hang) response.end('<html>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const clock = createFakeClock();
    const call = createBotCalls({ token, apiUrl, clock });
    expect(await everything(call('getMe', undefined))).not.toContain('AAsecret');
    hang = true;
    const late = everything(call('getMe', undefined));
    await new Promise((resolve) => server.once('request', resolve));
    await clock.advance(15_000);
    expect(await late).not.toContain('AAsecret');
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
