import type { Clock } from '../../base/clock.ts';
import { createOncePer } from '../../base/once-per.ts';
import type { View } from '../../command/view.ts';
import type { Campaign } from '../../community/campaigns/campaign-records.ts';
import type { CampaignNotices } from '../../community/campaigns/carry-out.ts';
import { type CommunityErrorReason, explainCommunityError } from '../../community/community-error.ts';
import type { Audit } from '../../community/rules/audit.ts';
import { GenerationError } from '../../generation-client/wire/errors.ts';
import type { Log } from '../../log/log.ts';
import { dayEnd, monthStart } from '../../orchestrator/job/day.ts';
import type { FinalJob, Job } from '../../orchestrator/job/job.ts';
import type { DamagedRecord } from '../../store/tables/damaged.ts';
import type { Store } from '../../store/tables/store.ts';
import { moneyText, type Price } from '../../words/money.ts';
import { lengthOfTime } from '../../words/time.ts';
import { languages, type OwnerTrouble, type Words, wordsFor } from '../../words/words.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';
import type { LogChannel } from './log-channel.ts';
import type { Owners } from './owners.ts';

/** A ceiling for everybody together, of a day or a month. Reserved credits are among those that are used. */
export interface Ceiling {
  readonly of: 'day' | 'month';
  readonly used: number;
  readonly most: number;
}

/** `error`: the store's error. */
export type OwnerNotice = (trouble: OwnerTrouble, error?: unknown) => void;

/** Tells owners of a ceiling; false: it reached nobody, and can be told again. */
export type CeilingNotice = (notice: OwnerTrouble, ceiling: Ceiling) => Promise<boolean>;

/**
 * Problems that only the owner can fix: logged in English, and sent by direct message. `tell` does it once an hour for each; `tellOfCeiling`
 * each time, because the store counts those notices.
 */
export function createOwnerNotices(
  parts: {
    readonly owners: Pick<Owners, 'people' | 'words'>;
    readonly platforms: Pick<PlatformRegistry, 'say'>;
    readonly clock: Clock;
    readonly log: Pick<Log, 'warn' | 'error'>;
    /** What a credit costs; undefined: notices tell no money. */
    readonly price?: Price | undefined;
  },
  storeTrouble: (error: unknown) => string,
): { readonly tell: OwnerNotice; readonly tellOfCeiling: CeilingNotice } {
  const { owners, platforms, clock, log, price } = parts;
  const isNews = createOncePer(clock);
  const usedOf = ({ of, used, most }: Ceiling, now: number, { language, owner, stats }: Words): string => {
    const credits =
      of === 'day'
        ? owner.ceilingUsed(used, most, lengthOfTime(dayEnd(now) - now))
        : owner.monthUsed(used, most, stats.date(monthStart(now, 1)));
    if (price === undefined) return credits;
    const money = (amount: number): string => moneyText(amount, price, language);
    return `${credits} ${owner.inMoney(money(used), money(most))}`;
  };

  /** Returns what became of each message; undefined: sending it failed. */
  const say = (trouble: OwnerTrouble, textIn: (words: Words) => string) => {
    log.error({ trouble }, textIn(languages.en));
    const view: View = { tone: 'failed', lines: [textIn(owners.words)] };
    return Promise.all(
      owners.people.map((caller) =>
        platforms.say({ caller }, view).catch((failure: unknown) => {
          log.warn({ err: failure }, 'an owner could not be notified');
          return undefined;
        }),
      ),
    );
  };

  return {
    tell(trouble, error) {
      if (!isNews(trouble)) return;
      void say(trouble, ({ owner }) => {
        const text = owner.notices[trouble];
        return trouble === 'store' ? `${text} ${owner.reason(storeTrouble(error))}` : text;
      });
    },
    async tellOfCeiling(notice, ceiling) {
      const now = clock.now();
      const said = await say(
        notice,
        (words) => `${words.owner.notices[notice]} ${usedOf(ceiling, now, words)}`,
      );
      // A notice that may have arrived is not repeated for an hour and a half.
      const isUnsent = said.every(
        (each) => each === undefined || (each.state === 'later' && each.unsent === true),
      );
      return said.length === 0 || !isUnsent;
    },
  };
}

/** Six lists are refreshed twice a minute and fail for the same reason, so errors of the service are logged once an hour. */
export function createListTroubles(ownerNotice: OwnerNotice, clock: Clock, log: Log) {
  const isNews = createOncePer(clock);
  return (error: unknown, what: string): void => {
    if (!(error instanceof GenerationError)) log.warn({ err: error }, what);
    else if (error.kind === 'unauthorized') ownerNotice('service-credentials');
    else if (error.kind === 'redirected') ownerNotice('service-address');
    else if (isNews(error.kind))
      log.warn(
        { reason: error.message },
        'The filter lists cannot be loaded; this is retried automatically. `npm run doctor` checks GENERATION_URL.',
      );
  };
}

/** A store that is damaged as a whole must not fill the log. */
const MOST_LOGGED = 100;

/** Logs records that cannot be read, and notifies the owner. */
export function createDamageNotices(log: Pick<Log, 'error'>) {
  let count = 0;
  let tell: (() => void) | undefined;
  return {
    found(record: DamagedRecord): void {
      count += 1;
      if (count <= MOST_LOGGED) {
        const more = record.kind === 'job' ? '; its card can no longer be updated' : '';
        log.error({ record }, `a record cannot be read and was set aside${more}`);
      }
      tell?.();
    },
    /** Sets how the owner is notified, also of records found before. */
    tellBy(how: () => void): void {
      tell = how;
      if (count > 0) how();
    },
  };
}

type Ended = Pick<FinalJob, 'id' | 'state' | 'request' | 'failure' | 'serviceId'>;

/** Logs which job failed, why, and its id at the service; nothing personal. */
export function logFailedJob(
  { id, state, request, failure, serviceId }: Ended,
  log: Pick<Log, 'info'>,
): void {
  if (state !== 'failed' && state !== 'uncertain') return;
  log.info(
    { job: id, kind: request.kind, failure: failure?.code ?? state, serviceJob: serviceId },
    'a job failed',
  );
}

/** A broken alias was used: writes an audit line each time, and posts to the log channel once an hour per alias. */
export function createAliasNotices(
  channel: Pick<LogChannel, 'post'>,
  audit: Pick<Audit, 'note'>,
  parts: {
    /** In the language of the community's log channel. */
    readonly wordsIn: (community: string) => Promise<Words>;
    readonly clock: Clock;
    readonly log: Pick<Log, 'warn'>;
  },
) {
  const { wordsIn, clock, log } = parts;
  const isNews = createOncePer(clock);

  return ({ caller, place, id }: Job, name: string, reason: CommunityErrorReason): void => {
    audit
      .note(caller, place, `job.${reason.code}`, { job: id, name })
      .catch((error: unknown) => log.warn({ err: error }, 'an audit line could not be written'));
    if (!isNews(`${place.community} ${name}`)) return;
    wordsIn(place.community)
      .then((words) => explainCommunityError(reason, words))
      .then(({ message }) => channel.post(place.community, { tone: 'failed', lines: [message] }))
      .catch((error: unknown) => log.warn({ err: error }, 'the log channel could not be reached'));
  };
}

/** Tells of campaigns: each event has an audit line, which the log channel gets, too; failures are told to the moderator who made it. */
export function createCampaignNotices(
  audit: Pick<Audit, 'note'>,
  lines: Pick<Store['audit'], 'since'>,
  platforms: Pick<PlatformRegistry, 'say'>,
  log: Pick<Log, 'warn'>,
): CampaignNotices {
  const tell = ({ by, alias, label }: Campaign, what: 'missed' | 'failed' | 'delayed'): void => {
    const view: View = { tone: 'failed', lines: [wordsFor(by.locale).campaign.notices[what](alias, label)] };
    platforms
      .say({ caller: by }, view)
      .catch((error: unknown) => log.warn({ err: error }, 'a moderator could not be told of a campaign'));
  };
  const isNoted = async (community: string, action: string, at: number, name: string): Promise<boolean> => {
    for await (const line of lines.since(at, community))
      if (line.action === action && line.detail.name === name) return true;
    return false;
  };

  return {
    async happened(community, campaign, { what, at, reason = '' }, again) {
      const { by, alias: name, label: filter } = campaign;
      const action = `campaign.${what}`;
      if (again && (await isNoted(community, action, at, name))) return;
      await audit.note(by, { community }, action, { name, filter, reason });
      if (what === 'missed' || what === 'failed') tell(campaign, what);
    },
    async delayed(community, campaign) {
      const { by, alias: name, label: filter } = campaign;
      await audit.note(by, { community }, 'campaign.delayed', { name, filter });
      tell(campaign, 'delayed');
    },
  };
}
