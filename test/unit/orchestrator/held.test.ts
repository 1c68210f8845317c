/** Results that a moderator has to decide about before anybody sees them. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '../../../src/orchestrator/job/job.ts';
import { failing, HOUR, MINUTE, never, openWorld, png, world } from '../../fakes/orchestrator-world.ts';

const otherPicture = { kind: 'image', bytes: Buffer.from('another picture') } as const;

// Days pass here, of which housekeeping would be most of the work.
beforeEach(() => openWorld({ sweep: async () => false }));

/** Has every result held back, and gives a job whose result is held by now. */
const submitUntilHeld = async (): Promise<Job> => {
  world.script.isHeld = async () => true;
  return world.submitAndPass(30_000);
};
/** A moderator decides about a held result. */
const decide = (job: Job, decision: 'show' | 'remove') => world.orchestrator.decideHeld(job.id, decision);
const timesShown = (): number => world.drawings.filter(({ withResult }) => withResult).length;

describe('a result over the threshold', () => {
  it('a result over the threshold is not drawn: the card says that it is held, moderators are told once, and it stays paid for', async () => {
    const told: string[] = [];
    world.script.tellHeld = async ({ id }) => void told.push(id);

    const job = await submitUntilHeld();
    await world.pass(HOUR);

    expect(await world.jobOf(job)).toMatchObject({ state: 'held', charge: 'spent' });
    expect(world.drawings.at(-1)).toMatchObject({ state: 'held', importance: 'final', withResult: false });
    expect(world.endsShown(job)).toEqual(['held']);
    expect(told).toEqual([job.id]);
    expect(timesShown()).toBe(0);
    expect(await world.credits()).toEqual({ reserved: 0, spent: 2 });
  });

  it('that a result is held is said on its card, and told to moderators, after a kill and as often as that fails', async () => {
    let isAway = true;
    world.script.tellHeld = async () => {
      if (isAway) throw new Error('not now');
    };
    world.onFinalEdit(() => (isAway ? { state: 'later', afterMs: 0 } : { state: 'drawn' }));
    const job = await submitUntilHeld();
    await world.pass(MINUTE);
    await world.restart();
    expect(await world.jobOf(job)).toMatchObject({ state: 'held', held: { at: expect.any(Number) } });

    isAway = false;
    await world.pass(20 * MINUTE);

    expect(await world.jobOf(job)).toMatchObject({ held: { isShown: true, isTold: true } });
    expect(world.endsShown(job)).toEqual(['held']);
    expect(timesShown()).toBe(0);
  });

  it('that a result is held is not tried again and again on a card that was deleted, and moderators are still told', async () => {
    let tries = 0;
    world.onFinalEdit(() => {
      tries += 1;
      return { state: 'gone' };
    });
    const job = await submitUntilHeld();
    await world.pass(20 * MINUTE);

    expect(tries).toBe(1);
    expect(await world.jobOf(job)).toMatchObject({ state: 'held', held: { isShown: true, isTold: true } });
  });

  it('the very picture that a moderator has shown is not checked again', async () => {
    const job = await submitUntilHeld();
    await world.orchestrator.lookedAtHeld(job.id, png);

    await decide(job, 'show');
    await world.pass(30_000);

    expect(await world.stateOf(job)).toBe('done');
    expect(timesShown()).toBe(1);
  });

  it('a picture that the service gives in place of the one that a moderator has shown is held for a new decision', async () => {
    const told: boolean[] = [];
    world.script.tellHeld = async ({ cleared }) => void told.push(cleared !== undefined);
    const job = await submitUntilHeld();
    await world.pass(MINUTE);
    world.script.outcome = () => ({ state: 'completed', output: otherPicture });

    await decide(job, 'show');
    await world.pass(MINUTE);

    expect(await world.jobOf(job)).toMatchObject({ state: 'held', charge: 'spent' });
    expect(world.endsShown(job)).toEqual(['held', 'held']);
    // The second time they read that it is another picture.
    expect(told).toEqual([false, true]);
    expect(timesShown()).toBe(0);

    await decide(job, 'show');
    await world.pass(MINUTE);

    expect(await world.stateOf(job)).toBe('done');
    expect(timesShown()).toBe(1);
  });

  it('a picture that the service gives in place of the one that a moderator has shown is shown where it is harmless', async () => {
    const job = await submitUntilHeld();
    world.script.outcome = () => ({ state: 'completed', output: otherPicture });
    world.script.isHeld = async () => false;

    await decide(job, 'show');
    await world.pass(MINUTE);

    expect(await world.stateOf(job)).toBe('done');
    expect(timesShown()).toBe(1);
  });

  it('after moderators looked at different pictures, none of them is shown without a check', async () => {
    const job = await submitUntilHeld();
    await world.orchestrator.lookedAtHeld(job.id, otherPicture);
    await world.orchestrator.lookedAtHeld(job.id, png);

    await decide(job, 'show');
    await world.pass(MINUTE);

    expect(await world.stateOf(job)).toBe('held');
    expect(timesShown()).toBe(0);

    // It is held for the picture that is there now, so one more look and decision are enough.
    await world.orchestrator.lookedAtHeld(job.id, png);
    await decide(job, 'show');
    await world.pass(MINUTE);

    expect(await world.stateOf(job)).toBe('done');
    expect(timesShown()).toBe(1);
  });

  it('a held result is shown when a moderator says so: once, however often that is said, and after kills', async () => {
    const job = await submitUntilHeld();
    world.onFinalEdit(never);

    const answers = await Promise.all([decide(job, 'show'), decide(job, 'show')]);
    expect(answers.filter((answer) => answer?.isChanged)).toHaveLength(1);

    await world.pass(1_000);
    await world.restart();
    world.onFinalEdit(() => ({ state: 'drawn' }));
    await world.pass(30_000);

    expect(await world.jobOf(job)).toMatchObject({ state: 'done', charge: 'spent' });
    expect(timesShown()).toBe(1);
    expect((await decide(job, 'remove'))?.isChanged).toBe(false);
    expect(await world.stateOf(job)).toBe('done');
    expect(world.finished.filter(({ id }) => id === job.id)).toHaveLength(1);
  });

  it('a held result that is removed is shown to nobody, also when it is to be shown afterwards', async () => {
    const job = await submitUntilHeld();

    expect((await decide(job, 'remove'))?.isChanged).toBe(true);
    expect((await decide(job, 'show'))?.isChanged).toBe(false);
    await world.pass(5_000);
    await world.restart();
    await world.pass(HOUR);

    expect(await world.jobOf(job)).toMatchObject({
      state: 'failed',
      failure: { code: 'content-removed' },
      charge: 'spent',
      settled: true,
    });
    expect(world.endsShown(job)).toEqual(['held', 'failed']);
    expect(timesShown()).toBe(0);
    expect(await world.credits()).toEqual({ reserved: 0, spent: 2 });
  });

  it('a held result about which nobody decides is removed after 48 hours, also when no process ran then', async () => {
    const job = await submitUntilHeld();
    await world.pass(47 * HOUR);
    expect(await world.stateOf(job)).toBe('held');

    await world.restart();
    await world.pass(2 * HOUR);

    expect(await world.jobOf(job)).toMatchObject({ state: 'failed', failure: { code: 'content-undecided' } });
    expect(world.endsShown(job)).toEqual(['held', 'failed']);
    expect(timesShown()).toBe(0);
  });

  it('a held result is taken back from moderators who looked at it before it ends undecided', async () => {
    const taken: string[] = [];
    world.script.takeBack = failing('unavailable', false);
    const job = await submitUntilHeld();
    await world.pass(48 * HOUR + MINUTE);
    expect(await world.stateOf(job)).toBe('held');

    world.script.takeBack = async ({ id }) => void taken.push(id);
    await world.pass(20 * MINUTE);

    expect(taken).toEqual([job.id]);
    expect(await world.stateOf(job)).toBe('failed');
  });

  it('a held result is gone when its person deletes it or all their data', async () => {
    const deleted = await submitUntilHeld();
    const erased = await submitUntilHeld();

    await world.orchestrator.withdraw(deleted.id);
    await world.pass(10_000);
    expect(await world.jobOf(deleted)).toBeUndefined();
    expect(world.discarded).toContain(`card-${deleted.id}`);

    await world.orchestrator.erase('web:ann');
    await world.pass(10_000);
    expect(await world.jobOf(erased)).toBeUndefined();
    expect(timesShown()).toBe(0);
  });
});

describe('a result that cannot be looked at', () => {
  it('a result that cannot be looked at is not shown, the card says that it is checked, and it is shown when it was looked at, after restarts, too', async () => {
    world.script.isHeld = failing('unavailable', false);
    const job = await world.submitAndPass(30_000);
    expect(await world.jobOf(job)).toMatchObject({ state: 'delivering', unchecked: true });
    expect(world.drawings.at(-1)?.job).toMatchObject({ unchecked: true });

    await world.restart();
    await world.pass(10 * MINUTE);
    expect(timesShown()).toBe(0);

    world.script.isHeld = async () => false;
    await world.pass(2 * MINUTE);
    expect(await world.stateOf(job)).toBe('done');
    expect(timesShown()).toBe(1);
  });

  it('a result is looked at by the next process when one dies meanwhile', async () => {
    world.script.isHeld = never;
    const job = await world.submitAndPass(30_000);
    expect(timesShown()).toBe(0);

    world.script.isHeld = async () => true;
    await world.restart();
    await world.pass(30_000);

    expect(await world.stateOf(job)).toBe('held');
    expect(timesShown()).toBe(0);
  });
});
