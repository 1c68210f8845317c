import type { Incoming } from '../../command/desk.ts';
import { type Caller, type Place, personKey } from '../../command/place.ts';
import type { TrailEntry, TrailKind } from '../../command/ports.ts';
import type { AuditLine, AuditTable } from '../../store/tables/audit.ts';
import type { Moderators } from './moderators.ts';

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

/** The owner in the console, who has no account on a platform there. */
const CONSOLE_OWNER = 'console:owner';

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
    { community }: Pick<Place, 'community'>,
    action: string,
    detail: AuditLine['detail'] = {},
  ): AuditLine => ({ at: now(), community, actor: personKey(who), action, detail });
  const write = async (line: AuditLine): Promise<void> => {
    await table.append(line);
    tell(line);
  };
  return {
    note: (...line: Parameters<typeof lineOf>): Promise<void> => write(lineOf(...line)),
    /** What the owner does in the console. */
    noteOfConsole: (community: string, action: string, detail: AuditLine['detail']): Promise<void> =>
      write({ at: now(), community, actor: CONSOLE_OWNER, action, detail }),
    /** Tells the log channel of a line that was written elsewhere. */
    tell: (...line: Parameters<typeof lineOf>): void => tell(lineOf(...line)),
    recent: table.recent,
  };
}

type Note = (action: string, detail: AuditLine['detail']) => Promise<void>;

/**
 * Writes the audit line, then changes. `work` calls `begin` right before it changes something; if it fails after that, a
 * second line says so. The caller checks permission.
 */
export async function withAudit<T>(
  note: Note,
  action: string,
  detail: AuditLine['detail'],
  work: (begin: () => Promise<void>) => Promise<T>,
): Promise<T> {
  let begun = false;
  const begin = async (): Promise<void> => {
    if (!begun) await note(action, detail);
    begun = true;
  };
  try {
    return await work(begin);
  } catch (error) {
    // The first error is the one to explain.
    if (begun) await note(`${action}.failed`, detail).catch(() => undefined);
    throw error;
  }
}

/** A moderator's change: checks permission first. */
export function createAuditedChange(
  moderators: Pick<Moderators, 'demand'>,
  audit: Pick<Audit, 'note'>,
  incoming: Incoming,
) {
  const { caller, place } = incoming;
  const note: Note = (action, detail) => audit.note(caller, place, action, detail);
  return async <T>(
    action: string,
    detail: AuditLine['detail'],
    work: (begin: () => Promise<void>) => Promise<T>,
  ): Promise<T> => {
    await moderators.demand(incoming);
    return withAudit(note, action, detail, work);
  };
}
