import type { Incoming } from '../../command/desk.ts';
import type { AuditLine } from '../../store/tables/audit.ts';
import type { Audit } from './audit.ts';
import type { Moderators } from './moderators.ts';

export interface AuditedChangeParts {
  readonly moderators: Pick<Moderators, 'demand'>;
  readonly audit: Pick<Audit, 'note'>;
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
    if (begun) await note(`${action}.failed`, detail);
    throw error;
  }
}

/** A moderator's change: checks permission first. */
export function createAuditedChange({ moderators, audit }: AuditedChangeParts, incoming: Incoming) {
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
