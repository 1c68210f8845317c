import type { Clock } from '../../base/clock.ts';
import type { Caller } from '../../command/place.ts';
import type { Log } from '../../log/log.ts';
import type { OwnersTrouble } from '../../orchestrator/job/failure.ts';
import type { Egress } from '../platforms/outgoing.ts';
import { createOnceAnHour } from './once-an-hour.ts';

const texts = {
  'service-credentials':
    'The generation service refuses the credentials (401 or 403). Check GENERATION_API_KEY and GENERATION_TOKEN; `npm run doctor` tells which.',
  'service-credits': 'The generation service says that its credits are used up (402). Add credits there.',
  'service-address':
    'The address of the generation service answers with a redirect. Set GENERATION_URL to the address that it leads to (https for http, for one), or let this machine past the login page that stands before it; `npm run doctor` tries it.',
  'discord-sessions':
    'Discord lets this bot connect only a few more times today, so it waits before it connects again. Something closes its connections: look for a second program with the same DISCORD_TOKEN, and into the log.',
  store:
    'Nothing can be written to the store, so no job is accepted and none goes on. The log and /readyz say why: the disk is full or fails, or the file was removed, replaced or damaged.',
  'damaged-records':
    'Some records in the store cannot be read. They were set aside (table `damaged`), and everything else goes on; the log says which. If you do not know why, check the disk. A backup has the records as they were.',
} as const satisfies Record<Trouble, string>;

type Trouble = OwnersTrouble['code'] | 'discord-sessions' | 'store' | 'damaged-records';

export type OwnerNotice = (trouble: Trouble) => void;

/** What only the owner can put right reaches the owner: in the log, and once an hour by direct message. */
export const createOwnerNotices = (
  owners: readonly Caller[],
  egress: Egress,
  clock: Clock,
  log: Log,
): OwnerNotice => {
  const isNews = createOnceAnHour(clock);

  return (trouble) => {
    if (!isNews(trouble)) return;
    log.error({ trouble }, texts[trouble]);
    for (const caller of owners) {
      egress
        .say({ caller }, { tone: 'failed', lines: [texts[trouble]] })
        .catch((error: unknown) => log.warn({ err: error }, 'an owner could not be told'));
    }
  };
};
