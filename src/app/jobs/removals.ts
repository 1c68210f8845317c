import { PhotoGone } from '../../adapters/adapter.ts';
import { type Clock, MINUTE_MS, sleep, waitAtMost, within } from '../../base/clock.ts';
import type { Members } from '../../base/members/members.ts';
import { UserError } from '../../command/errors.ts';
import type { CardRef } from '../../command/place.ts';
import type { Log } from '../../log/log.ts';
import type { Orchestrator } from '../../orchestrator/orchestrator.ts';
import { PictureRefused } from '../../picture/structure.ts';
import type { BlockedPhotos } from '../../safety/blocked-photos/blocked-photos.ts';
import { textOfHash } from '../../safety/hash/perceptual-hash.ts';
import type { PictureHasher } from '../../safety/hash/picture-hasher.ts';
import {
  isOpen,
  type OpenRemoval,
  type PhotosBlocked,
  type Removal,
  type RemovalRecords,
} from '../../safety/removal/removal-records.ts';
import type { SentPhoto, UsePhoto } from '../photos/use-photo.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';

export type Removals = ReturnType<typeof createRemovals>;

const PASS_EVERY_MS = 5 * MINUTE_MS;
/** Until then the process that began a removal carries it out. */
export const REMOVAL_LEASE_MS = 5 * MINUTE_MS;
/** For about a day. */
const MOST_TRIES = 50;
const LONGEST_PAUSE_MS = 30 * MINUTE_MS;
/** The photo of one that cannot be fetched so often is blocked by its stored hash alone. */
const MOST_FETCHES = 3;
const FETCH_MS = 60_000;
const DELETE_MS = 60_000;
/** On a page of the console. */
const MOST_LISTED = 500;
const LONGEST_STOP_MS = 2_000;
/** Takes its turns at the decoder and in memory like one person. */
const TURN = 'removals';

/** The photo will never be there again, or cannot be read: trying again does not help. */
const isFinal = (error: unknown): boolean =>
  error instanceof PhotoGone || error instanceof UserError || error instanceof PictureRefused;

/**
 * Carries removals out: blocks the photos, deletes the messages, then the job. Each step can be repeated, and the record says what is left,
 * so that any process goes on with a removal whose process has died.
 */
export function createRemovals(parts: {
  readonly records: RemovalRecords;
  readonly orchestrator: Pick<Orchestrator, 'withdraw' | 'remove'>;
  readonly platforms: Pick<PlatformRegistry, 'of' | 'removeMessage'>;
  readonly usePhoto: UsePhoto;
  readonly hasher: PictureHasher;
  readonly blockedPhotos: Pick<BlockedPhotos, 'block' | 'unblock'>;
  readonly members: Pick<Members, 'hold'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}) {
  const { records, orchestrator, platforms, usePhoto, hasher, blockedPhotos, clock, log } = parts;
  const stopping = new AbortController();

  /** The hashes of a photo, of its part and of cropped copies; none: it is flat. */
  const hashesOf = (photo: SentPhoto, signal: AbortSignal): Promise<readonly string[]> =>
    usePhoto(photo, TURN, signal, async (bytes) => {
      const whole = await hasher.hashes(bytes, TURN, signal);
      const part = photo.part && (await hasher.hashes(bytes, TURN, signal, photo.part));
      const windows = whole.isFlat ? [] : await hasher.windows(bytes, TURN, signal);
      const ofPart = part === undefined || part.isFlat ? [] : [part.hash];
      return [...(whole.isFlat ? [] : [whole.hash]), ...ofPart, ...windows].map(textOfHash);
    });

  /** Undefined: a photo could not be fetched now; what is stored of it is blocked meanwhile. */
  const block = async (removal: OpenRemoval): Promise<PhotosBlocked | undefined> => {
    const { job, community, until, by, open } = removal;
    const hashes = new Set(open.hashes);
    let isWaiting = false;
    let unknown = 0;
    for (const photo of open.photos) {
      if (photo.from === 'link' || ('ref' in photo && photo.isResult)) unknown += 1;
      if (!('ref' in photo) || photo.isResult) continue;
      try {
        const found = await within(clock, FETCH_MS, (signal) => hashesOf(photo, signal));
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

  const isDeleted = async (card: CardRef): Promise<boolean> => {
    if (platforms.of(card.platform) === undefined) return false;
    try {
      await within(clock, DELETE_MS, () => platforms.removeMessage(card));
      return true;
    } catch (error) {
      log.warn({ err: error }, 'a message of a removed result could not be deleted');
      return false;
    }
  };

  /** Does what is left of a removal, and returns it as it is then. */
  const carryOut = async (removal: OpenRemoval): Promise<Removal> => {
    const { job, open } = removal;
    await orchestrator.withdraw(job);
    const blocked = removal.blocked ?? (await block(removal));
    const messages: CardRef[] = [];
    for (const card of open.messages) if (!(await isDeleted(card))) messages.push(card);
    await orchestrator.remove(job);
    const tries = open.tries + 1;
    const isDone = blocked !== undefined && (messages.length === 0 || tries >= MOST_TRIES);
    const pauseMs = Math.min(LONGEST_PAUSE_MS, tries * MINUTE_MS);
    const changed = await records.change(job, ({ open: _, ...rest }) => ({
      ...rest,
      remaining: messages.length,
      ...(blocked === undefined ? {} : { blocked }),
      ...(isDone ? {} : { open: { ...open, messages, tries, due: clock.now() + pauseMs } }),
    }));
    return changed ?? removal;
  };

  const run = async (until: AbortSignal): Promise<void> => {
    while (!until.aborted) {
      try {
        for (const removal of await records.all())
          if (!until.aborted && isOpen(removal) && removal.open.due <= clock.now()) await carryOut(removal);
      } catch (error) {
        log.warn({ err: error }, 'a removal could not be carried out; it is tried again');
      }
      await sleep(clock, PASS_EVERY_MS, until).catch(() => undefined);
    }
  };

  return {
    carryOut,
    find: records.find,
    /** The latest ones, the newest first. */
    async list(): Promise<readonly Removal[]> {
      return (await records.all()).toSorted((a, b) => b.at - a.at).slice(0, MOST_LISTED);
    },
    /** An owner lets the photos pass again. The messages stay deleted. False: there is none, or it is still being carried out. */
    async undo(job: string, by: string): Promise<boolean> {
      const removal = await records.find(job);
      if (removal === undefined || isOpen(removal)) return false;
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
