import { beforeEach, expect, it } from 'vitest';
import { openWorld, world } from './world.ts';

beforeEach(() => openWorld());

/** More than one job needs from its card to its end. */
const CALLS = 40;

it('any single call to the store that fails leaves no job in hand, and every job is run once and shown', async () => {
  for (let failing = 1; failing <= CALLS; failing += 1) {
    let calls = 0;
    let failed = 'nothing';
    world.script.onStore = (call) => {
      calls += 1;
      if (calls !== failing) return;
      failed = call;
      throw new Error('disk I/O error');
    };
    const { id } = await world.submit(`person-${failing}`);
    await world.clock.advance(400_000);
    world.script.onStore = undefined;
    const which = `call ${failing} failed: ${failed}`;
    expect(await world.orchestrator.get(id), which).toMatchObject({ state: 'done', settled: true });
    const { outages: _, ...stats } = await world.orchestrator.stats();
    expect(stats, which).toEqual({ waiting: 0, running: 0, steps: 0, submissions: 0 });
    expect(world.runs, which).toHaveLength(failing);
  }
});
