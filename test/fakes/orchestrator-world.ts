/**
 * A small world around the real orchestrator: real SQLite, time in the test's hands, a service and a chat that do
 * what the test says and count what was asked of them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';
import type { CardRef } from '../../src/command/place.ts';
import type { GenerateRequest } from '../../src/command/request.ts';
import type { GenerationRequest } from '../../src/generation-client/endpoint.ts';
import type { GenerationOutput, StatusReport } from '../../src/generation-client/result/status-report.ts';
import { GenerationError, type GenerationErrorKind } from '../../src/generation-client/wire/errors.ts';
import type { Failure, Job, JobStatus } from '../../src/orchestrator/job/job.ts';
import type { JobOrder } from '../../src/orchestrator/job/records.ts';
import {
  createOrchestrator,
  type Orchestrator,
  type OrchestratorOptions,
} from '../../src/orchestrator/orchestrator.ts';
import type {
  DrawnResult,
  OrchestratorPorts,
  Reserve,
  Service,
} from '../../src/orchestrator/steps/effects.ts';
import { openSqliteStore, type SqliteStore } from '../../src/store/sqlite/store.ts';
import { createFakeClock } from './clock.ts';
import { idlePorts, standardTimes } from './job-ports.ts';
import { createLaggingRecords } from './lagging-records.ts';
import { soleMember } from './sole-member.ts';

/** An error of the service, as its client throws it. */
export const serviceError = (
  kind: GenerationErrorKind,
  mayHaveArrived: boolean,
  more: { status?: number; code?: string; detail?: string; retryAfterMs?: number } = {},
): GenerationError => new GenerationError({ kind, endpoint: 'test', message: kind, mayHaveArrived, ...more });

/** A finished picture, as the client returns it. */
export const png = { kind: 'image', bytes: Buffer.from('picture') } as const;

/** A request for a picture. */
export const swap: GenerateRequest = {
  kind: 'face-swap-v6',
  photo: { from: 'web', ref: 'photo-1' },
  filter: { by: 'number', id: 12, name: 'Pop Art' },
  gender: 'female',
};

/** A request for a video. */
export const video: GenerateRequest = {
  kind: 'single-frame-video',
  photo: { from: 'web', ref: 'photo-1' },
  prompt: 'the camera drifts left',
  model: 'advanced',
  duration: '4s',
  aspect: 'auto',
};

let events = 0;

/** An order of this person, with an event of its own. */
export const orderOf = (person: string, more: Partial<JobOrder> = {}): JobOrder => ({
  origin: `event-${++events}`,
  caller: { platform: 'web', id: person, name: `Name of ${person}`, locale: 'en' },
  place: { platform: 'web', community: 'web:room', channel: 'room', direct: false },
  private: false,
  request: swap,
  label: 'Pop Art',
  credits: 2,
  dailyCredits: 1000,
  ...more,
});

/** The work at which the disk can fail. */
export type StoreCall = 'get' | 'save' | 'claim' | 'release' | 'take' | 'pending';

interface Drawing {
  readonly id: string;
  readonly state: Job['state'];
  readonly importance: 'cosmetic' | 'final';
  readonly jobStatus: JobStatus;
  readonly job: Job;
  readonly withResult: boolean;
}

type Draw = (
  job: Job,
  importance: 'cosmetic' | 'final',
  output?: GenerationOutput,
  reserve?: Reserve,
) => DrawnResult | Promise<DrawnResult>;
type Id = Pick<Job, 'id'>;
type Soon<T> = T | Promise<T>;
type Card = CardRef | undefined;

/** Settings of the world that a test can change while it runs. */
const createScript = () => ({
  durationMs: (_run: number): number => 8_000,
  serviceId: (run: number): string => `service-${run}`,
  callsWaiting: (): number => 0,
  /** How long a run waits until it may be sent. */
  turn: async (): Promise<void> => undefined,
  /** The first attempt of a run is turned away; this is how long it waits before the second. */
  pause: undefined as (() => Promise<void>) | undefined,
  /** Called before a run is counted: throw to refuse it. */
  onRun: (_run: number, _request: GenerationRequest): Soon<void> => undefined,
  onLook: (_id: string, _reserve: Reserve): Soon<void> => undefined,
  /** Throw to have nothing answer there. */
  onProbe: (): Soon<void> => undefined,
  outcome: (_id: string): StatusReport => ({ state: 'completed', output: png }),
  /** Throw to have the community say no. */
  admit: (_job: Job): void => undefined,
  photo: async (_job: Job): Promise<void> => undefined,
  /** The fingerprints of every photo. */
  photoHashes: [] as readonly string[],
  /** Whether the photos are on the block list when they are about to be sent. */
  isPhotoBlocked: async (): Promise<boolean> => false,
  /** Throw to have the photo refused, or not looked at. */
  checkPhoto: async (_job: Job): Promise<void> => undefined,
  /** Whether a photo of the job was blocked while its result was made. */
  isBlocked: async (_job: Job): Promise<boolean> => false,
  isHeld: async (_job: Job): Promise<boolean> => false,
  /** Throw to have moderators told later. */
  tellHeld: async (_job: Job): Promise<void> => undefined,
  takeBack: async (_job: Job): Promise<void> => undefined,
  draw: (() => ({ state: 'drawn' })) as Draw,
  findCard: (_answer: CardRef, _job: Job): Soon<Card> => undefined,
  newCard: (job: Job): Soon<Card> => ({ platform: 'web', ref: `elsewhere-${job.id}` }),
  /** Throw to have a card stay in the chat. */
  discard: (_card: CardRef): void => undefined,
  /** Called before the records are asked: throw to have the disk fail. Steps may then break. */
  onStore: undefined as ((call: StoreCall) => void) | undefined,
  /** Called when the records have answered: the answer arrives when it ends. */
  onAnswer: undefined as ((call: StoreCall) => Promise<void> | undefined) | undefined,
  /** How long the disk takes: no real time, unlike the real one, whose own test is the store's. */
  disk: async (): Promise<void> => undefined,
  /** How long a call takes to reach the store, and as long again to be answered. */
  lag: undefined as (() => Promise<void>) | undefined,
});

/** The orchestrator on a real store, with everything around it scripted. */
export type World = Awaited<ReturnType<typeof createWorld>>;

/** What differs from a world with the program’s standard limits and deadlines. */
export interface WorldOptions {
  readonly limits?: Partial<OrchestratorOptions['limits']>;
  readonly deadlines?: Partial<OrchestratorOptions['deadlines']>;
  readonly random?: () => number;
  readonly startAt?: number;
  /** Housekeeping as the test has it: the real one would be most of the work in a test in which days pass. */
  readonly sweep?: () => Promise<boolean>;
  /** A service of the test's own instead of the scripted one. */
  readonly service?: Service;
}

/** Opens an orchestrator on a store of its own, with a scripted service and platform and a clock that stands still. */
export async function createWorld(options: WorldOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'darkroom-orchestrator-'));
  const file = join(folder, 'jobs.sqlite');
  const clock = createFakeClock(options.startAt);
  const jobs = new Map<string, { readonly doneAt: number }>();
  /** Run calls that arrived, in order, with the service's id that each got. */
  const runs: { readonly request: GenerationRequest; readonly id: string; readonly at: number }[] = [];
  const looks: { readonly id: string; readonly at: number; readonly answered: string }[] = [];
  const drawings: Drawing[] = [];
  const notices: string[] = [];
  const warnings: string[] = [];
  /** Lines that were logged as errors while the disk failed. */
  const errors: string[] = [];
  /** Jobs whose card had gone and that asked for another. */
  const newCards: string[] = [];
  const discarded: string[] = [];
  /** Jobs as they were when they reached their end. */
  const finished: Job[] = [];
  const script = createScript();
  let lagging = 0;
  let count = 0;
  let alive = { value: true };

  const open = async (
    limits: WorldOptions['limits'] = options.limits,
  ): Promise<{ store: SqliteStore; orchestrator: Orchestrator }> => {
    const life = { value: true };
    alive = life;
    /** A dead process hears no answers: its calls never end. */
    const mortal = async <T>(work: () => Promise<T>): Promise<T> => {
      const outcome = await work().then(
        (value) => () => value,
        (error) => () => {
          throw error;
        },
      );
      if (!life.value) await new Promise(() => undefined);
      return outcome();
    };
    /** Nor does it have timers. */
    const ownClock: Clock = {
      now: clock.now,
      lastForwardJump: clock.lastForwardJump,
      after: (ms, run) => clock.after(ms, () => void (life.value && run())),
    };
    const store = await openSqliteStore({ path: file, keys: [], now: clock.now });
    const complain = (fields: unknown, words?: string): void => {
      if (life.value && !script.onStore) throw new Error('a step broke', { cause: fields });
      errors.push(String(words));
    };
    const ports: OrchestratorPorts = {
      ...idlePorts,
      admit: async (job) => script.admit(job),
      photo: (_ref, job) =>
        mortal(async () => {
          await script.photo(job);
          return {
            image: { bytes: Buffer.from('jpeg'), type: 'image/jpeg' as const },
            hashes: script.photoHashes,
            isBlockedNow: () => mortal(() => script.isPhotoBlocked()),
          };
        }),
      checkPhoto: (_photo, job) => mortal(() => script.checkPhoto(job)),
      isBlocked: (job) => mortal(() => script.isBlocked(job)),
      isHeld: (_output, job) => mortal(() => script.isHeld(job)),
      tellHeld: (job) => mortal(() => script.tellHeld(job)),
      takeBack: (job) => mortal(() => script.takeBack(job)),
      async draw(job, jobStatus, importance, output, reserve) {
        const drawn = await mortal(async () => script.draw(job, importance, output, reserve));
        if (drawn.state === 'drawn') {
          const withResult = output !== undefined;
          drawings.push({ id: job.id, state: job.state, importance, jobStatus, job, withResult });
        }
        return drawn;
      },
      findCard: (answer, job) => mortal(async () => script.findCard(answer, job)),
      newCard: (job) =>
        mortal(async () => {
          newCards.push(job.id);
          return script.newCard(job);
        }),
      async discard(card) {
        script.discard(card);
        discarded.push(card.ref);
      },
      ownerNotice: (trouble) => void notices.push(trouble),
      finished: (job) => void finished.push(job),
    };
    const lag = async (): Promise<void> => {
      if (script.lag === undefined) return;
      lagging += 1;
      await script.lag();
      lagging -= 1;
      if (!life.value) await new Promise(() => undefined);
    };
    const records = createLaggingRecords(store.jobs, lag);
    const asked =
      <Args extends unknown[], T>(call: StoreCall, ask: (...args: Args) => Promise<T>) =>
      async (...args: Args): Promise<T> => {
        script.onStore?.(call);
        const answer = await ask(...args);
        await script.onAnswer?.(call);
        return answer;
      };
    const fallible: typeof records = {
      ...records,
      get: asked('get', records.get),
      save: asked('save', records.save),
      claim: asked('claim', records.claim),
      release: asked('release', records.release),
      take: asked('take', records.take),
      onDisk: () => mortal(script.disk),
    };
    const orchestrator = createOrchestrator({
      store: {
        ...store,
        jobs: fallible,
        erasures: { ...store.erasures, pending: asked('pending', store.erasures.pending) },
        tryToWrite: asked('save', store.tryToWrite),
        ...(options.sweep && { sweep: options.sweep }),
      },
      members: soleMember,
      models: store.keyv('durations'),
      callsWaiting: () => script.callsWaiting(),
      client: options.service ?? {
        run: async (request, { record }) => {
          const attempt = async (): Promise<void> => {
            await mortal(script.turn);
            if (!(await record.ready())) throw serviceError('aborted', false);
          };
          await attempt();
          if (script.pause !== undefined) {
            // The real client, too, fails then, whatever the store says.
            await record.unsent().catch(() => {
              throw serviceError('unreachable', false);
            });
            await mortal(script.pause);
            await attempt();
          }
          return mortal(async () => {
            const number = ++count;
            await script.onRun(number, request);
            const id = script.serviceId(number);
            jobs.set(id, { doneAt: clock.now() + script.durationMs(number) });
            // The request is copied as it was sent, because its photos are released afterwards.
            runs.push({ request: structuredClone(request), id, at: clock.now() });
            return { id };
          });
        },
        probe: () => mortal(async () => script.onProbe()),
        status: ({ id }, { reserve }) =>
          mortal(async () => {
            await script.onLook(id, reserve);
            const doneAt = jobs.get(id)?.doneAt ?? Number.POSITIVE_INFINITY;
            const report: StatusReport = clock.now() >= doneAt ? script.outcome(id) : { state: 'running' };
            looks.push({ id, at: clock.now(), answered: report.state });
            return report;
          }),
      },
      ports,
      limits: {
        userConcurrentJobs: 2,
        userWaitingJobs: 5,
        userJobsPerMinute: 1000,
        serviceConcurrentJobs: 50,
        serviceCallsPerSecond: 20,
        ...limits,
      },
      clock: ownClock,
      random: options.random ?? (() => 0.5),
      log: {
        info: () => undefined,
        warn: (...words: readonly unknown[]) => void warnings.push(String(words.at(-1))),
        error: complain,
      },
      deadlines: { ...standardTimes.deadlines, ...options.deadlines },
      floorsMs: standardTimes.floorsMs,
    });
    return { store, orchestrator };
  };
  let current = await open();
  await current.orchestrator.start();
  const jobOf = ({ id }: Id): Promise<Job | undefined> => current.orchestrator.get(id);
  const stateOf = async (job: Id): Promise<Job['state'] | undefined> => (await jobOf(job))?.state;
  const finalDrawings = (id: string): Drawing[] =>
    drawings.filter((one) => one.id === id && one.importance === 'final');
  /** Accepts an order and shows its card. */
  const submit = async (person: string, more?: Partial<JobOrder>): Promise<Job> => {
    const { job } = await current.orchestrator.accept(orderOf(person, more));
    const shown = current.orchestrator.cardShown(job.id, { platform: 'web', ref: `card-${job.id}` });
    // The report is waited for no longer than this, because a test may hold the disk.
    await Promise.race([shown, new Promise((done) => setImmediate(done))]);
    return job;
  };

  return {
    clock,
    jobOf,
    stateOf,
    finalDrawings,
    submit,
    pass: clock.advance,
    async submitAndPass(ms: number, person = 'ann', more?: Partial<JobOrder>): Promise<Job> {
      const job = await submit(person, more);
      await clock.advance(ms);
      return job;
    },
    statesOf: (jobs: readonly Id[]) => Promise.all(jobs.map(stateOf)),
    statusOf: async (job: Id): Promise<JobStatus> =>
      current.orchestrator.jobStatus((await jobOf(job)) ?? expect.fail(`${job.id} is gone`)),
    submitAll: (people: readonly string[], more?: Partial<JobOrder>): Promise<Job[]> =>
      Promise.all(people.map((person) => submit(person, more))),
    /** The states that the card of a job has shown as its end. */
    endsShown: ({ id }: Id): Job['state'][] => finalDrawings(id).map(({ state }) => state),
    async credits(person = 'ann'): Promise<{ reserved: number; spent: number }> {
      const { reserved, spent } = await current.orchestrator.usage('web:room', `web:${person}`);
      return { reserved, spent };
    },
    /** The final edit of a card does this, and every other one succeeds. */
    onFinalEdit(draw: (job: Job) => Soon<DrawnResult>): void {
      script.draw = (job, importance) => (importance === 'final' ? draw(job) : { state: 'drawn' });
    },
    file,
    runs,
    looks,
    drawings,
    notices,
    warnings,
    errors,
    newCards,
    discarded,
    finished,
    script,
    get orchestrator() {
      return current.orchestrator;
    },
    get store() {
      return current.store;
    },
    /** Resolves when nothing more is asked of the store for now. */
    async quiet(): Promise<void> {
      for (let turns = 0; turns < 20; turns += 1) {
        if (lagging > 0) turns = 0;
        await new Promise((done) => setImmediate(done));
      }
    },
    /** Kills the process, as far as this can be done in one, and starts another on the same file. */
    async restart(limits: WorldOptions['limits'] = options.limits): Promise<void> {
      alive.value = false;
      current.store.close();
      current = await open(limits);
      await current.orchestrator.start();
    },
    async close(): Promise<void> {
      const stopped = current.orchestrator.stop();
      await clock.advance(20_000);
      await stopped;
      alive.value = false;
      current.store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The world of the running test. */
export let world: World;

/** Opens a world that ends with the test. */
export async function openWorld(options: WorldOptions = {}): Promise<void> {
  const opened = await createWorld(options);
  world = opened;
  onTestFinished(() => opened.close());
}

/** A minute, in milliseconds. */
export const MINUTE = 60_000;
/** An hour, in milliseconds. */
export const HOUR = 60 * MINUTE;
/** A day, in milliseconds. */
export const DAY = 24 * HOUR;

/** A promise that never settles, as the answer of something that hangs. */
export const never = (): Promise<never> => new Promise(() => undefined);
/** A step of a script that fails with this error of the service. */
export const failing =
  (...error: Parameters<typeof serviceError>) =>
  (): never => {
    throw serviceError(...error);
  };
/** The names of so many people. */
export const crowd = (count: number): string[] => Array.from({ length: count }, (_, i) => `person ${i}`);
/** The credits of somebody who used none. */
export const nothing = { reserved: 0, spent: 0 };
/** Matches a job that failed for this reason and whose credits went back. */
export const failedFor = (code: Failure['code']) => ({
  state: 'failed',
  failure: { code },
  charge: 'returned',
});
