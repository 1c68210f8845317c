import { describe } from '../describe.ts';
import type { Draft } from '../draft.ts';
import type { Given } from '../option.ts';
import { yesWords } from '../read-arguments.ts';
import type { Reply } from '../reply.ts';
import { catalogOf } from '../search/complete.ts';
import type { DeskParts } from './desk-parts.ts';
import { actionOf, type Occasion } from './pending-command.ts';
import { askView, awaits, questionFor } from './question-view.ts';

/** Commands that are not complete yet: kept as drafts, and asked about. */
export interface Asking {
  /** Under the id of the draft that it continues, where it continues one. */
  save(occasion: Occasion, asked?: string): Promise<Draft>;
  ask(occasion: Occasion, names: readonly [string, ...string[]], page?: number): Promise<Reply>;
}

const wantsPrivate = (given: Given): boolean =>
  given.private === true || yesWords.includes(String(given.private).toLowerCase());

export const createAsking = (parts: DeskParts): Asking => {
  const save: Asking['save'] = async (occasion, asked) => {
    const { incoming, command, subcommand, given } = occasion;
    const option =
      asked === undefined
        ? undefined
        : actionOf(command, subcommand, parts.words(incoming.caller.locale)).options[asked];
    const waiting = option === undefined ? undefined : awaits(option);
    const draft: Draft = {
      id: occasion.draft?.id ?? parts.newId(),
      command: command.name,
      ...(subcommand === undefined ? {} : { subcommand }),
      given,
      caller: incoming.caller,
      place: incoming.place,
      event: incoming.event,
      ...(incoming.againOf === undefined ? {} : { againOf: incoming.againOf }),
      ...((occasion.alone ?? occasion.draft?.alone) ? { alone: true } : {}),
      ...(asked === undefined ? {} : { asked }),
      ...(waiting === undefined ? {} : { awaits: waiting }),
    };
    await parts.drafts.save(draft);
    return draft;
  };

  const ask: Asking['ask'] = async (occasion, names, page = 0) => {
    const words = parts.words(occasion.incoming.caller.locale);
    const { options } = actionOf(occasion.command, occasion.subcommand, words);
    const [first] = names;
    for (const name of names) {
      const option = options[name];
      if (option?.kind === 'reference') {
        const catalog = catalogOf(option, occasion.given, options);
        await parts.memory.warm(occasion.incoming.place.community, catalog);
      }
    }
    const draft = await save(occasion, first);
    const about = {
      draft,
      options,
      memory: parts.memory,
      words,
      describe: (name: string) => describe(words, occasion.command, occasion.subcommand, name),
    };
    const question = (name: string) => {
      const option = options[name];
      if (option === undefined) throw new Error(`/${occasion.command.name} has no option ${name} to ask for`);
      return { view: askView(name, option, page, about), question: questionFor(name, option, about) };
    };
    return {
      kind: 'ask',
      draft: draft.id,
      questions: [question(first).question, ...names.slice(1).map((name) => question(name).question)],
      view: question(first).view,
      private: wantsPrivate(occasion.given),
      ...(occasion.command.generates ? {} : { quiet: true }),
    };
  };

  return { save, ask };
};
