import { beforeEach, expect, it } from 'vitest';
import { createReports } from '../../../../src/app/notices/reports.ts';
import { createOutgoing, type Outgoing, ownerAsCaller } from '../../../../src/app/platforms/outgoing.ts';
import type { View } from '../../../../src/command/view.ts';
import type { Audit } from '../../../../src/community/rules/audit.ts';
import { createReportRecords } from '../../../../src/community/rules/report-records.ts';
import { languages } from '../../../../src/words/words.ts';
import { createRecords } from '../../../fakes/records.ts';
import { openWorld, orderOf, world } from '../../orchestrator/world.ts';

beforeEach(() => openWorld());

const records = () => createReportRecords(createRecords(), () => 0);
const silentAudit: Pick<Audit, 'note'> = { note: async () => undefined };

it('repeated reports by one person about one result are sent once', async () => {
  const posted: View[] = [];
  const noted: string[] = [];
  const report = createReports({
    reports: records(),
    outgoing: createOutgoing(new Map()),
    channel: {
      tell: () => undefined,
      post: async (_, view) => {
        posted.push(view);
        return true;
      },
    },
    audit: { ...silentAudit, note: async (who) => void noted.push(who.id) },
    owners: [ownerAsCaller({ platform: 'web', id: 'owner' }, 'en')],
    ownerWords: languages.en,
    wordsIn: async () => languages.en,
  });
  const [first, second] = await Promise.all([world.submit('ann'), world.submit('ann')]);
  const by = (person: string) => ({ ...orderOf(person), event: 'press' });
  for (let press = 0; press < 20; press += 1) expect(await report(first, by('ben'))).toBe(true);
  expect(posted).toHaveLength(1);
  await report(first, by('eve'));
  await report(second, by('ben'));
  expect(posted).toHaveLength(3);
  expect(noted).toEqual(['ben', 'eve', 'ben']);
});

it('of one result by many people are a few messages, and all in the audit trail', async () => {
  const posted: View[] = [];
  const noted: string[] = [];
  const report = createReports({
    reports: records(),
    outgoing: createOutgoing(new Map()),
    channel: { tell: () => undefined, post: async (_, view) => posted.push(view) > 0 },
    audit: { ...silentAudit, note: async (who) => void noted.push(who.id) },
    owners: [],
    ownerWords: languages.en,
    wordsIn: async () => languages.en,
  });
  const [first, second] = await Promise.all([world.submit('ann'), world.submit('ann')]);
  for (let person = 0; person < 30; person += 1)
    expect(await report(first, { ...orderOf(`person ${person}`), event: 'press' })).toBe(true);
  expect(posted).toHaveLength(5);
  expect(noted).toHaveLength(30);
  await report(second, { ...orderOf('person 1'), event: 'press' });
  expect(posted).toHaveLength(6);
});

it('that could not be recorded are sent when they are repeated', async () => {
  const posted: View[] = [];
  let full = true;
  const report = createReports({
    outgoing: createOutgoing(new Map()),
    channel: { tell: () => undefined, post: async (_, view) => posted.push(view) > 0 },
    audit: silentAudit,
    reports: {
      ...records(),
      async add() {
        if (full) throw new Error('database or disk is full');
        return 'report';
      },
    },
    owners: [],
    ownerWords: languages.en,
    wordsIn: async () => languages.en,
  });
  const job = await world.submit('ann');
  const by = { ...orderOf('ben'), event: 'press' };
  await expect(report(job, by)).rejects.toThrow('full');
  full = false;
  await report(job, by);
  await report(job, by);
  expect(posted).toHaveLength(1);
});

it('reach the owners when the log channel fails, and say when they reach nobody', async () => {
  let state: 'drawn' | 'gone' = 'drawn';
  const told: unknown[] = [];
  const outgoing: Outgoing = {
    ...createOutgoing(new Map()),
    say: async (to) => {
      told.push(to);
      return { state };
    },
  };
  const report = createReports({
    reports: records(),
    outgoing,
    channel: {
      tell: () => undefined,
      post: () => Promise.reject(new Error('kicked out of the channel')),
    },
    audit: silentAudit,
    owners: [ownerAsCaller({ platform: 'web', id: 'owner' }, 'en')],
    ownerWords: languages.en,
    wordsIn: async () => languages.en,
  });
  const job = await world.submit('ann');
  const pressed = (person: string) => report(job, { ...orderOf(person), event: 'press' });
  expect(await pressed('ben')).toBe(true);
  expect(told).toMatchObject([{ caller: { id: 'owner' } }]);
  state = 'gone';
  for (let person = 0; person < 10; person += 1) expect(await pressed(`person ${person}`)).toBe(false);
  expect(told).toHaveLength(11);
  state = 'drawn';
  // It was tried once for each person.
  expect([await pressed('person 1'), await pressed('eve')]).toEqual([false, true]);
  expect(told).toHaveLength(12);
});

it('contain the kind of a job, never a prompt, and no filter of a private one', async () => {
  const posted: View[] = [];
  const post = async (_: string, view: View) => posted.push(view) > 0;
  const report = createReports({
    reports: records(),
    outgoing: createOutgoing(new Map()),
    channel: { tell: () => undefined, post },
    audit: silentAudit,
    owners: [],
    ownerWords: languages.en,
    wordsIn: async () => languages.en,
  });
  const job = await world.submit('ann');
  const photo = { from: 'web', ref: 'photo' } as const;
  const prompted = { ...job, id: 'b', request: { kind: 'self-prompt', photo, prompt: 'a secret' } as const };
  const by = { ...orderOf('ben'), event: 'press' };
  await report({ ...prompted, label: 'a secret' }, by);
  await report({ ...job, id: 'c', label: 'Candy Pop', private: true }, by);
  await report({ ...job, id: 'd', label: 'Candy Pop' }, by);
  const said = posted.map(({ lines }) => JSON.stringify(lines));
  expect(said.map((each) => [each.includes('a secret'), each.includes('Candy Pop')])).toEqual([
    [false, false],
    [false, false],
    [false, true],
  ]);
});

it('are in the community’s language in its log channel, and in the owners’ for owners', async () => {
  const posted: View[] = [];
  const told: View[] = [];
  let hasChannel = true;
  const report = createReports({
    reports: records(),
    outgoing: {
      ...createOutgoing(new Map()),
      say: async (_to, view) => {
        told.push(view);
        return { state: 'drawn' };
      },
    },
    channel: { tell: () => undefined, post: async (_, view) => hasChannel && posted.push(view) > 0 },
    audit: silentAudit,
    owners: [ownerAsCaller({ platform: 'web', id: 'owner' }, 'fr')],
    ownerWords: languages.fr,
    wordsIn: async () => languages.de,
  });
  const [first, second] = await Promise.all([world.submit('ann'), world.submit('ann')]);
  await report(first, { ...orderOf('ben'), event: 'press' });
  hasChannel = false;
  await report(second, { ...orderOf('ben'), event: 'press' });
  expect([posted, told].map((all) => all.map(({ title }) => title))).toEqual([
    [languages.de.notes.reportTitle],
    [languages.fr.notes.reportTitle],
  ]);
});
