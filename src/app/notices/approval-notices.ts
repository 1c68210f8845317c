import { createHash } from 'node:crypto';
import Bottleneck from 'bottleneck';
import { type Clock, DAY_MS } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { Records } from '../../base/keyv/records.ts';
import { NO_GAP_MS } from '../../base/limits/no-gap.ts';
import { createOncePer } from '../../base/once-per.ts';
import { isPersonal, type Place } from '../../command/place.ts';
import { shorten } from '../../command/shorten.ts';
import type { View } from '../../command/view.ts';
import type { ApprovalRequest, Approvals, WaitingEntry } from '../../community/approvals/approvals.ts';
import { drawApproval } from '../../community/approvals/approvals-port.ts';
import type { Log } from '../../log/log.ts';
import { dayOf } from '../../orchestrator/job/day.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';
import type { Owners } from './owners.ts';

const KEPT_MS = 3 * DAY_MS;
/** Maximum for all communities together; the rest is counted. */
const MOST_NOTICES_A_DAY = 20;
/** Maximum for requests of one person, and for those of unknown people (a platform's list names none). */
const MOST_OF_ONE = 3;
const MOST_OF_UNKNOWN = 10;
/** The most requests that wait; more are dropped, and made again at the next event of their community. */
const MOST_WAITING = 1_000;
const LONGEST_NAME = 100;

/** One short line, so that a name cannot look like other lines of the notice. */
const tidy = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : shorten(text.replaceAll(/\s+/g, ' ').trim(), LONGEST_NAME);

/** `asker`: the `turnKey` of the person who added or used the bot; absent: the platform does not say. */
export type ApprovalAsking = ApprovalRequest & { readonly asker?: string };

interface Day {
  readonly sent: number;
  /** Notices sent, by the person who asked (hashed). */
  readonly of?: Readonly<Record<string, number>>;
  /** Requests that had no notice of their own. */
  readonly more: number;
}

/** How many notices were sent, by the day, by all processes. */
export const approvalNoticeRecordRules = {
  isValid: (_: string, value: unknown): boolean =>
    typeof value === 'object' && value !== null && 'sent' in value && 'more' in value,
};

/**
 * Tells the owners that a community waits for their approval: at most once a day for each, and a limited number of them; what is sent
 * is stored first, so that a restart repeats nothing.
 */
export function createApprovalNotices(
  parts: {
    readonly platforms: Pick<PlatformRegistry, 'of' | 'say'>;
    readonly owners: Pick<Owners, 'people' | 'words'>;
    readonly clock: Clock;
    readonly log: Pick<Log, 'info' | 'warn'>;
  },
  approvals: Pick<Approvals, 'ask' | 'describe'>,
  days: Pick<Records, 'update'>,
) {
  const { platforms, owners, clock, log } = parts;
  /** Spares the store a question for every event. */
  const isNews = createOncePer(clock, DAY_MS);
  /** One request after the other: a flood of strangers must not fill the store's queue. */
  const limiter = new Bottleneck({ maxConcurrent: 1, minTime: NO_GAP_MS });

  const sayToOwners = async (view: View): Promise<void> => {
    let reached = 0;
    for (const caller of owners.people)
      await platforms.say({ caller }, view).then(
        ({ state }) => {
          if (state === 'drawn') reached += 1;
        },
        (error: unknown) => log.warn({ err: error }, 'an owner could not be notified'),
      );
    if (reached === 0) log.warn('no owner could be told that a community waits for approval; see /owner');
  };

  /** Counts one more notice. Returns 0 if it is sent, else how many were not. */
  const count = async (asker: string | undefined): Promise<number> => {
    const [who, most] =
      asker === undefined
        ? ['', MOST_OF_UNKNOWN]
        : [createHash('sha256').update(asker).digest('base64url').slice(0, 16), MOST_OF_ONE];
    let more = 0;
    await days.update<Day>(
      dayOf(clock.now()),
      ({ sent, more: before, of = {} } = { sent: 0, more: 0 }) => {
        const mine = of[who] ?? 0;
        const isSent = sent < MOST_NOTICES_A_DAY && mine < most;
        more = isSent ? 0 : before + 1;
        return isSent ? { sent: sent + 1, more: before, of: { ...of, [who]: mine + 1 } } : { sent, more, of };
      },
      KEPT_MS,
    );
    return more;
  };

  /** The name and size of a community, as far as the platform says. */
  const lookUp = async (place: Place) => {
    const found = await platforms
      .of(place.platform)
      ?.communityInfo?.(place)
      .catch(() => undefined);
    return defined({ name: tidy(found?.name), members: found?.members });
  };

  const tell = async (
    community: string,
    asked: WaitingEntry,
    known: string | undefined,
    asker: string | undefined,
  ): Promise<void> => {
    const more = await count(asker);
    if (more > 0) {
      // The number of those that wait doubles between two of these.
      if (Number.isInteger(Math.log2(more)))
        await sayToOwners({
          tone: 'ask',
          title: owners.words.approval.title,
          lines: [owners.words.approval.more(more)],
        });
      return;
    }
    const found = isPersonal(community) ? {} : await lookUp(asked.place);
    await approvals.describe(community, found);
    const { name = known, members } = found;
    const request = { ...defined({ name }), waiting: { ...asked, ...defined({ members }) } };
    await sayToOwners(drawApproval(community, request, owners.words));
  };

  const ask = async ({ asker, ...asking }: ApprovalAsking): Promise<void> => {
    const { community } = asking.place;
    const asked = await approvals.ask(community, asking);
    if (asked === undefined) return;
    // The id of a direct chat is a person's.
    log.info(isPersonal(community) ? {} : { community }, 'a community waits for approval');
    await tell(community, asked, asking.name, asker);
  };

  return (asking: ApprovalAsking): void => {
    const { community, channel } = asking.place;
    const { RECEIVED, QUEUED } = limiter.counts();
    if (RECEIVED + QUEUED >= MOST_WAITING) return;
    const what = channel === '' ? `${community} listed` : community;
    if (!isNews(what)) return;
    const { name, person, ...rest } = asking;
    const named = { ...rest, ...defined({ name: tidy(name), person: tidy(person) }) };
    limiter
      .schedule(() => ask(named))
      .catch((error: unknown) => {
        isNews.forget(what);
        log.warn({ err: error }, 'the owners could not be asked for an approval');
      });
  };
}
