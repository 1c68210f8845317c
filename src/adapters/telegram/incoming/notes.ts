import type { CallbackQuery, User } from 'grammy/types';
import type { Command } from '../../../command/command.ts';
import type { Caller } from '../../../command/place.ts';
import { headOf } from '../../../command/text/grammar.ts';
import type { TelegramParts } from '../api/api.ts';
import { personOf } from '../api/refs.ts';
import type { Ephemerals } from '../outgoing/ephemerals.ts';
import { callerOf, type IncomingMessage } from './parse.ts';
import type { People } from './people.ts';

/** What is stored about people after they were answered, so that the answer does not wait for it. */
export function createNotes(
  options: Pick<TelegramParts, 'inbox'> & {
    readonly commands: readonly Command[];
    readonly ephemerals: Ephemerals;
    readonly people: People;
  },
) {
  const { inbox, ephemerals, people } = options;

  /** What the message shows of the person's app: `undefined` if nothing. */
  const knowsEphemerals = ({ caller, place, text, ephemeral, source }: IncomingMessage) => {
    if (place.direct || personOf(caller) === undefined) return undefined;
    if (ephemeral !== undefined) return true;
    const name = headOf(text)?.name;
    const isDeclared = options.commands.some((each) => each.personal && each.name === name);
    // Some apps that know ephemeral messages send none with a photo.
    return isDeclared && source.text !== undefined ? false : undefined;
  };

  /**
   * A person who deletes their data while one of these updates is being handled has taken it out of the inbox, and what was stored
   * after that is deleted here. What was stored before that is deleted by `forget` of the adapter.
   */
  const unlessErased = async (updates: readonly number[], caller: Caller, { id }: User): Promise<void> => {
    if (await inbox.areOpen(updates)) return;
    await people.forget(id);
    await ephemerals.forget(caller);
  };

  const noteMessage = async (updates: readonly number[], incoming: IncomingMessage): Promise<void> => {
    const { caller, source } = incoming;
    if (source.from === undefined) return;
    const isNew = await people.meet(source.from);
    const isKnowing = knowsEphemerals(incoming);
    if (isKnowing !== undefined) await ephemerals.sent(caller, isKnowing);
    if (isNew || isKnowing !== undefined) await unlessErased(updates, caller, source.from);
  };

  const notePress = async (update: number, { message, from }: CallbackQuery): Promise<void> => {
    if (message === undefined || !('ephemeral_message_id' in message)) return;
    const caller = callerOf(from);
    await ephemerals.sent(caller, true);
    await unlessErased([update], caller, from);
  };

  // If one of them fails, people can still be named by a reply, and refusals are as before.
  return {
    message: (updates: readonly number[], incoming: IncomingMessage): Promise<void> =>
      noteMessage(updates, incoming).catch(() => undefined),
    press: (update: number, query: CallbackQuery): Promise<void> =>
      notePress(update, query).catch(() => undefined),
  };
}
