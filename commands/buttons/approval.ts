import { defineButton } from '../../src/command/command.ts';
import { APPROVAL_DECISIONS } from '../../src/command/ports.ts';

/** `approve:<request>`, `dismiss:<request>`: what an owner decides about a community that waits. */
export const approvalDecisions = APPROVAL_DECISIONS.map((decision) =>
  defineButton({
    verb: decision,
    about: 'approval',
    run: ({ approvals }, id) => approvals.decide(id, decision),
  }),
);
