import { Routes } from 'discord.js';
import { keepLatest } from '../../../base/keep-latest.ts';
import type { Members } from '../../../base/members.ts';
import type { CardRef } from '../../../command/place.ts';
import type { View } from '../../../command/view.ts';
import type { AdapterOptions, Drawn, MediaLimits } from '../../adapter.ts';
import { type Card, liveToken, readCard, webhookMessageRoute } from '../api/card-ref.ts';
import { isRefusal } from '../api/fault.ts';
import type { Requests } from '../api/requests.ts';
import { createSizeLimits, STANDARD_BYTES } from '../api/size-limits.ts';
import { createBudget } from './budget.ts';
import { drawn, idOf, ignoreGone, TOKEN_EXPIRED, toOutcome } from './outcome.ts';
import { createPosting } from './post-message.ts';
import { type Payload, renderView } from './render.ts';

/** A forgotten one costs one refused request. */
const MOST_EXPIRED_TOKENS = 10_000;

/** Draws existing cards from the stored reference alone, so it works from any process. */
export function createDrawing({
  requests,
  clock,
  words,
  members,
}: Pick<AdapterOptions, 'clock' | 'words'> & {
  readonly requests: Requests;
  readonly members: Pick<Members, 'count'>;
}) {
  const budget = createBudget(clock, members.count);
  const sizes = createSizeLimits();
  const { post, openDirect } = createPosting(requests);

  /** Sends the end of a job to its owner when the card can no longer be edited. */
  const drawDirect = async (card: Card, view: View): Promise<Drawn> => {
    const lines = [words(card.locale).notes.elsewhere, ...view.lines];
    const payload = renderView({ ...view, lines }, { spoiler: card.spoiler });
    const channel = await openDirect(card.user);
    const answer = await post(channel, payload, `card ${card.message}`);
    const message = idOf(answer);
    const { token: _, ...rest } = card;
    return drawn(answer, view, { ...rest, channel, message, ephemeral: false, member: true });
  };

  /** Refused requests count against the bot, so an expired token is not tried again. */
  const expiredTokens = new Set<string>();
  const tokenOf = (card: Card): string | undefined => {
    const token = liveToken(card, clock.now());
    return token === undefined || expiredTokens.has(token) ? undefined : token;
  };
  const rememberExpired = ({ token }: Card, error: unknown): never => {
    if (token !== undefined && isRefusal(error, ...TOKEN_EXPIRED)) {
      expiredTokens.add(token);
      keepLatest(expiredTokens, MOST_EXPIRED_TOKENS);
    }
    throw error;
  };

  const edit = (card: Card, payload: Payload, cosmetic: boolean): Promise<unknown> => {
    const token = tokenOf(card);
    const { attachments, ...unchanged } = payload.body;
    const ask = {
      doing: 'edit a card',
      method: 'PATCH' as const,
      // A progress bar leaves out attachments: arriving late, it must not remove the result.
      body: cosmetic && attachments.length === 0 ? unchanged : payload.body,
      files: payload.files,
      repeatable: !cosmetic,
      timeoutMs: cosmetic ? 5_000 : 60_000,
      ...(cosmetic ? { totalTimeoutMs: 0 } : {}),
    };
    return token === undefined
      ? requests.asBot({ ...ask, route: Routes.channelMessage(card.channel, card.message) })
      : requests
          .withToken({ ...ask, route: webhookMessageRoute(card.app, token, card.message) })
          .catch((error: unknown) => rememberExpired(card, error));
  };

  /** After the token expired only the bot itself can edit, in channels it is in, and no ephemeral message. */
  const isReachable = (card: Card): boolean =>
    tokenOf(card) !== undefined || (card.member && !card.ephemeral);

  const drawFinal = async (card: Card, view: View, payload: Payload): Promise<Drawn> => {
    // The caller creates a new card for a result.
    if (!isReachable(card)) return view.media === undefined ? drawDirect(card, view) : { state: 'gone' };
    try {
      return drawn(await edit(card, payload, false), view);
    } catch (error) {
      if (isRefusal(error, ...TOKEN_EXPIRED) && card.token !== undefined) {
        const { token: _, ...rest } = card;
        return drawFinal(rest, view, payload);
      }
      throw error;
    }
  };

  return {
    async draw(ref: CardRef, view: View, importance: 'cosmetic' | 'final'): Promise<Drawn> {
      const card = readCard(ref);
      const payload = renderView(view, { spoiler: card.spoiler });
      if (importance === 'final') {
        budget.forget(card.message);
        return toOutcome(() => drawFinal(card, view, payload), { sizes, card });
      }
      if (!isReachable(card)) return { state: 'drawn' };
      const decision = budget.pass(card.message, JSON.stringify(payload.body));
      if (decision === 'later') return { state: 'later', afterMs: 0 };
      if (decision === 'unchanged') return { state: 'drawn' };
      const outcome = await toOutcome(async () => {
        try {
          await edit(card, payload, true);
          return { state: 'drawn' };
        } catch (error) {
          // The next edit does not use the token.
          if (card.token !== undefined && isRefusal(error, ...TOKEN_EXPIRED))
            return { state: 'later', afterMs: 0 };
          throw error;
        }
      });
      // It may not have arrived, so the same edit is not `unchanged`.
      if (outcome.state === 'later') budget.forget(card.message);
      return outcome;
    },

    async removeMessage(ref: CardRef): Promise<void> {
      const card = readCard(ref);
      if (!isReachable(card)) return;
      const token = tokenOf(card);
      const ask = { doing: 'remove a card', method: 'DELETE' as const };
      const asBot = () =>
        requests.asBot({ ...ask, route: Routes.channelMessage(card.channel, card.message) });
      try {
        if (token === undefined) await asBot();
        else await requests.withToken({ ...ask, route: webhookMessageRoute(card.app, token, card.message) });
      } catch (error) {
        if (isRefusal(error, ...TOKEN_EXPIRED) && card.member && !card.ephemeral)
          await asBot().catch(ignoreGone);
        else ignoreGone(error);
      }
    },

    limits(ref?: CardRef): MediaLimits {
      const card = ref && readCard(ref);
      const bytes = card === undefined ? STANDARD_BYTES : sizes.of(card.message, card.limit);
      // discord.js puts every file into a Blob.
      return { imageBytes: bytes, fileBytes: bytes, videoBytes: bytes, uploadCopies: 1 };
    },
  };
}
