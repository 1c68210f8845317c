import type { CallbackQuery, User } from 'grammy/types';
import type { Command } from '../../../command/command.ts';
import type { Caller } from '../../../command/place.ts';
import type { Reply } from '../../../command/reply.ts';
import { headOf } from '../../../command/text/grammar.ts';
import { callerOf } from '../api/caller-and-place.ts';
import type { TelegramDependencies } from '../api/options.ts';
import { personOf } from '../api/refs.ts';
import type { Ephemerals } from '../outgoing/ephemerals.ts';
import type { Questions } from '../outgoing/questions.ts';
import type { ReadMessage } from './message-reply.ts';
import type { People } from './people.ts';

/**
 * Stores what a message or press tells about its sender: name and app. The notes are written after the answer, which does
 * not wait for them.
 */
export function createSenderNotes(
  options: Pick<TelegramDependencies, 'inbox'> & {
    readonly commands: readonly Command[];
    readonly ephemerals: Ephemerals;
    readonly people: People;
    readonly questions: Questions;
  },
) {
  const { inbox, ephemerals, people, questions } = options;

  /** Whether the message shows that the person's app knows ephemeral messages; undefined if the message does not tell. */
  const knowsEphemerals = ({ caller, place, text, ephemeral, source }: ReadMessage) => {
    if (place.direct || personOf(caller) === undefined) return undefined;
    if (ephemeral !== undefined) return true;
    const name = headOf(text)?.name;
    const isDeclared = options.commands.some((each) => each.personal && each.name === name);
    // A command with a photo tells nothing, because some apps that know ephemeral messages send none with a photo.
    return isDeclared && source.text !== undefined ? false : undefined;
  };

  /**
   * Deletes the notes of a person who has deleted their data while one of these updates was being handled: that has removed
   * the update from the inbox. Notes from before that moment are deleted by the adapter's `forget`.
   */
  const forgetIfErased = async (updates: readonly number[], caller: Caller, { id }: User): Promise<void> => {
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
      await forgetIfErased(updates, caller, source.from);
  };

  const notePress = async (
    update: number,
    { message, from }: CallbackQuery,
    shown: Reply | undefined,
  ): Promise<void> => {
    const caller = callerOf(from);
    const isKnowing = message !== undefined && 'ephemeral_message_id' in message;
    if (isKnowing) await ephemerals.sent(caller, true);
    if (isKnowing || shown?.kind === 'ask') await forgetIfErased([update], caller, from);
  };

  // Failures are ignored: people can still be named by a reply, and refusals are shown as before.
  return {
    message: (...given: Parameters<typeof noteMessage>): Promise<void> =>
      noteMessage(...given).catch(() => undefined),
    press: (...given: Parameters<typeof notePress>): Promise<void> =>
      notePress(...given).catch(() => undefined),
  };
}

export type SenderNotes = ReturnType<typeof createSenderNotes>;
