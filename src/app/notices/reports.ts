import { MINUTE_MS } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { keepLatest } from '../../base/keep-latest.ts';
import { cardTitle } from '../../cards/card.ts';
import type { Incoming } from '../../command/desk.ts';
import type { JobsPort } from '../../command/jobs-port.ts';
import { type Place, personKey } from '../../command/place.ts';
import { note, type Reply } from '../../command/reply.ts';
import { REPORT_DECISIONS, type ReportDecision, type ReportsPort } from '../../command/reports-port.ts';
import { textsOf } from '../../command/request.ts';
import type { SettingsPort } from '../../command/settings-port.ts';
import { shorten } from '../../command/shorten.ts';
import type { Line, View } from '../../command/view.ts';
import type { Report, ReportRecords } from '../../community/rules/report-records.ts';
import type { Job } from '../../orchestrator/job/job.ts';
import type { Words } from '../../words/words.ts';
import type { Services } from '../platforms/services.ts';
import type { LogChannel } from './log-channel.ts';

/** Repeated reports by one person about one result are dropped for a minute, and for good once one was told. */
const MOST_REMEMBERED = 5_000;
const LONGEST_NAME = 100;
const LONGEST_REASON = 200;

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
export function createReports(
  parts: Pick<Services, 'clock' | 'platforms' | 'owners' | 'ownerWords' | 'wordsIn'> & {
    readonly audit: Pick<Services['audit'], 'note'>;
    readonly channel: LogChannel;
    readonly reports: Pick<ReportRecords, 'add' | 'remove'>;
  },
) {
  const { clock, platforms, channel, audit, reports, owners, ownerWords, wordsIn } = parts;
  /** If the channel fails, or there is none. */
  const tellOwners = async ({ place }: Job, view: View): Promise<boolean> => {
    const near = owners.filter((owner) => owner.platform === place.platform);
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
      maker: { id: job.caller.id, name: shorten(job.caller.name, LONGEST_NAME) },
      what: isSecret ? words.kinds[job.request.kind] : cardTitle(job, words),
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
        (await tellOwners(job, viewIn(ownerWords)));
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

/** Moderators decide where the report is shown; owners also in a direct chat, for any community. */
export function createReportDecisions(
  services: Services,
  reports: ReportRecords,
  settings: (incoming: Incoming) => Pick<SettingsPort, 'block'>,
  jobs: (incoming: Incoming, words: Words) => Pick<JobsPort, 'find'>,
) {
  const { rules, moderators, audit, platforms, ownerWords, wordsIn } = services;
  return (incoming: Incoming, words: Words): ReportsPort => {
    const { caller, place } = incoming;
    const replaced = (view: View): Reply => ({ kind: 'replace', view, evenIfOld: true });

    /** Where the decision takes effect; undefined: not here. */
    const placeOf = async (report: Report): Promise<Place | undefined> => {
      if (report.place.platform !== place.platform) return undefined;
      const community = await rules.present(report.place.community);
      if (place.direct) return { ...report.place, community };
      return community === place.community ? place : undefined;
    };

    /** Undefined: there is nothing to remove any more. */
    const carryOut = async (
      what: ReportDecision,
      { job, maker, what: title, message }: Report,
      there: Place,
    ): Promise<'done' | undefined> => {
      switch (what) {
        case 'remove': {
          const known = await jobs(incoming, words).find(job);
          if (message !== undefined) await platforms.removeMessage(message);
          return known && (await known.remove()) && 'done';
        }
        case 'block': {
          const reason = shorten(words.report.reason(title), LONGEST_REASON);
          await settings(there === place ? incoming : { ...incoming, place: there }).block(maker.id, reason);
          return 'done';
        }
        case 'dismiss':
          await audit.note(caller, there, 'moderator.dismiss', { job });
          return 'done';
      }
    };

    return {
      async decide(id, what) {
        if (!(await moderators.is(incoming))) return { kind: 'not-yours', text: words.gate.moderatorsOnly };
        const found = await reports.find(id);
        // A message keeps its language, even if the person who decides has another.
        const shownIn = place.direct ? ownerWords : await wordsIn(place.community);
        const there = found && (await placeOf(found));
        if (found !== undefined && there === undefined) return note(words.press.notFound);
        const decision = there && (await reports.decide(id, what, shorten(caller.name, LONGEST_NAME)));
        // Older than a month, or deleted with the data of the person who made the result.
        if (decision === undefined || there === undefined)
          return replaced({
            tone: 'info',
            title: shownIn.notes.reportTitle,
            lines: [shownIn.report.expired],
          });
        const { report, isMine } = decision;
        if (!isMine && report.decided?.done) return replaced(drawReport(report, id, shownIn));
        if (!isMine) return note(words.report.busy(report.decided?.by ?? ''));
        let isDone = false;
        try {
          isDone = (await carryOut(what, report, there)) === 'done';
        } finally {
          // If this fails, too, a moderator can decide again in a minute.
          if (!isDone) await reports.end(id, false).catch(() => undefined);
        }
        if (!isDone) return note(words.report.gone);
        await reports.end(id, true);
        return replaced(drawReport(report, id, shownIn));
      },
    };
  };
}
