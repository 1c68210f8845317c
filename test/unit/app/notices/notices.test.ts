/** Notices that owners and moderators get without asking. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ceilingNoticeRecordRules,
  createCeilingNotices,
} from '../../../../src/app/notices/ceiling-notices.ts';
import {
  type CeilingNotice,
  createAliasNotices,
  createListTroubles,
  createOwnerNotices,
  logFailedJob,
} from '../../../../src/app/notices/notices.ts';
import { ownerAsCaller } from '../../../../src/app/notices/owners.ts';
import { createReports } from '../../../../src/app/notices/reports.ts';
import { createPlatformRegistry } from '../../../../src/app/platforms/registry.ts';
import type { DrawOutcome } from '../../../../src/command/reply.ts';
import type { View } from '../../../../src/command/view.ts';
import { createReportRecords } from '../../../../src/community/rules/report-records.ts';
import { GenerationError, type GenerationErrorKind } from '../../../../src/generation-client/wire/errors.ts';
import { createLog } from '../../../../src/log/log.ts';
import type { Job } from '../../../../src/orchestrator/job/job.ts';
import { OrderRefused } from '../../../../src/orchestrator/job/order-refused.ts';
import { openSqliteStore } from '../../../../src/store/sqlite/store.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import { LANGUAGES, type Language } from '../../../../src/words/language.ts';
import { languages, type OwnerTrouble } from '../../../../src/words/words.ts';
import { eventually } from '../../../eventually.ts';
import { viewText } from '../../../fakes/call.ts';
import { createFakeClock } from '../../../fakes/clock.ts';
import { createTestCore } from '../../../fakes/core.ts';
import { englishIn } from '../../../fakes/english.ts';
import { orderOf } from '../../../fakes/orchestrator-world.ts';
import { createRecords } from '../../../fakes/records.ts';
import { sampleJob } from '../../../fakes/sample-job.ts';

const silent = createLog({ level: 'silent', secrets: [] });

const recording = () => {
  const lines: string[] = [];
  const log = createLog({ level: 'info', secrets: [], stream: { write: (line) => void lines.push(line) } });
  return { lines, log };
};

const ann = (more: Partial<Job> = {}): Job => sampleJob({ ...orderOf('ann'), id: 'a', ...more });

/** Reports to a log channel that takes them, unless the test gives other parts; what was posted, told to owners and audited. */
const openReports = (more: Partial<Parameters<typeof createReports>[0]> = {}) => {
  const posted: View[] = [];
  const told: View[] = [];
  const noted: string[] = [];
  const clock = createFakeClock();
  const report = createReports({
    clock,
    reports: createReportRecords(createRecords(), () => 0),
    platforms: {
      ...createPlatformRegistry(),
      say: async (_to, view) => {
        told.push(view);
        return { state: 'drawn' };
      },
    },
    channel: { tell: () => undefined, post: async (_, view) => posted.push(view) > 0 },
    audit: { note: async (who) => void noted.push(who.id) },
    owners: { people: [ownerAsCaller({ platform: 'web', id: 'owner' }, 'fr')], words: languages.fr },
    wordsIn: async () => languages.de,
    ...more,
  });
  const by = (person: string, job: Job) => report(job, { ...orderOf(person), event: 'press' });
  return { by, clock, posted, told, noted };
};

describe('reports', () => {
  const first = ann();
  const second = ann({ id: 'b' });

  it('reports of one result by one person are sent once', async () => {
    const { by, posted, noted } = openReports();
    for (let press = 0; press < 20; press += 1) expect(await by('bob', first)).toBe(true);
    expect(posted).toHaveLength(1);

    await by('eve', first);
    await by('bob', second);
    expect(posted).toHaveLength(3);
    expect(noted).toEqual(['bob', 'eve', 'bob']);
  });

  it('reports of one result by many people are a few messages, and all in the audit trail', async () => {
    const { by, posted, noted } = openReports();
    for (let person = 0; person < 30; person += 1) expect(await by(`person ${person}`, first)).toBe(true);
    expect(posted).toHaveLength(5);
    expect(noted).toHaveLength(30);

    await by('person 1', second);
    expect(posted).toHaveLength(6);
  });

  it('reports that could not be recorded are sent when they are repeated', async () => {
    let full = true;
    const reports = {
      ...createReportRecords(createRecords(), () => 0),
      add: async () => (full ? expect.fail('database or disk is full') : 'report'),
    };
    const { by, posted } = openReports({ reports });

    await expect(by('bob', first)).rejects.toThrow('full');

    full = false;
    await by('bob', first);
    await by('bob', first);
    expect(posted).toHaveLength(1);
  });

  it('reports reach the owners when the log channel fails, and say when they reach nobody', async () => {
    let state: 'drawn' | 'gone' = 'drawn';
    const told: unknown[] = [];
    const say = async (to: unknown) => {
      told.push(to);
      return { state };
    };

    const post = () => Promise.reject(new Error('kicked out of the channel'));
    const platforms = { ...createPlatformRegistry(), say };
    const { by, clock } = openReports({ platforms, channel: { tell: () => undefined, post } });

    expect(await by('bob', first)).toBe(true);
    expect(told).toMatchObject([{ caller: { id: 'owner' } }]);

    state = 'gone';
    for (let person = 0; person < 10; person += 1) expect(await by(`person ${person}`, first)).toBe(false);
    expect(told).toHaveLength(11);

    state = 'drawn';
    expect(await by('person 1', first)).toBe(false);

    await clock.advance(60_000);
    expect(await by('person 1', first)).toBe(true);
    expect(await by('person 1', first)).toBe(true);
    expect(told).toHaveLength(12);
  });

  it('reports contain the kind of a job, never a prompt, and no filter of a private one', async () => {
    const { by, posted } = openReports();
    const photo = { from: 'web', ref: 'photo' } as const;
    const request = { kind: 'self-prompt', photo, prompt: 'a secret' } as const;

    await by('bob', ann({ request, label: 'a secret' }));
    await by('bob', ann({ id: 'c', label: 'Candy Pop', private: true }));
    await by('bob', ann({ id: 'd', label: 'Candy Pop' }));
    const said = posted.map(({ lines }) => JSON.stringify(lines));

    expect(said.map((each) => each.includes('a secret'))).toEqual([false, false, false]);
    expect(said.map((each) => each.includes('Candy Pop'))).toEqual([false, false, true]);
  });

  it('reports are in the community’s language in its log channel, and in the owners’ language for owners', async () => {
    const inChannel = openReports();
    await inChannel.by('bob', first);
    expect(inChannel.posted.map(({ title }) => title)).toEqual([languages.de.notes.reportTitle]);

    const toOwners = openReports({ channel: { tell: () => undefined, post: async () => false } });
    await toOwners.by('bob', second);
    expect(toOwners.told.map(({ title }) => title)).toEqual([languages.fr.notes.reportTitle]);
  });
});

/** Notices to an owner who reads a language; what the owner was told, and what was logged. */
const openOwnerNotices = (language: Language, outcome: DrawOutcome = { state: 'drawn' }) => {
  const told: string[] = [];
  const say = async (_: object, view: View) => {
    told.push(viewText(view));
    return outcome;
  };
  const { lines, log } = recording();
  const people = [ownerAsCaller({ platform: 'web', id: 'owner' }, language)];
  const parts = {
    owners: { people, words: languages[language] },
    platforms: { ...createPlatformRegistry(), say },
    clock: createFakeClock(),
    log,
  };
  return { told, lines, ...createOwnerNotices(parts, () => 'is the disk full?') };
};

it.each(LANGUAGES)(
  'owners who read %s are told of trouble once an hour, and the log is English',
  (language) => {
    const words = languages[language];
    const { told, lines, tell } = openOwnerNotices(language);
    const everyTrouble = Object.keys(words.owner.notices) as OwnerTrouble[];

    for (let times = 0; times < 2; times += 1)
      for (const trouble of everyTrouble) tell(trouble, new Error('no room'));

    expect(told).toHaveLength(everyTrouble.length);
    for (const [index, trouble] of everyTrouble.entries()) {
      expect(told[index]).toContain(words.owner.notices[trouble]);
      expect(JSON.parse(lines[index] ?? '').msg).toContain(languages.en.owner.notices[trouble]);
    }
    expect(told[everyTrouble.indexOf('store')]).toContain('is the disk full?');
  },
);

it.each(LANGUAGES)('owners who read %s are told of a ceiling with its figures', async (language) => {
  const { told, tellOfCeiling } = openOwnerNotices(language);

  expect(await tellOfCeiling('service-ceiling', { of: 'day', used: 81, most: 97 })).toBe(true);
  // The store knows which notices about ceilings there were, so the next day's notice can come within the hour.
  expect(await tellOfCeiling('service-ceiling', { of: 'day', used: 97, most: 97 })).toBe(true);

  expect(told).toEqual([
    expect.stringContaining(languages[language].owner.notices['service-ceiling']),
    expect.stringContaining(languages[language].owner.notices['service-ceiling']),
  ]);
  expect(told[0]).toMatch(/81 \P{N}+ 97\./u);
});

it('a notice of a ceiling that certainly did not arrive can be told again, one that may have arrived is not', async () => {
  const unsent = openOwnerNotices('en', { state: 'later', afterMs: 1_000, unsent: true });
  const unknown = openOwnerNotices('en', { state: 'later', afterMs: 1_000 });

  expect(await unsent.tellOfCeiling('service-ceiling', { of: 'day', used: 97, most: 97 })).toBe(false);
  expect(await unknown.tellOfCeiling('service-ceiling', { of: 'day', used: 97, most: 97 })).toBe(true);
});

it.each(LANGUAGES.filter((language) => language !== 'en'))(
  'no English word is in what owners who read %s are told',
  async (language) => {
    const { told, tell, tellOfCeiling } = openOwnerNotices(language);

    for (const trouble of Object.keys(languages.en.owner.notices) as OwnerTrouble[])
      tell(trouble, new Error('no room'));
    await tellOfCeiling('service-ceiling', { of: 'day', used: 81, most: 97 });

    expect(told.flatMap(englishIn)).toEqual([]);
  },
);

it('owners are asked in OWNER_LANGUAGE, and the decision that replaces the question is in it, too', async () => {
  const told: View[] = [];
  const core = await createTestCore({
    owners: ['discord:1'],
    communities: 'approved',
    env: { OWNER_LANGUAGE: 'de' },
    say: async (_, view) => {
      told.push(view);
      return { state: 'drawn' };
    },
  });

  await core.says({ platform: 'telegram', id: '5', name: 'Ann', locale: 'en' }, 'telegram:-7', 'jobs');
  const [asked] = await eventually(() => told.length > 0 && told, 'the notice');
  const { approval } = languages.de;

  expect(asked?.title).toBe(approval.title);

  const reply = await core.desk.press({
    event: 'b',
    caller: { platform: 'discord', id: '1', name: 'Olga', locale: 'fr' },
    place: { platform: 'discord', community: 'discord:dm:1', channel: '1', direct: true },
    action: asked?.buttons?.[0]?.[0]?.action ?? '',
  });
  expect(reply.kind === 'replace' && viewText(reply.view)).toContain(approval.approvedBy('Olga'));

  await core.close();
});

it('broken aliases are audited at each use, and posted once an hour per alias', async () => {
  const clock = createFakeClock();
  const posted: unknown[] = [];
  const noted: unknown[] = [];
  const notice = createAliasNotices(
    { post: async (community, { lines }) => posted.push({ community, text: lines.join() }) > 0 },
    {
      note: async (who, _place, action, detail) =>
        void noted.push({ who: who.id, action, alias: detail?.name }),
    },
    { wordsIn: async () => languages.en, clock, log: silent },
  );
  const use = (name: string) => notice(ann(), name, { code: 'alias-gone', name });

  for (let uses = 0; uses < 3; uses += 1) use('xmas');
  const line = { who: 'ann', action: 'job.alias-gone', alias: 'xmas' };
  expect(noted).toEqual([line, line, line]);

  await eventually(() => posted.length > 0, 'the message');
  const text = expect.stringMatching(/"xmas".*no longer exists.*repoint or delete it/);
  expect(posted).toEqual([{ community: ann().place.community, text }]);

  use('easter');
  await eventually(() => posted.length === 2, 'another message');
  await clock.advance(60 * 60_000);
  use('xmas');
  await eventually(() => posted.length === 3, 'a message an hour later');
});

it('the log says which job failed and why, without its prompt', () => {
  const { lines, log } = recording();
  const photo = { from: 'link', url: 'https://a.example/b' } as const;
  const request = { kind: 'self-prompt', prompt: 'a secret wish', photo } as const;
  const job = { id: 'one', request, serviceId: 'service-1' };

  for (const state of ['done', 'cancelled'] as const) logFailedJob({ ...job, state }, log);
  expect(lines).toEqual([]);

  logFailedJob({ ...job, state: 'failed', failure: { code: 'refused', detail: 'no secret wish' } }, log);
  logFailedJob({ ...job, id: 'two', state: 'uncertain' }, log);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'info', job: 'one', kind: 'self-prompt', failure: 'refused', serviceJob: 'service-1' },
    { job: 'two', failure: 'uncertain' },
  ]);
  expect(lines.join()).not.toContain('secret');
});

describe('lists that cannot be read', () => {
  const open = () => {
    const { lines, log } = recording();
    const noticed: string[] = [];
    const clock = createFakeClock();
    const tell = createListTroubles((code) => void noticed.push(code), clock, log);
    const fail = (kind: GenerationErrorKind, list: string): void =>
      tell(
        new GenerationError({ kind, endpoint: 'catalog', message: 'no answer', mayHaveArrived: false }),
        list,
      );
    return { lines, noticed, clock, tell, fail };
  };

  it('lists that cannot be read in one outage are logged once an hour, with instructions and without a stack', async () => {
    const { lines, clock, fail } = open();
    for (let list = 0; list < 6; list += 1) fail('unreachable', `list ${list}`);
    expect(lines).toEqual([expect.stringContaining('npm run doctor')]);
    expect(lines[0]).not.toContain('notices.test.ts');

    await clock.advance(60 * 60_000);
    fail('unreachable', 'list 0');
    expect(lines).toHaveLength(2);
  });

  it.each([
    { kind: 'unauthorized', code: 'service-credentials' },
    { kind: 'redirected', code: 'service-address' },
  ] as const)(
    'lists that cannot be read because of the owner’s settings ($kind) are reported to the owner',
    ({ kind, code }) => {
      const { lines, noticed, fail } = open();

      fail(kind, 'a list');

      expect(noticed).toEqual([code]);
      expect(lines).toEqual([]);
    },
  );

  it('lists that cannot be read because of an error of this program are logged each time', () => {
    const { lines, tell } = open();
    for (const list of ['a list', 'another list']) tell(new Error('the disk is full'), list);
    expect(lines).toHaveLength(2);
  });
});

type CeilingParts = Parameters<typeof createCeilingNotices>[2];

describe('ceilings', () => {
  const TODAY = '2026-01-05';
  const TOMORROW = '2026-01-06';
  let store: Store;

  beforeEach(async () => {
    store = await openSqliteStore({ path: ':memory:', keys: [] });
  });

  afterEach(() => store.close());

  const refusal = (of: 'community' | 'service' | 'month', resetsAt = Date.UTC(2026, 0, 6)) =>
    new OrderRefused({ code: 'ceiling', of, needed: 2, left: 1, resetsAt });

  /** A process with these ceilings, and what it has told owners. */
  const start = (limits: Parameters<typeof createCeilingNotices>[1], more: Partial<CeilingParts> = {}) => {
    const told: unknown[] = [];
    const records = store.keyv('ceilings', ceilingNoticeRecordRules);
    const tell: CeilingNotice = async (what, ceiling) => {
      told.push({ what, ...ceiling });
      return true;
    };
    const parts = { tell, clock: createFakeClock(), log: silent, ...more };
    return { ...createCeilingNotices(records, limits, parts), told };
  };

  /** Work that was begun before is done when this resolves. */
  const settled = async () => void (await store.keyv('ceilings', ceilingNoticeRecordRules).get('none'));

  it('owners are told of a ceiling at 80 % and at a refused job, once a day each, whichever process sees it first', async () => {
    const one = start({ day: 100 });
    const other = start({ day: 100 });

    one.accepted({ total: 79 }, TODAY);
    one.accepted({}, TODAY);
    one.refused(refusal('community'));
    one.refused(new Error('another'));
    await settled();

    expect(one.told).toEqual([]);

    one.accepted({ total: 80 }, TODAY);
    await eventually(() => one.told.length === 1, 'the first');
    other.accepted({ total: 90 }, TODAY);
    one.accepted({ total: 95 }, TODAY);
    other.refused(refusal('service'));
    await eventually(() => other.told.length === 1, 'the second');
    one.refused(refusal('service'));
    one.accepted({ total: 100 }, TODAY);
    start({ day: 100 }).accepted({ total: 85 }, TODAY);
    await settled();

    expect(one.told).toEqual([{ what: 'service-ceiling-near', of: 'day', used: 80, most: 100 }]);
    expect(other.told).toEqual([{ what: 'service-ceiling', of: 'day', used: 99, most: 100 }]);

    one.accepted({ total: 100 }, TOMORROW);
    await eventually(() => one.told.length === 2, 'the next day');
    expect(one.told.at(-1)).toEqual({ what: 'service-ceiling', of: 'day', used: 100, most: 100 });

    one.accepted({ total: 85 }, TOMORROW);
    await settled();
    expect(one.told).toHaveLength(2);
  });

  it('a ceiling’s notice for the last job before midnight keeps none of the next day back', async () => {
    const one = start({ day: 100 });

    // It was accepted before midnight, and this is known after that.
    one.accepted({ total: 100 }, TODAY);
    await eventually(() => one.told.length === 1, 'the notice of the day before');
    one.accepted({ total: 80 }, TOMORROW);
    await eventually(() => one.told.length === 2, 'the notice of the new day');

    expect(one.told.at(-1)).toEqual({ what: 'service-ceiling-near', of: 'day', used: 80, most: 100 });
  });

  it('owners are told of the month at 80 % and at a refused job, once a month each, whichever process sees it first', async () => {
    const month = (credits: number, name = '2026-01') => ({ month: { month: name, credits } });
    const refused = refusal('month', Date.UTC(2026, 1, 1));
    const one = start({ month: 100 });
    const other = start({ month: 100 });

    one.accepted(month(79), TODAY);
    await settled();
    expect(one.told).toEqual([]);

    one.accepted(month(80), TODAY);
    await eventually(() => one.told.length === 1, 'the first');
    // The month is reached when a job is refused, not when its last credit is taken.
    other.accepted(month(100), TOMORROW);
    await settled();
    other.refused(refused);
    await eventually(() => other.told.length === 1, 'the second');
    one.refused(refused);
    start({ month: 100 }).accepted(month(90), TOMORROW);
    await settled();

    expect(one.told).toEqual([{ what: 'month-ceiling-near', of: 'month', used: 80, most: 100 }]);
    expect(other.told).toEqual([{ what: 'month-ceiling', of: 'month', used: 99, most: 100 }]);

    one.accepted(month(81, '2026-02'), '2026-02-20');
    await eventually(() => one.told.length === 2, 'the next month');
    expect(one.told.at(-1)).toEqual({ what: 'month-ceiling-near', of: 'month', used: 81, most: 100 });
  });

  it('a notice whose process died while it was sent is sent once more by those that live, and then never again', async () => {
    const clock = createFakeClock(Date.UTC(2026, 0, 5));
    const dying = start({ month: 100 }, { clock, tell: () => new Promise(() => undefined) });
    const one = start({ month: 100 }, { clock });
    const other = start({ month: 100 }, { clock });
    dying.accepted({ month: { month: '2026-01', credits: 80 } }, TODAY);
    await settled();
    const stops = [one.start(), other.start()];

    await clock.advance(60_000);
    await settled();
    expect([...one.told, ...other.told]).toEqual([]);

    await eventually(async () => {
      await clock.advance(60_000);
      return one.told.length + other.told.length > 0;
    }, 'the notice');
    for (let minutes = 0; minutes < 5; minutes += 1) {
      await clock.advance(60_000);
      await settled();
    }

    const notice = { what: 'month-ceiling-near', of: 'month', used: 80, most: 100 };
    expect([...one.told, ...other.told]).toEqual([notice]);
    for (const stop of stops) await stop();
  });

  it('a notice that reaches nobody is sent again until it does', async () => {
    const clock = createFakeClock(Date.UTC(2026, 0, 5));
    const outcomes = [false, false, true];
    let tries = 0;
    const tell: CeilingNotice = async () => outcomes[tries++] ?? true;
    const one = start({ day: 100 }, { clock, tell });
    const stop = one.start();

    one.accepted({ total: 80 }, TODAY);
    await eventually(async () => {
      await clock.advance(60_000);
      return tries === 3;
    }, 'the third try');
    await clock.advance(600_000);
    await settled();

    expect(tries).toBe(3);
    await stop();
  });

  it('a notice of a day that reached nobody before midnight is sent after it', async () => {
    const clock = createFakeClock(Date.UTC(2026, 0, 5, 23, 59));
    const outcomes = [false, true];
    let tries = 0;
    const tell: CeilingNotice = async () => outcomes[tries++] ?? true;
    const one = start({ day: 100 }, { clock, tell });
    const stop = one.start();

    one.accepted({ total: 100 }, TODAY);
    await eventually(async () => {
      await clock.advance(60_000);
      return tries === 2;
    }, 'the second try');

    expect(clock.now()).toBeGreaterThan(Date.UTC(2026, 0, 6));
    await stop();
  });

  it('owners who know that a ceiling is reached are not told any more that it is near', async () => {
    const clock = createFakeClock(Date.UTC(2026, 0, 5));
    const told: string[] = [];
    const tell: CeilingNotice = async (what) => {
      told.push(what);
      return what === 'service-ceiling';
    };
    const one = start({ day: 100 }, { clock, tell });
    one.accepted({ total: 80 }, TODAY);
    await eventually(() => told.length === 1, 'the notice that reaches nobody');
    one.accepted({ total: 100 }, TODAY);
    await eventually(() => told.length === 2, 'the notice that it is reached');

    const stop = one.start();
    await clock.advance(600_000);
    await settled();

    expect(told).toEqual(['service-ceiling-near', 'service-ceiling']);
    await stop();
  });

  it('nothing is told of a ceiling that is not set', async () => {
    const { accepted, told } = start({});

    accepted({ total: 1_000_000 }, TODAY);
    await settled();

    expect(told).toEqual([]);
  });
});
