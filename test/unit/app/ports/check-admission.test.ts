import { expect, it, vi } from 'vitest';
import { createAdmission } from '../../../../src/app/ports/orchestrator-ports.ts';
import type { Place } from '../../../../src/command/place.ts';
import { createCommunityGate, createCommunityRules } from '../../../../src/community/rules/settings.ts';
import { JobFailure } from '../../../../src/orchestrator/job/failure.ts';
import type { Failure, Job } from '../../../../src/orchestrator/job/job.ts';
import { createRecords } from '../../../fakes/records.ts';
import { requestOf } from '../../../fakes/requests.ts';
import { sampleJob } from '../../store/sqlite/open-store.ts';

/** What was decided while a job waited is asked before it is submitted. */

const job = sampleJob();
const { community } = job.place;

const open = () => {
  const records = createRecords();
  const rules = createCommunityRules(records, Date.now);
  const revoked = new Set<string>();
  const admit = createAdmission(createCommunityGate(rules, async (_, place) => revoked.has(place.community)));
  const ask = async (asked: Job = job): Promise<Failure | undefined> => {
    try {
      await admit(asked);
      return undefined;
    } catch (error) {
      if (error instanceof JobFailure) return error.failure;
      throw error;
    }
  };
  return { records, rules, revoked, ask };
};

it('everybody is rejected where the approval was taken back, and while paused, with the reason', async () => {
  const { rules, revoked, ask } = open();
  revoked.add(community);
  expect(await ask()).toEqual({ code: 'unapproved' });
  revoked.clear();
  expect(await ask()).toBeUndefined();
  await rules.pause(community, 'back tomorrow');
  expect(await ask()).toEqual({ code: 'paused', detail: 'back tomorrow' });
  await rules.pause(community, '');
  expect(await ask()).toEqual({ code: 'paused' });
});

it('blocked people are rejected, and no others', async () => {
  const { rules, ask } = open();
  await rules.block(community, job.caller.id, 'spam');
  expect(await ask()).toEqual({ code: 'blocked' });
  expect(await ask({ ...job, caller: { ...job.caller, id: '5' } })).toBeUndefined();
});

it('a channel that was closed meanwhile rejects; a group that has another id since is found', async () => {
  const { rules, ask } = open();
  const other = { ...job.place, channel: 'elsewhere' };
  await rules.setChannels(community, 'here', other);
  expect(await ask()).toEqual({ code: 'other-channel' });
  expect(await ask({ ...job, place: other })).toBeUndefined();
  expect(await ask({ ...job, place: { ...job.place, direct: true } })).toBeUndefined();
  const place: Place = { platform: 'telegram', community: 'telegram:-5', channel: '-5', direct: false };
  await rules.setChannels(place.community, 'here', place);
  await rules.move(place.community, 'telegram:-1005');
  expect(await ask({ ...job, place })).toBeUndefined();
  expect(await ask({ ...job, place: { ...place, thread: '3' } })).toEqual({ code: 'other-channel' });
});

it('prompts with a word that was banned meanwhile are rejected, not filters of that name', async () => {
  const { rules, ask } = open();
  await rules.banWord(community, 'secret');
  expect(await ask()).toEqual({ code: 'banned-word' });
  const request = requestOf('face-swap-v1');
  if (request.kind !== 'face-swap-v1') throw new Error();
  const filter = { by: 'number', id: 1, name: 'secret' } as const;
  expect(await ask({ ...job, request: { ...request, filter } })).toBeUndefined();
});

it('the rules are read once for a thousand jobs', async () => {
  const { records, ask } = open();
  const read = vi.spyOn(records, 'get');
  for (let count = 0; count < 1_000; count += 1) await ask();
  expect(read).toHaveBeenCalledTimes(1);
});
