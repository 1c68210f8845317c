import type { Update } from 'grammy/types';
import type { Log } from '../../../log/log.ts';
import { createOverloadCheck } from '../../limits.ts';
import type { UpdateLedger } from '../api/update-ledger.ts';

/** Thrown when the adapter stops: the update does not count as handled. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** The last resort: the limits per person and per chat normally stay far below it. */
const MOST_IN_PROGRESS = 2_000;

/** `aborted`, `full`: Telegram must deliver it again. */
type Outcome = 'handled' | 'aborted' | 'full';

/** Where updates from polling and the webhook go. */
export interface Intake {
  /** Resolves when Telegram need not deliver the update again: it was handled or stored, now or before. */
  take(update: Update): Promise<Outcome>;
  /** Stores these, so that they may be confirmed to Telegram before they are handled. False: there is no room for some. */
  keep(updates: readonly Update[]): Promise<boolean>;
  /** Telegram will not deliver updates below this id again. */
  confirmed(below: number): void;
  /** Handles what is stored. */
  resume(): Promise<void>;
  /** Begins with what others have stored meanwhile. */
  look(): Promise<void>;
  /** Why nothing more is accepted for now. */
  overload(): string | undefined;
  /** Resolves when nothing is in progress. */
  idle(): Promise<void>;
  /** Deletes this person's updates that are stored and not handled. */
  forget(person: number): Promise<void>;
}

/** For a store of one process: handles each update before it is stored at all, and records that it was handled. */
export function createIntake(options: {
  readonly ledger: UpdateLedger;
  readonly log: Log;
  /** `kept`: an earlier process stored it, so it must not be refused. */
  readonly handle: (update: Update, kept: boolean) => Promise<void>;
}): Intake {
  const { ledger, log } = options;
  const inProgress = new Map<number, Promise<Outcome>>();
  const recording = new Set<Promise<void>>();

  const overload = createOverloadCheck(
    `Telegram: ${MOST_IN_PROGRESS} updates are in progress; no more are accepted until some of them are done.`,
    () => inProgress.size > MOST_IN_PROGRESS,
    (reason) => log.warn(reason),
  );

  const work = async (update: Update, kept: boolean): Promise<Outcome> => {
    const id = update.update_id;
    try {
      if (await ledger.isHandled(id)) return 'handled';
    } catch (error) {
      log.error({ err: error, update: id }, 'unknown whether this update was handled before; handling it');
    }
    try {
      await options.handle(update, kept);
    } catch (error) {
      if (error instanceof Stopped) return 'aborted';
      log.error({ err: error, update: id }, 'an update could not be handled; giving up');
    }
    // Not awaited: once it is confirmed to Telegram, it need not be stored at all.
    const recorded = ledger.handled(id).catch((error: unknown) => {
      log.error({ err: error, update: id }, 'a handled update could not be recorded');
    });
    recording.add(recorded);
    void recorded.then(() => recording.delete(recorded));
    return 'handled';
  };

  const begin = (update: Update, kept: boolean): Promise<Outcome> => {
    const id = update.update_id;
    const known = inProgress.get(id);
    if (known) return known;
    const handled = work(update, kept).finally(() => inProgress.delete(id));
    inProgress.set(id, handled);
    return handled;
  };

  return {
    take: (update) => begin(update, false),
    async keep(updates) {
      await ledger.keep(updates);
      return true;
    },
    confirmed: ledger.confirmed,
    async resume() {
      for (const update of await ledger.kept()) void begin(update, true);
    },
    look: async () => undefined,
    overload,
    forget: ledger.forget,
    async idle() {
      while (inProgress.size + recording.size > 0)
        await Promise.allSettled([...inProgress.values(), ...recording]);
    },
  };
}
