import { Routes } from 'discord.js';
import type { Clock } from '../../../base/clock.ts';
import { keepLatest } from '../../../base/keep-latest.ts';
import type { CardRef } from '../../../command/place.ts';
import type { View } from '../../../command/view.ts';
import type { Words } from '../../../words/words.ts';
import type { Drawn, MediaLimits } from '../../adapter.ts';
import { type Card, liveToken, readCard, withTokenRoute } from '../api/card-ref.ts';
import { isProblem } from '../api/fault.ts';
import type { Requests } from '../api/requests.ts';
import type { SizeLimits } from '../api/size-limits.ts';
import type { Budget } from './budget.ts';
import { drawn, ignoreGone, settle, tokenOver, writtenId } from './outcome.ts';
import { createPosting } from './post-message.ts';
import { type Payload, renderView } from './render.ts';

/** Tokens remembered as over before their time; such a one is found out again at the price of one request. */
const SPENT = 10_000;

/** Cards after their first appearance, drawn with the stored reference alone: works from any process. */
export const createDrawing = (parts: {
  readonly requests: Requests;
  readonly budget: Budget;
  readonly sizes: SizeLimits;
  readonly clock: Clock;
  readonly words: (locale: string) => Words;
}) => {
  const { requests, budget, sizes, clock, words } = parts;
  const { post, openDirect } = createPosting(requests);

  /** How a job ended whose card cannot be reached any more, where its owner alone sees it. */
  const drawDirect = async (card: Card, view: View): Promise<Drawn> => {
    const lines = [words(card.locale).notes.elsewhere, ...view.lines];
    const payload = renderView({ ...view, lines }, { spoiler: card.spoiler });
    const channel = await openDirect(card.user);
    const answer = await post(channel, payload, `card ${card.message}`);
    const message = writtenId(answer);
    const { token: _, ...rest } = card;
    return drawn(answer, view, { ...rest, channel, message, ephemeral: false, member: true });
  };

  /** Each refusal counts against the bot: no token is tried again that Discord has said to be over. */
  const spent = new Set<string>();
  const tokenOf = (card: Card): string | undefined => {
    const token = liveToken(card, clock.now());
    return token === undefined || spent.has(token) ? undefined : token;
  };
  const remember = ({ token }: Card, error: unknown): never => {
    if (token !== undefined && isProblem(error, ...tokenOver)) {
      spent.add(token);
      keepLatest(spent, SPENT);
    }
    throw error;
  };

  const edit = (card: Card, payload: Payload, cosmetic: boolean): Promise<unknown> => {
    const token = tokenOf(card);
    const { attachments, ...unchanged } = payload.body;
    const ask = {
      doing: 'edit a card',
      method: 'PATCH' as const,
      // A progress bar says nothing about files: should it arrive late, it must not take the result away.
      body: cosmetic && attachments.length === 0 ? unchanged : payload.body,
      files: payload.files,
      repeatable: !cosmetic,
      withinMs: cosmetic ? 5_000 : 60_000,
      ...(cosmetic ? { patienceMs: 0 } : {}),
    };
    return token === undefined
      ? requests.asBot({ ...ask, route: Routes.channelMessage(card.channel, card.message) })
      : requests
          .withToken({ ...ask, route: withTokenRoute(card.app, token, card.message) })
          .catch((error: unknown) => remember(card, error));
  };

  /** Past the token's life only the bot itself can edit, where it is present and the message is everybody's. */
  const isReachable = (card: Card): boolean =>
    tokenOf(card) !== undefined || (card.member && !card.ephemeral);

  const drawFinal = async (card: Card, view: View, payload: Payload): Promise<Drawn> => {
    // A result gets a new card first; who asked for it to be drawn sees to that.
    if (!isReachable(card)) return view.media === undefined ? drawDirect(card, view) : { state: 'gone' };
    try {
      return drawn(await edit(card, payload, false), view);
    } catch (error) {
      if (isProblem(error, ...tokenOver) && card.token !== undefined) {
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
        return settle(() => drawFinal(card, view, payload), { sizes, card });
      }
      if (!isReachable(card)) return { state: 'drawn' };
      const passage = budget.pass(card.message, JSON.stringify(payload.body));
      if (passage === 'later') return { state: 'later', afterMs: 0 };
      if (passage === 'unchanged') return { state: 'drawn' };
      const outcome = await settle(async () => {
        try {
          await edit(card, payload, true);
          return { state: 'drawn' };
        } catch (error) {
          // The next one goes another way, where there is one.
          if (card.token !== undefined && isProblem(error, ...tokenOver))
            return { state: 'later', afterMs: 0 };
          throw error;
        }
      });
      // It may not be there, so the same again is something new.
      if (outcome.state === 'later') budget.forget(card.message);
      return outcome;
    },

    async removeMessage(ref: CardRef): Promise<void> {
      const card = readCard(ref);
      if (!isReachable(card)) return;
      const token = tokenOf(card);
      const ask = { doing: 'remove a card', method: 'DELETE' as const, repeatable: true };
      const asBot = () =>
        requests.asBot({ ...ask, route: Routes.channelMessage(card.channel, card.message) });
      try {
        if (token === undefined) await asBot();
        else await requests.withToken({ ...ask, route: withTokenRoute(card.app, token, card.message) });
      } catch (error) {
        if (isProblem(error, ...tokenOver) && card.member && !card.ephemeral) await asBot().catch(ignoreGone);
        else ignoreGone(error);
      }
    },

    limits(ref: CardRef): MediaLimits {
      const { message, limit } = readCard(ref);
      const bytes = sizes.of(message, limit);
      // discord.js puts every file into a Blob.
      return { imageBytes: bytes, fileBytes: bytes, videoBytes: bytes, uploadCopies: 1 };
    },
  };
};
