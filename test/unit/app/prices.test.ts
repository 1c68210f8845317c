import { expect, it } from 'vitest';
import { commands } from '../../../commands/index.ts';
import { textOf } from '../../fakes/call.ts';
import { createTestCore } from '../../fakes/core.ts';

const help = async (env: Readonly<Record<string, string>>): Promise<readonly string[]> => {
  const core = await createTestCore({ env });
  try {
    const reply = await core.desk.command({
      caller: { platform: 'discord', id: '5', name: 'Ann', locale: 'en' },
      place: { platform: 'discord', community: 'discord:7', channel: '7', direct: false },
      event: 'a',
      command: 'help',
      given: {},
    });
    return textOf(reply).split('\n');
  } finally {
    await core.close();
  }
};
const priceIn = (lines: readonly string[], name: string): string | undefined =>
  /\(([^()]*credits?)\)$/.exec(lines.find((line) => line.startsWith(`/${name} `)) ?? '')?.[1];

it('/help names the price of every command that makes something, and of no other', async () => {
  const lines = await help({});
  const priced = commands.filter(({ name }) => priceIn(lines, name) !== undefined);
  expect(priced).toEqual(commands.filter(({ generates }) => generates));
  expect(priceIn(lines, 'faceswap')).toBe('2 credits');
  expect(priceIn(lines, 'animate')).toBe('5–40 credits');
});

it('/help says nothing of what costs nothing', async () => {
  const lines = await help({ VIDEO_CREDITS: 'simple:0,advanced:0,performance:0' });
  expect(['faceswap', 'animate', 'transition'].map((name) => priceIn(lines, name))).toEqual([
    '2 credits',
    undefined,
    undefined,
  ]);
});
