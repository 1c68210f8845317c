import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createApi } from '../../../../src/adapters/discord/rest/api.ts';
import { DiscordFault } from '../../../../src/adapters/discord/rest/fault.ts';
import { createFakeClock } from '../../../fakes/clock.ts';
import { serving } from '../../../fakes/serving.ts';

const open = async (answer: RequestListener) => {
  const apiUrl = `${await serving(answer)}/api`;
  const { api } = createApi({ token: 'a-token', apiUrl }, createFakeClock());
  const { channels } = api.within({ totalTimeoutMs: 0 });
  return (): Promise<unknown> => channels.get('1').catch((error: unknown) => error);
};

const json = { 'content-type': 'application/json' };

describe('what Discord answers, and what it means', () => {
  test.each<[status: number, headers: Record<string, string>, body: string, fault: object]>([
    [400, json, '{"code":50035,"message":"Invalid Form Body"}', { kind: 'refused', code: 50035 }],
    [400, json, '{"code":50035,"errors":{"a":null}}', { kind: 'refused', code: 50035 }],
    [404, json, '{"code":"10008","message":"Unknown Message"}', { kind: 'refused', code: 404 }],
    [413, json, 'null', { kind: 'refused', code: 413 }],
    [413, {}, '<html>Request Entity Too Large</html>', { kind: 'refused', code: 413 }],
    [401, {}, '', { kind: 'rate-limited', code: 401 }],
    // A proxy's words are not Discord's.
    [400, json, 'null', { kind: 'unknown', code: 400 }],
    [400, json, '{', { kind: 'unknown', code: 400 }],
    [403, {}, '<html>Forbidden</html>', { kind: 'unknown', code: 403 }],
    [404, {}, '', { kind: 'unknown', code: 404 }],
    [502, json, '{"code":50035}', { kind: 'unknown', code: 502 }],
    [200, {}, '<html>Welcome</html>', { kind: 'unknown' }],
    [429, {}, '', { kind: 'rate-limited', retryAfterMs: 1_050 }],
    [429, { 'retry-after': '-5' }, '', { kind: 'rate-limited', retryAfterMs: 1_050 }],
    [429, { 'retry-after': 'soon' }, '', { kind: 'rate-limited', retryAfterMs: 1_050 }],
    [429, { 'retry-after': '1e12' }, '', { kind: 'rate-limited', retryAfterMs: 3_600_050 }],
    [429, { 'retry-after': '1e12', 'x-ratelimit-global': 'true' }, '', { kind: 'rate-limited' }],
  ])('Discord’s answer with status %i, %j means %s', async (status, headers, body, fault) => {
    const ask = await open((_, response) => void response.writeHead(status, headers).end(body));
    const error = await ask();
    expect(error).toBeInstanceOf(DiscordFault);
    expect(error).toMatchObject(fault);

    if (error instanceof DiscordFault) expect(error.retryAfterMs).toBeLessThan(3_700_000);
  });

  test('a used-up limit of Discord, however long, ends within an hour', async () => {
    const headers = { ...json, 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': '1e12' };
    const ask = await open((_, response) => void response.writeHead(200, headers).end('{}'));

    await ask();
    const error = await ask();

    expect(error).toMatchObject({ kind: 'rate-limited' });

    if (error instanceof DiscordFault) expect(error.retryAfterMs).toBeLessThan(3_700_000);
  });

  test('an answer of Discord without an end is not read to its end', async () => {
    const ask = await open((_, response) => {
      response.writeHead(200, json);
      const piece = Buffer.alloc(1024 ** 2, ' ');
      const more = (): boolean => !response.destroyed && response.write(piece, () => setImmediate(more));
      more();
    });
    expect(await ask()).toMatchObject({ kind: 'unknown' });
  });
});
