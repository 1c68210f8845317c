/** Cancel, and Again or Retry (a new job from the same request), at every state of a job, pressed once and twice. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { JobState } from '../../../src/command/ports.ts';
import { openWorld, orderOf, serviceError, world } from './world.ts';

beforeEach(() => openWorld());

const never = (): Promise<never> => new Promise(() => undefined);
const shown = async (): Promise<string> => (await world.submit('ann')).id;

/** Brings a job into each state, and what Cancel then makes of it and of its credits. */
const states: Record<
  JobState,
  { readonly reach: () => Promise<string>; readonly cancelled?: 'returned' | 'spent' }
> = {
  opening: {
    reach: async () => (await world.orchestrator.accept(orderOf('ann'))).job.id,
    cancelled: 'returned',
  },
  waiting: {
    reach() {
      world.script.photo = never;
      return shown();
    },
    cancelled: 'returned',
  },
  submitting: {
    reach() {
      world.script.onRun = never;
      return shown();
    },
    cancelled: 'spent',
  },
  running: {
    reach() {
      world.script.durationMs = () => Number.POSITIVE_INFINITY;
      return shown();
    },
    cancelled: 'spent',
  },
  delivering: {
    reach() {
      world.script.draw = (_, importance) => (importance === 'final' ? never() : { state: 'drawn' });
      return shown();
    },
  },
  done: { reach: shown },
  failed: {
    reach() {
      world.script.outcome = () => ({ state: 'failed', reason: undefined });
      return shown();
    },
  },
  uncertain: {
    reach() {
      world.script.onRun = () => {
        throw serviceError('unknown-outcome', true);
      };
      return shown();
    },
  },
  cancelled: {
    async reach() {
      world.script.photo = never;
      const id = await shown();
      await world.orchestrator.cancel(id);
      return id;
    },
  },
};

const isState = (name: string): name is JobState => Object.hasOwn(states, name);

describe.each(Object.keys(states).filter(isState))('at %s', (state) => {
  const arrive = async (): Promise<string> => {
    const id = await states[state].reach();
    await world.clock.advance(state === 'opening' ? 100 : 30_000);
    expect((await world.orchestrator.get(id))?.state).toBe(state);
    return id;
  };

  it('Cancel acts once, and has the same result when repeated or after a restart', async () => {
    const id = await arrive();
    const { cancelled } = states[state];
    const before = await world.orchestrator.get(id);
    const first = (await world.orchestrator.cancel(id))?.job;
    if (cancelled === undefined) expect(first).toEqual(before);
    else expect(first).toMatchObject({ state: 'cancelled', charge: cancelled });
    expect((await world.orchestrator.cancel(id))?.job).toEqual(first);
    await world.clock.advance(1_000);
    await world.restart();
    expect((await world.orchestrator.cancel(id))?.job).toMatchObject({
      state: first?.state,
      charge: first?.charge,
    });
    const { reserved, spent } = await world.orchestrator.usage('web:room', 'web:ann');
    expect({ reserved, spent }).toEqual({ reserved: 0, spent: first?.charge === 'spent' ? 2 : 0 });
  });
});
