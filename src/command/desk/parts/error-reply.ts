import { type Words, wordsFor } from '../../../words/words.ts';
import type { Command } from '../../command.ts';
import { usageLine } from '../../describe.ts';
import type { Incoming } from '../../desk.ts';
import { UserError } from '../../errors.ts';
import { type Reply, refusal } from '../../reply.ts';
import type { Line } from '../../view.ts';
import type { DeskWithRefusals } from './turn-away.ts';

function usageLines(command: Command, subcommand: string | undefined, { error }: Words): readonly Line[] {
  const { name, examples } = command;
  const start = subcommand === undefined ? '' : `/${name} ${subcommand}`;
  const example = examples.find((line) => line.startsWith(start)) ?? examples[0];
  return [
    [`${error.rightForm} `, { code: usageLine(command, subcommand) }],
    ...(example === undefined ? [] : [[`${error.example} `, { code: example }]]),
  ];
}

/** The command that failed, whose usage is shown. */
interface Failing {
  readonly command?: Command | undefined;
  readonly subcommand?: string | undefined;
  /** The person was allowed to use it. Otherwise blocked people get no details. */
  readonly admitted?: true;
}

/** An error on its way to `withErrorReply`, with the command in which it happened. */
class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  readonly failing: Failing;

  constructor(failing: Failing, cause: unknown) {
    super('A command failed.', { cause });
    this.failing = failing;
  }
}

/** Says of an error in which command it happened; the innermost one counts. */
export async function namingCommand<R>(failing: Failing, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof CommandFailed ? error : new CommandFailed(failing, error);
  }
}

/**
 * The only place where an error becomes a reply: the reason if the person can fix it, else a neutral text. Once around a whole event, which
 * is handled again, as one that may have begun, if the store was away for a moment.
 */
export async function withErrorReply<In extends Incoming, R>(
  desk: DeskWithRefusals,
  incoming: In,
  work: (incoming: In) => Promise<R>,
): Promise<R | Reply> {
  let failing: Failing = {};
  let attempt = incoming;
  try {
    return await desk.retryAfterLoss(async () => {
      const handled = attempt;
      attempt = { ...incoming, isNew: false };
      failing = {};
      try {
        return await work(handled);
      } catch (error) {
        if (!(error instanceof CommandFailed)) throw error;
        failing = error.failing;
        throw error.cause;
      }
    });
  } catch (thrown) {
    const { command, subcommand, admitted } = failing;
    const turnedAway = admitted ? undefined : await desk.turnAway(incoming).catch(() => undefined);
    if (turnedAway !== undefined) return turnedAway;
    const words = wordsFor(incoming.caller.locale);
    const error = desk.explain(thrown, words, incoming.caller);
    if (!(error instanceof UserError)) {
      desk.onError(error, command === undefined ? 'desk' : `/${command.name}`);
      return refusal(words.somethingBroke);
    }
    const showsUsage = command !== undefined && error.about === 'form';
    return refusal(error.message, ...(showsUsage ? usageLines(command, subcommand, words) : []));
  }
}
