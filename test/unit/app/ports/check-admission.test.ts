import { describe, expect, it, vi } from 'vitest';
import { createAdmission } from '../../../../src/app/ports/orchestrator-ports.ts';
import { drawCard } from '../../../../src/cards/card.ts';
import type { Place } from '../../../../src/command/place.ts';
import { createCommunityGate, createCommunityRules } from '../../../../src/community/rules/settings.ts';
import { JobFailure } from '../../../../src/orchestrator/job/failure.ts';
import type { Failure, Job } from '../../../../src/orchestrator/job/job.ts';
import { languages } from '../../../../src/words/words.ts';
import { jobWith } from '../../../fakes/job.ts';
import { createRecords } from '../../../fakes/records.ts';
import { sampleJob } from '../../store/sqlite/open-store.ts';

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

describe('the admission check before a submission', () => {
  it('rejects blocked people only', async () => {
    const { rules, ask } = open();
    expect(await ask()).toBeUndefined();
    await rules.block(community, job.caller.id, 'spam');
    expect(await ask()).toEqual({ code: 'blocked' });
    expect(await ask({ ...job, caller: { ...job.caller, id: '5' } })).toBeUndefined();
    await rules.unblock(community, job.caller.id);
    expect(await ask()).toBeUndefined();
  });

  it('rejects everybody where the approval was taken back', async () => {
    const { revoked, ask } = open();
    revoked.add(community);
    expect(await ask()).toEqual({ code: 'unapproved' });
    revoked.clear();
    expect(await ask()).toBeUndefined();
  });

  it('rejects everybody while paused, with the reason', async () => {
    const { rules, ask } = open();
    await rules.pause(community, 'back tomorrow');
    expect(await ask()).toEqual({ code: 'paused', detail: 'back tomorrow' });
    await rules.pause(community, '');
    expect(await ask()).toEqual({ code: 'paused' });
  });

  it('rejects everybody in a channel that was closed meanwhile', async () => {
    const { rules, ask } = open();
    const other = { ...job.place, channel: 'elsewhere' };
    await rules.setChannels(community, 'here', other);
    expect(await ask()).toEqual({ code: 'other-channel' });
    expect(await ask({ ...job, place: other })).toBeUndefined();
    expect(await ask({ ...job, place: { ...job.place, direct: true } })).toBeUndefined();
    await rules.setChannels(community, 'here', job.place);
    expect(await ask()).toBeUndefined();
  });

  it('finds the channel of a group that has got another id since', async () => {
    const { rules, ask } = open();
    const place: Place = { platform: 'telegram', community: 'telegram:-5', channel: '-5', direct: false };
    await rules.setChannels(place.community, 'here', place);
    await rules.move(place.community, 'telegram:-1005');
    expect(await ask({ ...job, place })).toBeUndefined();
    expect(await ask({ ...job, place: { ...place, thread: '3' } })).toEqual({ code: 'other-channel' });
  });

  it('rejects prompts with a word that was banned meanwhile', async () => {
    const { rules, ask } = open();
    await rules.banWord(community, 'secret');
    expect(await ask()).toEqual({ code: 'banned-word' });
    const swap = {
      kind: 'face-swap-v6',
      photo: { from: 'discord', ref: 'x' },
      filter: { by: 'number', id: 1, name: 'secret' },
      gender: 'male',
    } as const;
    expect(await ask({ ...job, request: swap })).toBeUndefined();
  });

  it('reads the rules once for a thousand jobs', async () => {
    const { records, ask } = open();
    const read = vi.spyOn(records, 'get');
    for (let count = 0; count < 1_000; count += 1) await ask();
    expect(read).toHaveBeenCalledTimes(1);
  });

  it.each(Object.entries(languages))(
    '%s: the card says why, and that the credits were returned',
    (_, words) => {
      const ended = jobWith({ ...job, state: 'failed', charge: 'returned' });
      for (const code of ['blocked', 'paused', 'other-channel', 'banned-word'] as const) {
        const { lines } = drawCard({ ...ended, failure: { code } }, {}, words);
        expect(lines).toEqual([words.failure[code], words.card.returned(2)]);
      }
      const failure = { code: 'paused', detail: 'rest' } as const;
      const paused = drawCard({ ...ended, failure }, {}, words);
      expect(paused.lines[0]).toBe(`${words.failure.paused} (rest)`);
    },
  );
});
