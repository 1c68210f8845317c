import type { Incoming } from '../../command/desk.ts';
import type { JobsPort } from '../../command/jobs-port.ts';
import type { Place } from '../../command/place.ts';
import { note, type Reply } from '../../command/reply.ts';
import type { ReportDecision, ReportsPort } from '../../command/reports-port.ts';
import type { SettingsPort } from '../../command/settings-port.ts';
import { shorten } from '../../command/shorten.ts';
import type { View } from '../../command/view.ts';
import type { Audit } from '../../community/rules/audit.ts';
import type { CommunityRules } from '../../community/rules/community-rules.ts';
import type { Permission } from '../../community/rules/moderators.ts';
import type { Report, ReportRecords } from '../../community/rules/report-records.ts';
import type { Words } from '../../words/words.ts';
import { drawReport } from '../notices/reports.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';

const LONGEST_NAME = 100;
const LONGEST_REASON = 200;

/** Moderators decide where the report is shown; owners also in a direct chat, for any community. */
export function createReportsPort(parts: {
  readonly rules: Pick<CommunityRules, 'present'>;
  readonly audit: Pick<Audit, 'note'>;
  readonly platforms: Pick<PlatformRegistry, 'removeMessage'>;
  readonly reports: ReportRecords;
  readonly settings: (incoming: Incoming, permission?: Permission) => Pick<SettingsPort, 'block'>;
  readonly jobs: (incoming: Incoming, words: Words) => Pick<JobsPort, 'find'>;
  readonly ownerWords: Words;
  /** In the language of the community's log channel. */
  readonly wordsIn: (community: string) => Promise<Words>;
}) {
  const { rules, audit, platforms, reports, settings, jobs, ownerWords, wordsIn } = parts;
  return (incoming: Incoming, words: Words, permission: Permission): ReportsPort => {
    const { caller, place } = incoming;
    const replaced = (view: View): Reply => ({ kind: 'replace', view, evenIfOld: true });

    /** Where the decision takes effect; undefined: not here. */
    const placeOf = async (report: Report): Promise<Place | undefined> => {
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
          // In a direct chat this permission is an owner's, who may everywhere.
          await settings({ ...incoming, place: there }, permission).block(maker.id, reason);
          return 'done';
        }
        case 'dismiss':
          await audit.note(caller, there, 'moderator.dismiss', { job });
          return 'done';
      }
    };

    return {
      async decide(id, what) {
        if (!(await permission.is())) return { kind: 'not-yours', text: words.gate.moderatorsOnly };
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
