import type { Incoming } from '../../command/desk.ts';
import type { Place } from '../../command/place.ts';
import type { JobsPort, ReportDecision, ReportsPort } from '../../command/ports.ts';
import type { Reply } from '../../command/reply.ts';
import { shorten } from '../../command/shorten.ts';
import type { View } from '../../command/view.ts';
import type { Report, ReportRecords } from '../../community/rules/report-records.ts';
import type { Words } from '../../words/words.ts';
import { drawReport } from '../notices/reports.ts';
import { type CommunityParts, createSettingsPort } from './community-ports.ts';

export interface ReportsPortParts extends CommunityParts {
  readonly reports: ReportRecords;
  /** A message keeps its language, whoever decides. */
  readonly ownerWords: Words;
  /** Of messages in a community's log channel. */
  readonly wordsIn: (community: string) => Promise<Words>;
}

const LONGEST_NAME = 100;
const LONGEST_REASON = 200;

/** Moderators decide where the report is shown; owners also in a direct chat, for any community. */
export function createReportsPort(
  parts: ReportsPortParts,
  incoming: Incoming,
  words: Words,
  jobs: Pick<JobsPort, 'remove'>,
): ReportsPort {
  const { reports, rules, moderators, audit, orchestrator, outgoing } = parts;
  const { caller, place } = incoming;
  const note = (text: string): Reply => ({ kind: 'note', text });
  const replaced = (view: View): Reply => ({ kind: 'replace', view, moderated: true });

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
        const known = await orchestrator.get(job);
        if (message !== undefined) await outgoing.removeMessage(message);
        if (known === undefined || known.forget) return undefined;
        await jobs.remove(job);
        return 'done';
      }
      case 'block': {
        const reason = shorten(words.report.reason(title), LONGEST_REASON);
        await createSettingsPort(parts, { ...incoming, place: there }).block(maker.id, reason);
        return 'done';
      }
      case 'dismiss':
        await audit.note(caller, there, 'moderator.dismiss', { job });
        return 'done';
    }
  };

  return {
    async decide(id, what) {
      if (!(await moderators.is(caller, place)))
        return { kind: 'note', text: words.gate.moderatorsOnly, notYours: true };
      const found = await reports.find(id);
      const shownIn = place.direct ? parts.ownerWords : await parts.wordsIn(place.community);
      const there = found && (await placeOf(found));
      if (found !== undefined && there === undefined) return note(words.press.notFound);
      const decision = there && (await reports.decide(id, what, shorten(caller.name, LONGEST_NAME)));
      // Older than a month, or deleted with the data of the person who made the result.
      if (decision === undefined || there === undefined)
        return replaced({ tone: 'info', title: shownIn.notes.reportTitle, lines: [shownIn.report.expired] });
      const { report, isMine } = decision;
      if (!isMine && report.decided?.done) return replaced(drawReport(report, id, shownIn));
      if (!isMine) return note(words.report.busy(report.decided?.by ?? ''));
      let isDone = false;
      try {
        isDone = (await carryOut(what, report, there)) === 'done';
      } finally {
        // If this fails, too, somebody can decide again in a minute.
        if (!isDone) await reports.end(id, false).catch(() => undefined);
      }
      if (!isDone) return note(words.report.gone);
      await reports.end(id, true);
      return replaced(drawReport(report, id, shownIn));
    },
  };
}
