import type { Update } from 'grammy/types';
import { z } from 'zod';
import { sleep } from '../../../base/clock.ts';
import type { Records } from '../../../base/keyv/records.ts';
import { createBatches, createSharedNextRuns } from '../../../base/limits/keyed-queue.ts';
import type { InboxClaim, InboxEntry } from '../../../base/members/inbox.ts';
import { createOncePer } from '../../../base/once-per.ts';
import { personKey } from '../../../command/place.ts';
import type { TelegramDependencies } from '../api/options.ts';

/** How often a process looks for updates that other processes received or left behind. */
const LOOK_MS = 1_000;
/**
 * How often a busy process looks if others run, because the next update of a chat that it handles may have arrived at
 * another one.
 */
const BUSY_LOOK_MS = 250;
const MOST_UNDER_WAY = 1_000;
/** An update whose handling this many processes did not survive is set aside; fewer can die for other reasons. */
const MOST_TRIES = 12;
const TELL_MS = 60_000;

const envelope = z.looseObject({ update_id: z.number().int() });

const MOST_AT_ONCE = 100;

/** `full`: the inbox has no room for the update at the moment. */
type Stored = 'stored' | 'full';

/** The lane of an update in the inbox. All updates of a chat have one lane, so one process at a time handles them. */
function laneOf({ message, callback_query: query, my_chat_member: member, update_id: id }: Update): string {
  const chat = (message ?? member)?.chat.id ?? query?.message?.chat.id ?? query?.chat_instance;
  return `telegram:${chat ?? `update:${id}`}`;
}

function inboxEntryOf(update: Update): InboxEntry {
  const sender = (update.message ?? update.callback_query ?? update.my_chat_member)?.from?.id;
  return {
    id: update.update_id,
    lane: laneOf(update),
    person: sender === undefined ? undefined : personKey({ platform: 'telegram', id: String(sender) }),
    body: update,
  };
}

/**
 * Reads the records of versions without an inbox: the numbers of updates that were handled, and updates still to be handled.
 */
function createEarlier(state: Records) {
  const kept = 'telegram:kept';
  let latest: { readonly key: string; readonly ids: Promise<readonly number[] | undefined> } | undefined;
  return {
    async isHandled(id: number): Promise<boolean> {
      const key = `telegram:handled:${Math.floor(id / 100)}`;
      if (latest?.key !== key) latest = { key, ids: state.get<number[]>(key) };
      const { ids } = latest;
      ids.catch(() => {
        if (latest?.ids === ids) latest = undefined;
      });
      return (await ids)?.includes(id) === true;
    },
    unhandled: async (): Promise<readonly Update[]> => (await state.get<Update[]>(kept)) ?? [],
    /** Deletes the record of unhandled updates, once they are in the inbox. */
    stored: () => state.delete(kept),
  };
}

/** How this process got an update from the inbox. */
export interface Claimed {
  /** The id of the member (`Members`) that claimed the update. */
  readonly member: string;
  /** Whether the update was claimed before: then the event limits must not refuse it. */
  readonly isRetaken: boolean;
  /** Whether the update was just stored for the first time, so that no process has begun it before. */
  readonly isNew: boolean;
}

/** Thrown when the adapter stops; the update then goes back to the inbox. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/**
 * Stores each update before it is confirmed to Telegram, and handles it in the process that holds the lane of its chat. An
 * update that arrives twice, at any processes, is stored and handled once.
 */
export function createUpdateInbox(
  options: Pick<TelegramDependencies, 'inbox' | 'members' | 'state' | 'clock' | 'log' | 'stop'> & {
    /** Whether the update is for the bot; others are confirmed and not stored. */
    readonly concerns: (update: Update) => boolean;
    readonly handle: (update: Update, claim: Claimed) => Promise<void>;
  },
) {
  const { inbox, members, clock, log, stop } = options;
  /** Updates that are being handled, each with the member that claimed it. */
  const underWay = new Map<number, { member: string; readonly done: Promise<void> }>();
  const settled = { handled: new Set<number>(), returned: new Set<number>() };
  const mayLog = createOncePer(clock, TELL_MS);
  const inTurn = createSharedNextRuns<void>();

  const canBegin = (): boolean => !stop.aborted && members.isAlive() && underWay.size < MOST_UNDER_WAY;

  const earlier = createEarlier(options.state);
  /** Puts a batch of entries into the inbox and begins them; each counts as stored when it is on disk. */
  const put = async (entries: readonly InboxEntry[]): Promise<readonly Promise<Stored>[]> => {
    const member = members.id();
    const { claimed, full } = await inbox.put(entries, canBegin() ? member : undefined);
    for (const claim of claimed) begin(claim, member, true);
    if (full.size > 0 && mayLog('full'))
      log.warn('Telegram: too many updates of a chat, or in all, wait to be handled; they come again later');
    if (claimed.length < entries.length) void look().catch(() => undefined);
    const synced = inbox.onDisk();
    return entries.map(async ({ id }) => {
      await synced;
      return full.has(id) ? 'full' : 'stored';
    });
  };
  // Updates of one poll arrive in the same turn of the event loop, and are stored in one batch.
  const store = createBatches(put, MOST_AT_ONCE, () => Promise.resolve());
  const take = async (update: Update): Promise<Stored> => {
    let entry: InboxEntry;
    try {
      if (!options.concerns(update)) return 'stored';
      entry = inboxEntryOf(update);
    } catch (error) {
      log.error({ err: error, update: update.update_id }, 'an update cannot be read; it is ignored');
      return 'stored';
    }
    return (await earlier.isHandled(update.update_id)) ? 'stored' : await store(entry);
  };

  const handle = async (
    { id, body, tries }: InboxClaim,
    member: string,
    isNew: boolean,
  ): Promise<'handled' | 'returned'> => {
    if (!isNew && !envelope.safeParse(body).success) {
      log.error({ update: id }, 'a stored update cannot be read; it is set aside');
      return 'handled';
    }
    if (tries > MOST_TRIES) {
      log.error(
        { update: id, tries },
        'no process has survived the handling of this update; it is set aside',
      );
      return 'handled';
    }
    try {
      await options.handle(body as Update, { member, isRetaken: tries > 1, isNew });
    } catch (error) {
      if (error instanceof Stopped) return 'returned';
      log.error({ err: error, update: id }, 'an update could not be handled; giving up');
    }
    return 'handled';
  };
  const begin = (claim: InboxClaim, member: string, isNew: boolean): void => {
    const known = underWay.get(claim.id);
    if (known) {
      // This process lost its membership and got a new one while it was handling the update.
      known.member = member;
      return;
    }
    const done = handle(claim, member, isNew).then((outcome) => {
      settled[outcome].add(claim.id);
      void look().catch(() => undefined);
    });
    underWay.set(claim.id, { member, done });
  };

  const settle = async (): Promise<void> => {
    const ids = [...settled.handled, ...settled.returned];
    const holders = new Set(ids.map((id) => underWay.get(id)?.member ?? ''));
    for (const member of holders) {
      const own = (set: ReadonlySet<number>) => [...set].filter((id) => underWay.get(id)?.member === member);
      const handled = own(settled.handled);
      const returned = own(settled.returned);
      await inbox.settle(member, handled, returned);
      for (const id of [...handled, ...returned]) {
        settled.handled.delete(id);
        settled.returned.delete(id);
        underWay.delete(id);
      }
    }
  };
  const lookOnce = async (): Promise<void> => {
    if (settled.handled.size + settled.returned.size > 0) await settle();
    if (!canBegin()) return;
    const member = members.id();
    for (const claim of await inbox.claim(member, MOST_UNDER_WAY - underWay.size))
      begin(claim, member, false);
  };
  const look = (): Promise<void> => inTurn('look', lookOnce);
  const lookForever = async (): Promise<void> => {
    let freed = Number.NEGATIVE_INFINITY;
    while (!stop.aborted) {
      try {
        if (clock.now() - freed >= LOOK_MS && members.isAlive()) {
          freed = clock.now();
          await inbox.freeDead(members.id());
        }
        await look();
      } catch (error) {
        if (mayLog('unreadable'))
          log.warn({ err: error }, 'updates in the store cannot be claimed now; retrying');
      }
      const isBusy = underWay.size > 0 && members.count() > 1;
      await sleep(clock, isBusy ? BUSY_LOOK_MS : LOOK_MS, stop).catch(() => undefined);
    }
  };
  let running: Promise<void> | undefined;

  return {
    /** Resolves with `stored` when Telegram need not deliver the update again, and with `full` if it must. */
    take,
    /** Begins to handle stored updates, those of earlier versions included. */
    async resume(): Promise<void> {
      const left = await earlier.unhandled();
      const outcomes = await Promise.all(left.map(take));
      if (left.length > 0 && !outcomes.includes('full')) await earlier.stored();
      running ??= lookForever();
    },
    /** Claims and begins updates that have been stored meanwhile. */
    look,
    /** Resolves when no update is in progress. */
    async idle(): Promise<void> {
      await running;
      while (underWay.size > 0) {
        await Promise.all([...underWay.values()].map(({ done }) => done));
        try {
          await look();
        } catch {
          // If the store is down, other processes take over when this one is gone.
          return;
        }
      }
    },
    /** Deletes this person's updates that are stored and not yet handled. */
    forget: (person: number): Promise<void> =>
      inbox.forget(personKey({ platform: 'telegram', id: String(person) })),
  };
}

export type UpdateInbox = ReturnType<typeof createUpdateInbox>;
