import type { Update } from 'grammy/types';
import { createOverloadCheck } from '../../../base/overload.ts';
import type { Log } from '../../../log/log.ts';
import type { UpdateLedger } from '../api/update-ledger.ts';

/** Thrown when the adapter stops: the update does not count as handled. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** The last resort: the limits per person and per chat normally stay far below it. */
const MOST_IN_PROGRESS = 2_000;

type Outcome = 'handled' | 'aborted';

/** Handles each update once, from polling or the webhook, and records that it was handled. */
export function createIntake(options: {
  readonly ledger: UpdateLedger;
  readonly log: Log;
  /** `kept`: an earlier process stored it, so it must not be refused. */
  readonly handle: (update: Update, kept: boolean) => Promise<void>;
}) {
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
    /** Resolves when the update was handled, now or before. */
    take: (update: Update) => begin(update, false),
    /** Stores these, so that they may be confirmed to Telegram before they are handled; those handled meanwhile need not be. */
    keep: (updates: readonly Update[]) =>
      ledger.keep(updates.filter((update) => inProgress.has(update.update_id))),
    confirmed: ledger.confirmed,
    /** Handles what an earlier process stored. */
    async resume(): Promise<void> {
      for (const update of await ledger.kept()) void begin(update, true);
    },
    /** Why nothing more is accepted for now. */
    overload,
    /** Resolves when nothing is in progress. */
    async idle(): Promise<void> {
      while (inProgress.size + recording.size > 0)
        await Promise.allSettled([...inProgress.values(), ...recording]);
    },
  };
}

export type Intake = ReturnType<typeof createIntake>;
