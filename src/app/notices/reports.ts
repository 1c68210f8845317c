import { keepLatest } from '../../base/keep-latest.ts';
import { cardTitle } from '../../cards/card.ts';
import type { Incoming } from '../../command/desk.ts';
import { type Caller, personKey } from '../../command/place.ts';
import type { View } from '../../command/view.ts';
import type { Audit } from '../../community/rules/audit.ts';
import type { Job } from '../../orchestrator/job/job.ts';
import { wordsFor } from '../../words/words.ts';
import type { Outgoing } from '../platforms/outgoing.ts';
import type { LogChannel } from './log-channel.ts';

/** Repeated reports by one person about one result are dropped: the button must not flood a channel. */
const MOST_REMEMBERED = 5_000;

/** Sends a report to the community's log channel; if there is none, to the owners on that platform. */
export function createReports(
  outgoing: Outgoing,
  channel: LogChannel,
  audit: Audit,
  owners: readonly Caller[],
) {
  const known = new Set<string>();

  const isNew = (report: string): boolean => {
    if (known.has(report)) return false;
    known.add(report);
    keepLatest(known, MOST_REMEMBERED);
    return true;
  };

  return async (job: Job, { caller }: Incoming): Promise<void> => {
    const report = `${job.id} ${personKey(caller)}`;
    if (!isNew(report)) return;
    const words = wordsFor('en');
    const shown = job.shared?.card ?? job.card;
    const link = shown && outgoing.adapter(shown.platform)?.link?.(shown, job.place);
    // No prompts, and no filter of a private job: others read the log channel.
    const isSecret = (job.private && job.shared === undefined) || 'prompt' in job.request;
    const view: View = {
      tone: 'failed',
      title: words.notes.reportTitle,
      lines: [
        isSecret ? words.kinds[job.request.kind] : cardTitle(job, words),
        words.notes.reportedBy(caller.name),
        words.notes.madeBy(job.caller.name),
        ...(link === undefined ? [] : [[{ link: words.notes.openMessage, url: link }]]),
      ],
    };
    try {
      await audit.note(caller, job.place, 'job.report', { job: job.id });
    } catch (error) {
      known.delete(report);
      throw error;
    }
    // If the channel fails, the owners get the report.
    if (await channel.post(job.place.community, view).catch(() => false)) return;
    const near = owners.filter((owner) => owner.platform === job.place.platform);
    await Promise.allSettled(near.map((owner) => outgoing.say({ caller: owner }, view)));
  };
}
