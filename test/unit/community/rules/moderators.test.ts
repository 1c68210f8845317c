import { describe, expect, it } from 'vitest';
import type { Platform } from '../../../../src/adapters/profiles.ts';
import type { Caller, Place } from '../../../../src/command/place.ts';
import { createModerators } from '../../../../src/community/rules/moderators.ts';

const person = (platform: Platform, id: string): Caller => ({ platform, id, name: id, locale: 'en' });
const server: Place = { platform: 'discord', community: 'discord:1', channel: '7', direct: false };
const direct: Place = { platform: 'discord', community: 'discord:dm:5', channel: '8', direct: true };
const moderators = createModerators(['discord:1'], async (caller) => caller.id === '2');

describe('who may moderate', () => {
  it('owners, everywhere', async () => {
    expect(await moderators.is(person('discord', '1'), server)).toBe(true);
    expect(await moderators.is(person('discord', '1'), direct)).toBe(true);
  });
  it('those whom the platform names, in a community only', async () => {
    expect(await moderators.is(person('discord', '2'), server)).toBe(true);
    expect(await moderators.is(person('discord', '2'), direct)).toBe(false);
    expect(await moderators.is(person('discord', '3'), server)).toBe(false);
  });
  it('nobody from another platform, whatever their id', async () => {
    expect(await moderators.is(person('telegram', '1'), server)).toBe(false);
    expect(await moderators.is(person('telegram', '2'), server)).toBe(false);
  });
  it('demand throws for others', async () => {
    await expect(moderators.demand(person('discord', '3'), server)).rejects.toMatchObject({
      reason: { code: 'not-moderator' },
    });
    await expect(moderators.demand(person('discord', '2'), server)).resolves.toBeUndefined();
  });
  it('cannot block owners or themselves', () => {
    const blocking = (user: string) => () => moderators.requireBlockable(user, person('discord', '2'));
    expect(blocking('1')).toThrow('block-owner');
    expect(blocking('2')).toThrow('block-self');
    expect(blocking('3')).not.toThrow();
  });
  it.each<[Platform, readonly string[], readonly string[]]>([
    ['discord', ['80351110224678912'], ['-5', '0', '007', 'channel:-100123', '9'.repeat(21)]],
    [
      'telegram',
      ['42', '4503599627370495', 'channel:-1001234567890', 'anonymous:-1001234567890'],
      ['-5', '-1001234567890', '0', '007', 'channel:5', 'channel:-0', '9'.repeat(17)],
    ],
    ['web', ['ann'], ['-5', '5']],
  ])('can block only ids of people who can write: %s', (platform, good, bad) => {
    const blocking = (user: string) => () => moderators.requireBlockable(user, person(platform, 'me'));
    for (const user of good) expect(blocking(user), user).not.toThrow();
    for (const user of bad) expect(blocking(user), user).toThrow('not-a-person');
  });
});
