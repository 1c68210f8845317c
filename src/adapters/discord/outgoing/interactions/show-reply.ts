import { type APIInteraction, ComponentType, InteractionType } from 'discord.js';
import { cardsOf, type JobCard, type Reply } from '../../../../command/reply.ts';
import type { View } from '../../../../command/view.ts';
import type { Words } from '../../../../words/words.ts';
import type { AdapterOptions } from '../../../adapter.ts';
import { answerCard, cardRef } from '../../api/card-ref.ts';
import { DiscordFault, isRefusal } from '../../api/fault.ts';
import { readCaller } from '../../api/interaction.ts';
import { pressablesIn } from '../../api/message-parts.ts';
import { GONE } from '../messages/outcome.ts';
import { draftOf, type FormStore, formSource, makeForm, OPEN_FORM_PREFIX } from '../render/forms.ts';
import { chosenAction } from '../render/menu.ts';
import { button, type Extras, renderView } from '../render/render.ts';
import { isEphemeral, type SentMessage } from './interaction-token.ts';
import type { Responder } from './responder.ts';

export interface ShowContext {
  readonly interaction: APIInteraction;
  readonly words: Words;
  /**
   * The first answer. `thinking`: sent before the desk runs, so that it is in time however long the desk takes. `form`:
   * preferred for questions after a menu entry or a button.
   */
  readonly first: 'thinking' | 'form' | 'answer';
  readonly spoiler: boolean;
  /** Only the caller sees the answer, including "thinking…" and questions. */
  readonly quiet: boolean;
}

export interface ShowParts extends Pick<AdapterOptions, 'desk' | 'clock'> {
  readonly formStore: FormStore;
}

/**
 * Whether the message still has the pressed button or chosen entry, or a button or entry of the question whose form was submitted.
 * The answer changes no other message: a press can be forged, and a question may have been answered meanwhile.
 */
export function holdsButton(interaction: APIInteraction): boolean {
  const all = pressablesIn(interaction.message?.components);
  if (interaction.type === InteractionType.MessageComponent) {
    if (interaction.data.component_type === ComponentType.Button)
      return all.some(({ id }) => id === interaction.data.custom_id);
    const chosen = chosenAction(interaction);
    return all.some(({ values }) => values.some((value) => value === chosen));
  }
  if (interaction.type !== InteractionType.ModalSubmit) return false;
  const draft = draftOf(interaction.data.custom_id);
  return all.some(({ id, values }) => [id, ...values].some((each) => each.split(':').includes(draft)));
}

/** Shows the desk's reply in the way that this interaction still allows. */
export function createShow({ desk, clock, formStore }: ShowParts) {
  /** Replaces the message with the button where that is wanted and the visibility is the same. */
  const showView = (
    responder: Responder,
    { interaction, words }: ShowContext,
    view: View,
    options: { readonly private: boolean; readonly replaces?: boolean | undefined },
    buttons: NonNullable<Extras['buttons']> = [],
  ): Promise<SentMessage | undefined> => {
    const { media, ...rest } = view;
    const extras = { buttons, placeholder: words.ask.menu };
    // The picture of a list or a question only illustrates it.
    const illustrates = view.tone === 'info' || view.tone === 'ask';
    const made = renderView(view, extras);
    const payload =
      media === undefined
        ? made
        : {
            ...made,
            withoutFile: renderView(illustrates ? rest : { ...rest, lines: [words.notes.notHere] }, extras),
          };
    const samePublic = interaction.message !== undefined && isEphemeral(interaction) === options.private;
    const send = (): Promise<SentMessage | undefined> => responder.send(payload, options.private);
    if (!options.replaces || !holdsButton(interaction)) return send();
    if (!samePublic) return responder.sendInstead(payload, options.private);
    return responder.update(payload).catch((error: unknown) => {
      // The message with the button was deleted meanwhile.
      if (isRefusal(error, ...GONE)) return send();
      throw error;
    });
  };

  const showCard = async (
    reply: Extract<Reply, { kind: 'card' }>,
    responder: Responder,
    context: ShowContext,
  ): Promise<void> => {
    const { interaction, spoiler } = context;
    const showFurther = ({ view, private: isPrivate, job }: JobCard) =>
      responder.further(renderView(view), isPrivate, job).catch((error: unknown) => {
        // Where only its user installed the bot, Discord allows few of them.
        if (error instanceof DiscordFault && error.kind === 'refused') return undefined;
        throw error;
      });
    const [first, ...others] = cardsOf(reply);
    const shown = first && (await showView(responder, context, first.view, first));
    if (first === undefined || shown === undefined) return;
    for (const each of [first, ...others]) {
      const sent = each === first ? shown : await showFurther(each);
      const { token, ...card } = answerCard(interaction, { ...shown, ...sent, spoiler }, clock.now());
      const ref = cardRef(sent?.asBot || token === undefined ? card : { ...card, token });
      await desk.shown(each.job, sent && ref);
    }
  };

  const ask = async (
    reply: Extract<Reply, { kind: 'ask' }>,
    responder: Responder,
    context: ShowContext,
  ): Promise<void> => {
    const source = formSource(reply);
    const [first] = reply.questions;
    const offersFaces = first.kind === 'image' && (reply.view.buttons ?? []).length > 0;
    const mustWrite = first.kind === 'text' || first.kind === 'image';
    // What is chosen by eye is shown, and turning a page of a list must not open a form, unless the question can only be
    // answered in writing.
    const opens = !offersFaces && (mustWrite || (reply.replaces !== true && reply.view.tiles === undefined));
    if (context.first === 'form' && responder.state() === 'fresh' && opens)
      return responder.form(makeForm(reply.draft, source, reply.replaces ?? false));
    await formStore.keep(readCaller(context.interaction).id, reply.draft, source);
    const written = first.kind !== 'choice' || reply.questions.length > 1;
    const { ask: words } = context.words;
    const label = first.kind === 'image' ? words.addPhoto : words.open;
    const buttons = written ? [button(`${OPEN_FORM_PREFIX}${reply.draft}`, label, 'primary')] : [];
    const view = { ...reply.view, lines: withoutNextMessage(reply.view.lines, context.words) };
    const typed = context.interaction.message === undefined;
    await showView(
      responder,
      context,
      view,
      { private: reply.private || (typed && context.quiet), replaces: reply.replaces },
      buttons,
    );
  };

  const sendNote = async (responder: Responder, text: string): Promise<void> => {
    await responder.send(renderView({ tone: 'info', lines: [text] }), true);
  };

  /** Replaces a stale question, so that no dead buttons stay. */
  const showStale = async (responder: Responder, context: ShowContext, text: string): Promise<void> => {
    const options = { private: isEphemeral(context.interaction), replaces: true };
    await showView(responder, context, { tone: 'info', lines: [text] }, options);
  };

  return async (reply: Reply, responder: Responder, context: ShowContext): Promise<void> => {
    switch (reply.kind) {
      case 'card':
        return showCard(reply, responder, context);
      case 'ask':
        return ask(reply, responder, context);
      case 'message':
        await showView(responder, context, reply.view, {
          private: Boolean(reply.private),
          replaces: reply.replaces,
        });
        return;
      case 'replace':
        await showView(responder, context, reply.view, {
          private: isEphemeral(context.interaction) || !holdsButton(context.interaction),
          replaces: true,
        });
        return;
      case 'remove':
        return holdsButton(context.interaction) ? responder.remove() : sendNote(responder, reply.note);
      case 'note':
        // The answer to a command, which a note would replace, is that card.
        if (reply.known === 'card' && context.interaction.message === undefined) return;
        return reply.stale && holdsButton(context.interaction)
          ? showStale(responder, context, reply.text)
          : sendNote(responder, reply.text);
    }
  };
}

/** The bot cannot read messages on Discord: a button replaces "send it as your next message". */
function withoutNextMessage(lines: View['lines'], { ask }: Words): View['lines'] {
  const hints: readonly unknown[] = [ask.pickOrType, ask.type, ask.write, ask.writeOrIdea, ask.photo];
  return lines.filter((line) => !hints.includes(line));
}
