/**
 * Anything may happen in any order: people submit, press twice and cancel, the service breaks and heals, edits fail,
 * the process dies. After every step the books must be right, and in the end every card says one thing.
 */
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect } from 'vitest';
import { CLOCKS_APART_MS } from '../../src/base/clock.ts';
import type { DrawOutcome } from '../../src/command/reply.ts';
import { dayEnd, dayOf } from '../../src/orchestrator/job/day.ts';
import { isFinal, type Job, originOfFurtherPhoto } from '../../src/orchestrator/job/job.ts';
import { OrderRefused } from '../../src/orchestrator/job/order-refused.ts';
import type { JobOrder } from '../../src/orchestrator/job/records.ts';
import { createWorld, orderOf, serviceError, swap, video, type World } from './orchestrator-world.ts';

const limits = { userConcurrentJobs: 2, serviceConcurrentJobs: 3, userWaitingJobs: 50 };
const people = ['ann', 'bob', 'cid'];
const SERVICE = ['well', 'unreachable', 'mute', 'refusing', 'failing', 'down', 'unpaid', 'too many'] as const;
const CHAT = ['well', 'busy', 'broken', 'gone'] as const;

interface Model {
  readonly orders: JobOrder[];
  /** So many requests were marked. */
  marks: number;
  /** When somebody last deleted all their data. */
  readonly erased: Map<string, number>;
  midnight: boolean;
}

interface Real {
  readonly world: World;
  readonly scheduler: fc.Scheduler;
  readonly mode: { service: (typeof SERVICE)[number]; chat: (typeof CHAT)[number] };
  /** How often a request has reached the service, by the filter number that marks it. */
  readonly arrivals: Map<number, number>;
  /** Cards of which the chat has said that they have gone. */
  readonly gone: Set<string>;
  readonly problems: string[];
}

const jobsOf = async (world: World): Promise<Job[]> =>
  (await Promise.all(people.map((id) => world.store.jobs.ofPerson(`web:${id}`, 1_000_000)))).flat();

/** `most`: the cards of an album that are shown before the process forgets the rest. */
const shows = async (world: World, order: JobOrder, most = Number.POSITIVE_INFINITY): Promise<void> => {
  const { job, known, others } = await world.orchestrator.accept(order);
  const all = [job, ...(known ? await world.orchestrator.others(job) : others)];
  // The disk answers when the scheduler lets it.
  for (const { id } of all.slice(0, most))
    void world.orchestrator.cardShown(id, { platform: 'web', ref: `card-${id}` });
  await new Promise((done) => setImmediate(done));
};

const markOn = ({ request }: Job): number =>
  Number(request.kind === 'face-swap-v6' ? request.filter.id : 'prompt' in request && request.prompt);

/** The credits rule, told once more in other words. */
function chargesAllowed(job: Job, arrivals: Real['arrivals']): Job['charge'][] {
  const { state } = job;
  if (state === 'opening' || state === 'waiting' || state === 'submitting') return ['reserved'];
  if (state === 'failed') return ['returned'];
  if (state !== 'cancelled') return ['spent'];
  return arrivals.has(markOn(job)) ? ['spent'] : ['spent', 'returned'];
}

const isInLine = async (world: World, job: Job): Promise<boolean> =>
  (await world.store.jobs.standing(job.id)) !== undefined;

/** As many jobs run as may: none waits while there is room for it and the service can be reached. */
async function checkTurns(world: World, jobs: readonly Job[]): Promise<void> {
  const { outages, running, waiting } = await world.orchestrator.stats();
  const waits = jobs.filter((job) => job.state === 'waiting' && job.resting === undefined);
  const placed = await Promise.all(waits.map((job) => isInLine(world, job)));
  const inLine = waits.filter((_, i) => placed[i]);
  // A job that waits and neither rests nor stands in line has been given its turn.
  const isTaken = (job: Job): boolean => waits.includes(job) && !inLine.includes(job);
  const busy = jobs.filter((job) => job.state === 'submitting' || job.state === 'running' || isTaken(job));
  expect(running, 'rooms').toBe(busy.length);
  expect(busy.length).toBeLessThanOrEqual(limits.serviceConcurrentJobs);
  const busyOf = (id: string): number => busy.filter(({ caller }) => caller.id === id).length;
  for (const id of people) expect(busyOf(id)).toBeLessThanOrEqual(limits.userConcurrentJobs);
  expect(waiting, 'in line').toBe(inLine.length);
  if (outages.key !== undefined || outages.token !== undefined) return;
  if (busy.length === limits.serviceConcurrentJobs) return;
  for (const { caller } of inLine)
    expect(busyOf(caller.id), 'no room is left empty').toBe(limits.userConcurrentJobs);
}

/**
 * A ledger of the simplest kind: what the record of each job says, and of those whose record has gone what was said at
 * their end. Only a cancelled job that never arrived may have got its credits back later than that.
 */
async function checkLedger({ world, arrivals }: Real, { erased }: Model, jobs: readonly Job[]) {
  const known = new Set(jobs.map(({ id }) => id));
  const all = [...jobs, ...world.finished.filter(({ id }) => !known.has(id))];
  const bounds = (own: readonly Job[], charge: Job['charge']): readonly [number, number] => {
    const sum = (some: readonly Job[]): number => some.reduce((total, { credits }) => total + credits, 0);
    const charged = own.filter((job) => job.charge === charge);
    const open = charged.filter(
      (job) => !known.has(job.id) && job.state === 'cancelled' && !arrivals.has(markOn(job)),
    );
    return [sum(charged) - sum(open), sum(charged)];
  };
  const check = (what: string, count: { reserved: number; spent: number }, own: readonly Job[]): void => {
    for (const charge of ['reserved', 'spent'] as const) {
      const [least, most] = bounds(own, charge);
      expect(count[charge], `${charge} by ${what}`).toBeGreaterThanOrEqual(least);
      expect(count[charge], `${charge} by ${what}`).toBeLessThanOrEqual(most);
    }
  };
  for (const day of new Set(all.map((job) => job.day))) {
    const ofDay = all.filter((job) => job.day === day);
    check('all', await world.store.usage.community(day, 'web:room'), ofDay);
    for (const id of people) {
      const own = ofDay.filter(({ caller }) => caller.id === id);
      const count = await world.store.usage.person(day, 'web:room', `web:${id}`);
      const erasedAt = erased.get(id) ?? 0;
      const nothing = { reserved: 0, spent: 0, jobs: 0 };
      // By the clock of another process it may have been the day before. The counters of a day are deleted some time after its end.
      const isOver = day <= dayOf(erasedAt) && dayOf(world.clock.now()) > day;
      if (day < dayOf(erasedAt - CLOCKS_APART_MS))
        expect(count, 'what was counted before that day').toEqual(nothing);
      else if (!isOver || count.jobs > 0) check(id, count, own);
    }
  }
}

/** Whether the store knows that the job of this event was removed. The event is readable there, because the store has no key. */
function isRemoved({ file }: World, origin: string): boolean {
  const sql = new DatabaseSync(file, { readOnly: true });
  try {
    return sql.prepare('SELECT 1 FROM removed WHERE origin = ?').get(origin) !== undefined;
  } finally {
    sql.close();
  }
}

async function checkBooks(real: Real, model: Model): Promise<void> {
  const { world, arrivals, problems } = real;
  expect(problems).toEqual([]);
  const jobs = await jobsOf(world);
  const known = (origin: string): boolean =>
    jobs.some((job) => job.origin === origin) || isRemoved(world, origin);
  for (const { origin, otherRequests = [] } of model.orders) {
    expect(known(origin), `${origin} is not lost`).toBe(true);
    for (const [index] of otherRequests.entries())
      expect(known(originOfFurtherPhoto(origin, index + 1)), `${origin} is whole`).toBe(true);
  }
  for (const count of arrivals.values()) expect(count).toBe(1);

  for (const job of jobs) expect(chargesAllowed(job, arrivals), job.state).toContain(job.charge);

  await checkTurns(world, jobs);
  await checkLedger(real, model, jobs);
  const endings = world.finished.map(({ id }) => id);
  expect(new Set(endings).size, 'a job ends once').toBe(endings.length);
}

type Command = fc.AsyncCommand<Model, Real>;

async function settled(world: World): Promise<void> {
  await world.clock.advance(0);
  if (world.script.lag === undefined) return;
  await world.quiet();
  await world.clock.advance(0);
  await world.quiet();
}

const command = (name: string, act: (real: Real, model: Model) => void | Promise<void>): Command => ({
  check: () => true,
  async run(model, real) {
    await act(real, model);
    await settled(real.world);
    await checkBooks(real, model);
  },
  toString: () => name,
});

const marked = (mark: number) => ({ ...swap, filter: { by: 'number' as const, id: mark, name: 'marked' } });

const albums = fc
  .record({
    person: fc.constantFrom(...people),
    photos: fc.integer({ min: 2, max: 4 }),
    shown: fc.integer({ min: 0, max: 4 }),
    dailyCredits: fc.constantFrom(1_000_000, 1_000_000, 5),
  })
  .map(({ person, photos, shown, dailyCredits }) =>
    command(`album(${person}, ${photos}, ${shown}, ${dailyCredits})`, async ({ world }, model) => {
      const [request = marked(0), ...otherRequests] = Array.from({ length: photos }, () => {
        model.marks += 1;
        return marked(model.marks);
      });
      const order = orderOf(person, { request, otherRequests, credits: 2, dailyCredits });
      const refusal = await shows(world, order, shown).catch((error: unknown) => error);
      if (refusal === undefined) return void model.orders.push(order);
      expect(refusal).toBeInstanceOf(OrderRefused);
      const origins = [
        order.origin,
        ...otherRequests.map((_, i) => originOfFurtherPhoto(order.origin, i + 1)),
      ];
      const left = (await jobsOf(world)).filter(({ origin }) => origins.includes(origin));
      expect(left, 'nothing').toEqual([]);
    }),
  );

const submits = fc
  .record({
    person: fc.constantFrom(...people),
    film: fc.boolean(),
    shown: fc.constantFrom(true, true, true, false),
  })
  .map(({ person, film, shown }) =>
    command(`submit(${person}, ${film ? 'video' : 'image'}, ${shown})`, async ({ world }, model) => {
      model.marks += 1;
      const request = film ? { ...video, prompt: String(model.marks) } : marked(model.marks);
      const order = orderOf(person, { request, credits: film ? 10 : 2 });
      model.orders.push(order);
      if (shown) await shows(world, order);
      else await world.orchestrator.accept(order);
    }),
  );

const erases = async ({ world }: Real, { erased }: Model, person: string): Promise<void> => {
  erased.set(person, world.clock.now());
  await world.orchestrator.erase(`web:${person}`);
  expect((await world.orchestrator.mine(`web:${person}`, 100)).filter(({ forget }) => !forget)).toEqual([]);
};

const waits = fc
  .integer({ min: 1, max: 15_000 })
  .map((ms) => command(`advance(${ms})`, ({ world }) => world.clock.advance(ms)));

const commands = [
  submits,
  submits,
  submits,
  albums,
  waits,
  waits,
  fc.nat(100).map((pick) =>
    command(`again(${pick})`, async ({ world }, { orders }) => {
      const order = orders[pick % Math.max(1, orders.length)];
      if (order === undefined) return;
      if (isRemoved(world, order.origin)) await expect(shows(world, order)).rejects.toThrow('deleted');
      else await shows(world, order);
    }),
  ),
  fc.nat(100).map((pick) =>
    command(`cancel(${pick})`, async ({ world }) => {
      const jobs = await jobsOf(world);
      const job = jobs[pick % Math.max(1, jobs.length)];
      if (job === undefined) return;
      const first = (await world.orchestrator.cancel(job.id))?.job;
      // One that is to be forgotten may go with it.
      if (!job.forget) expect((await world.orchestrator.cancel(job.id))?.job).toEqual(first);
      const unsent = job.state === 'opening' || job.state === 'waiting';
      if (unsent) expect(first).toMatchObject({ state: 'cancelled', charge: 'returned' });
    }),
  ),
  fc
    .constantFrom(...people)
    .map((person) => command(`erase(${person})`, (real, model) => erases(real, model, person))),
  // The data of a person is deleted in each state in which something is under way that may still end in several ways.
  fc.constantFrom('unsent', 'submitting', 'running', 'delivering', 'cancelled').map((what) =>
    command(`erase whoever has one that is ${what}`, async (real, model) => {
      const job = (await jobsOf(real.world)).find((each) =>
        what === 'unsent' ? each.unsent : each.state === what,
      );
      if (job !== undefined) await erases(real, model, job.caller.id);
    }),
  ),
  fc.constant(
    command('until after midnight', async ({ world }, model) => {
      // Once: that an event was handled whose job was deleted is known for two days.
      if (model.midnight) return;
      model.midnight = true;
      await world.clock.advance(dayEnd(world.clock.now()) - world.clock.now() + 1);
    }),
  ),
  fc
    .constantFrom(...SERVICE, 'too many' as const)
    .map((to) => command(`service(${to})`, ({ mode }) => void Object.assign(mode, { service: to }))),
  fc
    .constantFrom(...CHAT)
    .map((to) => command(`chat(${to})`, ({ mode }) => void Object.assign(mode, { chat: to }))),
  fc.nat(5).map((count) =>
    command(`answers(${count})`, async ({ scheduler, world }) => {
      for (let i = 0; i < count && scheduler.count() > 0; i += 1) {
        await scheduler.waitOne();
        await world.clock.advance(0);
      }
    }),
  ),
  fc.constant(command('kill and restart', ({ world }) => world.restart())),
  fc.constant(
    command('stop and restart', async ({ world }) => {
      const stopped = world.orchestrator.stop();
      await world.clock.advance(10_000);
      await stopped;
      await world.restart();
    }),
  ),
];

const markOf = (request: { endpoint: string; input: object }): number => {
  const input: Record<string, unknown> = { ...request.input };
  return Number(input.filter ?? input.prompt);
};

async function createReal(scheduler: fc.Scheduler, lag: (() => Promise<void>) | undefined): Promise<Real> {
  const world = await createWorld({ limits, startAt: Date.UTC(2026, 0, 5, 23, 58) });
  world.script.lag = lag;
  const mode: Real['mode'] = { service: 'well', chat: 'well' };
  const real: Real = { world, scheduler, mode, arrivals: new Map(), gone: new Set(), problems: [] };
  const { arrivals, gone, problems } = real;
  /** An answer comes when the scheduler lets it, at the latest after some seconds. */
  const eventually = (what: string): Promise<unknown> =>
    Promise.race([
      scheduler.schedule(Promise.resolve(), what),
      new Promise<void>((resolve) => world.clock.after(15_000, resolve)),
    ]);

  world.script.durationMs = (run) => 3_000 + ((run * 7_919) % 20_000);
  world.script.photo = async () => void (await eventually('photo'));
  world.script.turn = async () => void (await eventually('turn'));
  world.script.disk = async () => void (await eventually('disk'));
  // Turned away at first (429 with Retry-After): it is sent again after a pause.
  world.script.pause = async () => {
    if (mode.service === 'too many') await eventually('pause');
  };
  world.script.onRun = async (_, request) => {
    await eventually('run');
    if (mode.service === 'unreachable') throw serviceError('unreachable', false);
    if (mode.service === 'refusing') throw serviceError('refused', false);
    if (mode.service === 'unpaid') throw serviceError('credits', false);
    const mark = markOf(request);
    arrivals.set(mark, (arrivals.get(mark) ?? 0) + 1);
    if (mode.service === 'mute') throw serviceError('unknown-outcome', true);
  };
  world.script.onLook = async (id) => {
    const job = (await jobsOf(world)).find(({ serviceId }) => serviceId === id);
    if (job !== undefined && job.state !== 'running' && job.state !== 'delivering') {
      problems.push(`a look at a job that is ${job.state}`);
    }
    await eventually('look');
    if (mode.service === 'down') throw serviceError('unavailable', true);
  };
  world.script.outcome = () =>
    mode.service === 'failing'
      ? { state: 'failed', reason: undefined }
      : { state: 'completed', output: { kind: 'video', url: 'https://example.org/video.mp4' } };
  world.script.draw = async (job): Promise<DrawOutcome> => {
    await eventually('draw');
    if (mode.chat === 'broken') throw new Error('the chat is broken');
    if (mode.chat === 'busy') return { state: 'later', afterMs: 2_000 };
    if (mode.chat !== 'gone') return { state: 'drawn' };
    gone.add(job.id);
    return { state: 'gone' };
  };
  return real;
}

/** Everything heals; then nothing may be left over. */
async function conclude(real: Real, model: Model): Promise<void> {
  const { world, scheduler, mode } = real;
  Object.assign(mode, { service: 'well', chat: 'well' });
  for (let round = 0; round < 400; round += 1) {
    while (scheduler.count() > 0) await scheduler.waitOne();
    await world.clock.advance(5_000);
    await settled(world);
    if (round % 20 === 0) await checkBooks(real, model);
    if ((await jobsOf(world)).every(({ state, settled }) => isFinal(state) && settled)) break;
  }
  await checkBooks(real, model);
  for (const job of await jobsOf(world)) {
    expect(isFinal(job.state) && job.settled, `${job.id} is ${job.state}`).toBe(true);
    const drawn = world.finalDrawings(job.id);
    for (const { state, withResult } of drawn) {
      expect(state).toBe(job.state);
      expect(withResult, 'the result is on the card of a job that is done').toBe(state === 'done');
    }
    if (job.state === 'done') expect(real.arrivals.get(markOn(job))).toBe(1);
    if (job.card === undefined || real.gone.has(job.id)) continue;
    expect(drawn.length, `the card of ${job.id} says its end`).toBeGreaterThan(0);
    const last = world.drawings.filter(({ id }) => id === job.id).at(-1);
    expect(last?.importance, 'nothing is drawn over the end').toBe('final');
    if (job.state !== 'done') expect(last?.job.charge, 'and what it cost').toBe(job.charge);
  }
}

/** None, one or some turns of the event loop. */
const lags = fc.infiniteStream(fc.nat({ max: 3 })).map((turns) => async (): Promise<void> => {
  const { value = 0 } = turns.next();
  for (let turn = 0; turn < value; turn += 1) await new Promise((done) => setImmediate(done));
});

const ANSWERS = { 'at once': fc.constant(undefined), 'late, in any order': lags };

/** Checks the model with so many sequences of events; the store answers at once, or late and in any order. */
export async function expectModelHolds(answers: keyof typeof ANSWERS, numRuns: number): Promise<void> {
  const plans = fc.commands(commands, { maxCommands: 60, size: 'max' });
  const holds = fc.asyncProperty(plans, fc.scheduler(), ANSWERS[answers], async (plan, scheduler, lag) => {
    const real = await createReal(scheduler, lag);
    const model: Model = { orders: [], marks: 0, erased: new Map(), midnight: false };
    try {
      await fc.asyncModelRun(() => ({ model, real }), plan);
      await conclude(real, model);
    } finally {
      const closed = real.world.close();
      for (let i = 0; i < 50 && scheduler.count() > 0; i += 1) await scheduler.waitOne();
      await closed;
    }
  });
  await fc.assert(holds, { numRuns, endOnFailure: process.env.CI === undefined });
}
