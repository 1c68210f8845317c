import { APPROVAL_DECISIONS } from '../../src/command/approvals-port.ts';
import type { ButtonDeclaration } from '../../src/command/command.ts';
import { HELD_DECISIONS } from '../../src/command/held-port.ts';
import { note } from '../../src/command/reply.ts';
import { REPORT_DECISIONS } from '../../src/command/reports-port.ts';
import { REQUEST_DECISIONS } from '../../src/command/requests-port.ts';
import { readEntry } from '../../src/command/waiting-lists.ts';
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
  // `held-look:<job>`, `held-show:<job>`, `held-remove:<job>`: a moderator decides about a result that is held for its content, perhaps in
  // a direct chat with the bot, where the rules of that chat do not count.
  { verb: 'held-look', about: 'held', openToBlocked: true, run: ({ ports: { held } }, id) => held.look(id) },
  ...HELD_DECISIONS.map(
    (decision): ButtonDeclaration => ({
      verb: `held-${decision}`,
      about: 'held',
      openToBlocked: true,
      run: ({ ports: { held } }, id) => held.decide(id, decision),
    }),
  ),
  // `request-remove:<request>`, `request-nothing:<request>`: what an owner decides about a request of somebody outside the chat.
  ...REQUEST_DECISIONS.map(
    (decision): ButtonDeclaration => ({
      verb: `request-${decision}`,
      about: 'request',
      run: ({ ports: { requests } }, id) => requests.decide(id, decision),
    }),
  ),
  // `overview:all`, `overview:<list>-<number>`: what owners see of the whole program, and what waits for them.
  {
    verb: 'overview',
    about: 'overview',
    async run({ words, ports: { overview } }, id) {
      if (id === 'all') return overview.back();
      const entry = readEntry(id);
      return entry === undefined ? note(words.press.notFound) : overview.entry(entry.list, entry.number);
    },
  },
  // `approve:<request>`, `dismiss:<request>`: what an owner decides about a community that waits.
  ...APPROVAL_DECISIONS.map(
    (decision): ButtonDeclaration => ({
      verb: decision,
      about: 'approval',
      run: ({ ports: { approvals } }, id) => approvals.decide(id, decision),
    }),
  ),
];
