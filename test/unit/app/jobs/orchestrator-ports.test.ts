/** Jobs on their way meet the community's rules, photos, aliases, results and their links, and cards. */
import { createServer, type ServerResponse } from 'node:http';
import sharp from 'sharp';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { type Adapter, PhotoGone } from '../../../../src/adapters/adapter.ts';
import {
  createFitResult,
  createOrchestratorPorts,
  type OrchestratorPortsDependencies,
} from '../../../../src/app/jobs/orchestrator-ports.ts';
import { createPlatformRegistry, type PlatformRegistry } from '../../../../src/app/platforms/registry.ts';
import { createDownloads, DownloadMissing, type Downloads } from '../../../../src/base/network/download.ts';
import type { CommunityGate } from '../../../../src/command/community-gate.ts';
import { UserError } from '../../../../src/command/errors.ts';
import type { PhotoRef } from '../../../../src/command/photo.ts';
import { type Place, personKey } from '../../../../src/command/place.ts';
import type { DrawOutcome } from '../../../../src/command/reply.ts';
import { withPhoto } from '../../../../src/command/request.ts';
import type { Media, View } from '../../../../src/command/view.ts';
import type { Aliases } from '../../../../src/community/aliases/aliases.ts';
import { CommunityError, type CommunityErrorReason } from '../../../../src/community/community-error.ts';
import {
  createCommunityGate,
  createCommunityRules,
} from '../../../../src/community/rules/community-rules.ts';
import { createCheckedPhotos } from '../../../../src/media/checked-photos.ts';
import { JobFailure } from '../../../../src/orchestrator/job/failure.ts';
import type { Failure, Job } from '../../../../src/orchestrator/job/job.ts';
import { createDecoder } from '../../../../src/picture/decoder.ts';
import { createBlockedPhotos } from '../../../../src/safety/blocked-photos/blocked-photos.ts';
import { createCompareWithBlocked } from '../../../../src/safety/blocked-photos/compare-with-blocked.ts';
import { createHashResult } from '../../../../src/safety/hash/hash-result.ts';
import { createPictureHasher } from '../../../../src/safety/hash/picture-hasher.ts';
import { en } from '../../../../src/words/en/words.ts';
import { photoOf } from '../../../e2e/stage/pictures.ts';
import { holds } from '../../../eventually.ts';
import { idleAdapter, unused } from '../../../fakes/adapter.ts';
import { createFakeClock, type FakeClock } from '../../../fakes/clock.ts';
import { manyScansJpeg } from '../../../fakes/hostile-pictures.ts';
import { type JobFields, jobWith } from '../../../fakes/job.ts';
import { orderOf, video } from '../../../fakes/orchestrator-world.ts';
import { createRecords } from '../../../fakes/records.ts';
import { requestOf } from '../../../fakes/requests.ts';
import { sampleJob } from '../../../fakes/sample-job.ts';
import { samplePhoto } from '../../../fakes/sample-photo.ts';
import { createFacesInMemory } from '../../../fakes/saved-faces.ts';
import { hangUp, listen } from '../../../listen.ts';

const MB = 1024 * 1024;
let clock: FakeClock;

beforeEach(() => {
  clock = createFakeClock();
});

/** A person's video job whose result is there. */
const videoJob = (person: string, more: JobFields = {}): Job => {
  const { dailyCredits: _, ...order } = orderOf(person, { request: video });
  return sampleJob({ ...order, charge: 'spent', card: { platform: 'web', ref: person }, looks: 1, ...more });
};

const job = videoJob('ann', { state: 'delivering' });

/** All tests share one decoder, because the start of its child process takes longer than most of them. */
const decoder = createDecoder({ clock: createFakeClock() });
afterAll(() => decoder.close());

/** The ports with the parts that a test names; nothing else may be asked for. */
const open = (
  given: Partial<OrchestratorPortsDependencies> & { adapter?: Partial<Adapter>; downloads?: Downloads },
) => {
  const { adapter, downloads, ...parts } = given;
  const limits: Adapter['limits'] = () => ({ imageBytes: 50 * MB, fileBytes: 50 * MB, videoBytes: 50 * MB });
  const hasher = createPictureHasher(decoder);
  const platforms = createPlatformRegistry([{ ...idleAdapter, limits, ...adapter }]);
  return createOrchestratorPorts({
    gate: { refusal: unused } as unknown as CommunityGate,
    faces: undefined,
    checkedPhotos: createCheckedPhotos(clock),
    contentCheck: undefined,
    acceptsMinors: true,
    aliases: { use: unused } as unknown as Aliases,
    platforms,
    fitResult: downloads === undefined ? unused : createFitResult(platforms, downloads, decoder, false),
    unmarked: unused,
    isRemoved: async () => false,
    hashResult: createHashResult(hasher),
    compareWithBlocked: createCompareWithBlocked(hasher, { has: async () => false }),
    blockedPhotos: { has: async () => false },
    decoder,
    clock,
    refused: () => undefined,
    aliasBroken: unused,
    ...parts,
  });
};

it.each([
  {
    what: 'is retried for a short time',
    error: new DownloadMissing('download answered 404'),
    again: 0,
    last: 7,
  },
  {
    what: 'is retried for longer when the server does not answer',
    error: new Error('other side closed'),
    again: 7,
    last: 19,
  },
])('a result with a dead link $what, then fails', async ({ error, again, last }) => {
  const ports = open({ fitResult: () => Promise.reject(error) });
  const output = { kind: 'video', url: 'https://cdn.example.com/v.mp4' } as const;
  const draw = (fetches: number) =>
    ports.draw(jobWith({ ...job, fetches, state: 'delivering' }), {}, 'final', output);

  expect(await draw(again)).toMatchObject({ state: 'unfetched' });
  await expect(draw(last)).rejects.toBeInstanceOf(JobFailure);
});

/** Links to results that send next to nothing, on real connections. */
describe('slow result links', () => {
  /** A small video, as far as its first bytes tell. */
  const film = Buffer.concat([Buffer.from('000000186674797069736f6d00000000', 'hex'), Buffer.alloc(MB)]);
  let downloads: Downloads;
  let url: string;
  /** Answers that have sent their first byte and no more. */
  let hanging: ServerResponse[];
  let asked: number;

  const server = createServer((request, response) => {
    asked += 1;
    if (request.url === '/film.mp4') {
      response.writeHead(200, { 'content-length': film.length }).end(film);
      return;
    }
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': 49 * MB });
    response.write(film.subarray(0, 1));
    hanging.push(response);
  });

  let drawn: { readonly card: string; readonly media: View['media'] }[];
  let reserved: number;
  let drawAt: (path: string, person: string, more?: JobFields) => Promise<unknown>;

  beforeEach(async () => {
    hanging = [];
    asked = 0;
    drawn = [];
    reserved = 0;
    url = await listen(server);
    downloads = createDownloads(url, clock);
    const draw: Adapter['draw'] = async ({ ref }, { media }) => {
      drawn.push({ card: ref, media });
      return { state: 'drawn' };
    };
    const ports = open({ adapter: { draw }, downloads });
    drawAt = (path, person, more = {}) => {
      const output = { kind: 'video', url: `${url}${path}` } as const;
      const reserve = async (size: number): Promise<void> => {
        reserved += size;
      };
      const done = videoJob(person, { state: 'done', ...more });
      return ports.draw(done, {}, 'final', output, reserve).catch((error: unknown) => error);
    };
  });

  afterEach(async () => {
    await hangUp(server);
    await downloads.close();
  });

  it('slow result links do not delay other results, and hold no memory', async () => {
    const slow = Array.from({ length: 40 }, (_, index) =>
      drawAt('/trickle', `slow ${index % 20}`, { id: `slow ${index}` }),
    );
    await holds(() => expect(hanging.length).toBe(40));
    expect(await drawAt('/film.mp4', 'calm')).toMatchObject({ state: 'drawn' });
    expect(drawn.map(({ card }) => card)).toEqual(['calm']);
    // Memory is reserved for the film and for its copy with the provenance mark.
    expect(reserved).toBe(2 * film.length);

    await clock.advance(15_000);
    for (const error of await Promise.all(slow)) expect(error).toEqual({ state: 'unfetched', slow: true });
  });

  it('slow result links have a limit per person, and a separate one for retries', async () => {
    const first = Array.from({ length: 10 }, () => drawAt('/trickle', 'eve'));
    await holds(() => expect(hanging.length).toBe(3));

    const again = Array.from({ length: 20 }, (_, index) =>
      drawAt('/trickle', `slow ${index}`, { fetches: 1 }),
    );
    await holds(() => expect(hanging.length).toBe(11));
    expect(await drawAt('/film.mp4', 'calm')).toMatchObject({ state: 'drawn' });
    expect(asked).toBe(12);

    server.closeAllConnections();
    const closing = setInterval(() => server.closeAllConnections(), 10);
    await Promise.all([...first, ...again]);
    clearInterval(closing);
  });

  it('slow result links are tried three times, then the link itself is shown', async () => {
    const tried = async (fetches: number): Promise<unknown> => {
      const before = hanging.length;
      const drawing = drawAt('/trickle', 'ann', { fetches });
      await holds(() => expect(hanging.length).toBe(before + 1));
      await clock.advance(15_000);
      return drawing;
    };

    for (const fetches of [0, 1]) expect(await tried(fetches)).toMatchObject({ state: 'unfetched' });
    expect(await tried(2)).toEqual({ state: 'drawn' });
    expect(drawn[0]?.media).toMatchObject({ kind: 'link', url: `${url}/trickle` });
  });
});

describe('a result that may not be posted in the chat of its card', () => {
  const picture: Media = { kind: 'link', url: 'https://cdn.example.com/v.mp4', label: 'video' };

  /** The views that are drawn, and how drawing ends with a result. */
  const drawing = (outcome: DrawOutcome) => {
    const views: View[] = [];
    const draw: PlatformRegistry['draw'] = async (_card, view) => {
      views.push(view);
      return view.media === undefined ? { state: 'drawn' } : outcome;
    };
    const platforms: PlatformRegistry = { ...createPlatformRegistry(), draw };
    return { views, ports: open({ platforms, fitResult: async () => picture }) };
  };

  const output = { kind: 'video', url: picture.url } as const;

  it.each<{ what: string; outcome: DrawOutcome; notes: unknown[] }>([
    {
      what: 'leaves a card that says where the result is',
      outcome: { state: 'gone', messageRemains: true },
      notes: [[en.notes.notHere]],
    },
    { what: 'does not edit a deleted card', outcome: { state: 'gone' }, notes: [] },
  ])('a result that may not be posted in the chat of its card $what', async ({ outcome, notes }) => {
    const { views, ports } = drawing(outcome);
    expect(await ports.draw(jobWith({ ...job, state: 'done' }), {}, 'final', output)).toEqual(outcome);
    expect(views.slice(1).map(({ lines }) => lines)).toEqual(notes);
    expect(views[1]?.buttons).toBeUndefined();
  });

  it('a result that may not be posted is mentioned on a former card, too', async () => {
    const { views, ports } = drawing({ state: 'drawn' });
    const left = jobWith({ ...job, state: 'done', formerCard: { platform: 'web', ref: 'ann' } });
    expect(await ports.draw(left, {}, 'final')).toEqual({ state: 'drawn' });
    expect(views.map(({ lines }) => lines)).toEqual([[en.notes.notHere]]);
  });

  it('a result stays where it is when the end of its job is drawn again after late progress', async () => {
    const { views, ports } = drawing({ state: 'drawn' });
    await ports.draw(jobWith({ ...job, state: 'done' }), {}, 'cosmetic');
    expect(views).toMatchObject([{ keepsMedia: en.card.expired }]);
  });
});

it.each<{ reason: CommunityErrorReason; code: string }>([
  { reason: { code: 'alias-gone', name: 'xmas' }, code: 'alias-gone' },
  { reason: { code: 'wrong-model', name: 'xmas', needed: 'face', found: 'group' }, code: 'alias-mismatch' },
])(
  'an alias that cannot be used ($reason.code) fails the job, and moderators are notified',
  async ({ reason, code }) => {
    const told: unknown[] = [];
    const ports = open({
      aliases: { use: () => Promise.reject(new CommunityError(reason)) } as unknown as Aliases,
      aliasBroken: (_job, name, error) => void told.push([name, error.code]),
    });
    const swap = jobWith({ ...job, request: requestOf('face-swap-v6') });
    const resolved = ports.resolve({ by: 'alias', id: 'id', name: 'xmas' }, swap);

    await expect(resolved).rejects.toMatchObject({ failure: { code, detail: 'xmas' } });
    expect(told).toEqual([['xmas', reason.code]]);
  },
);

/** The photo of a job as the service would get it. */
const fetched = (ref: PhotoRef, parts: Parameters<typeof open>[0]) =>
  open(parts).photo(ref, job, new AbortController().signal, async () => undefined);

it.each<{ what: string; photo: Adapter['photo']; failure: Failure }>([
  {
    what: 'gone',
    photo: () => Promise.reject(new PhotoGone('deleted')),
    failure: { code: 'photo-unavailable' },
  },
  {
    what: 'too large for a platform',
    photo: () => Promise.reject(new UserError('Too large.')),
    failure: { code: 'photo-invalid' },
  },
  {
    what: 'over 20 MB',
    photo: async () => new Uint8Array(20 * MB + 1),
    failure: { code: 'photo-invalid', detail: '> 20 MB' },
  },
  {
    what: 'of another format',
    photo: async () => Buffer.from('GIF89a'),
    failure: { code: 'photo-invalid', detail: 'GIF' },
  },
  { what: 'of nothing', photo: async () => new Uint8Array(0), failure: { code: 'photo-invalid' } },
  {
    what: 'too complex',
    photo: async () => manyScansJpeg({ width: 4000, height: 4000 }, 40_000),
    failure: expect.objectContaining({ code: 'photo-too-complex' }),
  },
])(
  'a photo that is $what fails the job, with details that need no translation',
  async ({ photo, failure }) => {
    const error: unknown = await fetched({ from: 'web', ref: 'photo' }, { adapter: { photo } }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(JobFailure);
    expect(error instanceof JobFailure && error.failure).toEqual(failure);
  },
);

describe('a result of the bot that becomes the first frame of a video', () => {
  const ref = { from: 'web', ref: 'marked', isResult: true, job: 'source' } as const;
  const averageRed = async (image: object): Promise<number> => {
    const { bytes } = z.object({ bytes: z.instanceof(Uint8Array) }).parse(image);
    const [red] = (await sharp(bytes).stats()).channels;
    return Math.round(red?.mean ?? 0);
  };
  const marked: Adapter['photo'] = () => photoOf('#000000', 64, 64);

  it('a result that becomes the first frame of a video is fetched from the service, where it has no visible mark, and its hash is not stored', async () => {
    const asked: string[] = [];
    const unmarked: OrchestratorPortsDependencies['unmarked'] = async (job) => {
      asked.push(job);
      return photoOf('#ff0000', 64, 64);
    };

    const { image, hashes } = await fetched(ref, { unmarked, adapter: { photo: marked } });

    expect(asked).toEqual(['source']);
    expect(await averageRed(image)).toBeGreaterThan(200);
    expect(hashes).toEqual([]);
  });

  it.each<{ why: string; unmarked: () => Promise<Uint8Array | undefined> }>([
    { why: 'the service no longer has it', unmarked: async () => undefined },
    { why: 'the service sends what is no picture', unmarked: async () => Buffer.from('GIF89a') },
  ])(
    'a result that becomes the first frame of a video is fetched from the chat where $why',
    async ({ unmarked }) => {
      const { image } = await fetched(ref, { unmarked, adapter: { photo: marked } });

      expect(await averageRed(image)).toBeLessThan(50);
    },
  );

  it('nothing is made of a result that was removed, although the chat still has its file, until the removal is undone', async () => {
    let isUndone = false;
    const isRemoved = async (id: string): Promise<boolean> => id === 'source' && !isUndone;
    const parts = { isRemoved, unmarked: async () => undefined, adapter: { photo: marked } };

    await expect(fetched(ref, parts)).rejects.toMatchObject({ failure: { code: 'photo-blocked' } });

    isUndone = true;
    const { image, isBlockedNow } = await fetched(ref, parts);
    expect(await averageRed(image)).toBeLessThan(50);
    expect(await isBlockedNow?.()).toBe(false);

    isUndone = false;
    expect(await isBlockedNow?.()).toBe(true);
    const made = videoJob('ann', { state: 'delivering', request: withPhoto(video, ref) });
    expect(await open(parts).isBlocked(made)).toBe(true);
  });

  it('a result that becomes the first frame of a video is fetched from the chat if it was chosen before jobs were noted with it', async () => {
    const { image } = await fetched(
      { from: 'web', ref: 'marked', isResult: true },
      { adapter: { photo: marked } },
    );

    expect(await averageRed(image)).toBeLessThan(50);
  });
});

it('a saved face that is deleted while its job waits fails the job', async () => {
  const faces = createFacesInMemory(clock);
  const person = personKey(job.caller);

  const jpeg = await photoOf('#c08040', 200, 100);

  await faces.save(person, { name: 'me', jpeg });
  const { image } = await fetched({ from: 'face', name: 'me' }, { faces });
  expect(image).toMatchObject({ bytes: jpeg });

  await faces.delete(person, 'me');
  const late = fetched({ from: 'face', name: 'me' }, { faces });
  await expect(late).rejects.toMatchObject({ failure: { code: 'photo-unavailable' } });
});

describe('the card of another photo of an album, when it is not known whether it was sent', () => {
  const answer = { platform: 'web', ref: 'an answer' } as const;
  const other = videoJob('ann', { state: 'opening', origin: 'web:event+1' });

  /** `said`: to whom what was sent, with the platform's answers in turn, of which the last stays. */
  const searching = (...outcomes: DrawOutcome[]) => {
    const said: Parameters<Adapter['say']>[] = [];
    const say: Adapter['say'] = async (...given) => {
      said.push(given);
      const next = outcomes.length > 1 ? outcomes.shift() : outcomes[0];
      return next ?? { state: 'drawn', card: { platform: 'web', ref: 'sent' } };
    };
    const find: Adapter['find'] = async () => ({ platform: 'web', ref: 'the answer' });
    return { findCard: open({ adapter: { find, say } }).findCard, said };
  };

  it('a card of an album’s other photo that may have been sent is sent where the job is, as its one message', async () => {
    const { findCard, said } = searching();
    expect(await findCard(answer, other)).toEqual({ platform: 'web', ref: 'sent' });
    expect(said).toMatchObject([[{ place: other.place }, { tone: 'busy' }, { job: other.id }]]);
  });

  it('a card of an album’s other photo goes to its caller if it is private, or if it is refused in its place', async () => {
    const own = searching();
    await own.findCard(answer, jobWith({ ...other, private: true }));
    expect(own.said.map(([to]) => to)).toEqual([{ caller: other.caller }]);

    const refused = searching({ state: 'gone' }, { state: 'drawn', card: answer });
    expect(await refused.findCard(answer, other)).toEqual(answer);
    expect(refused.said.map(([to]) => to)).toMatchObject([{ place: other.place }, { caller: other.caller }]);
  });

  it('a card of an album’s other photo is tried again later, and not sent for a job that has ended', async () => {
    const later = searching({ state: 'later', afterMs: 1_000 });
    await expect(later.findCard(answer, other)).rejects.toThrow();

    const { findCard, said } = searching();
    expect(await findCard(answer, jobWith({ ...other, state: 'cancelled' }))).toBeUndefined();
    expect(said).toEqual([]);
    expect(await findCard(answer, { ...other, origin: 'web:event' })).toMatchObject({ ref: 'the answer' });
  });
});

it('a waiting job of a boy or a girl fails where those are no longer accepted', async () => {
  const gate = createCommunityGate(createCommunityRules(createRecords(), Date.now), async () => false);
  const boy = sampleJob({
    request: {
      kind: 'self-prompt',
      photo: { from: 'web', ref: 'photo-1' },
      prompt: 'a pirate',
      gender: 'boy',
    },
  });
  await expect(open({ gate }).admit(boy)).resolves.toBeUndefined();
  await expect(open({ gate, acceptsMinors: false }).admit(boy)).rejects.toMatchObject({
    failure: { code: 'no-minors' },
  });
});

describe('a job that is to be submitted', () => {
  /** A job of a community, and what `ask` says to its submission: why the community no longer admits it, or nothing. */
  const asking = () => {
    const records = createRecords();
    const reads = vi.spyOn(records, 'get');
    const rules = createCommunityRules(records, Date.now);
    const revoked = new Set<string>();
    const gate = createCommunityGate(rules, async (_, place) => revoked.has(place.community));
    const { admit } = open({ gate });
    const job = sampleJob();
    const ask = (more: Partial<Job> = {}): Promise<unknown> =>
      admit({ ...job, ...more } as Job).catch((error: unknown) =>
        error instanceof JobFailure ? error.failure : Promise.reject(error),
      );
    return { rules, revoked, reads, job, community: job.place.community, ask };
  };

  it('a job that is to be submitted fails in a community whose approval was taken back, and in no other', async () => {
    const { revoked, community, ask } = asking();

    revoked.add(community);
    expect(await ask()).toEqual({ code: 'unapproved' });

    revoked.clear();
    expect(await ask()).toBeUndefined();
  });

  it('the rules of a community are read once for many jobs that are to be submitted', async () => {
    const { reads, ask } = asking();

    for (let jobs = 0; jobs < 100; jobs += 1) expect(await ask()).toBeUndefined();

    expect(reads).toHaveBeenCalledTimes(1);
  });

  it('a job that is to be submitted fails in a community that is paused, with the reason if there is one', async () => {
    const { rules, community, ask } = asking();

    await rules.pause(community, 'back tomorrow');
    expect(await ask()).toEqual({ code: 'paused', detail: 'back tomorrow' });

    await rules.pause(community, '');
    expect(await ask()).toEqual({ code: 'paused' });

    await rules.resume(community);
    expect(await ask()).toBeUndefined();
  });

  it('a job that is to be submitted fails if its person is blocked, and not that of another', async () => {
    const { rules, community, job, ask } = asking();

    await rules.block(community, job.caller.id, 'spam');

    expect(await ask()).toEqual({ code: 'blocked' });
    expect(await ask({ caller: { ...job.caller, id: '5' } })).toBeUndefined();
  });

  it('a job that is to be submitted fails in a channel that was not chosen, and not in a direct chat', async () => {
    const { rules, community, job, ask } = asking();

    await rules.setChannels(community, 'here', { ...job.place, channel: 'elsewhere' });

    expect(await ask()).toEqual({ code: 'other-channel' });
    expect(await ask({ place: { ...job.place, direct: true } })).toBeUndefined();
  });

  it('a job that is to be submitted fails for a blocked word in its prompt, and not for one in the name of its filter', async () => {
    const { rules, community, ask } = asking();
    const filter = { by: 'number', id: 1, name: 'secret' } as const;

    await rules.banWord(community, 'secret');

    expect(await ask()).toEqual({ code: 'banned-word' });
    expect(
      await ask({ request: { ...requestOf('face-swap-v1'), filter } as Job['request'] }),
    ).toBeUndefined();
  });

  it('a job of a group that has another id since is admitted by the rules that the group has now', async () => {
    const { rules, ask } = asking();
    const place: Place = { platform: 'telegram', community: 'telegram:-5', channel: '-5', direct: false };

    await rules.setChannels(place.community, 'here', place);
    await rules.move(place.community, 'telegram:-1005');

    expect(await ask({ place })).toBeUndefined();
    expect(await ask({ place: { ...place, thread: '3' } })).toEqual({ code: 'other-channel' });
  });
});

describe('a photo that is on the block list', () => {
  const photo = { from: 'web', ref: 'photo-1' } as const;
  const { signal } = new AbortController();
  const reserve = async (): Promise<void> => undefined;
  const until = Number.MAX_SAFE_INTEGER;

  /** Ports to which everybody sends the same photo, and the block list that they ask. */
  const opened = async () => {
    const bytes = await samplePhoto('portrait');
    const blocked = createBlockedPhotos(createRecords(), clock.now);
    const compareWithBlocked = createCompareWithBlocked(createPictureHasher(decoder), blocked);
    return {
      blocked,
      ports: open({ adapter: { photo: async () => bytes }, compareWithBlocked, blockedPhotos: blocked }),
    };
  };

  it('a blocked photo fails the job of whoever sends it, until it is taken from the list', async () => {
    const { ports, blocked } = await opened();
    const { hashes } = await ports.photo(photo, job, signal, reserve);

    await blocked.block('removal', { until, hashes: [...hashes] });
    await expect(ports.photo(photo, job, signal, reserve)).rejects.toMatchObject({
      failure: { code: 'photo-blocked' },
    });
    const ofBob = videoJob('bob', { state: 'delivering' });
    await expect(ports.photo(photo, ofBob, signal, reserve)).rejects.toBeInstanceOf(JobFailure);

    await blocked.unblock('removal');
    expect(await ports.photo(photo, job, signal, reserve)).toMatchObject({ hashes });
  });

  it('a blocked photo is recognised by the whole photo where one person was cut from it, and by that cut', async () => {
    const { ports, blocked } = await opened();
    const cut = { ...photo, part: { left: 0.2, top: 0.1, width: 0.6, height: 0.5 } };

    const { hashes } = await ports.photo(cut, job, signal, reserve);
    expect(hashes).toHaveLength(2);

    for (const hash of hashes) {
      await blocked.block('removal', { until, hashes: [hash] });
      await expect(ports.photo(cut, job, signal, reserve)).rejects.toBeInstanceOf(JobFailure);
    }
  });

  it('a photo that is blocked after it was fetched is recognised before it is sent', async () => {
    const { ports, blocked } = await opened();
    const { hashes, isBlockedNow } = await ports.photo(photo, job, signal, reserve);

    expect(await isBlockedNow?.()).toBe(false);

    await blocked.block('removal', { until, hashes: [...hashes] });
    expect(await isBlockedNow?.()).toBe(true);
  });

  it('the job whose photo is blocked after it was sent is recognised by the hashes that are stored with it', async () => {
    const { ports, blocked } = await opened();
    const { hashes } = await ports.photo(photo, job, signal, reserve);
    const sent = videoJob('ann', { state: 'delivering', photoHashes: [...hashes] });

    expect(await ports.isBlocked(sent)).toBe(false);

    await blocked.block('removal', { until, hashes: [...hashes] });
    expect(await ports.isBlocked(sent)).toBe(true);
    expect(await ports.isBlocked(videoJob('bob', { state: 'delivering' }))).toBe(false);
  });

  it('a blocked photo is not recognised in a link, which is never opened', async () => {
    const { ports } = await opened();
    const link = { from: 'link', url: 'https://example.com/photo.jpg' } as const;

    expect(await ports.photo(link, job, signal, reserve)).toEqual({ image: { url: link.url }, hashes: [] });
  });
});

describe('the content of a photo', () => {
  const photo = { bytes: Buffer.from('photo'), type: 'image/jpeg' } as const;
  const link = { url: 'https://pictures.example/a.jpg' };
  const swapJob = { ...job, request: requestOf('face-swap-v6') };
  const checking = (isIntimate: () => Promise<boolean>) => {
    const counted: string[] = [];
    const contentCheck = { isIntimate, counted: (event: string) => void counted.push(event) };
    return { ports: open({ contentCheck }), counted };
  };

  it('the content of a photo over the threshold refuses the job, and is counted', async () => {
    const { ports, counted } = checking(async () => true);
    await expect(ports.checkPhoto(photo, job)).rejects.toMatchObject({ failure: { code: 'photo-content' } });
    expect(counted).toEqual(['photo-refused']);
  });

  it('the content of a photo lets the job pass only when it was looked at', async () => {
    await checking(async () => false).ports.checkPhoto(photo, job);
    const broken = checking(async () => {
      throw new Error('the face finder stopped');
    });
    await expect(broken.ports.checkPhoto(photo, job)).rejects.toThrow('stopped');
  });

  it('the content of a link is unknown: it can become a picture, whose result is looked at, and no video', async () => {
    const { ports } = checking(unused);
    await ports.checkPhoto(link, swapJob);
    await expect(ports.checkPhoto(link, job)).rejects.toMatchObject({ failure: { code: 'photo-unseen' } });
  });

  it('the content of a photo is not looked at where that is switched off', async () => {
    const ports = open({ contentCheck: undefined });

    await expect(ports.checkPhoto(photo, job)).resolves.toBeUndefined();
    await expect(ports.checkPhoto(link, job)).resolves.toBeUndefined();
  });
});

describe('a photo that the face check has fetched', () => {
  const photo = { from: 'web', ref: 'photo-1' } as const;
  const { signal } = new AbortController();
  const reserve = async (): Promise<void> => undefined;

  const opened = async () => {
    const bytes = await photoOf('#c08040', 2_000, 1_000);
    let fetches = 0;
    const fetch: Adapter['photo'] = async () => {
      fetches += 1;
      return bytes;
    };
    const checkedPhotos = createCheckedPhotos(clock);
    const keep = (clean?: Uint8Array): void => checkedPhotos.begin(job.caller, photo)({ bytes, clean });
    const ports = open({ checkedPhotos, adapter: { photo: fetch } });
    return { ports, keep, fetches: () => fetches };
  };

  it('a photo that the face check has fetched is not fetched again, and the service gets the same', async () => {
    const { ports, keep, fetches } = await opened();

    const { image, hashes } = await ports.photo(photo, job, signal, reserve);
    keep();

    expect(await ports.photo(photo, job, signal, reserve)).toMatchObject({ image, hashes });
    expect(fetches()).toBe(1);
  });

  it('a photo that the face check has fetched is cut where its person has chosen one of several people', async () => {
    const { ports, keep, fetches } = await opened();
    const part = { left: 0.5, top: 0, width: 0.5, height: 1 };

    const { image, hashes } = await ports.photo({ ...photo, part }, job, signal, reserve);
    keep(new Uint8Array([1, 2, 3]));

    expect(await ports.photo({ ...photo, part }, job, signal, reserve)).toMatchObject({ image, hashes });
    expect(fetches()).toBe(1);
  });

  it('a photo that the face check has cleaned is not cleaned again', async () => {
    const { ports, keep, fetches } = await opened();
    const clean = await photoOf('#204060', 800, 400);

    keep(clean);
    const { image } = await ports.photo(photo, job, signal, reserve);

    expect(image).toEqual({ bytes: clean, type: 'image/jpeg' });
    expect(fetches()).toBe(0);
  });

  it('a photo that the face check has fetched for one person is fetched again for another person’s job', async () => {
    const { ports, keep, fetches } = await opened();

    keep(new Uint8Array([1, 2, 3]));
    await ports.photo(photo, videoJob('bob', { state: 'delivering' }), signal, reserve);

    expect(fetches()).toBe(1);
  });
});
