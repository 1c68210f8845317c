import { describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import type { Member, Seen } from './stage/chat.ts';
import { hidden, jobsOf, sharedIn } from './stage/lines.ts';
import { colourOf, made } from './stage/pictures.ts';
import { names, peopleOn, stage, useStage } from './stage/stage.ts';

useStage();

const shared = (member: Member): Promise<Seen> => eventually(() => sharedIn(member)[0], 'the shared result');

describe.each(names)('on %s', (name) => {
  const people = (who: string) => peopleOn(name, who);

  it.concurrent('Share shows a private result to everybody, once', async () => {
    const { ann } = people('share');
    const result = await hidden(ann);
    expect(result.private).toBe(true);
    const all = ['Again', 'Other filter', 'Animate', 'Before / after', 'Share', 'Delete', 'Report'];
    expect(result.buttons).toEqual(all);
    expect(sharedIn(ann)).toEqual([]);
    const press = ann.dataOf(result, 'Share').replace(/^a:/, '');
    ann.press(result, 'Share');
    const seen = await shared(ann);
    expect(seen).toMatchObject({ private: false, buttons: ['Delete', 'Report'] });
    expect(seen.text).toContain('Shared by Ann share');
    expect(seen.text).toContain('AI-generated');
    expect(await colourOf(seen.media?.bytes ?? Buffer.of())).toEqual(await colourOf(made));
    const after = await eventually(() => {
      const card = ann.again(result);
      return card?.buttons.includes('Share') === false && card;
    }, 'the button to go');
    expect(after.text).toContain('Shared with everybody');
    expect(await colourOf(after.media?.bytes ?? Buffer.of())).toEqual(await colourOf(made));
    await ann.forge(after, press).says('has been shared before');
    expect(sharedIn(ann)).toHaveLength(1);
  });

  it.concurrent('Delete on it takes it back; the private one stays', async () => {
    const { ann, bob, mod } = people('unshare');
    for (const presser of [ann, mod]) {
      const result = await hidden(ann);
      ann.press(result, 'Share');
      const seen = await shared(ann);
      await bob.press(seen, 'Delete').says('This button belongs to someone else.');
      expect(bob.again(seen)).toBeDefined();
      presser.press(seen, 'Delete');
      await eventually(() => ann.again(seen) === undefined, 'the shared result to go');
      expect(ann.again(result)?.media).toBeDefined();
    }
  });
});

it('on Discord, a result in direct messages is shared by a member of its server', async () => {
  const room = stage.platforms.discord.room();
  const ann = room.member('Ann direct');
  await hidden(ann);
  const list = await jobsOf(ann.directly(), ({ buttons }) => buttons.includes('1 · Delete'), 'the job');
  const card = await ann.directly().press(list, '1 · Show').result();
  await ann.directly().press(card, 'Share').says('no longer a member');
  const guild = stage.discord.world.guilds.get(room.community.slice('discord:'.length));
  guild?.members.set(ann.key.slice('discord:'.length), []);
  ann.directly().press(card, 'Share');
  expect((await shared(ann)).text).toContain('Shared by Ann direct');
});
