import { sleep } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { createFairBudget, withSlot } from '../../base/limits/fair-budget.ts';
import { drawCard } from '../../cards/card.ts';
import { isOpenIn } from '../../command/desk/access/check-press.ts';
import type { Incoming } from '../../command/desk.ts';
import { type CardRef, personKey, turnKey } from '../../command/place.ts';
import type { JobHandle, JobSummary, JobsPort } from '../../command/ports.ts';
import type { Reply } from '../../command/reply.ts';
import type { Media } from '../../command/view.ts';
import type { GenerationOutput } from '../../generation-client/result/status-report.ts';
import type { DoneJob, Job } from '../../orchestrator/job/job.ts';
import { isMissing } from '../../orchestrator/steps/deliver.ts';
import type { Words } from '../../words/words.ts';
import { type CompareParts, createCompare } from './compare-result.ts';
import type { FitResult } from './orchestrator-ports.ts';
import { type ShareParts, shareResult } from './share-result.ts';

export function summary(job: Job): JobSummary {
  return {
    id: job.id,
    state: job.state,
    kind: job.request.kind,
    label: job.label,
    credits: job.credits,
    createdAt: job.createdAt,
    owner: personKey(job.caller),
    community: job.place.community,
    channel: job.place.channel,
    private: job.private,
  };
}

export interface JobsParts extends ShareParts, CompareParts {
  /** Fetches the result again, while the service still has it. */
  readonly resultOf: (job: DoneJob) => Promise<GenerationOutput | undefined>;
  readonly fitResult: FitResult;
  /** Returns whether a moderator or owner was notified. */
  readonly reported: (job: Job, by: Incoming) => Promise<boolean>;
}

const REFETCHES = { total: 4, perPerson: 1 };

/** Jobs, bound to their caller. The desk has checked that the person may press before anything is done with one. */
export function createJobs(parts: JobsParts) {
  const { orchestrator, outgoing, audit, rules, clock } = parts;
  const refetches = createFairBudget(REFETCHES);
  const compare = createCompare(parts);

  const outputOf = (job: DoneJob): Promise<GenerationOutput | 'away' | undefined> =>
    parts.resultOf(job).catch((error: unknown) => (isMissing(error) ? undefined : ('away' as const)));

  /** A message is visible a moment before its record is updated: a press in between waits for the record. */
  const soon = async (job: Job, isAwaited: (job: Job) => boolean): Promise<Job | undefined> => {
    let latest: Job | undefined = job;
    for (let tries = 0; tries < 10 && latest !== undefined && isAwaited(latest); tries += 1) {
      await sleep(clock, 100);
      latest = await orchestrator.get(job.id);
    }
    return latest;
  };
  const delivered = (job: Job) => soon(job, ({ state }) => state === 'delivering');

  return (incoming: Incoming, words: Words): JobsPort => {
    const { caller, place, pressed } = incoming;
    const missing: Reply = { kind: 'note', text: words.press.notFound };
    /** Lines about one's own jobs are erased with the person; a moderator's are kept. */
    const note = (job: Job, action: 'cancel' | 'delete' | 'unshare' | 'discard'): Promise<void> => {
      const own = personKey(job.caller) === personKey(caller);
      return audit.note(caller, job.place, `${own ? 'job' : 'moderator'}.${action}`, { job: job.id });
    };
    const oneAtATime = <T>(work: () => Promise<T>): Promise<T> => withSlot(refetches, turnKey(caller), work);

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

    /**
     * Whether the pressed message is not the job's card: a copy, or one sent earlier whose response was lost. If the job has
     * no card yet, the pressed message becomes it.
     */
    const isCopy = async (job: Job): Promise<boolean> => {
      const adapter = pressed && outgoing.adapter(pressed.platform);
      if (pressed === undefined || adapter?.isSame === undefined) return false;
      const card = job.card ?? (await soon(job, (latest) => latest.card === undefined))?.card;
      if (card === undefined) await orchestrator.shown(job.id, pressed);
      return card !== undefined && !(card.platform === pressed.platform && adapter.isSame(card, pressed));
    };

    const handleOf = (job: Job): Omit<JobHandle, keyof JobSummary> => ({
      request: job.request,
      resultPhoto: async () => (await delivered(job))?.result,
      async show() {
        // Fitted to the limits of the chat where it is shown now.
        const found = job.state === 'done' ? await mediaOf(job, incoming.answer ?? job.card) : undefined;
        const media = found === 'away' ? undefined : found;
        const view = drawCard(job, await orchestrator.jobStatus(job), words, media);
        return { kind: 'message', view, private: !isOpenIn(summary(job), place), lasting: true };
      },
      async cancel() {
        const found = await orchestrator.cancel(job);
        if (found === undefined) return missing;
        if (found.isChanged) await note(found.job, 'cancel');
        const text = found.isChanged ? words.notes.cancelled : words.notes.ended;
        return (await isCopy(found.job)) ? { kind: 'remove', note: text } : { kind: 'note', text };
      },
      async remove() {
        const found = await orchestrator.withdraw(job.id);
        if (found === undefined) return { kind: 'remove', note: words.notes.deleted };
        // The messages first: without the record, they could not be found.
        for (const card of [found.job.card, found.job.shared?.card])
          if (card !== undefined) await outgoing.removeMessage(card);
        await orchestrator.remove(job.id);
        await note(job, 'delete');
        return { kind: 'remove', note: words.notes.deleted, erased: true };
      },
      async share() {
        const ready = await delivered(job);
        if (ready === undefined) return missing;
        return shareResult(parts, incoming, words, ready, (each) => mediaOf(each, undefined));
      },
      async compare() {
        const ready = await delivered(job);
        return ready === undefined ? missing : compare(ready, { oneAtATime, outputOf }, incoming, words);
      },
      async unshare() {
        if (job.shared?.card !== undefined) await outgoing.removeMessage(job.shared.card);
        await note(job, 'unshare');
        return { kind: 'remove', note: words.notes.removed, erased: true };
      },
      async discard() {
        await note(job, 'discard');
        return { kind: 'remove', note: words.notes.removed, erased: true };
      },
      async report() {
        const ready = await delivered(job);
        if (ready === undefined) return missing;
        // Others have no such button, and cost nothing: a forged press could flood the moderators.
        if (ready.state !== 'done' && ready.state !== 'delivering')
          return { kind: 'note', text: words.press.noResult };
        const isTold = await parts.reported(ready, incoming);
        return { kind: 'note', text: isTold ? words.notes.reported : words.notes.reportNoted };
      },
    });

    return {
      mine: async (limit) => {
        const all = await orchestrator.mine(personKey(caller), limit);
        return all.filter((job) => !job.forget).map(summary);
      },
      async find(id) {
        const job = await orchestrator.get(id);
        // The record of a person who asked to be deleted stays only until its card says so.
        if (job === undefined || job.forget) return undefined;
        const community = await rules.present(job.place.community);
        return { ...summary(job), community, ...handleOf(job) };
      },
      async takeDown(id) {
        if (!place.direct) await audit.note(caller, place, 'moderator.delete', { job: id });
        return { kind: 'remove', note: words.notes.deleted };
      },
    };
  };
}
