import { createOnceIn } from '../../base/once-per.ts';
import type { Command } from '../command.ts';
import type { Incoming } from '../desk.ts';
import { personKey } from '../place.ts';
import type { Reply } from '../reply.ts';
import type { DeskParts } from './desk-parts.ts';

/** Whoever is blocked is told so once in this time. */
const toldForMs = 6 * 3_600_000;
/** What stays open to them is answered once in this time: it must not be a way to fill a chat either. */
const openForMs = 10 * 60_000;

/**
 * What somebody who is blocked gets instead of an answer; undefined: they are not blocked, or the command is open to them
 * all the same. Said before, it is `known`: only whoever waits for an answer, and alone reads it, gets it again.
 */
export type TurnAway = (
  incoming: Pick<Incoming, 'caller' | 'place'>,
  command?: Command,
) => Promise<Reply | undefined>;

export const createTurnAway = ({ gate, clock, words }: DeskParts): TurnAway => {
  const isNews = createOnceIn(clock, toldForMs);
  const isOpen = createOnceIn(clock, openForMs);
  return async ({ caller, place }, command) => {
    if (!(await gate.blocked(caller, place))) return undefined;
    const who = `${place.community} ${personKey(caller)}`;
    if (command?.evenBlocked && isOpen(`${who} ${command.name}`)) return undefined;
    const text = words(caller.locale).gate.blocked;
    return isNews(who) ? { kind: 'note', text } : { kind: 'note', text, known: true };
  };
};
