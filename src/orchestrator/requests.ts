import { randomFillSync } from 'node:crypto';
import { defined } from '../base/defined.ts';
import { type CardRef, personKey } from '../command/place.ts';
import type { StoreWatch } from './engine/store-watch.ts';
import type { Interventions } from './interventions.ts';
import { dayOf } from './job/day.ts';
import type { Job, OpeningJob, Order } from './job/job.ts';
import type { Accepted, AuditLine, JobRecords, NewJob } from './job/records.ts';
import { FIRST_SEARCH_MS, OPENING_MS } from './steps/opening.ts';

const ID_BYTES = 12;
/** Filled for many ids at once: asking the system for each would cost more than the rest of the job. */
const random = Buffer.alloc(ID_BYTES * 256);
let used = random.length;

/** 16 random characters. */
function newId(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += ID_BYTES;
  return random.toString('base64url', used - ID_BYTES, used);
}

/** An order as a job whose card is not shown yet. */
const newJob = (
  order: Omit<Order, 'dailyCredits' | 'mostGiven' | 'grantsOf' | 'communityCredits' | 'filter'>,
  now: number,
): OpeningJob => ({
  ...order,
  id: newId(),
  state: 'opening',
  day: dayOf(now),
  charge: 'reserved',
  createdAt: now,
  history: [{ state: 'opening', at: now }],
  due: now + (order.answer === undefined ? OPENING_MS : FIRST_SEARCH_MS),
  looks: 0,
  attempts: 0,
  shownProgress: 0,
  settled: false,
  version: 1,
});

/** What people and platforms begin. A store that fails meanwhile is noticed, and what has been seen is not lost. */
export interface Requests extends Pick<Interventions, 'endSharing'> {
  /**
   * Takes an order or rejects with a Refusal. Resolves when the job and its audit line, with `detail`, are written down (see
   * `onDisk`).
   */
  accept(order: Order, detail?: AuditLine['detail']): Promise<Accepted>;
  /** Resolves when what was accepted would survive a power cut: before a card is shown. */
  onDisk(): Promise<void>;
  /**
   * Its card is visible: from now on the job proceeds. `undefined`: it never will be, so nobody waits for the job.
   * Resolves when that would survive a power cut.
   */
  shown(id: string, card: CardRef | undefined): Promise<void>;
  /** See `Interventions`. When it rejects, nothing was begun. */
  beginSharing(id: string): Promise<boolean>;
}

export interface RequestsParts {
  readonly records: Pick<JobRecords, 'accept' | 'onDisk'>;
  readonly limits: NewJob['limits'];
  readonly interventions: Interventions;
  readonly watch: Pick<StoreWatch, 'watched' | 'isStoreFailure' | 'writeLater'>;
  readonly accepted: (job: Job) => void;
  readonly now: () => number;
}

export function createRequests(parts: RequestsParts): Requests {
  const { records, limits, interventions, watch, now } = parts;
  const onDisk = () => watch.watched(records.onDisk);
  return {
    async accept({ dailyCredits, mostGiven, grantsOf, communityCredits, filter, ...asked }, detail = {}) {
      const job = newJob(asked, now());
      const { id: jobId, caller, place, createdAt: at } = job;
      const actor = personKey(caller);
      const line = {
        at,
        community: place.community,
        actor,
        action: 'job',
        detail: { job: jobId, ...detail },
      };
      const more = defined({ mostGiven, grantsOf, communityCredits, filter });
      const accepted = await watch.watched(() =>
        records.accept({ job, limits, dailyCredits, line, ...more }),
      );
      parts.accepted(accepted.job);
      return accepted;
    },
    onDisk,
    async shown(id, card) {
      try {
        await interventions.shown(id, card);
      } catch (error) {
        // It is to be seen: that stays true, whoever asks again or not.
        watch.writeLater(`card of ${id}`, () => interventions.shown(id, card));
        if (await watch.isStoreFailure(error)) throw error;
      }
      await records.onDisk();
    },
    async beginSharing(id) {
      const at = now();
      try {
        const isNew = await interventions.beginSharing(id, at);
        await records.onDisk();
        return isNew;
      } catch (error) {
        // Nothing is sent now, and the next press would think that it was.
        watch.writeLater(`sharing of ${id}`, () => interventions.takeBackSharing(id, at));
        await watch.isStoreFailure(error);
        throw error;
      }
    },
    async endSharing(id, card) {
      try {
        return await interventions.endSharing(id, card);
      } catch (error) {
        watch.writeLater(`sharing of ${id}`, () => interventions.endSharing(id, card));
        if (await watch.isStoreFailure(error)) return true;
        throw error;
      }
    },
  };
}
