import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { campaignRecords } from '../../../../src/community/campaigns/campaign-records.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import { eventually } from '../../../eventually.ts';
import { createFakeClock, type FakeClock } from '../../../fakes/clock.ts';
import { createFakeMembers } from '../../../fakes/members.ts';
import { interleaved } from '../../../fakes/records.ts';
import { noBegin, openProcess, openService } from '../../../unit/community/campaigns/world.ts';
import { keyOf } from '../../../unit/store/sqlite/open-store.ts';
import type { Driver } from './driver.ts';
import { placeForEach } from './set-up.ts';

const COMMUNITIES = 12;
const keys = [keyOf(6)];

/** Campaigns of several processes on a real store. */
export function campaignTests(driver: Driver): void {
  let service: Awaited<ReturnType<typeof openService>>;
  const place = placeForEach(driver);
  let store: Store;
  let clock: FakeClock;
  let [usual, pumpkin, winter] = ['', '', ''];
  let runs = 0;
  beforeAll(async () => {
    service = await openService();
    [usual = '', pumpkin = '', winter = ''] = service.filters;
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    runs += 1;
    store = await place.open(keys);
    clock = createFakeClock(place.time.now);
  });

  const day = (days: number): string => new Date(clock.now() + days * 86_400_000).toISOString().slice(0, 10);
  const pass = async (ms: number): Promise<void> => {
    clock.leap(ms - 10_000);
    await clock.advance(10_000);
  };
  const whole = () => ({ store, client: service.client, clock });
  const prepared = async (process: ReturnType<typeof openProcess>) => {
    const communities = Array.from({ length: COMMUNITIES }, (_, index) => `discord:${runs}-${index}`);
    for (const community of communities) {
      await process.aliases.create(community, 'halloween', usual);
      await process.schedule(community, 'halloween', pumpkin, day(1), day(2));
      await process.schedule(community, 'halloween', winter, day(2), day(3));
    }
    return communities;
  };
  const linesOf = async (process: ReturnType<typeof openProcess>, communities: readonly string[]) =>
    (await Promise.all(communities.map((community) => process.trail(community)))).map((lines) =>
      lines.join(),
    );
  const all = (process: ReturnType<typeof openProcess>, communities: readonly string[], lines: string) =>
    eventually(async () => {
      await clock.advance(1000);
      return (await linesOf(process, communities)).every((each) => each === lines);
    }, lines);

  it('are carried out once by several processes, also when the one that does so dies', async () => {
    const { join } = createFakeMembers();
    const members = [join(), join(), join()];
    const processes = members.map((member) => openProcess({ ...whole(), members: member }));
    const [first] = processes;
    if (first === undefined) throw new Error('no process');
    const communities = await prepared(first);
    const stops = processes.map((process) => process.start());
    await pass(86_400_000);
    // Some have begun.
    members.find((member) => member.held().includes('campaigns'))?.kill();
    await all(first, communities, 'campaign.start');
    for (const community of communities) expect(await first.pointsTo(community, 'halloween')).toBe(pumpkin);
    const lines = 'campaign.start,campaign.end,campaign.start';
    await pass(86_400_000);
    members.find((member) => member.held().includes('campaigns'))?.kill();
    await all(first, communities, lines);
    for (const community of communities) expect(await first.pointsTo(community, 'halloween')).toBe(winter);
    await pass(86_400_000);
    await all(first, communities, `${lines},campaign.end`);
    await clock.advance(60_000);
    expect(new Set(await linesOf(first, communities))).toEqual(new Set([`${lines},campaign.end`]));
    for (const community of communities) {
      expect(await first.pointsTo(community, 'halloween')).toBe(usual);
      expect((await first.campaigns.of(community)).size).toBe(0);
    }
    expect(processes.flatMap(({ errors }) => errors)).toEqual([]);
    await Promise.all(stops.map((stop) => stop()));
  });

  it('are carried out once although two processes believe that they alone do so', async () => {
    const [one, two] = [openProcess(whole()), openProcess(whole())];
    const communities = await prepared(one);
    const stops = [one.start(), two.start()];
    await pass(86_400_000);
    await all(one, communities, 'campaign.start');
    await pass(86_400_000);
    await all(two, communities, 'campaign.start,campaign.end,campaign.start');
    await pass(86_400_000);
    await all(two, communities, 'campaign.start,campaign.end,campaign.start,campaign.end');
    for (const community of communities)
      expect((await one.aliases.show(community, 'halloween')).history.map(({ label }) => label)).toHaveLength(
        3,
      );
    await Promise.all(stops.map((stop) => stop()));
  });

  it.each([1, 2, 3, 4, 5])('of two that overlap one is stored, by whomever (%i)', async (seed) => {
    const mine = (more: number): Store => ({
      ...store,
      keyv: (...args) => {
        const records = store.keyv(...args);
        return {
          ...interleaved(records, seed + more),
          bytes: records.bytes,
          iterator: () => records.iterator(),
        };
      },
    });
    const [one, two] = [
      openProcess({ ...whole(), store: mine(0) }),
      openProcess({ ...whole(), store: mine(9) }),
    ];
    const community = `discord:overlap-${runs}`;
    await one.aliases.create(community, 'halloween', usual);
    const tried = await Promise.allSettled([
      one.schedule(community, 'halloween', pumpkin, day(1), day(5)),
      two.schedule(community, 'halloween', usual, day(2), day(3)),
      two.schedule(community, 'halloween', usual, day(4), day(6)),
      two.schedule(community, 'halloween', usual, day(8), day(9)),
    ]);
    const kept = tried.filter(({ status }) => status === 'fulfilled').length;
    const stored = (await one.campaigns.of(community)).get('halloween') ?? [];
    expect(stored).toHaveLength(kept);
    for (const [index, next] of stored.slice(1).entries())
      expect(stored[index]?.until).toBeLessThanOrEqual(next.from);
  });

  it('begin although the index of what is due was lost', async () => {
    const first = openProcess(whole());
    const communities = await prepared(first);
    await store.keyv('campaigns', campaignRecords).delete('*due');
    store = await place.open(keys);
    const next = openProcess(whole());
    const stop = next.start();
    await pass(86_400_000);
    await all(next, communities, 'campaign.start');
    await next.campaigns.unschedule(communities[0] ?? '', 'halloween', noBegin);
    await stop();
  });
}
