import { cardTitle } from '../cards/card.ts';
import type { Incoming } from '../command/desk.ts';
import type { Caller } from '../command/place.ts';
import type { View } from '../command/view.ts';
import type { Audit } from '../community/audit.ts';
import type { Job } from '../orchestrator/job.ts';
import { wordsFor } from '../words/words.ts';
import type { Egress } from './egress.ts';
import type { LogChannel } from './log-channel.ts';

/** A reported result reaches the community's log channel with a link; without one, the owners of that platform. */
export const createReports =
  (egress: Egress, channel: LogChannel, audit: Audit, owners: readonly Caller[]) =>
  async (job: Job, { caller }: Incoming): Promise<void> => {
    const words = wordsFor('en');
    const link = job.card && egress.adapter(job.card.platform)?.link?.(job.card);
    const view: View = {
      tone: 'failed',
      title: words.notes.reportTitle,
      lines: [
        cardTitle(job, words),
        words.notes.reportedBy(caller.name),
        words.notes.madeBy(job.caller.name),
        ...(link === undefined ? [] : [[{ link: words.notes.openMessage, url: link }]]),
      ],
    };
    audit.note(caller, job.place, 'job.report', { job: job.id });
    if (await channel.post(job.place.community, view)) return;
    const near = owners.filter((owner) => owner.platform === job.place.platform);
    await Promise.allSettled(near.map((owner) => egress.say({ caller: owner }, view)));
  };
