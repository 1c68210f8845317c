import { defined } from '../base/defined.ts';
import { keepLatest } from '../base/keep-latest.ts';
import { randomId } from '../base/random-id.ts';
import type { HeldDecision } from '../command/held-port.ts';
import { type CardRef, personKey } from '../command/place.ts';
import type { GenerationOutput } from '../generation-client/result/status-report.ts';
import type { ChangeJob } from './engine/save-job.ts';
import type { StoreWatch } from './engine/store-watch.ts';
import { dayOf } from './job/day.ts';
import { cancelled, removed } from './job/final-states.ts';
import {
  canStop,
  type DoneJob,
  hasEnded,
  type Job,
  type JobFieldsFromRequest,
  type OpeningJob,
  originOfFurtherPhoto,
} from './job/job.ts';
import type { AuditLine, JobOrder, NewJob } from './job/records.ts';
import type { JobContext } from './steps/effects.ts';
import { cleared, lookedAt } from './steps/hold.ts';
import { cancelUnseen, FIRST_SEARCH_MS, OPENING_MS, opened } from './steps/opening.ts';

/** Bound of accepted jobs kept in memory until their first card is shown; a job beyond it is read from the store again. */
const MOST_UNSHOWN = 1_000;

/** Makes the job of an order; its card is not shown yet. */
function newJob(asked: JobFieldsFromRequest, now: number): OpeningJob {
  return {
    ...asked,
    id: randomId(12),
    state: 'opening',
    day: dayOf(now),
    charge: 'reserved',
    createdAt: now,
    history: [{ state: 'opening', at: now }],
    due: now + (asked.answer === undefined ? OPENING_MS : FIRST_SEARCH_MS),
    looks: 0,
    attempts: 0,
    shownProgress: 0,
    settled: false,
    version: 1,
  };
}

const canShow = (job: Job): job is DoneJob => job.state === 'done' && !job.withdrawn && !job.forget;

/**
 * The requests of people and platforms: accept, confirm the card, cancel, share. They work even while a step of the job is
 * under way. A failing store is reported to `watch`, and what people have already seen is written once it recovers.
 */
export function createJobRequests(
  { records, clock: { now }, deadlines: { waitingMs } }: JobContext,
  limits: NewJob['limits'],
  change: ChangeJob,
  watch: StoreWatch,
  wasAccepted: (job: Job) => void,
) {
  /** Accepted jobs whose first cards are being shown, so that they need not be read again. */
  const unshown = new Map<string, Job>();
  const noteCard = async (id: string, card: CardRef | undefined): Promise<void> => {
    const accepted = unshown.get(id);
    unshown.delete(id);
    await change(accepted ?? id, (job) => {
      if (job.card !== undefined) return undefined;
      if (job.state === 'opening')
        return card === undefined ? cancelUnseen(job, now()) : opened(job, card, now(), waitingMs);
      // A job that ended before its card appeared: the card must say so.
      return hasEnded(job) && card !== undefined ? { ...job, card, settled: false, due: now() } : undefined;
    });
  };
  const takeBackSharing = (id: string, at: number) =>
    change(id, (job) => {
      if (job.state !== 'done' || job.shared?.at !== at) return undefined;
      const { shared: _, ...rest } = job;
      return rest;
    });
  const noteSharing = async (id: string, card: CardRef | undefined): Promise<boolean> => {
    const found = await change(id, (job) => {
      if (!canShow(job)) return undefined;
      const { shared = { at: now() }, ...rest } = job;
      return card === undefined ? rest : { ...rest, shared: { ...shared, card } };
    });
    return found?.isChanged ?? false;
  };

  return {
    /**
     * Accepts an order or rejects with `OrderRefused`. Resolves when the job and its audit line, with `detail`, are written (see
     * `onDisk`). `others`: the jobs of the album's other photos; empty if the order was `known`.
     */
    async accept(order: JobOrder, detail: AuditLine['detail'] = {}) {
      const {
        dailyCredits,
        mostGiven,
        grantsOf,
        communityCredits,
        filter,
        handledForMs,
        otherRequests: requests = [],
        ...asked
      } = order;
      const at = now();
      const lined = (job: OpeningJob) => ({
        job,
        line: {
          at,
          community: job.place.community,
          actor: personKey(job.caller),
          action: 'job',
          detail: { job: job.id, ...detail },
        },
      });
      const count = requests.length === 0 ? {} : { others: requests.length };
      const first = lined({ ...newJob(asked, at), ...count });
      const others = requests.map((request, index) =>
        lined(newJob({ ...asked, request, origin: originOfFurtherPhoto(asked.origin, index + 1) }, at)),
      );
      const more = defined({ mostGiven, grantsOf, communityCredits, filter, handledForMs });
      const accepted = await watch.watched(() =>
        records.accept({ ...first, others, limits, dailyCredits, ...more }),
      );
      const made = accepted.known ? [] : others.map(({ job }) => job);
      for (const job of [accepted.job, ...made]) {
        wasAccepted(job);
        unshown.set(job.id, job);
      }
      keepLatest(unshown, MOST_UNSHOWN);
      return { ...accepted, others: made };
    },
    /** Resolves when accepted jobs would survive a power cut; called before a card is shown. */
    onDisk: () => watch.watched(records.onDisk),
    /**
     * Confirms that a job's card is visible, so that the job proceeds. `undefined`: the card will never be visible, so the job
     * is cancelled. Resolves when that would survive a power cut.
     */
    async cardShown(id: string, card: CardRef | undefined): Promise<void> {
      try {
        await noteCard(id, card);
      } catch (error) {
        // The card is visible even if the caller does not retry, so this is written later.
        watch.writeLater(`card of ${id}`, () => noteCard(id, card));
        if (await watch.isStoreFailure(error)) throw error;
      }
      await records.onDisk();
    },
    /** Notes, before a moderator sees it, which picture the service gives in place of the one that was held. */
    async lookedAtHeld(id: string, output: GenerationOutput): Promise<void> {
      const noted = await change(id, (job) => (job.state === 'held' ? lookedAt(job, output) : undefined));
      if (noted?.isChanged) await records.onDisk();
    },
    /**
     * Carries out what a moderator has decided about a held result. `isChanged`: false if that was decided before, or it was removed.
     * Undefined: there is no such job.
     */
    decideHeld: async (id: string, decision: HeldDecision) => {
      const found = await change(id, (job) => {
        if (job.state !== 'held' || job.forget || job.withdrawn) return undefined;
        return decision === 'show' ? cleared(job, now()) : removed(job, 'content-removed', now());
      });
      await records.onDisk();
      return found;
    },
    /**
     * Cancels a job. `isChanged` is false if it was too late or the job was cancelled before; undefined: there is no such job.
     */
    cancel: (job: string | Job) =>
      change(job, (each) => (canStop(each) ? cancelled(each, now()) : undefined)),
    /**
     * Called before a private result is shown to everybody. False: sharing was begun before, or the job is being deleted. If
     * this rejects, nothing was begun.
     */
    async beginSharing(id: string): Promise<boolean> {
      const at = now();
      try {
        const found = await change(id, (job) =>
          canShow(job) && job.shared === undefined ? { ...job, shared: { at } } : undefined,
        );
        await records.onDisk();
        return found?.isChanged ?? false;
      } catch (error) {
        // The mark is removed later: nothing is sent now, but the next press would take it for a sharing that was begun.
        watch.writeLater(`sharing of ${id}`, () => takeBackSharing(id, at));
        await watch.isStoreFailure(error);
        throw error;
      }
    },
    /**
     * Records the outcome of sharing. `card`: the message that everybody sees; undefined: there is certainly none. Returns
     * false if the job was deleted meanwhile.
     */
    async endSharing(id: string, card: CardRef | undefined): Promise<boolean> {
      try {
        return await noteSharing(id, card);
      } catch (error) {
        watch.writeLater(`sharing of ${id}`, () => noteSharing(id, card));
        if (await watch.isStoreFailure(error)) return true;
        throw error;
      }
    },
  };
}
