import { defined } from '../base/defined.ts';
import type { Words } from '../words/words.ts';
import type { Incoming } from './desk.ts';
import type { DraftHandle } from './draft.ts';
import type { Arguments, Given, Options } from './option.ts';
import type { Caller, Place } from './place.ts';
import type { JobSummary, Ports } from './ports.ts';
import { readArguments, readGiven } from './read-arguments.ts';
import type { Reply } from './reply.ts';

/** Everything a button can do. */
export interface ButtonContext extends Ports {
  readonly caller: Caller;
  readonly place: Place;
  /** Unique per event of the platform: the same event handled twice makes one job. */
  readonly event: string;
  readonly words: Words;
  readonly commands: readonly Command[];
  readonly now: number;
  /** Gives another command these values, as if the caller had typed it; what is missing is asked for. */
  start(command: string, given: Given, as?: StartedAs): Promise<Reply>;
}

/** `event`: what it counts as where the same must not be started twice. */
export type StartedAs = Partial<Pick<Incoming, 'event' | 'againOf'>>;

/** Everything a command can do. */
export interface CommandContext extends ButtonContext {
  /** Which page of a long answer is wanted, from 0. */
  readonly page: number;
  /** Keeps what was given as a draft and asks for these options. */
  ask(...options: readonly [string, ...string[]]): Promise<Reply>;
  /**
   * Who sees the message in which the answer will stand, where that is decided already: the page that replaces another one is
   * seen by the same people.
   */
  readonly seenBy: 'caller' | 'everyone' | undefined;
  /** Keeps what was given, so that buttons can come back to it, and who sees these: the id of the draft. */
  keep(seenBy?: 'caller' | 'everyone'): Promise<string>;
}

/** `moderator`: checked by the desk on every call, whatever the platform's own settings say. */
export type Access = 'everyone' | 'moderator';

interface ActionSpec<O extends Options> {
  readonly description: string;
  readonly options: O;
  /** Refuses what does not go together as soon as it is there: nobody is asked for more in vain. */
  rules?(args: Partial<Arguments<O>>, words: Words): void;
  run(call: CommandContext & { readonly args: Arguments<O> }): Promise<Reply>;
}

interface Common {
  readonly name: string;
  readonly description: string;
  readonly access?: Access;
  /** Lines that work as typed, shown by /help. */
  readonly examples: readonly string[];
  /** Open even to people who are blocked: what they must always be able to read or to delete. */
  readonly evenBlocked?: boolean;
}

/** A command or subcommand with its types erased: what desk and adapters work with. */
export interface Action {
  readonly description: string;
  readonly options: Options;
  /** Throws when something that was given so far is wrong. */
  check(given: Given, words: Words): void;
  /** What was checked, and lacks nothing that is required. */
  run(call: CommandContext, given: Given): Promise<Reply>;
}

export interface Command extends Common {
  readonly access: Access;
  /** Title of a menu entry on any message with an image, where the platform has such menus. */
  readonly menu?: string;
  /** It makes pictures or videos: consent, pause, blocks and blocked words apply. */
  readonly generates: boolean;
  /** The one thing it does, or its subcommands by name. */
  readonly action?: Action;
  readonly subcommands?: Readonly<Record<string, Action>>;
}

const toAction = <O extends Options>(spec: ActionSpec<O>): Action => ({
  description: spec.description,
  options: spec.options,
  check(given, words) {
    const args = readGiven(spec.options, given, words);
    spec.rules?.(args, words);
  },
  run: (call, given) => spec.run({ ...call, args: readArguments(spec.options, given, call.words) }),
});

export const defineCommand = <const O extends Options>(
  spec: Common & ActionSpec<O> & { readonly menu?: string; readonly generates?: boolean },
): Command => ({
  name: spec.name,
  description: spec.description,
  access: spec.access ?? 'everyone',
  examples: spec.examples,
  generates: spec.generates ?? false,
  ...defined({ menu: spec.menu, evenBlocked: spec.evenBlocked }),
  action: toAction(spec),
});

/** What a command does, or what this subcommand of it does; undefined where there is no such thing. */
export const actionIn = (command: Command, subcommand?: string): Action | undefined => {
  if (command.action !== undefined) return command.action;
  const all = command.subcommands ?? {};
  return subcommand !== undefined && Object.hasOwn(all, subcommand) ? all[subcommand] : undefined;
};

/** Helps TypeScript derive the arguments of each subcommand from its own options. */
export const subcommand = <const O extends Options>(spec: ActionSpec<O>): Action => toAction(spec);

export const defineCommandGroup = (
  spec: Common & { readonly subcommands: Readonly<Record<string, Action>> },
): Command => ({ ...spec, access: spec.access ?? 'everyone', generates: false });

/**
 * Who may press: `owner` is the person whose job or draft it is, `owner-or-moderator` also a moderator of the
 * community in which it lives. Checked by the desk on every press, with the record, never with the button's data.
 */
export type ButtonAccess = 'owner' | 'owner-or-moderator' | 'moderator' | 'everyone';

interface ButtonSpec {
  readonly verb: string;
  readonly access: ButtonAccess;
  /** Open even to people who are blocked: what ends or removes something of theirs. */
  readonly evenBlocked?: true;
}

export type ButtonDeclaration =
  /** About one job: `verb:<job id>`. The desk has loaded it and checked the presser. */
  | (ButtonSpec & {
      readonly about: 'job';
      run(visit: ButtonContext, job: JobSummary): Promise<Reply>;
      /** Where the record has gone, so that nobody knows whose it was: for moderators, and for who is alone with us. */
      gone?(visit: ButtonContext, id: string): Promise<Reply>;
    })
  /** About a draft: `verb:<draft id>:<details>`. The desk has checked that it is the presser's; details are hostile. */
  | (ButtonSpec & {
      readonly about: 'draft';
      run(visit: ButtonContext, draft: DraftHandle, details: readonly string[]): Promise<Reply>;
    });

export const defineButton = <const B extends ButtonDeclaration>(button: B): B => button;
