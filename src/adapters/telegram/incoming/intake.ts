import type { Update } from 'grammy/types';
import { createOverloadCheck } from '../../../base/overload.ts';
import type { Log } from '../../../log/log.ts';
import type { UpdateLedger } from '../api/update-ledger.ts';

/** Thrown out of work that was called off because we are stopping: it is not handled, and must not count as such. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/**
 * Far above what the bounds per chat and per person let through in ordinary times: the last resort, when very many of them
 * are busy at once.
 */
const mostInProgress = 2_000;

/** Everything that arrives passes here, whichever way it came: handled once, and written down when it was. */
export interface Intake {
  /** Handling begins now, or is under way, or is long over. Settles when the update needs no more attention. */
  take(update: Update): Promise<'handled' | 'called off'>;
  /** These may be confirmed to Telegram before they were handled. */
  keep(updates: readonly Update[]): Promise<void>;
  /** Telegram has been told, and has taken note, that everything below this number is done. */
  confirmed(below: number): void;
  /** Takes up what a former process kept. */
  resume(): Promise<void>;
  /** Why nothing more is taken for now; whoever delivers waits as long as there is a reason. */
  overload(): string | undefined;
  /** Settles when nothing is in hand any more. */
  idle(): Promise<void>;
}

export const createIntake = (options: {
  readonly ledger: UpdateLedger;
  readonly log: Log;
  /** `kept`: a former process had taken it over, so that it must not be refused. */
  readonly handle: (update: Update, kept: boolean) => Promise<void>;
}): Intake => {
  const { ledger, log } = options;
  const inHand = new Map<number, Promise<'handled' | 'called off'>>();

  const noting = new Set<Promise<void>>();

  const overload = createOverloadCheck(
    `Telegram: ${mostInProgress} updates are in progress; no more are accepted until some of them are done.`,
    () => inHand.size > mostInProgress,
    (reason) => log.warn(reason),
  );

  const work = async (update: Update, kept: boolean): Promise<'handled' | 'called off'> => {
    const id = update.update_id;
    try {
      if (await ledger.isHandled(id)) return 'handled';
    } catch (error) {
      log.error({ err: error, update: id }, 'unknown whether this update was handled before; handling it');
    }
    try {
      await options.handle(update, kept);
    } catch (error) {
      if (error instanceof Stopped) return 'called off';
      log.error({ err: error, update: id }, 'an update could not be handled; giving up');
    }
    // Not waited for: it is confirmed to Telegram meanwhile, and then need not be written down at all.
    const noted = ledger.handled(id).catch((error: unknown) => {
      log.error({ err: error, update: id }, 'a handled update could not be recorded');
    });
    noting.add(noted);
    void noted.then(() => noting.delete(noted));
    return 'handled';
  };

  const begin = (update: Update, kept: boolean): ReturnType<Intake['take']> => {
    const id = update.update_id;
    const known = inHand.get(id);
    if (known) return known;
    const mine = work(update, kept).finally(() => inHand.delete(id));
    inHand.set(id, mine);
    return mine;
  };

  return {
    take: (update) => begin(update, false),
    // What was finished in the meantime needs no keeping.
    keep: (updates) => ledger.keep(updates.filter((update) => inHand.has(update.update_id))),
    confirmed: (below) => ledger.confirmed(below),
    async resume() {
      for (const update of await ledger.kept()) void begin(update, true);
    },
    overload,
    async idle() {
      while (inHand.size + noting.size > 0) await Promise.allSettled([...inHand.values(), ...noting]);
    },
  };
};
