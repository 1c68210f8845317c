import { type Clock, MINUTE_MS } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { keepLatest } from '../../base/keep-latest.ts';
import { cardTitle } from '../../cards/card.ts';
import type { Incoming } from '../../command/desk.ts';
import { personKey } from '../../command/place.ts';
import { REPORT_DECISIONS } from '../../command/reports-port.ts';
import { textsOf } from '../../command/request.ts';
import { shorten } from '../../command/shorten.ts';
import type { Line, View } from '../../command/view.ts';
import type { Audit } from '../../community/rules/audit.ts';
import type { Report, ReportRecords } from '../../community/rules/report-records.ts';
import { kindName } from '../../kinds/kinds.ts';
import type { Job } from '../../orchestrator/job/job.ts';
import type { Words } from '../../words/words.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';
import type { LogChannel } from './log-channel.ts';
import type { Owners } from './owners.ts';

/** Repeated reports by one person about one result are dropped for a minute, and for good once one was told. */
const MOST_REMEMBERED = 5_000;
const LONGEST_NAME = 100;

/** The message about a report: with buttons until it is decided, then with the decision. */
export function drawReport(report: Report, id: string, words: Words, by?: Line): View {
  const { what, maker, link, decided } = report;
  const lines: readonly Line[] = [
    what,
    ...(by === undefined ? [] : [by]),
    words.notes.madeBy(maker.name),
    ...(link === undefined ? [] : [[{ link: words.notes.openMessage, url: link }]]),
  ];
  const title = words.notes.reportTitle;
  if (decided !== undefined)
    return { tone: 'info', title, lines: [...lines, words.report.decided[decided.what](decided.by)] };
  const buttons = REPORT_DECISIONS.map((decision) => ({
    action: `report-${decision}:${id}`,
    label: words.report.buttons[decision],
    ...(decision === 'dismiss' ? {} : { style: 'danger' as const }),
  }));
  return { tone: 'failed', title, lines, buttons: [buttons] };
}

/** Sends a report to the community's log channel; if there is none, to the owners on that platform. */
export function createReports(parts: {
  readonly clock: Clock;
  readonly platforms: Pick<PlatformRegistry, 'of' | 'say'>;
  readonly owners: Pick<Owners, 'people' | 'words'>;
  /** In the language of the community's log channel. */
  readonly wordsIn: (community: string) => Promise<Words>;
  readonly audit: Pick<Audit, 'note'>;
  readonly channel: LogChannel;
  readonly reports: Pick<ReportRecords, 'add' | 'remove'>;
}) {
  const { clock, platforms, channel, audit, reports, owners, wordsIn } = parts;
  /** If the channel fails, or there is none. */
  const tellOwners = async ({ place }: Job, view: View): Promise<boolean> => {
    const near = owners.people.filter((owner) => owner.platform === place.platform);
    const told = await Promise.allSettled(near.map((owner) => platforms.say({ caller: owner }, view)));
    return told.some((each) => each.status === 'fulfilled' && each.value.state === 'drawn');
  };

  const report = async (job: Job, { caller, pressed }: Incoming): Promise<boolean> => {
    const message = pressed ?? job.shared?.card ?? job.card;
    const link = message && platforms.of(message.platform)?.link?.(message, job.place);
    // No prompts, and no filter of a private job: others read the log channel.
    const isSecret = (job.private && job.shared === undefined) || textsOf(job.request).length > 0;
    const words = await wordsIn(job.place.community);
    const made: Report = {
      job: job.id,
      place: job.place,
      at: clock.now(),
      maker: { id: job.caller.id, name: shorten(job.caller.name, LONGEST_NAME) },
      what: isSecret ? kindName(job.request.kind, words) : cardTitle(job, words),
      ...defined({ link, message }),
    };
    await audit.note(caller, job.place, 'job.report', { job: job.id });
    const id = await reports.add(made);
    // There are enough messages about this result.
    if (id === undefined) return true;
    let isTold = false;
    try {
      const viewIn = (language: Words): View =>
        drawReport(made, id, language, language.notes.reportedBy(shorten(caller.name, LONGEST_NAME)));
      isTold =
        (await channel.post(job.place.community, viewIn(words)).catch(() => false)) ||
        (await tellOwners(job, viewIn(owners.words)));
      return isTold;
    } finally {
      if (!isTold) await reports.remove(id).catch(() => undefined);
    }
  };

  /** By job and person. */
  const known = new Map<string, Promise<boolean>>();
  /** Returns whether a moderator or owner was notified: if not, it is only in the audit trail. */
  return (job: Job, by: Incoming): Promise<boolean> => {
    const key = `${job.id} ${personKey(by.caller)}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const reported = report(job, by);
    known.set(key, reported);
    keepLatest(known, MOST_REMEMBERED);
    const forget = (): void => void (known.get(key) === reported && known.delete(key));
    reported.then((isTold) => isTold || clock.after(MINUTE_MS, forget), forget);
    return reported;
  };
}
