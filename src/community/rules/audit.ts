import { type Caller, type Place, personKey } from '../../command/place.ts';
import type { TrailEntry, TrailKind } from '../../command/ports.ts';
import type { AuditLine, AuditTable } from '../../store/tables/audit.ts';

/** How the actions of each kind begin. */
export const ACTIONS: Readonly<Record<TrailKind, readonly string[]>> = {
  jobs: ['job'],
  reports: ['job.report'],
  moderators: ['moderator.'],
  settings: ['settings.'],
  aliases: ['alias.', 'campaign.'],
};

export function trailEntryOf({ at, actor, action, detail }: AuditLine): TrailEntry {
  return {
    at,
    who: actor.slice(actor.indexOf(':') + 1),
    what: [
      action,
      ...Object.entries(detail).flatMap(([name, value]) => (value === '' ? [] : [`${name}=${value}`])),
    ].join(' '),
  };
}

/** One line per job and per moderator action; never a picture. */
export type Audit = ReturnType<typeof createAudit>;

/** `tell` sends the line to the community's log channel, if it has one, and handles its own failures. */
export function createAudit(
  table: Pick<AuditTable, 'append' | 'recent'>,
  tell: (line: AuditLine) => void,
  now: () => number,
) {
  const lineOf = (
    who: Caller,
    place: Pick<Place, 'community'>,
    action: string,
    detail: AuditLine['detail'],
  ): AuditLine => ({
    at: now(),
    community: place.community,
    actor: personKey(who),
    action,
    detail,
  });
  return {
    async note(
      who: Caller,
      place: Pick<Place, 'community'>,
      action: string,
      detail: AuditLine['detail'] = {},
    ): Promise<void> {
      const line = lineOf(who, place, action, detail);
      await table.append(line);
      tell(line);
    },
    /** Tells the log channel of a line that was written elsewhere. */
    tell: (...line: Parameters<typeof lineOf>): void => tell(lineOf(...line)),
    recent: table.recent,
  };
}

/** The owner in the console, who has no account on a platform there. */
const CONSOLE_OWNER = 'console:owner';

/** Writes what the owner does in the console. */
export type ConsoleAudit = (community: string, action: string, detail: AuditLine['detail']) => Promise<void>;

export function createConsoleAudit(
  table: Pick<AuditTable, 'append'>,
  tell: (line: AuditLine) => void,
  now: () => number,
): ConsoleAudit {
  return async (community, action, detail) => {
    const line = { at: now(), community, actor: CONSOLE_OWNER, action, detail };
    await table.append(line);
    tell(line);
  };
}
