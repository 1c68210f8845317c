import { defined } from '../../base/defined.ts';
import { describe } from '../describe.ts';
import type { Draft } from '../draft.ts';
import type { Given } from '../option.ts';
import { YES_WORDS } from '../read-arguments.ts';
import type { Reply } from '../reply.ts';
import { catalogOf } from '../search/complete.ts';
import type { DeskParts } from './desk-parts.ts';
import { actionOf, type PendingCommand } from './pending-command.ts';
import { askView, awaits, questionFor } from './question-view.ts';

/** Saves incomplete commands as drafts and asks for the missing options. */
export interface Asking {
  /** Reuses the id of the draft that it continues. */
  save(pending: PendingCommand, asked?: string): Promise<Draft>;
  ask(pending: PendingCommand, names: readonly [string, ...string[]], page?: number): Promise<Reply>;
}

function wantsPrivate(given: Given): boolean {
  return given.private === true || YES_WORDS.includes(String(given.private).toLowerCase());
}

export function createAsking(parts: DeskParts): Asking {
  const save: Asking['save'] = async (pending, asked) => {
    const { incoming, command, subcommand, given } = pending;
    const option =
      asked === undefined
        ? undefined
        : actionOf(command, subcommand, parts.words(incoming.caller.locale)).options[asked];
    const waiting = option === undefined ? undefined : awaits(option);
    const draft: Draft = {
      id: pending.draft?.id ?? parts.newId(),
      command: command.name,
      ...defined({ subcommand }),
      given,
      caller: incoming.caller,
      place: incoming.place,
      event: incoming.event,
      ...defined({ againOf: incoming.againOf }),
      ...((pending.alone ?? pending.draft?.alone) ? { alone: true } : {}),
      ...defined({ asked, awaits: waiting }),
    };
    await parts.drafts.save(draft);
    return draft;
  };

  const ask: Asking['ask'] = async (pending, names, page = 0) => {
    const words = parts.words(pending.incoming.caller.locale);
    const { options } = actionOf(pending.command, pending.subcommand, words);
    const [first] = names;
    for (const name of names) {
      const option = options[name];
      if (option?.kind === 'reference') {
        const catalog = catalogOf(option, pending.given, options);
        await parts.knownNames.warm(pending.incoming.place.community, catalog);
      }
    }
    const draft = await save(pending, first);
    const about = {
      draft,
      options,
      knownNames: parts.knownNames,
      words,
      describe: (name: string) => describe(words, pending.command, pending.subcommand, name),
    };
    const question = (name: string) => {
      const option = options[name];
      if (option === undefined) throw new Error(`/${pending.command.name} has no option ${name} to ask for`);
      return { view: askView(name, option, page, about), question: questionFor(name, option, about) };
    };
    return {
      kind: 'ask',
      draft: draft.id,
      questions: [question(first).question, ...names.slice(1).map((name) => question(name).question)],
      view: question(first).view,
      private: wantsPrivate(pending.given),
      ...(pending.command.generates ? {} : { quiet: true }),
    };
  };

  return { save, ask };
}
