import { keepLatest } from '../../base/keep-latest.ts';
import type { Words } from '../../words/words.ts';
import type { Command, CommandContext } from '../command.ts';
import type { Desk, Incoming } from '../desk.ts';
import type { Draft } from '../draft.ts';
import { UserError } from '../errors.ts';
import type { Given, Options } from '../option.ts';
import type { Place } from '../place.ts';
import { refuseTooLongTexts } from '../read-arguments.ts';
import type { Reply } from '../reply.ts';
import { catalogOf } from '../search/complete.ts';
import { shorten } from '../shorten.ts';
import { nearestCommands } from '../text/grammar.ts';
import type { BlockedReply } from './blocked-reply.ts';
import { admitPerson, consentQuestion, createAdmit, refusal } from './check-access.ts';
import type { DeskParts } from './desk-parts.ts';
import type { Asking } from './drafts-and-questions.ts';
import type { People } from './known-users.ts';
import { actionOf, type PendingCommand } from './pending-command.ts';
import { errorView } from './usage-line.ts';

function missing(options: Options, given: Given): readonly string[] {
  return Object.keys(options).filter((name) => options[name]?.required && given[name] === undefined);
}

/** Refuses an unknown filter before asking for a photo. */
async function checkNames(
  options: Options,
  given: Given,
  call: Pick<CommandContext, 'reference'>,
): Promise<void> {
  for (const [name, option] of Object.entries(options)) {
    const typed = given[name];
    if (option.kind !== 'reference' || option.model === 'any' || typed === undefined) continue;
    await call.reference(String(typed), option.model, catalogOf(option, given, options));
  }
}

function seenBy({ incoming, draft }: PendingCommand): CommandContext['seenBy'] {
  if (incoming.place.direct || draft?.alone) return 'caller';
  return draft === undefined ? undefined : 'everyone';
}

export interface Perform {
  /** For every platform, in this order: permission, length, gate, missing options, validation, run, consent. */
  perform(pending: PendingCommand): Promise<Reply>;
  /** The reply for an error: the reason if the user can fix it, else a neutral text. */
  toErrorReply(error: unknown, words: Words, command?: Command, subcommand?: string): Reply;
  start(incoming: Incoming, command: string, given: Given): Promise<Reply>;
  readonly shown: Desk['shown'];
}

/** Most cards being shown at once; never reached in practice. */
const MOST_CARDS_IN_PROGRESS = 1_000;

export function createPerform(
  parts: DeskParts,
  asking: Asking,
  people: People,
  blockedReply: BlockedReply,
): Perform {
  const admit = createAdmit(parts);
  const wordsOf = (incoming: Incoming): Words => parts.words(incoming.caller.locale);

  /** Drafts of jobs whose cards are being shown: kept so that the same answer works again after a crash. */
  const answered = new Map<string, Draft>();
  const forget = (draft: Draft): Promise<void> =>
    parts.drafts.forget(draft).catch((error: unknown) => parts.onError(error, 'drafts'));
  const done = async (draft: Draft, reply: Reply): Promise<void> => {
    // A second press of the same button: the first card may still be on its way.
    if (reply.kind === 'note' && reply.known) return;
    if (reply.kind !== 'card') return forget(draft);
    answered.set(reply.job, draft);
    keepLatest(answered, MOST_CARDS_IN_PROGRESS);
  };
  const shown: Perform['shown'] = async (job, card) => {
    await parts.shown(job, card);
    // A failed answer may be repeated.
    if (card === undefined) return;
    const draft = answered.get(job);
    answered.delete(job);
    if (draft !== undefined) await forget(draft);
  };

  const start: Perform['start'] = async (incoming, name, given) => {
    const command = parts.commands.find((each) => each.name === name);
    if (command === undefined)
      throw new UserError(
        wordsOf(incoming).error.unknownCommand(shorten(name, 32), nearestCommands(name, parts.commands)),
        'limit',
      );
    return perform({ incoming, command, given });
  };

  const callFor = (pending: PendingCommand): CommandContext & { readonly kept: () => boolean } => {
    const { incoming } = pending;
    const ports = parts.portsFor(incoming);
    const words = wordsOf(incoming);
    let kept = false;
    const keep: CommandContext['keep'] = async (seenBy) => {
      kept = true;
      const alone = seenBy === undefined ? {} : { alone: seenBy === 'caller' };
      return (await asking.save({ ...pending, ...alone })).id;
    };
    return {
      ...ports,
      ...incoming,
      words,
      commands: parts.commands,
      now: parts.clock.now(),
      page: pending.page ?? 0,
      seenBy: seenBy(pending),
      generate: async (request, options) => {
        // Last, so that nobody confirms a command that would fail.
        if (!(await ports.privacy.consented())) return consentQuestion(await keep(), words);
        return ports.generate(request, options).catch((error: unknown) => {
          // For limits and allowances, showing the usage would not help.
          throw error instanceof UserError ? new UserError(error.message, 'limit') : error;
        });
      },
      start: (command, given, as) => start({ ...incoming, ...as }, command, given),
      ask: (...names) => {
        kept = true;
        return asking.ask(pending, names);
      },
      keep,
      kept: () => kept,
    };
  };

  /** Resolves names of people to ids; an unknown name is refused. */
  const withPeople = (options: Options, given: Given, place: Place, words: Words): Given => {
    const found = Object.entries(given).map(([name, value]) => {
      if (options[name]?.kind !== 'user' || typeof value === 'object') return [name, value] as const;
      const id = people.find(String(value), place);
      if (id === undefined) throw new UserError(words.error.unknownPerson(shorten(String(value), 60)));
      return [name, id] as const;
    });
    return Object.fromEntries(found);
  };

  const perform: Perform['perform'] = async (pending) => {
    const { command, subcommand, incoming } = pending;
    const words = wordsOf(incoming);
    people.noticed(incoming.caller, incoming.place);
    try {
      const call = callFor(pending);
      // The job exists and its card may be visible, so it is finished regardless of later changes.
      const begun = command.generates ? await call.begun() : undefined;
      if (begun !== undefined) {
        if (pending.draft !== undefined) await done(pending.draft, begun);
        return begun;
      }
      const blocked = await admitPerson(pending, call, blockedReply);
      if (blocked !== undefined) return blocked;
      const action = actionOf(command, subcommand, words);
      refuseTooLongTexts(action.options, pending.given, words);
      const stopped = await admit(pending, call, action.options);
      if (stopped !== undefined) return stopped;
      const given = withPeople(action.options, pending.given, incoming.place, words);
      // Check the given values before asking for more.
      action.check(given, words);
      const [first, ...others] = missing(action.options, given);
      if (first !== undefined) await checkNames(action.options, given, call);
      const reply = first === undefined ? await action.run(call, given) : await call.ask(first, ...others);
      // The command succeeded: a leftover draft is harmless, a lost reply is not.
      if (pending.draft !== undefined && !call.kept()) await done(pending.draft, reply);
      return reply;
    } catch (error) {
      return toErrorReply(error, words, command, subcommand);
    }
  };

  const toErrorReply: Perform['toErrorReply'] = (thrown, words, command, subcommand) => {
    const error = parts.explain(thrown, words);
    if (!(error instanceof UserError)) {
      parts.onError(error, command === undefined ? 'desk' : `/${command.name}`);
      return refusal(words.somethingBroke);
    }
    const view =
      error.about === 'limit'
        ? errorView(error.message, words)
        : errorView(error.message, words, command, subcommand);
    return { kind: 'message', private: 'in-place', view };
  };

  return { perform, toErrorReply, start, shown };
}
