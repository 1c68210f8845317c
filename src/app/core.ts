import { buttons } from '../../commands/buttons/index.ts';
import type { Clock } from '../base/clock.ts';
import type { Members } from '../base/members/members.ts';
import { randomId } from '../base/random-id.ts';
import { createDesk } from '../command/desk/create-desk.ts';
import { createDrafts, draftRecordRules } from '../command/desk/parts/draft-store.ts';
import { createEventsUnderWay } from '../command/desk/parts/under-way.ts';
import type { Incoming } from '../command/desk.ts';
import { turnKey } from '../command/place.ts';
import type { DeskPorts } from '../command/ports.ts';
import type { Config } from '../config/config.ts';
import type { FaceFinder } from '../faces/finder.ts';
import type { Log } from '../log/log.ts';
import type { Decoder } from '../picture/decoder.ts';
import type { Store } from '../store/tables/store.ts';
import { wordsFor } from '../words/words.ts';
import { commandsFor } from './commands.ts';
import { openCommunities } from './community/open.ts';
import { openCommunityRecords } from './community/records.ts';
import { explainError } from './explain-error.ts';
import { createErasedMeanwhile } from './jobs/erased-meanwhile.ts';
import { openJobs } from './jobs/open.ts';
import type { Observer } from './monitoring/observer.ts';
import { openNotices } from './notices/open.ts';
import { openOverview } from './overview/open.ts';
import { openPhotos } from './photos/open.ts';
import type { PlatformRegistry } from './platforms/registry.ts';
import type { Residents } from './platforms/residents.ts';
import { openRequests } from './requests/open.ts';
import type { RetryAfterLoss } from './retry-after-loss.ts';
import type { ConnectedService } from './service/connect-service.ts';

export type Core = ReturnType<typeof openCore>;

/**
 * Everything between the store and the platforms, feature by feature, and the desk in front of it. Each feature is given what stands
 * above it on this page. Nothing runs until `src/app.ts` starts it. `portsFor` is returned for the test that calls every port as somebody who may not.
 */
export function openCore(parts: {
  readonly config: Config;
  readonly store: Store;
  readonly members: Members;
  readonly retryAfterLoss: RetryAfterLoss;
  readonly service: ConnectedService;
  readonly decoder: Decoder;
  readonly finder: FaceFinder;
  readonly platforms: PlatformRegistry;
  readonly residents: Residents;
  readonly observer: Pick<
    Observer,
    'finished' | 'polled' | 'refused' | 'faceChecked' | 'contentChecked' | 'answered' | 'figures'
  >;
  readonly clock: Clock;
  readonly log: Log;
  /** Each feature puts on this what it has to close; the last is closed first. */
  readonly opened: AsyncDisposableStack;
}) {
  const { config, store, observer, clock, log } = parts;
  const erasedMeanwhile = createErasedMeanwhile(store.erasures, parts.members);
  const underWay = createEventsUnderWay();
  const records = openCommunityRecords(config, store, clock);
  const notices = openNotices({ ...parts, ...records });
  const photos = openPhotos({ ...parts, notices, erasedMeanwhile });
  const communities = openCommunities({ ...parts, records, notices, previews: photos.previews });
  const jobs = openJobs({ ...parts, records, notices, photos, communities, underWay });
  const requests = openRequests({ ...parts, notices, communities, jobs });
  const overviewPort = openOverview({
    ...parts,
    figures: observer.figures,
    records,
    notices,
    communities,
    jobs,
    requests,
  });
  const { orchestrator } = jobs;

  /** Bound to one event. A command reads few of the ports: each is made when it is read. */
  const portsFor = (incoming: Incoming): DeskPorts => {
    const words = wordsFor(incoming.caller.locale);
    const permission = communities.moderators.of(incoming);
    return {
      isModerator: permission.is,
      reference: (text, model, catalog) =>
        communities.resolve(text, model, catalog, incoming.place.community, words),
      price: jobs.priceOf,
      get catalog() {
        return communities.catalogPort(incoming, words);
      },
      get aliases() {
        return communities.aliasesPort(incoming, permission);
      },
      get settings() {
        return communities.settingsPort(incoming, permission);
      },
      get stats() {
        return communities.statsPort(incoming, words, permission);
      },
      get approvals() {
        return communities.approvalsPort(incoming, words);
      },
      get faces() {
        return photos.facesPort(incoming, words);
      },
      get faceCheck() {
        return photos.faceCheckPort(incoming, words);
      },
      get newJobs() {
        return jobs.newJobsPort(incoming, words);
      },
      get jobs() {
        return jobs.jobsPort(incoming, words);
      },
      get held() {
        return jobs.heldPort(incoming, words, permission);
      },
      get usage() {
        return jobs.usagePort(incoming, permission);
      },
      get privacy() {
        return jobs.privacyPort(incoming);
      },
      get removals() {
        return jobs.removalsPort(incoming, permission);
      },
      get requests() {
        return requests.portFor(incoming, words);
      },
      get overview() {
        return overviewPort(incoming, words);
      },
      get reports() {
        return jobs.reportsPort(incoming, words, permission);
      },
    };
  };
  const desk = createDesk({
    commands: commandsFor(config),
    buttons,
    drafts: createDrafts(store.keyv('drafts', draftRecordRules)),
    underWay,
    erasedMeanwhile,
    gate: communities.gate,
    askOwners: ({ caller, place }) =>
      notices.askForApproval({ place, locale: caller.locale, person: caller.name, asker: turnKey(caller) }),
    knownUsers: parts.residents.people,
    knownNames: communities.filterNames,
    savedFaces: photos.savedFaces,
    portsFor,
    hasJob: async (event) => (await orchestrator.begun(event)) !== undefined,
    cardShown: orchestrator.cardShown,
    ...jobs.shownResults,
    noticed: communities.watch.noticeUse,
    answered: observer.answered,
    explain: (error, words, caller) => explainError(error, words, caller, clock.now()),
    retryAfterLoss: parts.retryAfterLoss,
    clock,
    newId: () => randomId(9),
    onError: (error, what) => log.error({ err: error, what }, 'a command could not be completed'),
  });

  return { records, notices, photos, communities, jobs, requests, portsFor, desk };
}
