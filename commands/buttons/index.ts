import { APPROVAL_DECISIONS } from '../../src/command/approvals-port.ts';
import type { ButtonDeclaration } from '../../src/command/command.ts';
import { REPORT_DECISIONS } from '../../src/command/reports-port.ts';
import { draftButtons } from './draft.ts';
import { jobButtons } from './job.ts';
import { use } from './use.ts';

/** Every button, by its verb. */
export const buttons: readonly ButtonDeclaration[] = [
  ...jobButtons,
  ...draftButtons,
  use,
  // `report-remove:<report>`, `report-block:<report>`, `report-dismiss:<report>`: what a moderator decides.
  ...REPORT_DECISIONS.map(
    (decision): ButtonDeclaration => ({
      verb: `report-${decision}`,
      about: 'report',
      run: ({ ports: { reports } }, id) => reports.decide(id, decision),
    }),
  ),
  // `approve:<request>`, `dismiss:<request>`: what an owner decides about a community that waits.
  ...APPROVAL_DECISIONS.map(
    (decision): ButtonDeclaration => ({
      verb: decision,
      about: 'approval',
      run: ({ ports: { approvals } }, id) => approvals.decide(id, decision),
    }),
  ),
];
