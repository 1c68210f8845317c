import { createFairBudget, withSlot } from '../../base/limits/fair-budget.ts';
import { drawHeld } from '../../cards/card.ts';
import type { Incoming } from '../../command/desk.ts';
import type { HeldDecision, HeldPort } from '../../command/held-port.ts';
import { turnKey } from '../../command/place.ts';
import { note, type Reply } from '../../command/reply.ts';
import type { Audit } from '../../community/rules/audit.ts';
import type { CommunityRules } from '../../community/rules/community-rules.ts';
import type { Moderators, Permission } from '../../community/rules/moderators.ts';
import type { GenerationClient } from '../../generation-client/client.ts';
import type { HeldJob, Job } from '../../orchestrator/job/job.ts';
import type { Orchestrator } from '../../orchestrator/orchestrator.ts';
import { isMissing } from '../../orchestrator/steps/deliver.ts';
import type { ContentEvent } from '../../safety/content/check.ts';
import type { Words } from '../../words/words.ts';
import type { FitResult } from './orchestrator-ports.ts';
import type { TakeBack } from './take-back.ts';

/** Results are large and can be requested repeatedly: one at a time per person. */
const REFETCHES = { total: 2, perPerson: 1 };

const EVENTS: Readonly<Record<HeldDecision, ContentEvent>> = { show: 'shown', remove: 'removed' };

/** Results that wait for a moderator of the community in which they were asked for, or for an owner. */
export function createHeldPort(dependencies: {
  readonly orchestrator: Pick<Orchestrator, 'get' | 'decideHeld' | 'lookedAtHeld'>;
  readonly rules: Pick<CommunityRules, 'presentPlace'>;
  readonly moderators: Pick<Moderators, 'isOwner' | 'of'>;
  readonly audit: Pick<Audit, 'note'>;
  readonly client: Pick<GenerationClient, 'status'>;
  readonly fitResult: FitResult;
  readonly takeBack: Pick<TakeBack, 'begin'>;
  readonly counted: (event: ContentEvent) => void;
}) {
  const { orchestrator, rules, moderators, audit, client, fitResult, takeBack, counted } = dependencies;
  const refetches = createFairBudget(REFETCHES);

  return ({ caller, place }: Incoming, words: Words, permission: Permission): HeldPort => {
    /** The permission is that of the job's own place, wherever the button was pressed; a direct chat has owners alone. */
    const mayDecide = async (job: Job): Promise<boolean> => {
      if (moderators.isOwner(caller)) return true;
      const there = await rules.presentPlace(job.place);
      const isHere = there.community === place.community;
      return (isHere ? permission : moderators.of({ caller, place: there })).is();
    };
    /** The held job, or the answer to who may not decide about it. */
    const find = async (id: string): Promise<HeldJob | Reply> => {
      const found = await orchestrator.get(id);
      const job = found?.forget ? undefined : found;
      // Others do not learn whether there is such a job.
      const may = job === undefined ? permission.is() : mayDecide(job);
      if (!(await may)) return { kind: 'not-yours', text: words.gate.moderatorsOnly };
      if (job === undefined) return note(words.press.notFound);
      return job.state === 'held' ? job : note(words.held.decided);
    };
    const fetched = (job: HeldJob) =>
      withSlot(refetches, turnKey(caller), async () => {
        const { card: _, ...rest } = job;
        const report = await client.status({ endpoint: job.request.kind, id: job.serviceId });
        if (report.state !== 'completed') return undefined;
        await orchestrator.lookedAtHeld(job.id, report.output);
        // It has to fit into the chat where it is looked at.
        const here: Job = { ...rest, place: { ...job.place, platform: place.platform } };
        const media = await fitResult(here, report.output);
        return media === 'unusable' ? undefined : media;
      });

    return {
      async look(id) {
        const job = await find(id);
        if ('kind' in job) return job;
        await audit.note(caller, job.place, 'moderator.held-look', { job: id });
        const media = await fetched(job).catch((error: unknown) => (isMissing(error) ? undefined : 'away'));
        if (media === 'away') return note(words.held.away);
        if (media === undefined) return note(words.press.noResult);
        // What nobody is shown is stored in no chat either.
        const hidden = media.kind === 'link' ? media : ({ ...media, showsPhoto: true } as const);
        const view = drawHeld(job, words, { ...hidden, spoiler: true });
        return { kind: 'result', job: id, audience: 'caller', view };
      },
      async decide(id, decision) {
        const job = await find(id);
        if ('kind' in job) return job;
        await audit.note(caller, job.place, `moderator.held-${decision}`, { job: id });
        // What moderators looked at was for deciding alone: it is deleted some minutes later, because the pressed message shows the
        // answer. Stored before the decision, so that a kill between them loses nothing.
        await takeBack.begin(id);
        const found = await orchestrator.decideHeld(id, decision);
        if (!found?.isChanged) return note(words.held.decided);
        counted(EVENTS[decision]);
        const line = words.held[EVENTS[decision] === 'shown' ? 'shown' : 'removed'];
        return { kind: 'replace', view: { tone: 'done', title: words.held.title, lines: [line] } };
      },
    };
  };
}
