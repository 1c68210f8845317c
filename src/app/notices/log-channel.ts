import { backoff } from '../../base/backoff.ts';
import type { Clock } from '../../base/clock.ts';
import { keepLatest } from '../../base/keep-latest.ts';
import { createOncePer } from '../../base/once-per.ts';
import type { Place } from '../../command/place.ts';
import { shorten } from '../../command/shorten.ts';
import type { Line, View } from '../../command/view.ts';
import { trailEntryOf } from '../../community/rules/audit.ts';
import type { CommunityRules } from '../../community/rules/community-rules.ts';
import type { Log } from '../../log/log.ts';
import type { AuditLine } from '../../orchestrator/job/records.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';

export type LogChannel = ReturnType<typeof createLogChannel>;

/** Lines beyond this are only counted, so that a burst cannot grow without bound. */
const MOST_LINES = 15;
const GATHER_MS = 3_000;
const MOST_TRIES = 8;
const LONGEST_PAUSE_MS = 5 * 60_000;
const MOST_COMMUNITIES = 5_000;

/** Sends audit lines and reports to the channel that a community chose for them. */
export function createLogChannel(
  rules: Pick<CommunityRules, 'logPlace'>,
  platforms: Pick<PlatformRegistry, 'say'>,
  clock: Clock,
  log: Log,
) {
  interface Gathered {
    readonly lines: Line[];
    more: number;
    /** The channel when the first line was written: a change of the log channel is also logged in the old one. */
    readonly before: Promise<Place | undefined>;
  }
  /** Unsent lines by community. */
  const gathered = new Map<string, Gathered>();
  /** Communities with a message being sent: one at a time each, so that a slow channel delays only itself. */
  const sending = new Set<string>();
  const isNews = createOncePer(clock);

  const post = async (community: string, view: View): Promise<boolean> => {
    const place = await rules.logPlace(community);
    return place !== undefined && (await platforms.say({ place }, view)).state === 'drawn';
  };

  const warn = (error: unknown): void => log.warn({ err: error }, 'the log channel could not be reached');

  /** Returns the delay before a retry; `undefined`: sent, or never can be. */
  const send = async (community: string, { lines, more, before }: Gathered): Promise<number | undefined> => {
    const view: View = { tone: 'info', lines: more > 0 ? [...lines, `… +${more}`] : lines };
    const [then, now] = [await before.catch(() => undefined), await rules.logPlace(community)];
    const moved = then?.channel !== now?.channel || then?.thread !== now?.thread;
    const [outcome] = await Promise.all([
      now && platforms.say({ place: now }, view),
      ...(moved && then ? [platforms.say({ place: then }, view).catch(warn)] : []),
    ]);
    // Deleted, locked or not writable: without this warning the missing log would stay unnoticed.
    if (outcome?.state === 'gone' && isNews(community))
      log.warn({ community }, 'the log channel of this community no longer accepts messages');
    return outcome?.state === 'later' ? outcome.afterMs : undefined;
  };

  /** Puts unsent lines before newer ones; lines beyond the limit are only counted. */
  const putBack = (community: string, unsent: Gathered): void => {
    const newer = gathered.get(community);
    const lines = [...unsent.lines, ...(newer?.lines ?? [])];
    const more = unsent.more + (newer?.more ?? 0) + Math.max(0, lines.length - MOST_LINES);
    // A former channel was told, or could not be.
    const before = rules.logPlace(community);
    before.catch(() => undefined);
    gathered.set(community, { lines: lines.slice(0, MOST_LINES), more, before });
    keepLatest(gathered, MOST_COMMUNITIES);
  };

  const flush = async (community: string, tries: number): Promise<void> => {
    const mine = gathered.get(community);
    if (mine === undefined || sending.has(community)) return;
    gathered.delete(community);
    sending.add(community);
    const afterMs = await send(community, mine)
      .catch((error: unknown) => {
        warn(error);
        return 0;
      })
      .finally(() => sending.delete(community));
    if (afterMs !== undefined && tries < MOST_TRIES) {
      putBack(community, mine);
      const pauseMs = Math.min(
        LONGEST_PAUSE_MS,
        Math.max(afterMs, backoff(tries, GATHER_MS, LONGEST_PAUSE_MS)),
      );
      clock.after(pauseMs, () => void flush(community, tries + 1));
    } else if (gathered.has(community)) clock.after(GATHER_MS, () => void flush(community, 1));
  };

  return {
    /** Whether there is such a channel and it accepted the message. */
    post,
    tell(line: AuditLine): void {
      const { who, what } = trailEntryOf(line);
      const text: Line = [{ person: who }, ` ${shorten(what, 300)}`];
      const waiting = gathered.get(line.community);
      if (waiting) {
        if (waiting.lines.length < MOST_LINES) waiting.lines.push(text);
        else waiting.more += 1;
        return;
      }
      const first: Gathered = { lines: [text], more: 0, before: rules.logPlace(line.community) };
      first.before.catch(() => undefined);
      gathered.set(line.community, first);
      keepLatest(gathered, MOST_COMMUNITIES);
      clock.after(GATHER_MS, () => void flush(line.community, 1));
    },
  };
}
