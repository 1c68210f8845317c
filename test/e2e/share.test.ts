import { describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import type { Member, Seen } from './stage/chat.ts';
import { hidden, jobsOf, photo, sharedIn } from './stage/lines.ts';
import { colourOf, resultOf } from './stage/pictures.ts';
import { stage, useStage } from './stage/stage.ts';

const made = await resultOf('#e0a010');

useStage({ result: made });

const shared = (member: Member): Promise<Seen> => eventually(() => sharedIn(member)[0], 'the shared result');

describe.each(['discord', 'telegram'] as const)('on %s', (name) => {
  const people = (who: string) => {
    const room = stage.platforms[name].room();
    const member = (each: string): Member => room.member(`${each} ${who}`);
    return { room, ann: member('Ann'), bob: member('Bob'), mod: member('Mod') };
  };

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
    mod.moderates(true);
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

  it.concurrent('Delete on the private one deletes both', async () => {
    const { ann } = people('both');
    const result = await hidden(ann);
    ann.press(result, 'Share');
    const seen = await shared(ann);
    await eventually(() => ann.again(result)?.buttons.includes('Share') === false, 'the button to go');
    ann.press(result, 'Delete');
    await eventually(() => ann.again(seen) === undefined, 'the shared result to go');
    await eventually(() => ann.again(result) === undefined, 'the private result to go');
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

it('on Telegram, it is shared in the topic where it was asked for', async () => {
  const { telegram } = stage;
  const ann = telegram.person('Ann topic');
  telegram.openPrivate(ann);
  const group = telegram.group('Forum', { forum: true });
  const thread = telegram.topic(group);
  ann.says(group, '/faceswap filter=3 gender=female private=yes', { photo, thread });
  const result = await telegram.until(
    () => telegram.fromBot(ann.chat).find((message) => message.photo),
    'the private result',
  );
  ann.presses(result, 'Share');
  const seen = await telegram.until(
    () => telegram.fromBot(group).find((message) => message.photo),
    'the shared result',
  );
  expect(seen.message_thread_id).toBe(thread);
});
