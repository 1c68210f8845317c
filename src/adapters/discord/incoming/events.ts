import {
  type APIApplicationCommandAutocompleteInteraction,
  type APIApplicationCommandInteraction,
  type APIChatInputApplicationCommandInteraction,
  type APIInteraction,
  type APIMessageApplicationCommandInteraction,
  type APIMessageComponentInteraction,
  type APIModalSubmitInteraction,
  ApplicationCommandType,
  ComponentType,
  InteractionResponseType,
  InteractionType,
} from 'discord.js';
import { defined } from '../../../base/defined.ts';
import type { Command } from '../../../command/command.ts';
import type { Incoming } from '../../../command/desk.ts';
import type { Given } from '../../../command/option.ts';
import { isNextStep, type Reply } from '../../../command/reply.ts';
import type { Words } from '../../../words/words.ts';
import type { AdapterOptions } from '../../adapter.ts';
import { answerCard, cardRef } from '../api/card-ref.ts';
import { readCaller, readOptions, readPlace, readRoles } from '../api/interaction.ts';
import type { HostCheck } from '../api/photo-ref.ts';
import type { Requests } from '../api/requests.ts';
import type { Answer, AnswerOptions } from '../outgoing/interactions/answer-interaction.ts';
import type { FormStore } from '../outgoing/interactions/form-store.ts';
import { holdsButton } from '../outgoing/interactions/holds-button.ts';
import { isEphemeral } from '../outgoing/interactions/interaction-token.ts';
import { respond } from '../outgoing/interactions/respond.ts';
import { makeForm, OPEN_FORM_PREFIX, readForm } from '../outgoing/render/forms.ts';
import { chosenAction } from '../outgoing/render/menu.ts';
import { ACTION_PREFIX } from '../outgoing/render/render.ts';
import { readMessagePhoto } from './message-photo.ts';
import { suggestionsFor } from './suggestions.ts';

interface EventParts extends Pick<AdapterOptions, 'desk' | 'clock' | 'commands' | 'words'> {
  readonly answer: Answer;
  readonly requests: Requests;
  readonly isAllowedHost: HostCheck;
  readonly formStore: FormStore;
}

function isHidden(given: Given): boolean {
  return Object.values(given).some((value) => typeof value === 'object' && value.spoiler === true);
}

function isSlash(
  interaction: APIApplicationCommandInteraction,
): interaction is APIChatInputApplicationCommandInteraction {
  return interaction.data.type === ApplicationCommandType.ChatInput;
}

function isMenu(
  interaction: APIApplicationCommandInteraction,
): interaction is APIMessageApplicationCommandInteraction {
  return interaction.data.type === ApplicationCommandType.Message;
}

function inPlace(replaces: boolean, reply: Reply): Reply {
  return replaces && isNextStep(reply) ? { ...reply, replaces } : reply;
}

function refusal(text: string): Reply {
  return {
    kind: 'message',
    private: true,
    view: { tone: 'failed', lines: [text] },
  };
}

/** Turns each kind of interaction into the desk's kind of event. */
export function createEvents(parts: EventParts): (interaction: APIInteraction) => Promise<void> {
  const { desk, commands, requests, isAllowedHost } = parts;
  const wordsOf = (interaction: APIInteraction): Words => parts.words(readCaller(interaction).locale);
  const incomingOf = (interaction: APIInteraction, spoiler = false): Incoming => {
    const unseen = { message: undefined, ephemeral: false, spoiler };
    return {
      event: `discord:${interaction.id}`,
      caller: readCaller(interaction),
      place: readPlace(interaction),
      roles: readRoles(interaction),
      answer: cardRef(answerCard(interaction, unseen, parts.clock.now())),
    };
  };

  /** Without the token, which reaches only messages that answer this interaction. */
  const pressedIn = (interaction: APIMessageComponentInteraction): Pick<Incoming, 'pressed'> => {
    if (!holdsButton(interaction)) return {};
    const message = {
      message: interaction.message.id,
      ephemeral: isEphemeral(interaction),
      spoiler: false,
    };
    const { token: _, ...card } = answerCard(interaction, message, parts.clock.now());
    return { pressed: cardRef(card) };
  };

  /** Whoever is turned away gets an ephemeral answer, also where "thinking…" would be public. */
  const answer: Answer = async (interaction, work, options) => {
    const isOpen = !options.quiet && options.first !== 'answer';
    const turnedAway = isOpen
      ? await desk.turnAway(incomingOf(interaction)).catch(() => undefined)
      : undefined;
    if (turnedAway === undefined) return parts.answer(interaction, work, options);
    return parts.answer(interaction, async () => turnedAway, { ...options, first: 'answer', quiet: true });
  };

  /** Pictures are public unless asked otherwise; everything else is ephemeral. */
  const answerCommand = (
    interaction: APIApplicationCommandInteraction,
    command: Command | undefined,
    given: Given,
    first: AnswerOptions['first'],
    work: () => Promise<Reply>,
  ): Promise<void> =>
    answer(interaction, work, {
      first,
      spoiler: isHidden(given),
      quiet: command?.generates !== true || given.private === true,
    });

  const slashCommand = (interaction: APIChatInputApplicationCommandInteraction): Promise<void> => {
    const { name, options, resolved } = interaction.data;
    const { given, subcommand, unusable } = readOptions(options, resolved);
    const command = commands.find((each) => each.name === name);
    if (unusable !== undefined) {
      const why = wordsOf(interaction).failure['photo-invalid'];
      return answerCommand(interaction, command, given, 'answer', async () => refusal(why));
    }
    const first = command?.generates === true ? 'thinking' : 'answer';
    return answerCommand(interaction, command, given, first, () =>
      desk.command({
        ...incomingOf(interaction, isHidden(given)),
        command: name,
        given,
        ...defined({ subcommand }),
      }),
    );
  };

  const menuCommand = (interaction: APIMessageApplicationCommandInteraction): Promise<void> => {
    const { name, resolved, target_id: target } = interaction.data;
    const command = commands.find((each) => each.menu === name);
    const options = Object.entries(command?.action?.options ?? {});
    const option = options.find(([, { kind }]) => kind === 'image')?.[0];
    const message = resolved.messages[target];
    const photo = message === undefined ? undefined : readMessagePhoto(message, isAllowedHost);
    const words = wordsOf(interaction);
    if (command === undefined || option === undefined)
      return answerCommand(interaction, command, {}, 'answer', async () => refusal(words.press.stale));
    if (photo === undefined || photo === 'unusable') {
      const why = photo === undefined ? words.notes.noImage : words.failure['photo-invalid'];
      return answerCommand(interaction, command, {}, 'form', async () => refusal(why));
    }
    const given = { [option]: photo };
    return answerCommand(interaction, command, given, 'form', () =>
      desk.command({ ...incomingOf(interaction, isHidden(given)), command: command.name, given }),
    );
  };

  const press = async (interaction: APIMessageComponentInteraction): Promise<void> => {
    const id = interaction.data.custom_id;
    const options: AnswerOptions = { first: 'form', spoiler: false, quiet: true };
    const act = (action: string): Promise<void> =>
      answer(
        interaction,
        () => desk.press({ ...incomingOf(interaction), ...pressedIn(interaction), action }),
        options,
      );
    // No button has an empty action: the desk answers that it is stale.
    if (interaction.data.component_type !== ComponentType.Button) return act(chosenAction(interaction) ?? '');
    if (id.startsWith(OPEN_FORM_PREFIX))
      return openForm(interaction, id.slice(OPEN_FORM_PREFIX.length), options);
    return act(id.startsWith(ACTION_PREFIX) ? id.slice(ACTION_PREFIX.length) : id);
  };

  const openForm = async (
    interaction: APIMessageComponentInteraction,
    draft: string,
    options: AnswerOptions,
  ): Promise<void> => {
    const source = await parts.formStore
      .find(readCaller(interaction).id, draft)
      .catch(() => 'stale' as const);
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
    await respond(requests, interaction, InteractionResponseType.Modal, makeForm(draft, source, true));
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

  const suggest = async (interaction: APIApplicationCommandAutocompleteInteraction): Promise<void> =>
    respond(requests, interaction, InteractionResponseType.ApplicationCommandAutocompleteResult, {
      choices: await suggestionsFor(interaction, desk),
    });

  return async (interaction) => {
    switch (interaction.type) {
      case InteractionType.ApplicationCommand:
        if (isSlash(interaction)) return slashCommand(interaction);
        return isMenu(interaction) ? menuCommand(interaction) : undefined;
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
}
