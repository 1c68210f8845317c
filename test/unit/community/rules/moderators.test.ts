import { describe, expect, it, vi } from 'vitest';
import type { Caller, Place } from '../../../../src/command/place.ts';
import { createModerators } from '../../../../src/community/rules/moderators.ts';
import type { Platform } from '../../../../src/platforms/platforms.ts';

const person = (platform: Platform, id: string): Caller => ({ platform, id, name: id, locale: 'en' });
const server: Place = { platform: 'discord', community: 'discord:1', channel: '7', direct: false };
const direct: Place = { platform: 'discord', community: 'discord:dm:5', channel: '8', direct: true };
const moderators = createModerators(['discord:1'], async (caller) => caller.id === '2');

describe('who may moderate', () => {
  it('moderators are those whom the platform names, in a community only', async () => {
    expect(await moderators.of({ caller: person('discord', '2'), place: server }).is()).toBe(true);
    expect(await moderators.of({ caller: person('discord', '2'), place: direct }).is()).toBe(false);
  });

  it('nobody of another platform is a moderator, whatever their id', async () => {
    expect(await moderators.of({ caller: person('telegram', '1'), place: server }).is()).toBe(false);
    expect(await moderators.of({ caller: person('telegram', '2'), place: server }).is()).toBe(false);
  });

  it('the platform is asked for a moderator once for each event, and again after a failure', async () => {
    const platform = vi.fn(async (caller: Caller) => caller.id === '2');
    const asked = createModerators([], platform);
    const event = { caller: person('discord', '2'), place: server };

    const permission = asked.of(event);
    expect(await Promise.all([permission.is(), permission.is()])).toEqual([true, true]);

    await permission.demand();
    expect(platform).toHaveBeenCalledTimes(1);
    expect(await asked.of(event).is()).toBe(true);
    expect(platform).toHaveBeenCalledTimes(2);

    platform.mockRejectedValueOnce(new Error('away'));
    const next = asked.of(event);
    await expect(next.demand()).rejects.toThrow('away');

    await next.demand();
  });

  it('a moderator cannot block owners or themselves', () => {
    const blocking = (user: string) => () =>
      moderators.requireBlockable({ platform: 'discord', id: user }, person('discord', '2'));
    expect(blocking('1')).toThrow('block-owner');
    expect(blocking('2')).toThrow('block-self');
    expect(blocking('3')).not.toThrow();
  });

  it.each<{ platform: Platform; people: readonly string[]; others: readonly string[] }>([
    {
      platform: 'discord',
      people: ['80351110224678912'],
      others: ['-5', '0', '007', 'channel:-100123', '9'.repeat(21)],
    },
    {
      platform: 'telegram',
      people: ['42', '4503599627370495', 'channel:-1001234567890', 'anonymous:-1001234567890'],
      others: ['-5', '-1001234567890', '0', '007', 'channel:5', 'channel:-0', '9'.repeat(17)],
    },
    { platform: 'web', people: ['ann'], others: ['-5', '5'] },
  ])(
    'a moderator can block only ids of people who can write on $platform',
    ({ platform, people, others }) => {
      const blocking = (user: string) => () =>
        moderators.requireBlockable({ platform, id: user }, person(platform, 'me'));
      for (const user of people) expect(blocking(user), user).not.toThrow();
      for (const user of others) expect(blocking(user), user).toThrow('not-a-person');
    },
  );
});
