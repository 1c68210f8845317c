// @module-tag slow
/** The line of one half of the service while the other half is down for an hour. */
import { expect, it } from 'vitest';
import { failing, MINUTE, openWorld, video, world } from '../../../fakes/orchestrator-world.ts';
import { settled, slots } from '../../../fakes/slots.ts';

it.each([
  { kind: 'unreachable', failed: 0 },
  { kind: 'rate-limited', failed: 0 },
  // Wrong credentials fail the first jobs at once, and the others wait for the owner.
  { kind: 'unauthorized', failed: 2 },
] as const)(
  'half a service that is $kind for an hour stops nobody in the other half',
  async ({ kind, failed }) => {
    await openWorld({ limits: { userConcurrentJobs: 1, serviceConcurrentJobs: 2, userWaitingJobs: 1_000 } });
    let isDown = true;
    const fail = (): void => (isDown ? failing(kind, false)() : undefined);
    world.script.onRun = (_, { endpoint }) => (endpoint === video.kind ? fail() : undefined);
    world.script.onProbe = fail;
    const films = await world.submitAll(['ann', 'ben', 'cid', 'ann', 'ben'], { request: video });
    const pictures = await world.submitAll(['ann', 'ben', 'dan', 'eve', 'dan']);
    for (let i = 0; i < 60; i += 1) {
      await settled(MINUTE);
      expect(slots().inAll).toBeLessThanOrEqual(2);
    }

    expect(await world.statesOf(pictures)).toEqual(pictures.map(() => 'done'));

    isDown = false;
    for (let i = 0; i < 30; i += 1) await settled(MINUTE);
    const ends = await world.statesOf(films);

    expect(ends.filter((state) => state === 'failed')).toHaveLength(failed);
    expect(ends.filter((state) => state === 'done')).toHaveLength(films.length - failed);
    expect(slots()).toEqual({ inAll: 0, ofPeople: 0, ofJobs: 0 });
  },
);
