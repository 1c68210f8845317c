import { sleep } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { type FairBudget, withSlot } from '../../base/limits/fair-budget.ts';
import { drawCard } from '../../cards/card.ts';
import { isOpenIn } from '../../command/desk/access/check-press.ts';
import type { Incoming } from '../../command/desk.ts';
import { type CardRef, personKey, turnKey } from '../../command/place.ts';
import type { JobSummary, JobsPort } from '../../command/ports.ts';
import type { Reply } from '../../command/reply.ts';
import type { Media } from '../../command/view.ts';
import type { GenerationOutput } from '../../generation-client/result/status-report.ts';
import type { DoneJob, Job } from '../../orchestrator/job/job.ts';
import { isMissing } from '../../orchestrator/steps/deliver.ts';
import type { Words } from '../../words/words.ts';
import { type CompareParts, createCompare } from './compare-result.ts';
import type { FitResult } from './orchestrator-ports.ts';
import { createShare, type ShareParts } from './share-result.ts';

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

export interface JobsPortParts extends ShareParts, CompareParts {
  /** Fetches the result again, while the service still has it. */
  readonly resultOf: (job: DoneJob) => Promise<GenerationOutput | undefined>;
  readonly fitResult: FitResult;
  /** Returns whether anybody was told. */
  readonly reported: (job: Job, by: Incoming) => Promise<boolean>;
  readonly refetches: FairBudget;
}

/** Results are large and can be requested repeatedly: one at a time per person. */
export const REFETCHES = { total: 4, perPerson: 1 };

/** The desk has checked that the person may press before any of these is called. */
export function createJobsPort(parts: JobsPortParts, incoming: Incoming, words: Words): JobsPort {
  const { orchestrator, outgoing, audit } = parts;
  /** Lines about one's own jobs are erased with the person; a moderator's are kept. */
  const note = (job: Job, action: 'cancel' | 'delete' | 'unshare' | 'discard'): Promise<void> => {
    const own = personKey(job.caller) === personKey(incoming.caller);
    return audit.note(incoming.caller, job.place, `${own ? 'job' : 'moderator'}.${action}`, { job: job.id });
  };
  const missing: Reply = { kind: 'note', text: words.press.notFound };

  const oneAtATime = <T>(work: () => Promise<T>): Promise<T> =>
    withSlot(parts.refetches, turnKey(incoming.caller), work);
  /** Undefined: the service no longer has it. `away`: it does not answer. */
  const outputOf = (job: DoneJob): Promise<GenerationOutput | 'away' | undefined> =>
    parts.resultOf(job).catch((error: unknown) => (isMissing(error) ? undefined : ('away' as const)));

  /** `card`: whose limits it has to fit; without one, those of a new message. */
  const mediaOf = (job: DoneJob, card: CardRef | undefined): Promise<Media | 'away' | undefined> =>
    oneAtATime(async () => {
      const output = await outputOf(job);
      if (output === undefined || output === 'away') return output;
      const { card: _, ...rest } = job;
      const there = { ...rest, ...defined({ card }) };
      const media = await parts.fitResult(there, output).catch(() => 'unusable' as const);
      return media === 'unusable' ? undefined : media;
    });

  /** A message is visible a moment before its record is updated: a press in between waits for the record. */
  const soon = async (id: string, isAwaited: (job: Job) => boolean): Promise<Job | undefined> => {
    for (let tries = 0; tries < 10; tries += 1) {
      const job = await orchestrator.get(id);
      if (job === undefined || !isAwaited(job)) return job;
      await sleep(parts.clock, 100);
    }
    return orchestrator.get(id);
  };

  const delivered = (id: string) => soon(id, ({ state }) => state === 'delivering');
  const share = createShare(parts, incoming, words, (job) => mediaOf(job, undefined));
  const compare = createCompare(parts, incoming, words, { oneAtATime, outputOf });

  /**
   * Whether the pressed message is not the job's card: a copy, or one sent earlier whose response was lost. If the job has
   * no card yet, the pressed message becomes it.
   */
  const isCopy = async (job: Job): Promise<boolean> => {
    const { pressed } = incoming;
    if (pressed === undefined || outgoing.adapter(pressed.platform)?.isSame === undefined) return false;
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
      // Fitted to the limits of the chat where it is shown now.
      const found = job.state === 'done' ? await mediaOf(job, incoming.answer ?? job.card) : undefined;
      const media = found === 'away' ? undefined : found;
      const view = drawCard(job, await orchestrator.jobStatus(job), words, media);
      return { kind: 'message', view, private: !isOpenIn(summary(job), incoming.place) };
    },
    async cancel(id) {
      const cancellation = await orchestrator.cancel(id);
      if (cancellation === undefined) return missing;
      const { job, isChanged: isNew } = cancellation;
      if (isNew) await note(job, 'cancel');
      const text = isNew ? words.notes.cancelled : words.notes.ended;
      return (await isCopy(job)) ? { kind: 'remove', note: text } : { kind: 'note', text };
    },
    request: async (id) => (await orchestrator.get(id))?.request,
    resultPhoto: async (id) => (await delivered(id))?.result,
    async remove(id) {
      const job = await orchestrator.get(id);
      if (job === undefined) return { kind: 'remove', note: words.notes.deleted };
      await orchestrator.withdraw(id);
      // The messages first: without the record, they could not be found.
      for (const card of [job.card, job.shared?.card])
        if (card !== undefined) await outgoing.removeMessage(card);
      await orchestrator.remove(id);
      await note(job, 'delete');
      return { kind: 'remove', note: words.notes.deleted, erased: true };
    },
    async share(id) {
      const job = await delivered(id);
      return job === undefined ? missing : share(job);
    },
    async compare(id) {
      const job = await delivered(id);
      return job === undefined ? missing : compare(job);
    },
    async unshare(id) {
      const job = await orchestrator.get(id);
      if (job?.shared?.card !== undefined) await outgoing.removeMessage(job.shared.card);
      if (job !== undefined) await note(job, 'unshare');
      return { kind: 'remove', note: words.notes.removed, erased: true };
    },
    async discard(id) {
      const job = await orchestrator.get(id);
      if (job !== undefined) await note(job, 'discard');
      return { kind: 'remove', note: words.notes.removed, erased: true };
    },
    async takeDown(id) {
      const { caller, place } = incoming;
      if (!place.direct) await audit.note(caller, place, 'moderator.delete', { job: id });
      return { kind: 'remove', note: words.notes.deleted };
    },
    async report(id) {
      const job = await delivered(id);
      if (job === undefined) return missing;
      // Others have no such button, and cost nothing: a forged press could flood the moderators.
      if (job.state !== 'done' && job.state !== 'delivering')
        return { kind: 'note', text: words.press.noResult };
      const isTold = await parts.reported(job, incoming);
      return { kind: 'note', text: isTold ? words.notes.reported : words.notes.reportNoted };
    },
  };
}
