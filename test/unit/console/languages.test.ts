// @module-tag slow
import { describe, expect, it } from 'vitest';
import { SIMPLE_SETTINGS } from '../../../src/command/community-settings.ts';
import type { ConsoleDependencies } from '../../../src/console/console.ts';
import type { CommunityDetails } from '../../../src/console/pages/community-data.ts';
import type { Counts } from '../../../src/console/pages/shown-figures.ts';
import type { Removal } from '../../../src/safety/removal/removal-records.ts';
import { LANGUAGES, type Language } from '../../../src/words/language.ts';
import { languages } from '../../../src/words/words.ts';
import { noRemovals, noRequests, PASSWORD, present, stageConsole } from '../../fakes/console.ts';
import { englishIn } from '../../fakes/english.ts';
import { sampleJob } from '../../fakes/sample-job.ts';
import type { ConsoleBrowser, Shown } from '../../fakes/web/console-browser.ts';

const now = Date.UTC(2026, 0, 5, 12);
const HOUR = 3_600_000;
const COMMUNITY = 'discord:123';
const pause = { reason: 'spam' };

const ann = { platform: 'discord', id: '1', name: 'Ann', locale: 'en' } as const;

const jobs = (['done', 'failed'] as const).map((state) =>
  sampleJob({ id: `job-${state}`, caller: ann, private: true, settled: true, againOf: 'job-done', state }),
);

const removal: Removal = {
  job: 'job-1',
  community: COMMUNITY,
  kind: 'face-swap-v6',
  at: now,
  until: now + 1,
  by: { key: 'discord:1', name: 'Mo', isOwner: false },
  reason: 'she asked',
  messages: 2,
  remaining: 1,
  photos: 1,
  blocked: 'all',
};
const open = { messages: [], photos: [], hashes: [], tries: 1, due: now };
const removed: readonly Removal[] = [
  removal,
  ...(['some', 'none', 'full'] as const).map((blocked) => ({ ...removal, blocked })),
  { ...removal, open },
  { ...removal, undone: { at: now, by: 'console:owner' } },
];

const asked = {
  id: 'request-1',
  at: now,
  from: 'a',
  link: 'https://discord.test/1/2/3',
  picture: { file: 'x' },
  contact: 'ann@example.test',
  about: 'xyz',
};
const refused = {
  ...asked,
  id: 'request-2',
  decided: { what: 'refused' as const, at: now, by: 'Olga', reason: 'xyz' },
};

const campaigns = [
  {
    id: 'c',
    aliasId: 'a',
    filter: 'f',
    listed: true,
    label: 'Pumpkin',
    alias: 'halloween',
    community: COMMUNITY,
    state: 'coming' as const,
    from: now,
    by: ann,
  },
];

const percentiles = { p50: 1_234, p95: 75_000 };

const counts: Counts = {
  done: 1_234,
  failed: 2,
  cancelled: 3,
  kinds: [{ kind: 'self-prompt', done: 1, failed: 1 }],
  reasons: [{ reason: 'refused', count: 1 }],
  tookMs: percentiles,
  unseenMs: percentiles,
  statusCallsPerJob: 2.5,
  errors: [{ what: 'run', count: 1 }],
  faceChecks: [{ what: 'several', count: 1 }],
  contentChecks: [{ what: 'unchecked', count: 1 }],
  refused: [{ what: 'discord', count: 1 }],
};

const nothing: Counts = { ...counts, tookMs: undefined, unseenMs: undefined, statusCallsPerJob: undefined };
const outage = { from: now - HOUR, until: now, isOver: false };

/** A console that has something to show on every page. */
const stage = (more: Partial<ConsoleDependencies> = {}, shown: Partial<CommunityDetails> = {}) => {
  const details: CommunityDetails = {
    id: COMMUNITY,
    pause: undefined,
    isApproved: false,
    allowance: 100,
    credits: 4,
    allowanceBy: 'owner',
    people: 1,
    jobs: 1,
    settings: { blocked: [], bannedWords: [] },
    campaigns,
    latestJobs: jobs,
    trail: [{ at: now, who: 'console:owner', what: 'settings.pause' }],
    ...shown,
  };
  const done = async () => undefined;
  return stageConsole({
    present: async () => ({ ...(await present()), storeTrouble: 'disk?' }),
    figures: {
      read: async () => ({
        from: now - 2 * HOUR,
        until: now,
        stepMs: HOUR,
        points: [counts, nothing],
        total: counts,
        credits: {
          days: [{ day: '2026-01-05', credits: 1_234 }],
          total: 1_234,
          communities: [{ community: COMMUNITY, credits: 1_000, byDay: [1_000] }],
          others: 234,
        },
        outages: [
          { what: 'store', ...outage },
          { what: 'discord', ...outage },
          { what: 'service-key', reason: 'credits', ...outage },
          { what: 'service-token', reason: 'address', ...outage },
        ],
      }),
      ceiling: 5_000,
      communityCeiling: 2_000,
    },
    months: {
      read: async () => [
        {
          month: '2026-01',
          credits: 1_234,
          communities: [{ name: COMMUNITY, credits: 1_000 }],
          otherCommunities: 234,
          commands: [{ name: 'faceswap', credits: 1_000 }],
          otherCommands: 234,
        },
      ],
      ceiling: 5_000,
    },
    removals: {
      ...noRemovals,
      list: async () => removed,
      find: async (job) => removed.find((each) => each.job === job),
      undo: async () => undefined,
      requests: {
        ...noRequests,
        all: async () => ({ open: [asked], closed: [refused] }),
        find: async (id) => [asked, refused].find((each) => each.id === id),
        candidates: async () =>
          (['link', 'file', 'result', 'photo'] as const).flatMap((as) =>
            jobs.map((job) => ({ job, as, distance: 3 })),
          ),
      },
    },
    jobs: {
      get: async (id) => jobs.find((job) => job.id === id),
      find: async () => ({ jobs, next: { createdAt: now, seq: 1 } }),
      encrypts: true,
    },
    communities: {
      page: async () => ({ list: [details], next: 'discord:2' }),
      details: async () => details,
      waiting: async () => ({ list: [{ community: COMMUNITY, since: now }], count: 60 }),
      upcoming: async () => ({ list: campaigns, isAll: false }),
      acts: () => ({ pause: done, resume: done, setCredits: done, set: done, approve: done, revoke: done }),
      ceiling: 500,
    },
    ...more,
  });
};

/** The texts of a page that people read or hear, without texts by others and those that are English in the log, too. */
const textsIn = ({ text }: Shown): readonly string[] => {
  const own = text
    .replaceAll(' · Darkroom</title>', '</title>')
    .replaceAll(/<bdi>.*?<\/bdi>|<span lang="en">.*?<\/span>|<a class="id".*?<\/a>/gs, ' ')
    .replaceAll(/<option value="[\w-]*">[a-z0-9-]+<\/option>/g, ' ');
  const said = [...own.matchAll(/>([^<>]+)</g), ...own.matchAll(/(?:aria-label|data-label)="([^"]+)"/g)];
  return said.map(([, each = '']) => each.trim()).filter((each) => /\p{L}{2}/u.test(each));
};

const signIn = async (of: ReturnType<typeof stage>, language: Language): Promise<ConsoleBrowser> => {
  const browser = of.arrive('10.0.0.1', language);
  const { button } = languages[language].owner.console.signIn;
  await browser.press(await browser.get('/owner'), button, { password: PASSWORD });
  return browser;
};

type Pages = Map<string, Shown>;

/** What somebody sees who is not signed in. */
const visitDoor = async (pages: Pages, calm: ReturnType<typeof stage>, language: Language): Promise<void> => {
  const { button } = languages[language].owner.console.signIn;
  const stranger = calm.arrive('10.0.0.9', language);

  pages.set('sign in', await stranger.get('/owner'));
  pages.set('wrong', await stranger.press(await stranger.get('/owner'), button, { password: 'x' }));
  // The next attempt waits for its turn, which comes a moment after a wrong password.
  await calm.clock.advance(1_000);
  pages.set('all ended', await stranger.get('/owner/sign-in?notice=all-ended'));
};

/** The pages with an address of their own, and the questions that lead from them. */
const visitInside = async (
  pages: Pages,
  calm: ReturnType<typeof stage>,
  language: Language,
): Promise<void> => {
  const { removals, requests, sessions } = languages[language].owner.console;
  const browser = await signIn(calm, language);
  const paths = [
    '',
    '?every=10',
    '/figures',
    '/jobs',
    '/jobs?state=x',
    '/jobs/job-done',
    '/jobs/job-failed',
    '/jobs?after=1-1',
    '/campaigns',
    '/months',
    '/removals',
    '/removals/requests/request-1',
    '/removals/requests/request-2',
    '/sessions',
    '/nowhere',
    '/jobs/none',
    '/communities',
  ];

  for (const path of paths) pages.set(path, await browser.get(`/owner${path}`));
  pages.set('other site', await browser.post('/owner/jobs', '', { origin: 'https://evil.test' }));
  pages.set('outdated', await browser.post('/owner/jobs', ''));
  pages.set('undo a removal', await browser.press(await browser.get('/owner/removals'), removals.undo));

  const request = await browser.get('/owner/removals/requests/request-1');
  for (const button of [requests.nothing, requests.refuse, requests.remove])
    pages.set(`request: ${button}`, await browser.press(request, button, { reason: 'xyz' }));

  const endOne = await browser.press(await browser.get('/owner/sessions'), sessions.end);
  pages.set('end one', endOne);
  pages.set('end all', await browser.press(await browser.get('/owner/sessions'), sessions.endAll));
  pages.set('after the end', await browser.press(endOne, sessions.doOne));
};

/** The page of a community in each of its states, and the questions that lead from it. */
const visitCommunities = async (
  pages: Pages,
  calm: ReturnType<typeof stage>,
  language: Language,
): Promise<void> => {
  const { actions, communities: words } = languages[language].owner.console;
  const open = async (name: string, of: ReturnType<typeof stage>, questions: readonly string[]) => {
    const visitor = await signIn(of, language);
    const list = await visitor.get('/owner/communities');
    const one = await visitor.press(list, words.openOne, { community: COMMUNITY });
    pages.set(name, one);
    for (const button of questions) pages.set(`${name}: ${button}`, await visitor.press(one, button));
    return { visitor, one };
  };

  const zone = SIMPLE_SETTINGS.timeZone.name[language];
  const changeZone = actions.changeOne.replace('{name}', zone);
  const { visitor, one } = await open('community', calm, [
    actions.pause,
    actions.setCredits,
    actions.approve,
    changeZone,
  ]);
  pages.set('amount', await visitor.press(one, actions.setCredits, { amount: 'x' }));
  pages.set('no zone', await visitor.get(`${one.path}/timezone`));
  const sure = await visitor.press(one, actions.setCredits, { amount: '1' });
  pages.set('credits set', await visitor.press(sure, actions.doCredits));

  const paused = stage({}, { pause, isApproved: true, allowanceBy: 'moderator' });
  await open('paused', paused, [actions.resume, actions.pauseAsOwner, actions.revoke]);

  const pausedByOwner = stage({}, { pause: { ...pause, byOwner: true }, allowanceBy: 'default' });
  await open('paused by the owner', pausedByOwner, []);

  const pausedByDamage = stage({}, { pause: { ...pause, lost: true } });
  await open('paused by damage', pausedByDamage, []);
};

/** A console that has nothing to show, and ones that fail. */
const visitEmpty = async (pages: Pages, language: Language): Promise<void> => {
  const empty = stageConsole({ password: undefined });
  for (const path of ['/jobs', '/communities', '/campaigns', '/removals', '/sessions'])
    pages.set(`empty ${path}`, await empty.arrive('10.0.0.1', language).get(`/owner${path}`));

  for (const trouble of [undefined, 'disk?']) {
    const broken = stageConsole({ password: undefined, storeTrouble: async () => trouble });
    pages.set(`failed: ${trouble}`, await broken.arrive('10.0.0.1', language).get('/owner/figures'));
  }
};

/** Every page that the console has, by what it is. */
const visit = async (language: Language): Promise<ReadonlyMap<string, Shown>> => {
  const pages: Pages = new Map();
  const calm = stage();
  await visitDoor(pages, calm, language);
  await visitInside(pages, calm, language);
  await visitCommunities(pages, calm, language);
  await visitEmpty(pages, language);
  return pages;
};

describe.each(LANGUAGES)('the console in %s', (language) => {
  it(`the console in ${language} says everything on every page in that language`, async () => {
    const pages = await visit(language);
    const english = await visit('en');
    const codes = [200, 400, 401, 403, 404, 500, 503];
    const said = new Set([...english.values()].flatMap(textsIn));
    for (const [name, page] of pages) {
      expect(codes, name).toContain(page.status);
      if (name === 'no zone') expect(page.status).toBe(400);
      expect(/<html lang="(\w+)">/.exec(page.text)?.[1], name).toEqual(language);
      expect(page.text, name).not.toMatch(/\{\w+\}|undefined|\[object/);
      if (language === 'en') continue;
      expect(englishIn(textsIn(page).join('\n')), name).toEqual([]);
      // No English text stands in the page itself either. Single words are often the same in both languages.
      const same = textsIn(page).filter(
        (text) => said.has(text) && /\p{L}{3,}[^\p{L}-]+\p{L}{3,}/u.test(text),
      );
      expect(same, name).toEqual([]);
    }
  });
});

it.each([
  { accepted: 'de-AT,en;q=0.5', owner: 'en', language: 'de' },
  { accepted: 'ja, fr;q=0.8', owner: 'en', language: 'fr' },
  { accepted: 'ja', owner: 'es', language: 'es' },
  { accepted: '', owner: 'pt', language: 'pt' },
] as const)(
  'a browser that accepts "$accepted" sees the console of an owner with $owner in $language',
  async ({ accepted, owner, language }) => {
    const page = await stageConsole({ ownerLanguage: owner }).arrive('10.0.0.1', accepted).get('/owner');
    expect(page.text).toContain(languages[language].owner.console.signIn.title);
  },
);
