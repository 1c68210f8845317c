import { type APIInteraction, ComponentType, InteractionType } from 'discord.js';
import type { Desk } from '../../../command/desk.ts';
import { cardsOf, type JobCard, type Reply, type ReplyOf } from '../../../command/reply.ts';
import type { View } from '../../../command/view.ts';
import { megabytes } from '../../../words/size.ts';
import { type Words, wordsFor } from '../../../words/words.ts';
import { button, type Extras, renderView } from '../components/message.ts';
import { draftOf, formSource, keepForm, makeForm, OPEN_FORM_PREFIX } from '../components/modal.ts';
import { chosenAction } from '../components/select-menu.ts';
import { GONE, isFileRefused } from '../messages/outcome.ts';
import { type Card, cardRef } from '../payloads/card-ref.ts';
import { readCaller } from '../payloads/interaction.ts';
import { pressablesIn } from '../payloads/message-parts.ts';
import type { DiscordContext } from '../rest/api.ts';
import { DiscordFault, isRefusedWith } from '../rest/fault.ts';
import { hasEphemeralMessage, type Responder } from './responder.ts';

/** How the reply to an interaction may be shown. */
export interface AnswerOptions {
  /**
   * The kind of the first answer. `thinking`: "thinking…" is sent before the desk runs, so that it is in time however long
   * the desk takes. `form`: a question is asked in a form if possible, after a menu entry or a button. `answer`: the reply
   * itself.
   */
  readonly first: 'thinking' | 'form' | 'answer';
  readonly spoiler: boolean;
  /** Whether only the caller sees the answer, "thinking…" and questions. */
  readonly quiet: boolean;
}

/**
 * Whether the message still has the pressed button or chosen entry, or a button or entry of the question whose form was
 * submitted. The answer changes no other message: a press can be forged, and a question may have been answered meanwhile.
 */
export function stillHasPressed(interaction: APIInteraction): boolean {
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

/** Shows the desk's reply in the way that its interaction still allows. */
export function createShowReply(
  { state }: Pick<DiscordContext, 'state'>,
  desk: Pick<Desk, 'cardShown' | 'resultShown'>,
) {
  return async (
    reply: Reply,
    interaction: APIInteraction,
    { first: preferred, spoiler, quiet }: AnswerOptions,
    responder: Responder,
  ): Promise<unknown> => {
    const { id: person, locale } = readCaller(interaction);
    const words = wordsFor(locale);

    /** Shows a view; with `replaces` in place of the message with the button, if that has the same visibility. */
    const show = (
      view: View,
      isPrivate: boolean,
      replaces = false,
      buttons: NonNullable<Extras['buttons']> = [],
    ): Promise<Card | undefined> => {
      const { media, ...rest } = view;
      const extras = { buttons, placeholder: words.ask.menu };
      // The picture of a list or a question only illustrates it.
      const illustrates = view.tone === 'info' || view.tone === 'ask';
      const bare = illustrates ? rest : { ...rest, lines: [words.notes.notHere] };
      const payload = {
        ...renderView(view, extras),
        ...(media === undefined ? {} : { withoutFile: renderView(bare, extras) }),
      };
      const send = (): Promise<Card | undefined> => responder.reply(payload, isPrivate);
      if (!replaces || !stillHasPressed(interaction)) return send();
      if (interaction.message === undefined || hasEphemeralMessage(interaction) !== isPrivate)
        return responder.replyInstead(payload, isPrivate);
      return responder.update(payload).catch((error: unknown) => {
        // The message with the button was deleted meanwhile.
        if (isRefusedWith(error, ...GONE)) return send();
        throw error;
      });
    };

    /** Discord may refuse a file that is within the limit which it named: then the person alone is told its size. */
    const showFile = (view: View, bytes: number, isPrivate: boolean): Promise<Card | undefined> =>
      responder.reply(renderView(view), isPrivate).catch(async (error: unknown) => {
        if (!isFileRefused(error)) throw error;
        const size = megabytes(bytes, words.language);
        await responder.reply(renderView({ tone: 'failed', lines: [words.file.refused(size)] }), true);
        return undefined;
      });

    const showCards = async ([first, ...others]: readonly JobCard[], replaces?: boolean): Promise<void> => {
      const showFurther = ({ view, audience, job }: JobCard) =>
        responder.followUp(renderView(view), audience === 'caller', job).catch((error: unknown) => {
          // Discord allows few follow-ups where only the user has installed the bot.
          if (error instanceof DiscordFault && error.kind === 'refused') return undefined;
          throw error;
        });
      const shown = first && (await show(first.view, first.audience === 'caller', replaces));
      if (first === undefined || shown === undefined) return;
      for (const each of [first, ...others]) {
        const sent = each === first ? shown : await showFurther(each);
        await desk.cardShown(each.job, sent && cardRef({ ...sent, spoiler }));
      }
    };

    const ask = async (asked: ReplyOf<'ask'>): Promise<unknown> => {
      const source = formSource(asked);
      const [first] = asked.questions;
      const answers = (asked.view.buttons ?? []).flat().filter(({ choice }) => choice);
      const offersFaces = first.kind === 'image' && answers.length > 0;
      const mustWrite = first.kind === 'text' || first.kind === 'image';
      // A list with pictures is shown as a message, and turning a page of a list must not open a form. A question that can
      // only be answered in writing always opens one.
      const opens =
        !offersFaces && (mustWrite || (asked.replaces !== true && asked.view.tiles === undefined));
      if (preferred === 'form' && responder.state() === 'fresh' && opens)
        return responder.showModal(makeForm(asked.draft, source, asked.replaces ?? false));
      await keepForm(state, person, asked.draft, source);
      const written =
        first.kind !== 'choice' || asked.questions.filter(({ optional }) => !optional).length > 1;
      const label = first.kind === 'image' ? words.ask.addPhoto : words.ask.open;
      const buttons = written ? [button(`${OPEN_FORM_PREFIX}${asked.draft}`, label, 'primary')] : [];
      const view = { ...asked.view, lines: withoutNextMessage(asked.view.lines, words) };
      // A question after a message for the person alone is ephemeral, too, and so needs no permission in the channel.
      const isQuiet = interaction.message === undefined ? quiet : hasEphemeralMessage(interaction);
      return show(view, asked.audience !== 'everyone' || isQuiet, asked.replaces, buttons);
    };
    /** A question after a press on a message for one person alone is for that person alone, too. */
    const isAlone = ({ view, audience }: ReplyOf<'message' | 'result'>): boolean =>
      audience !== 'everyone' || (view.tone === 'ask' && hasEphemeralMessage(interaction));

    const note = (text: string): View => ({ tone: 'info', lines: [text] });
    switch (reply.kind) {
      case 'card':
        return showCards(cardsOf(reply), reply.replaces);
      case 'further-cards':
        return showCards(cardsOf(reply));
      case 'ask':
        return ask(reply);
      case 'message':
        return show(reply.view, isAlone(reply), reply.replaces);
      case 'result': {
        const { media } = reply.view;
        const isFile = media !== undefined && media.kind !== 'link' && media.as === 'file';
        const shown = await (isFile && reply.replaces !== true
          ? showFile(reply.view, media.bytes.byteLength, isAlone(reply))
          : show(reply.view, isAlone(reply), reply.replaces));
        return desk.resultShown(reply, shown && cardRef(shown));
      }
      case 'replace':
        return show(reply.view, hasEphemeralMessage(interaction) || !stillHasPressed(interaction), true);
      case 'remove':
        return stillHasPressed(interaction) ? responder.deleteReply() : show(note(reply.note), true);
      case 'stale':
        // A stale question is replaced, so that no dead buttons stay.
        return stillHasPressed(interaction)
          ? show(note(reply.text), hasEphemeralMessage(interaction), true)
          : show(note(reply.text), true);
      case 'card-shown-before':
        // After a command that card itself is the answer, which a note would replace.
        return interaction.message === undefined ? undefined : show(note(reply.text), true);
      case 'note':
      case 'not-yours':
      case 'chat-note':
      case 'chat-told-before':
      case 'told-before':
        return show(note(reply.text), true);
    }
  };
}

export type ShowReply = ReturnType<typeof createShowReply>;

/**
 * Removes the hint "send it as your next message", because the bot cannot read messages on Discord; a button opens a form
 * instead.
 */
function withoutNextMessage(lines: View['lines'], { ask }: Words): View['lines'] {
  const hints: readonly unknown[] = [ask.pickOrType, ask.type, ask.write, ask.writeOrIdea, ask.photo];
  return lines.filter((line) => !hints.includes(line));
}
