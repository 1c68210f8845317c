import { type IncomingMessage, request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { en } from '../../../src/words/en/words.ts';
import { holds } from '../../eventually.ts';
import { buttonsOf as buttons, menuOf } from '../../fakes/discord/components.ts';
import type { Sent } from '../../fakes/discord/people.ts';
import type { Message } from '../../fakes/discord/world.ts';
import { colourOf, made as result } from '../stage/pictures.ts';
import { stage, useStage } from '../stage/stage.ts';
import { found, hasFile, photo, says } from './setting.ts';

/** Interactions by HTTP; other end-to-end tests have them from the gateway. */
useStage({ byHttp: true, env: { USER_CONCURRENT_JOBS: '20', USER_WAITING_JOBS: '20' } });

const url = (): string => stage.discord.http.url ?? '';
const post = async (body: string): Promise<Response> =>
  fetch(url(), { method: 'POST', headers: stage.discord.http.sign(body), body });
const ping = JSON.stringify({ type: 1, id: '1', application_id: '2', token: 't', version: 1 });
const callbacks = () => stage.discord.received.filter(({ path }) => path.endsWith('/callback'));

test('a ping is answered, the program is ready, and there is no gateway connection', async () => {
  expect(await (await post(ping)).json()).toEqual({ type: 1 });
  const ready = await fetch(`${stage.program().url}/readyz`);
  expect(await ready.json()).toMatchObject({ checks: { discord: { ok: true } } });
  expect(stage.discord.gateway.identifies).toEqual([]);
  await holds(() => expect(stage.discord.world.registrations).toBe(1));
});

test('the host name of a proxy is accepted', async () => {
  const headers = { ...stage.discord.http.sign(ping), host: 'bot.example' };
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
  request(url(), { method: 'POST', headers }, resolve).end(ping);
  expect((await promise).statusCode).toBe(200);
});

test('deferral, form, suggestions and message are responses; what follows comes by the webhook', async () => {
  const { discord } = stage;
  const ann = discord.newcomer('ann');
  const sent = ann.slash('/faceswap', { photo: await photo(), filter: '3', gender: 'female' });
  expect((await sent.answered()).type).toBe(5);
  const made = await found(sent.message, hasFile);
  const edits = discord.received.filter(
    ({ method, path }) => method === 'PATCH' && path.includes(`/${sent.interaction.token}/`),
  );
  expect(edits.length).toBeGreaterThan(0);

  const animate = ann.press(made, en.buttons.animate);
  expect((await animate.answered()).type).toBe(9);
  const form = ann.submit(animate, { prompt: 'a slow zoom' });
  expect([4, 6]).toContain((await form.answered()).type);
  const again = ann.press(made, en.buttons.again);
  expect([4, 6]).toContain((await again.answered()).type);
  await found(() => again.messages().find(({ id }) => id !== made.id), hasFile);
  const typed = await ann.complete('/faceswap', 'filter', 'pop').answered();
  expect(typed.type).toBe(8);
  const usage = ann.slash('/usage');
  expect((await usage.answered()).type).toBe(4);
  await found(usage.message, says('Credits today'));
  expect(callbacks()).toEqual([]);
});

describe('filters are chosen from a menu under their pictures', () => {
  const entries = (message: Message): readonly string[] =>
    menuOf(message)?.options.map(({ label }) => label) ?? [];
  const bytesOf = (message: Message): Uint8Array => message.attachments[0]?.bytes ?? new Uint8Array();
  const lastRun = () => stage.recorder.runs().at(-1)?.body;
  const hasMenu = (message: Message): boolean => menuOf(message) !== undefined;
  /** Asks again until the pictures are there in time. */
  const withSheet = (send: () => Sent): Promise<Message> =>
    holds(async () => {
      const message = await found(send().message, hasMenu);
      if (message.attachments.length !== 1) throw new Error('no sheet yet');
      return message;
    });

  test('/filters: the next page replaces sheet and menu; the one chosen starts with a photo', async () => {
    const ann = stage.discord.newcomer('sheet1');
    const list = await withSheet(() => ann.slash('/filters'));
    expect(list.onlyFor).toBe(ann.user.id);
    const first = { entries: entries(list), bytes: bytesOf(list) };
    expect(first.entries).toHaveLength(25);
    expect(menuOf(list)?.placeholder).toBe(en.ask.menu);
    ann.press(list, '▶');
    await found(
      () => list,
      (message) => entries(message)[0] !== first.entries[0],
    );
    expect(list.attachments.length).toBeLessThanOrEqual(1);
    expect(bytesOf(list)).not.toEqual(first.bytes);
    const [chosen = ''] = entries(list);
    const press = ann.choose(list, chosen);
    expect((await press.answered()).type).toBe(9);
    const form = ann.submit(press, { photo: await photo() });
    const answer = () => form.messages().find(({ id }) => id !== list.id);
    const gender = await found(answer, (message) => buttons(message).includes('female'));
    ann.press(gender, 'female');
    await found(() => gender, hasFile);
    expect(lastRun()).toMatchObject({ filter_id: Number.parseInt(chosen, 10) });
    expect(entries(list)).toContain(chosen);
  });

  test.each([false, true])(
    'a question becomes the card, also after a restart (private: %s)',
    async (isPrivate) => {
      const ann = stage.discord.newcomer(`sheet2 ${isPrivate}`);
      const given = { photo: await photo(), gender: 'female', private: isPrivate };
      const question = await withSheet(() => ann.slash('/faceswap', given));
      expect(question.onlyFor).toBe(isPrivate ? ann.user.id : undefined);
      expect(buttons(question)).toContain(en.ask.open);
      await stage.restart('kill');
      const chosen = entries(question)[4] ?? '';
      ann.choose(question, chosen);
      await found(() => question, hasFile);
      expect(await colourOf(bytesOf(question))).toEqual(await colourOf(result));
      expect(lastRun()).toMatchObject({ filter_id: Number.parseInt(chosen, 10) });
    },
  );
});
