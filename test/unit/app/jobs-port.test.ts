import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEgress } from '../../../src/app/egress.ts';
import { createJobsPort, type JobsPortParts } from '../../../src/app/jobs-port.ts';
import type { CardRef } from '../../../src/command/place.ts';
import { wordsFor } from '../../../src/words/words.ts';
import { createWorld, orderOf, type World } from '../orchestrator/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const { caller, place } = orderOf('ann');
const portAt = (
  community: string,
  resultOf: JobsPortParts['resultOf'],
  dressed: JobsPortParts['dressed'] = async () => 'unusable',
  answer?: CardRef,
) =>
  createJobsPort(
    {
      orchestrator: world.orchestrator,
      egress: createEgress(new Map()),
      audit: { note: () => undefined, recent: () => [], forget: () => undefined },
      clock: world.clock,
      resultOf,
      dressed,
      reported: async () => undefined,
    },
    { event: 'event', caller, place: { ...place, community }, ...(answer === undefined ? {} : { answer }) },
    wordsFor('en'),
  );

it('shows everybody only what was made among them', async () => {
  const { id } = world.submit('ann');
  const shownAt = (community: string) => portAt(community, async () => undefined).show(id);
  expect(await shownAt(place.community)).toMatchObject({ private: false });
  expect(await shownAt('web:elsewhere')).toMatchObject({ private: true });
});

it('shows a result in a size that fits where it is asked for, not where it was made', async () => {
  const { id } = world.submit('ann');
  await world.clock.advance(60_000);
  const here: CardRef = { platform: 'web', ref: 'the answer' };
  const output = { kind: 'image', bytes: Buffer.alloc(1) } as const;
  const sized: (CardRef | undefined)[] = [];
  const dressed: JobsPortParts['dressed'] = async (job) => {
    sized.push(job.card);
    return 'unusable';
  };
  await portAt(place.community, async () => output, dressed, here).show(id);
  await portAt(place.community, async () => output, dressed).show(id);
  expect(sized).toEqual([here, world.orchestrator.get(id)?.card]);
});

it('fetches a few results at a time, however often they are asked for', async () => {
  const { id } = world.submit('ann');
  await world.clock.advance(60_000);
  let atOnce = 0;
  let most = 0;
  const port = portAt(place.community, async () => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await new Promise((done) => setImmediate(done));
    atOnce -= 1;
    throw new Error('the service is slow and then fails');
  });
  const shown = await Promise.all(Array.from({ length: 50 }, () => port.show(id)));
  expect(shown.map(({ kind }) => kind)).toEqual(Array(50).fill('message'));
  expect(most).toBe(4);
});
