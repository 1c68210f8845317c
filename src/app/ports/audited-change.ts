import type { Incoming } from '../../command/desk.ts';
import type { Audit } from '../../community/rules/audit.ts';
import type { Moderators } from '../../community/rules/moderators.ts';
import type { AuditLine } from '../../store/records/audit.ts';

export interface DeedParts {
  readonly moderators: Pick<Moderators, 'demand'>;
  readonly audit: Pick<Audit, 'note'>;
}

/**
 * A moderator's deed: allowed, written down, done; in this order, so that nothing is ever done of which nobody can tell
 * who did it. `work` says when it begins to change something. What then came to nothing gets a second line.
 */
export const createDeed =
  ({ moderators, audit }: DeedParts, { caller, place }: Incoming) =>
  async <T>(
    action: string,
    detail: AuditLine['detail'],
    work: (begin: () => void) => Promise<T>,
  ): Promise<T> => {
    await moderators.demand(caller, place);
    let begun = false;
    const begin = (): void => {
      if (!begun) audit.note(caller, place, action, detail);
      begun = true;
    };
    try {
      return await work(begin);
    } catch (error) {
      if (begun) audit.note(caller, place, `${action}.failed`, detail);
      throw error;
    }
  };
