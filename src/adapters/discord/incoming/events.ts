import {
  type APIApplicationCommandAutocompleteInteraction,
  type APIApplicationCommandInteraction,
  type APIChatInputApplicationCommandInteraction,
  type APIInteraction,
  type APIMessageApplicationCommandInteraction,
  type APIMessageComponentInteraction,
  type APIModalSubmitInteraction,
  ApplicationCommandType,
  InteractionResponseType,
  InteractionType,
  Routes,
} from 'discord.js';
import type { Clock } from '../../../base/clock.ts';
import { defined } from '../../../base/defined.ts';
import type { Command } from '../../../command/command.ts';
import type { Desk, Incoming } from '../../../command/desk.ts';
import type { Given } from '../../../command/option.ts';
import { isNextStep, type Reply } from '../../../command/reply.ts';
import type { Words } from '../../../words/words.ts';
import { answerCard, cardRef, originalMessage } from '../api/card-ref.ts';
import { readCaller, readFocused, readOptions, readPlace } from '../api/interaction.ts';
import type { HostCheck } from '../api/photo-ref.ts';
import type { Requests } from '../api/requests.ts';
import type { Answer, AnswerOptions } from '../outgoing/answer-interaction.ts';
import { type FormSource, makeForm, openFormPrefix, readForm } from '../outgoing/forms.ts';
import { actionPrefix } from '../outgoing/render.ts';
import { readMessagePhoto } from './message-photo.ts';

const mostSuggestions = 25;
const longestSuggestion = 100;

export interface EventParts {
  readonly desk: Desk;
  readonly clock: Clock;
  readonly commands: readonly Command[];
  readonly answer: Answer;
  readonly requests: Requests;
  readonly isAllowedHost: HostCheck;
  readonly words: (locale: string) => Words;
  form(person: string, draft: string): Promise<FormSource | 'notYours' | 'stale'>;
}

const isHidden = (given: Given): boolean =>
  Object.values(given).some((value) => typeof value === 'object' && value.spoiler === true);

const isSlash = (
  interaction: APIApplicationCommandInteraction,
): interaction is APIChatInputApplicationCommandInteraction =>
  interaction.data.type === ApplicationCommandType.ChatInput;

const isMenu = (
  interaction: APIApplicationCommandInteraction,
): interaction is APIMessageApplicationCommandInteraction =>
  interaction.data.type === ApplicationCommandType.Message;

const inPlace = (replaces: boolean, reply: Reply): Reply =>
  replaces && isNextStep(reply) ? { ...reply, replaces } : reply;

const refusal = (text: string): Reply => ({
  kind: 'message',
  private: true,
  view: { tone: 'failed', lines: [text] },
});

/** Turns each kind of interaction into the desk's kind of event. */
export const createEvents = (parts: EventParts): ((interaction: APIInteraction) => Promise<void>) => {
  const { desk, commands, isAllowedHost } = parts;
  const wordsOf = (interaction: APIInteraction): Words => parts.words(readCaller(interaction).locale);
  const incomingOf = (interaction: APIInteraction, spoiler = false): Incoming => {
    const unseen = { message: originalMessage, ephemeral: false, spoiler };
    return {
      event: `discord:${interaction.id}`,
      caller: readCaller(interaction),
      place: readPlace(interaction),
      answer: cardRef(answerCard(interaction, unseen, parts.clock.now())),
    };
  };

  /** A blocked person gets an ephemeral answer, also where "thinking…" would be public. */
  const answer: Answer = async (interaction, work, options) => {
    const isOpen = !options.quiet && options.first !== 'answer';
    const turnedAway = isOpen
      ? await desk.blockedReply(incomingOf(interaction)).catch(() => undefined)
      : undefined;
    if (turnedAway === undefined) return parts.answer(interaction, work, options);
    return parts.answer(interaction, async () => turnedAway, { ...options, first: 'answer', quiet: true });
  };

  /** Pictures are public unless asked otherwise; everything else is ephemeral. */
  const answerOptions = (
    command: Command | undefined,
    given: Given,
    first: AnswerOptions['first'],
  ): AnswerOptions => ({
    first,
    spoiler: isHidden(given),
    quiet: command?.generates !== true || given.private === true,
  });

  const slashCommand = (interaction: APIChatInputApplicationCommandInteraction): Promise<void> => {
    const { name, options, resolved } = interaction.data;
    const { given, subcommand, unusable } = readOptions(options, resolved?.attachments);
    const command = commands.find((each) => each.name === name);
    if (unusable !== undefined) {
      const why = wordsOf(interaction).failure['photo-invalid'];
      return answer(interaction, async () => refusal(why), answerOptions(command, given, 'answer'));
    }
    const work = (): Promise<Reply> =>
      desk.command({
        ...incomingOf(interaction, isHidden(given)),
        command: name,
        given,
        ...defined({ subcommand }),
      });
    return answer(
      interaction,
      work,
      answerOptions(command, given, command?.generates === true ? 'thinking' : 'answer'),
    );
  };

  const menuCommand = (interaction: APIMessageApplicationCommandInteraction): Promise<void> => {
    const { name, resolved, target_id: target } = interaction.data;
    const command = commands.find((each) => each.menu === name);
    const option = Object.entries(command?.action?.options ?? {}).find(
      ([, each]) => each.kind === 'image',
    )?.[0];
    const message = resolved.messages[target];
    const photo = message === undefined ? undefined : readMessagePhoto(message, isAllowedHost);
    const words = wordsOf(interaction);
    if (command === undefined || option === undefined)
      return answer(
        interaction,
        async () => refusal(words.press.stale),
        answerOptions(command, {}, 'answer'),
      );
    if (photo === undefined || photo === 'unusable') {
      const why = photo === undefined ? words.notes.noImage : words.failure['photo-invalid'];
      return answer(interaction, async () => refusal(why), answerOptions(command, {}, 'form'));
    }
    const given = { [option]: photo };
    const work = (): Promise<Reply> =>
      desk.command({ ...incomingOf(interaction, isHidden(given)), command: command.name, given });
    return answer(interaction, work, answerOptions(command, given, 'form'));
  };

  const anyCommand = (interaction: APIApplicationCommandInteraction): Promise<void> => {
    if (isSlash(interaction)) return slashCommand(interaction);
    return isMenu(interaction) ? menuCommand(interaction) : Promise.resolve();
  };

  const press = async (interaction: APIMessageComponentInteraction): Promise<void> => {
    const id = interaction.data.custom_id;
    const options: AnswerOptions = { first: 'form', spoiler: false, quiet: true };
    if (id.startsWith(openFormPrefix)) return openForm(interaction, id.slice(openFormPrefix.length), options);
    const action = id.startsWith(actionPrefix) ? id.slice(actionPrefix.length) : id;
    return answer(interaction, () => desk.press({ ...incomingOf(interaction), action }), options);
  };

  const openForm = async (
    interaction: APIMessageComponentInteraction,
    draft: string,
    options: AnswerOptions,
  ): Promise<void> => {
    const source = await parts.form(readCaller(interaction).id, draft).catch(() => 'stale' as const);
    if (typeof source === 'string')
      return answer(
        interaction,
        async () => ({
          kind: 'note',
          text: wordsOf(interaction).press[source],
          ...(source === 'stale' ? { stale: true } : {}),
        }),
        options,
      );
    await respond(interaction, InteractionResponseType.Modal, makeForm(draft, source, true));
  };

  const submit = (interaction: APIModalSubmitInteraction): Promise<void> => {
    const { draft, replaces, answers, unusable } = readForm(interaction);
    const work = async (): Promise<Reply> =>
      unusable === undefined
        ? inPlace(
            replaces,
            await desk.answer({ ...incomingOf(interaction, isHidden(answers)), draft, answers }),
          )
        : refusal(wordsOf(interaction).failure['photo-invalid']);
    return answer(interaction, work, { first: 'answer', spoiler: isHidden(answers), quiet: false });
  };

  const suggest = (interaction: APIApplicationCommandAutocompleteInteraction): Promise<void> => {
    const { name, options } = interaction.data;
    const focused = readFocused(options);
    const { given, subcommand } = readOptions(options, undefined);
    const { caller, place } = incomingOf(interaction);
    const found =
      focused === undefined
        ? []
        : desk.complete(
            {
              caller,
              place,
              command: name,
              given,
              ...focused,
              ...defined({ subcommand }),
            },
            mostSuggestions,
          );
    const choices = found
      .filter(({ value }) => value !== '' && value.length <= longestSuggestion)
      .slice(0, mostSuggestions)
      .map(({ value, label }) => ({ name: [...label].slice(0, longestSuggestion).join('') || value, value }));
    return respond(interaction, InteractionResponseType.ApplicationCommandAutocompleteResult, { choices });
  };

  /** For answers that create no message: a lost one is ignored. */
  const respond = async (
    interaction: APIInteraction,
    type: InteractionResponseType,
    data: object,
  ): Promise<void> => {
    const route = Routes.interactionCallback(interaction.id, interaction.token);
    const body = { type, data };
    await parts.requests
      .withToken({
        doing: 'answer an interaction',
        method: 'POST',
        route,
        body,
        repeatable: false,
        timeoutMs: 2_500,
        totalTimeoutMs: 2_500,
      })
      .catch(() => undefined);
  };

  return async (interaction) => {
    switch (interaction.type) {
      case InteractionType.ApplicationCommand:
        return anyCommand(interaction);
      case InteractionType.MessageComponent:
        return press(interaction);
      case InteractionType.ModalSubmit:
        return submit(interaction);
      case InteractionType.ApplicationCommandAutocomplete:
        return suggest(interaction);
      default:
        return undefined;
    }
  };
};
