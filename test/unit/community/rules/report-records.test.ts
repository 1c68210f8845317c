import { expect, it } from 'vitest';
import { createReportRecords, reportRecordRules } from '../../../../src/community/rules/report-records.ts';
import { createRecords } from '../../../fakes/records.ts';

const report = {
  job: 'job-1',
  place: { platform: 'discord', community: 'discord:1', channel: '2', direct: false },
  maker: { id: '42', name: 'Ann' },
  what: 'Pop Art',
} as const;

const create = () => {
  const clock = { at: 0 };
  const records = createRecords();
  const reports = createReportRecords(records, () => clock.at);
  return { clock, reports, restarted: createReportRecords(records, () => clock.at) };
};

it('of several decisions about a report one counts, in any process', async () => {
  const { reports, restarted } = create();

  const id = (await reports.add(report)) ?? '';
  const all = await Promise.all([
    reports.decide(id, 'dismiss', 'Mod'),
    restarted.decide(id, 'block', 'Mia'),
    restarted.decide(id, 'dismiss', 'Mod'),
  ]);

  expect(all.map((each) => each?.isMine)).toEqual([true, false, false]);

  await reports.end(id, true);
  const later = await restarted.decide(id, 'remove', 'Mia');
  expect(later).toMatchObject({
    isMine: false,
    report: { decided: { what: 'dismiss', by: 'Mod', done: true } },
  });
});

it('a decision that failed leaves the report open', async () => {
  const { reports } = create();

  const id = (await reports.add(report)) ?? '';
  await reports.decide(id, 'block', 'Mod');
  await reports.end(id, false);

  expect(await reports.decide(id, 'remove', 'Mia')).toMatchObject({ isMine: true });
});

it('a decision that the end of its process interrupted holds the report for a minute', async () => {
  const { clock, reports } = create();

  const id = (await reports.add(report)) ?? '';
  await reports.decide(id, 'block', 'Mod');
  clock.at = 59_999;

  expect(await reports.decide(id, 'remove', 'Mia')).toMatchObject({ isMine: false });

  clock.at = 60_000;
  expect(await reports.decide(id, 'remove', 'Mia')).toMatchObject({ isMine: true });
});

it('a report goes with the data of the person who made the result', () => {
  expect(reportRecordRules.ownerOf('a', report)).toBe('discord:42');
  expect(reportRecordRules.isValid('a', { ...report, decided: { what: 'burn' } })).toBe(false);
});

it('there are at most five reports about one result, also after a restart', async () => {
  const records = createRecords();
  const process = () => createReportRecords(records, () => 0);

  const first = await Promise.all(Array.from({ length: 4 }, () => process().add(report)));
  expect(new Set(first).size).toBe(4);

  const reports = process();
  expect(await reports.add(report)).toEqual(expect.any(String));
  expect(await reports.add(report)).toBeUndefined();
  expect(await reports.add({ ...report, job: 'job-2' })).toEqual(expect.any(String));

  await reports.remove(first[0] ?? '');
  expect(await reports.add(report)).toBe(first[0]);
});
