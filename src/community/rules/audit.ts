import type { Incoming } from '../../command/desk.ts';
import { type Caller, type Place, personKey } from '../../command/place.ts';
import type { TrailEntry, TrailKind } from '../../command/settings-port.ts';
import type { AuditLine, AuditTable } from '../../store/tables/audit.ts';
import type { Permission } from './moderators.ts';

/** The prefixes of the actions of each kind. */
export const ACTION_PREFIXES: Readonly<Record<TrailKind, readonly string[]>> = {
  jobs: ['job'],
  reports: ['job.report'],
  moderators: ['moderator.'],
  settings: ['settings.'],
  aliases: ['alias.', 'campaign.'],
};

/** Makes the entry that moderators read from an audit line. */
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

/** The actor of audit lines of the owner in the console, where they have no account on a platform. */
const CONSOLE_OWNER = 'console:owner';

export type Audit = ReturnType<typeof createAudit>;

/**
 * Writes the audit trail: one line for each job and each action of a moderator, without pictures. `tell` sends a line to the
 * community's log channel, if it has one, and handles its own failures. `inConsole`: the owner as a caller in the console.
 */
export function createAudit(
  table: Pick<AuditTable, 'append' | 'recent'>,
  tell: (line: AuditLine) => void,
  now: () => number,
  inConsole?: Caller,
) {
  const lineOf = (
    who: Caller,
    { community }: Pick<Place, 'community'>,
    action: string,
    detail: AuditLine['detail'] = {},
  ): AuditLine => {
    const actor = who === inConsole ? CONSOLE_OWNER : personKey(who);
    return { at: now(), community, actor, action, detail };
  };
  return {
    /** Stores a line, and tells the log channel. */
    async note(...what: Parameters<typeof lineOf>): Promise<void> {
      const line = lineOf(...what);
      await table.append(line);
      tell(line);
    },
    /** Tells the log channel of a line that was stored elsewhere. */
    tell: (...what: Parameters<typeof lineOf>): void => tell(lineOf(...what)),
    recent: table.recent,
  };
}

/**
 * Makes the function that runs a moderator's change: it checks permission and runs `work`, which calls `begin` right before
 * it changes something. `begin` writes the audit line; if `work` fails after that, a second line says so.
 */
export function createAuditedChange(
  permission: Pick<Permission, 'demand'>,
  audit: Pick<Audit, 'note'>,
  incoming: Incoming,
) {
  const { caller, place } = incoming;
  return async <T>(
    action: string,
    detail: AuditLine['detail'],
    work: (begin: () => Promise<void>) => Promise<T>,
  ): Promise<T> => {
    await permission.demand();
    let begun = false;
    const begin = async (): Promise<void> => {
      if (!begun) await audit.note(caller, place, action, detail);
      begun = true;
    };
    try {
      return await work(begin);
    } catch (error) {
      // A failure to write this line is ignored, because the first error is the one to explain.
      if (begun) await audit.note(caller, place, `${action}.failed`, detail).catch(() => undefined);
      throw error;
    }
  };
}
