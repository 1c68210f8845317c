/** Jobs that go: deleted, erased with their person, never shown, or left to the next process by a stop. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { CardRef } from '../../../src/command/place.ts';
import type { DrawOutcome } from '../../../src/command/reply.ts';
import { createBatchErasure } from '../../../src/orchestrator/engine/job-removal.ts';
import { wasRemoved } from '../../contract/store/suite/driver.ts';
import { createFakeClock } from '../../fakes/clock.ts';
import {
  failing,
  HOUR,
  MINUTE,
  never,
  nothing,
  openWorld,
  orderOf,
  serviceError,
  world,
} from '../../fakes/orchestrator-world.ts';

beforeEach(() => openWorld());

const answer: CardRef = { platform: 'web', ref: 'answer' };
const card: CardRef = { platform: 'web', ref: 'found' };
const accepted = async (more = {}) =>
  (await world.orchestrator.accept(orderOf('ann', { answer, ...more }))).job;
const erase = () => world.orchestrator.erase('web:ann');

describe('a result that is deleted as soon as it appears', () => {
  /** The final edit of the card hangs until it is told how it went. */
  const slowFinalEdit = (): { end: (drawn: DrawOutcome) => void; tries: () => number } => {
    const drawing = Promise.withResolvers<DrawOutcome>();
    let tries = 0;
    world.onFinalEdit(() => {
      tries += 1;
      return tries === 1 ? drawing.promise : { state: 'gone' };
    });
    return { end: drawing.resolve, tries: () => tries };
  };

  it.each([
    { how: 'removed', state: 'drawn' },
    { how: 'removed', state: 'gone' },
    { how: 'erased with its person', state: 'drawn' },
    { how: 'erased with its person', state: 'gone' },
  ] as const)(
    'a result that is $how while its card is $state does not return, nor by direct message',
    async ({ how, state }) => {
      const { end, tries } = slowFinalEdit();
      const job = await world.submitAndPass(30_000);

      expect(await world.stateOf(job)).toBe('delivering');

      if (how === 'removed') {
        await world.orchestrator.remove(job.id);
        expect(await world.jobOf(job)).toBeUndefined();
      } else await erase();
      expect(await world.credits()).toEqual({ spent: 2, reserved: 0 });
      expect((await world.orchestrator.stats()).running).toBe(0);

      end({ state });
      await world.pass(HOUR);

      expect(tries()).toBe(1);
      expect(world.newCards).toEqual([]);
      expect(await world.jobOf(job)).toBeUndefined();
    },
  );

  it('a result that is deleted as soon as it appears is not shown elsewhere while its card is being removed', async () => {
    const { end, tries } = slowFinalEdit();
    const job = await world.submitAndPass(30_000);

    // The platform has removed the card already, but its answer to that is slower than the one to the edit.
    await world.orchestrator.withdraw(job.id);
    end({ state: 'gone' });
    await world.pass(1_000);

    expect(world.newCards).toEqual([]);
    expect(await world.jobOf(job)).toMatchObject({ state: 'done', settled: true });

    await world.orchestrator.remove(job.id);
    await world.pass(HOUR);

    expect(tries()).toBe(1);
    expect(world.newCards).toEqual([]);
  });

  it('a result that is deleted as soon as it appears takes the replacement card with it that was just created', async () => {
    const given = Promise.withResolvers<{ platform: 'web'; ref: string }>();
    world.script.newCard = () => given.promise;
    world.script.draw = () => ({ state: 'gone' });
    const job = await world.submitAndPass(30_000);

    expect(world.newCards).toEqual([job.id]);

    await world.orchestrator.remove(job.id);
    given.resolve({ platform: 'web', ref: 'direct' });
    await world.pass(HOUR);

    expect(world.discarded).toEqual(['direct']);
    expect(world.endsShown(job)).toEqual([]);
  });
});

describe('a job that is removed', () => {
  it.each([
    { what: 'was interrupted: the next process does it', act: () => world.restart(), isLeft: true },
    {
      what: 'is done: nobody does it again',
      act: (id: string) => world.orchestrator.remove(id),
      isLeft: false,
    },
  ])('a job that is removed goes with its card, when that $what', async ({ act, isLeft }) => {
    const job = await world.submitAndPass(MINUTE);
    await world.orchestrator.withdraw(job.id);
    await act(job.id);
    await world.pass(HOUR);

    expect(world.discarded).toEqual(isLeft ? [`card-${job.id}`] : []);
    expect(await world.jobOf(job)).toBeUndefined();
    expect(world.endsShown(job)).toHaveLength(1);
    expect(await world.credits()).toEqual({ spent: 2, reserved: 0 });
  });

  it('a job that is removed after it ended without a card is gone', async () => {
    const { job } = await world.orchestrator.accept(orderOf('ann'));
    await world.orchestrator.cancel(job.id);

    expect(await world.jobOf(job)).toMatchObject({ state: 'cancelled', settled: true });

    await world.orchestrator.remove(job.id);

    expect(await world.jobOf(job)).toBeUndefined();
  });

  it('a job that is removed while it waits returns its credits, edits no card and leaves the queue', async () => {
    world.script.photo = never;
    const job = await world.submitAndPass(1_000);
    await world.orchestrator.remove(job.id);

    expect(await world.jobOf(job)).toBeUndefined();
    expect(await world.credits()).toEqual(nothing);

    await world.pass(HOUR);
    expect(world.endsShown(job)).toEqual([]);
    expect(await world.orchestrator.stats()).toMatchObject({ waiting: 0, running: 0 });
  });
});

describe('a person who is erased', () => {
  it('a person who is erased leaves the event of a job, so that it makes no other one; that expires in time', async () => {
    const order = orderOf('ann');
    const { job } = await world.orchestrator.accept(order);

    await world.orchestrator.cardShown(job.id, undefined);
    await erase();
    await world.pass(MINUTE);

    expect(await world.jobOf(job)).toBeUndefined();
    expect(await wasRemoved(world.store, order.origin)).toBe(true);

    world.clock.leap(49 * HOUR);
    await world.pass(2 * MINUTE);

    expect(await wasRemoved(world.store, order.origin)).toBe(false);
  });

  it('a person who is erased is erased in the end although the disk failed when that began', async () => {
    const done = await world.submitAndPass(MINUTE);
    world.script.durationMs = () => HOUR;
    const running = await world.submitAndPass(1_000);
    world.script.onStore = (call) => {
      if (call === 'save') throw new Error('disk I/O error');
    };

    await expect(erase()).rejects.toThrow('disk I/O error');

    world.script.onStore = () => undefined;
    await world.pass(MINUTE);

    expect(await world.store.erasures.pending()).toEqual([]);

    await world.pass(HOUR);
    expect(await world.statesOf([done, running])).toEqual([undefined, undefined]);
  });

  it('a person who is erased need not wait until the end of a job can be shown, and that job goes with its end', async () => {
    world.script.onRun = failing('refused', false);
    world.onFinalEdit(() => {
      throw new Error('the platform is away');
    });
    const job = await world.submitAndPass(MINUTE);

    expect(await world.jobOf(job)).toMatchObject({ state: 'failed', settled: false });

    let isFinished = false;
    const { finished } = await erase();
    void finished.then(() => {
      isFinished = true;
    });
    await world.pass(2_000);

    expect(isFinished).toBe(true);

    world.onFinalEdit(() => ({ state: 'drawn' }));
    await world.pass(2 * MINUTE);

    expect(await world.jobOf(job)).toBeUndefined();
  });

  it('a person who is erased keeps a job that was accepted after that began', async () => {
    const erasing = erase();
    const job = await world.submit('ann');

    await erasing;
    await world.pass(MINUTE);

    expect(await world.jobOf(job)).toMatchObject({ state: 'done', settled: true });
  });

  it('a person who is erased has submitted as many jobs in this minute as before, deleted ones included; they free up again', async () => {
    await openWorld({ limits: { userJobsPerMinute: 2 } });
    const first = await world.submitAndPass(20_000);
    await world.submit('ann');
    await world.orchestrator.remove(first.id);
    await world.restart();
    const rate = (retryAfterMs: number) => ({ reason: { code: 'rate', limit: 2, retryAfterMs } });

    await expect(world.submit('ann')).rejects.toMatchObject(rate(40_000));

    await erase();
    await expect(world.submit('ann')).rejects.toMatchObject(rate(40_000));

    await world.submitAndPass(40_000, 'ben');
    await world.submit('ann');

    await expect(world.submit('ann')).rejects.toMatchObject(rate(20_000));
  });

  it.each([
    { how: 'is being sent', prepare: () => undefined, ends: ['cancelled'] },
    { how: 'is found later', prepare: () => (world.script.findCard = () => card), ends: ['cancelled'] },
    { how: 'never appears', prepare: () => undefined, ends: [] },
  ])(
    'a card that $how when its person is erased shows nothing but that its job is cancelled',
    async ({ how, prepare, ends }) => {
      const job = await accepted();
      void erase();
      prepare();
      if (how === 'is being sent') await world.orchestrator.cardShown(job.id, card);
      await world.pass(HOUR);

      expect(world.endsShown(job)).toEqual(ends);
      expect(await world.jobOf(job)).toBeUndefined();
      expect(world.runs).toEqual([]);
      expect(await world.credits()).toEqual(nothing);
    },
  );

  it('a person who is erased sees a card cancelled that is being sent to where no card can be searched for', async () => {
    const { job } = await world.orchestrator.accept(orderOf('ann'));
    await (await erase()).finished;
    await world.orchestrator.cardShown(job.id, card);
    await world.pass(HOUR);

    expect(world.endsShown(job)).toEqual(['cancelled']);
    expect(await world.jobOf(job)).toBeUndefined();
    expect(world.runs).toEqual([]);
    expect(await world.credits()).toEqual(nothing);
  });

  it('a person who is erased while a job is submitted gets the credits back if the service refuses it', async () => {
    const refusing = Promise.withResolvers<void>();
    world.script.onRun = () => refusing.promise;
    await world.submitAndPass(1_000);
    await erase();
    await world.pass(1_000);

    expect(await world.credits()).toEqual({ spent: 2, reserved: 0 });

    refusing.reject(serviceError('refused', false));
    await world.pass(1_000);

    expect(await world.credits()).toEqual(nothing);
    expect(await world.orchestrator.communityUsage('web:room')).toMatchObject(nothing);
  });
});

describe('the batches of an erasure', () => {
  const open = (parts: Partial<Parameters<typeof createBatchErasure>[0]>) => {
    const clock = createFakeClock();
    const log = { warn: () => expect.fail('it is warned of') };
    const more = async () => ({ jobs: 0, left: false });
    return { clock, ...createBatchErasure({ clock, log, pending: async () => [], more, ...parts }) };
  };

  it('the batches of an erasure go through the records again for whoever asks while the last one is under way', async () => {
    const batches: PromiseWithResolvers<{ jobs: number; left: boolean }>[] = [];
    const { run } = open({
      more() {
        const batch = Promise.withResolvers<{ jobs: number; left: boolean }>();
        batches.push(batch);
        return batch.promise;
      },
    });
    const first = run('ann');
    // The first batch may not have seen what was stored since then, and that is to go, too.
    const second = run('ann');

    batches[0]?.resolve({ jobs: 2, left: false });

    expect(await first).toBe(2);

    batches[1]?.resolve({ jobs: 1, left: false });
    expect(await second).toBe(3);

    const third = run('ann');
    batches[2]?.resolve({ jobs: 0, left: false });

    expect(await third).toBe(0);
  });

  it('the batches of an erasure go on with what another process has left, and leave to it what it is at', async () => {
    const pending = new Set<string>();
    const batches: string[] = [];
    let isReadable = true;
    const { clock, start, stop } = open({
      log: { warn: () => undefined },
      pending: async () => (isReadable ? [...pending] : Promise.reject(new Error('Connection terminated'))),
      async more(who) {
        batches.push(who);
        pending.delete(who);
        return { jobs: 1, left: false };
      },
    });

    await start();
    pending.add('quick').add('left');
    await clock.advance(5_000);
    pending.delete('quick');

    expect(batches).toEqual([]);

    isReadable = false;
    await clock.advance(5_000);
    isReadable = true;
    await clock.advance(5_000);

    expect(batches).toEqual(['left']);

    stop();
    expect(clock.pending).toBe(0);
  });

  it('the batches of an erasure are waited for by a stop', async () => {
    const batch = Promise.withResolvers<{ jobs: number; left: boolean }>();
    const { run, stop } = open({ more: () => batch.promise });

    void run('web:ann');
    let isStopped = false;
    const stopped = Promise.resolve(stop()).then(() => (isStopped = true));
    await new Promise((done) => setImmediate(done));

    expect(isStopped).toBe(false);

    batch.resolve({ jobs: 1, left: true });
    await stopped;
  });
});

describe('a card', () => {
  it('a card counts as shown only when that would survive a power cut', async () => {
    const job = await accepted();
    const disk = Promise.withResolvers<void>();

    world.script.disk = () => disk.promise;
    const events: string[] = [];
    // The card is reported twice, as after a first report whose answer was lost.
    const shown = [1, 2].map(() =>
      world.orchestrator.cardShown(job.id, card).then(() => events.push('known')),
    );
    await world.pass(10);

    expect((await world.jobOf(job))?.card).toEqual(card);

    events.push('on the disk');
    disk.resolve();
    await Promise.all(shown);

    expect(events).toEqual(['on the disk', 'known', 'known']);
  });

  it('a card that cannot be shown ends its job immediately, and the credits are returned', async () => {
    const job = await accepted();
    await world.orchestrator.cardShown(job.id, undefined);

    expect(await world.jobOf(job)).toMatchObject({ state: 'cancelled', settled: true });
    expect(await world.credits()).toEqual(nothing);

    await world.orchestrator.cardShown(job.id, undefined);
    await world.pass(HOUR);

    expect(world.runs).toEqual([]);
  });

  it('a card that exists stays, whatever happens when it is shown again', async () => {
    const job = await accepted();
    await world.orchestrator.cardShown(job.id, card);
    await world.orchestrator.cardShown(job.id, undefined);
    await world.pass(MINUTE);

    expect(await world.jobOf(job)).toMatchObject({ state: 'done', card });
  });
});

describe('a job that is cancelled before its card is confirmed', () => {
  it.each([
    { what: 'shows that on the card, if there is one', found: card, ends: ['cancelled'] },
    { what: 'ends if there is none', found: undefined, ends: [] },
  ])('a job that is cancelled before its card is confirmed $what', async ({ found, ends }) => {
    const job = await accepted();
    world.script.findCard = () => found;
    await world.orchestrator.cancel(job.id);
    // A card that may still be on its way is not drawn over.
    await world.pass(59_000);

    expect(world.endsShown(job)).toEqual([]);

    await world.pass(2_000);
    expect(world.endsShown(job)).toEqual(ends);
    expect(await world.jobOf(job)).toMatchObject({
      state: 'cancelled',
      settled: true,
      ...(found && { card }),
    });
    expect(await world.credits()).toEqual(nothing);
  });

  it('a job that is cancelled before its card is confirmed shows that once on a card that appears later', async () => {
    const job = await accepted();
    world.script.findCard = () => card;
    await world.orchestrator.cancel(job.id);
    await world.orchestrator.cardShown(job.id, card);
    await world.pass(HOUR);

    expect(world.endsShown(job)).toEqual(['cancelled']);
  });
});

describe('an unconfirmed card', () => {
  it.each([
    { what: 'after a kill', wait: () => world.restart(), ms: 0 },
    { what: 'without a kill, when the confirmation was lost', wait: () => world.pass(59_000), ms: MINUTE },
  ])('an unconfirmed card is searched for $what, and its job continues', async ({ wait, ms }) => {
    const job = await accepted();
    world.script.findCard = (asked, { id }) => (asked.ref === answer.ref && id === job.id ? card : undefined);
    await wait();

    expect(await world.stateOf(job)).toBe('opening');

    await world.pass(MINUTE + ms);
    expect(await world.jobOf(job)).toMatchObject({ state: 'done', card });
    expect(await world.jobOf(job)).not.toHaveProperty('answer');
    expect(world.endsShown(job)).toHaveLength(1);
    expect(world.runs).toHaveLength(1);
  });

  it('an unconfirmed card that does not exist ends the job without cost', async () => {
    const job = await accepted();
    await world.restart();
    await world.pass(1_000);

    expect(await world.jobOf(job)).toMatchObject({ state: 'cancelled', settled: true });
    expect(await world.credits()).toEqual(nothing);
    expect(world.runs).toEqual([]);
  });

  it.each([
    { state: 'opening', end: 'done' },
    { state: 'cancelled', end: 'cancelled' },
  ] as const)(
    'an unconfirmed card of a job that is $state is searched for until the platform answers',
    async ({ state, end }) => {
      const down = (): never => expect.fail('down');
      world.script.findCard = down;
      const job = await accepted();
      if (state === 'cancelled') await world.orchestrator.cancel(job.id);
      await world.restart();
      await world.pass(4 * MINUTE);

      expect(await world.jobOf(job)).toMatchObject({ state, settled: false });

      world.script.findCard = () => card;
      await world.pass(2 * MINUTE);

      expect(await world.stateOf(job)).toEqual(end);
      expect(world.endsShown(job)).toEqual([end]);

      // The search ends after some time although the platform does not answer.
      world.script.findCard = down;
      const lost = await accepted({ origin: 'another event' });
      await world.pass(HOUR);

      expect(await world.stateOf(lost)).toBe('cancelled');
    },
  );

  it('an unconfirmed card that is confirmed during the search is shown once', async () => {
    const job = await accepted();
    const found = Promise.withResolvers<CardRef | undefined>();

    world.script.findCard = () => found.promise;
    await world.pass(61_000);
    await world.orchestrator.cardShown(job.id, { platform: 'web', ref: 'reported' });
    found.resolve(undefined);
    await world.pass(MINUTE);

    expect(await world.jobOf(job)).toMatchObject({ state: 'done', card: { ref: 'reported' } });
  });
});

describe('a stop', () => {
  it('a stop finishes the current step, starts no more, and leaves the rest for the next start', async () => {
    const sent = Promise.withResolvers<void>();
    world.script.onRun = () => sent.promise;
    const inHand = await world.submitAndPass(1_000);
    const stopped = world.orchestrator.stop();
    const later = await world.submitAndPass(2_000, 'ben');
    sent.resolve();
    await world.pass(100);
    await stopped;

    expect(await world.statesOf([inHand, later])).toEqual(['running', 'waiting']);

    await world.restart();
    await world.pass(MINUTE);

    expect(await world.statesOf([inHand, later])).toEqual(['done', 'done']);
  });

  it('a stop does not wait longer than ten seconds for what hangs', async () => {
    world.script.onRun = never;
    await world.submitAndPass(1_000);
    const stopped = world.orchestrator.stop();
    await world.pass(9_999);
    await stopped;
  });

  it('a stop waits for a round of housekeeping, which would otherwise meet a closed store', async () => {
    const sweep = Promise.withResolvers<boolean>();
    await openWorld({ sweep: () => sweep.promise });
    await world.pass(1_000);
    let isStopped = false;
    const stopped = world.orchestrator.stop().then(() => (isStopped = true));
    await new Promise((done) => setImmediate(done));

    expect(isStopped).toBe(false);

    sweep.resolve(true);
    await stopped;

    expect(world.warnings).toEqual([]);
  });
});
