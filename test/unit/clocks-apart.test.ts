/** One process stores a time, and another one with another clock judges it, over the same records. */
import { describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/base/clock.ts';
import { createApprovals } from '../../src/community/approvals/approvals.ts';
import { createSavedFaces } from '../../src/community/faces/saved-faces.ts';
import { createLeftCommunities } from '../../src/community/rules/left-communities.ts';
import { createReportRecords } from '../../src/community/rules/report-records.ts';
import { createOwnerSessions } from '../../src/console/sign-in/sessions.ts';
import { createRecords } from '../fakes/records.ts';

const NOON = Date.UTC(2026, 0, 5, 12);
const YEAR_MS = 365 * DAY_MS;

/** Two processes over the same records. The clock of the first is so much ahead of that of the second. */
function createPair<Part>(firstAheadMs: number, open: (now: () => number) => Part) {
  const time = { now: NOON };
  return { first: open(() => time.now + firstAheadMs), second: open(() => time.now), time };
}

const approvals = (firstAheadMs: number) => {
  const records = createRecords();
  let ids = 0;
  return createPair(firstAheadMs, (now) =>
    createApprovals(records, now, () => {
      ids += 1;
      return `request-${ids}`;
    }),
  );
};

const GROUP = 'telegram:-77';

const ASKED = {
  place: { platform: 'telegram', community: GROUP, channel: '-77', direct: false },
  locale: 'en',
} as const;

const reports = (firstAheadMs: number) => {
  const records = createRecords();
  return createPair(firstAheadMs, (now) => createReportRecords(records, now));
};

const REPORT = {
  job: 'job-1',
  place: { platform: 'discord', community: 'discord:1', channel: '2', direct: false },
  maker: { id: '42', name: 'Ann' },
  what: 'Pop Art',
} as const;

const leftCommunities = (firstAheadMs: number) => {
  const records = createRecords();
  return createPair(firstAheadMs, (now) => createLeftCommunities(records, now));
};

const savedFaces = (firstAheadMs: number) => {
  const records = createRecords();
  let ids = 0;
  return createPair(firstAheadMs, (now) =>
    createSavedFaces({
      records,
      bytes: async () => 0,
      acceptsMinors: true,
      onFull: () => undefined,
      clock: { now },
      newId: () => {
        ids += 1;
        return `face-${ids}`;
      },
    }),
  );
};

const FACE = { name: 'me', jpeg: Buffer.from('a photo') };
const ANN = 'discord:42';

const sessions = (firstAheadMs: number) => {
  const records = createRecords();
  return createPair(firstAheadMs, (now) => createOwnerSessions(records, 'a password', now));
};

const BROWSER = { browser: 'Firefox', network: '127.0.0.1' };

describe.each([
  { where: 'ahead', aheadMs: 5_000 },
  { where: 'behind', aheadMs: -5_000 },
])('a process whose clock is five seconds $where', ({ where, aheadMs }) => {
  it(`a process whose clock is five seconds ${where} asks the owners for an approval, and another does not ask again`, async () => {
    const { first, second } = approvals(aheadMs);
    expect(await first.ask(GROUP, ASKED)).toBeDefined();
    expect(await second.ask(GROUP, ASKED)).toBeUndefined();
  });

  it(`a process whose clock is five seconds ${where} begins a decision, and another one does not decide`, async () => {
    const { first, second } = reports(aheadMs);

    const id = (await first.add(REPORT)) ?? '';
    await first.decide(id, 'block', 'Mod');

    expect(await second.decide(id, 'remove', 'Mia')).toMatchObject({ isMine: false });
  });

  it(`a process whose clock is five seconds ${where} counts no day since a community was left, nor does another`, async () => {
    const { first, second } = leftCommunities(aheadMs);
    await first.left(GROUP);
    for (let times = 0; times < 30; times += 1) expect(await second.due()).toEqual([]);
  });

  it(`a process whose clock is five seconds ${where} has saved a face twenty times, and another one saves none`, async () => {
    const { first, second } = savedFaces(aheadMs);
    for (let times = 0; times < 20; times += 1) await first.save(ANN, FACE);
    await expect(second.save(ANN, FACE)).rejects.toMatchObject({ reason: { code: 'face-saves' } });
  });

  it(`a process whose clock is five seconds ${where} signs the owner in, and another one knows the session`, async () => {
    const { first, second } = sessions(aheadMs);
    expect(await second.find(await first.open(BROWSER), BROWSER)).toBeDefined();
  });
});

describe('a clock that was a year ahead', () => {
  it('a clock that was a year ahead keeps no notice of an approval back after it was corrected', async () => {
    const { first, second } = approvals(YEAR_MS);
    await first.ask(GROUP, ASKED);
    expect(await second.ask(GROUP, ASKED)).toBeDefined();
    expect(await second.ask(GROUP, ASKED)).toBeUndefined();
  });

  it('a clock that was a year ahead leaves a decision that was interrupted open', async () => {
    const { first, second } = reports(YEAR_MS);

    const id = (await first.add(REPORT)) ?? '';
    await first.decide(id, 'block', 'Mod');

    expect(await second.decide(id, 'remove', 'Mia')).toMatchObject({ isMine: true });
  });

  it('a clock that was a year ahead does not stop the days of a community that the bot left', async () => {
    const { first, second, time } = leftCommunities(YEAR_MS);

    await first.left(GROUP);
    for (let day = 1; day < 30; day += 1) {
      expect(await second.due()).toEqual([]);
      time.now += DAY_MS;
    }

    expect(await second.due()).toEqual([GROUP]);
  });

  it('after a clock was a year ahead faces can be saved again, also where saves were interrupted', async () => {
    const { first, second } = savedFaces(YEAR_MS);
    for (let times = 0; times < 20; times += 1) await first.save(ANN, FACE);
    await second.save(ANN, FACE);
  });

  it('a clock that was a year ahead makes no session of the owner last longer', async () => {
    const { first, second, time } = sessions(YEAR_MS);

    const cookie = await first.open(BROWSER);
    time.now += MINUTE_MS;

    expect(await second.find(cookie, BROWSER)).toBeUndefined();
  });
});
