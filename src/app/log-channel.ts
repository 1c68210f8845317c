import type { Clock } from '../clock.ts';
import type { TrailEntry } from '../command/call.ts';
import type { Place } from '../command/place.ts';
import { shorten } from '../command/shorten.ts';
import type { Line, View } from '../command/view.ts';
import type { CommunityRules } from '../community/settings.ts';
import type { Log } from '../log.ts';
import type { AuditLine } from '../store/audit.ts';
import type { Egress } from './egress.ts';

/** Audit lines and reports, carried to the channel that a community chose for them. */
export interface LogChannel {
  tell(line: AuditLine): void;
  /** Whether there is such a channel and it took the message. */
  post(community: string, view: View): Promise<boolean>;
}

/** Who did it, by the platform's id, and what; details that are empty tell nothing. */
export const entryOf = ({ at, actor, action, detail }: AuditLine): TrailEntry => ({
  at,
  who: actor.slice(actor.indexOf(':') + 1),
  what: [
    action,
    ...Object.entries(detail).flatMap(([name, value]) => (value === '' ? [] : [`${name}=${value}`])),
  ].join(' '),
});

/** More than this in one message is cut: a burst is summed up, never queued without bound. */
const mostLines = 15;
const gatherMs = 3_000;

export const createLogChannel = (
  rules: Pick<CommunityRules, 'logPlace'>,
  egress: Pick<Egress, 'say'>,
  clock: Clock,
  log: Log,
): LogChannel => {
  interface Gathered {
    readonly lines: Line[];
    more: number;
    /** Where it went when the first of these lines was written: who takes the log away is told of there. */
    readonly before: Promise<Place | undefined>;
  }
  const gathered = new Map<string, Gathered>();

  const say = async (place: Place | undefined, view: View): Promise<boolean> =>
    place !== undefined && (await egress.say({ place }, view)).state === 'drawn';

  const post: LogChannel['post'] = async (community, view) => say(await rules.logPlace(community), view);

  const flush = async (community: string, { lines, more, before }: Gathered): Promise<void> => {
    gathered.delete(community);
    const view: View = { tone: 'info', lines: more > 0 ? [...lines, `… +${more}`] : lines };
    const [then, now] = [await before.catch(() => undefined), await rules.logPlace(community)];
    const moved = then?.channel !== now?.channel || then?.thread !== now?.thread;
    await Promise.all([say(now, view), ...(moved ? [say(then, view)] : [])]);
  };

  return {
    post,
    tell(line) {
      const { who, what } = entryOf(line);
      const text: Line = [{ person: who }, ` ${shorten(what, 300)}`];
      const waiting = gathered.get(line.community);
      if (waiting) {
        if (waiting.lines.length < mostLines) waiting.lines.push(text);
        else waiting.more += 1;
        return;
      }
      const first: Gathered = { lines: [text], more: 0, before: rules.logPlace(line.community) };
      first.before.catch(() => undefined);
      gathered.set(line.community, first);
      clock.after(gatherMs, () => {
        flush(line.community, first).catch((error: unknown) =>
          log.warn({ err: error }, 'the log channel could not be reached'),
        );
      });
    },
  };
};
