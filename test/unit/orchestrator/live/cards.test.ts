import { beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '../../../../src/orchestrator/job/job.ts';
import { createActiveJobs } from '../../../../src/orchestrator/live/active-jobs.ts';
import {
  type CardRefresh,
  type CardState,
  cardContentKey,
  createCardRefresh,
} from '../../../../src/orchestrator/live/card-refresh.ts';
import { createProgressEdit } from '../../../../src/orchestrator/live/progress-edit.ts';
import type { JobContext } from '../../../../src/orchestrator/steps/effects.ts';
import { createFakeClock, type FakeClock } from '../../../fakes/clock.ts';
import { jobWith } from '../../../fakes/job.ts';
import { sampleJob } from '../../../fakes/sample-job.ts';

let clock: FakeClock;
let reads: number;
beforeEach(() => {
  clock = createFakeClock();
  reads = 0;
});

describe('a card that is refreshed', () => {
  let now: Map<string, CardState>;
  let drawn: string[];
  let hasRoom: boolean;
  let cardRefresh: CardRefresh;
  const waitingAt = (position: number): CardState => ({ state: 'waiting', jobStatus: { position } });
  const running = (progress: number): CardState => ({ state: 'running', jobStatus: { progress } });

  beforeEach(() => {
    now = new Map();
    drawn = [];
    hasRoom = true;
    cardRefresh = createCardRefresh({
      clock,
      async cardState(id) {
        reads += 1;
        return now.get(id);
      },
      async draw(id) {
        if (hasRoom) drawn.push(id);
        return hasRoom;
      },
    });
    cardRefresh.start();
  });
  const become = (state: CardState): void => {
    now.set('a', state);
    cardRefresh.hurry('a');
  };

  it('a card that is refreshed shows a change of state within a second, and combines quick changes', async () => {
    now.set('a', waitingAt(2));
    cardRefresh.follow('a', cardContentKey(waitingAt(2)));
    await clock.advance(10_000);
    become({ state: 'submitting', jobStatus: {} });
    await clock.advance(500);
    become(running(0));
    await clock.advance(400);

    expect(drawn).toEqual(['a']);

    await clock.advance(10_000);
    expect(drawn).toEqual(['a']);
  });

  it('a card that is refreshed shows that a job is being sent although nothing else changed', async () => {
    cardRefresh.follow('a', cardContentKey({ state: 'opening', jobStatus: {} }));
    become({ state: 'submitting', jobStatus: {} });
    await clock.advance(1_000);

    expect(drawn).toEqual(['a']);
  });

  it('a card that is refreshed is not edited while it is up to date', async () => {
    cardRefresh.follow('a', cardContentKey({ ...waitingAt(2), state: 'opening' }));
    become(waitingAt(2));
    await clock.advance(60_000);

    expect(drawn).toEqual([]);

    now.set('a', waitingAt(1));
    await clock.advance(4_000);

    expect(drawn).toEqual(['a']);
  });

  it('a card that is refreshed and was rate-limited is retried soon a few times, then with the others', async () => {
    hasRoom = false;
    cardRefresh.follow('a');
    become(running(0.1));
    await clock.advance(60_000);

    expect(reads).toBeGreaterThan(10);
    expect(reads).toBeLessThan(25);

    hasRoom = true;
    await clock.advance(5_000);

    expect(drawn).toEqual(['a']);
  });

  it('a card that is refreshed and was forgotten is not drawn again', async () => {
    cardRefresh.follow('a');
    become(running(0.1));
    cardRefresh.forget('a');
    cardRefresh.hurry('a');
    await clock.advance(10_000);

    expect(reads).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it('a card that is refreshed among thousands costs no more per second than a hundred, and an urgent one does not wait behind the others', async () => {
    for (let n = 0; n < 5_000; n += 1) {
      now.set(`${n}`, waitingAt(n));
      cardRefresh.follow(`${n}`);
    }
    await clock.advance(20_000);
    reads = 0;
    drawn = [];
    now.set('4999', running(0));
    cardRefresh.hurry('4999');
    await clock.advance(1_000);

    expect(drawn).toContain('4999');
    expect(reads).toBeLessThanOrEqual(88);
  });

  it('a card that is refreshed is told during an edit that it is about to show the end', async () => {
    const ended: string[] = [];
    const slow = createCardRefresh({
      clock,
      cardState: async () => running(0.5),
      draw: (id, _, ending) =>
        new Promise((resolve) => {
          ending.addEventListener('abort', () => {
            ended.push(id);
            resolve(true);
          });
        }),
    });

    slow.start();
    for (const id of ['a', 'b']) {
      slow.follow(id);
      slow.hurry(id);
    }
    await clock.advance(1_000);
    await slow.quiet('a');

    expect(ended).toEqual(['a']);
  });
});

describe('the card of a job that several processes work on, one after the other', () => {
  const common = sampleJob({ id: 'a', card: { platform: 'telegram', ref: '1' } });
  let stored: Job | undefined;
  let isReadable: () => boolean;
  const become = (state: 'running' | 'delivering' | 'done' | 'failed', version = 4): void => {
    stored = jobWith({ ...common, state, version });
  };
  const records = {
    get: async () => {
      reads += 1;
      if (!isReadable()) throw new Error('Connection terminated');
      return stored;
    },
    standing: async () => undefined,
    expectedStanding: async () => undefined,
  };
  beforeEach(() => {
    isReadable = () => true;
    become('running', 3);
  });

  describe('the progress of a job that another process brings to its end', () => {
    let draws: string[];
    let meanwhile: () => void;
    let isAway: () => boolean;
    let ending: AbortController;
    const draw = () =>
      createProgressEdit({
        clock,
        records,
        isShared: true,
        isStopped: () => false,
        log: { warn: () => undefined },
        ports: {
          async draw(job: Job, _status: object, importance: string) {
            if (isAway()) return { state: 'later', afterMs: 0 };
            draws.push(`${job.state} ${importance}`);
            meanwhile();
            meanwhile = () => undefined;
            return { state: 'drawn' };
          },
        },
      } as unknown as JobContext)('a', { progress: 0.5 }, ending.signal);
    beforeEach(() => {
      draws = [];
      ending = new AbortController();
      meanwhile = () => undefined;
      isAway = () => false;
    });

    it('the progress of a job that another process brings to its end is replaced by the end, which it has overwritten', async () => {
      meanwhile = () => become('failed');
      await draw();
      expect(draws).toEqual(['running cosmetic', 'failed final']);
    });

    it('the progress of a job that another process brings to its end waits for the end to be written down, and leaves the result in its place', async () => {
      meanwhile = () => become('delivering');
      const drawn = draw();
      await clock.advance(1_500);

      expect(draws).toEqual(['running cosmetic']);

      become('done', 5);
      await clock.advance(1_500);
      await drawn;

      expect(draws).toEqual(['running cosmetic', 'done cosmetic']);
    });

    it.each(['the store', 'the platform'])(
      'the progress of a job that another process brings to its end is replaced by the end after %s was away',
      async (which) => {
        meanwhile = () => {
          become('done');
          const end = clock.now() + 300_000;
          if (which === 'the store') isReadable = () => clock.now() >= end;
          else isAway = () => clock.now() < end;
        };
        const drawn = draw();
        await clock.advance(5_000);
        // Other cards do not wait for that.
        await drawn;
        await clock.advance(290_000);

        expect(draws).toEqual(['running cosmetic']);

        await clock.advance(60_000);
        expect(draws).toEqual(['running cosmetic', 'done cosmetic']);
        expect(clock.pending).toBe(0);
      },
    );

    it('the progress of a job that another process brings to its end is not followed for days by one that cannot be shown', async () => {
      meanwhile = () => become('delivering');
      void draw();
      await clock.advance(600_000);

      expect(clock.pending).toBe(0);
    });

    it('the progress of a job that another process brings to its end does not keep the result of this process waiting, and nothing follows it while the job runs', async () => {
      await draw();
      expect(draws).toEqual(['running cosmetic']);

      meanwhile = () => become('delivering');
      const drawn = draw();
      await clock.advance(0);
      ending.abort();
      await drawn;

      expect(draws).toEqual(['running cosmetic', 'running cosmetic']);
    });
  });

  describe('a job that another process has taken on', () => {
    let counts: string[];
    let forgotten: string[];
    const follow = (isShared: boolean) => {
      counts = [];
      forgotten = [];
      // The outage concerns submissions, and this job runs already.
      const gate = { outage: () => 'credits', pollOutage: () => undefined };
      const timing = {
        began: () => void counts.push('began'),
        ended: () => void counts.push('ended'),
        progress: () => ({ fraction: 0.5 }),
      };
      const limits = { perPerson: 1, inAll: 1 };
      const gates = { key: gate, token: gate };
      const common = { records, isShared, clock, limits, timing, gates } as unknown as JobContext;
      const cards = { follow: () => undefined, hurry: () => undefined };
      const forget = (id: string): void => void forgotten.push(id);
      const active = createActiveJobs(common, { ...cards, forget } as unknown as CardRefresh);
      if (stored !== undefined) active.saved(stored);
      return active;
    };

    it.each(['written', 'removed'])(
      'a job that another process has taken on is not followed once it was %s, until it comes back',
      async (how) => {
        const active = follow(true);
        expect(await active.cardState('a')).toEqual({ state: 'running', jobStatus: { progress: 0.5 } });

        if (how === 'removed') stored = undefined;
        else become('running');
        await clock.advance(10_000);

        expect(await active.cardState('a')).toBeUndefined();
        expect(forgotten).toEqual(['a']);
        expect(counts).toEqual(['began', 'ended']);

        if (stored === undefined) return;
        active.saved(stored);

        expect(await active.cardState('a')).toMatchObject({ state: 'running' });
      },
    );

    it.each([
      { isShared: true, expected: 3 },
      { isShared: false, expected: 0 },
    ])(
      'a job that another process has taken on is one read in ten seconds, none where nobody else is (shared: $isShared)',
      async ({ isShared, expected }) => {
        const active = follow(isShared);
        reads = 0;
        for (let second = 0; second < 30; second += 1) {
          await clock.advance(1_000);
          expect(await active.cardState('a')).toBeDefined();
        }

        expect(reads).toBe(expected);
      },
    );
  });
});
