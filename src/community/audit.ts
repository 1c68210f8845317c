import { type Caller, type Place, personKey } from '../command/place.ts';
import type { AuditLine, Audit as AuditTable } from '../store/audit.ts';

/** Who did what, when: one line per job and per moderator action. Never a picture. */
export interface Audit {
  note(who: Caller, place: Place, action: string, detail?: AuditLine['detail']): void;
  recent(community: string, limit: number): readonly AuditLine[];
  /** The lines of a person's jobs go, at their wish; what they did as a moderator stays. */
  forget(person: string): void;
}

/** `tell` carries the line to the community's log channel, if it has one; its failure is its own affair. */
export const createAudit = (
  table: Pick<AuditTable, 'append' | 'recent' | 'forget'>,
  tell: (line: AuditLine) => void,
  now: () => number,
): Audit => ({
  note(who, place, action, detail = {}) {
    const line: AuditLine = { at: now(), community: place.community, actor: personKey(who), action, detail };
    table.append(line);
    tell(line);
  },
  recent: table.recent,
  forget: (person) => void table.forget(person, 'job'),
});
