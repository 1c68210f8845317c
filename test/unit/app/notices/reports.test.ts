import { beforeEach, expect, it } from 'vitest';
import { createReports } from '../../../../src/app/notices/reports.ts';
import { createOutgoing, ownerAsCaller } from '../../../../src/app/platforms/outgoing.ts';
import type { View } from '../../../../src/command/view.ts';
import { createReportRecords } from '../../../../src/community/rules/report-records.ts';
import type { Job } from '../../../../src/orchestrator/job/job.ts';
import { languages } from '../../../../src/words/words.ts';
import { createRecords } from '../../../fakes/records.ts';
import { openWorld, orderOf, world } from '../../orchestrator/world.ts';

beforeEach(() => openWorld());

/** Reports to a log channel that takes them, unless the test gives other parts; what was posted, told to owners and audited. */
const open = (more: Partial<Parameters<typeof createReports>[0]> = {}) => {
  const [posted, told, noted]: [View[], View[], string[]] = [[], [], []];
  const report = createReports({
    reports: createReportRecords(createRecords(), () => 0),
    outgoing: {
      ...createOutgoing(new Map()),
      say: async (_to, view) => {
        told.push(view);
        return { state: 'drawn' };
      },
    },
    channel: { tell: () => undefined, post: async (_, view) => posted.push(view) > 0 },
    audit: { note: async (who) => void noted.push(who.id) },
    owners: [ownerAsCaller({ platform: 'web', id: 'owner' }, 'fr')],
    ownerWords: languages.fr,
    wordsIn: async () => languages.de,
    ...more,
  });
  const by = (person: string, job: Job) => report(job, { ...orderOf(person), event: 'press' });
  return { by, posted, told, noted };
};
const twoJobs = () => Promise.all([world.submit('ann'), world.submit('ann')]);

it('repeated reports by one person about one result are sent once', async () => {
  const { by, posted, noted } = open();
  const [first, second] = await twoJobs();
  for (let press = 0; press < 20; press += 1) expect(await by('ben', first)).toBe(true);
  expect(posted).toHaveLength(1);
  await by('eve', first);
  await by('ben', second);
  expect(posted).toHaveLength(3);
  expect(noted).toEqual(['ben', 'eve', 'ben']);
});

it('of one result by many people are a few messages, and all in the audit trail', async () => {
  const { by, posted, noted } = open();
  const [first, second] = await twoJobs();
  for (let person = 0; person < 30; person += 1) expect(await by(`person ${person}`, first)).toBe(true);
  expect(posted).toHaveLength(5);
  expect(noted).toHaveLength(30);
  await by('person 1', second);
  expect(posted).toHaveLength(6);
});

it('that could not be recorded are sent when they are repeated', async () => {
  let full = true;
  const { by, posted } = open({
    reports: {
      ...createReportRecords(createRecords(), () => 0),
      async add() {
        if (full) throw new Error('database or disk is full');
        return 'report';
      },
    },
  });
  const job = await world.submit('ann');
  await expect(by('ben', job)).rejects.toThrow('full');
  full = false;
  await by('ben', job);
  await by('ben', job);
  expect(posted).toHaveLength(1);
});

it('reach the owners when the log channel fails, and say when they reach nobody', async () => {
  let state: 'drawn' | 'gone' = 'drawn';
  const told: unknown[] = [];
  const { by } = open({
    outgoing: {
      ...createOutgoing(new Map()),
      say: async (to) => {
        told.push(to);
        return { state };
      },
    },
    channel: {
      tell: () => undefined,
      post: () => Promise.reject(new Error('kicked out of the channel')),
    },
  });
  const job = await world.submit('ann');
  expect(await by('ben', job)).toBe(true);
  expect(told).toMatchObject([{ caller: { id: 'owner' } }]);
  state = 'gone';
  for (let person = 0; person < 10; person += 1) expect(await by(`person ${person}`, job)).toBe(false);
  expect(told).toHaveLength(11);
  state = 'drawn';
  // It was tried once for each person.
  expect([await by('person 1', job), await by('eve', job)]).toEqual([false, true]);
  expect(told).toHaveLength(12);
});

it('contain the kind of a job, never a prompt, and no filter of a private one', async () => {
  const { by, posted } = open();
  const job = await world.submit('ann');
  const photo = { from: 'web', ref: 'photo' } as const;
  const prompted = { ...job, id: 'b', request: { kind: 'self-prompt', photo, prompt: 'a secret' } as const };
  await by('ben', { ...prompted, label: 'a secret' });
  await by('ben', { ...job, id: 'c', label: 'Candy Pop', private: true });
  await by('ben', { ...job, id: 'd', label: 'Candy Pop' });
  const said = posted.map(({ lines }) => JSON.stringify(lines));
  expect(said.map((each) => [each.includes('a secret'), each.includes('Candy Pop')])).toEqual([
    [false, false],
    [false, false],
    [false, true],
  ]);
});

it('are in the community’s language in its log channel, and in the owners’ for owners', async () => {
  const [first, second] = await twoJobs();
  const inChannel = open();
  await inChannel.by('ben', first);
  expect(inChannel.posted.map(({ title }) => title)).toEqual([languages.de.notes.reportTitle]);
  const toOwners = open({ channel: { tell: () => undefined, post: async () => false } });
  await toOwners.by('ben', second);
  expect(toOwners.told.map(({ title }) => title)).toEqual([languages.fr.notes.reportTitle]);
});
