import type { CallbackQuery, User } from 'grammy/types';
import type { Command } from '../../../command/command.ts';
import type { Caller } from '../../../command/place.ts';
import type { Reply } from '../../../command/reply.ts';
import { headOf } from '../../../command/text/grammar.ts';
import { callerOf } from '../api/caller-and-place.ts';
import type { TelegramParts } from '../api/options.ts';
import { personOf } from '../api/refs.ts';
import type { Ephemerals } from '../outgoing/ephemerals.ts';
import type { Questions } from '../outgoing/questions.ts';
import type { ReadMessage } from './message-reply.ts';
import type { People } from './people.ts';

/** Stores what a message or a press tells about its sender. This is done after the answer, which does not wait for it. */
export function createNotes(
  options: Pick<TelegramParts, 'inbox'> & {
    readonly commands: readonly Command[];
    readonly ephemerals: Ephemerals;
    readonly people: People;
    readonly questions: Questions;
  },
) {
  const { inbox, ephemerals, people, questions } = options;

  /** Whether the person's app knows ephemeral messages, as the message shows it; `undefined` if it shows nothing. */
  const knowsEphemerals = ({ caller, place, text, ephemeral, source }: ReadMessage) => {
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
    await questions.forget(caller);
  };

  const noteMessage = async (
    updates: readonly number[],
    incoming: ReadMessage,
    shown: Reply | undefined,
  ): Promise<void> => {
    const { caller, source } = incoming;
    if (source.from === undefined) return;
    const isNew = await people.meet(source.from);
    const isKnowing = knowsEphemerals(incoming);
    if (isKnowing !== undefined) await ephemerals.sent(caller, isKnowing);
    if (isNew || isKnowing !== undefined || shown?.kind === 'ask')
      await unlessErased(updates, caller, source.from);
  };

  const notePress = async (
    update: number,
    { message, from }: CallbackQuery,
    shown: Reply | undefined,
  ): Promise<void> => {
    const caller = callerOf(from);
    const isKnowing = message !== undefined && 'ephemeral_message_id' in message;
    if (isKnowing) await ephemerals.sent(caller, true);
    if (isKnowing || shown?.kind === 'ask') await unlessErased([update], caller, from);
  };

  // If one of them fails, people can still be named by a reply, and refusals are as before.
  return {
    message: (...given: Parameters<typeof noteMessage>): Promise<void> =>
      noteMessage(...given).catch(() => undefined),
    press: (...given: Parameters<typeof notePress>): Promise<void> =>
      notePress(...given).catch(() => undefined),
  };
}

export type Notes = ReturnType<typeof createNotes>;
