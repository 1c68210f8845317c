import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Reply } from '../../../../src/command/reply.ts';
import { eventually } from '../../../eventually.ts';
import { createFakeClock } from '../../../fakes/clock.ts';
import { createScriptedDesk } from '../../../fakes/scripted-desk.ts';
import { card, publicReply, setStage, stage } from '../../../fakes/telegram/stage.ts';

const secret = 'a-secret_of-ours';
let status: number[] = [];

/** The door on a real port, so that the fake delivers over HTTP as Telegram does. */
const openDoor = async (options: Parameters<typeof setStage>[0] = {}): Promise<void> => {
  status = [];
  const server = serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const answer = (await stage.webhook(request)) ?? new Response(null, { status: 404 });
      status.push(answer.status);
      return answer;
    },
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${port}/telegram`;
  await setStage({ ...options, webhook: { url, secret } });
};

const post = async (body: string, given: string | undefined, more = {}): Promise<number> => {
  const proof = given === undefined ? {} : { 'x-telegram-bot-api-secret-token': given };
  const headers = { ...proof, ...more };
  const request = new Request('http://localhost/telegram', { method: 'POST', headers, body });
  return (await stage.webhook(request))?.status ?? 0;
};

describe('updates by webhook', () => {
  test('updates by webhook are delivered, answered and run once', async () => {
    await openDoor();
    const ann = stage.fake.person('Ann');
    stage.desk.replies(card());

    ann.types(ann.chat, '/faceswap 12');
    await stage.fake.until(() => stage.desk.cards[0], 'the card');
    await stage.fake.until(() => stage.unhandled() === 0, 'the end of it');

    const update = Number(stage.desk.heard[0]?.event.split(':')[1]);
    stage.fake.delivery.again(update);
    stage.desk.replies(publicReply('hi'));
    ann.types(ann.chat, '/help');
    await stage.fake.until(() => stage.fake.fromBot(ann.chat).length === 2);

    expect(stage.desk.heard).toHaveLength(2);
    expect(new Set(status)).toEqual(new Set([200]));
  });

  test.each([undefined, '', `${secret}x`, secret.slice(0, -1)])(
    'updates by webhook are refused without the secret: %j',
    async (wrong) => {
      await openDoor();
      const update = JSON.stringify({ update_id: 5, message: {} });

      expect(await post(update, wrong)).toBe(401);
      expect(stage.desk.heard).toEqual([]);
    },
  );

  test.each(['not json', '{"update_id":"x"}', '[]'])(
    'updates by webhook are refused when invalid: %s',
    async (body) => {
      await openDoor();

      expect(await post(body, secret)).toBe(400);
      expect(stage.desk.heard).toEqual([]);
    },
  );

  test('updates by webhook that are too large are refused before they are read', async () => {
    await openDoor();
    const large = JSON.stringify({ update_id: 1, filler: 'x'.repeat(1_100_000) });

    expect(await post(large, secret)).toBe(413);
    expect(await post(large, secret, { 'content-length': String(large.length) })).toBe(413);
    expect(stage.desk.heard).toEqual([]);
  });

  test('updates by webhook with a truncated body are refused without an internal error', async () => {
    await openDoor();
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"update_id":1')),
      pull: (controller) => controller.error(new Error('aborted')),
    });
    const headers = { 'x-telegram-bot-api-secret-token': secret };
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;

    expect((await stage.webhook(new Request('http://localhost/telegram', init)))?.status).toBe(400);
  });

  test('updates by webhook are confirmed when they are stored, however slow they are, and survive a crash', async () => {
    const clock = createFakeClock();
    await openDoor({ clock });
    const ann = stage.fake.person('Ann');
    const slow = Promise.withResolvers<Reply>();
    stage.desk.replies(slow.promise);

    ann.types(ann.chat, '/faceswap 12');
    await eventually(() => stage.desk.heard.length > 0, 'the desk');
    await eventually(() => status.length > 0, 'the answer');

    expect(status).toEqual([200]);

    const desk = createScriptedDesk();
    desk.replies(publicReply('from the next process'));
    await stage.another(desk).start();
    await stage.fake.until(() => stage.fake.fromBot(ann.chat)[0], 'the answer');

    expect(desk.heard[0]?.event).toBe(stage.desk.heard[0]?.event);

    slow.resolve({ kind: 'note', text: 'too late' });
  });

  test('updates by webhook are refused with a retry after the stop', async () => {
    await openDoor();
    await stage.adapter.stop();
    expect(await post(JSON.stringify({ update_id: 5 }), secret)).toBe(503);
  });
});

test('a webhook URL that Telegram refuses is reported with Telegram’s message', async () => {
  await setStage({ webhook: { url: 'https://nowhere.invalid/telegram', secret }, start: false });
  const description = 'Bad Request: bad webhook: Failed to resolve host: Name or service not known';
  stage.fake.fault({ method: 'setWebhook', kind: 400, description, times: 100 });
  await stage.adapter.start();

  expect(stage.adapter.trouble()).toContain('Failed to resolve host');
});
