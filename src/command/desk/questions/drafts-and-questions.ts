import { defined } from '../../../base/defined.ts';
import { actionOf } from '../../command.ts';
import { describe } from '../../describe.ts';
import type { Draft } from '../../draft.ts';
import type { Given, Option } from '../../option.ts';
import { YES_WORDS } from '../../read-arguments.ts';
import type { Reply } from '../../reply.ts';
import { catalogOf } from '../../search/complete.ts';
import type { DeskParts, PendingCommand } from '../parts/desk-parts.ts';
import { askView, isOrdered, questionFor } from './question-view.ts';

export const wantsPrivate = (given: Given): boolean =>
  YES_WORDS.includes(String(given.private).toLowerCase());

export type Asking = ReturnType<typeof createAsking>;

/** Saves incomplete commands as drafts and asks for the missing options. */
export function createAsking(parts: DeskParts) {
  /** Reuses the id of the draft that it continues. */
  const save = async (pending: PendingCommand, question?: Pick<Draft, 'asked' | 'awaits' | 'people'>) => {
    const { incoming, command, subcommand, given } = pending;
    const { caller, place, event, againOf } = incoming;
    const draft: Draft = {
      id: pending.draft?.id ?? parts.newId(),
      command: command.name,
      given,
      caller,
      place,
      event,
      ...defined({ subcommand, againOf }),
      ...((pending.alone ?? pending.draft?.alone) ? { alone: true } : {}),
      ...question,
    };
    await parts.drafts.save(draft);
    return draft;
  };

  return {
    save,
    async ask(pending: PendingCommand, names: readonly [string, ...string[]], page = 0): Promise<Reply> {
      const { incoming, command, subcommand, given } = pending;
      const words = parts.words(incoming.caller.locale);
      const { options } = actionOf(command, subcommand, words);
      const optionNamed = (name: string): Option => {
        const option = options[name];
        if (option === undefined) throw new Error(`/${command.name} has no option ${name} to ask for`);
        return option;
      };
      for (const option of names.map(optionNamed))
        if (option.kind === 'reference')
          await parts.knownNames.warm(incoming.place.community, catalogOf(option, given, options));
      const [first, ...others] = names;
      const { kind } = optionNamed(first);
      // Other people must not read the names of a person's faces.
      const isPrivate = kind === 'face' || wantsPrivate(given);
      const offersFaces = kind === 'face' || (kind === 'image' && command.generates);
      // A choice can be typed as well as pressed.
      const awaits = kind === 'image' ? 'image' : 'text';
      const draft = await save(pending, { asked: first, awaits });
      const { catalog } = parts.portsFor(incoming);
      const about = {
        draft,
        options,
        knownNames: parts.knownNames,
        faces: offersFaces ? await parts.savedFaces(incoming.caller) : [],
        isAlone: isPrivate || incoming.place.direct,
        words,
        describe: (name: string) => describe(words, command, subcommand, name),
        order: names.map(optionNamed).some(isOrdered) ? await catalog.order() : { recent: [], used: [] },
        sheet: catalog.sheet,
      };
      const question = (name: string) => questionFor(name, optionNamed(name), about);
      return {
        kind: 'ask',
        draft: draft.id,
        questions: [question(first), ...others.map(question)],
        view: await askView(first, optionNamed(first), page, about),
        private: isPrivate,
        ...(command.generates ? {} : { quiet: true }),
      };
    },
  };
}
