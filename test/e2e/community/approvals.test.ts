// @module-tag slow
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import { decided, noticeOf, notices } from '../stage/approval-notices.ts';
import type { Person, Room } from '../stage/chat.ts';
import { hidden, settings, sharedIn, swap } from '../stage/lines.ts';
import { names, stage, useStage } from '../stage/stage.ts';

const POLITE = 'This bot works only where its owner has approved it. The owner has been asked';
const WELCOME = 'The owner of this bot has approved this chat';
const DECISIONS = ['Approve', 'Not now'];

let owners: Readonly<Record<(typeof names)[number], Person>>;
useStage();
beforeAll(async () => {
  const home = stage.platforms.discord.room();
  owners = { discord: home.person('Olga'), telegram: stage.platforms.telegram.room().person('Olga') };
  const ids = names.map((name) => owners[name].key).join(',');
  await stage.restart('stop', { COMMUNITIES: 'approved', OWNERS: ids });
  // The servers are listed at the start: those of the tests are first heard of when they are used.
  await noticeOf(owners.discord.at('direct'), home.community);
});

const callsDuring = async (work: () => Promise<unknown>): Promise<number> => {
  const before = stage.recorder.calls.length;
  await work();
  return stage.recorder.calls.length - before;
};
const approve = async (owner: Person, room: Room): Promise<void> => {
  const approved = settings('approve', { community: room.community });
  await owner.at('direct').types(approved).says(`${room.community} is approved`);
};

describe.each(names)('on %s', (name) => {
  const own = (): Person => owners[name].at('direct');
  const open = (who: string, title?: string) => {
    const room = stage.platforms[name].room(title === undefined ? {} : { name: title });
    return { room, ann: room.person(`Ann ${who}`), mod: room.person(`Mod ${who}`) };
  };

  it.concurrent('people of a community that waits for approval get one polite answer, help and privacy, and cost no call to the service', async () => {
    const { room, ann, mod } = open('stranger');
    mod.moderates(true);
    const calls = await callsDuring(async () => {
      await ann.types(swap).says(POLITE);
      const help = await ann.types({ command: 'help' }).says('What I can do');
      expect(help.media).toBeUndefined();
      await ann.types({ command: 'privacy' }).says('photo');
      const again = [
        ann.types(swap),
        ann.types({ command: 'filters' }),
        mod.types(settings('show')),
        mod.types(settings('approve')),
      ];
      // An interaction is always answered, to its sender alone; a group is not told again.
      if (name === 'discord') for (const each of again) expect((await each.says(POLITE)).private).toBe(true);
      await ann.types({ command: 'help' }).says('What I can do');
      if (name === 'telegram') for (const each of again) expect(each.now()).toEqual([]);
    });

    expect(calls).toBe(0);

    await noticeOf(own(), room.community);
    expect(notices(own(), room.community)).toHaveLength(1);
  });

  it.concurrent('people in direct chats wait for approval, too, and are told once', async () => {
    const { ann } = open('direct');
    const direct = ann.at('direct');
    const id = ann.key.replace(':', ':dm:');

    await direct.types(swap).says(POLITE);
    const notice = await noticeOf(own(), id);

    expect(notice.text).toContain('Direct chat with Ann direct');
    expect(notice.buttons).toEqual(DECISIONS);

    own().presses(notice, 'Approve');
    await decided(own(), notice, 'Approved by Olga.');
    await eventually(
      () =>
        ann
          .at('direct')
          .sees()
          .some(({ text }) => text.includes(WELCOME)),
      'the welcome',
    );
    await direct.types(swap).result();
  });

  it('a private result of an approved community is shared there', async () => {
    const { room, ann } = open('shares');
    await approve(own(), room);
    // On Telegram the private result is in a direct chat, which is not approved.
    const result = await hidden(ann);
    ann.presses(result, 'Share');
    await eventually(() => sharedIn(ann)[0], 'the shared result');
    if (name === 'telegram') {
      await ann.presses(result, 'Again').says(POLITE);
      await noticeOf(own(), ann.key.replace(':', ':dm:'));
    }
  });
});
