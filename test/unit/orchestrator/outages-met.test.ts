/** What /readyz tells of the service: outages that jobs meet, not those that nobody has tried since. */
import { beforeEach, expect, it } from 'vitest';
import { openWorld, serviceError, world } from './world.ts';

let kind: 'unauthorized' | 'unavailable' | undefined;
beforeEach(async () => {
  await openWorld();
  world.script.onRun = () => {
    if (kind !== undefined) throw serviceError(kind, false);
  };
});

const both = () => [world.orchestrator.outages().key, world.orchestrator.outagesMet().key];

it.each([
  ['unauthorized', 'credentials'],
  ['unavailable', 'unavailable'],
] as const)(
  'an outage (%s) counts as met while a job tries it, and three minutes longer',
  async (how, outage) => {
    kind = how;
    const jobs: { readonly id: string }[] = [];
    for (let person = 0; person < 6; person += 1) {
      jobs.push(await world.submit(`person ${person}`));
      await world.clock.advance(1_000);
    }
    for (let round = 0; round < 30; round += 1) {
      await world.clock.advance(20_000);
      expect(both()).toEqual([outage, outage]);
    }
    for (const { id } of jobs) await world.orchestrator.cancel(id);
    await world.clock.advance(181_000);
    expect(both()).toEqual([outage, undefined]);
    kind = undefined;
    await world.submit('eve');
    await world.clock.advance(60_000);
    expect(both()).toEqual([undefined, undefined]);
  },
);
