import type { Clock } from '../../base/clock.ts';
import type { Caller } from '../../command/place.ts';
import type { Log } from '../../log/log.ts';
import { dayEnd } from '../../orchestrator/job/day.ts';
import type { OwnersTrouble } from '../../orchestrator/job/failure.ts';
import { lengthOfTime } from '../../words/time.ts';
import type { Outgoing } from '../platforms/outgoing.ts';
import { createOnceAnHour } from './once-an-hour.ts';

const TEXTS = {
  'service-credentials':
    'The generation service refuses the credentials (401 or 403). Check GENERATION_API_KEY and GENERATION_TOKEN; `npm run doctor` shows which.',
  'service-credits': 'The generation service has run out of credits (402). Add credits there.',
  'service-address':
    'The generation service answers with a redirect. Set GENERATION_URL to the address it redirects to (for example https instead of http), or let this machine past the login page in front of it; `npm run doctor` checks it.',
  'service-ceiling-near':
    'Of the credits of today (SERVICE_DAILY_CREDITS), 80 % or more are used. When they are gone, new jobs are refused until 00:00 UTC; to allow more, set a higher number and restart.',
  'service-ceiling':
    'The credits of today (SERVICE_DAILY_CREDITS) are used up: new jobs that need more than is left are refused until 00:00 UTC. What is under way goes on. To allow more, set a higher number and restart.',
  'faces-full':
    'Saved faces take 4 GB of the store, which is the most: nobody can save more (/face save). Those that are saved keep working; one that is not used for a year is deleted.',
  store: 'The store is not writable, so no job is accepted or continued until it is:',
  'damaged-records':
    'Some records in the store cannot be read. They were set aside (table `damaged`); everything else works. The log lists them. If you do not know the cause, check the disk. A backup has the records as they were.',
} as const satisfies Record<Trouble, string>;

type Trouble =
  | OwnersTrouble['code']
  | 'service-ceiling-near'
  | 'service-ceiling'
  | 'faces-full'
  | 'store'
  | 'damaged-records';

/** Reserved credits are among those that are used. */
export interface Ceiling {
  readonly used: number;
  readonly most: number;
}

/** `error`: of the store. `ceiling`: of everybody together. */
export type OwnerNotice = (trouble: Trouble, error?: unknown, ceiling?: Ceiling) => void;

/** Problems that only the owner can fix: logged, and sent by direct message, each once an hour. */
export function createOwnerNotices(
  owners: readonly Caller[],
  outgoing: Outgoing,
  clock: Clock,
  log: Log,
  storeTrouble: (error: unknown) => string,
) {
  const isNews = createOnceAnHour(clock);

  const figures = ({ used, most }: Ceiling): string => {
    const now = clock.now();
    return `Used by all communities together: ${used} of ${most}. Midnight is in ${lengthOfTime(dayEnd(now) - now)}.`;
  };

  const tellOwners = (trouble: string, text: string): void => {
    if (!isNews(trouble)) return;
    log.error({ trouble }, text);
    for (const caller of owners) {
      outgoing
        .say({ caller }, { tone: 'failed', lines: [text] })
        .catch((error: unknown) => log.warn({ err: error }, 'an owner could not be notified'));
    }
  };
  const ownerNotice: OwnerNotice = (trouble, error, ceiling) => {
    const detail = ceiling ? figures(ceiling) : trouble === 'store' ? storeTrouble(error) : '';
    tellOwners(trouble, `${TEXTS[trouble]} ${detail}`.trim());
  };
  return { ownerNotice, tellOwners };
}
