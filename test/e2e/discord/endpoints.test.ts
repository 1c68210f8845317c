import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JobKind } from '../../../src/command/request.ts';
import { endpoints } from '../../../src/generation-client/endpoints.ts';
import { display } from '../../fakes/discord/markdown.ts';
import type { Attached } from '../../fakes/discord/people.ts';
import { colourOf, flat, found, hasFile, openSetting, photo, type Setting } from './setting.ts';

const video = new Uint8Array(Buffer.from('000000186674797069736f6d0000020069736f6d6d703431', 'hex'));
let setting: Setting;
beforeAll(async () => {
  setting = await openSetting({ queuedMs: 0, runningMs: 200 });
});
afterAll(() => setting.close());

const face = { photo: await photo(), gender: 'female' };
const group = { photo: await photo() };
const other = await photo('#204060');
const colours = [
  '#200000',
  '#600000',
  '#a00000',
  '#e00000',
  '#002000',
  '#006000',
  '#00a000',
  '#00e000',
  '#000060',
];

/** One path ends in a slash, which makes no difference to the service. */
const bare = (path: string): string => path.replace(/\/$/, '');

/** Every run endpoint of the interface, as a person on Discord reaches it, and a field that it must be given. */
const flows: readonly (readonly [JobKind, string, Readonly<Record<string, string | Attached>>, object])[] = [
  ['face-swap-v6', '/faceswap', { ...face, filter: '3', ratio: 'square', quality: 'v6.1' }, { filter_id: 3 }],
  ['face-swap-v5', '/faceswap', { ...face, filter: '3', engine: 'v5' }, { filter_id: 3 }],
  ['face-swap-v1', '/faceswap', { ...face, filter: '3', engine: 'v1' }, { filter_id: 3 }],
  ['self-prompt', '/faceswap', { photo: face.photo, prompt: 'an astronaut' }, { prompt: 'an astronaut' }],
  ['multi-swap-realistic', '/groupswap', { ...group, style: '3' }, { style_id: 3 }],
  [
    'multi-swap-realistic-prompt',
    '/groupswap',
    { ...group, prompt: 'a rock band' },
    { prompt: 'a rock band' },
  ],
  ['multi-swap-stylized', '/groupswap', { ...group, style: '3', look: 'stylized' }, { style_id: 3 }],
  [
    'multi-swap-stylized-prompt',
    '/groupswap',
    { ...group, prompt: 'a band', look: 'stylized' },
    { prompt: 'a band' },
  ],
  [
    'multi-swap-classic',
    '/groupswap',
    { ...group, photo2: other, style: '3', look: 'classic' },
    { filter_id: 3 },
  ],
  [
    'single-frame-video',
    '/animate',
    { ...group, prompt: 'a slow zoom', model: 'simple' },
    { prompt: 'a slow zoom' },
  ],
  [
    'first-last-frame-video',
    '/transition',
    { first: group.photo, last: other, prompt: 'a morph' },
    { prompt: 'a morph' },
  ],
];

test('all eleven flows: the right request, and the result in the card that was there from the start', async () => {
  const results = new Map<string, Uint8Array>();
  for (const [index, [kind]] of flows.entries())
    results.set(
      bare(endpoints[kind].path),
      kind.endsWith('video') ? video : await flat(colours[index] ?? ''),
    );
  setting.plan(({ run }) => {
    const result = results.get(bare(run));
    return { queuedMs: 0, runningMs: 100, ...(result === undefined ? {} : { result }) };
  });
  const cards = [];
  for (const [, command, options] of flows) {
    const sent = setting.discord.user('ann').slash(command, options);
    await sent.answered();
    cards.push({ sent, id: sent.message()?.id });
  }
  for (const [index, [kind, , , field]] of flows.entries()) {
    const { sent, id } = cards[index] ?? {};
    const made = await found(() => sent?.message(), hasFile);
    expect(made.id, kind).toBe(id);
    const { path } = endpoints[kind];
    const runs = setting.proxy.runs.filter((run) => run.path === path);
    expect(runs, kind).toHaveLength(1);
    expect(runs[0]?.body, kind).toMatchObject(field);
    const file = made.attachments[0];
    if (kind.endsWith('video')) expect(file?.type).toBe('video/mp4');
    else
      expect(await colourOf(file?.bytes ?? video), kind).toBe(
        await colourOf(results.get(bare(path)) ?? video),
      );
    expect(display(made.content).text).toContain('AI-generated');
  }
  const classic = setting.proxy.runs.find((run) => run.path === endpoints['multi-swap-classic'].path);
  expect(classic?.body.input_images).toHaveLength(2);
  expect(setting.discord.messages(setting.discord.channel)).toHaveLength(11);
  expect(setting.discord.world.complaints).toEqual([]);
});
