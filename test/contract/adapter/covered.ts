import type { Reply } from '../../../src/command/reply.ts';
import { adapterCases } from './cases/adapter-parts.ts';
import type { Run } from './cases/cases.ts';
import { deskCases, incomingCases } from './cases/events.ts';
import { cardCases, furtherCardsCases, messageCases, resultCases } from './cases/messages.ts';
import { noteCases, removeCases, replaceCases } from './cases/presses.ts';
import { askCases, kindsOfQuestions } from './cases/questions.ts';
import { buttonCases, mediaCases, spanCases, tileCases, viewCases } from './cases/views.ts';

/**
 * What every adapter must do, by what it is about. The compiler demands a row for every kind and flag of a reply, every part of a
 * view, and every part of the interfaces between adapters and the rest.
 */
export const covered = {
  reply: {
    message: messageCases,
    result: resultCases,
    card: cardCases,
    'further-cards': furtherCardsCases,
    replace: replaceCases,
    remove: removeCases,
    ask: askCases,
    ...noteCases,
  } satisfies Record<Reply['kind'], unknown>,
  question: kindsOfQuestions,
  view: viewCases,
  span: spanCases,
  media: mediaCases,
  tile: tileCases,
  button: buttonCases,
  incoming: incomingCases,
  desk: deskCases,
  adapter: adapterCases,
};

type Table = { readonly [Row in string]: Table | Run | string };

const flat = (table: Table): readonly (readonly [string, Run])[] =>
  Object.entries(table).flatMap(([name, row]): readonly (readonly [string, Run])[] => {
    if (typeof row === 'string') return [];
    return typeof row === 'function' ? [[name, row]] : flat(row);
  });

/** All cases by what an adapter promises. Some belong to several rows. */
export const cases: ReadonlyMap<string, Run> = new Map(flat(covered));
