import type { Clock } from '../../base/clock.ts';
import type { Caller } from '../../command/place.ts';
import type { Log } from '../../log/log.ts';
import { dayEnd } from '../../orchestrator/job/day.ts';
import { lengthOfTime } from '../../words/time.ts';
import { languages, type OwnerTrouble, type Words } from '../../words/words.ts';
import type { Outgoing } from '../platforms/outgoing.ts';
import { createOnceAnHour } from './once-an-hour.ts';

/** Reserved credits are among those that are used. */
export interface Ceiling {
  readonly used: number;
  readonly most: number;
}

/** `error`: the store's error. `ceiling`: the one for everybody together. */
export type OwnerNotice = (trouble: OwnerTrouble, error?: unknown, ceiling?: Ceiling) => void;

/** Problems that only the owner can fix: logged in English, and sent by direct message, each once an hour. */
export function createOwnerNotices(
  owners: readonly Caller[],
  words: Words,
  outgoing: Pick<Outgoing, 'say'>,
  clock: Pick<Clock, 'now'>,
  log: Pick<Log, 'error' | 'warn'>,
  storeTrouble: (error: unknown) => string,
): OwnerNotice {
  const isNews = createOnceAnHour(clock);

  return (trouble, error, ceiling) => {
    if (!isNews(trouble)) return;
    const now = clock.now();
    const textIn = ({ owner }: Words): string => {
      const text = owner.notices[trouble];
      if (ceiling !== undefined)
        return `${text} ${owner.ceilingUsed(ceiling.used, ceiling.most, lengthOfTime(dayEnd(now) - now))}`;
      return trouble === 'store' ? `${text} ${owner.reason(storeTrouble(error))}` : text;
    };
    log.error({ trouble }, textIn(languages.en));
    for (const caller of owners) {
      outgoing
        .say({ caller }, { tone: 'failed', lines: [textIn(words)] })
        .catch((failure: unknown) => log.warn({ err: failure }, 'an owner could not be notified'));
    }
  };
}
