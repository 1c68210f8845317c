import { beforeEach, describe, expect, it } from 'vitest';
import {
  type CardRefresh,
  type CardState,
  contentOf,
  createCardRefresh,
} from '../../../../src/orchestrator/live/card-refresh.ts';
import { createFakeClock, type FakeClock } from '../../../fakes/clock.ts';

let clock: FakeClock;
let now: Map<string, CardState>;
let drawn: string[];
let reads: number;
let hasRoom: () => boolean;
let cardRefresh: CardRefresh;

const waitingAt = (position: number): CardState => ({ state: 'waiting', jobStatus: { position } });
const running = (progress: number): CardState => ({ state: 'running', jobStatus: { progress } });

beforeEach(() => {
  clock = createFakeClock();
  now = new Map();
  drawn = [];
  reads = 0;
  hasRoom = () => true;
  cardRefresh = createCardRefresh({
    clock,
    async cardState(id) {
      reads += 1;
      return now.get(id);
    },
    async draw(id) {
      if (hasRoom()) drawn.push(id);
      return hasRoom();
    },
  });
  cardRefresh.start();
});

describe('a card', () => {
  it('shows a change of state within a second, and combines quick changes', async () => {
    now.set('a', waitingAt(2));
    cardRefresh.follow('a', contentOf(waitingAt(2)));
    await clock.advance(10_000);
    now.set('a', { state: 'submitting', jobStatus: {} });
    cardRefresh.hurry('a');
    await clock.advance(500);
    now.set('a', running(0));
    cardRefresh.hurry('a');
    await clock.advance(400);
    expect(drawn).toEqual(['a']);
    await clock.advance(10_000);
    expect(drawn).toEqual(['a']);
  });

  it('shows that a job is being sent although nothing else changed', async () => {
    now.set('a', { state: 'waiting', jobStatus: {} });
    cardRefresh.follow('a', contentOf({ state: 'opening', jobStatus: {} }));
    now.set('a', { state: 'submitting', jobStatus: {} });
    cardRefresh.hurry('a');
    await clock.advance(1_000);
    expect(drawn).toEqual(['a']);
  });

  it('is not edited while it is up to date', async () => {
    now.set('a', waitingAt(2));
    cardRefresh.follow('a', contentOf({ ...waitingAt(2), state: 'opening' }));
    cardRefresh.hurry('a');
    await clock.advance(60_000);
    expect(drawn).toEqual([]);
    now.set('a', waitingAt(1));
    await clock.advance(4_000);
    expect(drawn).toEqual(['a']);
  });

  it('that was rate-limited is retried soon a few times, then with the others', async () => {
    hasRoom = () => false;
    now.set('a', running(0.1));
    cardRefresh.follow('a');
    cardRefresh.hurry('a');
    await clock.advance(60_000);
    const tries = reads;
    expect(tries).toBeGreaterThan(10);
    expect(tries).toBeLessThan(25);
    hasRoom = () => true;
    await clock.advance(5_000);
    expect(drawn).toEqual(['a']);
  });

  it('that was forgotten is not drawn again', async () => {
    now.set('a', running(0.1));
    cardRefresh.follow('a');
    cardRefresh.hurry('a');
    cardRefresh.forget('a');
    cardRefresh.hurry('a');
    await clock.advance(10_000);
    expect(reads).toBe(0);
    expect(clock.pending).toBe(0);
  });
});

describe('thousands of cards', () => {
  it('cost no more per second than a hundred, and urgent ones do not wait behind the others', async () => {
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
});

it('tells an edit that goes on that its card is about to show the end', async () => {
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
