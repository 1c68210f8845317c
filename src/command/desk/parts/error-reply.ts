import type { Words } from '../../../words/words.ts';
import type { Command } from '../../command.ts';
import { usageLine } from '../../describe.ts';
import type { Incoming } from '../../desk.ts';
import { UserError } from '../../errors.ts';
import { type Reply, refusal } from '../../reply.ts';
import type { Line } from '../../view.ts';
import type { DeskTools } from './turn-away.ts';

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

/**
 * The only place where an error becomes a reply: the reason if the person can fix it, else a neutral text. Around a whole
 * event, and within it around the command, whose usage is then shown.
 */
export async function withErrorReply<R>(
  desk: DeskTools,
  incoming: Incoming,
  run: () => Promise<R>,
  { command, subcommand, admitted }: Failing = {},
): Promise<R | Reply> {
  try {
    return await desk.retryAfterLoss(run);
  } catch (thrown) {
    const turnedAway = admitted ? undefined : await desk.turnAway(incoming).catch(() => undefined);
    if (turnedAway !== undefined) return turnedAway;
    const words = desk.words(incoming.caller.locale);
    const error = desk.explain(thrown, words, incoming.caller);
    if (!(error instanceof UserError)) {
      desk.onError(error, command === undefined ? 'desk' : `/${command.name}`);
      return refusal(words.somethingBroke);
    }
    const showsUsage = command !== undefined && error.about === 'form';
    return refusal(error.message, ...(showsUsage ? usageLines(command, subcommand, words) : []));
  }
}
