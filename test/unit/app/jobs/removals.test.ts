import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Adapter, PhotoGone } from '../../../../src/adapters/adapter.ts';
import { createRemovals } from '../../../../src/app/jobs/removals.ts';
import { createRemovalsPort } from '../../../../src/app/jobs/removals-port.ts';
import { createUsePhoto } from '../../../../src/app/photos/use-photo.ts';
import { createPlatformRegistry } from '../../../../src/app/platforms/registry.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import type { Records } from '../../../../src/base/keyv/records.ts';
import type { Place } from '../../../../src/command/place.ts';
import { photosOf, withPhoto } from '../../../../src/command/request.ts';
import { createCommunityRules } from '../../../../src/community/rules/community-rules.ts';
import { createModerators } from '../../../../src/community/rules/moderators.ts';
import type { Job } from '../../../../src/orchestrator/job/job.ts';
import { createDecoder } from '../../../../src/picture/decoder.ts';
import { createBlockedPhotos } from '../../../../src/safety/blocked-photos/blocked-photos.ts';
import { createPictureHasher } from '../../../../src/safety/hash/picture-hasher.ts';
import { createRemovalRecords } from '../../../../src/safety/removal/removal-records.ts';
import { eventually } from '../../../eventually.ts';
import { idleAdapter } from '../../../fakes/adapter.ts';
import { MINUTE, openWorld, orderOf, world } from '../../../fakes/orchestrator-world.ts';
import { createRecords } from '../../../fakes/records.ts';
import { soleMember } from '../../../fakes/sole-member.ts';

const sample = (name: string): Promise<Buffer> =>
  readFile(new URL(`../../../../src/generation-service/samples/${name}.jpg`, import.meta.url));
const portrait = await sample('portrait');

const { place } = orderOf('ann');
const moderator = { platform: 'web', id: 'mo', name: 'Mo', locale: 'en' } as const;
const owner = { platform: 'web', id: 'olga', name: 'Olga', locale: 'en' } as const;
const elsewhere: Place = { ...place, community: 'web:elsewhere', channel: 'elsewhere' };

let deleted: string[];
let audited: string[];
let removeMessage: Adapter['removeMessage'];
let photo: Adapter['photo'];
let blockedStore: Records;
let removalStore: Records;

beforeEach(async () => {
  await openWorld();
  deleted = [];
  audited = [];
  removeMessage = async ({ ref }) => void deleted.push(ref);
  photo = async () => portrait;
  blockedStore = createRecords();
  removalStore = createRecords();
});

/** The part of the program that removes results, as one process has it. */
const opened = () => {
  const decoder = createDecoder({ clock: systemClock });
  onTestFinished(() => decoder.close());
  const adapter: Adapter = {
    ...idleAdapter,
    removeMessage: (card) => removeMessage(card),
    photo: (...given) => photo(...given),
    link: ({ ref }) => `https://chat.example/1/${ref.replaceAll(/\D/g, '')}`,
  };
  const { now } = world.clock;
  const platforms = createPlatformRegistry([adapter]);
  const hasher = createPictureHasher(decoder);
  const blockedPhotos = createBlockedPhotos(blockedStore, now);
  const records = createRemovalRecords(removalStore, now);
  const removals = createRemovals({
    records,
    orchestrator: world.orchestrator,
    platforms,
    usePhoto: createUsePhoto(platforms),
    hasher,
    blockedPhotos,
    members: soleMember,
    clock: { ...systemClock, now },
    log: { warn: () => undefined },
  });
  const moderators = createModerators(['web:olga'], async ({ id }) => id === moderator.id);
  const port = createRemovalsPort({
    orchestrator: world.orchestrator,
    jobSearch: world.store.jobSearch,
    platforms,
    rules: createCommunityRules(createRecords(), now),
    moderators,
    audit: {
      note: async (who, { community }, action) => void audited.push(`${who.id} ${action} ${community}`),
    },
    records,
    removals,
    clock: world.clock,
  });
  return {
    hasher,
    blockedPhotos,
    records,
    removals,
    as: (caller: typeof moderator | typeof owner, where: Place = place) => {
      const incoming = { event: 'event', caller, place: where };
      return port(incoming, moderators.of(incoming));
    },
  };
};

const isBlocked = async (
  { hasher, blockedPhotos }: ReturnType<typeof opened>,
  picture: Uint8Array,
): Promise<boolean> => blockedPhotos.has([await hasher.hashes(picture, 'ann')]);

const ended = async (): Promise<Job> => {
  const { id } = await world.submit('ann');
  await world.pass(MINUTE);
  return (await world.orchestrator.get(id)) ?? expect.fail('no job');
};

describe('removing a result', () => {
  it('deletes its messages and its job, and refuses its photo from then on', async () => {
    const job = await ended();
    const program = opened();
    expect(await isBlocked(program, portrait)).toBe(false);

    const outcome = await program.as(moderator).remove(job.id, 'she asked');

    expect(outcome).toEqual({ messages: 1, remaining: 0, photos: 1, blocked: 'all', isKnown: false });
    expect(deleted).toEqual([job.card?.ref]);
    expect(await world.orchestrator.get(job.id)).toBeUndefined();
    expect(await isBlocked(program, portrait)).toBe(true);
    expect(await isBlocked(program, await sample('group'))).toBe(false);
    expect(audited).toEqual([`mo moderator.remove ${place.community}`]);
  });

  it('finds it by a link to its message', async () => {
    const job = await ended();
    const number = job.card?.ref.replaceAll(/\D/g, '');

    const outcome = await opened().as(moderator).remove(`https://chat.example/1/${number}`, '');

    expect(outcome).toMatchObject({ remaining: 0, isKnown: false });
    expect(deleted).toEqual([job.card?.ref]);
  });

  it('keeps what tells whose it was only until it is done', async () => {
    const job = await ended();
    const program = opened();

    await program.as(moderator).remove(job.id, 'she asked');

    const removal = await program.records.find(job.id);
    expect(removal).toMatchObject({ by: { key: 'web:mo' }, reason: 'she asked', blocked: 'all' });
    expect(removal).not.toHaveProperty('open');
    expect(JSON.stringify(removal)).not.toContain('ann');
  });

  it('is done once, however often it is asked for', async () => {
    const job = await ended();
    const program = opened();
    await program.as(moderator).remove(job.id, 'she asked');

    const outcome = await program.as(moderator).remove(job.id, 'again');

    expect(outcome).toMatchObject({ isKnown: true, remaining: 0 });
    expect(deleted).toHaveLength(1);
    expect(audited).toHaveLength(1);
  });

  it('is for moderators of its community and for owners', async () => {
    const job = await ended();
    const program = opened();
    const somebody = { ...moderator, id: 'bob' } as unknown as typeof moderator;

    await expect(program.as(somebody).remove(job.id, '')).rejects.toThrow('not-moderator');
    await expect(program.as(moderator, elsewhere).remove(job.id, '')).rejects.toThrow('result-unknown');
    expect(deleted).toEqual([]);

    expect(await program.as(owner, elsewhere).remove(job.id, '')).toMatchObject({ remaining: 0 });
    expect(audited).toEqual([`olga moderator.remove ${place.community}`]);
    // A removal elsewhere is not told of either.
    await expect(program.as(moderator, elsewhere).remove(job.id, '')).rejects.toThrow('result-unknown');
  });

  it('is refused for what there is not, and for a job without a result', async () => {
    const program = opened();
    await expect(program.as(moderator).remove('none', '')).rejects.toThrow('result-unknown');
    await expect(program.as(moderator).remove('https://chat.example/1/9', '')).rejects.toThrow(
      'result-unknown',
    );

    const { id } = await world.submit('ann');
    await expect(program.as(moderator).remove(id, '')).rejects.toThrow('result-none');
  });

  it('says which messages could not be deleted, and tries again', async () => {
    const job = await ended();
    const program = opened();
    removeMessage = async () => Promise.reject(new Error('the platform is down'));

    expect(await program.as(moderator).remove(job.id, '')).toMatchObject({ remaining: 1, blocked: 'all' });

    removeMessage = async ({ ref }) => void deleted.push(ref);
    expect(await program.as(moderator).remove(job.id, '')).toMatchObject({ remaining: 0, isKnown: true });
    expect(deleted).toEqual([job.card?.ref]);
  });

  it('is finished by another process if its own dies at any moment', async () => {
    const job = await ended();
    const first = opened();
    removeMessage = () => new Promise(() => undefined);
    void first.as(moderator).remove(job.id, 'she asked');
    await eventually(async () => (await first.records.find(job.id))?.open, 'the removal to begin');

    await world.pass(10 * MINUTE);
    removeMessage = async ({ ref }) => void deleted.push(ref);
    const second = opened();
    const stop = second.removals.start();
    onTestFinished(stop);

    await eventually(
      async () => (await second.records.find(job.id))?.open === undefined,
      'the removal to end',
    );
    // The orchestrator takes a withdrawn card away by itself, too.
    expect(new Set(deleted)).toEqual(new Set([job.card?.ref]));
    expect(await isBlocked(second, portrait)).toBe(true);
  });
});

describe('the photos of a removed result', () => {
  it.each([
    [
      'none',
      'the platform no longer has it, and nothing is stored of it',
      () => Promise.reject(new PhotoGone('deleted')),
    ],
    ['none', 'it cannot be read', async () => Buffer.from('no picture')],
  ] as const)('are blocked: %s, where %s', async (blocked, _, fetch) => {
    const job = await ended();
    photo = fetch;

    expect(await opened().as(moderator).remove(job.id, '')).toMatchObject({ blocked });
  });

  it('are not blocked where they are results themselves, which are too alike', async () => {
    const { request } = orderOf('ann');
    const [first] = photosOf(request);
    if (first === undefined || !('ref' in first)) throw new Error('the order has no photo');
    const { id } = await world.submit('ann', { request: withPhoto(request, { ...first, isResult: true }) });
    await world.pass(MINUTE);
    const program = opened();

    expect(await program.as(moderator).remove(id, '')).toMatchObject({ blocked: 'none' });
    expect(await isBlocked(program, portrait)).toBe(false);
  });

  it('pass again when an owner takes the removal back', async () => {
    const job = await ended();
    const program = opened();
    await program.as(moderator).remove(job.id, '');

    expect(await program.removals.undo(job.id, 'web:olga')).toBe(true);

    expect(await isBlocked(program, portrait)).toBe(false);
    expect(await program.records.find(job.id)).toMatchObject({ undone: { by: 'web:olga' } });
    expect(await program.removals.undo('none', 'web:olga')).toBe(false);
  });
});
