import { type Clock, createAlarm } from '../../base/clock.ts';
import type { Job, JobStatus } from '../job/job.ts';

/** Updates the cards of active jobs, see `createCardRefresh`. */
export type CardRefresh = ReturnType<typeof createCardRefresh>;

export interface CardState {
  readonly state: Job['state'];
  readonly jobStatus: JobStatus;
}

export interface CardRefreshOptions {
  readonly clock: Clock;
  readonly cardState: (id: string) => Promise<CardState | undefined>;
  /**
   * Edits the card; resolves with whether it shows `jobStatus` now. `ending` is aborted when this process waits to show how the
   * job ended.
   */
  readonly draw: (id: string, jobStatus: JobStatus, ending: AbortSignal) => Promise<boolean>;
}

/** One timer serves all cards, so the cost per second is the same for ten jobs and for ten thousand. */
const TICK_MS = 100;
/** Limit of urgent edits per tick, and of other edits: about as many as the platforms accept. */
const CARDS_PER_TICK = 4;
const EVERY_MS = 4_000;
/** Delay of an urgent edit: steps often follow each other quickly, and one edit shows them all. */
const HURRY_MS = 800;
/** Tries of one edit in a row: the platform may want a pause of some seconds between two edits of one card. */
const MOST_TRIES = 5;
const MOST_AT_ONCE = 16;
/** Limit of concurrent reads, so that a store that does not answer is not asked more and more. */
const MOST_READS = 64;

interface Followed {
  content: string;
  nextAt: number;
  tries: number;
}

/** Edits the cards of jobs that wait and run. These edits are cosmetic: those beyond the platforms' limits are skipped. */
export function createCardRefresh({ clock, cardState, draw }: CardRefreshOptions) {
  /** Cards in the order of their last visit. */
  const followed = new Map<string, Followed>();
  /** When to visit cards that should not wait for their turn, the earliest first. */
  const hurried = new Map<string, number>();
  const reading = new Map<string, Promise<void>>();
  const drawing = new Map<string, { readonly done: Promise<void>; readonly end: () => void }>();
  const alarm = createAlarm(clock, () => tick());
  let running = false;

  const soon = (id: string): void => {
    if (!hurried.has(id)) hurried.set(id, clock.now() + HURRY_MS);
    plan();
  };
  const tryAgain = (id: string, card: Followed): void => {
    card.content = '';
    card.tries += 1;
    if (card.tries < MOST_TRIES && followed.get(id) === card) soon(id);
  };

  const consider = (id: string, card: Followed): void => {
    if (reading.has(id) || reading.size >= MOST_READS) return void soon(id);
    const read = cardState(id)
      .catch(() => undefined)
      .then((now) => {
        reading.delete(id);
        // The job may have ended during the read, and then its card is not edited here any more.
        if (now !== undefined && running && followed.get(id) === card) update(id, card, now);
      });
    reading.set(id, read);
  };

  const update = (id: string, card: Followed, now: CardState): void => {
    const content = cardContentKey(now);
    if (content === card.content) return;
    if (drawing.size >= MOST_AT_ONCE || drawing.has(id)) return void tryAgain(id, card);
    card.content = content;
    const ending = new AbortController();
    const done = draw(id, now.jobStatus, ending.signal).then((seen) => {
      drawing.delete(id);
      if (seen) card.tries = 0;
      else tryAgain(id, card);
    });
    drawing.set(id, { done, end: () => ending.abort() });
  };

  const visit = (id: string, now: number): void => {
    const card = followed.get(id);
    if (card === undefined) return;
    followed.delete(id);
    followed.set(id, card);
    card.nextAt = now + EVERY_MS;
    consider(id, card);
  };

  const tick = (): void => {
    const now = clock.now();
    let left = CARDS_PER_TICK;
    for (const [id, at] of hurried) {
      if (at > now || left-- <= 0) break;
      hurried.delete(id);
      visit(id, now);
    }
    left = CARDS_PER_TICK;
    for (const [id, { nextAt }] of followed) {
      if (nextAt > now || left-- <= 0) break;
      visit(id, now);
    }
    plan();
  };

  /** The first entry of each map is the next one to visit. No timer is set when there are no cards. */
  const plan = (): void => {
    if (!running) return;
    const [hurriedAt = Number.POSITIVE_INFINITY] = hurried.values();
    const [first] = followed.values();
    const at = Math.max(clock.now() + TICK_MS, Math.min(hurriedAt, first?.nextAt ?? hurriedAt));
    if (at < Number.POSITIVE_INFINITY) alarm.set(at);
  };

  return {
    /** Begins to update a card that was shown. `content`: what it shows already, if known. */
    follow(id: string, content: string = ''): void {
      if (followed.has(id)) return;
      followed.set(id, { content, nextAt: clock.now() + EVERY_MS, tries: 0 });
      plan();
    },
    /** Schedules an urgent edit after a change of state: the card shows it in about a second. */
    hurry(id: string): void {
      const card = followed.get(id);
      if (card === undefined) return;
      card.tries = 0;
      soon(id);
    },
    forget(id: string): void {
      followed.delete(id);
      hurried.delete(id);
    },
    /** Resolves when no cosmetic edit of this card is running, so that the next edit is the last. */
    async quiet(id: string): Promise<void> {
      await reading.get(id);
      drawing.get(id)?.end();
      await drawing.get(id)?.done;
    },
    start(): void {
      running = true;
      plan();
    },
    async stop(): Promise<void> {
      running = false;
      alarm.cancel();
      await Promise.allSettled(reading.values());
      await Promise.allSettled(Array.from(drawing.values(), ({ done }) => done));
    },
  };
}

/** A key for what a card shows. Two states with the same key make the same card: an opening job is shown like a waiting one. */
export const cardContentKey = ({ state, jobStatus }: CardState): string =>
  JSON.stringify([state === 'opening' ? 'waiting' : state, jobStatus]);
