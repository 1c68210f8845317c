import { defineButton } from '../../src/command/command.ts';
import { REPORT_DECISIONS } from '../../src/command/ports.ts';

/** `report-remove:<report>`, `report-block:<report>`, `report-dismiss:<report>`: what a moderator decides. */
export const decisions = REPORT_DECISIONS.map((decision) =>
  defineButton({
    verb: `report-${decision}`,
    about: 'report',
    run: ({ reports }, id) => reports.decide(id, decision),
  }),
);
