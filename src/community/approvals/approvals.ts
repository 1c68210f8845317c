import { z } from 'zod';
import { DAY_MS, isWithin } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { Records } from '../../base/keyv/records.ts';
import { isPersonal, placeShape } from '../../command/place.ts';
import { createBriefCache } from '../brief-cache.ts';
import { createMovingRecord, isPointer, movedPlace } from '../moving-record.ts';

const decisionShape = z.object({ at: z.number(), by: z.string() });

/** The request of a community that waits until an owner approves it. */
const waitingShape = z.object({
  /** The id of the request, which the buttons of the notices contain. */
  id: z.string(),
  since: z.number(),
  /** When the owners were last notified. */
  toldAt: z.number(),
  /** The place where the bot was added or used, and the language there. */
  place: placeShape,
  locale: z.string(),
  /** The name of the person who added the bot (`isAdded`), or used it first. */
  person: z.string().exactOptional(),
  isAdded: z.literal(true).exactOptional(),
  members: z.number().exactOptional(),
  dismissed: decisionShape.exactOptional(),
});

const approvalShape = z.object({
  /** The community's name at the platform: untrusted text. */
  name: z.string().exactOptional(),
  approved: decisionShape.exactOptional(),
  waiting: waitingShape.exactOptional(),
});
const requestShape = z.object({ community: z.string() });

export type Approval = z.infer<typeof approvalShape>;
/** A request of a community, which waits for an owner's decision. */
export type WaitingEntry = z.infer<typeof waitingShape>;

/** The prefix of the record that finds the community of a request; the request's id follows. */
const REQUEST_PREFIX = '*request:';

const requestKey = (id: string): string => `${REQUEST_PREFIX}${id}`;

/** Tells the store whose each record of approvals is, and whether it is valid. */
export const approvalRecordRules = {
  /** The request of a direct chat is deleted with its person's data; an approval is the owner's decision, and stays. */
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

/** How long a request, dismissed or not, is kept after the community asked last. */
const KEPT_MS = 30 * DAY_MS;
/** The life of a record; an approval does not end. */
const lifeOf = (stored: unknown): number | undefined =>
  approvalIn(stored).approved === undefined ? KEPT_MS : undefined;
/** How long an approval is cached, and thus how late a change by another process takes effect. */
const FRESH_MS = 1_000;
const MOST_CACHED = 5_000;
const PER_PAGE = 50;

export type Approvals = ReturnType<typeof createApprovals>;

/** A request to the owners; without a person if the platform does not tell who added the bot. */
export type ApprovalRequest = Pick<WaitingEntry, 'place' | 'locale' | 'person' | 'isAdded'> &
  Pick<Approval, 'name'>;

interface WaitingCommunity {
  readonly community: string;
  readonly name?: string;
  /** When the community asked first. */
  readonly since: number;
}

const latestFirst = (one: WaitingCommunity, other: WaitingCommunity): number =>
  other.since - one.since || (one.community < other.community ? -1 : Number(one.community > other.community));

/** Keeps which communities the owners have approved, and which wait for that. The caller checks permission. */
export function createApprovals(records: Records, now: () => number, newId: () => string) {
  const record = createMovingRecord(records, approvalIn);
  const { find } = record;
  const cached = createBriefCache(
    async (community) => (await find(community)).found.approved !== undefined,
    { now },
    { freshMs: FRESH_MS, most: MOST_CACHED },
  );

  /** Changes the record of the present id. `change` may be called several times, and returns undefined to change nothing. */
  const edit = (named: string, change: (found: Approval) => Approval | undefined): Promise<void> =>
    // The whole cache is cleared, because it has the community under its former ids, too.
    record.edit(named, change, lifeOf).finally(cached.clear);

  const communityOf = async (id: string): Promise<string | undefined> =>
    communityIn(await records.get(requestKey(id)));

  return {
    /** Reads the stored approval and the present id, without the cache. */
    find,
    /** Whether a community is approved, from the cache. */
    isApproved: cached.get,
    /** Whether the community is approved, or has asked in the last 30 days. */
    async isKnown(community: string): Promise<boolean> {
      const { found } = await find(community);
      return Object.keys(found).length > 0;
    },
    /** Approves a community; returns its request, or undefined if it was approved before. */
    async approve(community: string, by: string): Promise<{ readonly waited?: WaitingEntry } | undefined> {
      let outcome: { readonly waited?: WaitingEntry } | undefined;
      await edit(community, ({ approved, waiting, name }) => {
        outcome = approved === undefined ? defined({ waited: waiting }) : undefined;
        if (approved !== undefined) return undefined;
        // The name of a person is not kept after their request.
        return {
          approved: { at: now(), by },
          ...defined({ name: isPersonal(community) ? undefined : name }),
        };
      });
      return outcome;
    },
    /** Revokes an approval; returns whether there was one. */
    async revoke(community: string): Promise<boolean> {
      let was = false;
      await edit(community, ({ approved, ...rest }) => {
        was = approved !== undefined;
        return was ? rest : undefined;
      });
      return was;
    },
    /**
     * Notes that a community waits; returns its request if the owners must be notified now, which happens once a day in one
     * process.
     */
    async ask(community: string, asking: ApprovalRequest): Promise<WaitingEntry | undefined> {
      const { name, ...asked } = asking;
      const at = now();
      const id = newId();
      let notified: WaitingEntry | undefined;
      await edit(community, (found) => {
        const { approved, waiting } = found;
        notified = undefined;
        if (approved !== undefined) return undefined;
        const isNotified =
          waiting !== undefined && (waiting.dismissed !== undefined || isWithin(DAY_MS, waiting.toldAt, at));
        // A request from a platform's list of communities has no channel, and is completed by the first event of a user.
        if (isNotified && (waiting.place.channel !== '' || asked.place.channel === '')) return undefined;
        const next: WaitingEntry = { id, since: at, toldAt: at, ...waiting, ...asked };
        if (!isNotified) notified = { ...next, toldAt: at };
        return { ...found, ...defined({ name: name ?? found.name }), waiting: notified ?? next };
      });
      if (notified !== undefined) await records.set(requestKey(notified.id), { community }, KEPT_MS);
      return notified;
    },
    /** Adds the platform's name and number of members to a request. */
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
    /** Finds the community of a request, as it is now; undefined if the request is not known any more. */
    async requested(
      id: string,
    ): Promise<{ readonly community: string; readonly found: Approval } | undefined> {
      const named = await communityOf(id);
      return named === undefined ? undefined : find(named);
    },
    /** Dismisses a request, of which the owners are not notified again; false if it was decided or dismissed before. */
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
     * Lists a page of the communities that wait, the latest first, and counts all of them. The page begins after the entry
     * `after`, or at the latest one.
     */
    async waiting(after?: Pick<WaitingCommunity, 'community' | 'since'>) {
      let page: WaitingCommunity[] = [];
      let count = 0;
      let left = 0;
      for await (const [community, value] of records.iterator()) {
        const { name, waiting } = approvalIn(value);
        if (waiting === undefined) continue;
        count += 1;
        const found = { community, since: waiting.since, ...defined({ name }) };
        if (after !== undefined && latestFirst(found, after) <= 0) continue;
        left += 1;
        page.push(found);
        // Only few are kept in memory, because anybody can add one more.
        if (page.length > 10 * PER_PAGE) page = page.toSorted(latestFirst).slice(0, PER_PAGE);
      }
      const list = page.toSorted(latestFirst).slice(0, PER_PAGE);
      return { list, count, ...(left > PER_PAGE ? defined({ next: list.at(-1) }) : {}) };
    },
    /** Communities of which no owner has decided anything, those that have waited longest first, `most` at most. */
    async undecided(most: number) {
      let found: { readonly community: string; readonly since: number; readonly approval: Approval }[] = [];
      const oldest = () => found.toSorted((a, b) => a.since - b.since).slice(0, most);
      for await (const [community, value] of records.iterator()) {
        const approval = approvalIn(value);
        const { waiting, approved } = approval;
        if (waiting === undefined || waiting.dismissed !== undefined || approved !== undefined) continue;
        found.push({ community, since: waiting.since, approval });
        // Anybody can add one more.
        if (found.length > 2 * most) found = oldest();
      }
      return oldest();
    },
    /** Moves the record of a community to a new id, to which the old one then points. */
    async move(from: string, to: string): Promise<void> {
      await record.move(from, to, async (found) => {
        if (found === undefined) return;
        const { waiting } = found;
        const moved = waiting && { ...waiting, place: movedPlace(waiting.place, from, to) };
        const after = { ...found, ...defined({ waiting: moved }) };
        await edit(to, (present) => {
          if (present.approved) return undefined;
          // The community may have asked again under its new id.
          const { waiting: _, ...there } = present;
          return after.approved ? { ...there, ...after } : { ...present, ...after };
        });
      });
      cached.clear();
    },
    /** Deletes all records under these ids of a community. */
    async forget(ids: readonly string[]): Promise<void> {
      for (const id of ids) await records.delete(id);
      cached.clear();
    },
  };
}
