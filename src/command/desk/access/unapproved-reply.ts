import { keepLatest } from '../../../base/keep-latest.ts';
import { actionIn, type Command } from '../../command.ts';
import type { Incoming } from '../../desk.ts';
import type { Reply } from '../../reply.ts';
import type { DeskParts } from '../parts/desk-parts.ts';

/** A chat that no owner has approved is told so once in this time. */
const TOLD_FOR_MS = 24 * 3_600_000;
const MOST_REMEMBERED = 5_000;

export type UnapprovedReply = ReturnType<typeof createUnapprovedReply>;

/** Whether it can be used where no owner has approved the community. */
export function isOpenToUnapproved(command: Command | undefined, subcommand?: string): boolean {
  return command !== undefined && actionIn(command, subcommand)?.openToUnapproved === true;
}

/**
 * The reply where no owner has approved the community; undefined: one has, or nobody needs to. The owners are asked. `known` if the
 * chat was told before: then only what needs an answer, or is answered to the caller alone, gets it again.
 */
export function createUnapprovedReply({ gate, clock, words, askOwners }: DeskParts) {
  /** When each community was told. */
  const told = new Map<string, number>();
  return async (incoming: Pick<Incoming, 'caller' | 'place'>): Promise<Reply | undefined> => {
    const { caller, place } = incoming;
    const { community } = place;
    if (!(await gate.unapproved(caller, place))) {
      // Whoever loses the approval again is told so.
      told.delete(community);
      return undefined;
    }
    askOwners(incoming);
    const text = words(caller.locale).gate.unapproved;
    const toldAt = told.get(community) ?? Number.NEGATIVE_INFINITY;
    if (clock.now() - toldAt < TOLD_FOR_MS) return { kind: 'note', text, known: 'chat' };
    told.set(community, clock.now());
    keepLatest(told, MOST_REMEMBERED);
    return { kind: 'note', text };
  };
}
