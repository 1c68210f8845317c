import sharp from 'sharp';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Adapter, PhotoGone } from '../../../../src/adapters/adapter.ts';
import { createDeleteMessages } from '../../../../src/app/jobs/delete-messages.ts';
import { createFindResult } from '../../../../src/app/jobs/find-result.ts';
import { createRemovals } from '../../../../src/app/jobs/removals.ts';
import { createRemovalsPort } from '../../../../src/app/jobs/removals-port.ts';
import { createShownResults } from '../../../../src/app/jobs/shown-results.ts';
import { createTakeBack } from '../../../../src/app/jobs/take-back.ts';
import { createUsePhoto } from '../../../../src/app/photos/use-photo.ts';
import { createPlatformRegistry } from '../../../../src/app/platforms/registry.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { defined } from '../../../../src/base/defined.ts';
import type { Records } from '../../../../src/base/keyv/records.ts';
import { type Caller, type CardRef, type Place, personKey } from '../../../../src/command/place.ts';
import type { ResultReply } from '../../../../src/command/reply.ts';
import { photosOf, withPhoto } from '../../../../src/command/request.ts';
import type { SavedFaces } from '../../../../src/community/faces/saved-faces.ts';
import { createCommunityRules } from '../../../../src/community/rules/community-rules.ts';
import { createModerators } from '../../../../src/community/rules/moderators.ts';
import type { Job } from '../../../../src/orchestrator/job/job.ts';
import { createDecoder } from '../../../../src/picture/decoder.ts';
import { createBlockedPhotos } from '../../../../src/safety/blocked-photos/blocked-photos.ts';
import { textOfHash } from '../../../../src/safety/hash/perceptual-hash.ts';
import { createPictureHasher } from '../../../../src/safety/hash/picture-hasher.ts';
import { createMessageDeletions } from '../../../../src/safety/removal/message-deletions.ts';
import { createRemovalRecords } from '../../../../src/safety/removal/removal-records.ts';
import { createResultMessages } from '../../../../src/safety/removal/result-messages.ts';
import { wordsFor } from '../../../../src/words/words.ts';
import { eventually } from '../../../eventually.ts';
import { idleAdapter } from '../../../fakes/adapter.ts';
import { MINUTE, openWorld, orderOf, world } from '../../../fakes/orchestrator-world.ts';
import { createRecords } from '../../../fakes/records.ts';
import { samplePhoto } from '../../../fakes/sample-photo.ts';
import { createFacesInMemory } from '../../../fakes/saved-faces.ts';
import { soleMember } from '../../../fakes/sole-member.ts';

const portrait = await samplePhoto('portrait');

const { place } = orderOf('ann');
const moderator: Caller = { platform: 'web', id: 'mo', name: 'Mo', locale: 'en' };
const owner: Caller = { platform: 'web', id: 'olga', name: 'Olga', locale: 'en' };
const elsewhere: Place = { ...place, community: 'web:elsewhere', channel: 'elsewhere' };

let deleted: string[];
let audited: string[];
/** The reasons in the audit lines. */
let reasons: unknown[];
let removeMessage: Adapter['removeMessage'];
let photo: Adapter['photo'];
let readLink: NonNullable<Adapter['readLink']>;
let faces: SavedFaces;
let blockedStore: Records;
let removalStore: Records;
let openStore: Records;
let countStore: Records;
let messageStore: Records;
let deletionStore: Records;

beforeEach(async () => {
  await openWorld();
  deleted = [];
  audited = [];
  reasons = [];
  removeMessage = async ({ ref }) => gone(ref);
  photo = async () => portrait;
  readLink = async () => undefined;
  faces = createFacesInMemory(world.clock);
  blockedStore = createRecords();
  removalStore = createRecords();
  openStore = createRecords();
  countStore = createRecords();
  messageStore = createRecords();
  deletionStore = createRecords();
});

const gone = (ref: string): 'gone' => {
  deleted.push(ref);
  return 'gone';
};

/** All tests share one decoder, because the start of its child process takes longer than most of them. */
const decoder = createDecoder({ clock: systemClock });
afterAll(() => decoder.close());

/** The number of a message in links to it. It begins with a digit of its own, because a random reference may have none. */
const numberOf = (ref = ''): string => `1${ref.replaceAll(/\D/g, '')}`;

/** The part of the program that removes results, as one process has it. */
const opened = () => {
  const adapter: Adapter = {
    ...idleAdapter,
    removeMessage: (card) => removeMessage(card),
    photo: (...given) => photo(...given),
    link: ({ ref }) => `https://chat.example/1/${numberOf(ref)}`,
    readLink: async (copied) => readLink(copied),
  };
  const { now } = world.clock;
  const platforms = createPlatformRegistry([adapter]);
  const hasher = createPictureHasher(decoder);
  const blockedPhotos = createBlockedPhotos(blockedStore, now);
  const clock = { ...systemClock, now };
  const log = { warn: () => undefined };
  const records = createRemovalRecords({ removals: removalStore, open: openStore, counts: countStore }, now);
  const resultMessages = createResultMessages(messageStore);
  const deleteMessages = createDeleteMessages({ platforms, clock, log });
  const takeBack = createTakeBack({
    resultMessages,
    deletions: createMessageDeletions(deletionStore, now),
    deleteMessages,
    clock,
    log,
  });
  const rules = createCommunityRules(createRecords(), now);
  const { orchestrator } = world;
  const removals = createRemovals({
    records,
    resultMessages,
    orchestrator,
    deleteMessages,
    takeBack,
    rules,
    audit: {
      async note(who, { community }, action, detail) {
        audited.push(`${who.id} ${action} ${community}`);
        reasons.push(detail?.reason);
      },
    },
    usePhoto: createUsePhoto(platforms),
    faces,
    hasher,
    blockedPhotos,
    members: soleMember,
    clock,
    log,
  });
  const moderators = createModerators(['web:olga'], async ({ id }) => id === moderator.id);
  const { jobSearch } = world.store;
  const findResult = createFindResult({ orchestrator, jobSearch, platforms, resultMessages });
  const port = createRemovalsPort({ findResult, platforms, rules, moderators, removals });
  const shownResults = createShownResults({ resultMessages, orchestrator, platforms, removals, takeBack });
  return {
    hasher,
    blockedPhotos,
    records,
    removals,
    shownResults,
    takeBack,
    as: (caller: Caller, where: Place = place, pressed?: CardRef) => {
      const incoming = { event: 'event', caller, place: where, ...defined({ pressed }) };
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
  it('removing a result deletes its messages and its job, and its photo is refused from then on', async () => {
    const job = await ended();
    const program = opened();
    expect(await isBlocked(program, portrait)).toBe(false);

    const outcome = await program.as(moderator).remove(job.id, 'she asked');

    expect(outcome).toEqual({
      messages: 1,
      remaining: 0,
      blanked: 0,
      unreachable: 0,
      unknown: 0,
      photos: 1,
      blocked: 'all',
      isKnown: false,
    });
    expect(deleted).toEqual([job.card?.ref]);
    expect(await world.orchestrator.get(job.id)).toBeUndefined();
    expect(await isBlocked(program, portrait)).toBe(true);
    expect(await isBlocked(program, await samplePhoto('group'))).toBe(false);
    expect(audited).toEqual([`mo moderator.remove ${place.community}`]);
  });

  it('a result to be removed is found by a link to its message', async () => {
    const job = await ended();
    const number = numberOf(job.card?.ref);

    const outcome = await opened().as(moderator).remove(`https://chat.example/1/${number}`, '');

    expect(outcome).toMatchObject({ remaining: 0, isKnown: false });
    expect(deleted).toEqual([job.card?.ref]);
  });

  it('the fingerprints of a result and of its photos are stored with its job, and go with it', async () => {
    const resultHashes = { file: 'file of the result', picture: 'what it looks like' };
    world.script.photoHashes = ['what the photo looks like'];
    world.script.draw = (_job, _importance, output) =>
      output === undefined ? { state: 'drawn' } : { state: 'drawn', hashes: resultHashes };

    const job = await ended();
    expect(job).toMatchObject({ resultHashes, photoHashes: ['what the photo looks like'] });

    await world.orchestrator.remove(job.id);
    expect(await world.orchestrator.get(job.id)).toBeUndefined();
  });

  it('a removal that somebody outside the chat has asked for gives no reason in the trail of the community', async () => {
    const job = await ended();
    const program = opened();

    await program.removals.remove(job.id, 'request 1', { caller: owner, isOwner: true, isRequested: true });

    expect(reasons).toEqual([undefined]);
    expect(await program.records.find(job.id)).toMatchObject({ reason: 'request 1' });
  });

  it('a removal keeps what tells whose the result was only until it is done', async () => {
    const job = await ended();
    const program = opened();

    await program.as(moderator).remove(job.id, 'she asked');

    const removal = await program.records.find(job.id);
    expect(removal).toMatchObject({ by: { key: 'web:mo' }, reason: 'she asked', blocked: 'all' });
    expect(removal).not.toHaveProperty('open');
    expect(JSON.stringify(removal)).not.toContain('ann');
  });

  it('a removal is done once, however often it is asked for', async () => {
    const job = await ended();
    const program = opened();
    await program.as(moderator).remove(job.id, 'she asked');

    const outcome = await program.as(moderator).remove(job.id, 'again');

    expect(outcome).toMatchObject({ isKnown: true, remaining: 0 });
    expect(deleted).toHaveLength(1);
    expect(audited).toHaveLength(1);
  });

  it('a result is removed by moderators of its community and by owners, and by nobody else', async () => {
    const job = await ended();
    const program = opened();
    const somebody: Caller = { ...moderator, id: 'bob' };

    await expect(program.as(somebody).remove(job.id, '')).rejects.toThrow('not-moderator');
    await expect(program.as(moderator, elsewhere).remove(job.id, '')).rejects.toThrow('result-unknown');
    expect(deleted).toEqual([]);

    expect(await program.as(owner, elsewhere).remove(job.id, '')).toMatchObject({ remaining: 0 });
    expect(audited).toEqual([`olga moderator.remove ${place.community}`]);
    // A removal elsewhere is not told of either.
    await expect(program.as(moderator, elsewhere).remove(job.id, '')).rejects.toThrow('result-unknown');
  });

  it('moderators of a community remove at most 200 results a day, and owners as many as they want', async () => {
    const first = await ended();
    const second = await ended();
    const program = opened();
    for (let count = 0; count < 199; count += 1) await program.records.admit(place.community);
    await program.as(moderator).remove(first.id, '');
    // What was removed before is not counted again.
    expect(await program.as(moderator).remove(first.id, '')).toMatchObject({ isKnown: true });

    await expect(program.as(moderator).remove(second.id, '')).rejects.toThrow('removals-limit');
    expect(deleted).toEqual([first.card?.ref]);

    expect(await program.as(owner).remove(second.id, '')).toMatchObject({ remaining: 0 });
    expect(audited).toHaveLength(2);
  });

  it('a removal is refused for what there is not, and for a job without a result', async () => {
    const program = opened();
    await expect(program.as(moderator).remove('none', '')).rejects.toThrow('result-unknown');
    await expect(program.as(moderator).remove('https://chat.example/1/9', '')).rejects.toThrow(
      'result-unknown',
    );

    const { id } = await world.submit('ann');
    const job = (await world.orchestrator.get(id)) ?? expect.fail('no job');
    await world.orchestrator.cancel(job);
    await expect(program.as(moderator).remove(id, '')).rejects.toThrow('result-none');
  });

  it('a removal says which messages could not be deleted, and tries again', async () => {
    const job = await ended();
    const program = opened();
    removeMessage = async () => Promise.reject(new Error('the platform is down'));

    expect(await program.as(moderator).remove(job.id, '')).toMatchObject({ remaining: 1, blocked: 'all' });

    removeMessage = async ({ ref }) => gone(ref);
    expect(await program.as(moderator).remove(job.id, '')).toMatchObject({ remaining: 0, isKnown: true });
    expect(deleted).toEqual([job.card?.ref]);
  });

  it('a removal is finished by another process if its own dies at any moment', async () => {
    const job = await ended();
    const first = opened();
    removeMessage = () => new Promise(() => undefined);
    void first.as(moderator).remove(job.id, 'she asked');
    await eventually(async () => (await first.records.find(job.id))?.open, 'the removal to begin');

    await world.pass(10 * MINUTE);
    removeMessage = async ({ ref }) => gone(ref);
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

/** The reply that shows a result again, such as a comparison. */
const shownAgain = ({ id }: Job): ResultReply => ({
  kind: 'result',
  job: id,
  audience: 'everyone',
  view: { tone: 'done', lines: [] },
  asked: { event: 'press', place },
});
const copy = { platform: 'web', ref: 'copy-77' } as const;
const words = wordsFor('en');

describe('a message with the result beside its card', () => {
  it('a message with the result beside its card is deleted with it, and finds it by its link', async () => {
    const job = await ended();
    const program = opened();
    await program.shownResults.resultShows(shownAgain(job), words);
    await program.shownResults.resultShown(shownAgain(job), copy);

    const outcome = await program
      .as(moderator)
      .remove(`https://chat.example/1/${numberOf(copy.ref)}`, 'she asked');

    expect(outcome).toMatchObject({ messages: 2, remaining: 0, unknown: 0 });
    expect(new Set(deleted)).toEqual(new Set([job.card?.ref, copy.ref]));
    expect(await messageStore.get(job.id)).toBeUndefined();
  });

  it('an owner removes a result of another community by the public name of its chat, which the platform knows, and not without that', async () => {
    const job = await ended();
    const number = numberOf(job.card?.ref);
    const copied = `https://chat.example/public_name/${number}`;
    const asOwner = opened().as(owner, elsewhere);
    await expect(asOwner.remove(copied, '')).rejects.toThrow('result-unknown');

    readLink = async (link) => (link === copied ? `https://chat.example/1/${number}` : undefined);
    expect(await asOwner.remove(copied, '')).toMatchObject({ remaining: 0 });

    expect(deleted).toEqual([job.card?.ref]);
  });

  it('a public name that means another chat leads to no result of the community, even if a message there has that number', async () => {
    const job = await ended();
    const number = numberOf(job.card?.ref);
    readLink = async () => `https://chat.example/2/${number}`;

    const removed = opened().as(moderator).remove(`https://chat.example/other_chat/${number}`, '');

    await expect(removed).rejects.toThrow('result-unknown');
    expect(deleted).toEqual([]);
  });

  it('a message with the result beside its card is not found in another community by a link that does not name its chat', async () => {
    const job = await ended();
    const program = opened();
    await program.shownResults.resultShows(shownAgain(job), words);
    await program.shownResults.resultShown(shownAgain(job), copy);

    const link = `https://t.me/darkroom_fans/${numberOf(copy.ref)}`;
    await expect(program.as(owner, elsewhere).remove(link, '')).rejects.toThrow('result-unknown');

    await program.as(owner).remove(link, '');
    expect(deleted).toContain(copy.ref);
  });

  it('a message with the result beside its card is deleted, too, if the result was removed while it was sent', async () => {
    const job = await ended();
    const program = opened();
    expect(await program.shownResults.resultShows(shownAgain(job), words)).toEqual(shownAgain(job));

    const outcome = await program.as(moderator).remove(job.id, '');
    await program.shownResults.resultShown(shownAgain(job), copy);

    // When the removal was counted, nobody knew yet where this message would be.
    expect(outcome).toMatchObject({ messages: 1, unknown: 1 });
    expect(deleted).toContain(copy.ref);
    expect(await program.records.find(job.id)).toMatchObject({ messages: 2, remaining: 0 });
    expect(await program.shownResults.resultShows(shownAgain(job), words)).toMatchObject({ kind: 'note' });
  });

  it('a message with the result beside its card is told of as unknown if the bot was killed while it was sent', async () => {
    const job = await ended();
    await opened().shownResults.resultShows(shownAgain(job), words);

    expect(await opened().as(moderator).remove(job.id, '')).toMatchObject({ unknown: 1 });
  });

  it('a message with the result beside its card is not sent where there are a hundred', async () => {
    const job = await ended();
    const program = opened();
    for (let number = 0; number < 100; number += 1) {
      const reply = { ...shownAgain(job), asked: { event: `press-${number}`, place } };
      expect(await program.shownResults.resultShows(reply, words)).toMatchObject({ kind: 'result' });
      await program.shownResults.resultShown(reply, { platform: 'web', ref: `copy-${number}` });
    }

    const refused = await program.shownResults.resultShows(shownAgain(job), words);
    expect(refused).toEqual({ kind: 'note', text: words.press.shownOften });
    expect(await program.as(moderator).remove(job.id, '')).toMatchObject({ messages: 101, remaining: 0 });
  });

  it('a message with the result beside its card is deleted by another process if its own dies between a decision and that', async () => {
    const job = await ended();
    const program = opened();
    await program.shownResults.resultShown(shownAgain(job), copy);
    expect(await program.takeBack.begin(job.id)).toEqual([copy]);

    await world.pass(10 * MINUTE);
    onTestFinished(opened().removals.start());

    await eventually(() => deleted.includes(copy.ref), 'the message to be deleted');
    await eventually(async () => (await deletionStore.get(job.id)) === undefined, 'nothing to be left');
    expect(await messageStore.get(job.id)).toBeUndefined();
    expect(await world.stateOf(job)).toBe('done');
  });

  it('a message with the result beside its card that cannot be deleted is told of by the reason', async () => {
    const job = await ended();
    const program = opened();
    await program.shownResults.resultShown(shownAgain(job), copy);
    removeMessage = async ({ ref }) => (ref === copy.ref ? 'blanked' : 'unreachable');

    expect(await program.as(moderator).remove(job.id, '')).toMatchObject({
      messages: 2,
      remaining: 0,
      blanked: 1,
      unreachable: 1,
    });
  });

  it('a message with the result beside its card that the bot does not know is deleted if a moderator points at it', async () => {
    const job = await ended();
    const program = opened();
    await program.as(moderator).remove(job.id, '');

    await program.as(moderator, place, copy).remove(job.id, '');

    expect(deleted).toEqual([job.card?.ref, copy.ref]);
    expect(await program.records.find(job.id)).toMatchObject({ remaining: 0 });
  });
});

describe('a job in any state', () => {
  const stored = async (id: string): Promise<Job> =>
    (await world.orchestrator.get(id)) ?? expect.fail('no job');

  const waiting = async (): Promise<Job> => stored((await world.submit('ann')).id);

  const running = async (): Promise<Job> => {
    world.script.durationMs = () => 10 * MINUTE;
    return ended();
  };

  /** A job whose result the platform does not take yet. */
  const delivering = async (): Promise<Job> => {
    world.script.draw = (_job, _importance, output) =>
      output === undefined ? { state: 'drawn' } : { state: 'later', afterMs: 60 * MINUTE };
    return ended();
  };

  const held = async (): Promise<Job> => {
    world.script.isHeld = async () => true;
    return ended();
  };

  it.each([
    { state: 'waiting', begin: waiting },
    { state: 'running', begin: running },
    { state: 'delivering', begin: delivering },
    { state: 'held', begin: held },
  ])('a job is removed while it is $state', async ({ state, begin }) => {
    const job = await begin();
    expect(job.state).toBe(state);

    const outcome = await opened().as(moderator).remove(job.id, 'she asked');

    expect(outcome).toMatchObject({ remaining: 0, unknown: 0, isKnown: false });
    expect(deleted).toContain(job.card?.ref);
    expect(await world.orchestrator.get(job.id)).toBeUndefined();
  });

  it('a job is removed while its result is shared, and of the message that is being sent it is told that it may be there', async () => {
    const { id } = await world.submit('ann', { private: true });
    await world.pass(MINUTE);
    expect(await world.orchestrator.beginSharing(id)).toBe(true);
    const job = await stored(id);

    const outcome = await opened().as(moderator).remove(id, 'she asked');

    expect(outcome).toMatchObject({ remaining: 0, unknown: 1, isKnown: false });
    expect(deleted).toContain(job.card?.ref);
    expect(await world.orchestrator.get(id)).toBeUndefined();
    expect(await world.orchestrator.endSharing(id, { platform: 'web', ref: 'shared' })).toBe(false);
  });
});

describe('the photos of a removed result', () => {
  it.each([
    {
      what: 'the platform no longer has it, and nothing is stored of it',
      fetch: () => Promise.reject(new PhotoGone('deleted')),
    },
    { what: 'it cannot be read', fetch: async () => Buffer.from('no picture') },
  ] as const)('the photo of a removed result is not blocked where $what', async ({ fetch }) => {
    const job = await ended();
    photo = fetch;

    expect(await opened().as(moderator).remove(job.id, '')).toMatchObject({ blocked: 'none' });
  });

  it('the photos of a removed result are not blocked where they are results themselves, which are too alike', async () => {
    const { request } = orderOf('ann');
    const [first] = photosOf(request);
    if (first === undefined || !('ref' in first)) throw new Error('the order has no photo');
    const { id } = await world.submit('ann', { request: withPhoto(request, { ...first, isResult: true }) });
    await world.pass(MINUTE);
    const program = opened();

    expect(await program.as(moderator).remove(id, '')).toMatchObject({ blocked: 'none' });
    expect(await isBlocked(program, portrait)).toBe(false);
  });

  /** A job of ann with the face that she saved as `me`, and a copy of that photo that has lost its left edge. */
  const endedWithFace = async () => {
    const { request, caller } = orderOf('ann');
    const person = personKey(caller);
    await faces.save(person, { name: 'me', jpeg: portrait });
    const { id } = await world.submit('ann', { request: withPhoto(request, { from: 'face', name: 'me' }) });
    await world.pass(MINUTE);
    const { width, height } = await sharp(portrait).metadata();
    const left = Math.round(width * 0.06);
    const cropped = await sharp(portrait)
      .extract({ left, top: 0, width: width - left, height })
      .jpeg()
      .toBuffer();
    return { id, person, cropped };
  };

  it('a saved face that was used for a removed result is refused, cropped too, as long as it is saved', async () => {
    const { id, cropped } = await endedWithFace();
    const program = opened();

    expect(await program.as(moderator).remove(id, '')).toMatchObject({ blocked: 'all' });

    expect(await isBlocked(program, portrait)).toBe(true);
    expect(await isBlocked(program, cropped)).toBe(true);
    expect(JSON.stringify(await program.records.find(id))).not.toContain('ann');
  });

  it('a removal does not count as a use of a saved face, which is kept no longer for it', async () => {
    const { id, person } = await endedWithFace();
    const before = await faces.list(person);
    await world.pass(2 * 24 * 60 * MINUTE);

    expect(await opened().as(moderator).remove(id, '')).toMatchObject({ blocked: 'all' });

    expect(await faces.list(person)).toEqual(before);
  });

  it('another face that was saved under that name since is not taken for the one that was used', async () => {
    const { id, person } = await endedWithFace();
    const group = await samplePhoto('group');
    await faces.save(person, { name: 'me', jpeg: group });
    const program = opened();

    expect(await program.as(moderator).remove(id, '')).toMatchObject({ blocked: 'none' });

    expect(await isBlocked(program, group)).toBe(false);
  });

  it('the photo of a removed result is refused by the fingerprint that its job has, where the platform no longer has it', async () => {
    const program = opened();
    const { hash } = await program.hasher.hashes(portrait, 'ann');
    world.script.photoHashes = [textOfHash(hash)];
    const job = await ended();
    expect(job.photoHashes).toEqual([textOfHash(hash)]);
    photo = () => Promise.reject(new PhotoGone('deleted'));

    expect(await program.as(moderator).remove(job.id, '')).toMatchObject({ blocked: 'all' });

    expect(await isBlocked(program, await sharp(portrait).flop().resize(640).jpeg().toBuffer())).toBe(true);
    expect(await isBlocked(program, await samplePhoto('group'))).toBe(false);
  });

  it('the photos of a removed result pass again when an owner takes the removal back', async () => {
    const job = await ended();
    const program = opened();
    await program.as(moderator).remove(job.id, '');

    expect(await program.removals.undo(job.id, 'web:olga')).toBe(true);

    expect(await isBlocked(program, portrait)).toBe(false);
    expect(await program.records.find(job.id)).toMatchObject({ undone: { by: 'web:olga' } });
    expect(await program.removals.undo('none', 'web:olga')).toBe(false);
  });
});
