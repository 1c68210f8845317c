import { afterEach, beforeEach, expect, it } from 'vitest';
import { createCommunityWatch } from '../../../../src/app/community/community-watch.ts';
import { createPlatformRegistry } from '../../../../src/app/platforms/registry.ts';
import type { Caller, Place } from '../../../../src/command/place.ts';
import {
  type ApprovalRequest,
  approvalRecordRules,
  createApprovals,
} from '../../../../src/community/approvals/approvals.ts';
import {
  communityRecordRules,
  createCommunityRules,
} from '../../../../src/community/rules/community-rules.ts';
import {
  createLeftCommunities,
  leftCommunityRecordRules,
} from '../../../../src/community/rules/left-communities.ts';
import { createLog } from '../../../../src/log/log.ts';
import { openSqliteStore } from '../../../../src/store/sqlite/store.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import { holds } from '../../../eventually.ts';
import { idleAdapter } from '../../../fakes/adapter.ts';
import { away, openProcess, openService } from '../../../fakes/campaigns.ts';
import { createFakeClock, type FakeClock } from '../../../fakes/clock.ts';
import { soleMember } from '../../../fakes/sole-member.ts';

const DAY_MS = 86_400_000;
const ann: Caller = { platform: 'telegram', id: '5', name: 'Ann', locale: 'de' };

const placeOf = (community: string): Place => {
  const channel = community.slice('telegram:'.length);
  return { platform: 'telegram', community, channel, direct: community.includes(':dm:') };
};

let clock: FakeClock;
let store: Store;
let service: Awaited<ReturnType<typeof openService>>;
let servers: readonly string[] | Error;
let asked: ApprovalRequest[];
const opened: (() => Promise<void>)[] = [];

beforeEach(async () => {
  clock = createFakeClock();
  store = await openSqliteStore({ path: ':memory:', keys: [], now: clock.now });
  service = await openService();
  servers = [];
  asked = [];
});

afterEach(async () => {
  for (const stop of opened.splice(0)) await stop();
  await service.close();
  store.close();
});

/** A process that watches. */
const start = (mode: 'open' | 'approved' = 'open') => {
  const rules = createCommunityRules(store.keyv('settings', communityRecordRules), clock.now);
  const approvals = createApprovals(store.keyv('approvals', approvalRecordRules), clock.now, () => 'id');
  const { aliases, campaigns, schedule } = openProcess({ store, client: service.client, clock });
  const leftCommunities = createLeftCommunities(store.keyv('left', leftCommunityRecordRules), clock.now);
  const discord = {
    ...idleAdapter,
    platform: 'discord' as const,
    communities: async () => {
      if (servers instanceof Error) throw servers;
      return servers.map((id) => ({ community: `discord:${id}`, name: `Server ${id}` }));
    },
  };
  const watch = createCommunityWatch({
    platforms: createPlatformRegistry([discord]),
    leftCommunities,
    approvals,
    rules,
    records: ['settings', 'approvals', 'aliases', 'campaigns'].map((name) => store.keyv(name)),
    // The service is away whenever the aliases of this community are to be deleted.
    aliases: { clear: (id) => (id === 'discord:4' ? Promise.reject(away) : aliases.clear(id)) },
    campaigns,
    grants: store.grants,
    askOwners: mode === 'open' ? undefined : (asking) => void asked.push(asking),
    members: soleMember,
    clock,
    log: createLog({ level: 'silent', secrets: [] }),
  });
  opened.push(watch.start());
  return { watch, rules, approvals, aliases, schedule, leftCommunities };
};

/** Lets days pass, with every round of the watch on the way. */
const pass = async (days: number): Promise<void> => {
  for (let day = 0; day < days; day += 1) await clock.advance(DAY_MS);
};

it('thirty days after the bot was taken from a community, everything of it is forgotten and nothing of others', async () => {
  const { watch, rules, approvals, aliases, schedule, leftCommunities } = start();
  const stuck = 'discord:4';
  const gone = 'discord:5';
  const there = 'discord:6';

  // Discord still lists the server that the bot is in.
  servers = ['6'];
  const day = new Date(clock.now() + 300 * DAY_MS).toISOString().slice(0, 10);
  for (const community of [stuck, gone, there]) {
    await rules.pause(community, 'cleaning');
    await approvals.approve(community, 'Olga');
    await aliases.create(community, 'halloween', service.filters[0] ?? '');
    await schedule(community, 'halloween', service.filters[1] ?? '', day);
    const grant = { community, ids: [community], person: 'telegram:5', credits: 7, most: 100 };
    await store.grants.add({ ...grant, event: community, at: clock.now() });
  }
  const kept = async (community: string) => {
    const atService = await service.client.aliases.list();
    return {
      isPaused: (await rules.show(community)).paused !== undefined,
      isApproved: await approvals.isApproved(community),
      aliases: (await aliases.list(community)).length,
      aliasesAtService: atService.filter(({ project }) => project === community).length,
      granted: await store.grants.left(community, 'telegram:5'),
    };
  };
  const everything = { isPaused: true, isApproved: true, aliases: 1, aliasesAtService: 1, granted: 7 };
  const nothing = { isPaused: false, isApproved: false, aliases: 0, aliasesAtService: 0, granted: 0 };

  for (const community of [stuck, gone]) await watch.memberships.left(community);
  await pass(29);

  expect(await kept(gone)).toEqual(everything);

  await pass(3);
  expect(await kept(gone)).toEqual(nothing);
  expect(await kept(there)).toEqual(everything);
  expect(await leftCommunities.has(gone)).toBe(false);
  expect(await leftCommunities.has(stuck)).toBe(true);
});

it('settings of an owner stay, however long the bot was away from the community', async () => {
  const { watch, rules, leftCommunities } = start();
  const before = 'discord:5';
  const now = 'discord:1005';

  await rules.pause(before, 'abuse', true);
  await rules.setCredits(before, 5, true);
  await rules.move(before, now);
  await rules.block(now, '42', 'spam');
  await watch.memberships.left(now);
  await pass(33);

  expect(await rules.show(now)).toEqual({
    paused: { reason: 'abuse', byOwner: true },
    credits: 5,
    creditsByOwner: true,
    blocked: [],
    bannedWords: [],
  });
  expect(await leftCommunities.has(now)).toBe(false);

  await watch.memberships.joined({ place: placeOf(now), by: ann });
  await expect(rules.resume(now)).rejects.toMatchObject({ reason: { code: 'owners-word' } });
});

it('a community to which the bot returns in time keeps everything, and so does a group that became a supergroup', async () => {
  const { watch, rules, leftCommunities } = start();
  const community = 'telegram:-5';

  await rules.pause(community, 'cleaning');
  await watch.memberships.left(community);
  await pass(20);
  await watch.memberships.joined({ place: placeOf(community), by: ann });
  await pass(20);

  expect((await rules.show(community)).paused).toBeDefined();

  await rules.move(community, 'telegram:-1005');
  await watch.memberships.left(community);
  expect(await leftCommunities.has(community)).toBe(false);
});

it('a group that was left before its new id was known is not forgotten with the new one', async () => {
  const { watch, rules, leftCommunities } = start();
  const before = 'telegram:-5';
  const now = 'telegram:-1005';

  await rules.pause(before, 'cleaning');
  // Another process moves it after this one has handled the move.
  await rules.move(before, now);
  await leftCommunities.left(before);
  await pass(33);

  expect((await rules.show(now)).paused).toBeDefined();
  expect(await leftCommunities.has(before)).toBe(false);

  // Leaving it later counts.
  await watch.memberships.left(now);
  await pass(33);
  expect((await rules.show(now)).paused).toBeUndefined();
});

it('a community that is used is not forgotten, whatever order the platform told its events in', async () => {
  const { watch, rules, leftCommunities } = start();
  const used = 'telegram:-5';
  const quiet = 'telegram:-6';
  const write = async () => watch.noticeUse(placeOf(used));

  for (const community of [used, quiet]) {
    await rules.pause(community, 'cleaning');
    await watch.memberships.joined({ place: placeOf(community), by: ann });
    await watch.memberships.left(community);
  }
  // This message may have been sent before the bot was removed.
  await write();
  expect(await leftCommunities.has(used)).toBe(true);

  await pass(28);
  await write();
  await holds(async () => expect(await leftCommunities.has(used)).toBe(false));

  await pass(5);
  expect((await rules.show(used)).paused).toBeDefined();
  expect((await rules.show(quiet)).paused).toBeUndefined();
});

it('servers that are no longer listed were left, unless the list cannot be read', async () => {
  servers = ['1', '2'];
  const { rules, leftCommunities } = start();
  for (const id of ['1', '2', '3']) await rules.pause(`discord:${id}`, '');
  for (const other of ['telegram:-9', 'discord:dm:8']) await rules.pause(other, '');
  const left = async () => {
    const found: string[] = [];
    for await (const [key] of store.keyv('left', leftCommunityRecordRules).iterator()) found.push(key);
    return found.sort();
  };

  await clock.advance(DAY_MS);

  expect(await left()).toEqual(['discord:3']);

  servers = new Error('Discord is away');
  await clock.advance(DAY_MS);
  expect(await left()).toEqual(['discord:3']);

  servers = ['2', '3'];
  await clock.advance(DAY_MS);
  expect(await left()).toEqual(['discord:1']);
  expect(await leftCommunities.has('discord:1')).toBe(true);
});

it('the owners are asked once for each new community, where an approval is needed', async () => {
  servers = ['1', '2'];
  const { watch, approvals } = start('approved');
  await approvals.approve('discord:2', 'Olga');
  await clock.advance(5 * 60_000);
  servers = ['1', '2', '3'];
  await clock.advance(5 * 60_000);
  await watch.memberships.joined({ place: placeOf('telegram:-5'), by: ann, name: 'Club' });
  await watch.memberships.joined({ place: placeOf('telegram:dm:5'), by: ann });
  const requests = asked.map(({ place, name, person }) => ({ community: place.community, name, person }));
  const communities = requests.map(({ community }) => community);

  expect(requests).toContainEqual({ community: 'discord:3', name: 'Server 3', person: undefined });
  expect(requests).toContainEqual({ community: 'telegram:-5', name: 'Club', person: 'Ann' });
  expect(communities).not.toContain('telegram:dm:5');
  expect(new Set(communities).size).toBe(communities.length);
});
