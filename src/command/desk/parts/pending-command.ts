import type { Command } from '../../command.ts';
import type { Incoming } from '../../desk.ts';
import type { Draft } from '../../draft.ts';
import type { Given } from '../../option.ts';

/** A command with the values given so far, while the desk handles it. */
export interface PendingCommand {
  readonly incoming: Incoming;
  readonly command: Command;
  readonly subcommand?: string | undefined;
  readonly given: Given;
  /** The draft that it continues. */
  readonly draft?: Draft;
  readonly page?: number;
  /** See `Draft`. */
  readonly alone?: boolean;
}
