import { z } from 'zod';
import { DAY_MS, isWithin } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { Records } from '../../base/keyv/records.ts';
import { isPersonal, placeShape } from '../../command/place.ts';
import { createBriefCache } from '../brief-cache.ts';
import { createMovingRecord, isPointer, movedPlace } from '../moving-record.ts';

const decisionShape = z.object({ at: z.number(), by: z.string() });

/** What a community asked the owners for, until one of them approves it. */
const waitingShape = z.object({
  /** In the buttons of the notices. */
  id: z.string(),
  since: z.number(),
  /** When the owners were last notified. */
  toldAt: z.number(),
  /** Where it was asked for, and in which language. */
  place: placeShape,
  locale: z.string(),
  /** Who added the bot, or used it first. */
  person: z.string().exactOptional(),
  isAdded: z.literal(true).exactOptional(),
  members: z.number().exactOptional(),
  dismissed: decisionShape.exactOptional(),
});

const approvalShape = z.object({
  /** As the platform has it: untrusted text. */
  name: z.string().exactOptional(),
  approved: decisionShape.exactOptional(),
  waiting: waitingShape.exactOptional(),
});
const requestShape = z.object({ community: z.string() });

export type Approval = z.infer<typeof approvalShape>;
export type WaitingEntry = z.infer<typeof waitingShape>;

/** Followed by the id of what a community asked for. */
const REQUEST_PREFIX = '*request:';

const requestKey = (id: string): string => `${REQUEST_PREFIX}${id}`;

export const approvalRecords = {
  /** A direct chat that waits is deleted with its person's data; an approval is the owner's decision, and stays. */
  ownerOf(key: string, value: unknown): string | undefined {
    const community = communityIn(value) ?? key;
    const isKept = !isPersonal(community) || approvalShape.safeParse(value).data?.approved !== undefined;
    return isKept ? undefined : community.replace(':dm:', ':');
  },
  isValid: (key: string, value: unknown): boolean =>
    isPointer(value) ||
    (key.startsWith(REQUEST_PREFIX) ? requestShape : approvalShape).safeParse(value).success,
};

const approvalIn = (stored: unknown): Approval => approvalShape.safeParse(stored).data ?? {};

const communityIn = (stored: unknown): string | undefined => requestShape.safeParse(stored).data?.community;

/** What waits, and what was dismissed, is kept this long after it asked last. */
const KEPT_MS = 30 * DAY_MS;
/** An approval does not end. */
const lifeOf = (stored: unknown): number | undefined =>
  approvalIn(stored).approved === undefined ? KEPT_MS : undefined;
/** What an owner changes through another process is obeyed after this. */
const FRESH_MS = 1_000;
const MOST_CACHED = 5_000;
const PER_PAGE = 50;

export type Approvals = ReturnType<typeof createApprovals>;

/** Without a person: the platform does not say who added the bot. */
export type ApprovalRequest = Pick<WaitingEntry, 'place' | 'locale' | 'person' | 'isAdded'> &
  Pick<Approval, 'name'>;

interface WaitingCommunity {
  readonly community: string;
  readonly name?: string;
  /** When it asked first. */
  readonly since: number;
}

const latestFirst = (one: WaitingCommunity, other: WaitingCommunity): number =>
  other.since - one.since || (one.community < other.community ? -1 : Number(one.community > other.community));

/** Which communities the owners have approved, and which wait for that. The caller checks permission. */
export function createApprovals(records: Records, now: () => number, newId: () => string) {
  const record = createMovingRecord(records, approvalIn);
  const { find } = record;
  const cached = createBriefCache(
    async (community) => (await find(community)).found.approved !== undefined,
    { now },
    { freshMs: FRESH_MS, most: MOST_CACHED },
  );

  /** Changes the record of the present id. `change` may be called several times; undefined: nothing is changed. */
  const edit = (named: string, change: (found: Approval) => Approval | undefined): Promise<void> =>
    // The cache has it under its former ids, too.
    record.edit(named, change, lifeOf).finally(cached.clear);

  const communityOf = async (id: string): Promise<string | undefined> =>
    communityIn(await records.get(requestKey(id)));

  return {
    /** As it is stored now, under its present id. */
    find,
    isApproved: cached.get,
    /** Whether anything was decided or asked for in the last 30 days. */
    async isKnown(community: string): Promise<boolean> {
      const { found } = await find(community);
      return Object.keys(found).length > 0;
    },
    /** Returns what waited, if this changed anything; undefined: it was approved before. */
    async approve(community: string, by: string): Promise<{ readonly waited?: WaitingEntry } | undefined> {
      let outcome: { readonly waited?: WaitingEntry } | undefined;
      await edit(community, ({ approved, waiting, name }) => {
        outcome = approved === undefined ? defined({ waited: waiting }) : undefined;
        if (approved !== undefined) return undefined;
        // The name of a person is not kept for longer than they wait.
        return {
          approved: { at: now(), by },
          ...defined({ name: isPersonal(community) ? undefined : name }),
        };
      });
      return outcome;
    },
    /** Returns whether it was approved. */
    async revoke(community: string): Promise<boolean> {
      let was = false;
      await edit(community, ({ approved, ...rest }) => {
        was = approved !== undefined;
        return was ? rest : undefined;
      });
      return was;
    },
    /** Notes that a community waits. Returns its request if the owners must be notified now: once a day, by one process. */
    async ask(community: string, asking: ApprovalRequest): Promise<WaitingEntry | undefined> {
      const { name, ...asked } = asking;
      const [at, fresh] = [now(), newId()];
      let notified: WaitingEntry | undefined;
      await edit(community, (found) => {
        const { approved, waiting } = found;
        notified = undefined;
        if (approved !== undefined) return undefined;
        const isNotified =
          waiting !== undefined && (waiting.dismissed !== undefined || isWithin(DAY_MS, waiting.toldAt, at));
        // A platform's list of communities names no channel; an event of a user does.
        if (isNotified && (waiting.place.channel !== '' || asked.place.channel === '')) return undefined;
        const next: WaitingEntry = { id: fresh, since: at, toldAt: at, ...waiting, ...asked };
        if (!isNotified) notified = { ...next, toldAt: at };
        return { ...found, ...defined({ name: name ?? found.name }), waiting: notified ?? next };
      });
      if (notified !== undefined) await records.set(requestKey(notified.id), { community }, KEPT_MS);
      return notified;
    },
    /** Adds what the platform says about a community that waits. */
    describe: (community: string, { name, members }: { readonly name?: string; readonly members?: number }) =>
      edit(community, (found) =>
        found.waiting === undefined
          ? undefined
          : {
              ...found,
              ...defined({ name: name ?? found.name }),
              waiting: { ...found.waiting, ...defined({ members: members ?? found.waiting.members }) },
            },
      ),
    /** What was asked for under this id, as it is now; undefined: it is not known any more. */
    async requested(
      id: string,
    ): Promise<{ readonly community: string; readonly found: Approval } | undefined> {
      const named = await communityOf(id);
      return named === undefined ? undefined : find(named);
    },
    /** The owners are not notified again. Returns false if it does not wait any more, or was dismissed before. */
    async dismiss(id: string, by: string): Promise<boolean> {
      const community = await communityOf(id);
      let isMine = false;
      if (community === undefined) return false;
      await edit(community, (found) => {
        const { waiting } = found;
        isMine = waiting?.id === id && waiting.dismissed === undefined;
        return isMine && waiting !== undefined
          ? { ...found, waiting: { ...waiting, dismissed: { at: now(), by } } }
          : undefined;
      });
      return isMine;
    },
    /**
     * A page of those that wait, the latest first: from the beginning, or what comes after the last of another. And how many
     * there are in all.
     */
    async waiting(after?: Pick<WaitingCommunity, 'community' | 'since'>) {
      let page: WaitingCommunity[] = [];
      let [count, left] = [0, 0];
      for await (const [community, value] of records.iterator()) {
        const { name, waiting } = approvalIn(value);
        if (waiting === undefined) continue;
        count += 1;
        const found = { community, since: waiting.since, ...defined({ name }) };
        if (after !== undefined && latestFirst(found, after) <= 0) continue;
        left += 1;
        page.push(found);
        // Few of many are kept: anybody can make one more.
        if (page.length > 10 * PER_PAGE) page = page.toSorted(latestFirst).slice(0, PER_PAGE);
      }
      const list = page.toSorted(latestFirst).slice(0, PER_PAGE);
      return { list, count, ...(left > PER_PAGE ? defined({ next: list.at(-1) }) : {}) };
    },
    /** A group that became a supergroup. The old id then refers to the new one. */
    async move(from: string, to: string): Promise<void> {
      await record.move(from, to, async (found) => {
        if (found === undefined) return;
        const { waiting } = found;
        const moved = waiting && { ...waiting, place: movedPlace(waiting.place, from, to) };
        const after = { ...found, ...defined({ waiting: moved }) };
        await edit(to, (present) => {
          if (present.approved) return undefined;
          // Under its new id it may have asked again.
          const { waiting: _, ...there } = present;
          return after.approved ? { ...there, ...after } : { ...present, ...after };
        });
      });
      cached.clear();
    },
    /** All that is kept of it under these ids. */
    async forget(ids: readonly string[]): Promise<void> {
      for (const id of ids) await records.delete(id);
      cached.clear();
    },
  };
}
