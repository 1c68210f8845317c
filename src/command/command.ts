import { defined } from '../base/defined.ts';
import type { InEveryLanguage } from '../words/language.ts';
import type { Words } from '../words/words.ts';
import type { Incoming } from './desk.ts';
import type { DraftHandle } from './draft.ts';
import { UserError } from './errors.ts';
import type { JobHandle } from './jobs-port.ts';
import type { Arguments, Given, Option, Options } from './option.ts';
import type { PhotoRef, WantedPeople } from './photo.ts';
import type { Caller, Place } from './place.ts';
import type { Ports } from './ports.ts';
import { privateOption } from './private-option.ts';
import { readArguments } from './read-arguments.ts';
import type { Reply } from './reply.ts';
import { type GenerateRequest, generatingCommands } from './request.ts';
import {
  type DescribedAction,
  type DescribedCommand,
  type DescribedGroup,
  translated,
  translatedOptions,
} from './translations.ts';

/**
 * An event as commands and buttons see it, and everything that they can use. A job is made by a command alone, after the desk's
 * questions.
 */
export interface DeskContext {
  readonly ports: Ports;
  readonly caller: Caller;
  readonly place: Place;
  readonly words: Words;
  readonly commands: readonly Command[];
  readonly now: number;
}

/** Everything a button can do. */
export interface ButtonContext extends DeskContext {
  /** Starts another command with these values, as if the caller had typed it. */
  start(command: string, given: Given, as?: StartedAs): Promise<Reply>;
}

/** `event`: the id under which this may start only one job. */
export type StartedAs = Partial<Pick<Incoming, 'event' | 'againOf'>>;

/** Who a photo should show; `instead`: the command for what it shows. */
export interface FaceCheck {
  readonly wanted: WantedPeople;
  readonly instead?: string;
}

/** Everything a command can do. */
export interface CommandContext extends DeskContext {
  /** Requested page of a long answer, from 0. */
  readonly page: number;
  /** Asks for consent, once for each person; undefined: they have given it. */
  consentQuestion(): Promise<Reply | undefined>;
  /**
   * Makes a job, as private as the caller asked for (`private`). `faceCheck`: who the photo should show; the caller is asked where
   * it does not.
   */
  generate(request: GenerateRequest, faceCheck?: FaceCheck): Promise<Reply>;
  /** Checks a photo and asks about it; undefined: there is nothing to ask. */
  photoQuestion(photo: PhotoRef, check: FaceCheck): Promise<Reply | undefined>;
  /** The photos of its album, the one among its arguments included; empty: there is none, or what to make of it is decided. */
  readonly album: readonly PhotoRef[];
  /** Saves the command as a draft and asks for these options. */
  ask(...options: readonly [string, ...string[]]): Promise<Reply>;
  /**
   * Who sees the message that will show the answer, if that is already decided: a page that replaces another is seen by
   * the same people.
   */
  readonly seenBy: 'caller' | 'everyone' | undefined;
  /** Saves the command and who sees it as a draft, for buttons to return to; returns the draft's id. */
  keep(seenBy?: 'caller' | 'everyone'): Promise<string>;
}

/** `moderator`: checked by the desk on every call, regardless of the platform's own settings. */
export type Access = 'everyone' | 'moderator';

/** `job`: the option that gets the number of the job; `asks`: the option that a form asks for. */
export interface JobMenu {
  readonly title: InEveryLanguage;
  readonly job: string;
  readonly asks: string;
}

interface ActionFacts {
  /** Blocked people may use it, too, because they must always be able to read or delete what it is about. */
  readonly openToBlocked?: boolean;
  /** It can be used where no owner has approved the community, because it costs no call to the service. */
  readonly openToUnapproved?: boolean;
  /** A menu entry on the bot's own messages that show a job (Discord). */
  readonly jobMenu?: JobMenu;
}

interface ActionSpec<O extends Options> extends ActionFacts {
  readonly options: O;
  /** Refuses options that do not go together, before more is asked for. */
  rules?(args: Partial<Arguments<O>>, words: Words): void;
  run(call: CommandContext & { readonly args: Arguments<O> }): Promise<Reply>;
}

interface CommandFacts {
  readonly name: string;
  readonly access?: Access;
  /** Lines that work as typed, shown by /help. */
  readonly examples: readonly string[];
  /** Photos that are sent with it, or were sent just before, are for the command that its buttons begin. */
  readonly passesPhotosOn?: boolean;
  /** It concerns its caller alone: where a platform can, nobody else sees it or its answer. */
  readonly personal?: true;
  /** Its photo is checked before credits are spent (`photoQuestion`). */
  readonly checksFaces?: true;
}

/** A command or subcommand with erased types, as the desk and adapters use it. */
export interface Action extends ActionFacts {
  readonly description: InEveryLanguage;
  readonly options: Options;
  /** Reads and checks the given values; throws a UserError. `missing`: the required options to ask for. */
  read(
    given: Given,
    words: Words,
  ): { readonly missing: readonly [string, ...string[]] } | { run(call: CommandContext): Promise<Reply> };
  /** The same action with other options, which must not accept more than before. */
  withOptions(change: (option: Option) => Option): Action;
}

/** A command as the desk and the adapters use it. `defineCommand` and `defineCommandGroup` make one. */
export interface Command extends CommandFacts {
  readonly description: InEveryLanguage;
  readonly access: Access;
  /** Title of the menu entry on messages with an image (Discord). */
  readonly menu?: InEveryLanguage;
  /** Makes pictures or videos: consent, pause and blocked words apply. */
  readonly generates: boolean;
  /** Either an action or subcommands by name. */
  readonly action?: Action;
  readonly subcommands?: Readonly<Record<string, Action>>;
}

function actionFrom<O extends Options>(
  given: ActionSpec<O>,
  description: InEveryLanguage,
  options: Options,
): Action {
  const { rules, run, ...spec } = given;
  return {
    ...spec,
    description,
    options,
    withOptions(change) {
      const changed = Object.entries(options).map(([name, option]) => [name, change(option)] as const);
      return actionFrom<O>(given, description, Object.fromEntries(changed));
    },
    read(given, words) {
      const { args, missing } = readArguments<O>(options, given, words);
      rules?.(args, words);
      return missing === undefined ? { run: (call) => run({ ...call, args }) } : { missing };
    },
  };
}

/** Declares a subcommand, whose arguments are typed by its own options. */
export function defineAction<const O extends Options>({
  description,
  translations,
  ...spec
}: ActionSpec<O> & DescribedAction<NoInfer<O>>): Action {
  const said = translated(description, translations, (own) => own.description);
  return actionFrom<O>(spec, said, translatedOptions(spec.options, translations));
}

/** Declares a command without subcommands. If a kind of job names it, it makes jobs and gets the option `private`. */
export function defineCommand<const O extends Options>({
  description,
  menu,
  translations,
  options,
  openToBlocked,
  openToUnapproved,
  rules,
  run,
  ...facts
}: CommandFacts & ActionSpec<O> & DescribedCommand<NoInfer<O>>): Command {
  const said = translated(description, translations, (own) => own.description);
  const entry = menu === undefined ? undefined : translated(menu, translations, (own) => own.menu);
  const generates = generatingCommands.has(facts.name);
  const all = { ...translatedOptions(options, translations), ...(generates ? privateOption : {}) };
  const spec = { options, run, ...defined({ openToBlocked, openToUnapproved, rules }) };
  return {
    ...facts,
    description: said,
    ...defined({ menu: entry }),
    access: facts.access ?? 'everyone',
    generates,
    action: actionFrom<O>(spec, said, all),
  };
}

/** The action of a command or of its subcommand; undefined if there is none. */
export function actionIn(command: Command, subcommand?: string): Action | undefined {
  if (command.action !== undefined) return command.action;
  const all = command.subcommands ?? {};
  return subcommand !== undefined && Object.hasOwn(all, subcommand) ? all[subcommand] : undefined;
}

/** Like `actionIn`, but throws a UserError if there is none. */
export function requireAction(command: Command, subcommand: string | undefined, words: Words): Action {
  const action = actionIn(command, subcommand);
  if (action !== undefined) return action;
  throw new UserError(words.error.subcommand(command.name, Object.keys(command.subcommands ?? {})));
}

/** Declares a command with subcommands. None of them makes a job, because a job is repeated by its command and options alone. */
export const defineCommandGroup = ({
  description,
  translations,
  ...facts
}: CommandFacts & DescribedGroup & { readonly subcommands: Readonly<Record<string, Action>> }): Command => ({
  ...facts,
  description: translated(description, translations, (own) => own.description),
  access: facts.access ?? 'everyone',
  generates: false,
});

/**
 * Who may press the button of a job: `owner` is the person whose job it is, `owner-or-moderator` also a moderator of its
 * community. The desk checks every press against the record, never against the button's data.
 */
export type ButtonAccess = 'owner' | 'owner-or-moderator' | 'everyone';

interface ButtonSpec {
  readonly verb: string;
  /** Blocked people may press it, too, because it ends or removes something of theirs. */
  readonly openToBlocked?: true;
}

/** A button, by what its id stands for. The desk looks that up and checks the presser before `run` is called. */
export type ButtonDeclaration =
  /** About one job: `verb:<job id>`. The desk has loaded it and checked the presser. */
  | (ButtonSpec & {
      readonly about: 'job';
      readonly access: ButtonAccess;
      /** The button acts where the job was asked for, wherever it is pressed, so the rules of that place count. */
      readonly actsThere?: true;
      run(context: ButtonContext, job: JobHandle): Promise<Reply>;
      /** The record no longer exists, so its owner is unknown: for moderators, and in direct chats. */
      gone?(context: ButtonContext, id: string): Promise<Reply>;
    })
  /**
   * About a draft: `verb:<draft id>:<details>`. The desk has checked that it belongs to the presser; details are
   * untrusted.
   */
  | (ButtonSpec & {
      readonly about: 'draft';
      run(context: ButtonContext, draft: DraftHandle, details: readonly string[]): Promise<Reply>;
    })
  /**
   * About a report, a held result, a request for removal, or a community that waits for approval: `verb:<its id>`, in an owner's list of them
   * `verb:<its id>:<number in the list>`. `overview`: a page of the owner's overview. `run` checks the presser.
   */
  | (ButtonSpec & {
      readonly about: 'report' | 'held' | 'request' | 'approval' | 'overview';
      run(context: ButtonContext, id: string): Promise<Reply>;
    });
