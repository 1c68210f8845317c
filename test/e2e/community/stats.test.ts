import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { Member, Seen } from '../stage/chat.ts';
import { settings, swap } from '../stage/lines.ts';
import { resultOf } from '../stage/pictures.ts';
import { stage, useStage } from '../stage/stage.ts';

const made = await resultOf('#e0a010');

useStage({ result: made });

const sizeOf = async (bytes: Uint8Array | undefined) => {
  const { width, height, format } = await sharp(bytes ?? Buffer.of()).metadata();
  return { width, format, isTall: height > width };
};

describe.each(['discord', 'telegram'] as const)('/settings stats on %s', (name) => {
  const people = (who: string) => {
    const room = stage.platforms[name].room();
    const mod = room.member(`Mod ${who}`);
    mod.moderates(true);
    return { mod, ann: room.member(`Ann ${who}`), bob: room.member(`Bob ${who}`) };
  };
  /** Bots of Telegram cannot write first. */
  const meet = async (member: Member): Promise<void> => {
    if (name === 'telegram')
      await member
        .directly()
        .sends({ command: 'help' })
        .until(({ text }) => text !== '', 'help');
  };
  const statsOf = (member: Member): Promise<Seen> =>
    member.sends(settings('stats')).says('Statistics of the last 30 days');

  it.concurrent('shows a moderator alone what the community made, in its time zone', async () => {
    const { mod, ann, bob } = people('stats');
    await meet(mod);
    await mod.sends(settings('timezone', { name: 'Europe/Berlin' })).says('Europe/Berlin');
    for (const each of [ann, ann, bob]) await each.sends(swap).result();
    await ann.sends(settings('stats')).says('Only moderators');
    const shown = await statsOf(mod);
    expect(shown.private).toBe(true);
    expect(shown.text).toContain('Jobs: 3 · Credits: 6 · People: 2 · Failed: 0');
    expect(shown.text).toContain('/faceswap 3 / 6');
    expect(shown.text).toMatch(/Most used filters: .+ 3/);
    expect(shown.text).toMatch(/Jobs by day, since .+ \(Europe\/Berlin\): (0 ){29}3$/m);
    expect(await sizeOf(shown.media?.bytes)).toEqual({ width: 1_000, format: 'jpeg', isTall: true });
    for (const { text } of ann.room()) expect(text).not.toContain('Jobs by day');
  });
});
