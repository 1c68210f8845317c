import { PhotoGone } from '../../adapters/adapter.ts';
import type { Area } from '../../base/area.ts';
import { type Clock, MINUTE_MS, sleep, waitAtMost, withTimeout } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { Members } from '../../base/members/members.ts';
import { UserError } from '../../command/errors.ts';
import type { SentPhoto } from '../../command/photo.ts';
import { type Caller, type CardRef, personKey } from '../../command/place.ts';
import { photosOf } from '../../command/request.ts';
import type { SavedFaces } from '../../community/faces/saved-faces.ts';
import type { Audit } from '../../community/rules/audit.ts';
import type { CommunityRules } from '../../community/rules/community-rules.ts';
import type { Log } from '../../log/log.ts';
import { hasEnded, type Job, messagesOf } from '../../orchestrator/job/job.ts';
import type { Orchestrator } from '../../orchestrator/orchestrator.ts';
import { PictureRefused } from '../../picture/structure.ts';
import type { BlockedPhotos } from '../../safety/blocked-photos/blocked-photos.ts';
import { textOfHash } from '../../safety/hash/perceptual-hash.ts';
import type { PictureHasher } from '../../safety/hash/picture-hasher.ts';
import {
  isOpenRemoval,
  type OpenRemoval,
  REMOVAL_LIFE_MS,
  type Removal,
  type RemovalRecords,
  type WhichPhotosBlocked,
} from '../../safety/removal/removal-records.ts';
import type { ResultMessages } from '../../safety/removal/result-messages.ts';
import type { UsePhoto } from '../photos/use-photo.ts';
import type { DeleteMessages } from './delete-messages.ts';
import type { TakeBack } from './take-back.ts';

export type Removals = ReturnType<typeof createRemovals>;

/** Who removes a result. An owner's removal is not counted to the community's part of the block list. */
export interface RemovedBy {
  readonly caller: Caller;
  readonly isOwner: boolean;
  /** Somebody outside the chat has asked for it. The community's audit trail gives no reason, so that nobody there learns that somebody did. */
  readonly isRequested?: true;
}

const PASS_EVERY_MS = 5 * MINUTE_MS;
/** Until then the process that began a removal carries it out. */
const LEASE_MS = 5 * MINUTE_MS;
/** For about a day. */
const MOST_TRIES = 50;
const LONGEST_PAUSE_MS = 30 * MINUTE_MS;
/** The photo of one that cannot be fetched so often is blocked by its stored hash alone. */
const MOST_FETCHES = 3;
const FETCH_MS = 60_000;
const LONGEST_STOP_MS = 2_000;
/** Takes its turns at the decoder and in memory like one person. */
const TURN = 'removals';

/** The photo will never be there again, or cannot be read: trying again does not help. */
const isFinal = (error: unknown): boolean =>
  error instanceof PhotoGone || error instanceof UserError || error instanceof PictureRefused;

/** A held result that a moderator took away before anybody saw it can be removed as well: its photos are blocked then. */
const wasHeld = (job: Job): boolean => job.state === 'failed' && job.failure.code.startsWith('content-');

/** Whether the job has a result, or will have one. */
const canRemove = (job: Job): boolean => !hasEnded(job) || job.state === 'done' || wasHeld(job);

const isSame = (one: CardRef, other: CardRef): boolean =>
  one.platform === other.platform && one.ref === other.ref;

/**
 * Carries removals out: blocks the photos, deletes the messages, then the job. Each step can be repeated, and the record says what is left,
 * so that any process goes on with a removal whose process has died.
 */
export function createRemovals(parts: {
  readonly records: RemovalRecords;
  readonly resultMessages: Pick<ResultMessages, 'of' | 'forget'>;
  readonly orchestrator: Pick<Orchestrator, 'get' | 'withdraw' | 'remove'>;
  readonly deleteMessages: DeleteMessages;
  readonly takeBack: Pick<TakeBack, 'goOn'>;
  readonly rules: Pick<CommunityRules, 'present'>;
  readonly audit: Pick<Audit, 'note'>;
  readonly usePhoto: UsePhoto;
  /** Undefined: no faces can be saved. */
  readonly faces: Pick<SavedFaces, 'peek'> | undefined;
  readonly hasher: PictureHasher;
  readonly blockedPhotos: Pick<BlockedPhotos, 'block' | 'unblock'>;
  readonly members: Pick<Members, 'hold'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}) {
  const { records, resultMessages, orchestrator, rules, audit, usePhoto, hasher, blockedPhotos, clock, log } =
    parts;
  const stopping = new AbortController();

  /** The hashes of a photo, of its part and of cropped copies; none: it is flat. */
  const hashesOf = async (
    bytes: Uint8Array,
    signal: AbortSignal,
    area?: Area,
  ): Promise<readonly string[]> => {
    const whole = await hasher.hashes(bytes, TURN, signal);
    const part = area && (await hasher.hashes(bytes, TURN, signal, area));
    const ofCrops = whole.isFlat ? [] : await hasher.cropHashes(bytes, TURN, signal);
    const ofPart = part === undefined || part.isFlat ? [] : [part.hash];
    const within = whole.within === undefined ? [] : [whole.within.hash];
    return [...(whole.isFlat ? [] : [whole.hash]), ...within, ...ofPart, ...ofCrops].map(textOfHash);
  };
  const hashesOfSent = (photo: SentPhoto, signal: AbortSignal): Promise<readonly string[]> =>
    usePhoto(photo, TURN, signal, (bytes) => hashesOf(bytes, signal, photo.part));
  /** The hashes of the face that the person of the job had saved under this name when they asked for the job. */
  const hashesOfFace = async (
    name: string,
    { savedFaces: saved }: OpenRemoval['open'],
    signal: AbortSignal,
  ): Promise<readonly string[]> => {
    const bytes = saved && (await parts.faces?.peek(saved.owner, name, saved.before));
    if (bytes === undefined) throw new PhotoGone('the face was deleted or replaced');
    return hashesOf(bytes, signal);
  };

  /** Undefined: a photo could not be fetched now; what is stored of it is blocked meanwhile. */
  const block = async (removal: OpenRemoval): Promise<WhichPhotosBlocked | undefined> => {
    const { job, community, until, by, open } = removal;
    const hashes = new Set(open.hashes);
    let isWaiting = false;
    let unknown = 0;
    for (const photo of open.photos) {
      if (photo.from === 'link' || (photo.from !== 'face' && photo.isResult)) {
        unknown += 1;
        continue;
      }
      try {
        const found = await withTimeout(clock, FETCH_MS, (signal) =>
          photo.from === 'face' ? hashesOfFace(photo.name, open, signal) : hashesOfSent(photo, signal),
        );
        for (const hash of found) hashes.add(hash);
        if (found.length === 0) unknown += 1;
      } catch (error) {
        if (!isFinal(error) && open.tries + 1 < MOST_FETCHES) isWaiting = true;
        else if (open.hashes.length === 0) unknown += 1;
      }
    }
    if (hashes.size === 0) return isWaiting ? undefined : 'none';
    const owner = by.isOwner ? {} : { community };
    const outcome = await blockedPhotos.block(job, { ...owner, until, hashes: [...hashes] });
    if (isWaiting) return undefined;
    if (outcome === 'full') return 'full';
    return unknown === 0 ? 'all' : 'some';
  };

  /** Adds messages to an open removal, each once. Returns the removal as it is then. */
  const withMessages = (removal: OpenRemoval, cards: readonly CardRef[]): OpenRemoval => {
    const { open } = removal;
    const added = cards.filter((card) => !open.messages.some((each) => isSame(each, card)));
    const messages = removal.messages + added.length;
    return { ...removal, messages, open: { ...open, messages: [...open.messages, ...added] } };
  };

  /** From now on nothing new is shown, so these are all messages that there will be; they are stored before the first one is deleted. */
  const gathered = async (removal: OpenRemoval): Promise<OpenRemoval> => {
    const { job } = removal;
    const found = await orchestrator.withdraw(job);
    const { messages, unknown: unnoted } = await resultMessages.of(job);
    // The result was being shared when a process ended: there may be a message, and nobody knows where.
    const isSharing = found?.job.shared !== undefined && found.job.shared.card === undefined;
    const unknown = unnoted + (isSharing ? 1 : 0);
    const cards = [
      ...(found === undefined ? [] : messagesOf(found.job)),
      ...messages.map(({ card }) => card),
    ];
    if (cards.length === 0 && unknown === 0) return removal;
    const stored = await records.change(job, (before) =>
      isOpenRemoval(before) ? { ...withMessages(before, cards), ...(unknown > 0 && { unknown }) } : undefined,
    );
    return stored !== undefined && isOpenRemoval(stored) ? stored : removal;
  };

  /** Does what is left of a removal, and returns it as it is then. */
  const carryOut = async (begun: OpenRemoval): Promise<Removal> => {
    const removal = await gathered(begun);
    const { job, open } = removal;
    const blocked = removal.blocked ?? (await block(removal));
    const { left, blanked, unreachable } = await parts.deleteMessages(open.messages);
    await orchestrator.remove(job);
    await resultMessages.forget(job);
    const tries = open.tries + 1;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, tries * MINUTE_MS);
    const changed = await records.change(job, ({ open: latest, ...rest }) => {
      if (latest === undefined) return undefined;
      const isAmong = (cards: readonly CardRef[]) => (card: CardRef) =>
        cards.some((each) => isSame(each, card));
      const done = latest.messages.filter(isAmong(open.messages)).filter((card) => !isAmong(left)(card));
      const messages = latest.messages.filter((card) => !isAmong(done)(card));
      const isDone = blocked !== undefined && (messages.length === 0 || tries >= MOST_TRIES);
      return {
        ...rest,
        remaining: messages.length,
        ...defined({ blocked }),
        // What another process has counted before is among these no more.
        blanked: (rest.blanked ?? 0) + done.filter(isAmong(blanked)).length,
        unreachable: (rest.unreachable ?? 0) + done.filter(isAmong(unreachable)).length,
        ...(isDone ? {} : { open: { ...latest, messages, tries, due: clock.now() + pauseMs } }),
      };
    });
    return changed ?? removal;
  };

  const newRemoval = async (
    job: Job,
    reason: string,
    { caller, isOwner }: RemovedBy,
  ): Promise<OpenRemoval> => {
    const photos = photosOf(job.request);
    const messages = messagesOf(job);
    const at = clock.now();
    const hasFace = photos.some(({ from }) => from === 'face');
    return {
      job: job.id,
      community: await rules.present(job.place.community),
      kind: job.request.kind,
      at,
      until: at + REMOVAL_LIFE_MS,
      by: { key: personKey(caller), name: caller.name, isOwner },
      reason,
      messages: messages.length,
      remaining: messages.length,
      photos: photos.length,
      open: {
        messages,
        photos: [...photos],
        ...(hasFace && { savedFaces: { owner: personKey(job.caller), before: job.createdAt } }),
        hashes: [...(job.photoHashes ?? [])],
        tries: 0,
        due: at + LEASE_MS,
      },
    };
  };

  const run = async (until: AbortSignal): Promise<void> => {
    let isRepaired = false;
    while (!until.aborted) {
      try {
        if (!isRepaired) await records.repair();
        isRepaired = true;
        for await (const removal of records.open()) {
          if (until.aborted) break;
          if (removal.open.due <= clock.now()) await carryOut(removal);
        }
        await parts.takeBack.goOn(until);
      } catch (error) {
        log.warn({ err: error }, 'a removal could not be carried out; it is tried again');
      }
      await sleep(clock, PASS_EVERY_MS, until).catch(() => undefined);
    }
  };

  const alsoDelete = async (job: string, card: CardRef): Promise<Removal | undefined> => {
    const due = clock.now() + LEASE_MS;
    const stored = await records.reopen(job, (before) => {
      const nothing = { messages: [], photos: [], hashes: [], tries: 0, due };
      return withMessages({ ...before, open: before.open ?? nothing }, [card]);
    });
    return stored !== undefined && isOpenRemoval(stored) ? carryOut(stored) : stored;
  };

  return {
    /**
     * Removes the result of a job for good, because of `reason`: its photos go onto the block list, every message that shows it is
     * deleted, then its job. Works in every state of the job, and is stored and audited before anything is done: what cannot be done now
     * is tried again for a day, also after a kill. Repeated, it goes on with the first removal (`isKnown`). The result is undefined where
     * there is no such job, `none` for one that ended without a result, and `limit` where moderators of the community have removed too many today.
     *
     * Whoever calls this has checked that `by` may remove results of that job's community (owners: of any).
     *
     * `message`: one that certainly shows the result, in case the bot does not know it.
     */
    async remove(
      id: string,
      reason: string,
      by: RemovedBy,
      message?: CardRef,
    ): Promise<{ readonly removal: Removal; readonly isKnown: boolean } | 'none' | 'limit' | undefined> {
      const former = await records.find(id);
      if (former !== undefined) {
        const more = message && (await alsoDelete(id, message));
        const removal = more ?? (isOpenRemoval(former) ? await carryOut(former) : former);
        return { removal, isKnown: true };
      }
      const job = await orchestrator.get(id);
      if (job === undefined || job.forget) return undefined;
      if (!canRemove(job)) return 'none';
      const begun = await newRemoval(job, reason, by);
      if (!by.isOwner && !(await records.admit(begun.community))) return 'limit';
      const detail = by.isRequested ? { job: id } : { job: id, reason };
      await audit.note(by.caller, { community: begun.community }, 'moderator.remove', detail);
      const all = message === undefined ? begun : withMessages(begun, [message]);
      const stored = await records.add(all);
      return { removal: isOpenRemoval(stored) ? await carryOut(stored) : stored, isKnown: false };
    },
    /** Deletes one more message of a result that was removed; undefined: it was not removed. */
    alsoDelete,
    find: records.find,
    /** The latest ones, the newest first. */
    list: records.latest,
    /** An owner lets the photos pass again. The messages stay deleted. False: there is none, or it is still being carried out. */
    async undo(job: string, by: string): Promise<boolean> {
      const removal = await records.find(job);
      if (removal === undefined || isOpenRemoval(removal)) return false;
      // If the process dies here, the removal still shows that it can be undone.
      await blockedPhotos.unblock(job);
      await records.change(job, (before) => ({ ...before, undone: { at: clock.now(), by } }));
      return true;
    },
    /** The returned function stops it. */
    start(): () => Promise<void> {
      const held = parts.members
        .hold('removals', run, stopping.signal)
        .catch((error: unknown) => log.warn({ err: error }, 'removals are not carried out'));
      return async () => {
        stopping.abort();
        await waitAtMost(clock, LONGEST_STOP_MS, held);
      };
    },
  };
}
