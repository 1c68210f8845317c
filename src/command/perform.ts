import type { Words } from '../words/words.ts';
import { askView, awaits, questionFor } from './ask.ts';
import type { Call } from './call.ts';
import { type Action, actionIn, type Command } from './command.ts';
import { catalogOf } from './complete.ts';
import { describe } from './describe.ts';
import type { Incoming } from './desk.ts';
import type { DeskParts } from './desk-parts.ts';
import type { Draft } from './draft.ts';
import { UserError } from './errors.ts';
import { nearestCommands } from './grammar.ts';
import type { Given, Options } from './option.ts';
import type { People } from './people.ts';
import type { Place } from './place.ts';
import { readArguments, yesWords } from './read-arguments.ts';
import type { Reply } from './reply.ts';
import { errorView } from './usage.ts';

/** A command with what was given so far, in the hands of the desk. */
export interface Occasion {
  readonly incoming: Incoming;
  readonly command: Command;
  readonly subcommand?: string;
  readonly given: Given;
  /** The draft that it continues. */
  readonly draft?: Draft;
  readonly page?: number;
}

export const actionOf = (command: Command, subcommand: string | undefined, words: Words): Action => {
  const action = actionIn(command, subcommand);
  if (action !== undefined) return action;
  throw new UserError(words.error.subcommand(command.name, Object.keys(command.subcommands ?? {})));
};

const refusal = (text: string): Reply => ({
  kind: 'message',
  view: { tone: 'failed', lines: [text] },
  private: true,
});

const missing = (options: Options, given: Given): readonly string[] =>
  Object.keys(options).filter((name) => options[name]?.required && given[name] === undefined);

const textsOf = (options: Options, given: Given): readonly string[] =>
  Object.keys(options)
    .filter((name) => options[name]?.kind === 'text' && given[name] !== undefined)
    .map((name) => String(given[name]));

const wantsPrivate = (given: Given): boolean =>
  given.private === true || yesWords.includes(String(given.private).toLowerCase());

export interface Perform {
  /** Permission, gate, what is missing, validation, run: in this order, for every platform. */
  perform(occasion: Occasion): Promise<Reply>;
  ask(occasion: Occasion, names: readonly [string, ...string[]], page?: number): Promise<Reply>;
  /** The answer to something that went wrong: in words where the person can act on it, neutral otherwise. */
  excuse(error: unknown, words: Words, command?: Command, subcommand?: string): Reply;
  start(incoming: Incoming, command: string, given: Given): Promise<Reply>;
}

export const createPerform = (parts: DeskParts, people: People): Perform => {
  const wordsOf = (incoming: Incoming): Words => parts.words(incoming.caller.locale);

  const save = async (occasion: Occasion, asked?: string): Promise<Draft> => {
    const { incoming, command, subcommand, given } = occasion;
    const option =
      asked === undefined ? undefined : actionOf(command, subcommand, wordsOf(incoming)).options[asked];
    const waiting = option === undefined ? undefined : awaits(option);
    const draft: Draft = {
      id: occasion.draft?.id ?? parts.newId(),
      command: command.name,
      ...(subcommand === undefined ? {} : { subcommand }),
      given,
      caller: incoming.caller,
      place: incoming.place,
      event: incoming.event,
      ...(asked === undefined ? {} : { asked }),
      ...(waiting === undefined ? {} : { awaits: waiting }),
    };
    await parts.drafts.save(draft);
    return draft;
  };

  const ask: Perform['ask'] = async (occasion, names, page = 0) => {
    const words = wordsOf(occasion.incoming);
    const { options } = actionOf(occasion.command, occasion.subcommand, words);
    const [first] = names;
    for (const name of names) {
      const option = options[name];
      if (option?.kind === 'reference') await parts.memory.warm(catalogOf(option, occasion.given, options));
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
    };
  };

  const start: Perform['start'] = async (incoming, name, given) => {
    const command = parts.commands.find((each) => each.name === name);
    if (command === undefined)
      throw new UserError(
        wordsOf(incoming).error.unknownCommand(name.slice(0, 32), nearestCommands(name, parts.commands)),
        'limit',
      );
    return perform({ incoming, command, given });
  };

  const callFor = (occasion: Occasion): Call & { readonly kept: () => boolean } => {
    const { incoming } = occasion;
    const ports = parts.portsFor(incoming);
    let kept = false;
    return {
      ...ports,
      ...incoming,
      words: wordsOf(incoming),
      commands: parts.commands,
      now: parts.clock.now(),
      page: occasion.page ?? 0,
      // Limits and allowances are no matter of form: showing how to type the command would not help.
      generate: (request, options) =>
        ports.generate(request, options).catch((error: unknown) => {
          throw error instanceof UserError ? new UserError(error.message, 'limit') : error;
        }),
      start: (command, given) => start(incoming, command, given),
      ask: (...names) => {
        kept = true;
        return ask(occasion, names);
      },
      keep: async () => {
        kept = true;
        return (await save(occasion)).id;
      },
      kept: () => kept,
    };
  };

  /** Names of people become their ids: a name that we cannot place must not look as if it had been taken. */
  const withPeople = (options: Options, given: Given, place: Place, words: Words): Given => {
    const found = Object.entries(given).map(([name, value]) => {
      if (options[name]?.kind !== 'user' || typeof value === 'object') return [name, value] as const;
      const id = people.find(String(value), place);
      if (id === undefined) throw new UserError(words.error.unknownPerson(String(value).slice(0, 60)));
      return [name, id] as const;
    });
    return Object.fromEntries(found);
  };

  /** Why this may not go on, if so. */
  const gate = async (occasion: Occasion, call: Call, options: Options): Promise<Reply | undefined> => {
    const { command, incoming } = occasion;
    const { words } = call;
    if (command.access === 'moderator') {
      if (!(await call.isModerator())) return refusal(words.gate.moderatorsOnly);
    } else if (!command.evenBlocked && (await parts.gate.blocked(incoming.caller, incoming.place)))
      return refusal(words.gate.blocked);
    if (!command.generates) return undefined;
    const paused = await parts.gate.paused(incoming.place);
    if (paused !== undefined) return refusal(words.gate.paused(paused.reason));
    if (await parts.gate.banned(incoming.place, textsOf(options, occasion.given)))
      return refusal(words.gate.bannedWord);
    if (await call.privacy.consented()) return undefined;
    const draft = await save(occasion);
    return {
      kind: 'message',
      private: true,
      view: {
        tone: 'ask',
        title: words.consent.title,
        lines: [words.consent.people, words.consent.age, words.consent.sent],
        buttons: [[{ action: `consent:${draft.id}`, label: words.consent.button, style: 'primary' }]],
      },
    };
  };

  const perform: Perform['perform'] = async (occasion) => {
    const { command, subcommand, incoming } = occasion;
    const words = wordsOf(incoming);
    people.noticed(incoming.caller, incoming.place);
    try {
      const action = actionOf(command, subcommand, words);
      const call = callFor(occasion);
      const stopped = await gate(occasion, call, action.options);
      if (stopped !== undefined) return stopped;
      const given = withPeople(action.options, occasion.given, incoming.place, words);
      // What was given must be right before more is asked for.
      const present = Object.entries(action.options).filter(([name]) => given[name] !== undefined);
      readArguments(Object.fromEntries(present), given, words);
      const [first, ...others] = missing(action.options, given);
      const reply = first === undefined ? await action.run(call, given) : await call.ask(first, ...others);
      // What was asked for has happened: a draft that lingers is harmless, an answer that is lost is not.
      if (occasion.draft !== undefined && !call.kept())
        await parts.drafts.forget(occasion.draft).catch((error: unknown) => parts.onError(error, 'drafts'));
      return reply;
    } catch (error) {
      return excuse(error, words, command, subcommand);
    }
  };

  const excuse: Perform['excuse'] = (thrown, words, command, subcommand) => {
    const error = parts.explain(thrown, words);
    if (!(error instanceof UserError)) {
      parts.onError(error, command === undefined ? 'desk' : `/${command.name}`);
      return refusal(words.somethingBroke);
    }
    const view =
      error.about === 'limit'
        ? errorView(error.message, words)
        : errorView(error.message, words, command, subcommand);
    return { kind: 'message', private: true, view };
  };

  return { perform, ask, excuse, start };
};
