import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Adapter, PhotoGone } from '../../../../src/adapters/adapter.ts';
import { createCompare, type FetchOutput } from '../../../../src/app/jobs/compare-result.ts';
import { createUsePhoto } from '../../../../src/app/photos/use-photo.ts';
import { createPlatformRegistry } from '../../../../src/app/platforms/registry.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { createFairBudget } from '../../../../src/base/limits/fair-budget.ts';
import { buttonName } from '../../../../src/command/button-names.ts';
import { personKey } from '../../../../src/command/place.ts';
import type { Reply } from '../../../../src/command/reply.ts';
import type { GenerateRequest } from '../../../../src/command/request.ts';
import { createDecoder } from '../../../../src/picture/decoder.ts';
import { wordsFor } from '../../../../src/words/words.ts';
import { resultOf } from '../../../e2e/stage/pictures.ts';
import { idleAdapter } from '../../../fakes/adapter.ts';
import { textOf } from '../../../fakes/call.ts';
import type { JobFields } from '../../../fakes/job.ts';
import { orderOf, swap } from '../../../fakes/orchestrator-world.ts';
import { sampleJob } from '../../../fakes/sample-job.ts';
import { createFacesInMemory } from '../../../fakes/saved-faces.ts';

const german = wordsFor('de');
const picture = await resultOf('#a03020', 90, 120);
const { caller, place } = orderOf('ann');
const prompt = { kind: 'self-prompt', prompt: 'a pirate' } as const;

const decoder = createDecoder({ clock: systemClock });
afterAll(() => decoder.close());

let now = 0;

const faces = createFacesInMemory({ now: () => now });

let fetchPhoto: Adapter['photo'];
let outputOf: FetchOutput;

beforeEach(() => {
  fetchPhoto = async (_ref, _most, _signal, reserve) => {
    expect(reserve, 'a budget for its bytes').toBeDefined();
    return picture;
  };
  outputOf = async () => ({ kind: 'image', bytes: picture });
});

const adapter = { ...idleAdapter, photo: (...given: Parameters<Adapter['photo']>) => fetchPhoto(...given) };
let draw: ReturnType<typeof createCompare>;

beforeAll(() => {
  const platforms = createPlatformRegistry([adapter]);
  const slots = createFairBudget({ total: 1, perPerson: 1 });
  draw = createCompare(
    { usePhoto: createUsePhoto(platforms), decoder, clock: systemClock, faces, hasMark: false },
    slots,
    (job) => outputOf(job),
  );
});

const compare = (changes: JobFields, from = place): Promise<Reply> =>
  draw(
    sampleJob({ caller, place, private: false, request: swap, state: 'done', ...changes, id: 'job-1' }),
    { event: 'event', caller, place: from },
    german,
  );

it('a comparison is a message of its own in the language of the presser, hidden like the photo', async () => {
  const hidden: GenerateRequest = { ...prompt, photo: { from: 'web', ref: 'p', spoiler: true } };

  const reply = await compare({ request: hidden });

  expect(reply).toMatchObject({
    kind: 'result',
    audience: 'everyone',
    view: {
      lines: [buttonName('compare', german), german.card.aiGenerated],
      media: { kind: 'image', spoiler: true, alt: expect.stringContaining('Vorher und nachher') },
    },
  });
});

it.each([
  { what: 'a private result', changes: { private: true }, from: place },
  { what: 'a result of another community', changes: {}, from: { ...place, community: 'web:elsewhere' } },
])('a comparison of $what is for the caller alone', async ({ changes, from }) => {
  expect(await compare(changes, from)).toMatchObject({ kind: 'result', audience: 'caller' });
});

it('a comparison is not made where the platform has lost the photo', async () => {
  fetchPhoto = () => Promise.reject(new PhotoGone('deleted'));

  expect(textOf(await compare({}))).toBe(german.compare.photoGone);
});

it.each<{ what: string; output: FetchOutput; said: string }>([
  {
    what: 'has no result any more',
    output: async () => undefined,
    said: german.press.noResult,
  },
  {
    what: 'is away',
    output: async () => 'away',
    said: german.communityErrors['service-unavailable'],
  },
  {
    what: 'gives what is no picture',
    output: async () => ({ kind: 'image', bytes: Buffer.from('no picture') }),
    said: german.press.noResult,
  },
])('a comparison is not made where the service $what', async ({ output, said }) => {
  outputOf = output;

  expect(textOf(await compare({}))).toBe(said);
});

it('a comparison is not made with a photo that is a link, and not of a job that failed', async () => {
  const linked: GenerateRequest = { ...prompt, photo: { from: 'link', url: 'https://example.com/a.jpg' } };

  expect(textOf(await compare({ request: linked }))).toBe(german.press.noResult);
  expect(textOf(await compare({ state: 'failed' }))).toBe(german.press.noResult);
});

it('a comparison is made with a saved face, unless its name belongs to another face since', async () => {
  const person = personKey(caller);
  const request: GenerateRequest = { ...prompt, photo: { from: 'face', name: 'me' } };

  now = 1_000;
  await faces.save(person, { name: 'me', jpeg: picture });
  fetchPhoto = async () => {
    throw new Error('not from a platform');
  };

  // The comparison shows a photo that nobody else there has seen.
  expect(await compare({ request, createdAt: 2_000 })).toMatchObject({ kind: 'result', audience: 'caller' });

  now = 3_000;
  await faces.save(person, { name: 'me', jpeg: picture });
  expect(textOf(await compare({ request, createdAt: 2_000 }))).toBe(german.compare.photoGone);

  await faces.delete(person, 'me');
  expect(textOf(await compare({ request, createdAt: 4_000 }))).toBe(german.compare.photoGone);
});

it('a comparison that is requested again while it is being made is made once', async () => {
  const photo = Promise.withResolvers<Buffer>();
  let fetched = 0;

  fetchPhoto = () => {
    fetched += 1;
    return photo.promise;
  };
  const first = compare({});

  expect(textOf(await compare({}))).toBe(german.compare.busy);

  photo.resolve(picture);
  expect((await first).kind).toBe('result');
  expect(fetched).toBe(1);
  expect((await compare({})).kind).toBe('result');
});
