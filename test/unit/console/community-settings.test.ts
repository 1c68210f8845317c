import { expect, it } from 'vitest';
import type { CommunitySettings } from '../../../src/command/community-settings.ts';
import { stageConsole } from '../../fakes/console.ts';

/** The names and values on the page of a community with these settings. */
const factsWith = async (settings: Partial<CommunitySettings>): Promise<ReadonlyMap<string, string>> => {
  const console = stageConsole({
    communities: {
      page: async () => ({ list: [] }),
      details: async (id) => ({
        id,
        pause: settings.paused,
        isApproved: false,
        allowance: 100,
        credits: 4,
        allowanceBy: 'default',
        people: 1,
        jobs: 1,
        settings: { blocked: [], bannedWords: [], ...settings },
        campaigns: [],
        latestJobs: [],
        trail: [],
      }),
      waiting: undefined,
      upcoming: async () => ({ list: [], isAll: true }),
      acts: () => expect.fail('nothing is done with a community'),
      ceiling: undefined,
    },
  });
  const browser = await console.signedIn();
  const page = await browser.press(await browser.get('/owner/communities'), 'Open', {
    community: 'discord:1',
  });
  const facts = [...page.text.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)];
  return new Map(facts.map(([, name = '', value = '']) => [name, value.replaceAll(/<[^>]+>/g, '')]));
};

it('the page of a community shows what its moderators have set', async () => {
  const place = { platform: 'discord', community: 'discord:1', channel: '5', direct: false } as const;
  const facts = await factsWith({
    allowances: [{ who: 'discord:7', credits: 80 }],
    channels: [place],
    log: place,
    blocked: [{ user: 'discord:8', reason: 'spam' }],
    bannedWords: ['one', 'two'],
    timeZone: 'Europe/Berlin',
  });

  expect(facts.get('Allowances of people and roles')).toBe('1');
  expect(facts.get('Channels where jobs are accepted')).toBe('1');
  expect(facts.get('Log channel')).toBe('yes');
  expect(facts.get('Blocked people')).toBe('1');
  expect(facts.get('Blocked words')).toBe('2');
  expect(facts.get('Time zone')).toBe('Europe/Berlin');
});

it('the page of a community without settings says what holds then', async () => {
  const facts = await factsWith({});

  expect(facts.get('Channels where jobs are accepted')).toBe('every channel');
  expect(facts.get('Log channel')).toBe('no');
  expect(facts.get('Time zone')).toBe('UTC');
});
