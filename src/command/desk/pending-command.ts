import type { Words } from '../../words/words.ts';
import { type Action, actionIn, type Command } from '../command.ts';
import type { Incoming } from '../desk.ts';
import type { Draft } from '../draft.ts';
import { UserError } from '../errors.ts';
import type { Given } from '../option.ts';

/** A command with the values given so far, while the desk handles it. */
export interface PendingCommand {
  readonly incoming: Incoming;
  readonly command: Command;
  readonly subcommand?: string;
  readonly given: Given;
  /** The draft that it continues. */
  readonly draft?: Draft;
  readonly page?: number;
  /** See `Draft`. */
  readonly alone?: boolean;
}

export function actionOf(command: Command, subcommand: string | undefined, words: Words): Action {
  const action = actionIn(command, subcommand);
  if (action !== undefined) return action;
  throw new UserError(words.error.subcommand(command.name, Object.keys(command.subcommands ?? {})));
}
