import type { Clock } from '../clock.ts';
import type { View } from '../command/view.ts';
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

const details = (line: AuditLine): string =>
  Object.entries(line.detail)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

export const lineText = (line: AuditLine): string => `${line.actor} ${line.action} ${details(line)}`.trim();

/** More than this in one message is cut: a burst is summed up, never queued without bound. */
const mostLines = 15;
const gatherMs = 3_000;

export const createLogChannel = (
  rules: Pick<CommunityRules, 'logPlace'>,
  egress: Pick<Egress, 'say'>,
  clock: Clock,
  log: Log,
): LogChannel => {
  const gathered = new Map<string, { readonly lines: string[]; more: number }>();

  const post: LogChannel['post'] = async (community, view) => {
    const place = await rules.logPlace(community);
    if (place === undefined) return false;
    return (await egress.say({ place }, view)).state === 'drawn';
  };

  const flush = async (community: string): Promise<void> => {
    const { lines, more } = gathered.get(community) ?? { lines: [], more: 0 };
    gathered.delete(community);
    const shown = more > 0 ? [...lines, `… +${more}`] : lines;
    await post(community, { tone: 'info', lines: shown });
  };

  return {
    post,
    tell(line) {
      const text = lineText(line).slice(0, 300);
      const waiting = gathered.get(line.community);
      if (waiting) {
        if (waiting.lines.length < mostLines) waiting.lines.push(text);
        else waiting.more += 1;
        return;
      }
      gathered.set(line.community, { lines: [text], more: 0 });
      clock.after(gatherMs, () => {
        flush(line.community).catch((error: unknown) =>
          log.warn({ err: error }, 'the log channel could not be reached'),
        );
      });
    },
  };
};
