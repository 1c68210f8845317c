import { defined } from '../../../base/defined.ts';
import { wordsFor } from '../../../words/words.ts';
import type { FilterOrder } from '../../catalog-port.ts';
import { requireAction } from '../../command.ts';
import { describe } from '../../describe.ts';
import type { Draft } from '../../draft.ts';
import { forgottenError, refuseForgotten } from '../../forgotten.ts';
import type { Given, Option } from '../../option.ts';
import { isYes } from '../../read-arguments.ts';
import type { Question, Reply } from '../../reply.ts';
import { catalogOf } from '../../search/complete.ts';
import type { DeskDependencies, PendingCommand } from '../parts/dependencies.ts';
import { askView, dependsOnLastChoices, lastChoicesToOffer, questionFor } from './question-view.ts';

const NO_ORDER: FilterOrder = { recent: [], used: [] };

/** Whether the caller asked for a job that nobody else sees. */
export const wantsPrivate = (given: Given): boolean => isYes(given.private);

/** Saves an incomplete command as a draft; reuses the id of the one that it continues. */
export async function saveDraft(
  desk: DeskDependencies,
  pending: PendingCommand,
  question?: Pick<Draft, 'asked' | 'awaits' | 'people'>,
): Promise<Draft> {
  const { incoming, command, subcommand, given } = pending;
  refuseForgotten(incoming, wordsFor(incoming.caller.locale));
  const { caller, place, event, againOf } = incoming;
  const draft: Draft = {
    id: pending.draft?.id ?? desk.newId(),
    command: command.name,
    given,
    caller,
    place,
    event,
    ...defined({ subcommand, againOf }),
    ...((pending.alone ?? pending.draft?.alone) ? { alone: true } : {}),
    ...question,
  };
  await desk.drafts.save(draft);
  // The deletion may have begun before this was saved.
  if (await desk.erasedMeanwhile(incoming)) {
    await desk.drafts.forget(draft);
    throw forgottenError(wordsFor(caller.locale));
  }
  return draft;
}

/** Saves the command as a draft, and asks for these options. */
export async function ask(
  desk: DeskDependencies,
  pending: PendingCommand,
  names: readonly [string, ...string[]],
  page = 0,
): Promise<Reply> {
  const { incoming, command, subcommand, given } = pending;
  const words = wordsFor(incoming.caller.locale);
  const { options } = requireAction(command, subcommand, words);
  const optionNamed = (name: string): Option => {
    const option = options[name];
    if (option === undefined) throw new Error(`/${command.name} has no option ${name} to ask for`);
    return option;
  };
  for (const option of names.map(optionNamed))
    if (option.kind === 'reference')
      await desk.knownNames.warm(incoming.place.community, catalogOf(option, given, options));
  const [first, ...others] = names;
  const { kind } = optionNamed(first);
  // Other people must not read the names of a person's faces.
  const isPrivate = kind === 'face' || wantsPrivate(given);
  const offersFaces = kind === 'face' || (kind === 'image' && command.generates);
  // A choice can be typed as well as pressed.
  const awaits = kind === 'image' ? 'image' : 'text';
  const draft = await saveDraft(desk, pending, { asked: first, awaits });
  const { catalog } = desk.portsFor(incoming);
  const isOrdered = command.generates || names.some((name) => dependsOnLastChoices(name, optionNamed(name)));
  // Only the caller sees a form: there private jobs and jobs elsewhere count, too.
  const [order, ownOrder] = isOrdered
    ? await Promise.all([catalog.order(isPrivate), catalog.order(true)])
    : [NO_ORDER, NO_ORDER];
  const againIn = (own: FilterOrder) =>
    command.generates ? lastChoicesToOffer(names, options, given, own) : [];
  const about = {
    draft,
    options,
    knownNames: desk.knownNames,
    faces: offersFaces ? await desk.savedFaces(incoming.caller) : [],
    isAlone: isPrivate || incoming.place.direct,
    words,
    describe: (name: string) => describe(words, command, subcommand, name),
    order,
    again: againIn(order),
    sheet: catalog.sheet,
  };
  const inForm = { ...about, order: ownOrder };
  const question = (name: string) => questionFor(name, optionNamed(name), inForm);
  const optional = againIn(ownOrder).map(({ name }): Question => ({ ...question(name), optional: true }));
  return {
    kind: 'ask',
    draft: draft.id,
    questions: [question(first), ...others.map(question), ...optional],
    view: await askView(first, optionNamed(first), page, about),
    audience: isPrivate ? 'caller' : command.generates ? 'everyone' : 'caller-in-place',
  };
}
