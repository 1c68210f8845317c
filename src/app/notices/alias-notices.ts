import type { Clock } from '../../base/clock.ts';
import type { CommunityErrorReason } from '../../community/community-error.ts';
import { explainCommunityError } from '../../community/explain-community-error.ts';
import type { Audit } from '../../community/rules/audit.ts';
import type { Log } from '../../log/log.ts';
import type { Job } from '../../orchestrator/job/job.ts';
import type { Words } from '../../words/words.ts';
import type { LogChannel } from './log-channel.ts';
import { createOnceAnHour } from './once-an-hour.ts';

/** A broken alias was used: writes an audit line each time, and posts to the log channel once an hour per alias. */
export function createAliasNotices(
  channel: Pick<LogChannel, 'post'>,
  audit: Pick<Audit, 'note'>,
  wordsIn: (community: string) => Promise<Words>,
  clock: Pick<Clock, 'now'>,
  log: Log,
) {
  const isNews = createOnceAnHour(clock);

  return ({ caller, place, id }: Job, name: string, reason: CommunityErrorReason): void => {
    audit
      .note(caller, place, `job.${reason.code}`, { job: id, name })
      .catch((error: unknown) => log.warn({ err: error }, 'an audit line could not be written'));
    if (!isNews(`${place.community} ${name}`)) return;
    wordsIn(place.community)
      .then((words) => explainCommunityError(reason, words))
      .then(({ message }) => channel.post(place.community, { tone: 'failed', lines: [message] }))
      .catch((error: unknown) => log.warn({ err: error }, 'the log channel could not be reached'));
  };
}
