import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../../src/store/sqlite/store.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import { eventually } from '../../../eventually.ts';
import { createFakeClock, type FakeClock } from '../../../fakes/clock.ts';
import { away, mod, noBegin, openProcess, openService, type Process } from './world.ts';

let service: Awaited<ReturnType<typeof openService>>;
let [usual, pumpkin, winter, group] = ['', '', '', ''];
beforeAll(async () => {
  service = await openService();
  [usual = '', pumpkin = '', winter = ''] = service.filters;
  group = (await service.client.customFilters()).find(({ model }) => model === 'group')?.id ?? '';
});
afterAll(() => service.close());

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
let runs = 0;
let community: string;
let store: Store;
let clock: FakeClock;
beforeEach(async () => {
  runs += 1;
  community = `discord:${runs}`;
  // 2026-01-05 12:00 UTC
  clock = createFakeClock();
  store = await openStore({ path: ':memory:', keys: [], now: clock.now });
  onTestFinished(() => store.close());
});
const begin = (more: Partial<Parameters<typeof openProcess>[0]> = {}): Process =>
  openProcess({ store, client: service.client, clock, ...more });
/** It stops at the end of its test, if not before. */
const stopping = (process: Process): Process & { stop(): Promise<void> } => {
  const stop = process.start();
  onTestFinished(stop);
  return { ...process, stop };
};
const started = async (more: Parameters<typeof begin>[0] = {}): Promise<ReturnType<typeof stopping>> => {
  const process = begin(more);
  await process.aliases.create(community, 'halloween', usual).catch(() => undefined);
  return stopping(process);
};
/** A long time passes, without the timers on the way. */
const pass = async (ms: number): Promise<void> => {
  clock.leap(ms - 10_000);
  await clock.advance(10_000);
};
/** Time passes, in steps as small as the timer's, until something is so. */
const until = (isSo: () => Promise<boolean>, what: string) =>
  eventually(async () => {
    await clock.advance(10);
    return isSo();
  }, what);
const trailIs = (process: Process, ...lines: string[]) =>
  until(async () => JSON.stringify(await process.trail(community)) === JSON.stringify(lines), lines.join());

describe('a campaign', () => {
  it('repoints the alias at its time and back at the other, each once', async () => {
    const process = await started();
    await process.schedule(community, 'halloween', pumpkin, '2026-01-06', '2026-01-08');
    await pass(12 * HOUR - 1000);
    expect(process.calls).toEqual([]);
    await clock.advance(1000);
    await trailIs(process, 'campaign.start');
    expect(await process.pointsTo(community, 'halloween')).toBe(pumpkin);
    await pass(2 * DAY - MINUTE);
    expect(process.calls).toEqual([pumpkin]);
    await clock.advance(MINUTE);
    await trailIs(process, 'campaign.start', 'campaign.end');
    expect(await process.pointsTo(community, 'halloween')).toBe(usual);
    await pass(DAY);
    expect(process.calls).toEqual([pumpkin, usual]);
    expect((await process.campaigns.of(community)).size).toBe(0);
    expect([process.told, process.errors]).toEqual([[], []]);
  });

  it('waits while the community is not approved: its start, its end, and what was missed as a whole', async () => {
    let isUnapproved = true;
    let asked = 0;
    const process = await started({
      isUnapproved: () => {
        asked += 1;
        return isUnapproved;
      },
    });
    await process.schedule(community, 'halloween', pumpkin, '2026-01-06', '2026-01-08');
    await pass(12 * HOUR + MINUTE);
    await until(async () => asked > 0, 'the start to wait');
    asked = 0;
    await clock.advance(5 * MINUTE);
    // It is looked at now and then, not all the time.
    expect(asked).toBeGreaterThan(4);
    expect(asked).toBeLessThan(20);
    expect([process.calls, await process.trail(community)]).toEqual([[], []]);
    isUnapproved = false;
    await clock.advance(MINUTE);
    await trailIs(process, 'campaign.start');
    isUnapproved = true;
    await pass(3 * DAY);
    expect(process.calls).toEqual([pumpkin]);
    await process.schedule(community, 'halloween', winter, '2026-01-10', '2026-01-11');
    await pass(10 * DAY);
    expect(process.calls).toEqual([pumpkin]);
    isUnapproved = false;
    await clock.advance(MINUTE);
    await trailIs(process, 'campaign.start', 'campaign.end', 'campaign.missed');
    expect(process.calls).toEqual([pumpkin, usual]);
    expect(process.errors).toEqual([]);
  });

  it('without an end stays, and others can follow it', async () => {
    const process = await started();
    await process.schedule(community, 'halloween', pumpkin, '2026-01-06');
    await process.schedule(community, 'halloween', winter, '2026-01-07', '2026-01-08');
    await pass(DAY);
    await trailIs(process, 'campaign.start');
    await pass(DAY);
    await trailIs(process, 'campaign.start', 'campaign.start');
    await pass(DAY);
    await trailIs(process, 'campaign.start', 'campaign.start', 'campaign.end');
    expect(process.calls).toEqual([pumpkin, winter, pumpkin]);
  });

  it('that begins when another ends takes over from it; the filter from before the first returns', async () => {
    const process = await started();
    await process.schedule(community, 'halloween', winter, '2026-01-07', '2026-01-08');
    await process.schedule(community, 'halloween', pumpkin, '2026-01-06', '2026-01-07');
    await process.schedule(community, 'halloween', pumpkin, '2026-01-08', '2026-01-09');
    const steps = ['campaign.start'];
    await pass(DAY);
    await trailIs(process, ...steps);
    for (const filter of [winter, pumpkin]) {
      await pass(DAY);
      steps.push('campaign.end', 'campaign.start');
      await trailIs(process, ...steps);
      expect(await process.pointsTo(community, 'halloween')).toBe(filter);
      expect((await process.campaigns.of(community)).get('halloween')?.[0]?.state).toBe('running');
    }
    await pass(DAY);
    await trailIs(process, ...steps, 'campaign.end');
    expect(process.calls).toEqual([pumpkin, winter, pumpkin, usual]);
    expect((await process.campaigns.of(community)).size).toBe(0);
  });

  it('that takes over and has no end: nothing returns', async () => {
    const process = await started();
    await process.schedule(community, 'halloween', pumpkin, '2026-01-06', '2026-01-07');
    await process.schedule(community, 'halloween', pumpkin, '2026-01-07');
    await pass(DAY);
    await trailIs(process, 'campaign.start');
    await pass(2 * DAY);
    await trailIs(process, 'campaign.start', 'campaign.end', 'campaign.start');
    expect(process.calls).toEqual([pumpkin]);
    expect((await process.campaigns.of(community)).size).toBe(0);
  });

  it('that should take over and is refused: the one before ends as if there were none', async () => {
    let gone = '';
    const process = await started({
      customFilters: async () => (await service.client.customFilters()).filter(({ id }) => id !== gone),
    });
    await process.schedule(community, 'halloween', pumpkin, '2026-01-06', '2026-01-07');
    await process.schedule(community, 'halloween', winter, '2026-01-07', '2026-01-08');
    await pass(DAY);
    await trailIs(process, 'campaign.start');
    gone = winter;
    await pass(DAY);
    await trailIs(process, 'campaign.start', 'campaign.failed filter-unknown', 'campaign.end');
    expect(process.calls).toEqual([pumpkin, usual]);
  });

  it('of the current minute begins now', async () => {
    const process = await started();
    await clock.advance(30_000);
    await process.schedule(community, 'halloween', pumpkin, '2026-01-05T12:00');
    await trailIs(process, 'campaign.start');
  });

  it.each([
    ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:00Z'],
    ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30Z'],
    ['Asia/Beirut', '2027-03-28', '2027-03-27T22:00Z'],
  ])('in %s at %s begins at %s', async (zone, local, expected) => {
    const process = await started({ zone });
    const at = Date.parse(expected);
    await process.schedule(community, 'halloween', pumpkin, local);
    await process.stop();
    clock.leap(at - clock.now() - 1000);
    const next = await started({ zone });
    await clock.advance(900);
    expect(next.calls).toEqual([]);
    await clock.advance(100);
    await trailIs(next, 'campaign.start');
  });
});

it('one person’s many campaigns at the same time do not delay another person’s', async () => {
  const process = begin();
  const { aliases, campaigns } = process;
  const schedule = async (by: string, where: string, name: string, filter: string): Promise<void> => {
    await aliases.create(where, name, usual);
    const wanted = { name, filter, from: '2026-01-06' };
    await campaigns.schedule(where, { ...mod, id: by }, wanted, noBegin);
  };
  for (let group = 0; group < 10; group += 1)
    for (const name of ['one', 'two', 'three']) await schedule('eve', `${community}-${group}`, name, pumpkin);
  await schedule('ann', community, 'halloween', winter);
  const stop = process.start();
  await pass(12 * HOUR);
  await until(async () => process.calls.length === 31, 'all campaigns to begin');
  // As many of hers as can be under way for one person, and a few that were faster.
  expect(process.calls.indexOf(winter)).toBeLessThanOrEqual(12);
  await stop();
});

describe('refused', () => {
  it.each([
    ['2026-01-05T11:59', undefined, 'campaign-past'],
    ['2026-01-05', undefined, 'campaign-past'],
    ['1000-01-01', undefined, 'campaign-past'],
    ['2026-01-06', '2026-01-06', 'campaign-order'],
    ['2026-01-06', '2026-01-05T18:00', 'campaign-order'],
  ])('%s until %s: %s', async (from, end, code) => {
    const process = await started();
    await expect(process.schedule(community, 'halloween', pumpkin, from, end)).rejects.toMatchObject({
      reason: { code },
    });
    expect((await process.campaigns.of(community)).size).toBe(0);
  });

  it.each([
    ['2026-02-09', '2026-02-11'],
    ['2026-02-11', '2026-02-12'],
    ['2026-02-01', '2026-03-01'],
    ['2026-02-10', undefined],
    ['2026-02-15', undefined],
  ])('what overlaps another one of the alias: %s until %s', async (from, end) => {
    const process = await started();
    await process.schedule(community, 'halloween', pumpkin, '2026-02-10', '2026-02-20');
    await expect(process.schedule(community, 'halloween', winter, from, end)).rejects.toMatchObject({
      reason: { code: 'campaign-overlap', from: '2026-02-10 00:00', until: '2026-02-20 00:00' },
    });
    await process.aliases.create(community, 'other', usual);
    await process.schedule(community, 'other', winter, from, end);
  });

  it('where a repoint would be', async () => {
    const process = await started();
    for (const [name, filter, code] of [
      ['nothing', pumpkin, 'alias-unknown'],
      ['halloween', 'no such filter', 'filter-unknown'],
      ['halloween', '12', 'filter-is-number'],
      ['halloween', group, 'wrong-model'],
    ] as const)
      await expect(process.schedule(community, name, filter, '2026-02-10')).rejects.toMatchObject({
        reason: { code },
      });
  });

  it('too many', async () => {
    const process = await started();
    for (let day = 0; day < 20; day += 1)
      await process.schedule(community, 'halloween', pumpkin, `2026-02-10T00:${10 + day}`);
    await expect(process.schedule(community, 'halloween', pumpkin, '2026-02-11')).rejects.toMatchObject({
      reason: { code: 'campaign-limit', limit: 20 },
    });
  });

  it('and the same command again is no other campaign', async () => {
    const process = await started();
    let begun = 0;
    for (let times = 0; times < 2; times += 1)
      await process.campaigns.schedule(
        community,
        { platform: 'discord', id: '7', name: 'Mod', locale: 'en' },
        { name: 'halloween', filter: pumpkin, from: '2026-02-10' },
        async () => {
          begun += 1;
        },
      );
    expect(begun).toBe(1);
    expect((await process.campaigns.of(community)).get('halloween')).toHaveLength(1);
  });
});

describe('while no process runs', () => {
  const asleep = async (from: string, end: string | undefined, ms: number) => {
    const before = await started();
    await before.schedule(community, 'halloween', pumpkin, from, end);
    await before.stop();
    clock.leap(ms);
    return started();
  };

  it('one whose end is still ahead begins at the start', async () => {
    const process = await asleep('2026-01-06', '2026-01-20', 3 * DAY);
    await trailIs(process, 'campaign.start');
    expect(await process.pointsTo(community, 'halloween')).toBe(pumpkin);
  });

  it('one that was missed as a whole is only told of', async () => {
    const process = await asleep('2026-01-06', '2026-01-07', 3 * DAY);
    await trailIs(process, 'campaign.missed');
    expect(process.calls).toEqual([]);
    expect(process.told).toEqual([expect.stringMatching(/^7: .*was missed as a whole/)]);
  });

  it('one that was running ends, what was missed is told of, and the next begins', async () => {
    const before = await started();
    await before.schedule(community, 'halloween', pumpkin, '2026-01-06', '2026-01-08');
    await before.schedule(community, 'halloween', winter, '2026-01-08', '2026-01-10');
    await before.schedule(community, 'halloween', winter, '2026-01-10');
    await pass(DAY);
    await trailIs(before, 'campaign.start');
    await before.stop();
    clock.leap(10 * DAY);
    const process = await started();
    await trailIs(process, 'campaign.start', 'campaign.missed', 'campaign.end', 'campaign.start');
    expect(process.calls).toEqual([usual, winter]);
  });
});

describe('by hand', () => {
  it('unschedule takes back what is coming and ends what is running', async () => {
    const process = await started();
    await process.schedule(community, 'halloween', pumpkin, '2026-01-06', '2026-01-08');
    await process.schedule(community, 'halloween', winter, '2026-01-08');
    await pass(DAY);
    await trailIs(process, 'campaign.start');
    const done = process.campaigns.unschedule(community, 'halloween', noBegin);
    await clock.advance(0);
    expect(await done).toEqual({ taken: 1, ended: true });
    await trailIs(process, 'campaign.start', 'campaign.end');
    expect(await process.pointsTo(community, 'halloween')).toBe(usual);
    await pass(10 * DAY);
    expect(process.calls).toEqual([pumpkin, usual]);
    await expect(process.campaigns.unschedule(community, 'halloween', noBegin)).rejects.toMatchObject({
      reason: { code: 'campaign-none' },
    });
  });

  it('of two that unschedule at the same time, one has taken it back', async () => {
    const process = await started();
    await process.schedule(community, 'halloween', pumpkin, '2026-01-06');
    const other = () => process.campaigns.unschedule(community, 'halloween', noBegin);
    const slower = process.campaigns.unschedule(community, 'halloween', async () => void (await other()));
    await expect(slower).rejects.toMatchObject({ reason: { code: 'campaign-none' } });
  });

  it('a repoint ends what is running, and nothing returns; what is coming stays', async () => {
    const process = await started();
    await process.schedule(community, 'halloween', pumpkin, '2026-01-06', '2026-01-08');
    await process.schedule(community, 'halloween', winter, '2026-01-09');
    await pass(DAY);
    await trailIs(process, 'campaign.start');
    // To the same filter: it is kept.
    await process.aliases.repoint(community, 'halloween', pumpkin, undefined, () =>
      process.campaigns.replaced(community, 'halloween'),
    );
    await pass(2 * DAY);
    expect(await process.pointsTo(community, 'halloween')).toBe(pumpkin);
    await pass(DAY);
    await trailIs(process, 'campaign.start', 'campaign.start');
    expect(await process.pointsTo(community, 'halloween')).toBe(winter);
  });

  it('a repoint that another process makes when a campaign ends is not undone', async () => {
    const process = await started();
    await process.schedule(community, 'halloween', pumpkin, '2026-01-06', '2026-01-08');
    await process.schedule(community, 'halloween', usual, '2026-01-08', '2026-01-09');
    await pass(DAY);
    await trailIs(process, 'campaign.start');
    await pass(2 * DAY - 12 * HOUR - 20_000);
    const isAsked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const other = begin({
      service: {
        update: async (id, to) => {
          isAsked.resolve();
          await answer.promise;
          return service.client.aliases.update(id, to);
        },
      },
    });
    const repointing = other.aliases.repoint(
      community,
      'halloween',
      winter,
      () => other.campaigns.hold(community, 'halloween'),
      () => other.campaigns.replaced(community, 'halloween'),
    );
    await isAsked.promise;
    await clock.advance(25_000);
    expect(process.calls).toEqual([pumpkin]);
    answer.resolve();
    await repointing;
    expect(await process.trail(community)).toEqual(['campaign.start']);
    // What was coming stays, and returns to what was set by hand.
    await pass(MINUTE);
    await trailIs(process, 'campaign.start', 'campaign.start');
    await pass(DAY);
    await trailIs(process, 'campaign.start', 'campaign.start', 'campaign.end');
    expect(await process.pointsTo(community, 'halloween')).toBe(winter);
    expect(process.calls).toEqual([pumpkin, usual, winter]);
  });

  it('a repoint that fails leaves the campaign as it is', async () => {
    const process = await started();
    await process.schedule(community, 'halloween', pumpkin, '2026-01-06', '2026-01-08');
    await pass(DAY);
    await trailIs(process, 'campaign.start');
    await process.campaigns.hold(community, 'halloween');
    await pass(2 * DAY);
    await trailIs(process, 'campaign.start', 'campaign.end');
    expect(process.told).toEqual([]);
  });

  it('a repoint at the service, not through us, is left as it is', async () => {
    const process = await started();
    await process.schedule(community, 'halloween', pumpkin, '2026-01-06', '2026-01-08');
    await pass(DAY);
    await trailIs(process, 'campaign.start');
    const { id } = await process.aliases.show(community, 'halloween');
    await service.client.aliases.update(id, { filter: winter, project: community });
    await process.schedule(community, 'halloween', usual, '2026-01-08', '2026-01-09');
    await pass(2 * DAY);
    await trailIs(process, 'campaign.start', 'campaign.replaced', 'campaign.start');
    await pass(DAY);
    await trailIs(process, 'campaign.start', 'campaign.replaced', 'campaign.start', 'campaign.end');
    expect(await process.pointsTo(community, 'halloween')).toBe(winter);
  });

  it('a deleted alias has none', async () => {
    const process = await started();
    await process.schedule(community, 'halloween', pumpkin, '2026-01-06', '2026-01-08');
    await process.campaigns.forget(community, 'halloween');
    await pass(3 * DAY);
    expect(process.calls).toEqual([]);
  });

  it('a group that becomes a supergroup keeps them, under the new name of the alias', async () => {
    const process = await started();
    const moved = `${community}-moved`;
    await process.aliases.create(moved, 'halloween', usual);
    await process.schedule(community, 'halloween', pumpkin, '2026-01-06');
    for (let times = 0; times < 2; times += 1) {
      await process.aliases.move(community, moved);
      await process.campaigns.move(community, moved, (id) => process.aliases.nameOf(moved, id));
    }
    expect([...(await process.campaigns.of(moved)).keys()]).toEqual(['halloween-2']);
    await pass(DAY);
    await until(async () => (await process.pointsTo(moved, 'halloween-2')) === pumpkin, 'the campaign');
    expect(await process.pointsTo(moved, 'halloween')).toBe(usual);
  });
});

describe('the service at its time', () => {
  it('no longer has the filter: nothing changes, and it is told', async () => {
    const process = await started();
    await process.schedule(community, 'halloween', pumpkin, '2026-01-06', '2026-01-08');
    await process.stop();
    const next = await started({
      customFilters: async () => (await service.client.customFilters()).filter(({ id }) => id !== pumpkin),
    });
    await pass(DAY);
    await trailIs(next, 'campaign.failed filter-unknown');
    expect(next.calls).toEqual([]);
    expect(next.told).toEqual([expect.stringMatching(/^7: .*could not be carried out/)]);
    await pass(5 * DAY);
    expect(await next.pointsTo(community, 'halloween')).toBe(usual);
  });

  it('is away: it is tried until it works, and told once', async () => {
    let isAway = true;
    const process = await started({
      service: {
        update: (id, to) => (isAway ? Promise.reject(away) : service.client.aliases.update(id, to)),
      },
    });
    await process.schedule(community, 'halloween', pumpkin, '2026-01-06', '2026-01-20');
    await pass(DAY);
    await trailIs(process, 'campaign.delayed');
    for (let minutes = 0; minutes < 10; minutes += 1) {
      const before = process.calls.length;
      await until(async () => {
        await clock.advance(10_000);
        return process.calls.length > before;
      }, 'another try');
    }
    isAway = false;
    await until(async () => {
      await clock.advance(10_000);
      return (await process.trail(community)).includes('campaign.start');
    }, 'the start');
    expect(await process.trail(community)).toEqual(['campaign.delayed', 'campaign.start']);
    expect(process.told).toEqual([expect.stringMatching(/is late/)]);
  });

  it('is away for the whole campaign: it was missed', async () => {
    const process = await started({ customFilters: () => Promise.reject(away) });
    const before = begin();
    await before.aliases.create(community, 'halloween', usual);
    await before.schedule(community, 'halloween', pumpkin, '2026-01-06', '2026-01-06T00:30');
    await pass(12 * HOUR);
    await trailIs(process, 'campaign.delayed');
    await pass(HOUR);
    await until(async () => {
      await clock.advance(10_000);
      return (await process.trail(community)).includes('campaign.missed');
    }, 'the end');
    expect(await process.trail(community)).toEqual(['campaign.delayed', 'campaign.missed']);
  });
});

describe('after a restore from before its begin', () => {
  const namespaces = ['aliases', 'campaigns'] as const;
  /** The store's records as they are now; the returned function puts them back. What the service has stays. */
  const backUp = async (): Promise<() => Promise<void>> => {
    const kept = await Promise.all(namespaces.map((name) => store.keyv(name).get(community)));
    return async () => {
      for (const [index, name] of namespaces.entries()) await store.keyv(name).set(community, kept[index]);
    };
  };
  const restoredAt = async (passedMs: number, restore: () => Promise<void>) => {
    clock.leap(passedMs);
    await restore();
    const process = begin();
    // As every start does.
    await process.aliases.reconcile();
    return stopping(process);
  };

  it.each([
    ['while it runs', 0],
    ['when it is over', 3 * DAY],
  ])('%s, the alias returns to what it pointed to before', async (_, passedMs) => {
    const before = await started();
    await before.schedule(community, 'halloween', pumpkin, '2026-01-06', '2026-01-08');
    const restore = await backUp();
    await pass(DAY);
    await trailIs(before, 'campaign.start');
    await before.stop();
    const process = await restoredAt(passedMs, restore);
    await trailIs(process, 'campaign.start', 'campaign.start', ...(passedMs > 0 ? ['campaign.end'] : []));
    if (passedMs === 0) {
      await pass(2 * DAY);
      await trailIs(process, 'campaign.start', 'campaign.start', 'campaign.end');
    }
    expect(process.calls).toEqual([usual]);
    expect(await process.pointsTo(community, 'halloween')).toBe(usual);
  });

  it('the filter before the one that it follows returns', async () => {
    const before = await started();
    await before.schedule(community, 'halloween', pumpkin, '2026-01-06', '2026-01-07');
    await before.schedule(community, 'halloween', winter, '2026-01-07', '2026-01-09');
    await pass(13 * HOUR);
    await trailIs(before, 'campaign.start');
    const restore = await backUp();
    await pass(DAY);
    await until(async () => (await before.pointsTo(community, 'halloween')) === winter, 'the second');
    await before.stop();
    const process = await restoredAt(0, restore);
    await pass(3 * DAY);
    await until(async () => (await process.campaigns.of(community)).size === 0, 'its end');
    expect(await process.pointsTo(community, 'halloween')).toBe(usual);
  });

  it('an alias that a moderator pointed to the same filter before it keeps that', async () => {
    const before = await started();
    await before.schedule(community, 'halloween', pumpkin, '2026-01-06', '2026-01-08');
    await before.aliases.repoint(community, 'halloween', pumpkin);
    const restore = await backUp();
    await pass(DAY);
    await trailIs(before, 'campaign.start');
    await before.stop();
    const process = await restoredAt(0, restore);
    await pass(3 * DAY);
    await until(async () => (await process.campaigns.of(community)).size === 0, 'its end');
    expect(await process.pointsTo(community, 'halloween')).toBe(pumpkin);
  });
});
