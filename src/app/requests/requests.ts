import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { Incoming } from '../../command/desk.ts';
import type { Caller } from '../../command/place.ts';
import { note } from '../../command/reply.ts';
import type { RequestsPort } from '../../command/requests-port.ts';
import { shorten } from '../../command/shorten.ts';
import type { Audit } from '../../community/rules/audit.ts';
import type { Moderators } from '../../community/rules/moderators.ts';
import type { Job } from '../../orchestrator/job/job.ts';
import { saysWhichChat } from '../../safety/removal/message-link.ts';
import { ANSWERED_WITHIN_MS } from '../../safety/requests/request-list.ts';
import type {
  RemovalRequest,
  RequestOutcome,
  RequestRecords,
} from '../../safety/requests/request-records.ts';
import type { Words } from '../../words/words.ts';
import type { NearResult, NearResults } from '../jobs/near-results.ts';
import { drawRequest } from './draw-request.ts';

/** The community of audit lines about requests, which come from nowhere in a chat. */
const REQUESTS = { community: 'removal-requests' };
/** The actor of what people outside the chat do. */
const OUTSIDER: Caller = { platform: 'web', id: 'removal-page', name: '', locale: 'en' };
const LONGEST_NAME = 100;
/** Results of one scene with different faces differ in 10 bits and more. */
const SAME_PICTURE = 9;
/** So near a second result may be meant just as well. */
const SIMILAR_PICTURE = 31;

/** What owners, and those who ask, do with requests for removal. All of it is audited. */
export function createRequests(parts: {
  readonly records: RequestRecords;
  /** The link with the id of its chat, where a public name stands for it and the platform tells. */
  readonly readLink: (link: string) => Promise<string>;
  /** The job whose result is in the message with this link. */
  readonly findByLink: (link: string) => Promise<Job | undefined>;
  readonly nearResults: NearResults['all'];
  /** Removes a result; false: there is none. */
  readonly removeResult: (job: string, reason: string, by: Caller) => Promise<boolean>;
  readonly moderators: Pick<Moderators, 'isOwner'>;
  readonly audit: Pick<Audit, 'note'>;
  readonly ownerWords: Words;
  readonly clock: Pick<Clock, 'now'>;
}) {
  const { records, moderators, audit, ownerWords, clock } = parts;

  const decide = async (id: string, what: RequestOutcome, by: Caller, reason?: string): Promise<void> => {
    const request = await records.find(id);
    if (request === undefined || request.decided !== undefined) return;
    await audit.note(by, REQUESTS, `removal-request.${what}`, { request: id, reason: reason ?? '' });
    await records.decide(id, { what, by: shorten(by.name, LONGEST_NAME), ...defined({ reason }) });
  };

  /** Results that may be meant, the likeliest first. */
  const candidates = async (request: RemovalRequest): Promise<readonly NearResult[]> => {
    const { picture } = request;
    // The platform is asked here, when an owner looks, and not when somebody writes a form: strangers make the bot ask for nothing.
    const link = request.link === undefined ? undefined : await parts.readLink(request.link);
    const linked = link === undefined ? undefined : await parts.findByLink(link);
    const near = picture === undefined ? [] : await parts.nearResults(picture);
    if (link === undefined || linked === undefined) return near;
    const others = near.filter(({ job }) => job.id !== linked.id);
    if (saysWhichChat(link)) return [{ job: linked, as: 'link', distance: 0 }, ...others];
    // Where the platform did not tell which chat a public name means, the message's number is left, which a message of any chat can have.
    return others.length < near.length ? near : [{ job: linked, as: 'number', distance: 0 }, ...near];
  };

  /** The one that is meant without doubt. */
  const certain = async (request: RemovalRequest): Promise<Job | undefined> => {
    const [first, second] = (await candidates(request)).filter(({ as }) => as !== 'number');
    if (first === undefined || first.as === 'link' || first.as === 'file') return first?.job;
    const isAlone = second === undefined || second.distance > SIMILAR_PICTURE;
    return first.as === 'result' && first.distance <= SAME_PICTURE && isAlone ? first.job : undefined;
  };

  /** Removes a result that was asked for; false: there is none. A request that was decided before stays as it is. */
  const remove = async (id: string, job: string, by: Caller): Promise<boolean> => {
    if (!(await parts.removeResult(job, `request ${id}`, by))) return false;
    await decide(id, 'removed', by);
    return true;
  };

  const portFor = ({ caller }: Incoming, words: Words): RequestsPort => ({
    async decide(id, decision) {
      if (!moderators.isOwner(caller)) return { kind: 'not-yours', text: words.approval.ownersOnly };
      const request = await records.find(id);
      if (request === undefined) return { kind: 'stale', text: ownerWords.owner.requests.gone };
      if (request.decided === undefined && decision === 'remove') {
        const job = await certain(request);
        if (job === undefined || !(await remove(id, job.id, caller)))
          return note(ownerWords.owner.requests.uncertain);
      }
      if (request.decided === undefined && decision === 'nothing') await decide(id, 'nothing', caller);
      const after = (await records.find(id)) ?? request;
      const dueInMs = request.at + ANSWERED_WITHIN_MS - clock.now();
      return { kind: 'replace', view: drawRequest(id, after, dueInMs, ownerWords), evenIfOld: true };
    },
  });

  return {
    portFor,
    /** For the page of those who ask. */
    page: {
      admit: records.admit,
      find: records.find,
      async add(id: string, request: RemovalRequest) {
        const crowded = await records.add(id, request);
        if (crowded === undefined)
          await audit.note(OUTSIDER, REQUESTS, 'removal-request.asked', { request: id });
        return crowded;
      },
      async delete(id: string): Promise<void> {
        await audit.note(OUTSIDER, REQUESTS, 'removal-request.deleted', { request: id });
        await records.delete(id);
      },
    },
    /** For the console, where everybody is an owner. */
    all: records.all,
    find: records.find,
    candidates,
    remove,
    refuse: (id: string, reason: string, by: Caller): Promise<void> => decide(id, 'refused', by, reason),
    foundNothing: (id: string, by: Caller): Promise<void> => decide(id, 'nothing', by),
  };
}
