import { sleep } from '../../../base/clock.ts';
import { defined } from '../../../base/defined.ts';
import { createKeyedQueue } from '../../../base/limits/keyed-queue.ts';
import type { DrawOutcome } from '../../../command/reply.ts';
import type { Line, View } from '../../../command/view.ts';
import type { DeletionOutcome, MediaLimits } from '../../adapter.ts';
import { createLoweredLimits } from '../../limits.ts';
import type { Migrations } from '../api/chat-migrations.ts';
import { isFault, isMessageKindBarred, isOutOfReach } from '../api/fault.ts';
import type { TelegramDependencies } from '../api/options.ts';
import {
  type Card,
  cardRef,
  type EphemeralCard,
  isEphemeral,
  type MessageCard,
  messageKey,
} from '../api/refs.ts';
import { createBudget, type Importance } from '../rate-limits/budget.ts';
import { createChatQueue, type WaitOptions } from '../rate-limits/chat-queue.ts';
import { blankPicture, shapeOf, uploadOf } from './media.ts';
import {
  createMessageCalls,
  type EphemeralDestination,
  type OpenDestination,
  type SendOptions,
  type Sent,
} from './message-calls.ts';
import { divide, EPHEMERAL_LIMIT } from './render.ts';

const UNREACHABLE_MS = 2_000;
const MEBIBYTE = 1024 * 1024;
const MOST_IMAGE_BYTES = 10 * MEBIBYTE;
const MOST_FILE_BYTES = 50 * MEBIBYTE;
/** A chat action is repeated after this time, because clients show it for five seconds. */
const ACTION_MS = 4_500;

export const drawOutcomeFrom = ({ card, result }: Sent): DrawOutcome => ({
  state: 'drawn',
  card: cardRef(card),
  ...defined({ result }),
});

/** Whether the message no longer exists, or the bot has no access to it. */
export const isLost = (card: Card, error: unknown): boolean =>
  isFault(error, 'gone') || (isEphemeral(card) && isFault(error, 'refused', 'migrated'));

/** Sends, edits, draws and removes messages within Telegram's rate limits. */
export function createChat(
  options: Pick<TelegramDependencies, 'api' | 'clock' | 'members' | 'stop'> & {
    readonly migrations: Migrations;
  },
) {
  const { api, clock, members, migrations, stop } = options;
  const sizes = createLoweredLimits([20, 10, 5, 1].map((each) => each * MEBIBYTE));
  const budget = createBudget(clock, members.count);
  const inChatQueue = createChatQueue({ budget, clock, stop });
  const calls = createMessageCalls(options);
  const serially = createKeyedQueue();
  /** The last final drawing of each message that is in progress. */
  const pendingFinals = new Map<string, Promise<DrawOutcome>>();

  const editRelocated = (card: MessageCard, view: View): Promise<Sent> =>
    migrations.followCard<Sent>(
      card,
      (there) => calls.edit(there, view),
      (chat) => calls.send({ chat }, view),
    );

  /** Deletes a message; if it is too old for that, replaces its text by the note, and its picture by a blank one. */
  const removeOrBlank = async (card: MessageCard, note: Line): Promise<DeletionOutcome> => {
    try {
      await calls.remove(card);
      return 'gone';
    } catch (error) {
      if (!isFault(error, 'undeletable')) throw error;
      const bare: View = { tone: 'info', lines: [note] };
      const edited = await calls.edit(card, bare);
      if (edited.card.media) await calls.edit(edited.card, { ...bare, media: blankPicture });
      return 'blanked';
    }
  };

  /** Removes a message. One from before a migration can no longer be reached, and stays. */
  const removeRelocated = async (card: MessageCard, note: Line): Promise<DeletionOutcome> => {
    let removed: DeletionOutcome = 'unreachable';
    await migrations.followCard<undefined>(
      card,
      async (there) => {
        removed = await removeOrBlank(there, note);
        return undefined;
      },
      async () => undefined,
    );
    return removed;
  };

  /** Shows the chat action "sending a photo" or the like for as long as the upload takes. */
  const whileUploading = async <T>(card: MessageCard, view: View, run: () => Promise<T>): Promise<T> => {
    const upload = uploadOf(view);
    if (upload === undefined) return await run();
    const action = `upload_${shapeOf(upload)}` as const;
    const uploaded = new AbortController();
    const show = async (): Promise<void> => {
      const topic = defined({ message_thread_id: card.thread });
      for (;;) {
        await api.sendChatAction(card.chat, action, topic);
        await sleep(clock, ACTION_MS, uploaded.signal);
      }
    };
    // Errors are ignored, because the upload does not depend on the action.
    show().catch(() => undefined);
    try {
      return await run();
    } finally {
      uploaded.abort();
    }
  };

  const drawNow = async (card: MessageCard, view: View, importance: Importance): Promise<DrawOutcome> => {
    try {
      const decision = await budget.pass(card.chat, importance, stop);
      if (decision === 'drop') return { state: 'later', afterMs: 0 };
      if (decision !== 'go') return { state: 'later', afterMs: decision.laterMs };
      return drawOutcomeFrom(await whileUploading(card, view, () => editRelocated(card, view)));
    } catch (error) {
      if (isFault(error, 'gone'))
        return { state: 'gone', ...(isMessageKindBarred(error) ? { messageRemains: true } : {}) };
      if (stop.aborted || isFault(error, 'unreachable')) return { state: 'later', afterMs: UNREACHABLE_MS };
      // The next attempt, at once, makes the file fit the lowered limit.
      const bytes = uploadOf(view)?.bytes.byteLength ?? 0;
      if (isFault(error, 'too-large') && sizes.lower(messageKey(card), MOST_FILE_BYTES, bytes))
        return { state: 'later', afterMs: 0 };
      if (importance === 'final' && isFault(error, 'refused', 'too-large'))
        return { state: 'refused', reason: error.message };
      if (!isFault(error, 'rate-limited')) throw error;
      budget.pause(card.chat, error.retryAfterMs);
      return { state: 'later', afterMs: error.retryAfterMs };
    }
  };

  return {
    /** Sends a new message, which waits only for the person's share of a group, and for pauses that Telegram asks for. */
    send: (to: OpenDestination, view: View, waiting?: WaitOptions, options?: SendOptions): Promise<Sent> =>
      migrations.follow(to.chat, (chat) => {
        // After a migration the id of the message replied to means another message.
        const there = chat === to.chat ? to : { chat, thread: to.thread };
        return inChatQueue(chat, () => calls.send(there, view, options), waiting);
      }),
    /**
     * Sends ephemeral messages to one person in a group, as many as the view needs; returns the last one, which has the
     * buttons. If a server that does not know ephemeral messages has shown one to everybody, returns that one and sends no
     * more.
     */
    async sendAlone(to: EphemeralDestination, view: View, waiting: WaitOptions): Promise<Card> {
      const sendPart = async (part: View): Promise<Card> => {
        const { card, ephemeral } = await inChatQueue(to.chat, () => calls.send(to, part), waiting);
        const { message: _, ...rest } = card;
        return ephemeral === undefined ? card : { ...rest, receiver: to.alone.receiver, ephemeral };
      };
      const parts = divide(view, EPHEMERAL_LIMIT);
      for (const part of parts.slice(0, -1)) {
        const sent = await sendPart(part);
        if (!isEphemeral(sent)) return sent;
      }
      return await sendPart(parts.at(-1) ?? view);
    },
    /** Like `send`, but edits a message that exists. */
    replace: (card: Card, view: View, waiting?: WaitOptions): Promise<Sent<Card>> =>
      serially(messageKey(card), () =>
        inChatQueue<Sent<Card>>(
          card.chat,
          // An ephemeral message is not relocated, because sent again after a migration it would be seen by everybody.
          () => (isEphemeral(card) ? calls.edit(card, view) : editRelocated(card, view)),
          { ...waiting, isEdit: true },
        ),
      ),
    /** Edits the card of a job, one edit of a message after the other. */
    async draw(card: MessageCard, view: View, importance: 'cosmetic' | 'final'): Promise<DrawOutcome> {
      const key = messageKey(card);
      // The cosmetic edit is skipped, because after a result it would overwrite that.
      if (importance === 'cosmetic' && pendingFinals.has(key)) return { state: 'drawn' };
      const drawn = serially(key, () => drawNow(card, view, importance));
      if (importance === 'cosmetic') return await drawn;
      pendingFinals.set(key, drawn);
      return await drawn.finally(() => {
        if (pendingFinals.get(key) === drawn) pendingFinals.delete(key);
      });
    },
    /** How large a file may be. A self-hosted Bot API server, or a proxy in front of it, may accept less than Telegram. */
    limits(card: MessageCard | undefined): MediaLimits {
      const bytes = card === undefined ? MOST_FILE_BYTES : sizes.of(messageKey(card), MOST_FILE_BYTES);
      return { imageBytes: Math.min(bytes, MOST_IMAGE_BYTES), fileBytes: bytes, videoBytes: bytes };
    },
    /** Deletes a message; one that is too old for that shows only `note`. */
    async remove(card: Card, note: Line, mostWaitMs?: number): Promise<DeletionOutcome> {
      const removeEphemeral = async (ephemeral: EphemeralCard): Promise<DeletionOutcome> => {
        await calls.remove(ephemeral);
        return 'gone';
      };
      try {
        return await serially(messageKey(card), () =>
          inChatQueue<DeletionOutcome>(
            card.chat,
            () => (isEphemeral(card) ? removeEphemeral(card) : removeRelocated(card, note)),
            { mostWaitMs },
          ),
        );
      } catch (error) {
        if (!isLost(card, error)) throw error;
        return isOutOfReach(error) ? 'unreachable' : 'gone';
      }
    },
  };
}

export type Chat = ReturnType<typeof createChat>;
