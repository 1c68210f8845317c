import { afterAnswersAreSent } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { Members } from '../../base/members/members.ts';
import { drawCard } from '../../cards/card.ts';
import type { Incoming } from '../../command/desk.ts';
import { UserError } from '../../command/errors.ts';
import type { FacesPort } from '../../command/faces-port.ts';
import { refuseForgotten } from '../../command/forgotten.ts';
import type { NewJobsPort } from '../../command/new-jobs-port.ts';
import { type JobCard, jobAudience, type Reply } from '../../command/reply.ts';
import {
  filterKey,
  filterKeyOf,
  filterOf,
  type GenerateRequest,
  isForMinor,
  optionsOf,
  photosOf,
  textsOf,
  withPhoto,
} from '../../command/request.ts';
import type { Catalogs } from '../../community/catalog/catalog.ts';
import type { Audit } from '../../community/rules/audit.ts';
import type { GenerationClient } from '../../generation-client/client.ts';
import { isFinal, type Job } from '../../orchestrator/job/job.ts';
import type { AuditLine, JobOrder } from '../../orchestrator/job/records.ts';
import type { Orchestrator } from '../../orchestrator/orchestrator.ts';
import type { Words } from '../../words/words.ts';
import type { createCeilingNotices } from '../notices/ceiling-notices.ts';
import { handledForMsIfShared } from './erased-meanwhile.ts';
import type { CreditsFor } from './usage-port.ts';

const LONGEST_LABEL = 100;

/** The job's name in captions and lists. */
function labelOf(request: GenerateRequest): string {
  const [text = filterOf(request)?.choice.name ?? ''] = textsOf(request);
  return [...text].slice(0, LONGEST_LABEL).join('');
}

/**
 * Tallies are not encrypted: an alias is counted under its id, not its name. A UUID that is on no list could be anything that
 * a user typed.
 */
function countedAs(request: GenerateRequest, catalogs: Catalogs): string | undefined {
  const choice = filterOf(request)?.choice;
  if (choice?.by === 'alias') return `alias:${choice.id}`;
  const key = filterKeyOf(request);
  if (!key?.startsWith('mine:')) return key;
  const isKnown = catalogs.peek('mine')?.some(({ reference }) => filterKey('mine', reference) === key);
  return isKnown ? key : undefined;
}

/** The detail of the audit line. Others read it and it is kept longer than the job: no prompts, nothing private. */
function traceOf(request: GenerateRequest, isPrivate: boolean): AuditLine['detail'] {
  const filter = isPrivate ? undefined : filterOf(request)?.choice.name;
  return { kind: request.kind, ...defined({ filter }) };
}

/** What a request costs, and how it becomes a job. */
export function createNewJobsPort(parts: {
  readonly orchestrator: Pick<
    Orchestrator,
    'accept' | 'begun' | 'jobStatus' | 'onDisk' | 'others' | 'remove'
  >;
  readonly members: Pick<Members, 'isShared'>;
  readonly audit: Pick<Audit, 'tell'>;
  readonly client: Pick<GenerationClient, 'cost'>;
  readonly faces: (incoming: Incoming, words: Words) => Pick<FacesPort, 'find'>;
  readonly creditsFor: CreditsFor;
  readonly acceptsMinors: boolean;
  readonly catalogs: Catalogs;
  readonly ceilingNotices: ReturnType<typeof createCeilingNotices>;
}) {
  const { client, orchestrator, audit } = parts;
  return (incoming: Incoming, words: Words): NewJobsPort => {
    const { caller, place, event, answer, press, againOf } = incoming;
    const cardOf = async (job: Job, known: boolean): Promise<JobCard> => ({
      job: job.id,
      view: drawCard(job, await orchestrator.jobStatus(job), words),
      audience: jobAudience(job.private),
      ...(known ? { again: true } : {}),
    });
    const firstReply = async (
      job: Job,
      known: boolean,
      others: readonly Job[] | Promise<readonly Job[]> = orchestrator.others(job),
    ): Promise<Reply> => {
      // The event was repeated and its card exists, or the button was pressed twice: nothing new to show.
      const tapped = job.press !== press && !isFinal(job.state);
      const isShown = job.card !== undefined;
      const left = (await others).filter((each) => each.card === undefined && !isFinal(each.state));
      if (isShown && (tapped || left.length === 0))
        return { kind: 'card-shown-before', text: words.notes.already };
      if (tapped) return { kind: 'told-before', text: words.notes.notShownYet };
      // The sync to disk takes longest: the cards are drawn meanwhile.
      const [, card, cards] = await Promise.all([
        orchestrator.onDisk(),
        cardOf(job, known),
        Promise.all(left.map((each) => cardOf(each, known))),
      ]);
      return isShown ? { kind: 'further-cards', cards } : { kind: 'card', ...card, others: cards };
    };
    // An alias has an id of the same form as the filters it points to, which all cost the same.
    const cost = (request: GenerateRequest): number =>
      client.cost({ endpoint: request.kind, input: optionsOf(request) });

    return {
      async begun() {
        const job = await orchestrator.begun(event);
        return job && firstReply(job, true);
      },
      cost,
      async make(request, { private: isPrivate, others: photos = [] }) {
        if (!parts.acceptsMinors && isForMinor(request))
          throw new UserError(words.failure['no-minors'], 'limit');
        for (const photo of photosOf(request))
          if (photo.from === 'face') await parts.faces(incoming, words).find(photo);
        const order: JobOrder = {
          origin: event,
          caller,
          place,
          private: isPrivate,
          request,
          label: labelOf(request),
          credits: cost(request),
          otherRequests: photos.map((photo) => withPhoto(request, photo)),
          ...(await parts.creditsFor(incoming)),
          ...defined({
            answer,
            press,
            againOf,
            filter: countedAs(request, parts.catalogs),
            handledForMs: handledForMsIfShared(parts.members, incoming),
          }),
        };
        refuseForgotten(incoming, words);
        const trace = traceOf(request, isPrivate);
        const { job, known, others, ...taken } = await orchestrator
          .accept(order, trace)
          .catch((error: unknown) => {
            parts.ceilingNotices.refused(error);
            throw error;
          });
        // The deletion may have begun a moment before this was accepted.
        if (incoming.forgotten?.aborted) for (const { id } of [job, ...others]) await orchestrator.remove(id);
        refuseForgotten(incoming, words);
        const tell = (): void => {
          parts.ceilingNotices.accepted(taken, job.day);
          for (const { id } of known ? [] : [job, ...others])
            audit.tell(caller, place, 'job', { job: id, ...trace });
        };
        return firstReply(job, known, known ? undefined : others).finally(() => afterAnswersAreSent(tell));
      },
    };
  };
}
