import { type Clock, sleep } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { createFairBudget, withSlot } from '../../base/fair-budget.ts';
import { drawCard } from '../../cards/card.ts';
import { isOpenIn } from '../../command/desk/check-press.ts';
import type { Incoming } from '../../command/desk.ts';
import { personKey } from '../../command/place.ts';
import type { JobSummary, JobsPort } from '../../command/ports.ts';
import type { Reply } from '../../command/reply.ts';
import type { Media } from '../../command/view.ts';
import type { Audit } from '../../community/rules/audit.ts';
import type { GenerationOutput } from '../../generation-client/result/status-report.ts';
import type { DoneJob, Job } from '../../orchestrator/job/job.ts';
import type { Orchestrator } from '../../orchestrator/orchestrator.ts';
import type { Words } from '../../words/words.ts';
import type { Outgoing } from '../platforms/outgoing.ts';
import type { FitResult } from './orchestrator-ports.ts';

export function summary(job: Job): JobSummary {
  return {
    id: job.id,
    state: job.state,
    kind: job.request.kind,
    label: job.label,
    credits: job.credits,
    createdAt: job.createdAt,
    ...defined({ finishedAt: job.finishedAt }),
    owner: personKey(job.caller),
    community: job.place.community,
    channel: job.place.channel,
    private: job.private,
    picture: job.result !== undefined,
  };
}

export interface JobsPortParts {
  readonly orchestrator: Orchestrator;
  readonly outgoing: Outgoing;
  readonly audit: Audit;
  readonly clock: Clock;
  /** Fetches the result again, while the service still has it. */
  readonly resultOf: (job: DoneJob) => Promise<GenerationOutput | undefined>;
  readonly fitResult: FitResult;
  readonly reported: (job: Job, by: Incoming) => Promise<void>;
}

/** Results are large and can be requested repeatedly: one at a time per person. */
const fetching = createFairBudget({ total: 4, perPerson: 1 });

/** The desk has checked that the person may press before any of these is called. */
export function createJobsPort(parts: JobsPortParts, incoming: Incoming, words: Words): JobsPort {
  const { orchestrator, outgoing, audit } = parts;
  /** Lines about one's own jobs are erased with the person; a moderator's are kept. */
  const note = (job: Job, action: 'cancel' | 'delete'): Promise<void> => {
    const own = personKey(job.caller) === personKey(incoming.caller);
    return audit.note(incoming.caller, job.place, `${own ? 'job' : 'moderator'}.${action}`, { job: job.id });
  };
  const missing: Reply = { kind: 'note', text: words.press.notFound };

  const mediaOf = async (job: Job): Promise<Media | undefined> => {
    if (job.state !== 'done') return undefined;
    return withSlot(fetching, personKey(incoming.caller), async () => {
      const output = await parts.resultOf(job).catch(() => undefined);
      // Fitted to the limits of the chat where it is shown now.
      const here = incoming.answer === undefined ? job : { ...job, card: incoming.answer };
      const media = output && (await parts.fitResult(here, output).catch(() => 'unusable' as const));
      return media === 'unusable' ? undefined : media;
    });
  };

  /** A message is visible a moment before its record is updated: a press in between waits for the record. */
  const soon = async (id: string, isAwaited: (job: Job) => boolean): Promise<Job | undefined> => {
    for (let tries = 0; tries < 10; tries += 1) {
      const job = await orchestrator.get(id);
      if (job === undefined || !isAwaited(job)) return job;
      await sleep(parts.clock, 100);
    }
    return orchestrator.get(id);
  };

  /**
   * Whether the pressed message is not the job's card: a copy, or one sent earlier whose response was lost. If the job has
   * no card yet, the pressed message becomes it.
   */
  const isCopy = async (job: Job): Promise<boolean> => {
    const { pressed } = incoming;
    if (pressed === undefined) return false;
    const card = job.card ?? (await soon(job.id, (latest) => latest.card === undefined))?.card;
    if (card === undefined) await orchestrator.shown(job.id, pressed);
    return card !== undefined && !outgoing.isSame(card, pressed);
  };

  return {
    mine: async (limit) => {
      const all = await orchestrator.mine(personKey(incoming.caller), limit);
      return all.filter((job) => !job.forget).map(summary);
    },
    async show(id) {
      const job = await orchestrator.get(id);
      if (job === undefined) return missing;
      const view = drawCard(job, await orchestrator.jobStatus(job), words, await mediaOf(job));
      return { kind: 'message', view, private: !isOpenIn(summary(job), incoming.place) };
    },
    async cancel(id) {
      const cancellation = await orchestrator.cancel(id);
      if (cancellation === undefined) return missing;
      const { job, isNew } = cancellation;
      if (isNew) await note(job, 'cancel');
      const text = isNew ? words.notes.cancelled : words.notes.ended;
      return (await isCopy(job)) ? { kind: 'remove', note: text } : { kind: 'note', text };
    },
    request: async (id) => (await orchestrator.get(id))?.request,
    resultPhoto: async (id) => (await soon(id, ({ state }) => state === 'delivering'))?.result,
    async remove(id) {
      const job = await orchestrator.get(id);
      if (job === undefined) return { kind: 'remove', note: words.notes.deleted };
      await orchestrator.withdraw(id);
      // The card first: without the record, the card could not be found.
      if (job.card !== undefined) await outgoing.removeMessage(job.card);
      await orchestrator.remove(id);
      await note(job, 'delete');
      return { kind: 'remove', note: words.notes.deleted, erased: true };
    },
    async takeDown(id) {
      const { caller, place } = incoming;
      if (!place.direct) await audit.note(caller, place, 'moderator.delete', { job: id });
      return { kind: 'remove', note: words.notes.deleted };
    },
    async report(id) {
      const job = await orchestrator.get(id);
      if (job === undefined) return missing;
      await parts.reported(job, incoming);
      return { kind: 'note', text: words.notes.reported };
    },
  };
}
