import fc from 'fast-check';
import { expect, it } from 'vitest';
import { directCommunity } from '../../../../src/command/place.ts';
import { dayOf } from '../../../../src/orchestrator/job/day.ts';
import type { Job } from '../../../../src/orchestrator/job/job.ts';
import { OrderRefused } from '../../../../src/orchestrator/job/order-refused.ts';
import type { NewJob } from '../../../../src/orchestrator/job/records.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import { jobWith } from '../../../fakes/job.ts';
import { sampleJob } from '../../../fakes/sample-job.ts';
import { type Driver, orderOf, type Place } from './driver.ts';
import { PLAIN_AND_ENCRYPTED } from './set-up.ts';

const HOUR = 3_600_000;
const PEOPLE = ['1', '2'];
const FIRST = 'discord:a';
const COMMUNITIES = [FIRST, directCommunity('discord:1')];
const limits = { userConcurrentJobs: 1e6, userWaitingJobs: 1e6, userJobsPerMinute: 1e6 };
const sample = sampleJob();
type NewGrant = Parameters<Store['grants']['add']>[0];
const keyOfPerson = (who: string): string => `discord:${who}`;

/** The credits of one job, as the model has them. */
interface Charge {
  readonly who: string;
  readonly where: string;
  readonly day: string;
  readonly credits: number;
  readonly granted: number;
  readonly grantsOf: string;
  /** The number of the grant that paid: how many grants of the person had been taken back or deleted before. */
  readonly grant: number;
  state: 'reserved' | 'spent' | 'returned';
  job: Job | undefined;
}

const sum = (all: readonly number[]): number => all.reduce((one, other) => one + other, 0);

/** Numbers by the names of what they count; a number that was never added to is zero. */
class Counts extends Map<string, number> {
  of(...about: readonly string[]): number {
    return this.get(about.join(' ')) ?? 0;
  }
  add(by: number, ...about: readonly string[]): void {
    this.set(about.join(' '), this.of(...about) + by);
  }
}

/** The ledger as a list of charges, all of which are added up for every question. */
class Model {
  readonly charges: Charge[] = [];
  /** Credits of grants, by community and person. */
  readonly grants = new Counts();
  /** How often the grants of each person in each community were taken back or deleted. */
  readonly endings = new Counts();
  /** Credits that moderators gave, without those that were taken back unused, by day, community and person. */
  readonly given = new Counts();
  readonly events = new Set<string>();

  taken(day: string, fits: (charge: Charge) => boolean): readonly Charge[] {
    return this.charges.filter((each) => each.day === day && each.state !== 'returned' && fits(each));
  }
  giveBack(charge: Charge): void {
    if (charge.state === 'returned') return;
    charge.state = 'returned';
    const { grantsOf, who, granted } = charge;
    // A grant that was taken back or deleted gets nothing back, nor does a grant that was given after it.
    if (charge.grant === this.endings.of(grantsOf, who) && this.grants.has(`${grantsOf} ${who}`))
      this.grants.add(granted, grantsOf, who);
  }
  endGrant(where: string, who: string): void {
    this.grants.delete(`${where} ${who}`);
    this.endings.add(1, where, who);
  }
  /** The credits that a person used on a day in these communities, of the day's or of grants. */
  used(day: string, ids: readonly string[], who: string, of: 'daily' | 'granted'): number {
    const mine = this.taken(day, (each) => each.who === who && ids.includes(each.where));
    return sum(mine.map(({ credits, granted }) => (of === 'granted' ? granted : credits - granted)));
  }
  forget(who: string): void {
    for (const where of COMMUNITIES) if (this.grants.has(`${where} ${who}`)) this.endGrant(where, who);
    for (const charge of this.charges)
      if (charge.who === who && charge.job !== undefined) {
        if (charge.state === 'reserved') this.giveBack(charge);
        charge.job = undefined;
      }
  }
}

const who = fc.constantFrom(...PEOPLE);
const where = fc.constantFrom(...COMMUNITIES);
/** Whether the community is known by its own id alone, or by the other community's, too. */
const ids = fc.constantFrom<'one' | 'both'>('one', 'one', 'both');
const idsOf = (op: { readonly where: string; readonly ids: 'one' | 'both' }): readonly string[] =>
  op.ids === 'one' ? [op.where] : COMMUNITIES;
const byModerator = (allowance: number, fromOwner: number) => ({ byModerator: { allowance, fromOwner } });
const does = <T extends string>(...what: T[]) => fc.constantFrom(...what);
const operation = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: does('accept'),
      who,
      where,
      credits: fc.nat(8),
      daily: fc.constantFrom(-3, 0, 3, 8, 20),
      most: fc.constantFrom<Pick<NewJob, 'mostGiven'>>({}, { mostGiven: 15 }, { mostGiven: 25 }),
      // Mostly those of the same community, as in the program; the last is that of a community's former id.
      grants: fc.constantFrom<'none' | 'here' | 'first'>('none', 'here', 'here', 'here', 'first'),
      community: fc.constantFrom(undefined, undefined, undefined, 12, 30),
      service: fc.constantFrom(undefined, undefined, undefined, 25, 60),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: does('spend', 'return', 'remove'), which: fc.nat() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: does('grant'),
      who,
      where,
      credits: fc.integer({ min: 1, max: 20 }),
      most: fc.constantFrom(15, 25, 1_000),
      by: fc.constantFrom<Pick<NewGrant, 'byModerator'>>(
        {},
        byModerator(0, 3),
        byModerator(0, 0),
        byModerator(8, 0),
      ),
      ids,
      event: fc.nat(30),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: does('take back'), who, where, ids }) },
  { weight: 1, arbitrary: fc.record({ do: does('erase'), who }) },
  { weight: 1, arbitrary: fc.record({ do: does('wait'), hours: fc.integer({ min: 1, max: 9 }) }) },
  { weight: 1, arbitrary: fc.record({ do: does('restart') }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

let events = 0;

async function run(
  operations: readonly Operation[],
  place: Place,
  keys: readonly Uint8Array[],
): Promise<void> {
  const model = new Model();
  const runId = ++events;
  let store: Store = await place.open(keys);
  const today = (): string => dayOf(place.time.now);
  const grantsOf = ({ grants, where: here }: Operation & { do: 'accept' }): string | undefined =>
    ({ none: undefined, here, first: FIRST })[grants];

  const expected = (op: Operation & { do: 'accept' }) => {
    const of = grantsOf(op);
    const given = model.given.of(today(), of ?? '', op.who);
    const allowance = Math.min(op.daily, (op.most.mostGiven ?? Number.POSITIVE_INFINITY) - given);
    const daily = Math.max(0, allowance - model.used(today(), [op.where], op.who, 'daily'));
    const granting = of === undefined ? 0 : model.grants.of(of, op.who);
    const granted = Math.max(0, op.credits - daily);
    if (granted > granting) return { refused: { code: 'allowance', left: daily + granting } };
    const here = sum(model.taken(today(), (each) => each.where === op.where).map(({ credits }) => credits));
    if (op.community !== undefined && here + op.credits > op.community)
      return { refused: { code: 'ceiling', of: 'community', left: Math.max(0, op.community - here) } };
    const all = sum(model.taken(today(), () => true).map(({ credits }) => credits));
    if (op.service !== undefined && all + op.credits > op.service)
      return { refused: { code: 'ceiling', of: 'service', left: Math.max(0, op.service - all) } };
    return { granted, total: op.service === undefined ? {} : { total: all + op.credits } };
  };
  const accept = async (op: Operation & { do: 'accept' }): Promise<void> => {
    const { who, where, credits } = op;
    const job = sampleJob({
      state: 'opening',
      credits,
      createdAt: place.time.now,
      day: today(),
      caller: { ...sample.caller, id: who },
      place: { ...sample.place, community: where },
    });
    const of = grantsOf(op);
    const order = orderOf(job, {
      dailyCredits: op.daily,
      ...op.most,
      limits: op.service === undefined ? limits : { ...limits, serviceDailyCredits: op.service },
      ...(of === undefined ? {} : { grantsOf: of }),
      ...(op.community === undefined ? {} : { communityCredits: op.community }),
    });
    const wanted = expected(op);
    const result = await store.jobs.accept(order).catch((error: unknown) => {
      if (error instanceof OrderRefused) return error.reason;
      throw error;
    });
    if (wanted.refused !== undefined) return void expect(result).toMatchObject(wanted.refused);
    expect(result).toEqual({ job, known: false, ...wanted.total });
    const from = { granted: wanted.granted, grantsOf: of ?? '', grant: model.endings.of(of ?? '', who) };
    if (wanted.granted > 0) model.grants.add(-wanted.granted, from.grantsOf, who);
    model.charges.push({ who, where, day: job.day, credits, ...from, state: 'reserved', job });
  };
  const end = async (op: Operation & { do: 'spend' | 'return' | 'remove' }): Promise<void> => {
    const open = model.charges.filter(({ job }) => job !== undefined);
    const charge = open[op.which % Math.max(1, open.length)];
    const job = charge?.job;
    if (charge === undefined || job === undefined) return;
    if (op.do === 'remove') {
      await store.jobs.remove(job.id);
      // Credits of a removed job go back once, however often they are returned.
      for (let times = 0; times < 2; times += 1)
        await store.jobs.returnCredits(jobWith({ ...job, state: 'submitting' }));
      model.giveBack(charge);
      charge.job = undefined;
      return;
    }
    if (op.do === 'spend' && charge.state !== 'reserved') return;
    const change =
      op.do === 'spend'
        ? jobWith({ ...job, state: 'running', charge: 'spent', serviceId: `service ${job.id}` })
        : jobWith({ ...job, state: 'failed', charge: 'returned', settled: true, finishedAt: place.time.now });
    charge.job = await store.jobs.save(job, change);
    expect(charge.job).toBeDefined();
    if (op.do === 'spend') charge.state = 'spent';
    else {
      model.giveBack(charge);
      charge.job = undefined;
    }
  };
  const erase = async (who: string): Promise<void> => {
    const key = await store.erasures.begin(keyOfPerson(who));
    for (let isLeft = true; isLeft; ) {
      const { left, open } = await store.erasures.more(key, 100);
      const ended = { state: 'cancelled', settled: true, forget: true, finishedAt: place.time.now } as const;
      for (const job of open) {
        const charge = job.charge === 'reserved' ? 'returned' : job.charge;
        await store.jobs.save(job, jobWith({ ...job, ...ended, charge }));
      }
      isLeft = left;
    }
    model.forget(who);
  };
  const step = async (op: Operation): Promise<void> => {
    if (op.do === 'accept') return accept(op);
    if ('which' in op) return end(op);
    if (op.do === 'wait') place.time.now += op.hours * HOUR;
    else if (op.do === 'restart') store = await place.open(keys);
    else if (op.do === 'erase') await erase(op.who);
    else if (op.do === 'take back') {
      const { who, where: community } = op;
      const left = model.grants.of(community, who);
      const taken = { community, ids: idsOf(op), person: keyOfPerson(who), at: place.time.now };
      expect(await store.grants.takeBack(taken)).toBe(left);
      model.endGrant(community, who);
      const unused = model.given.of(today(), community, who) - model.used(today(), idsOf(op), who, 'granted');
      model.given.add(-Math.max(0, Math.min(left, unused)), today(), community, who);
    } else {
      const { who, where: community, credits, most, by } = op;
      const event = `${runId} ${op.event}`;
      const left = model.grants.of(community, who);
      const isNew = !model.events.has(event);
      let rest = most - left;
      if (by.byModerator !== undefined) {
        const { allowance, fromOwner } = by.byModerator;
        const used = Math.max(allowance, model.used(today(), idsOf(op), who, 'daily') - fromOwner);
        rest = Math.min(rest, most - model.given.of(today(), community, who) - used);
      }
      const isMore = isNew && credits > rest;
      if (isNew && !isMore) {
        model.events.add(event);
        model.grants.add(credits, community, who);
        if (by.byModerator !== undefined) model.given.add(credits, today(), community, who);
      }
      const to = { community, ids: idsOf(op), person: keyOfPerson(who) };
      expect(await store.grants.add({ ...to, credits, most, event, at: place.time.now, ...by })).toEqual({
        outcome: isMore ? 'most' : 'added',
        left: model.grants.of(community, who),
        ...(isMore ? { rest: Math.max(0, rest) } : {}),
      });
    }
  };
  const compare = async (): Promise<void> => {
    for (const community of COMMUNITIES) {
      const here = model.taken(today(), (each) => each.where === community);
      const all = await store.usage.community(today(), community);
      expect(all.reserved + all.spent).toBe(sum(here.map(({ credits }) => credits)));
      const listed = (await store.grants.list(community)).map((each) => `${each.person} ${each.credits}`);
      const granted = PEOPLE.map((who) => [keyOfPerson(who), model.grants.of(community, who)] as const);
      expect(listed.toSorted()).toEqual(
        granted.filter(([, credits]) => credits > 0).map((each) => each.join(' ')),
      );
      for (const who of PEOPLE) {
        const mine = here.filter((each) => each.who === who);
        const of = (state: Charge['state']) =>
          sum(mine.filter((each) => each.state === state).map(({ credits }) => credits));
        const paid = sum(mine.map(({ granted: part }) => part));
        const given = model.given.of(today(), community, who);
        expect(await store.usage.person(today(), community, keyOfPerson(who))).toMatchObject({
          reserved: of('reserved'),
          spent: of('spent'),
          ...(paid > 0 ? { granted: paid } : {}),
          ...(given > 0 ? { given } : {}),
        });
        const left = await store.grants.left(community, keyOfPerson(who));
        expect(left).toBe(model.grants.of(community, who));
      }
    }
  };

  for (const [index, op] of operations.entries()) {
    await step(op);
    if (index % 8 === 7) await compare();
  }
  await compare();
}

/** Random days of allowances, grants, ceilings, refunds, erasures and restarts. */
export function ledgerModelTests(driver: Driver): void {
  it.each(PLAIN_AND_ENCRYPTED)(
    'the ledger is what adding everything up gives, $how',
    async ({ keys }) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(operation, { minLength: 80, maxLength: 140, size: 'max' }),
          async (operations) => {
            const place = await driver.create();
            try {
              await run(operations, place, keys);
            } finally {
              await place.remove();
            }
          },
        ),
        { numRuns: 5, endOnFailure: true },
      );
    },
    60_000,
  );
}
