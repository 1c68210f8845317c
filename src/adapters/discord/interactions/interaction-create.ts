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
  InteractionType,
} from 'discord.js';
import { waitAtMost } from '../../../base/clock.ts';
import { defined } from '../../../base/defined.ts';
import { actionIn, type Command } from '../../../command/command.ts';
import { describe, type JobMenuEntry, jobMenuEntries } from '../../../command/describe.ts';
import type { Desk, Incoming } from '../../../command/desk.ts';
import { draftPhotos } from '../../../command/draft.ts';
import type { Given } from '../../../command/option.ts';
import { inPlace, type Note, type Question, refusal } from '../../../command/reply.ts';
import { givePhotos } from '../../../command/text/grammar.ts';
import { type Words, wordsFor } from '../../../words/words.ts';
import { ACTION_PREFIX } from '../components/message.ts';
import {
  findForm,
  makeForm,
  makeJobForm,
  OPEN_FORM_PREFIX,
  readJobForm,
  readSubmittedForm,
} from '../components/modal.ts';
import { chosenAction } from '../components/select-menu.ts';
import { answerCard, cardRef } from '../payloads/card-ref.ts';
import {
  type Arrived,
  eventOf,
  readCaller,
  readFocused,
  readOptions,
  readPlace,
  readRoles,
} from '../payloads/interaction.ts';
import { filesIn, jobIn } from '../payloads/message-parts.ts';
import type { HostCheck } from '../payloads/photo-ref.ts';
import {
  type AnswerInteraction,
  DEFER_AFTER_MS,
  DEFER_FORM_AFTER_MS,
} from '../replies/answer-interaction.ts';
import { FIRST_ANSWER, hasEphemeralMessage } from '../replies/responder.ts';
import { type AnswerOptions, stillHasPressed } from '../replies/show-reply.ts';
import type { DiscordContext } from '../rest/api.ts';
import { readMessagePhotos } from './message-photos.ts';

/**
 * Discord accepts suggestions for 3 seconds; if none are found in this time, the list stays empty and the typed text counts.
 */
const SUGGEST_WITHIN_MS = 2_000;
/** Discord's limits on the suggestions for an option. */
const MOST_SUGGESTIONS = 25;
const LONGEST_SUGGESTION = 100;

const isHidden = (given: Given): boolean => draftPhotos({ given }).some(({ spoiler }) => spoiler === true);

const isChatInput = (
  interaction: APIApplicationCommandInteraction,
): interaction is APIChatInputApplicationCommandInteraction =>
  interaction.data.type === ApplicationCommandType.ChatInput;

const isMessageContextMenu = (
  interaction: APIApplicationCommandInteraction,
): interaction is APIMessageApplicationCommandInteraction =>
  interaction.data.type === ApplicationCommandType.Message;

/** Handles `interactionCreate`: makes a call of the desk from each kind of interaction, and gives its reply to `answer`. */
export function createInteractionHandler(
  { api, state, clock }: Pick<DiscordContext, 'api' | 'state' | 'clock'>,
  commands: readonly Command[],
  desk: Desk,
  answer: AnswerInteraction,
  isAllowedHost: HostCheck,
): (interaction: Arrived) => Promise<void> {
  const { interactions } = api.within(FIRST_ANSWER);
  const jobMenus = jobMenuEntries(commands);
  const wordsOf = (interaction: APIInteraction): Words => wordsFor(readCaller(interaction).locale);
  const incomingOf = (interaction: APIInteraction, spoiler = false): Incoming => ({
    event: eventOf(interaction.id),
    caller: readCaller(interaction),
    place: readPlace(interaction),
    roles: readRoles(interaction),
    answer: cardRef(answerCard(interaction, clock.now(), { spoiler })),
  });

  /** How much is left of `ms` since the interaction arrived, but at least `DEFER_AFTER_MS`. */
  const leftMs = ({ arrivedAt }: Arrived, ms: number): number =>
    Math.max(DEFER_AFTER_MS, arrivedAt + ms - clock.now());

  /** The message with the pressed button, without this interaction's token, which cannot edit that message. */
  const pressedIn = (interaction: APIMessageComponentInteraction): Pick<Incoming, 'pressed'> => {
    if (!stillHasPressed(interaction)) return {};
    const shown = { message: interaction.message.id, ephemeral: hasEphemeralMessage(interaction) };
    return { pressed: cardRef({ ...answerCard(interaction, clock.now(), shown), token: undefined }) };
  };

  /** Answers with the reason for a refusal, and runs no command. */
  const refuse = (interaction: Arrived, why: string): Promise<void> =>
    answer(interaction, async () => (await desk.turnAway(incomingOf(interaction))) ?? refusal(why));

  /**
   * Runs a command and shows its reply: pictures are public unless the option `private` is set, all other replies are
   * ephemeral.
   */
  const answerCommand = async (
    interaction: Arrived,
    command: Command | undefined,
    typed: Pick<Parameters<Desk['command']>[0], 'command' | 'subcommand' | 'given'>,
    first: AnswerOptions['first'],
  ): Promise<void> => {
    const { given } = typed;
    const spoiler = isHidden(given);
    const asked = desk.inLanguage({ ...incomingOf(interaction, spoiler), ...typed });
    const quiet = command?.generates !== true || given.private === true;
    if (first === 'thinking' && !quiet) {
      // A refusal must be ephemeral, but the answer after a public "thinking…" is public, so the desk is asked first, for a
      // moment.
      const refused = asked.then(desk.refusal).catch(() => undefined);
      const known = await waitAtMost(clock, DEFER_AFTER_MS, refused);
      if (known !== undefined) return answer(interaction, async () => known);
    }
    return answer(interaction, async (meanwhile) => desk.command({ ...(await asked), meanwhile }), {
      first,
      spoiler,
      quiet,
    });
  };

  const chatInputCommand = (
    interaction: Arrived<APIChatInputApplicationCommandInteraction>,
  ): Promise<void> => {
    const { name, options, resolved } = interaction.data;
    const { given, subcommand, unusable } = readOptions(options, resolved);
    const command = commands.find((each) => each.name === name);
    if (unusable !== undefined) return refuse(interaction, wordsOf(interaction).failure['photo-invalid']);
    const first = command?.generates === true ? 'thinking' : 'answer';
    return answerCommand(interaction, command, { command: name, given, ...defined({ subcommand }) }, first);
  };

  /** Opens the form of a menu entry, if the message is the bot's own and shows the picture or video of one job. */
  const jobMenuCommand = async (
    interaction: Arrived<APIMessageApplicationCommandInteraction>,
    entry: JobMenuEntry,
  ): Promise<void> => {
    const { resolved, target_id: target } = interaction.data;
    const words = wordsOf(interaction);
    const message = resolved.messages[target];
    const isOwn = message?.author.id === interaction.application_id;
    const hasFile = filesIn(message?.components).length + (message?.attachments.length ?? 0) > 0;
    const job = isOwn && hasFile ? jobIn(message?.components) : undefined;
    const option = actionIn(entry.command, entry.subcommand)?.options[entry.asks];
    if (job === undefined || option?.kind !== 'text') return refuse(interaction, words.removal.unknown);
    const question: Question = {
      option: entry.asks,
      label: describe(words, entry.command, entry.subcommand, entry.asks),
      kind: 'text',
      max: option.max,
    };
    const number = jobMenus.indexOf(entry);
    const form = makeJobForm(number, job, target, entry.title[words.language], question);
    await interactions.createModal(interaction.id, interaction.token, form).catch(() => undefined);
  };

  /** The message, if it is the bot's own. The form in which it is named may be forged, and the bot may be able to delete others' messages. */
  const ownMessage = async (
    interaction: Arrived<APIModalSubmitInteraction>,
    id: string,
  ): Promise<Pick<Incoming, 'pressed'>> => {
    const { channel } = readPlace(interaction);
    const found = await api.channels.getMessage(channel, id).catch(() => undefined);
    if (found?.author.id !== interaction.application_id) return {};
    const shown = { message: id, ephemeral: false };
    return { pressed: cardRef({ ...answerCard(interaction, clock.now(), shown), token: undefined }) };
  };

  const jobFormSubmit = (
    interaction: Arrived<APIModalSubmitInteraction>,
    form: NonNullable<ReturnType<typeof readJobForm>>,
  ): Promise<void> => {
    const entry = jobMenus[form.entry];
    if (entry === undefined) return refuse(interaction, wordsOf(interaction).press.stale);
    const { command, subcommand, job } = entry;
    const given: Given = { ...readSubmittedForm(interaction).answers, [job]: form.job };
    return answer(interaction, async (meanwhile) => {
      const incoming = { ...incomingOf(interaction), ...(await ownMessage(interaction, form.message)) };
      return desk.command({ ...incoming, meanwhile, command: command.name, subcommand, given });
    });
  };

  const messageContextMenuCommand = (
    interaction: Arrived<APIMessageApplicationCommandInteraction>,
  ): Promise<void> => {
    const { name, resolved, target_id: target } = interaction.data;
    const jobMenu = jobMenus.find(({ title }) => title.en === name);
    if (jobMenu !== undefined) return jobMenuCommand(interaction, jobMenu);
    const command = commands.find((each) => each.menu?.en === name);
    const options = Object.entries(command?.action?.options ?? {});
    const hasImage = options.some(([, { kind }]) => kind === 'image');
    const message = resolved.messages[target];
    const photos = message === undefined ? [] : readMessagePhotos(message, isAllowedHost);
    const words = wordsOf(interaction);
    if (command?.action === undefined || !hasImage) return refuse(interaction, words.press.stale);
    if (photos === 'unusable') return refuse(interaction, words.failure['photo-invalid']);
    if (photos.length === 0) return refuse(interaction, words.notes.noImage);
    const given = givePhotos(command.action, {}, photos);
    return answerCommand(interaction, command, { command: command.name, given }, 'form');
  };

  /** Handles the press of a button, or the choice of an entry from a select menu. */
  const messageComponent = async (interaction: Arrived<APIMessageComponentInteraction>): Promise<void> => {
    const id = interaction.data.custom_id;
    const act = (action: string): Promise<void> => {
      const work: Parameters<AnswerInteraction>[1] = (meanwhile) =>
        desk.press({ ...incomingOf(interaction), ...pressedIn(interaction), meanwhile, action });
      return answer(interaction, work, { first: 'form', spoiler: false, quiet: true });
    };
    // The desk answers an empty action, which no button has, with a note that the choice is stale.
    if (interaction.data.component_type !== ComponentType.Button) return act(chosenAction(interaction) ?? '');
    if (id.startsWith(OPEN_FORM_PREFIX)) return openModal(interaction, id.slice(OPEN_FORM_PREFIX.length));
    return act(id.startsWith(ACTION_PREFIX) ? id.slice(ACTION_PREFIX.length) : id);
  };

  const openModal = async (
    interaction: Arrived<APIMessageComponentInteraction>,
    draft: string,
  ): Promise<void> => {
    const words = wordsOf(interaction);
    const note = (text: string, kind: Note['kind'] = 'note'): Promise<void> =>
      answer(interaction, async () => ({ kind, text }));
    const found = findForm(state, readCaller(interaction).id, draft).catch(() => undefined);
    const source = await waitAtMost(clock, leftMs(interaction, DEFER_FORM_AFTER_MS), found);
    if (source === undefined) return note(words.somethingBroke);
    if (source === 'stale') return note(words.press.stale, 'stale');
    if (source === 'notYours') return note(words.press.notYours, 'not-yours');
    const { id, token } = interaction;
    await interactions.createModal(id, token, makeForm(draft, source, true)).catch(() => undefined);
  };

  const modalSubmit = (interaction: Arrived<APIModalSubmitInteraction>): Promise<void> => {
    const jobForm = readJobForm(interaction.data.custom_id);
    if (jobForm !== undefined) return jobFormSubmit(interaction, jobForm);
    const { draft, replaces, answers, unusable } = readSubmittedForm(interaction);
    const work: Parameters<AnswerInteraction>[1] = async (meanwhile) => {
      if (unusable !== undefined) return refusal(wordsOf(interaction).failure['photo-invalid']);
      const incoming = incomingOf(interaction, isHidden(answers));
      const inPlaceOfForm: typeof meanwhile = (shown) => meanwhile(replaces ? { ...shown, replaces } : shown);
      const reply = await desk.answer({ ...incoming, meanwhile: inPlaceOfForm, draft, answers });
      return replaces ? inPlace(reply) : reply;
    };
    return answer(interaction, work, { first: 'answer', spoiler: isHidden(answers), quiet: false });
  };

  /** Asks the desk for values of the option that the person is typing. */
  const suggestionsFor = async (interaction: APIApplicationCommandAutocompleteInteraction) => {
    const { name: command, options } = interaction.data;
    const focused = readFocused(options);
    if (focused === undefined) return [];
    const { given, subcommand } = readOptions(options, undefined);
    const { caller, place } = incomingOf(interaction);
    const asked = { caller, place, command, given, ...focused, ...defined({ subcommand }) };
    return (await desk.complete(asked, MOST_SUGGESTIONS))
      .filter(({ value }) => value !== '' && value.length <= LONGEST_SUGGESTION)
      .slice(0, MOST_SUGGESTIONS)
      .map(({ value, label }) => ({
        name: [...label].slice(0, LONGEST_SUGGESTION).join('') || value,
        value,
      }));
  };
  const autocomplete = async (
    interaction: Arrived<APIApplicationCommandAutocompleteInteraction>,
  ): Promise<void> => {
    const { id, token } = interaction;
    const found = suggestionsFor(interaction);
    const choices = (await waitAtMost(clock, leftMs(interaction, SUGGEST_WITHIN_MS), found)) ?? [];
    await interactions.createAutocompleteResponse(id, token, { choices }).catch(() => undefined);
  };

  return async (interaction) => {
    switch (interaction.type) {
      case InteractionType.ApplicationCommand:
        if (isChatInput(interaction)) return chatInputCommand(interaction);
        return isMessageContextMenu(interaction) ? messageContextMenuCommand(interaction) : undefined;
      case InteractionType.MessageComponent:
        return messageComponent(interaction);
      case InteractionType.ModalSubmit:
        return modalSubmit(interaction);
      case InteractionType.ApplicationCommandAutocomplete:
        return autocomplete(interaction);
      default:
        return undefined;
    }
  };
}
