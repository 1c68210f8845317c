import type { EditInteractionResponseOptions, EditMessageOptions } from '@discordjs/core/http-only';
import { type APIMessage, MessageFlags } from 'discord.js';
import { z } from 'zod';
import { defined } from '../../../base/defined.ts';
import { keepLatest } from '../../../base/keep-latest.ts';
import type { CardRef } from '../../../command/place.ts';
import type { DrawOutcome } from '../../../command/reply.ts';
import { type View, withoutMedia } from '../../../command/view.ts';
import { wordsFor } from '../../../words/words.ts';
import type { DeletionOutcome, MediaLimits } from '../../adapter.ts';
import { editedMessage, type KeptFile, newMessage, type Payload, renderView } from '../components/message.ts';
import { type Card, cardKey, cardRef, liveToken, ORIGINAL_MESSAGE, readCard } from '../payloads/card-ref.ts';
import { isSpoiler } from '../payloads/interaction.ts';
import { filesIn, isMeanwhile, pressablesIn } from '../payloads/message-parts.ts';
import type { DiscordContext } from '../rest/api.ts';
import type { Bounds } from '../rest/bounded-rest.ts';
import { DiscordFault, isRefusedWith } from '../rest/fault.ts';
import { createEditBudget } from './edit-budget.ts';
import {
  deletionOutcomeOf,
  drawOutcomeOf,
  GONE,
  idOf,
  mediaBytes,
  TOKEN_EXPIRED,
  toOutcome,
} from './outcome.ts';
import { openDirect, postMessage } from './send-message.ts';
import type { UploadLimits } from './upload-limits.ts';

/** How many expired tokens are remembered; a forgotten one costs one refused request. */
const MOST_EXPIRED_TOKENS = 10_000;

const MOST_UNSETTLED = 10_000;
/** After this time a request that timed out has arrived, or never will. */
const SETTLE_MS = 5_000;

const withFiles = z.object({
  attachments: z.array(
    z.object({
      id: z.string(),
      url: z.string(),
      filename: z.string(),
      flags: z.number().exactOptional(),
      description: z.string().exactOptional(),
    }),
  ),
  components: z.unknown().optional(),
});

const answered = z.object({
  id: z.string(),
  flags: z.number().optional(),
  components: z.unknown().optional(),
});

/** The requests that reach the message of a card: with the interaction's token, or as the bot. */
interface Reach {
  get(): Promise<APIMessage>;
  edit(edited: EditInteractionResponseOptions & EditMessageOptions, bounds: Bounds): Promise<APIMessage>;
  delete(): Promise<void>;
}

/** Edits, finds and deletes the messages of cards. A stored reference is all that is needed, so any process can do it. */
export function createDrawing({ api, clock, members }: DiscordContext, uploads: UploadLimits) {
  const budget = createEditBudget(clock, members.count);

  /** Sends the final state of a job to its owner as a direct message, when the card can no longer be edited. */
  const drawDirect = async (card: Card, view: View): Promise<DrawOutcome> => {
    const lines = [wordsFor(card.locale).notes.elsewhere, ...view.lines];
    const payload = renderView({ ...view, lines }, { spoiler: card.spoiler });
    const channel = await openDirect(api, card.user);
    const answer = await postMessage(api, channel, newMessage(payload, false), `card ${cardKey(card)}`);
    const message = idOf(answer);
    const there = { channel, message, ephemeral: false, member: true, token: undefined };
    return drawOutcomeOf(answer, view, { ...card, ...there });
  };

  /**
   * Tokens that Discord has refused as expired, which are not tried again, because refused requests count against the bot.
   */
  const expiredTokens = new Set<string>();
  const tokenOf = (card: Card): string | undefined => {
    const token = liveToken(card, clock.now());
    return token === undefined || expiredTokens.has(token) ? undefined : token;
  };

  /**
   * Reaches the message with the interaction's token: the only way to an ephemeral message, or into a channel that the bot
   * is not in.
   */
  const reachWithToken = ({ app, message }: Card, token: string): Reach => {
    const noteExpiry = (error: unknown): never => {
      if (isRefusedWith(error, ...TOKEN_EXPIRED)) {
        expiredTokens.add(token);
        keepLatest(expiredTokens, MOST_EXPIRED_TOKENS);
      }
      throw error;
    };
    return {
      get: () => api.webhooks.getMessage(app, token, message ?? ORIGINAL_MESSAGE).catch(noteExpiry),
      edit: (edited, bounds) =>
        api.within(bounds).interactions.editReply(app, token, edited, message).catch(noteExpiry),
      delete: () => api.interactions.deleteReply(app, token, message).catch(noteExpiry),
    };
  };
  const reachAsBot = (channel: string, message: string): Reach => ({
    get: () => api.channels.getMessage(channel, message),
    edit: (edited, bounds) => api.within(bounds).channels.editMessage(channel, message, edited),
    delete: () => api.channels.deleteMessage(channel, message),
  });
  /**
   * Chooses the way to a card. Once the token has expired, the bot can edit only messages that are not ephemeral, in
   * channels that it is in.
   */
  const reachOf = (card: Card): Reach | undefined => {
    const token = tokenOf(card);
    const { channel, message, member, ephemeral } = card;
    if (token !== undefined) return reachWithToken(card, token);
    return member && !ephemeral && message !== undefined ? reachAsBot(channel, message) : undefined;
  };

  const editProgress = (reach: Reach, payload: Payload): Promise<APIMessage> => {
    const { attachments, ...unchanged } = editedMessage(payload);
    // The edit leaves `attachments` out, so that a progress bar that arrives late does not remove the result.
    const edited = attachments.length === 0 ? unchanged : { ...unchanged, attachments };
    return reach.edit(edited, { repeatable: false, timeoutMs: 5_000, totalTimeoutMs: 0 });
  };

  /**
   * Finds the result in a message. A progress edit that arrived late may have left it as an attachment that no component
   * shows.
   */
  const findResult = async (reach: Reach): Promise<KeptFile | undefined> => {
    const { attachments, components } = withFiles.parse(await reach.get());
    const unseen = attachments.map((each) => ({
      ...defined({ alt: each.description }),
      id: each.id,
      url: each.url,
      hidden: isSpoiler(each),
    }));
    return [...filesIn(components), ...unseen].find((file): file is KeptFile => file.id !== undefined);
  };

  const renderCosmetic = async (card: Card, reach: Reach, view: View): Promise<Payload> => {
    const kept = view.keepsMedia && (await findResult(reach));
    if (kept) return renderView(view, { kept });
    return renderView(withoutMedia(view), { spoiler: card.spoiler });
  };

  /** Cards whose last progress edit may still take effect. */
  const unsettled = new Set<string>();
  const drawCosmetic = async (card: Card, reach: Reach, view: View): Promise<DrawOutcome> => {
    const payload = await renderCosmetic(card, reach, view);
    const key = cardKey(card);
    const decision = budget.pass(key, JSON.stringify(payload.body));
    if (decision === 'later') return { state: 'later', afterMs: 0 };
    if (decision === 'unchanged') return { state: 'drawn' };
    try {
      await editProgress(reach, payload);
      return { state: 'drawn' };
    } catch (error) {
      // The edit may not have arrived, so the next one with the same content must not count as unchanged.
      budget.forget(key);
      if (error instanceof DiscordFault && error.kind === 'unknown') {
        unsettled.add(key);
        keepLatest(unsettled, MOST_UNSETTLED);
      }
      throw error;
    }
  };

  /** Runs `work` with the way to the card, and again without the token if Discord refuses that as expired. */
  const reaching = async <T>(card: Card, work: (reach?: Reach) => Promise<T>): Promise<T> => {
    const token = tokenOf(card);
    try {
      return await work(reachOf(card));
    } catch (error) {
      if (token !== undefined && isRefusedWith(error, ...TOKEN_EXPIRED)) return work(reachOf(card));
      throw error;
    }
  };

  const drawFinal = (card: Card, view: View, payload: Payload): Promise<DrawOutcome> =>
    reaching(card, async (reach) => {
      if (reach !== undefined)
        return drawOutcomeOf(await reach.edit(editedMessage(payload), { timeoutMs: 60_000 }), view);
      // The caller sends a result as a new card.
      return view.media === undefined ? drawDirect(card, view) : { state: 'gone' };
    });

  return {
    async draw(ref: CardRef, view: View, importance: 'cosmetic' | 'final'): Promise<DrawOutcome> {
      const card = readCard(ref);
      if (importance === 'final') {
        budget.forget(cardKey(card));
        const payload = renderView(view, { spoiler: card.spoiler });
        const outcome = await toOutcome(
          () => drawFinal(card, view, payload),
          () => uploads.lower(card, mediaBytes(view)),
        );
        // A progress edit that timed out could still overwrite this, so the card is drawn again later.
        if (outcome.state === 'drawn' && unsettled.delete(cardKey(card)))
          return { state: 'later', afterMs: SETTLE_MS };
        return outcome;
      }
      const reach = reachOf(card);
      if (reach === undefined) return { state: 'drawn' };
      return toOutcome(() =>
        drawCosmetic(card, reach, view).catch((error: unknown) => {
          // The next edit does not use the token, which is now known to have expired.
          if (card.token !== undefined && isRefusedWith(error, ...TOKEN_EXPIRED))
            return { state: 'later', afterMs: 0 };
          throw error;
        }),
      );
    },

    async removeMessage(ref: CardRef): Promise<DeletionOutcome> {
      try {
        return await reaching(readCard(ref), async (reach) => {
          await reach?.delete();
          return reach === undefined ? 'unreachable' : 'gone';
        });
      } catch (error) {
        return deletionOutcomeOf(error);
      }
    },

    /**
     * Finds the answer to an interaction whose message id is unknown. The answer is the job's card if its buttons name the
     * job, or if it still shows "thinking…" or that the answer takes longer.
     */
    async find(answer: CardRef, job: string): Promise<CardRef | undefined> {
      const card = readCard(answer);
      const token = liveToken(card, clock.now());
      if (token === undefined) return undefined;
      try {
        const found = await api.interactions.getOriginalReply(card.app, token);
        const { id, flags = 0, components } = answered.parse(found);
        const isDeferred = (flags & MessageFlags.Loading) !== 0;
        const isWaiting = isDeferred || isMeanwhile(components);
        if (!isWaiting && !pressablesIn(components).some(({ id }) => id.split(':').includes(job)))
          return undefined;
        return cardRef({ ...card, message: id, ephemeral: (flags & MessageFlags.Ephemeral) !== 0 });
      } catch (error) {
        if (isRefusedWith(error, ...GONE, ...TOKEN_EXPIRED)) return undefined;
        throw error;
      }
    },

    limits(ref?: CardRef): MediaLimits {
      const bytes = uploads.of(ref && readCard(ref));
      // discord.js puts every file into a Blob.
      return { imageBytes: bytes, fileBytes: bytes, videoBytes: bytes, uploadCopies: 1, keepsFiles: true };
    },
  };
}

export type Drawing = ReturnType<typeof createDrawing>;
