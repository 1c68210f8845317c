import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { drawOverview, type Overview } from '../../../src/app/overview/draw-overview.ts';
import { createWaiting } from '../../../src/app/overview/waiting.ts';
import type { Caller, Place } from '../../../src/command/place.ts';
import type { Reply } from '../../../src/command/reply.ts';
import { wordsFor } from '../../../src/words/words.ts';
import { textOf, viewText } from '../../fakes/call.ts';
import { createTestCore, type TestCore } from '../../fakes/core.ts';
import { sampleJob } from '../../fakes/sample-job.ts';

/** What owners see of the whole program in a direct chat, and what they decide there. */

const words = wordsFor('en');
const said = words.owner.overview;
const olga: Caller = { platform: 'telegram', id: '3', name: 'Olga', locale: 'en' };
const ann: Caller = { platform: 'discord', id: '1', name: 'Ann', locale: 'en' };
const eve: Caller = { platform: 'discord', id: '66', name: 'Eve', locale: 'en' };
const chat: Place = { platform: 'telegram', community: 'telegram:dm:3', channel: '3', direct: true };
const group: Place = { platform: 'telegram', community: 'telegram:-100', channel: '-100', direct: false };
const server: Place = { platform: 'discord', community: 'discord:100', channel: '9', direct: false };
const photo = { from: 'discord', ref: '{}' } as const;

let core: TestCore;
let events = 0;
const open = async (communities: 'open' | 'approved' = 'open') => {
  core = await createTestCore({
    // Reports are told to the owners on their platform.
    owners: ['telegram:3', 'discord:4'],
    communities,
    say: async () => ({ state: 'drawn' }),
    env: { SERVICE_DAILY_CREDITS: '500', CREDIT_PRICE: '0.04 EUR' },
  });
};
beforeEach(() => open());
afterEach(() => core.close());

const event = (caller: Caller, place: Place) => {
  events += 1;
  return { event: `event-${events}`, caller, place };
};
const stats = (caller = olga, place = chat): Promise<Reply> =>
  core.desk.command({ ...event(caller, place), command: 'settings', subcommand: 'stats', given: {} });
const press = (action: string, caller = olga, place = chat): Promise<Reply> =>
  core.desk.press({ ...event(caller, place), action });

const buttonsOf = (reply: Reply) =>
  'view' in reply ? (reply.view.buttons ?? []).flat().map(({ label, action }) => ({ label, action })) : [];
const actionOf = (reply: Reply, label: string): string =>
  buttonsOf(reply).find((button) => button.label === label)?.action ?? expect.fail(`no button ${label}`);

const makeJob = async (): Promise<string> => {
  const given = { photo, filter: '3', gender: 'female' };
  const reply = await core.desk.command({ ...event(ann, server), command: 'faceswap', given });
  if (reply.kind !== 'card') throw new Error(`no job: ${textOf(reply)}`);
  return reply.job;
};
const makeHeld = async (): Promise<string> => {
  const job = await makeJob();
  await core.become(job, 'held');
  return job;
};

describe('/settings stats by an owner in their direct chat', () => {
  it('/settings stats tells an owner in their direct chat of the whole program, with the money, and offers nothing where nothing waits', async () => {
    await makeJob();

    const reply = await stats();

    expect(reply).toMatchObject({ kind: 'message', audience: 'caller' });
    expect(textOf(reply)).toContain('Everybody together today: 2 of 500 credits.');
    expect(textOf(reply)).toContain('In money: €0.08 of €20.00.');
    expect(textOf(reply)).toContain('Everybody together this month: 2 credits.');
    expect(textOf(reply)).toContain(said.nothingWaits);
    expect(buttonsOf(reply)).toEqual([]);
  });

  it('/settings stats gives an owner the statistics of the community anywhere else, and others are refused', async () => {
    await makeJob();

    const inGroup = await stats(olga, group);
    const byOther = await stats(eve, { ...chat, platform: 'discord', community: 'discord:dm:66' });

    expect(textOf(inGroup)).toBe(`${words.stats.title}\n${words.stats.none}`);
    expect(textOf(byOther)).toBe(words.gate.moderatorsOnly);
  });

  it('/settings stats has a button for each list in which something waits', async () => {
    await makeHeld();
    await makeHeld();
    const reported = await makeJob();
    await core.become(reported, 'done');
    await press(`report:${reported}`, eve, server);
    const request = { at: 1, from: 'a', contact: 'b', about: 'c', link: 'https://x.test/1' };
    await core.requests.page.add('request-of-somebody-01', request);

    const reply = await stats();

    expect(textOf(reply)).toContain(said.waits);
    expect(buttonsOf(reply)).toEqual([
      { label: 'Reports: 1', action: 'overview:reports-0' },
      { label: 'Held results: 2', action: 'overview:held-0' },
      { label: 'Requests for removal: 1', action: 'overview:requests-0' },
    ]);
  });
});

describe('a list of what waits', () => {
  it('a list of what waits shows one entry with its buttons, the one that waits longest first, and turns to the others and back', async () => {
    const first = await makeHeld();
    const second = await makeHeld();

    const shown = await press('overview:held-0');
    const next = await press(actionOf(shown, '▶'));
    const overview = await press(actionOf(next, said.back));

    expect(shown.kind).toBe('replace');
    expect(textOf(shown)).toContain('Held results: 1 of 2');
    expect(buttonsOf(shown)).toEqual([
      { label: 'Look', action: `held-look:${first}:0` },
      { label: '▶', action: 'overview:held-1' },
      { label: said.back, action: 'overview:all' },
    ]);
    expect(textOf(next)).toContain('Held results: 2 of 2');
    expect(buttonsOf(next)).toEqual([
      { label: 'Look', action: `held-look:${second}:1` },
      { label: '◀', action: 'overview:held-0' },
      { label: said.back, action: 'overview:all' },
    ]);
    expect(textOf(overview)).toContain(said.title);
  });

  it('a decision in a list leads on to the entry that has taken its place, and after the last one to the overview', async () => {
    await core.close();
    await open('approved');
    const ask = (community: string) =>
      core.approvals.ask(community, { place: { ...group, community }, locale: 'en', name: community });
    expect(await ask('telegram:-101')).toBeDefined();
    expect(await ask('telegram:-102')).toBeDefined();
    const overview = await stats();

    const shown = await press(actionOf(overview, 'Approvals: 2'));
    const approved = await press(actionOf(shown, 'Approve'));
    const next = await press(actionOf(approved, said.next));
    const dismissed = await press(actionOf(next, 'Not now'));
    const end = await press(actionOf(dismissed, said.next));

    expect(textOf(approved)).toContain('Approved by Olga');
    expect(buttonsOf(approved)).toEqual([
      { label: said.next, action: 'overview:approvals-0' },
      { label: said.back, action: 'overview:all' },
    ]);
    expect(textOf(next)).toContain('Approvals: 1 of 1');
    expect(textOf(dismissed)).toContain('not now');
    expect(textOf(end)).toContain(said.nothingWaits);
    const isApproved = [
      await core.approvals.isApproved('telegram:-101'),
      await core.approvals.isApproved('telegram:-102'),
    ];
    expect(isApproved.toSorted()).toEqual([false, true]);
  });

  it('where everybody is welcome, no community waits for approval', async () => {
    await core.approvals.ask('telegram:-101', { place: group, locale: 'en' });

    expect(buttonsOf(await stats())).toEqual([]);
  });

  it('of more held results than are listed, those that have waited longest are listed', async () => {
    const named = (id: string) => sampleJob({ id, state: 'held' });
    const newest = ['job-fifth', 'job-fourth', 'job-third'].map(named);
    const oldest = ['job-second', 'job-first'].map(named);
    const waiting = createWaiting({
      approvals: { undecided: async () => [] },
      approvalNeeded: false,
      reports: { open: async () => [] },
      jobSearch: {
        find: async (_query, _limit, after) =>
          after === undefined ? { jobs: newest, next: { createdAt: 1, seq: 1 } } : { jobs: oldest },
      },
      requests: { all: async () => ({ open: [], closed: [] }) },
      platforms: { of: () => undefined },
      now: () => 0,
    });

    const entries = await waiting('held', 2);

    const looks = entries.map((draw) => draw(words).buttons?.flat()[0]?.action);
    expect(looks).toEqual(['held-look:job-first', 'held-look:job-second']);
  });

  it('reports of another platform are decided in the direct chat, too', async () => {
    const job = await makeJob();
    await core.become(job, 'done');
    await press(`report:${job}`, eve, server);

    const shown = await press('overview:reports-0');
    const blocked = await press(actionOf(shown, 'Block person'));

    expect(textOf(blocked)).toContain('Person blocked by Olga');
    expect((await core.rules.show(server.community)).blocked.map(({ user }) => user)).toEqual([ann.id]);
    expect(await core.latest(server.community)).toBe('telegram:3 settings.block');
    expect(buttonsOf(await stats())).toEqual([]);
  });

  it('a list of what waits is shown to owners alone, and only in their direct chat, whatever a press says', async () => {
    await makeHeld();

    const byOther = await press('overview:held-0', eve, {
      ...chat,
      platform: 'discord',
      community: 'discord:dm:66',
    });
    const inGroup = await press('overview:held-0', olga, group);
    const damaged = [
      'overview:held',
      'overview:held-9999',
      'overview:jobs-0',
      'overview:all:0',
      'overview:held-0:0',
    ];
    const answers: string[] = [];
    for (const action of damaged) answers.push(textOf(await press(action)));

    expect(byOther).toEqual({ kind: 'not-yours', text: words.approval.ownersOnly });
    expect(textOf(inGroup)).toBe(words.press.notFound);
    expect(new Set(answers)).toEqual(new Set([words.press.notFound]));
  });
});

describe('the overview', () => {
  const overview: Overview = {
    today: {
      done: 40,
      failed: 3,
      cancelled: 1,
      reasons: [
        { reason: 'no-face', count: 2 },
        { reason: 'timeout', count: 1 },
      ],
    },
    day: { credits: 80, most: undefined },
    month: { credits: 900, most: 1000 },
    price: undefined,
    now: { running: 2, waiting: 5, outages: { key: 'credits', token: undefined } },
    platforms: ['discord'],
    waiting: { approvals: 201, reports: 0, held: 200, requests: 0 },
  };

  it('the overview tells what does not work, why jobs failed, and how much waits', () => {
    const view = drawOverview(overview, words);

    expect(viewText(view).split('\n')).toEqual([
      said.title,
      'Right now: 2 running, 5 waiting.',
      '⚠️ Pictures and filters: suspended: the service has run out of credits',
      '⚠️ discord: not connected',
      'Jobs today (UTC): 40 done, 3 failed, 1 cancelled.',
      'Failures today by reason: no-face 2 timeout 1',
      'Everybody together today: 80 credits.',
      'Everybody together this month: 900 of 1000 credits.',
      said.waits,
    ]);
    expect(view.buttons?.flat().map(({ label }) => label)).toEqual(['Approvals: 200+', 'Held results: 200']);
  });
});
