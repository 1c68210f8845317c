import type { Filter, NextFunction } from 'grammy';
import type { ChatMember, MaybeInaccessibleMessage } from 'grammy/types';
import { defined } from '../../../base/defined.ts';
import { createKeyedQueue } from '../../../base/limits/keyed-queue.ts';
import { createEventLimiter } from '../../../command/desk/access/event-limiter.ts';
import { type Caller, channelSpeakerId, type Place } from '../../../command/place.ts';
import { isNote, isRefusal, isRepetition, type Reply } from '../../../command/reply.ts';
import type { View } from '../../../command/view.ts';
import { wordsFor } from '../../../words/words.ts';
import { anonymousId, topicOf } from '../api/caller-and-place.ts';
import { ADMIN_STATUSES } from '../api/chat-members.ts';
import type { TelegramDependencies } from '../api/options.ts';
import { type Card, cardRef, type Ephemeral, isEphemeral } from '../api/refs.ts';
import { retryLater } from '../api/retry-later.ts';
import { limitedTo } from '../api/signals.ts';
import type { Answers } from '../outgoing/answers.ts';
import { cutTo } from '../outgoing/cut-to.ts';
import { render, TEXT_LIMIT } from '../outgoing/render.ts';
import type { Ways } from '../outgoing/ways.ts';
import type { BotContext, PressContext } from './context.ts';
import { EVENT_LIMITS } from './event-limits.ts';
import { createWorking, type Working } from './message-reply.ts';
import { EPHEMERAL_MS, replyableId } from './read-message.ts';
import type { RetryUntilDone } from './retry-until-done.ts';
import type { SenderNotes } from './sender-notes.ts';
import { createStopIfTakenOver } from './stop-if-taken-over.ts';

/** Telegram shows a spinner on the button until the press is answered, which is possible for a few seconds only. */
const ACKNOWLEDGE_AFTER_MS = 1_500;
const NOTE_LIMIT = 200;
/** Longer notes disappear before they can be read, so they are shown as an alert. */
const READABLE_NOTE = 60;

/** The id of the command that the pressed message replies to, to which further answers reply, too. */
function commandOf(message: MaybeInaccessibleMessage): number | undefined {
  const asked = 'reply_to_message' in message ? message.reply_to_message : undefined;
  return asked && replyableId(asked);
}

/**
 * Whether the message has the pressed button, because a client can forge a press, which must not change another message.
 * `unknown`: the message is old, and Telegram leaves out its content.
 */
function buttonIn(message: MaybeInaccessibleMessage, data: string): 'there' | 'missing' | 'unknown' {
  if (message.date === 0) return 'unknown';
  const buttons = message.reply_markup?.inline_keyboard.flat() ?? [];
  return buttons.some((each) => 'callback_data' in each && each.callback_data === data) ? 'there' : 'missing';
}

/**
 * The card of the pressed message. Only the receiver of an ephemeral message can press its buttons, so they are its
 * receiver.
 */
function pressedIn(receiver: number, message: MaybeInaccessibleMessage, thread: number | undefined): Card {
  const media = 'photo' in message || 'video' in message || 'document' in message;
  const card = { chat: message.chat.id, ...defined({ thread }), media };
  const ephemeral = 'ephemeral_message_id' in message ? message.ephemeral_message_id : undefined;
  return ephemeral === undefined
    ? { ...card, message: message.message_id }
    : { ...card, receiver, ephemeral };
}

/** The view of a reply that only the presser should see: a note, or a refusal in a group. */
function viewForPresser(reply: Reply, { direct }: Place): View | undefined {
  if (isNote(reply)) return { tone: 'info', lines: [reply.text] };
  if (direct || (reply.kind !== 'message' && reply.kind !== 'result')) return undefined;
  return isRefusal(reply) && reply.audience !== 'everyone' ? reply.view : undefined;
}

type Query = Filter<BotContext, 'callback_query'>;

/** Answers presses of buttons: each is passed to the desk, whose reply is shown on the pressed message or beside it. */
export function createCallbackQueries(
  options: TelegramDependencies & {
    readonly answers: Answers;
    readonly notes: SenderNotes;
    readonly retryUntilDone: RetryUntilDone;
    readonly ways: Ways;
  },
) {
  const { clock, desk, answers, notes, retryUntilDone, ways } = options;
  // Presses have a queue of their own, so that slow messages of the same person do not delay them.
  const serially = createKeyedQueue();
  const limiter = createEventLimiter(clock, EVENT_LIMITS, 'person');
  const ownershipOf = createStopIfTakenOver(options.members);
  const beginWorking = createWorking(options);

  /** Ends the spinner on the button; `text` is shown as a note that only the presser sees. */
  const acknowledge = async (ctx: Query, text?: string): Promise<void> => {
    const note =
      text === undefined ? {} : { text: cutTo(text, NOTE_LIMIT), show_alert: text.length > READABLE_NOTE };
    // The press is handled even if the acknowledgement fails.
    await ctx.answerCallbackQuery(note).catch(() => undefined);
  };

  /** Begins to handle a press; returns an attempt that can be repeated, and resolves with the reply that was shown. */
  const begin = (ctx: PressContext): (() => Promise<Reply>) => {
    const { update, callbackQuery: query, place } = ctx;
    const { message } = query;
    let answered = false;
    const acknowledgeOnce = async (text?: string): Promise<void> => {
      if (answered) return;
      answered = true;
      await acknowledge(ctx, text);
    };
    let note: string | undefined;
    const acknowledgeSoon = () => clock.after(ACKNOWLEDGE_AFTER_MS, () => void acknowledgeOnce(note));
    // The timer starts now, because the attempt may wait for another press of the same person.
    let cancel = acknowledgeSoon();
    let reply: Reply | undefined;
    let working: Working | undefined;
    const assertOwn = ownershipOf([ctx]);
    const event = `telegram:${update.update_id}`;
    const ephemeral: Ephemeral = {
      receiver: query.from.id,
      trigger: { press: query.id },
      // The time is counted from now, because Telegram does not tell when the button was pressed.
      until: clock.now() + EPHEMERAL_MS,
    };
    return async () => {
      cancel();
      cancel = acknowledgeSoon();
      try {
        const { caller: clicker, forChannel } = await readClicker(options, ctx);
        const { caller } = await desk.inLanguage({ caller: clicker, place });
        const words = wordsFor(caller.locale);
        const button = buttonIn(message, query.data);
        const pressed = pressedIn(query.from.id, message, topicOf(message));
        // Telegram may tell of an old ephemeral message only that its id is 0.
        const isAlone = isEphemeral(pressed) || message.message_id === 0;
        const origin = {
          caller,
          place,
          replyTo: commandOf(message),
          ephemeral: isAlone ? ephemeral : undefined,
        };
        const asked = button === 'there' ? { ...origin, pressed } : origin;
        working ??= beginWorking(asked, event, !ctx.claim.isNew, assertOwn);
        const { say: meanwhile } = working;
        const pressAs = (caller: Caller): Promise<Reply> =>
          desk
            .press({
              event,
              caller,
              place,
              meanwhile,
              action: query.data.slice(0, 64),
              ...(button === 'there' && !isEphemeral(pressed) ? { pressed: cardRef(pressed) } : {}),
            })
            .catch((error: unknown): Reply => {
              options.log.error({ err: error, update: update.update_id }, 'handling a button failed');
              return { kind: 'note', text: words.somethingBroke };
            });
        reply ??= await pressAs(caller);
        if (forChannel && reply.kind === 'not-yours') {
          const channel = await forChannel();
          reply = channel ? await pressAs(channel) : { ...reply, text: words.telegram.asChannel };
        }
        assertOwn();
        // A private chat belongs to the person, and for a deleted job and for a report the desk has checked the place.
        const isPlaceChecked = place.direct || ('evenIfOld' in reply && reply.evenIfOld === true);
        const mayChange = button === 'there' || (button === 'unknown' && isPlaceChecked);
        if (reply.kind === 'replace' && !mayChange) reply = { kind: 'note', text: words.press.stale };
        const shown = await working.shown();
        const forPresser = viewForPresser(reply, place);
        if (forPresser !== undefined && shown === undefined) {
          note = isNote(reply) ? reply.text : render(forPresser, TEXT_LIMIT).text;
          const hasAlert = !answered;
          const isRead = hasAlert && note.length <= NOTE_LIMIT;
          // The ephemeral message is sent before the acknowledgement, because Telegram documents none after it.
          if (!isRead && !isRepetition(reply))
            await ways.tellAlone(forPresser, { ...origin, pressed, ephemeral }, { hasAlert });
          await acknowledgeOnce(note);
        } else {
          note = reply.kind === 'remove' ? reply.note : undefined;
          const done = isAlone ? undefined : acknowledgeOnce(note);
          await answers.show(reply, {
            ...origin,
            pressed: mayChange ? pressed : undefined,
            working: shown,
          });
          await (done ?? acknowledgeOnce(note));
        }
        await working.forget();
        return reply;
      } finally {
        cancel();
      }
    };
  };

  return {
    /** Refuses presses of people and chats that have too many in progress. */
    async limit(ctx: Query, next: NextFunction): Promise<void> {
      const { from, message, chat_instance } = ctx.callbackQuery;
      const who = { person: String(from.id), chat: String(message?.chat.id ?? chat_instance) };
      const admission = limiter.enter(who, ctx.claim.isRetaken);
      if ('refused' in admission) {
        const why = wordsFor(from.language_code ?? '').busy[admission.refused];
        return admission.tell ? await acknowledge(ctx, why) : undefined;
      }
      await next().finally(admission.leave);
    },
    /** Acknowledges a press of which Telegram does not tell the message or the button, with a note. */
    tellTooOld: (ctx: Query): Promise<void> =>
      acknowledge(ctx, wordsFor(ctx.from.language_code ?? '').telegram.oldMessage),
    async press(ctx: PressContext): Promise<void> {
      const { callbackQuery: query, update } = ctx;
      const attempt = begin(ctx);
      let shown: Reply | undefined;
      const press = async (): Promise<void> => {
        shown = await attempt();
      };
      try {
        await serially(`${query.message.chat.id}:${query.from.id}`, () => retryUntilDone(press));
      } finally {
        await notes.press(update.update_id, query, shown);
      }
    },
  };
}

/** The person who pressed a button, as the desk should see them. */
interface Clicker {
  readonly caller: Caller;
  /**
   * Set if the command was sent as a channel; resolves with the channel as caller if the person is one of its
   * administrators.
   */
  readonly forChannel?: () => Promise<Caller | undefined>;
}

/**
 * The longest pause before the member is looked up again; if Telegram does not answer, the press counts as the person's own.
 */
const MOST_PAUSE_MS = 1_000;
const MEMBER_TIMEOUT_MS = 3_000;

/**
 * Finds out who pressed a button. Telegram names the person even where the command was sent as the group or as a channel. A
 * press by an anonymous administrator counts as the group. A press on a channel's command counts as the person, and only if
 * the desk demands the owner as the channel, if Telegram says that the person administers that channel (for which the bot
 * must be an administrator, too).
 */
async function readClicker(
  { api, clock }: Pick<TelegramDependencies, 'api' | 'clock'>,
  { callbackQuery: { from, message }, caller }: PressContext,
): Promise<Clicker> {
  const speaker = 'reply_to_message' in message ? message.reply_to_message?.sender_chat : undefined;
  if (speaker === undefined) return { caller };
  const readMember = (): Promise<ChatMember | undefined> =>
    retryLater(
      () => limitedTo(clock, MEMBER_TIMEOUT_MS, (signal) => api.getChatMember(speaker.id, from.id, signal)),
      clock,
      { mostMs: MOST_PAUSE_MS },
    ).catch(() => undefined);
  if (speaker.id === message.chat.id) {
    const member = await readMember();
    const hidden = member !== undefined && 'is_anonymous' in member && member.is_anonymous === true;
    return { caller: hidden ? { ...caller, id: anonymousId(speaker.id) } : caller };
  }
  return {
    caller,
    async forChannel() {
      const member = await readMember();
      const speaksForIt = member !== undefined && ADMIN_STATUSES.includes(member.status);
      return speaksForIt ? { ...caller, id: channelSpeakerId(message.chat.id) } : undefined;
    },
  };
}
