import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createNearResults, type NearResult } from '../../../src/app/jobs/near-results.ts';
import { createRequestNotices } from '../../../src/app/requests/request-notices.ts';
import { createRequests } from '../../../src/app/requests/requests.ts';
import { HOUR_MS } from '../../../src/base/clock.ts';
import type { Records } from '../../../src/base/keyv/records.ts';
import type { Caller } from '../../../src/command/place.ts';
import type { DrawOutcome } from '../../../src/command/reply.ts';
import type { View } from '../../../src/command/view.ts';
import { textOfHash } from '../../../src/safety/hash/perceptual-hash.ts';
import { newRequestNumber, requestIdOf } from '../../../src/safety/requests/request-number.ts';
import { createRequestRecords, type RemovalRequest } from '../../../src/safety/requests/request-records.ts';
import { wordsFor } from '../../../src/words/words.ts';
import { textOf } from '../../fakes/call.ts';
import { createFakeClock, type FakeClock } from '../../fakes/clock.ts';
import { createRecords, interleaved } from '../../fakes/records.ts';
import { sampleJob } from '../../fakes/sample-job.ts';
import { soleMember } from '../../fakes/sole-member.ts';

const words = wordsFor('en');
const said = words.owner.requests;
const olga: Caller = { platform: 'telegram', id: '3', name: 'Olga', locale: 'en' };
const eve: Caller = { platform: 'telegram', id: '66', name: 'Eve', locale: 'en' };
const place = { platform: 'telegram', community: 'telegram:dm:3', channel: '3', direct: true } as const;

/** A fingerprint of which these bits are set. */
const hashWith = (...bits: readonly number[]): string => {
  const hash = new Uint32Array(8);
  for (const bit of bits) hash[bit >> 5] = (hash[bit >> 5] ?? 0) | (1 << (bit & 31));
  return textOfHash(hash);
};
const bits = (count: number): readonly number[] => Array.from({ length: count }, (_, bit) => bit);

const jobWith = (id: string, hashes: { file?: string; picture?: string; photo?: string }) => ({
  ...sampleJob({ id, state: 'done' }),
  resultHashes: { file: hashes.file ?? id, ...(hashes.picture && { picture: hashes.picture }) },
  ...(hashes.photo && { photoHashes: [hashes.photo] }),
});

let state: Records;
let clock: FakeClock;
let audited: string[];
let removed: string[];
let near: readonly NearResult[];
let linked: ReturnType<typeof jobWith> | undefined;
/** Links with the public name of a chat, each with the link that has the id of the chat instead. */
let publicLinks: Readonly<Record<string, string>>;
/** How often a platform was asked about a link. */
let linksRead: number;
beforeEach(() => {
  state = createRecords();
  // Records expire by the machine's time.
  clock = createFakeClock(Date.now());
  audited = [];
  removed = [];
  near = [];
  linked = undefined;
  publicLinks = {};
  linksRead = 0;
});

const stored = (records = state) => createRequestRecords(records, clock.now);

const requests = () =>
  createRequests({
    records: stored(),
    async readLink(link) {
      linksRead += 1;
      return publicLinks[link] ?? link;
    },
    findByLink: async () => linked,
    nearResults: async () => near,
    async removeResult(job, reason) {
      if (job === 'gone') return false;
      removed.push(`${job} ${reason}`);
      return true;
    },
    moderators: { isOwner: (caller) => caller.id === olga.id },
    audit: {
      note: async (who, { community }, action) => void audited.push(`${who.id} ${action} ${community}`),
    },
    ownerWords: words,
    clock,
  });

const asked = async (more: Partial<RemovalRequest> = {}): Promise<string> => {
  const id = requestIdOf(newRequestNumber());
  const request = { at: clock.now(), from: 'a', contact: 'ann@x.test', about: 'It is me', ...more };
  expect(await requests().page.add(id, request)).toBeUndefined();
  return id;
};
const press = async (caller: Caller, id: string, decision: 'remove' | 'nothing'): Promise<string> => {
  const reply = await requests().portFor({ event: 'e', caller, place }, words).decide(id, decision);
  return textOf(reply);
};

describe('the buttons of a notice', () => {
  it('the buttons of a notice remove the result that a link means, and say who decided', async () => {
    linked = jobWith('job-1', {});
    const id = await asked({ link: 'https://t.me/c/1/2' });

    expect(await press(olga, id, 'remove')).toContain(said.decided.removed('Olga'));

    expect(removed).toEqual([`job-1 request ${id}`]);
    expect(audited).toEqual([
      'removal-page removal-request.asked removal-requests',
      '3 removal-request.removed removal-requests',
    ]);
    expect((await stored().find(id))?.decided).toMatchObject({ what: 'removed', by: 'Olga' });
  });

  it('the buttons of a notice remove nothing by the link of a public group, whose number a message of any chat can have', async () => {
    linked = jobWith('of-another-chat', {});
    for (const link of ['https://t.me/darkroom_fans/45', 'https://example.com/45']) {
      const id = await asked({ link });
      expect(await press(olga, id, 'remove')).toBe(said.uncertain);
    }
    expect(removed).toEqual([]);

    near = [{ job: linked, as: 'file', distance: 0 }];
    const id = await asked({ link: 'https://t.me/darkroom_fans/45', picture: { file: 'x' } });
    await press(olga, id, 'remove');
    expect(removed).toEqual([`of-another-chat request ${id}`]);
  });

  it('the buttons of a notice remove the result in a public group whose name the platform knows', async () => {
    linked = jobWith('job-1', {});
    publicLinks = { 'https://t.me/darkroom_fans/45': 'https://t.me/c/123/45' };
    const id = await asked({ link: 'https://t.me/darkroom_fans/45' });
    // Somebody who writes a form makes the bot ask a platform for nothing.
    expect(linksRead).toBe(0);

    await press(olga, id, 'remove');

    expect(removed).toEqual([`job-1 request ${id}`]);
  });

  it('the buttons of a notice are for owners alone', async () => {
    linked = jobWith('job-1', {});
    const id = await asked({ link: 'https://t.me/c/1/2' });

    expect(await press(eve, id, 'remove')).toBe(words.approval.ownersOnly);
    expect(await press(eve, id, 'nothing')).toBe(words.approval.ownersOnly);

    expect(removed).toEqual([]);
    expect((await stored().find(id))?.decided).toBeUndefined();
  });

  it('the buttons of a notice count once', async () => {
    linked = jobWith('job-1', {});
    const id = await asked({ link: 'https://t.me/c/1/2' });

    await press(olga, id, 'nothing');

    expect(await press(olga, id, 'remove')).toContain(said.decided.nothing('Olga'));
    expect(removed).toEqual([]);
  });

  const job = jobWith('job-1', {});
  const other = jobWith('job-2', {});
  it.each<{ what: string; found: readonly NearResult[] }>([
    { what: 'the same file', found: [{ job, as: 'file', distance: 0 }] },
    { what: 'a copy that no other result is like', found: [{ job, as: 'result', distance: 9 }] },
  ])('the buttons of a notice remove by a picture what is certain: $what', async ({ found }) => {
    near = found;
    const id = await asked({ picture: { file: 'x' } });

    expect(await press(olga, id, 'remove')).toContain(said.decided.removed('Olga'));

    expect(removed).toEqual([`job-1 request ${id}`]);
  });

  it.each<{ what: string; found: readonly NearResult[] }>([
    { what: 'a result that is only like it', found: [{ job, as: 'result', distance: 10 }] },
    { what: 'a photo of several results', found: [{ job, as: 'photo', distance: 0 }] },
    {
      what: 'two results that are alike',
      found: [
        { job, as: 'result', distance: 2 },
        { job: other, as: 'result', distance: 20 },
      ],
    },
    { what: 'nothing', found: [] },
    { what: 'a result that is gone', found: [{ job: jobWith('gone', {}), as: 'file', distance: 0 }] },
  ])('the buttons of a notice remove by a picture nothing that is uncertain: $what', async ({ found }) => {
    near = found;
    const id = await asked({ picture: { file: 'x' } });

    expect(await press(olga, id, 'remove')).toBe(said.uncertain);

    expect(removed).toEqual([]);
  });

  it('the buttons of a notice say that a request was deleted', async () => {
    const id = await asked();
    await requests().page.delete(id);
    expect(await press(olga, id, 'nothing')).toBe(said.gone);
  });
});

describe('results that a picture may mean', () => {
  const search = (jobs: readonly ReturnType<typeof jobWith>[]) =>
    createNearResults({
      async find(_query, limit, after) {
        const begin = after?.seq ?? 0;
        const page = jobs.slice(begin, begin + limit);
        const seq = begin + limit;
        return { jobs: page, ...(seq < jobs.length && { next: { createdAt: 0, seq } }) };
      },
    }).all;
  const picture = { file: 'the file', hashes: [hashWith(), hashWith(...bits(200))] } as {
    file: string;
    hashes: [string, string];
  };

  it('results that a picture may mean are the same file, results like it and photos like it, mirrored too, the nearest first', async () => {
    const others = Array.from({ length: 250 }, (_, each) =>
      jobWith(`other-${each}`, { picture: hashWith(...bits(90)) }),
    );
    const find = search([
      ...others,
      jobWith('photo', { photo: hashWith(1, 2, 3), picture: hashWith(...bits(90)) }),
      jobWith('mirrored', { picture: hashWith(...bits(199)) }),
      jobWith('file', { file: 'the file' }),
      jobWith('far', { picture: hashWith(...bits(65)) }),
      jobWith('near', { picture: hashWith(...bits(64)) }),
      jobWith('damaged', { picture: 'no hash' }),
    ]);

    const found = await find(picture);

    expect(found.map(({ job, as, distance }) => ({ job: job.id, as, distance }))).toEqual([
      { job: 'file', as: 'file', distance: 0 },
      { job: 'mirrored', as: 'result', distance: 1 },
      { job: 'photo', as: 'photo', distance: 3 },
      { job: 'near', as: 'result', distance: 64 },
    ]);
  });

  it('results that a picture may mean are at most twelve', async () => {
    const find = search(
      Array.from({ length: 300 }, (_, each) => jobWith(`${each}`, { picture: hashWith() })),
    );
    expect(await find(picture)).toHaveLength(12);
  });

  it('results that a flat picture may mean are the same file alone', async () => {
    const find = search([jobWith('like', { picture: hashWith() }), jobWith('same', { file: 'the file' })]);
    expect((await find({ file: 'the file' })).map(({ job }) => job.id)).toEqual(['same']);
  });
});

describe('notices to owners', () => {
  let views: View[];
  let answer: () => Promise<DrawOutcome>;
  beforeEach(() => {
    views = [];
    answer = async () => ({ state: 'drawn' });
  });
  /** Processes that share the store, each of which takes itself for the one that sends. */
  const start = (count: number): void => {
    for (let each = 1; each <= count; each += 1) {
      const stop = createRequestNotices({
        records: stored(interleaved(state, each)),
        owners: { people: [olga], words },
        platforms: {
          async say(_, view) {
            views.push(view);
            return answer();
          },
        },
        members: soleMember,
        clock,
        log: { warn: () => undefined },
      }).start();
      onTestFinished(async () => {
        await Promise.all([stop(), clock.advance(10_000)]);
      });
    }
  };
  const pass = async (ms = 0): Promise<void> => {
    await clock.advance(ms);
    for (let turn = 0; turn < 50; turn += 1) await clock.advance(1_000);
  };
  const buttonsOf = ({ buttons = [] }: View): readonly string[] => buttons.flat().map(({ label }) => label);

  it('notices to owners come once from several processes, with buttons and without how to reach the person', async () => {
    await asked({ link: 'https://t.me/c/1/2', about: 'line\n\nAnother line' });
    start(3);
    await pass();

    expect(views).toHaveLength(1);
    const [view] = views;
    expect(view && buttonsOf(view)).toEqual([said.buttons.remove, said.buttons.nothing]);
    const shown = JSON.stringify(view);
    expect(shown).toContain('line Another line');
    expect(shown).not.toContain('ann@x.test');
    expect(shown).toContain('47 h');
  });

  it('notices to owners remind once after 24 and after 40 hours', async () => {
    await asked();
    start(2);
    await pass();
    await pass(24 * HOUR_MS);
    await pass(16 * HOUR_MS);
    await pass(8 * HOUR_MS);

    expect(views.map(({ title }) => title)).toEqual([said.title, said.reminder, said.reminder]);
    expect(JSON.stringify(views.at(-1))).toMatch(/48 hours: [78] h/);
  });

  it('notices to owners come again when the platform could not take them', async () => {
    await asked();
    answer = async () => ({ state: 'later', afterMs: 1 });
    start(1);
    await pass();
    const tries = views.length;
    expect(tries).toBeGreaterThan(1);

    answer = async () => ({ state: 'drawn' });
    await pass();

    expect(views).toHaveLength(tries + 1);
  });

  it('notices to owners are not sent for a request that was deleted meanwhile', async () => {
    const id = await asked();
    await state.delete(id);

    start(1);
    await pass();

    expect(views).toEqual([]);
  });
});
