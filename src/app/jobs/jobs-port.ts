import { sleep } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { createFairBudget, withSlot } from '../../base/limits/fair-budget.ts';
import { DownloadMissing, DownloadRefused } from '../../base/network/download.ts';
import { canShare, drawCard, drawShared } from '../../cards/card.ts';
import type { CommunityGate } from '../../command/community-gate.ts';
import { isOpenIn } from '../../command/desk/access/check-access.ts';
import type { Incoming } from '../../command/desk.ts';
import { refusalText } from '../../command/gate-refusal.ts';
import type { JobHandle, JobSummary, JobsPort } from '../../command/jobs-port.ts';
import { type CardRef, type Place, personKey, turnKey } from '../../command/place.ts';
import { type DrawOutcome, jobAudience, note, type Reply } from '../../command/reply.ts';
import { textsOf } from '../../command/request.ts';
import type { Media } from '../../command/view.ts';
import type { Audit } from '../../community/rules/audit.ts';
import type { CommunityRules } from '../../community/rules/community-rules.ts';
import type { GenerationClient } from '../../generation-client/client.ts';
import type { GenerationOutput } from '../../generation-client/result/status-report.ts';
import { type DoneJob, type Job, messagesOf } from '../../orchestrator/job/job.ts';
import type { Orchestrator } from '../../orchestrator/orchestrator.ts';
import { isMissing } from '../../orchestrator/steps/deliver.ts';
import { isCleared } from '../../orchestrator/steps/hold.ts';
import { PictureRefused } from '../../picture/structure.ts';
import type { ContentCheck } from '../../safety/content/check.ts';
import { type Words, wordsFor } from '../../words/words.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';
import { type CompareDependencies, createCompare, type FetchOutput } from './compare-result.ts';
import type { FitResult } from './orchestrator-ports.ts';
import { createSendFile, type SendFileDependencies } from './send-file.ts';
import type { TakeBack } from './take-back.ts';

/** A job as lists and buttons know it. */
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

export interface JobsPortDependencies extends CompareDependencies, Omit<SendFileDependencies, 'platforms'> {
  readonly orchestrator: Orchestrator;
  readonly platforms: PlatformRegistry;
  readonly gate: CommunityGate;
  readonly rules: Pick<CommunityRules, 'language' | 'present' | 'presentPlace'>;
  readonly audit: Pick<Audit, 'note'>;
  readonly client: Pick<GenerationClient, 'status'>;
  readonly fitResult: FitResult;
  readonly takeBack: Pick<TakeBack, 'ofJob'>;
  /** Undefined: switched off. */
  readonly contentCheck: Pick<ContentCheck, 'isIntimate'> | undefined;
  /** Returns whether a moderator or owner was notified. */
  readonly reported: (job: Job, by: Incoming) => Promise<boolean>;
}

/** What became of a result that was shared, and the file that was sent last. */
interface SaidShare {
  readonly said: DrawOutcome;
  readonly media: Media;
}

const REFETCHES = { total: 4, perPerson: 1 };
const SOON_MS = 100;
const LONGEST_SOON_MS = 1_000;
const LATER_MS = 1_000;
const LONGEST_HASHING_MS = 15_000;

/** Jobs, bound to their caller. The desk has checked that the person may press before anything is done with one. */
export function createJobsPort(parts: JobsPortDependencies) {
  const { orchestrator, platforms, audit, gate, rules, clock } = parts;
  /** Results are large and can be requested repeatedly: one at a time per person. */
  const refetches = createFairBudget(REFETCHES);
  /**
   * Whether the picture may be seen. It comes from the service once more, which may give another one than was looked at before; the
   * check may also have been off then. The very picture that a moderator has shown is not looked at again.
   */
  const maySee = async (output: GenerationOutput, job: DoneJob): Promise<boolean> => {
    if (parts.contentCheck === undefined || output.kind !== 'image' || isCleared(job, output)) return true;
    return !(await parts.contentCheck.isIntimate(output.bytes, turnKey(job.caller)));
  };
  const fetchOutput: FetchOutput = async (job) => {
    try {
      const report = await parts.client.status({ endpoint: job.request.kind, id: job.serviceId });
      if (report.state !== 'completed') return undefined;
      return (await maySee(report.output, job)) ? report.output : undefined;
    } catch (error) {
      return isMissing(error) || error instanceof PictureRefused ? undefined : 'away';
    }
  };
  const compare = createCompare(parts, refetches, fetchOutput);
  const sendFile = createSendFile(parts, refetches, fetchOutput);

  /** A message is visible a moment before its record is updated: a press in between waits for the record. */
  const soon = async (
    job: Job,
    isAwaited: (job: Job) => boolean,
    longestMs = LONGEST_SOON_MS,
  ): Promise<Job | undefined> => {
    let latest: Job | undefined = job;
    let pauseMs = SOON_MS;
    for (let ms = 0; ms < longestMs && latest !== undefined && isAwaited(latest); ms += pauseMs) {
      // Most are there within a second; the others should not cost the store a read in every tenth.
      pauseMs = ms < LONGEST_SOON_MS ? SOON_MS : LATER_MS;
      await sleep(clock, pauseMs);
      latest = await orchestrator.get(job.id);
    }
    return latest;
  };
  /** The job whose result is visible. Its fingerprint is stored with it, and takes its turn at the decoder, which may be busy. */
  const delivered = (job: Job) => soon(job, ({ state }) => state === 'delivering', LONGEST_HASHING_MS);

  return (incoming: Incoming, words: Words): JobsPort => {
    const { caller, place, pressed } = incoming;
    const missing = note(words.press.notFound);
    /** Lines about one's own jobs are erased with the person; a moderator's are kept. */
    const audited = (job: Job, action: 'cancel' | 'delete' | 'unshare' | 'discard'): Promise<void> => {
      const own = personKey(job.caller) === personKey(caller);
      return audit.note(caller, job.place, `${own ? 'job' : 'moderator'}.${action}`, { job: job.id });
    };
    /** `card`: whose limits it has to fit; without one, those of a new message. */
    const mediaOf = (job: DoneJob, card: CardRef | undefined): Promise<Media | 'away' | undefined> =>
      withSlot(refetches, turnKey(caller), async () => {
        const output = await fetchOutput(job);
        if (output === undefined || output === 'away') return output;
        const { card: _, ...rest } = job;
        const there = { ...rest, ...defined({ card }) };
        try {
          const media = await parts.fitResult(there, output);
          return media === 'unusable' ? undefined : media;
        } catch (error) {
          return error instanceof DownloadMissing || error instanceof DownloadRefused ? undefined : 'away';
        }
      });

    /**
     * Whether the pressed message is not the job's card: a copy, or one sent earlier whose response was lost. If the job has
     * no card yet, the pressed message becomes it.
     */
    const isCopy = async (job: Job): Promise<boolean> => {
      const adapter = pressed && platforms.of(pressed.platform);
      if (pressed === undefined || adapter?.isSame === undefined) return false;
      const card = job.card ?? (await soon(job, (latest) => latest.card === undefined))?.card;
      if (card === undefined) await orchestrator.cardShown(job.id, pressed);
      return card !== undefined && !(card.platform === pressed.platform && adapter.isSame(card, pressed));
    };

    /** Whether it may be shared: as for a new job there, but for the credits. */
    const shareRefusal = async ({ request }: DoneJob, there: Place): Promise<string | undefined> => {
      const refused = await gate.refusal(caller, there, textsOf(request));
      if (refused !== undefined) return refusalText(refused, words)[0];
      const isHere = place.community === there.community;
      const isMember = isHere || ((await platforms.of(there.platform)?.isMember?.(caller, there)) ?? false);
      return isMember ? undefined : words.share.notMember;
    };
    /** As long as the platform takes less than it said, the result is sent again, made to fit. */
    const sayFitting = async (job: DoneJob, language: string, media: Media): Promise<SaidShare> => {
      const room = (): number => platforms.of(job.place.platform)?.limits().fileBytes ?? 0;
      const before = room();
      const view = drawShared(job, wordsFor(language), media);
      const said = await platforms.say({ place: job.place }, view, { caller: job.caller, job: job.id });
      if (said.state !== 'later' || !said.unsent || room() >= before) return { said, media };
      const smaller = await mediaOf(job, undefined);
      return smaller === undefined || smaller === 'away'
        ? { said, media }
        : sayFitting(job, language, smaller);
    };
    const sendShared = async (job: DoneJob, there: Place, fetched: Media): Promise<Reply> => {
      const detail = { job: job.id };
      await audit.note(caller, there, 'job.share', detail).catch(async (error: unknown) => {
        await orchestrator.endSharing(job.id, undefined);
        throw error;
      });
      // For everybody there.
      const language = await rules.language(there.community).catch(() => undefined);
      const { said, media } = await sayFitting(job, language ?? job.caller.locale, fetched);
      if (said.state === 'drawn' && said.card !== undefined) {
        const { card } = said;
        if (await orchestrator.endSharing(job.id, card)) {
          const shown = drawCard({ ...job, shared: { at: job.finishedAt, card } }, {}, words, media);
          return { kind: 'replace', view: shown };
        }
        await platforms.removeMessage(card);
        return missing;
      }
      const isUnsent = said.state === 'gone' || (said.state === 'later' && said.unsent);
      if (!isUnsent) return note(words.share.unknown);
      await orchestrator.endSharing(job.id, undefined);
      await audit.note(caller, there, 'job.share.failed', detail);
      return note(said.state === 'gone' ? words.share.forbidden : words.share.later);
    };
    /**
     * Shows a private result to everybody where it was asked for. That it begins is stored first: after a crash it is not
     * sent again, unless the platform makes that the same message.
     */
    const share = async (job: Job): Promise<Reply> => {
      if (!canShare(job)) return note(words.press.noResult);
      const isBegun = job.shared !== undefined && job.shared.card === undefined;
      if (job.shared?.card !== undefined) return note(words.share.already);
      if (isBegun && !platforms.of(job.place.platform)?.sharesOnce) return note(words.share.unknown);
      const there = await rules.presentPlace(job.place);
      const refused = await shareRefusal(job, there);
      if (refused !== undefined) return note(refused);
      const media = await mediaOf(job, undefined);
      if (media === undefined) return note(words.press.noResult);
      if (media === 'away') return note(words.share.later);
      // Pressed twice, or deleted meanwhile.
      if (!isBegun && !(await orchestrator.beginSharing(job.id))) return note(words.share.unknown);
      return sendShared(job, there, media);
    };

    const handleOf = (job: Job): Omit<JobHandle, keyof JobSummary> => ({
      request: job.request,
      async resultPhoto() {
        const result = (await delivered(job))?.result;
        return result && 'ref' in result ? { ...result, isResult: true, job: job.id } : result;
      },
      async show() {
        // Fitted to the limits of the chat where it is shown now.
        const found = job.state === 'done' ? await mediaOf(job, incoming.answer ?? job.card) : undefined;
        const media = found === 'away' ? undefined : found;
        const view = drawCard(job, await orchestrator.jobStatus(job), words, media);
        const audience = jobAudience(!isOpenIn(summary(job), place));
        return { kind: 'result', job: job.id, view, audience };
      },
      async cancel() {
        const found = await orchestrator.cancel(job);
        if (found === undefined) return missing;
        if (found.isChanged) await audited(found.job, 'cancel');
        const text = found.isChanged ? words.card.cancelled : words.notes.ended;
        return (await isCopy(found.job)) ? { kind: 'remove', note: text, evenIfOld: true } : note(text);
      },
      async remove() {
        const found = await orchestrator.withdraw(job.id);
        if (found === undefined) return { kind: 'remove', note: words.notes.deleted, evenIfOld: true };
        // The messages first: without the record, they could not be found.
        for (const card of messagesOf(found.job)) await platforms.removeMessage(card);
        await parts.takeBack.ofJob(job.id);
        await orchestrator.remove(job.id);
        await audited(job, 'delete');
        return { kind: 'remove', note: words.notes.deleted };
      },
      async share() {
        const ready = await delivered(job);
        return ready === undefined ? missing : share(ready);
      },
      async compare() {
        const ready = await delivered(job);
        return ready === undefined ? missing : compare(ready, incoming, words);
      },
      async file() {
        const ready = await delivered(job);
        return ready === undefined ? missing : sendFile(ready, incoming, words);
      },
      async unshare() {
        if (job.shared?.card !== undefined) await platforms.removeMessage(job.shared.card);
        await audited(job, 'unshare');
        return { kind: 'remove', note: words.notes.removed };
      },
      async discard() {
        await audited(job, 'discard');
        return { kind: 'remove', note: words.notes.removed };
      },
      async report() {
        const ready = await delivered(job);
        if (ready === undefined) return missing;
        // Others have no such button, and cost nothing: a forged press could flood the moderators.
        if (ready.state !== 'done' && ready.state !== 'delivering') return note(words.press.noResult);
        const isTold = await parts.reported(ready, incoming);
        return note(isTold ? words.notes.reported : words.notes.reportNoted);
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
        return { kind: 'remove', note: words.notes.deleted, evenIfOld: true };
      },
    };
  };
}
