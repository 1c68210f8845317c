import type { Clock } from '../clock.ts';
import type { Circumstances } from './job.ts';

/** Keeps cards moving while their jobs wait and run. Cosmetic: whatever does not fit is left out. */
export interface Redraw {
  /** The card is there and its job under way. */
  follow(id: string): void;
  forget(id: string): void;
  /** Resolves when no cosmetic edit of this card is under way: what is drawn next comes last. */
  quiet(id: string): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

export interface RedrawOptions {
  readonly clock: Clock;
  readonly circumstances: (id: string) => Circumstances | undefined;
  /** Whether it is to be seen now. */
  readonly draw: (id: string, circumstances: Circumstances) => Promise<boolean>;
}

/** One timer for all: the cost a second is the same for ten jobs and for ten thousand. */
const TICK_MS = 100;
const CARDS_PER_TICK = 10;
const EVERY_MS = 4_000;
const MOST_AT_ONCE = 16;

interface Followed {
  shown: string;
  nextAt: number;
}

export function createRedraw({ clock, circumstances, draw }: RedrawOptions): Redraw {
  /** In the order in which they were looked at last. */
  const followed = new Map<string, Followed>();
  const drawing = new Map<string, Promise<void>>();
  let cancel: (() => void) | undefined;
  let running = false;

  const consider = (id: string, card: Followed): void => {
    const now = circumstances(id);
    if (now === undefined) return;
    const rounded = coarse(now);
    const text = JSON.stringify(rounded);
    if (text === card.shown || drawing.size >= MOST_AT_ONCE || drawing.has(id)) return;
    card.shown = text;
    const drawn = draw(id, rounded).then((seen) => {
      drawing.delete(id);
      if (!seen) card.shown = '';
    });
    drawing.set(id, drawn);
  };

  const tick = (): void => {
    const now = clock.now();
    let left = CARDS_PER_TICK;
    for (const [id, card] of followed) {
      if (card.nextAt > now || left-- <= 0) break;
      followed.delete(id);
      followed.set(id, card);
      card.nextAt = now + EVERY_MS;
      consider(id, card);
    }
    plan();
  };

  /** The first is always the one whose time comes first; without any there is no timer. */
  const plan = (): void => {
    if (cancel !== undefined || !running) return;
    const [first] = followed.values();
    if (first === undefined) return;
    cancel = clock.after(Math.max(TICK_MS, first.nextAt - clock.now()), () => {
      cancel = undefined;
      tick();
    });
  };

  return {
    follow(id) {
      if (!followed.has(id)) followed.set(id, { shown: '', nextAt: clock.now() + EVERY_MS });
      plan();
    },
    forget: (id) => void followed.delete(id),
    quiet: async (id) => drawing.get(id),
    start() {
      running = true;
      plan();
    },
    async stop() {
      running = false;
      cancel?.();
      cancel = undefined;
      await Promise.allSettled(drawing.values());
    },
  };
}

/** A card that says "about 20 s" need not be edited every second. */
export function coarse(now: Circumstances): Circumstances {
  return {
    ...now,
    ...(now.progress === undefined ? {} : { progress: Math.floor(now.progress * 20) / 20 }),
    ...(now.remainingMs === undefined ? {} : { remainingMs: coarseTime(now.remainingMs) }),
    ...(now.waitMs === undefined ? {} : { waitMs: coarseTime(now.waitMs) }),
  };
}

const coarseTime = (ms: number): number => {
  const unit = ms < 60_000 ? 5_000 : 30_000;
  return Math.ceil(ms / unit) * unit;
};
