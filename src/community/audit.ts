import { type Caller, type Place, personKey } from '../command/place.ts';

/** Who did what, when: one line per job and per moderator action. Never a picture. */
export interface AuditLine {
  readonly at: number;
  readonly community: string;
  readonly actor: string;
  readonly action: string;
  /** Small, plain facts about it; kept sealed where the store is. */
  readonly detail: Readonly<Record<string, string | number | boolean>>;
}

/** The append-only table of the store. */
export interface AuditTable {
  append(line: AuditLine): void;
  recent(community: string, limit: number): readonly AuditLine[];
}

export interface Audit {
  note(who: Caller, place: Place, action: string, detail?: AuditLine['detail']): void;
  recent(community: string, limit: number): readonly AuditLine[];
}

/** `tell` carries the line to the community's log channel, if it has one; its failure is its own affair. */
export const createAudit = (
  table: AuditTable,
  tell: (line: AuditLine) => void,
  now: () => number,
): Audit => ({
  note(who, place, action, detail = {}) {
    const line: AuditLine = { at: now(), community: place.community, actor: personKey(who), action, detail };
    table.append(line);
    tell(line);
  },
  recent: (community, limit) => table.recent(community, limit),
});
