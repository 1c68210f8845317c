import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFakeDiscord, type FakeDiscord } from '../../fakes/discord/discord.ts';

/** The fake refuses what Discord refuses in messages made of components. */

const V2 = 1 << 15;
let fake: FakeDiscord;
beforeAll(async () => {
  fake = await createFakeDiscord();
});
afterAll(() => fake.stop());

const text = (content: string) => ({ type: 10, content });
const button = (id: string) => ({ type: 2, style: 2, label: id, custom_id: id });
const row = (...components: object[]) => ({ type: 1, components });
const container = (...components: object[]) => ({ type: 17, components });
const gallery = (...names: string[]) => ({
  type: 12,
  items: names.map((name) => ({ media: { url: `attachment://${name}` } })),
});

interface Answer {
  readonly status: number;
  readonly id: string;
  readonly content: string;
  readonly attachments: readonly { readonly id: string }[];
  readonly components: readonly unknown[];
}

const send = async (method: string, path: string, json: object, files: readonly string[] = []) => {
  const form = new FormData();
  const attachments = files.map((filename, id) => ({ id: String(id), filename }));
  const body = { allowed_mentions: { parse: [] }, ...(files.length > 0 ? { attachments } : {}), ...json };
  form.set('payload_json', JSON.stringify(body));
  for (const [at, name] of files.entries()) form.set(`files[${at}]`, new Blob([new Uint8Array([at])]), name);
  const headers = { authorization: `Bot ${fake.token}` };
  const response = await fetch(`${fake.api}/v10${path}`, { method, headers, body: form });
  return { status: response.status, ...((await response.json()) as Omit<Answer, 'status'>) };
};
const post = (json: object, files?: readonly string[]): Promise<Answer> =>
  send('POST', `/channels/${fake.channel}/messages`, json, files);
const edit = (id: string, json: object, files?: readonly string[]): Promise<Answer> =>
  send('PATCH', `/channels/${fake.channel}/messages/${id}`, json, files);
const complaints = () => fake.world.complaints.splice(0).filter((each) => !each.includes(' /channels/'));

describe('a new message', () => {
  test('is made of components alone, and lists no file that they show', async () => {
    const made = await post({ flags: V2, components: [container(text('Hello'), gallery('a.png'))] }, [
      'a.png',
    ]);
    expect(made).toMatchObject({ status: 200, content: '', attachments: [] });
    const { id } = fake.messages(fake.channel).at(-1)?.attachments[0] ?? {};
    expect(made.components).toMatchObject([
      {
        type: 17,
        components: [
          { type: 10 },
          { items: [{ media: { attachment_id: id, url: expect.stringContaining('/a.png?ex=') } }] },
        ],
      },
    ]);
    expect(complaints()).toEqual([]);
  });

  test.each<[string, object]>([
    ['content', { content: 'x' }],
    ['even empty content', { content: '' }],
    ['embeds', { embeds: [{ title: 'x' }] }],
    ['nothing to see', { components: [] }],
    ['an empty text', { components: [text('')] }],
    ['a text of spaces', { components: [text(' \n ')] }],
    ['an empty container', { components: [container()] }],
    ['4001 characters', { components: [text('x'.repeat(4_001))] }],
    ['4001 characters in two texts', { components: [text('x'.repeat(4_000)), container(text('x'))] }],
    ['41 components', { components: [container(...Array.from({ length: 40 }, () => text('x')))] }],
    ['a row of six', { components: [row(...Array.from({ length: 6 }, (_, at) => button(String(at))))] }],
    ['an id twice', { components: [row(button('a')), container(row(button('a')))] }],
    ['a button without a row', { components: [container(button('a'))] }],
    ['a container inside another', { components: [container(container(text('x')))] }],
    ['a gallery of eleven', { components: [gallery(...Array.from({ length: 11 }, () => 'a.png'))] }],
    ['a file that is not there', { components: [gallery('b.png')] }],
    [
      'a description of 1025',
      {
        components: [
          { type: 12, items: [{ media: { url: 'attachment://a.png' }, description: 'x'.repeat(1_025) }] },
        ],
      },
    ],
  ])('is refused with %s', async (_, wrong) => {
    const before = fake.messages(fake.channel).length;
    const answer = await post({ flags: V2, components: [text('Hello')], ...wrong }, ['a.png']);
    expect(answer.status).toBe(400);
    expect(fake.messages(fake.channel)).toHaveLength(before);
    complaints();
  });

  test('is refused without the flag', async () => {
    expect((await post({ components: [container(text('x'))] })).status).toBe(400);
    expect((await post({ content: 'x', components: [text('x')] })).status).toBe(400);
  });

  test('whose file nobody sees is complained about', async () => {
    complaints();
    expect((await post({ flags: V2, components: [text('x')] }, ['a.png'])).status).toBe(200);
    expect(complaints()).toEqual(['a file that nobody sees']);
  });
});

describe('an edit', () => {
  const v2 = { flags: V2, components: [text('Hello')] };

  test('cannot take the flag away', async () => {
    const { id } = await post(v2);
    expect((await edit(id, { flags: 0, components: [text('x')] })).status).toBe(400);
    expect((await edit(id, { content: 'x' })).status).toBe(400);
    expect((await edit(id, { components: [text('x')] })).status).toBe(200);
  });

  test('sets it only where content and embeds are taken away', async () => {
    const { id } = await post({ content: 'x', embeds: [{ title: 'x' }] });
    expect((await edit(id, v2)).status).toBe(400);
    expect((await edit(id, { ...v2, content: null })).status).toBe(400);
    expect((await edit(id, { ...v2, content: null, embeds: null })).status).toBe(400);
    expect((await edit(id, { ...v2, content: null, embeds: [] })).status).toBe(200);
    expect((await edit(id, { ...v2, content: null, embeds: [] })).status).toBe(200);
  });

  test('refers to a file that stays by its id and its name', async () => {
    const { id } = await post({ flags: V2, components: [gallery('a.png')] }, ['a.png']);
    const file = fake.messages(fake.channel).at(-1)?.attachments[0]?.id;
    const again = (attachments: object[]) => edit(id, { components: [gallery('a.png')], attachments });
    expect((await again([{ id: file }])).status).toBe(400);
    expect((await again([{ id: file, filename: 'a.png' }])).status).toBe(200);
    expect((await again([])).status).toBe(400);
    expect(await edit(id, { components: [text('x')] })).toMatchObject({ attachments: [{ id: file }] });
  });
});

test('a deferred answer may only say that it is ephemeral', async () => {
  const { interaction } = fake.user('ann').slash('/help');
  const path = `/interactions/${interaction.id}/${interaction.token}/callback`;
  const defer = (flags: number) =>
    fetch(`${fake.api}/v10${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 5, data: { flags } }),
    });
  expect((await defer(V2 | 64)).status).toBe(400);
  expect((await defer(64)).status).toBe(204);
});
