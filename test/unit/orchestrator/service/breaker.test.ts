import { beforeEach, describe, expect, it } from 'vitest';
import { createBreaker } from '../../../../src/orchestrator/service/breaker.ts';
import { createServiceGate, type Gate } from '../../../../src/orchestrator/service/service-gate.ts';
import { createFakeClock, type FakeClock } from '../../../fakes/clock.ts';
import { serviceError } from '../../../fakes/orchestrator-world.ts';

let clock: FakeClock;
let gate: Gate;
beforeEach(() => {
  clock = createFakeClock();
  gate = createServiceGate({ clock, random: () => 0.5 });
});

describe('a breaker', () => {
  const open = (threshold: number, firstPauseMs: number, longestPauseMs: number) =>
    createBreaker({ clock, random: () => 1, threshold, firstPauseMs, longestPauseMs });

  it('a breaker allows one probe at a time after a pause, pauses longer each time, and resets on success', async () => {
    const breaker = open(2, 1_000, 4_000);
    breaker.failed('unavailable');

    expect(breaker.admit()).toBe(true);
    expect(breaker.outage()).toBeUndefined();

    const lengths: number[] = [];
    for (let i = 0; i < 4; i += 1) {
      breaker.failed('unavailable');
      const start = clock.now();
      expect(breaker.admit()).toBe(false);
      await clock.advance((breaker.retryAt() ?? start) - start);
      lengths.push(clock.now() - start);
      expect(breaker.admit()).toBe(true);
      expect(breaker.admit()).toBe(false);
      expect(breaker.wouldAdmit()).toBe(false);
    }

    expect(lengths).toEqual([1_000, 2_000, 4_000, 4_000]);

    breaker.succeeded();
    expect(breaker.outage()).toBeUndefined();
    expect(breaker.admit()).toBe(true);
    expect(breaker.admit()).toBe(true);

    for (let i = 0; i < 2; i += 1) breaker.failed('unavailable');
    expect((breaker.retryAt() ?? 0) - clock.now()).toBe(1_000);
  });

  it('the pauses of breakers differ by up to a half, so that several processes do not probe at the same moment', () => {
    const pauseOf = (random: number): number => {
      const pauses = { firstPauseMs: 1_000, longestPauseMs: 4_000 };
      const breaker = createBreaker({ clock, random: () => random, threshold: 1, ...pauses });
      breaker.failed('unavailable');
      return (breaker.retryAt() ?? 0) - clock.now();
    };

    expect([0, 0.5, 1].map(pauseOf)).toEqual([500, 750, 1_000]);
  });

  it('a breaker is not held open by a probe that was never made', async () => {
    const breaker = open(1, 10, 10);
    breaker.failed('unavailable');
    await clock.advance(10);

    expect(breaker.admit()).toBe(true);

    breaker.undecided();
    expect(breaker.admit()).toBe(true);
  });
});

describe('who is told of a change of a gate', () => {
  it('nobody is told of the answers to polls while the gate is open, of the end of an outage everybody', () => {
    let told = 0;
    gate = createServiceGate({ clock, random: () => 0.5, changed: () => (told += 1) });

    for (let count = 0; count < 100; count += 1) {
      gate.admitPoll();
      gate.report('poll', undefined);
    }
    expect(told).toBe(0);

    for (let count = 0; count < 5; count += 1) gate.report('poll', serviceError('unavailable', true));
    expect(gate.maySubmit()).toBe(false);

    told = 0;
    gate.report('poll', undefined);
    expect(gate.maySubmit()).toBe(true);
    expect(told).toBe(1);
  });

  it('the end of a submission is told, because another one may be tried from then on', () => {
    let told = 0;
    gate = createServiceGate({ clock, random: () => 0.5, changed: () => (told += 1) });
    gate.admitSubmission();

    gate.report('submission', undefined);

    expect(told).toBeGreaterThan(0);
  });
});

describe('the gate to one half of the service', () => {
  const down = serviceError('unavailable', true);
  const failLooks = (count: number): void => {
    for (let i = 0; i < count; i += 1) {
      gate.admitPoll();
      gate.report('poll', down);
    }
  };
  const refuse = (times: number): void => {
    for (let i = 0; i < times; i += 1) {
      gate.admitSubmission();
      gate.report('submission', serviceError('credits', false));
    }
  };

  it('the gate to one half of the service stays open for a few failures and closes after several in a row, unless there was an answer', () => {
    failLooks(4);
    gate.report('poll', undefined);
    failLooks(4);
    gate.admitSubmission();
    gate.report('submission', serviceError('refused', false));
    failLooks(4);

    expect(gate.outage()).toBeUndefined();

    failLooks(1);
    expect(gate.outage()).toBe('unavailable');
    expect(gate.maySubmit()).toBe(false);
    expect(gate.admitPoll()).toBe('no');
  });

  it('the gate to one half of the service stops submissions after three 402 responses, but not polls', async () => {
    refuse(2);
    expect(gate.outage()).toBeUndefined();
    expect(gate.maySubmit()).toBe(true);

    refuse(1);
    expect(gate.outage()).toBe('credits');
    expect(gate.maySubmit()).toBe(false);
    expect(gate.admitPoll()).toBe('yes');

    gate.report('poll', undefined);
    expect(gate.outage()).toBe('credits');

    await clock.advance(60_000);
    expect(gate.admitSubmission()).toBe(true);
    expect(gate.maySubmit()).toBe(false);

    gate.report('submission', undefined);
    expect(gate.outage()).toBeUndefined();
    expect(gate.maySubmit()).toBe(true);
  });

  it('the gate to one half of the service pauses for Retry-After when several jobs in a row got 429, which is no outage', async () => {
    const limit = (job: string): void => {
      gate.admitSubmission();
      const error = serviceError('rate-limited', false, { retryAfterMs: 7_000 });
      gate.report('submission', error, clock.now(), job);
    };
    for (const job of ['one', 'one', 'one', 'other']) limit(job);

    expect(gate.maySubmit()).toBe(true);

    gate.report('submission', undefined);
    for (const job of ['one', 'other']) limit(job);

    expect(gate.maySubmit()).toBe(true);

    limit('third');
    expect(gate.outage()).toBeUndefined();
    expect(gate.maySubmit()).toBe(false);

    await clock.advance(6_999);
    expect(gate.maySubmit()).toBe(false);

    await clock.advance(1);
    expect(gate.maySubmit()).toBe(true);
  });

  it('the gate to one half of the service pauses for a minute at most, however long a 429 asks for', async () => {
    const day = 24 * 60 * 60_000;
    for (const job of ['one', 'other', 'third']) {
      gate.admitSubmission();
      const error = serviceError('rate-limited', false, { retryAfterMs: day });
      gate.report('submission', error, clock.now(), job);
    }

    expect(gate.maySubmit()).toBe(false);

    await clock.advance(60_000);
    expect(gate.maySubmit()).toBe(true);
  });

  it('the gate to one half of the service tries one job at a time after a failure of a service that was busy before', async () => {
    for (const job of ['one', 'other', 'third']) {
      gate.admitSubmission();
      gate.report('submission', serviceError('rate-limited', false), clock.now(), job);
    }
    await clock.advance(1_000);

    expect(gate.admitSubmission()).toBe(true);
    gate.report('submission', down);

    expect(gate.outage()).toBeUndefined();
    expect(gate.isTrial()).toBe(true);
  });

  it('the gate to one half of the service does not take a 429 for the end of an outage', async () => {
    failLooks(5);
    await clock.advance(1_000);

    expect(gate.admitSubmission()).toBe(true);
    gate.report('submission', serviceError('rate-limited', false));

    expect(gate.outage()).toBe('unavailable');
  });

  it('the gate to one half of the service tries again only after seconds when the account has no credits', async () => {
    refuse(3);
    await clock.advance(7_000);

    expect(gate.maySubmit()).toBe(false);
  });

  it('the gate to one half of the service does not stop polls for calls that hang, nor submit because polls are answered', async () => {
    const begunAt = clock.now();
    await clock.advance(3_000);
    gate.report('poll', undefined);
    await clock.advance(12_000);
    for (let i = 0; i < 40; i += 1) gate.report('poll', down, begunAt);
    for (let i = 0; i < 12; i += 1) gate.report('submission', down, begunAt);

    expect(gate.outage()).toBe('unavailable');
    expect(gate.admitPoll()).toBe('yes');

    gate.report('poll', undefined);
    expect(gate.outage()).toBe('unavailable');
    expect(gate.maySubmit()).toBe(false);
    expect(gate.pollOutage()).toBeUndefined();

    gate.report('submission', undefined);
    expect(gate.outage()).toBeUndefined();
    expect(gate.maySubmit()).toBe(true);
  });

  it('the gate to one half of the service allows all polls for a while when only the hanging ones hang', async () => {
    const begunAt = clock.now();
    await clock.advance(15_000);
    for (let i = 0; i < 40; i += 1) gate.report('poll', down, begunAt);

    expect(gate.pollOutage()).toBe('unavailable');
    expect(gate.admitPoll()).toBe('no');

    await clock.advance(1_000);
    expect(gate.admitPoll()).toBe('probe');
    expect(gate.admitPoll()).toBe('no');

    gate.letPollsPass();
    expect(gate.pollOutage()).toBe('unavailable');
    expect(gate.admitPoll()).toBe('yes');
    expect(gate.admitPoll()).toBe('yes');

    await clock.advance(5_000);
    expect(gate.admitPoll()).toBe('probe');

    gate.report('poll', undefined);
    expect(gate.pollOutage()).toBeUndefined();
    expect(gate.admitPoll()).toBe('yes');
  });

  it('the gate to one half of the service does not wait for a probe that hangs', async () => {
    for (let i = 0; i < 5; i += 1) gate.report('submission', down);
    await clock.advance(1_000);

    expect(gate.admitSubmission()).toBe(true);
    expect(gate.maySubmit()).toBe(false);

    await clock.advance((gate.retryAt() ?? 0) - clock.now());
    expect(gate.maySubmit()).toBe(true);
    expect(gate.admitSubmission()).toBe(true);
  });
});
