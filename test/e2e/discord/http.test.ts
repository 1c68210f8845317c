// @module-tag slow
// @module-tag longest
import { type IncomingMessage, request } from 'node:http';
import { expect, test } from 'vitest';
import { buttonName } from '../../../src/command/button-names.ts';
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

test('with interactions by HTTP a ping is answered, the program is ready, and there is no gateway connection', async () => {
  expect(await (await post(ping)).json()).toEqual({ type: 1 });

  const ready = await fetch(`${stage.program().url}/readyz`);
  expect(await ready.json()).toMatchObject({ checks: { discord: { ok: true } } });
  expect(stage.discord.gateway.identifies).toEqual([]);
  await holds(() => expect(stage.discord.world.registrations).toBe(1));
});

test('an interaction that comes under the host name of a proxy is accepted', async () => {
  const headers = { ...stage.discord.http.sign(ping), host: 'bot.example' };
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
  request(url(), { method: 'POST', headers }, resolve).end(ping);

  expect((await promise).statusCode).toBe(200);
});

test('first answers of all kinds are HTTP responses, and what follows them comes by the webhook', async () => {
  const { discord } = stage;
  const ann = discord.newcomer('ann');
  const sent = ann.types('/faceswap', { photo: await photo(), filter: '3', gender: 'female' });

  expect((await sent.answered()).type).toBe(5);

  const made = await found(sent.message, hasFile);
  const edits = discord.received.filter(
    ({ method, path }) => method === 'PATCH' && path.includes(`/${sent.interaction.token}/`),
  );

  expect(edits.length).toBeGreaterThan(0);

  const animate = ann.presses(made, buttonName('animate', en));
  expect((await animate.answered()).type).toBe(9);

  const form = ann.submits(animate, { prompt: 'a slow zoom' });
  expect([4, 6]).toContain((await form.answered()).type);

  const again = ann.presses(made, buttonName('again', en));
  expect([4, 6]).toContain((await again.answered()).type);

  await found(() => again.messages().find(({ id }) => id !== made.id), hasFile);
  const typed = await ann.completes('/faceswap', 'filter', 'pop').answered();

  expect(typed.type).toBe(8);

  const usage = ann.types('/usage');
  expect((await usage.answered()).type).toBe(4);

  await found(usage.message, says('Credits today'));
  expect(callbacks()).toEqual([]);
});

/** Asks again until the pictures are there in time. */
const withSheet = (send: () => Sent): Promise<Message> =>
  holds(async () => {
    const message = await found(send().message, (each) => menuOf(each) !== undefined);
    expect(message.attachments).toHaveLength(1);
    return message;
  });

test.each([false, true])(
  'a menu under pictures becomes the card of what is chosen, also after a restart (private: %s)',
  async (isPrivate) => {
    const ann = stage.discord.newcomer(`sheet ${isPrivate}`);
    const given = { photo: await photo(), gender: 'female', private: isPrivate };
    const question = await withSheet(() => ann.types('/faceswap', given));

    expect(question.onlyFor).toBe(isPrivate ? ann.user.id : undefined);
    expect(buttons(question)).toContain(en.ask.open);

    const { options = [], placeholder } = menuOf(question) ?? {};
    expect(options).toHaveLength(25);
    expect(placeholder).toEqual(en.ask.menu);

    await stage.restart('kill');
    const chosen = options[4]?.label ?? '';
    ann.chooses(question, chosen);
    await found(() => question, hasFile);
    const bytes = question.attachments[0]?.bytes ?? new Uint8Array();

    expect(await colourOf(bytes)).toEqual(await colourOf(result));
    expect(stage.recorder.runs().at(-1)?.body).toMatchObject({ filter_id: Number.parseInt(chosen, 10) });
  },
);
