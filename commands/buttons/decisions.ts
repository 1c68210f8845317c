import { defineButton } from '../../src/command/command.ts';
import { APPROVAL_DECISIONS, REPORT_DECISIONS } from '../../src/command/ports.ts';

export const decisions = [
  /** `report-remove:<report>`, `report-block:<report>`, `report-dismiss:<report>`: what a moderator decides. */
  ...REPORT_DECISIONS.map((decision) =>
    defineButton({
      verb: `report-${decision}`,
      about: 'report',
      run: ({ reports }, id) => reports.decide(id, decision),
    }),
  ),
  /** `approve:<request>`, `dismiss:<request>`: what an owner decides about a community that waits. */
  ...APPROVAL_DECISIONS.map((decision) =>
    defineButton({
      verb: decision,
      about: 'approval',
      run: ({ approvals }, id) => approvals.decide(id, decision),
    }),
  ),
];
