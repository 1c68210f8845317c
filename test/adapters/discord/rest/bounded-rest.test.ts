import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createApi } from '../../../../src/adapters/discord/rest/api.ts';
import { DiscordFault } from '../../../../src/adapters/discord/rest/fault.ts';
import { createFakeClock } from '../../../fakes/clock.ts';
import { serving } from '../../../fakes/serving.ts';

/** An hour, and what the client adds to each pause. */
const LONGEST_PAUSE_MS = 3_700_000;

/** The client's routes of channels, at a Discord that answers every request so. */
const openChannels = async (answer: RequestListener) => {
  const apiUrl = `${await serving(answer)}/api`;
  const { api } = createApi({ token: 'a-token', apiUrl }, createFakeClock());
  return api.within({ totalTimeoutMs: 0 }).channels;
};

const faultOf = async (call: Promise<unknown>): Promise<DiscordFault> => {
  const error = await call.catch((fault: unknown) => fault);
  if (error instanceof DiscordFault) return error;
  throw new Error(`Discord’s answer is no fault: ${error}`);
};

const json = { 'content-type': 'application/json' };

describe('what Discord answers, and what it means', () => {
  test.each<{ status: number; headers: Record<string, string>; body: string; fault: object }>([
    {
      status: 400,
      headers: json,
      body: '{"code":50035,"message":"Invalid Form Body"}',
      fault: { kind: 'refused', code: 50035 },
    },
    {
      status: 400,
      headers: json,
      body: '{"code":50035,"errors":{"a":null}}',
      fault: { kind: 'refused', code: 50035 },
    },
    {
      status: 404,
      headers: json,
      body: '{"code":"10008","message":"Unknown Message"}',
      fault: { kind: 'refused', code: 404 },
    },
    { status: 413, headers: json, body: 'null', fault: { kind: 'refused', code: 413 } },
    {
      status: 413,
      headers: {},
      body: '<html>Request Entity Too Large</html>',
      fault: { kind: 'refused', code: 413 },
    },
    { status: 401, headers: {}, body: '', fault: { kind: 'rate-limited', code: 401 } },
    // A proxy's words are not Discord's.
    { status: 400, headers: json, body: 'null', fault: { kind: 'unknown', code: 400 } },
    { status: 400, headers: json, body: '{', fault: { kind: 'unknown', code: 400 } },
    { status: 403, headers: {}, body: '<html>Forbidden</html>', fault: { kind: 'unknown', code: 403 } },
    { status: 404, headers: {}, body: '', fault: { kind: 'unknown', code: 404 } },
    { status: 502, headers: json, body: '{"code":50035}', fault: { kind: 'unknown', code: 502 } },
    { status: 200, headers: {}, body: '<html>Welcome</html>', fault: { kind: 'unknown' } },
    { status: 429, headers: {}, body: '', fault: { kind: 'rate-limited', retryAfterMs: 1_050 } },
    {
      status: 429,
      headers: { 'retry-after': '-5' },
      body: '',
      fault: { kind: 'rate-limited', retryAfterMs: 1_050 },
    },
    {
      status: 429,
      headers: { 'retry-after': 'soon' },
      body: '',
      fault: { kind: 'rate-limited', retryAfterMs: 1_050 },
    },
    {
      status: 429,
      headers: { 'retry-after': '1e12' },
      body: '',
      fault: { kind: 'rate-limited', retryAfterMs: 3_600_050 },
    },
    {
      status: 429,
      headers: { 'retry-after': '1e12', 'x-ratelimit-global': 'true' },
      body: '',
      fault: { kind: 'rate-limited' },
    },
  ])(
    'Discord’s answer with status $status, $headers and $body means $fault',
    async ({ status, headers, body, fault }) => {
      const channels = await openChannels((_, response) => {
        response.writeHead(status, headers).end(body);
      });

      const error = await faultOf(channels.get('1'));

      expect(error).toMatchObject(fault);
      expect(error.retryAfterMs).toBeLessThan(LONGEST_PAUSE_MS);
    },
  );

  test('a used-up limit of Discord, however long, ends within an hour', async () => {
    const headers = { ...json, 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': '1e12' };
    const channels = await openChannels((_, response) => {
      response.writeHead(200, headers).end('{}');
    });

    await channels.get('1');
    const error = await faultOf(channels.get('1'));

    expect(error).toMatchObject({ kind: 'rate-limited' });
    expect(error.retryAfterMs).toBeLessThan(LONGEST_PAUSE_MS);
  });

  test('an answer of Discord without an end is not read to its end', async () => {
    const channels = await openChannels((_, response) => {
      response.writeHead(200, json);
      const piece = Buffer.alloc(1024 ** 2, ' ');
      const more = (): boolean => !response.destroyed && response.write(piece, () => setImmediate(more));
      more();
    });

    const error = await faultOf(channels.get('1'));

    expect(error).toMatchObject({ kind: 'unknown' });
  });
});
