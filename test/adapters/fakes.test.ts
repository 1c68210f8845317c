/** The fake platforms answer what the real ones refuse: they neither break nor stay silent. */
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { createFakeDiscord } from '../fakes/discord/discord.ts';
import { createFakeTelegram } from '../fakes/telegram/telegram.ts';

const openDiscord = async () => {
  const fake = await createFakeDiscord();
  onTestFinished(() => fake.stop());
  return fake;
};

const openTelegram = async () => {
  const fake = await createFakeTelegram();
  onTestFinished(() => fake.stop());
  return fake;
};

const BODIES_THAT_CANNOT_BE_READ = [
  { what: 'is cut off', type: 'application/json', body: '{"content": ' },
  { what: 'is a form without its boundary', type: 'multipart/form-data; boundary=b', body: 'nothing' },
];

test.each(BODIES_THAT_CANNOT_BE_READ)(
  'the fake Discord refuses a body that $what with Discord’s own error',
  async ({ type, body }) => {
    const { api, token, channel, world } = await openDiscord();

    const answer = await fetch(`${api}/v10/channels/${channel}/messages`, {
      method: 'POST',
      headers: { authorization: `Bot ${token}`, 'content-type': type },
      body,
    });

    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 50109 });
    expect(world.complaints).toEqual([]);
  },
);

test.each([
  { what: 'a list of servers after what is no id', method: 'GET', path: '/users/@me/guilds?after=first' },
  { what: 'new addresses of no attachments', method: 'POST', path: '/attachments/refresh-urls' },
])('the fake Discord refuses $what with Discord’s own error', async ({ method, path }) => {
  const { api, token } = await openDiscord();

  const answer = await fetch(`${api}/v10${path}`, { method, headers: { authorization: `Bot ${token}` } });

  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ code: 50035 });
});

test('the fake Discord answers 404 to a path whose percent signs encode nothing', async () => {
  const { api, token } = await openDiscord();

  const answer = await fetch(`${api}/v10/nowhere/%E0%A4%A`, { headers: { authorization: `Bot ${token}` } });

  expect(answer.status).toBe(404);
});

test.each(['not a packet', 'null', '{}'])(
  'the gateway of the fake Discord closes the line of a client that sends %j',
  async (sent) => {
    const { api } = await openDiscord();
    const socket = new WebSocket(`${api.replace('http', 'ws').replace(/\/api$/, '')}/gateway`);
    onTestFinished(() => socket.terminate());
    await once(socket, 'open');

    socket.send(sent);
    const [code] = await once(socket, 'close');

    expect(code).toBe(4002);
  },
);

test.each(BODIES_THAT_CANNOT_BE_READ)(
  'the fake Telegram refuses a body that $what, as a bad request',
  async ({ type, body }) => {
    const { url, token, complaints } = await openTelegram();

    const answer = await fetch(`${url}/bot${token}/sendMessage`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });

    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ ok: false, error_code: 400 });
    expect(complaints).toEqual([]);
  },
);
