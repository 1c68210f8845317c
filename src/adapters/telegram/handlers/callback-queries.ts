import type { Filter, NextFunction } from 'grammy';
import type { ChatMember, MaybeInaccessibleMessage } from 'grammy/types';
import { defined } from '../../../base/defined.ts';
import { createKeyedQueue } from '../../../base/limits/keyed-queue.ts';
import { createEventLimiter } from '../../../command/desk/access/event-limiter.ts';
import { type Caller, channelSpeakerId, type Place } from '../../../command/place.ts';
import { isKnown, isNote, isRefusal, type Reply } from '../../../command/reply.ts';
import type { View } from '../../../command/view.ts';
import { anonymousId, topicOf } from '../api/caller-and-place.ts';
import { ADMIN_STATUSES } from '../api/chat-members.ts';
import type { TelegramParts } from '../api/options.ts';
import { type Card, cardRef, type Ephemeral, isEphemeral } from '../api/refs.ts';
import { retryLater } from '../api/retry-later.ts';
import { limitedTo } from '../api/signals.ts';
import type { Answers } from '../outgoing/answers.ts';
import { cutTo } from '../outgoing/cut-to.ts';
import { render, TEXT_LIMIT } from '../outgoing/render.ts';
import type { BotContext, PressContext } from './context.ts';
import { EVENT_LIMITS } from './event-limits.ts';
import { createWorking, type Working } from './message-reply.ts';
import type { Notes } from './notes.ts';
import { createOwnership } from './ownership.ts';
import { EPHEMERAL_MS, openId } from './read-message.ts';
import type { RetryUntilDone } from './retry-until-done.ts';

/** Telegram shows a spinner on the button until the press is answered, which is possible for a few seconds only. */
const ACKNOWLEDGE_AFTER_MS = 1_500;
const NOTE_LIMIT = 200;
/** Longer notes disappear before they can be read, so they are shown as an alert. */
const READABLE_NOTE = 60;

/** The command that the message replies to; further replies refer to it, too. */
function commandOf(message: MaybeInaccessibleMessage): number | undefined {
  const asked = 'reply_to_message' in message ? message.reply_to_message : undefined;
  return asked && openId(asked);
}

/**
 * Whether the message has the pressed button: a client can forge a press, which must not change another message.
 * `unknown`: Telegram leaves out the content of old messages.
 */
function buttonIn(message: MaybeInaccessibleMessage, data: string): 'there' | 'missing' | 'unknown' {
  if (message.date === 0) return 'unknown';
  const buttons = message.reply_markup?.inline_keyboard.flat() ?? [];
  return buttons.some((each) => 'callback_data' in each && each.callback_data === data) ? 'there' : 'missing';
}

/** An ephemeral message is that of the person who can press it. */
function pressedIn(receiver: number, message: MaybeInaccessibleMessage, thread: number | undefined): Card {
  const media = 'photo' in message || 'video' in message || 'document' in message;
  const card = { chat: message.chat.id, ...defined({ thread }), media };
  const ephemeral = 'ephemeral_message_id' in message ? message.ephemeral_message_id : undefined;
  return ephemeral === undefined
    ? { ...card, message: message.message_id }
    : { ...card, receiver, ephemeral };
}

/** The view of a note, or of a refusal in a group, that only the presser sees. */
function viewForPresser(reply: Reply, { direct }: Place): View | undefined {
  if (isNote(reply)) return { tone: 'info', lines: [reply.text] };
  if (direct || (reply.kind !== 'message' && reply.kind !== 'result')) return undefined;
  return isRefusal(reply) && reply.audience !== 'everyone' ? reply.view : undefined;
}

type Query = Filter<BotContext, 'callback_query'>;

/** Answers presses of buttons: each is passed to the desk, whose reply is shown on the pressed message or beside it. */
export function createCallbackQueries(
  options: TelegramParts & {
    readonly answers: Answers;
    readonly notes: Notes;
    readonly retryUntilDone: RetryUntilDone;
  },
) {
  const { clock, desk, answers, notes, retryUntilDone } = options;
  // Presses have their own queue: slow messages of the same person do not delay them.
  const serially = createKeyedQueue();
  const limiter = createEventLimiter(clock, EVENT_LIMITS, 'person');
  const ownershipOf = createOwnership(options.members);
  const beginWorking = createWorking(options);

  /** Ends the spinner on the button. `text`: a note that only the presser sees. */
  const acknowledge = async (ctx: Query, text?: string): Promise<void> => {
    const note =
      text === undefined ? {} : { text: cutTo(text, NOTE_LIMIT), show_alert: text.length > READABLE_NOTE };
    // The press counts even if this fails.
    await ctx.answerCallbackQuery(note).catch(() => undefined);
  };

  /** Begins one press; the returned function can be repeated, and resolves to what was shown. */
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
    // It may stand in line behind another press of theirs.
    let cancel = acknowledgeSoon();
    let reply: Reply | undefined;
    let working: Working | undefined;
    const assertOwn = ownershipOf([ctx]);
    const event = `telegram:${update.update_id}`;
    const ephemeral: Ephemeral = {
      receiver: query.from.id,
      trigger: { press: query.id },
      // Counted from now, because Telegram does not say when it was pressed.
      until: clock.now() + EPHEMERAL_MS,
    };
    return async () => {
      cancel();
      cancel = acknowledgeSoon();
      try {
        const { caller: clicker, forChannel } = await readClicker(options, ctx);
        const { caller } = await desk.inLanguage({ caller: clicker, place });
        const words = options.words(caller.locale);
        const button = buttonIn(message, query.data);
        const pressed = pressedIn(query.from.id, message, topicOf(message));
        // Telegram may tell no more of an old ephemeral message than that it has no number.
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
        // A private chat belongs to the person; for a deleted job and for a report the desk has checked the place.
        const isPlaceChecked = place.direct || ('evenIfOld' in reply && reply.evenIfOld === true);
        const mayChange = button === 'there' || (button === 'unknown' && isPlaceChecked);
        if (reply.kind === 'replace' && !mayChange) reply = { kind: 'note', text: words.press.stale };
        const shown = await working.shown();
        const forPresser = viewForPresser(reply, place);
        if (forPresser !== undefined && shown === undefined) {
          note = isNote(reply) ? reply.text : render(forPresser, TEXT_LIMIT).text;
          const hasAlert = !answered;
          const isRead = hasAlert && note.length <= NOTE_LIMIT;
          // First, because it is not documented whether a press that was answered allows an ephemeral message.
          if (!isRead && !isKnown(reply))
            await answers.tellAlone(forPresser, { ...origin, pressed, ephemeral }, { hasAlert });
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
        await working.over();
        return reply;
      } finally {
        cancel();
      }
    };
  };

  return {
    /** Refuses presses of people who have too many under way. */
    async limit(ctx: Query, next: NextFunction): Promise<void> {
      const { from, message, chat_instance } = ctx.callbackQuery;
      const who = { person: String(from.id), chat: String(message?.chat.id ?? chat_instance) };
      const admission = limiter.enter(who, ctx.claim.isRetaken);
      if ('refused' in admission) {
        const why = options.words(from.language_code ?? '').busy[admission.refused];
        return admission.tell ? await acknowledge(ctx, why) : undefined;
      }
      await next().finally(admission.leave);
    },
    tellTooOld: (ctx: Query): Promise<void> =>
      acknowledge(ctx, options.words(ctx.from.language_code ?? '').telegram.oldMessage),
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

interface Clicker {
  readonly caller: Caller;
  /**
   * Set where the command was sent as a channel: the channel as caller, if this person is one of its administrators.
   */
  readonly forChannel?: () => Promise<Caller | undefined>;
}

/** If Telegram does not answer in time, the press counts as the person's own. */
const MOST_PAUSE_MS = 1_000;
const MEMBER_TIMEOUT_MS = 3_000;

/**
 * Who pressed a button. Telegram names the person, also where the command was sent as the group or as a channel. A press by
 * an anonymous administrator counts as the group. A press on a channel's command counts as the person, unless the desk
 * demands the owner: then as the channel, if Telegram says that the person administers it (the bot must be one, too).
 */
async function readClicker(
  { api, clock }: Pick<TelegramParts, 'api' | 'clock'>,
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
