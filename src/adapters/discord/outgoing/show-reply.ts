import type { APIInteraction } from 'discord.js';
import type { Clock } from '../../../base/clock.ts';
import type { Desk } from '../../../command/desk.ts';
import type { Reply } from '../../../command/reply.ts';
import type { View } from '../../../command/view.ts';
import type { Words } from '../../../words/words.ts';
import { answerCard, cardRef } from '../api/card-ref.ts';
import { isProblem } from '../api/fault.ts';
import { readCaller } from '../api/interaction.ts';
import { type FormSource, formSource, makeForm, OPEN_FORM } from './forms.ts';
import { holdsButton } from './holds-button.ts';
import { isEphemeral, type SentMessage } from './interaction-token.ts';
import { gone } from './outcome.ts';
import { button, type Extras, renderView } from './render.ts';
import type { Responder } from './responder.ts';

export interface Showing {
  readonly interaction: APIInteraction;
  readonly words: Words;
  /**
   * What Discord is to be told first. `thinking`: that we do, before the desk is asked, so that the caller was heard in
   * time whatever the desk meets. `form`: the better question where somebody came by a menu or a button, not by typing.
   */
  readonly first: 'thinking' | 'form' | 'answer';
  readonly spoiler: boolean;
  /** What was typed is answered to its caller alone: so is "thinking…", and what is asked about it. */
  readonly quiet: boolean;
}

export interface ShowParts {
  readonly desk: Pick<Desk, 'shown'>;
  readonly clock: Clock;
  keepForm(person: string, draft: string, source: FormSource): Promise<void>;
}

const NOTE: View['tone'] = 'info';

/** Shows what the desk replied, in whichever way this interaction can still be answered. */
export const createShow = ({ desk, clock, keepForm }: ShowParts) => {
  /** In place of the message with the button where that is wanted and everybody who sees it may see this. */
  const put = (
    responder: Responder,
    { interaction, words }: Showing,
    view: View,
    options: { readonly private: boolean; readonly replaces: boolean },
    extras: Extras = {},
  ): Promise<SentMessage | undefined> => {
    const { media, ...rest } = view;
    const made = renderView(view, extras);
    const payload =
      media === undefined
        ? made
        : { ...made, without: renderView({ ...rest, lines: [words.notes.notHere] }, extras) };
    const samePublic = interaction.message !== undefined && isEphemeral(interaction) === options.private;
    const say = (): Promise<SentMessage | undefined> => responder.say(payload, options.private);
    if (!options.replaces || !holdsButton(interaction)) return say();
    if (!samePublic) return responder.instead?.(payload, options.private) ?? say();
    return responder.change(payload).catch((error: unknown) => {
      // The message with the button has gone meanwhile: what follows stands by itself.
      if (isProblem(error, ...gone)) return say();
      throw error;
    });
  };

  const showCard = async (
    reply: Extract<Reply, { kind: 'card' }>,
    responder: Responder,
    showing: Showing,
  ): Promise<void> => {
    const options = { private: reply.private, replaces: reply.replaces ?? false };
    const sent = await put(responder, showing, reply.view, options);
    if (sent === undefined) return;
    const { interaction, spoiler } = showing;
    const { token, ...card } = answerCard(interaction, { ...sent, spoiler }, clock.now());
    await desk.shown(reply.job, cardRef(sent.asBot || token === undefined ? card : { ...card, token }));
  };

  const ask = async (
    reply: Extract<Reply, { kind: 'ask' }>,
    responder: Responder,
    showing: Showing,
  ): Promise<void> => {
    const source = formSource(reply);
    const [first] = reply.questions;
    const mustWrite = first.kind === 'text' || first.kind === 'image';
    // Turning a page of a list must not open a form; where there is nothing to choose from, one is what is needed.
    if (showing.first === 'form' && responder.form !== undefined && (mustWrite || reply.replaces !== true))
      return responder.form(makeForm(reply.draft, source, reply.replaces ?? false));
    await keepForm(readCaller(showing.interaction).id, reply.draft, source);
    const written = first.kind !== 'choice' || reply.questions.length > 1;
    const buttons = written ? [button(`${OPEN_FORM}${reply.draft}`, showing.words.ask.open, 'primary')] : [];
    const view = { ...reply.view, lines: withoutNextMessage(reply.view.lines, showing.words) };
    const typed = showing.interaction.message === undefined;
    await put(
      responder,
      showing,
      view,
      { private: reply.private || (typed && showing.quiet), replaces: reply.replaces ?? false },
      { buttons },
    );
  };

  const note = async (responder: Responder, text: string): Promise<void> => {
    await responder.say(renderView({ tone: NOTE, lines: [text] }), true);
  };

  /** In the place of what has been answered otherwise, or long ago: no buttons stay that lead nowhere. */
  const over = async (responder: Responder, showing: Showing, text: string): Promise<void> => {
    const options = { private: isEphemeral(showing.interaction), replaces: true };
    await put(responder, showing, { tone: NOTE, lines: [text] }, options);
  };

  return async (reply: Reply, responder: Responder, showing: Showing): Promise<void> => {
    switch (reply.kind) {
      case 'card':
        return showCard(reply, responder, showing);
      case 'ask':
        return ask(reply, responder, showing);
      case 'message':
        await put(responder, showing, reply.view, {
          private: (reply.private ?? false) !== false,
          replaces: reply.replaces ?? false,
        });
        return;
      case 'replace':
        await put(responder, showing, reply.view, {
          private: isEphemeral(showing.interaction) || !holdsButton(showing.interaction),
          replaces: true,
        });
        return;
      case 'remove':
        return holdsButton(showing.interaction) ? responder.remove() : note(responder, reply.note);
      case 'note':
        return reply.stale && holdsButton(showing.interaction)
          ? over(responder, showing, reply.text)
          : note(responder, reply.text);
    }
  };
};

/** The bot does not read along on Discord: the button takes the place of "send it as your next message". */
const withoutNextMessage = (lines: View['lines'], { ask }: Words): View['lines'] => {
  const hints: readonly unknown[] = [ask.pickOrType, ask.type, ask.write, ask.writeOrIdea, ask.photo];
  return lines.filter((line) => !hints.includes(line));
};
