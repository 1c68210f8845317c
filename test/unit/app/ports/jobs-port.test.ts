import { beforeEach, expect, it } from 'vitest';
import type { Adapter } from '../../../../src/adapters/adapter.ts';
import { createOutgoing } from '../../../../src/app/platforms/outgoing.ts';
import { createJobs, type JobsParts } from '../../../../src/app/ports/jobs-port.ts';
import type { Incoming } from '../../../../src/command/desk.ts';
import type { CardRef } from '../../../../src/command/place.ts';
import type { JobsPort } from '../../../../src/command/ports.ts';
import { createCommunityRules } from '../../../../src/community/rules/settings.ts';
import { wordsFor } from '../../../../src/words/words.ts';
import { idleAdapter, unused } from '../../../fakes/adapter.ts';
import { createRecords } from '../../../fakes/records.ts';
import { openWorld, orderOf, world } from '../../orchestrator/world.ts';

beforeEach(() => openWorld());

const { caller, place } = orderOf('ann');
/** Where messages are told apart by their whole reference. */
const web: Adapter = { ...idleAdapter, isSame: (a, b) => a.ref === b.ref };
const portAt = (
  community: string,
  resultOf: JobsParts['resultOf'],
  fitResult: JobsParts['fitResult'] = async () => 'unusable',
  from: Pick<Incoming, 'answer' | 'pressed'> = {},
  reported: JobsParts['reported'] = async () => true,
) =>
  createJobs({
    orchestrator: world.orchestrator,
    outgoing: createOutgoing(new Map([['web', web]])),
    audit: { note: async () => undefined },
    clock: world.clock,
    decoder: { convert: unused, compose: unused, pids: () => [], close: () => undefined },
    gate: { unapproved: unused, blocked: unused, refusal: unused, language: unused },
    rules: createCommunityRules(createRecords(), world.clock.now),
    resultOf,
    fitResult,
    faces: undefined,
    reported,
  })({ event: 'event', caller, place: { ...place, community }, ...from }, wordsFor('en'));

const showAt = async (id: string, port: JobsPort) => (await port.find(id))?.show();

it('shows a job of another community in private', async () => {
  const { id } = await world.submit('ann');
  const shownAt = (community: string) =>
    showAt(
      id,
      portAt(community, async () => undefined),
    );
  expect(await shownAt(place.community)).toMatchObject({ private: false });
  expect(await shownAt('web:elsewhere')).toMatchObject({ private: true });
});

it('takes reports of results only', async () => {
  const reported: string[] = [];
  const port = portAt(place.community, unused, unused, {}, async (job) => reported.push(job.id) > 0);
  const [made, cancelled] = await Promise.all([world.submit('ann'), world.submit('ann')]);
  await (await port.find(cancelled.id))?.cancel();
  await world.clock.advance(60_000);
  for (const { id } of [made, cancelled]) await (await port.find(id))?.report();
  expect(reported).toEqual([made.id]);
});

it('fits a result to the chat where it is requested', async () => {
  const { id } = await world.submit('ann');
  await world.clock.advance(60_000);
  const here: CardRef = { platform: 'web', ref: 'the answer' };
  const output = { kind: 'image', bytes: Buffer.alloc(1) } as const;
  const sized: (CardRef | undefined)[] = [];
  const fitResult: JobsParts['fitResult'] = async (job) => {
    sized.push(job.card);
    return 'unusable';
  };
  await showAt(
    id,
    portAt(place.community, async () => output, fitResult, { answer: here }),
  );
  await showAt(
    id,
    portAt(place.community, async () => output, fitResult),
  );
  expect(sized).toEqual([here, (await world.orchestrator.get(id))?.card]);
});

it('fetches one result at a time per person', async () => {
  const { id } = await world.submit('ann');
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
  const shown = await Promise.all(Array.from({ length: 50 }, () => showAt(id, port)));
  expect(shown.map((reply) => reply?.kind)).toEqual(Array(50).fill('message'));
  expect(most).toBe(1);
});

const cancelAt = async (id: string, ref?: string) => {
  const from: Pick<Incoming, 'pressed'> = ref === undefined ? {} : { pressed: { platform: 'web', ref } };
  const job = await portAt(place.community, async () => undefined, undefined, from).find(id);
  return job?.cancel();
};

it('Cancel on an earlier copy of the card cancels the job and removes the copy', async () => {
  const { id } = await world.submit('ann');
  expect(await cancelAt(id, 'sent before it')).toEqual({ kind: 'remove', note: 'Cancelled.' });
  expect((await world.orchestrator.get(id))?.state).toBe('cancelled');
  expect(await cancelAt(id, 'sent before it')).toEqual({
    kind: 'remove',
    note: 'This job has already ended.',
  });
  expect((await cancelAt(id, `card-${id}`))?.kind).toBe('note');
  expect((await cancelAt(id))?.kind).toBe('note');
});

it('Cancel on a card that was not yet confirmed makes it the card, which shows the cancellation', async () => {
  const { job } = await world.orchestrator.accept(orderOf('ann'));
  const reply = cancelAt(job.id, 'unheard of');
  await world.clock.advance(1_000);
  expect(await reply).toEqual({ kind: 'note', text: 'Cancelled.' });
  expect(await world.orchestrator.get(job.id)).toMatchObject({
    state: 'cancelled',
    card: { ref: 'unheard of' },
  });
  await world.clock.advance(1_000);
  expect(world.finalDrawings(job.id)).toHaveLength(1);
});

it('a press before the card is confirmed waits for the confirmation, and the card stays', async () => {
  const { job } = await world.orchestrator.accept(orderOf('ann'));
  const reply = cancelAt(job.id, 'its card');
  await world.orchestrator.shown(job.id, { platform: 'web', ref: 'its card' });
  await world.clock.advance(200);
  expect(await reply).toEqual({ kind: 'note', text: 'Cancelled.' });
});
