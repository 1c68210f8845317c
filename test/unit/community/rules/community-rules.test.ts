import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Records } from '../../../../src/base/keyv/records.ts';
import type { Caller, Place } from '../../../../src/command/place.ts';
import {
  type CommunityRules,
  createCommunityGate,
  createCommunityRules,
} from '../../../../src/community/rules/community-rules.ts';
import { createRecords, recordsWith } from '../../../fakes/records.ts';

const someone: Caller = { platform: 'discord', id: '5', name: 'Ann', locale: 'en' };
const here: Place = { platform: 'discord', community: 'discord:1', channel: '77', direct: false };

const otherChannelsIn = (rules: CommunityRules) => async (place: Place) => {
  const refused = await createCommunityGate(rules).refusal(someone, place, []);
  return refused?.code === 'other-channel' ? refused.channels : undefined;
};

let rules: CommunityRules;

beforeEach(() => {
  rules = createCommunityRules(createRecords(), Date.now);
});

describe('a community', () => {
  it('a person is blocked in one community, and unblocked once', async () => {
    await rules.block('discord:1', '42', 'spam');
    expect(await rules.isBlocked('discord:1', '42')).toBe(true);
    expect(await rules.isBlocked('discord:2', '42')).toBe(false);

    expect(await rules.unblock('discord:1', '42')).toBe(true);
    expect(await rules.unblock('discord:1', '42')).toBe(false);
    expect(await rules.show('discord:1')).toEqual({ blocked: [], bannedWords: [] });
  });

  it('a word of a community is blocked however it is spaced, and allowed again once', async () => {
    await rules.banWord('discord:1', 'nude');
    expect(await rules.blockedWordIn('discord:1', 'N U D E')).toBe('nude');

    expect(await rules.allowWord('discord:1', 'N.U.D.E')).toBe(true);
    expect(await rules.allowWord('discord:1', 'nude')).toBe(false);
    expect(await rules.show('discord:1')).toEqual({ blocked: [], bannedWords: [] });
  });

  it('a word that is empty after normalisation is not blocked', async () => {
    await expect(rules.banWord('discord:1', '!?')).rejects.toMatchObject({ reason: { code: 'word-empty' } });
    expect(await rules.show('discord:1')).toEqual({ blocked: [], bannedWords: [] });
  });

  it('a community accepts jobs in the channels that were chosen, once one was', async () => {
    const otherChannels = otherChannelsIn(rules);
    const there: Place = { ...here, channel: '78' };
    const thread: Place = { ...here, channel: '99', parent: '77' };

    expect(await otherChannels(there)).toBeUndefined();
    expect(await rules.setChannels('discord:1', 'not-here', here)).toBeUndefined();

    await rules.setChannels('discord:1', 'here', here);
    expect(await rules.setChannels('discord:1', 'here', here)).toEqual([here]);
    expect(await otherChannels(here)).toBeUndefined();
    expect(await otherChannels(thread)).toBeUndefined();
    expect(await otherChannels(there)).toEqual([here]);
    expect(await otherChannels({ ...there, direct: true })).toBeUndefined();
    expect(await otherChannels({ ...there, community: 'discord:2' })).toBeUndefined();
    // A command in a thread is about the channel of the thread.
    expect(await rules.setChannels('discord:1', 'not-here', thread)).toEqual([]);
    expect(await otherChannels(here)).toEqual([]);

    await rules.setChannels('discord:1', 'everywhere', here);
    expect(await otherChannels(there)).toBeUndefined();
    expect(await rules.show('discord:1')).toEqual({ blocked: [], bannedWords: [] });
  });

  it('a community’s channels tell topics apart, General among them', async () => {
    const otherChannels = otherChannelsIn(rules);
    const general: Place = { ...here, platform: 'telegram', community: 'telegram:-5', channel: '-5' };
    const topic: Place = { ...general, thread: '12' };

    await rules.setChannels('telegram:-5', 'here', topic);
    expect(await otherChannels(topic)).toBeUndefined();
    expect(await otherChannels(general)).toEqual([topic]);

    await rules.setChannels('telegram:-5', 'here', general);
    expect(await otherChannels({ ...general, thread: '13' })).toEqual([topic, general]);

    await rules.move('telegram:-5', 'telegram:-1005');
    const moved = { ...topic, community: 'telegram:-1005', channel: '-1005' };
    expect(await otherChannels(moved)).toBeUndefined();
  });

  it('a community can choose at most 50 channels', async () => {
    const set = (channel: number) =>
      rules.setChannels('discord:1', 'here', { ...here, channel: `${channel}` });

    for (let channel = 0; channel < 50; channel += 1) await set(channel);
    await expect(set(50)).rejects.toMatchObject({ reason: { code: 'channels-limit', limit: 50 } });
    expect(await set(49)).toHaveLength(50);
  });

  it('a community keeps at its new id what an owner set, whether here or there', async () => {
    const refused = { reason: { code: 'owners-word' } };

    await rules.pause('telegram:-5', 'abuse', true);
    await rules.setCredits('telegram:-1005', 5, true);
    await rules.pause('telegram:-1005', 'lunch');
    await rules.move('telegram:-5', 'telegram:-1005');

    await expect(rules.resume('telegram:-1005')).rejects.toMatchObject(refused);
    await expect(rules.resume('telegram:-5')).rejects.toMatchObject(refused);
    await expect(rules.setCredits('telegram:-5', 900)).rejects.toMatchObject(refused);
    expect(await rules.show('telegram:-5')).toMatchObject({ paused: { reason: 'abuse' }, credits: 5 });
  });

  it('a community’s rules move to its new id', async () => {
    await rules.setCredits('telegram:-5', 9);
    const chat = { platform: 'telegram', community: 'telegram:-5', channel: '-5', direct: false } as const;
    await rules.setLog('telegram:-5', chat);
    await rules.move('telegram:-5', 'telegram:-1005');

    expect((await rules.show('telegram:-1005')).credits).toBe(9);

    const moved = { ...chat, community: 'telegram:-1005', channel: '-1005' };
    expect(await rules.logPlace('telegram:-1005')).toEqual(moved);
    expect(await rules.present('telegram:-5')).toBe('telegram:-1005');
    expect(await rules.present('telegram:-1005')).toBe('telegram:-1005');
    expect(await rules.idsOf('telegram:-1005')).toEqual(['telegram:-1005', 'telegram:-5']);
    expect(await rules.otherIds('telegram:-1005')).toEqual(['telegram:-5']);
    expect(await rules.otherIds('telegram:-5')).toEqual(['telegram:-1005']);
    expect(await rules.otherIds('telegram:-6')).toEqual([]);
    // Events that still name the former id meet the same rules, and change them.
    expect((await rules.show('telegram:-5')).credits).toBe(9);

    await rules.setCredits('telegram:-5', 12);
    expect((await rules.show('telegram:-1005')).credits).toBe(12);

    await rules.move('telegram:-5', 'telegram:-1005');
    expect((await rules.show('telegram:-1005')).credits).toBe(12);
  });

  it('a community keeps what moderators set under its new id before the bot knew of the move', async () => {
    const before = 'telegram:-5';
    const after = 'telegram:-1005';

    await rules.block(before, '41', 'rude');
    await rules.banWord(before, 'grue');
    await rules.setCredits(before, 9);
    await rules.setAllowance(before, '50', 5);
    await rules.setAllowance(before, '51', 5);
    await rules.set(before, 'timeZone', 'Europe/Berlin');
    await rules.block(after, '42', 'spam');
    await rules.banWord(after, 'Grue!');
    await rules.setCredits(after, 7);
    await rules.setAllowance(after, '51', 6);
    await rules.pause(after, 'lunch');

    await rules.move(before, after);

    expect(await rules.show(after)).toEqual({
      blocked: [
        { user: '41', reason: 'rude' },
        { user: '42', reason: 'spam' },
      ],
      bannedWords: ['grue!'],
      credits: 7,
      allowances: [
        { who: '50', credits: 5 },
        { who: '51', credits: 6 },
      ],
      paused: { reason: 'lunch' },
      timeZone: 'Europe/Berlin',
    });
  });

  it('a community without rules gets its new id, keeps the rules there, and may return to its former id', async () => {
    await rules.setCredits('telegram:-1006', 7);
    await rules.move('telegram:-6', 'telegram:-1006');
    expect(await rules.present('telegram:-6')).toBe('telegram:-1006');

    await rules.block('telegram:-1006', '42', 'spam');
    expect(await rules.isBlocked('telegram:-6', '42')).toBe(true);
    expect((await rules.show('telegram:-6')).credits).toBe(7);

    await rules.move('telegram:-1006', 'telegram:-6');
    expect(await rules.present('telegram:-1006')).toBe('telegram:-6');
    expect((await rules.show('telegram:-1006')).credits).toBe(7);
  });
});

describe('the rule book', () => {
  let records: Records;
  let book: CommunityRules;
  let time: number;

  beforeEach(() => {
    records = createRecords();
    time = 0;
    book = createCommunityRules(records, () => time);
  });

  it('the rule book sees after a second what another process has changed', async () => {
    const other = createCommunityRules(records, () => time);
    expect(await book.isBlocked('discord:1', '42')).toBe(false);

    await other.block('discord:1', '42', 'spam');
    time = 999;
    expect(await book.isBlocked('discord:1', '42')).toBe(false);

    time = 1_000;
    expect(await book.isBlocked('discord:1', '42')).toBe(true);
  });

  it('the rule book does not cache a read that began before a change', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();

    vi.spyOn(records, 'get').mockReturnValueOnce(promise as never);
    const early = book.show('discord:1');
    await book.block('discord:1', '42', 'spam');
    resolve(undefined);
    await early;

    expect(await book.isBlocked('discord:1', '42')).toBe(true);
  });

  it('the rule book does not cache what a failed write may have changed', async () => {
    const failing = recordsWith(records, {
      async update(key, change) {
        await records.update(key, change);
        throw new Error('the disk is full');
      },
    });
    book = createCommunityRules(failing, () => time);
    await book.show('discord:1');

    await expect(book.block('discord:1', '42', 'spam')).rejects.toThrow('full');
    expect(await book.isBlocked('discord:1', '42')).toBe(true);
  });
});
