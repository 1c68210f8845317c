import type { Clock } from '../../base/clock.ts';
import type { Incoming } from '../../command/desk.ts';
import { type OverviewPort, WAITING_LISTS, type WaitingList } from '../../command/overview-port.ts';
import { note, type Reply } from '../../command/reply.ts';
import type { Button, View } from '../../command/view.ts';
import { entryAction, overviewButton, withEntryNumber } from '../../command/waiting-lists.ts';
import type { Config } from '../../config/config.ts';
import { dayOf } from '../../orchestrator/job/day.ts';
import type { Store } from '../../store/tables/store.ts';
import type { Words } from '../../words/words.ts';
import type { Communities } from '../community/open.ts';
import type { CommunityRecords } from '../community/records.ts';
import type { Figures } from '../figures/figures.ts';
import { monthCredits } from '../figures/month-credits.ts';
import type { openJobs } from '../jobs/open.ts';
import type { Notices } from '../notices/open.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';
import type { openRequests } from '../requests/open.ts';
import { drawOverview, MOST_ENTRIES, type Overview } from './draw-overview.ts';
import { createWaiting } from './waiting.ts';

/** What owners see of the whole program without the console: how it is doing, and what waits for them. */
export function openOverview(parts: {
  readonly config: Config;
  readonly store: Pick<Store, 'usage' | 'jobSearch'>;
  readonly figures: Pick<Figures, 'today'>;
  readonly platforms: PlatformRegistry;
  readonly records: Pick<CommunityRecords, 'approvals' | 'reports'>;
  readonly notices: Pick<Notices, 'owners'>;
  readonly communities: Pick<Communities, 'moderators'>;
  readonly jobs: Pick<ReturnType<typeof openJobs>, 'orchestrator'>;
  readonly requests: Pick<ReturnType<typeof openRequests>, 'all'>;
  readonly clock: Clock;
}) {
  const { config, store, figures, platforms, records, notices, communities, jobs, clock } = parts;
  const waiting = createWaiting({
    ...records,
    approvalNeeded: config.communities === 'approved',
    jobSearch: store.jobSearch,
    requests: parts.requests,
    platforms,
    now: clock.now,
  });

  const read = async (): Promise<Overview> => {
    const [today] = await store.usage.totalsOn([dayOf(clock.now())]);
    const counts = new Map<WaitingList, number>();
    for (const list of WAITING_LISTS) counts.set(list, (await waiting(list, MOST_ENTRIES + 1)).length);
    const countOf = (list: WaitingList): number => counts.get(list) ?? 0;
    return {
      today: await figures.today(),
      day: { credits: today?.credits ?? 0, most: config.ceilings.service },
      month: { credits: await monthCredits(store.usage, clock.now()), most: config.ceilings.month },
      price: config.creditPrice,
      now: await jobs.orchestrator.stats(),
      platforms: platforms.all().flatMap((each) => (each.trouble() === undefined ? [] : [each.platform])),
      waiting: {
        approvals: countOf('approvals'),
        reports: countOf('reports'),
        held: countOf('held'),
        requests: countOf('requests'),
      },
    };
  };

  return ({ caller, place }: Incoming, words: Words): OverviewPort => {
    const isForCaller = communities.moderators.isOwner(caller) && place.direct;
    const refused = (): Reply =>
      communities.moderators.isOwner(caller)
        ? note(words.press.notFound)
        : { kind: 'not-yours', text: words.approval.ownersOnly };
    /** The pressed message is in the presser's direct chat with the bot. */
    const replaced = (view: View): Reply => ({ kind: 'replace', view, evenIfOld: true });
    const back = async (): Promise<Reply> =>
      isForCaller ? replaced(drawOverview(await read(), words)) : refused();

    return {
      show: async () =>
        isForCaller
          ? { kind: 'message', audience: 'caller', view: drawOverview(await read(), words) }
          : undefined,
      back,
      async entry(list, number) {
        if (!isForCaller) return refused();
        const all = (await waiting(list, MOST_ENTRIES)).slice(0, MOST_ENTRIES);
        const shown = Math.min(number, all.length - 1);
        const draw = all[shown];
        if (draw === undefined) return back();
        // In the language of the notices, as the answers to decisions are.
        const owners = notices.owners.words;
        const turn = (to: number, label: string): readonly Button[] =>
          all[to] === undefined ? [] : [{ action: entryAction(list, to), label }];
        const view = withEntryNumber(draw(owners), shown);
        return replaced({
          ...view,
          lines: [
            ...view.lines,
            owners.owner.overview.entry(owners.owner.overview.lists[list], shown + 1, all.length),
          ],
          buttons: [
            ...(view.buttons ?? []),
            [...turn(shown - 1, '◀'), ...turn(shown + 1, '▶'), overviewButton(owners)],
          ],
        });
      },
    };
  };
}
