import fc from 'fast-check';
import { expect, it } from 'vitest';
import { directCommunity } from '../../../../src/command/place.ts';
import { dayOf } from '../../../../src/orchestrator/job/day.ts';
import type { Job } from '../../../../src/orchestrator/job/job.ts';
import { Refusal } from '../../../../src/orchestrator/job/refusal.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import { jobWith } from '../../../fakes/job.ts';
import { sampleJob } from '../../../unit/store/sqlite/open-store.ts';
import { type Driver, orderOf, type Place } from './driver.ts';
import { PLAIN_AND_ENCRYPTED } from './set-up.ts';

const HOUR = 3_600_000;
const PEOPLE = ['1', '2'];
const FIRST = 'discord:a';
const COMMUNITIES = [FIRST, directCommunity('discord:1')];
const limits = { userConcurrentJobs: 1e6, userWaitingJobs: 1e6, userJobsPerMinute: 1e6 };
const sample = sampleJob();
const keyOfPerson = (who: string): string => `discord:${who}`;

/** One job as the model has it. */
interface Charge {
  readonly who: string;
  readonly where: string;
  readonly day: string;
  readonly credits: number;
  readonly granted: number;
  readonly grantsOf: string;
  /** Which of its grants paid; another one after that was taken back. */
  readonly grant: number;
  state: 'reserved' | 'spent' | 'returned';
  job: Job | undefined;
}

const sum = (all: readonly number[]): number => all.reduce((one, other) => one + other, 0);

/** Adds everything up from the beginning, each time. */
class Model {
  readonly charges: Charge[] = [];
  readonly grants = new Map<string, number>();
  readonly events = new Set<string>();
  /** How often each was taken back or deleted. */
  readonly endings = new Map<string, number>();
  /** What moderators gave, and of it what was taken back unused, by day, community and person. */
  readonly given = new Map<string, number>();

  taken(day: string, fits: (charge: Charge) => boolean): readonly Charge[] {
    return this.charges.filter((each) => each.day === day && each.state !== 'returned' && fits(each));
  }
  grantOf(where: string, who: string): number {
    return this.grants.get(`${where} ${who}`) ?? 0;
  }
  numberOf(where: string, who: string): number {
    return this.endings.get(`${where} ${who}`) ?? 0;
  }
  give(where: string, who: string, credits: number): void {
    const key = `${where} ${who}`;
    const left = this.grants.get(key);
    if (left !== undefined) this.grants.set(key, left + credits);
  }
  giveBack(charge: Charge): void {
    if (charge.state === 'returned') return;
    charge.state = 'returned';
    // What was taken back or deleted gets nothing back, nor does what was given after it.
    if (charge.grant === this.numberOf(charge.grantsOf, charge.who))
      this.give(charge.grantsOf, charge.who, charge.granted);
  }
  endGrant(key: string): void {
    this.grants.delete(key);
    this.endings.set(key, (this.endings.get(key) ?? 0) + 1);
  }
  givenOn(day: string, where: string, who: string): number {
    return this.given.get(`${day} ${where} ${who}`) ?? 0;
  }
  addGiven(day: string, where: string, who: string, credits: number): void {
    this.given.set(`${day} ${where} ${who}`, this.givenOn(day, where, who) + credits);
  }
  /** Used on a day by a person in these communities, of the day's credits or of grants. */
  used(day: string, ids: readonly string[], who: string, of: 'daily' | 'granted'): number {
    const mine = this.taken(day, (each) => each.who === who && ids.includes(each.where));
    return sum(mine.map(({ credits, granted }) => (of === 'granted' ? granted : credits - granted)));
  }
  forget(who: string): void {
    for (const key of [...this.grants.keys()]) if (key.endsWith(` ${who}`)) this.endGrant(key);
    for (const charge of this.charges)
      if (charge.who === who && charge.job !== undefined) {
        if (charge.state === 'reserved') this.giveBack(charge);
        charge.job = undefined;
      }
  }
}

const person = fc.constantFrom(...PEOPLE);
const where = fc.constantFrom(...COMMUNITIES);
/** Whether the community is known under the other one's id, too. */
const ids = fc.constantFrom('one' as const, 'one' as const, 'both' as const);
const idsOf = (op: { readonly where: string; readonly ids: 'one' | 'both' }): readonly string[] =>
  op.ids === 'one' ? [op.where] : COMMUNITIES;
const operation = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('accept' as const),
      who: person,
      where,
      credits: fc.nat(8),
      daily: fc.constantFrom(-3, 0, 3, 8, 20),
      mostGiven: fc.constantFrom(undefined, 15, 25),
      // Mostly those of the same community, as in the program; the last is that of a community's former id.
      grants: fc.constantFrom(
        'none' as const,
        'here' as const,
        'here' as const,
        'here' as const,
        'first' as const,
      ),
      community: fc.constantFrom(undefined, undefined, undefined, 12, 30),
      service: fc.constantFrom(undefined, undefined, undefined, 25, 60),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('spend' as const, 'return' as const, 'remove' as const),
      which: fc.nat(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('grant' as const),
      who: person,
      where,
      credits: fc.integer({ min: 1, max: 20 }),
      most: fc.constantFrom(15, 25, 1_000),
      byModerator: fc.constantFrom(
        undefined,
        { allowance: 0, fromOwner: 3 },
        { allowance: 0, fromOwner: 0 },
        { allowance: 8, fromOwner: 0 },
      ),
      ids,
      event: fc.nat(30),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('take back' as const), who: person, where, ids }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('erase' as const), who: person }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 9 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
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
    const given = model.givenOn(today(), of ?? '', op.who);
    const allowance = Math.min(op.daily, (op.mostGiven ?? Number.POSITIVE_INFINITY) - given);
    const daily = Math.max(0, allowance - model.used(today(), [op.where], op.who, 'daily'));
    const granting = of === undefined ? 0 : model.grantOf(of, op.who);
    const granted = Math.max(0, op.credits - daily);
    if (granted > granting) return { refused: { code: 'allowance', left: daily + granting } };
    const here = sum(model.taken(today(), (each) => each.where === op.where).map(({ credits }) => credits));
    if (op.community !== undefined && here + op.credits > op.community)
      return { refused: { code: 'ceiling', of: 'community', left: Math.max(0, op.community - here) } };
    const all = sum(model.taken(today(), () => true).map(({ credits }) => credits));
    if (op.service !== undefined && all + op.credits > op.service)
      return { refused: { code: 'ceiling', of: 'service', left: Math.max(0, op.service - all) } };
    return { granted, total: op.service === undefined ? undefined : all + op.credits };
  };
  const accept = async (op: Operation & { do: 'accept' }): Promise<void> => {
    const job = sampleJob({
      state: 'opening',
      caller: { ...sample.caller, id: op.who },
      place: { ...sample.place, community: op.where },
      credits: op.credits,
      createdAt: place.time.now,
      day: today(),
    });
    const of = grantsOf(op);
    const order = orderOf(job, {
      dailyCredits: op.daily,
      ...(op.mostGiven === undefined ? {} : { mostGiven: op.mostGiven }),
      limits: op.service === undefined ? limits : { ...limits, serviceDailyCredits: op.service },
      ...(of === undefined ? {} : { grantsOf: of }),
      ...(op.community === undefined ? {} : { communityCredits: op.community }),
    });
    const wanted = expected(op);
    const result = await store.jobs.accept(order).catch((error: unknown) => {
      if (error instanceof Refusal) return error.reason;
      throw error;
    });
    if (wanted.refused !== undefined) return void expect(result).toMatchObject(wanted.refused);
    expect(result).toEqual({
      job,
      known: false,
      ...(wanted.total === undefined ? {} : { total: wanted.total }),
    });
    const from = of ?? '';
    model.give(from, op.who, -wanted.granted);
    const { who, where: community, credits } = op;
    const grant = model.numberOf(from, who);
    const charge = { who, where: community, day: job.day, credits, granted: wanted.granted, grantsOf: from };
    model.charges.push({ ...charge, grant, state: 'reserved', job });
  };
  const end = async (op: Operation & { do: 'spend' | 'return' | 'remove' }): Promise<void> => {
    const open = model.charges.filter(({ job }) => job !== undefined);
    const charge = open[op.which % Math.max(1, open.length)];
    const job = charge?.job;
    if (charge === undefined || job === undefined) return;
    if (op.do === 'remove') {
      await store.jobs.remove(job.id);
      // Whoever does it, and however often.
      for (let times = 0; times < 2; times += 1)
        await store.jobs.giveBack(jobWith({ ...job, state: 'submitting' }));
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
      for (const job of open) {
        const charge = job.charge === 'reserved' ? 'returned' : job.charge;
        await store.jobs.save(
          job,
          jobWith({
            ...job,
            state: 'cancelled',
            charge,
            settled: true,
            forget: true,
            finishedAt: place.time.now,
          }),
        );
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
      const left = model.grantOf(community, who);
      const taken = { community, ids: idsOf(op), person: keyOfPerson(who), at: place.time.now };
      expect(await store.grants.takeBack(taken)).toBe(left);
      model.endGrant(`${community} ${who}`);
      const unused = model.givenOn(today(), community, who) - model.used(today(), idsOf(op), who, 'granted');
      model.addGiven(today(), community, who, -Math.max(0, Math.min(left, unused)));
    } else {
      const { who, where: community, credits, most, byModerator } = op;
      const event = `${runId} ${op.event}`;
      const left = model.grantOf(community, who);
      const isNew = !model.events.has(event);
      const used = model.used(today(), idsOf(op), who, 'daily');
      const ofDay =
        byModerator === undefined
          ? Number.POSITIVE_INFINITY
          : most -
            model.givenOn(today(), community, who) -
            Math.max(byModerator.allowance, used - byModerator.fromOwner);
      const rest = Math.min(most - left, ofDay);
      const isMore = isNew && credits > rest;
      if (isNew && !isMore) {
        model.events.add(event);
        model.grants.set(`${community} ${who}`, left + credits);
        if (byModerator !== undefined) model.addGiven(today(), community, who, credits);
      }
      const given = {
        ...{ community, ids: idsOf(op), person: keyOfPerson(who), credits, most, event, at: place.time.now },
        ...(byModerator === undefined ? {} : { byModerator }),
      };
      expect(await store.grants.add(given)).toEqual({
        outcome: isMore ? 'most' : 'added',
        left: model.grantOf(community, who),
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
      const granted = PEOPLE.filter((who) => model.grantOf(community, who) > 0);
      expect(listed.toSorted()).toEqual(
        granted.map((who) => `${keyOfPerson(who)} ${model.grantOf(community, who)}`).toSorted(),
      );
      for (const who of PEOPLE) {
        const mine = here.filter((each) => each.who === who);
        const of = (state: Charge['state']) =>
          sum(mine.filter((each) => each.state === state).map(({ credits }) => credits));
        const paid = sum(mine.map(({ granted: part }) => part));
        const given = model.givenOn(today(), community, who);
        expect(await store.usage.person(today(), community, keyOfPerson(who))).toMatchObject({
          reserved: of('reserved'),
          spent: of('spent'),
          ...(paid > 0 ? { granted: paid } : {}),
          ...(given > 0 ? { given } : {}),
        });
        expect(await store.grants.left(community, keyOfPerson(who))).toBe(model.grantOf(community, who));
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
    'is what adding everything up gives, %s',
    async (_, keys) => {
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
