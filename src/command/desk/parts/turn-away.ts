import { createOncePer } from '../../../base/once-per.ts';
import { wordsFor } from '../../../words/words.ts';
import { actionIn, type Command } from '../../command.ts';
import type { Incoming } from '../../desk.ts';
import { personKey } from '../../place.ts';
import type { Reply } from '../../reply.ts';
import type { DeskDependencies } from './dependencies.ts';

/** A blocked person is notified once in this time. */
const BLOCKED_NOTICE_EVERY_MS = 6 * 3_600_000;
/** Commands that blocked people may use are answered once in this time, to prevent flooding. */
const ANSWER_EVERY_MS = 10 * 60_000;
/** A chat that no owner has approved is notified once in this time. */
const UNAPPROVED_NOTICE_EVERY_MS = 24 * 3_600_000;

type Who = Pick<Incoming, 'caller' | 'place'>;

/** The dependencies of the desk, and the refusals that all its parts use. */
export type DeskWithRefusals = DeskDependencies & ReturnType<typeof createTurnAway>;

/** Whether it can be used where no owner has approved the community. */
export const isOpenToUnapproved = (command: Command | undefined, subcommand?: string): boolean =>
  command !== undefined && actionIn(command, subcommand)?.openToUnapproved === true;

/** Replies for those who cannot use the bot there. */
export function createTurnAway({ gate, clock, askOwners }: DeskDependencies) {
  const isFirst = createOncePer(clock, BLOCKED_NOTICE_EVERY_MS);
  const mayAnswer = createOncePer(clock, ANSWER_EVERY_MS);
  const isFirstThere = createOncePer(clock, UNAPPROVED_NOTICE_EVERY_MS);

  /**
   * For a blocked person; undefined if they are not blocked, or use something that is open to them.
   */
  const blockedReply = async ({ caller, place }: Who, open?: string): Promise<Reply | undefined> => {
    if (!(await gate.blocked(caller, place))) return undefined;
    const who = `${place.community} ${personKey(caller)}`;
    if (open !== undefined && mayAnswer(`${who} ${open}`)) return undefined;
    const text = wordsFor(caller.locale).gate.blocked;
    return { kind: isFirst(who) ? 'note' : 'told-before', text };
  };
  /**
   * Where no owner has approved the community; undefined: one has, or none needs to. The owners are asked.
   */
  const unapprovedReply = async ({ caller, place }: Who): Promise<Reply | undefined> => {
    const { community } = place;
    if (!(await gate.unapproved(caller, place))) {
      // A community that loses its approval is notified again.
      isFirstThere.forget(community);
      return undefined;
    }
    askOwners({ caller, place });
    const text = wordsFor(caller.locale).gate.unapproved;
    return { kind: isFirstThere(community) ? 'chat-note' : 'chat-told-before', text };
  };
  return {
    blockedReply,
    unapprovedReply,
    turnAway: async (who: Who): Promise<Reply | undefined> =>
      (await unapprovedReply(who)) ?? (await blockedReply(who)),
  };
}
