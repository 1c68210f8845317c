import { type Clock, waitAtMost } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { drawCard } from '../../cards/card.ts';
import type { Incoming } from '../../command/desk.ts';
import { filterKey, filterKeyOf } from '../../command/filter-key.ts';
import {
  commandOf,
  filterOf,
  type GenerateRequest,
  jobKinds,
  photosOf,
  textsOf,
  withPhoto,
} from '../../command/kinds.ts';
import { type Caller, personKey, turnKey } from '../../command/place.ts';
import type { CatalogPort, Ports, PrivacyPort } from '../../command/ports.ts';
import type { JobCard, Reply } from '../../command/reply.ts';
import type { AliasEntries } from '../../community/catalog/alias-entries.ts';
import type { Catalogs } from '../../community/catalog/catalog.ts';
import { createCatalogPort } from '../../community/catalog/catalog-port.ts';
import type { FilterOrders } from '../../community/catalog/filter-order.ts';
import type { References } from '../../community/catalog/references.ts';
import type { Audit } from '../../community/rules/audit.ts';
import type { Consents } from '../../community/rules/consent.ts';
import type { Moderators } from '../../community/rules/moderators.ts';
import type { GenerationClient } from '../../generation-client/client.ts';
import type { PriceRange } from '../../generation-client/endpoint-row.ts';
import { isFinal, type Job, type Order } from '../../orchestrator/job/job.ts';
import type { AuditLine } from '../../orchestrator/job/records.ts';
import type { Orchestrator } from '../../orchestrator/orchestrator.ts';
import { toServiceRequest } from '../../orchestrator/steps/service-request.ts';
import type { Previews } from '../../previews/previews.ts';
import { type Words, wordsFor } from '../../words/words.ts';
import type { createCeilingNotices } from '../notices/ceiling-notices.ts';
import type { Outgoing } from '../platforms/outgoing.ts';
import type { CreditsFor } from './credits.ts';

/** What is bound to a caller where it lives, with permission and audit inside. */
type Services = {
  readonly [Name in
    | 'jobs'
    | 'usage'
    | 'aliases'
    | 'faces'
    | 'looks'
    | 'settings'
    | 'reports'
    | 'stats'
    | 'approvals']: (incoming: Incoming, words: Words) => Ports[Name];
};

export interface PortsParts {
  readonly services: Services;
  readonly creditsFor: CreditsFor;
  readonly orchestrator: Orchestrator;
  readonly outgoing: Outgoing;
  readonly moderators: Pick<Moderators, 'is'>;
  readonly audit: Pick<Audit, 'tell'>;
  readonly consents: Consents;
  readonly keepsFaces: boolean;
  readonly ceilingNotices: Pick<ReturnType<typeof createCeilingNotices>, 'accepted' | 'refused'>;
  readonly client: Pick<GenerationClient, 'cost' | 'prices'>;
  readonly catalogs: Catalogs;
  readonly aliasEntries: AliasEntries;
  readonly references: References;
  readonly filterOrders: FilterOrders;
  readonly previews: Pick<Previews, 'sheet' | 'warm'>;
  readonly clock: Clock;
}

/** A deletion that takes longer continues in the background, and the reply says so. */
const LONGEST_ERASE_MS = 500;
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

/** What jobs cost, by command: worked out once, without a call to the service. */
function priceList({ prices }: PortsParts['client']): ReadonlyMap<string, PriceRange> {
  const list = new Map<string, PriceRange>();
  for (const kind of jobKinds) {
    const price = prices(kind);
    if (price === undefined || price.most === 0) continue;
    const { least, most } = list.get(commandOf(kind)) ?? price;
    list.set(commandOf(kind), { least: Math.min(least, price.least), most: Math.max(most, price.most) });
  }
  return list;
}

export function createSheet(
  { previews, outgoing }: Pick<PortsParts, 'previews' | 'outgoing'>,
  { caller, place }: Incoming,
): CatalogPort['sheet'] {
  return async (tiles, alt) => {
    // Where pictures are stored with the chat, sheets would displace results.
    if (outgoing.adapter(place.platform)?.keepsChat) return void previews.warm(tiles);
    const sheet = await previews.sheet(tiles, { person: turnKey(caller) });
    return sheet && { kind: 'image', as: 'inline', type: 'image/jpeg', name: 'filters.jpg', alt, ...sheet };
  };
}

function createPrivacy(parts: PortsParts, caller: Caller): PrivacyPort {
  const { orchestrator, consents, clock } = parts;
  const person = personKey(caller);
  const adapter = parts.outgoing.adapter(caller.platform);
  return {
    keepsChat: adapter?.keepsChat ?? false,
    keepsFaces: parts.keepsFaces,
    async eraseMe() {
      const { finished } = await orchestrator.erase(person);
      parts.filterOrders.forget(caller);
      await Promise.all([orchestrator.onDisk(), adapter?.forget(caller)]);
      const jobs = await waitAtMost(clock, LONGEST_ERASE_MS, finished);
      return jobs === undefined ? { finished: false } : { finished: true, jobs };
    },
    consented: () => consents.given(person),
    consent: () => consents.give(person),
  };
}

/** Everything that commands and buttons can do for one caller in one place. */
export function createPortsFor(parts: PortsParts) {
  const priced = priceList(parts.client);
  const { orchestrator, client, services } = parts;
  return (incoming: Incoming): Ports => {
    const { caller, place, event, answer, press, againOf } = incoming;
    const words = wordsFor(caller.locale);
    const faces = services.faces(incoming, words);
    const cardOf = async (job: Job, known: boolean): Promise<JobCard> => ({
      job: job.id,
      view: drawCard(job, await orchestrator.jobStatus(job), words),
      private: job.private,
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
        return { kind: 'note', text: words.notes.already, known: 'card' };
      if (tapped) return { kind: 'note', text: words.notes.notShownYet, known: true };
      // The sync to disk takes longest: the cards are drawn meanwhile.
      const [card, cards] = await Promise.all([
        cardOf(job, known),
        Promise.all(left.map((each) => cardOf(each, known))),
        orchestrator.onDisk(),
      ]);
      return {
        kind: 'card',
        ...card,
        ...(cards.length === 0 ? {} : { others: cards }),
        ...(isShown ? { isShown } : {}),
      };
    };
    const cost = async (request: GenerateRequest): Promise<number> => {
      // An alias has an id of the same form as the filters it points to, which all cost the same.
      const asked = await toServiceRequest(request, {
        resolve: async ({ id }) => id,
        photo: async (ref) => ref,
      });
      return client.cost(asked);
    };

    return {
      isModerator: () => parts.moderators.is(incoming),
      reference: (text, model, catalog) =>
        parts.references.resolve({ text, model, catalog, community: place.community }, words),
      async begun() {
        const job = await orchestrator.begun(event);
        return job && firstReply(job, true);
      },
      cost,
      async generate(request, { private: isPrivate, others: photos = [] }) {
        for (const photo of photosOf(request)) if (photo.from === 'face') await faces.find(photo);
        const order: Order = {
          origin: event,
          caller,
          place,
          private: isPrivate,
          request,
          label: labelOf(request),
          credits: await cost(request),
          otherRequests: photos.map((photo) => withPhoto(request, photo)),
          ...(await parts.creditsFor(incoming)),
          ...defined({ answer, press, againOf, filter: countedAs(request, parts.catalogs) }),
        };
        const trace = traceOf(request, isPrivate);
        const { job, known, others, total } = await orchestrator
          .accept(order, trace)
          .catch((error: unknown) => {
            parts.ceilingNotices.refused(error);
            throw error;
          });
        const reply = firstReply(job, known, known ? undefined : others);
        // Meanwhile it is synced to disk.
        parts.ceilingNotices.accepted(total);
        for (const { id } of known ? [] : [job, ...others])
          parts.audit.tell(caller, place, 'job', { job: id, ...trace });
        return reply;
      },
      price: (command) => priced.get(command),
      catalog: {
        ...createCatalogPort(parts.catalogs, parts.aliasEntries, place.community, words),
        order: (alone = false) => parts.filterOrders.of(caller, place, alone),
        sheet: createSheet(parts, incoming),
      },
      faces,
      looks: services.looks(incoming, words),
      jobs: services.jobs(incoming, words),
      reports: services.reports(incoming, words),
      stats: services.stats(incoming, words),
      usage: services.usage(incoming, words),
      aliases: services.aliases(incoming, words),
      settings: services.settings(incoming, words),
      approvals: services.approvals(incoming, words),
      privacy: createPrivacy(parts, caller),
    };
  };
}
