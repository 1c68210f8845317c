import { randomUUID } from 'node:crypto';
import { Routes } from 'discord.js';
import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import type { Caller, CardRef, Place } from '../../command/place.ts';
import type { View } from '../../command/view.ts';
import type { Drawn, MediaLimits } from '../adapter.ts';
import type { Budget } from './budget.ts';
import { type Card, cardRef, liveToken, readCard } from './card.ts';
import { createPosting } from './direct.ts';
import { attachmentRef } from './photo-ref.ts';
import { DiscordProblem, isProblem } from './problem.ts';
import { type Payload, renderView } from './render.ts';
import type { Requests } from './requests.ts';
import type { SizeLimits } from './size-limits.ts';

/** The message, its channel or our access to it no longer exists; or an archived thread, or automatic moderation. */
const gone = [10003, 10008, 50001, 50013, 50083, 50007, 50278, 50033, 10013, 200_000, 20_009, 240_000];
/** The token no longer opens this interaction. */
const tokenOver = [10015, 50027, 10062, 401];
const tooLarge = [40005, 50045, 413];

const written = z.object({
  id: z.string(),
  channel_id: z.string(),
  attachments: z.array(z.object({ id: z.string(), url: z.string(), filename: z.string() })),
});

/** Everything that the bot shows without being in the middle of an interaction: works from any process. */
export const createDrawing = (parts: {
  readonly requests: Requests;
  readonly budget: Budget;
  readonly sizes: SizeLimits;
  readonly clock: Clock;
}) => {
  const { requests, budget, sizes, clock } = parts;
  const { post, openDirect } = createPosting(requests);

  const drawn = (answer: unknown, view: View, card?: Card): Drawn => {
    const message = written.safeParse(answer).data;
    const file = message?.attachments[0];
    const moved = card === undefined ? {} : { card: cardRef(card) };
    if (message === undefined || file === undefined || view.media?.kind !== 'image')
      return { state: 'drawn', ...moved };
    const ref = attachmentRef({
      url: file.url,
      id: file.id,
      channel: message.channel_id,
      message: message.id,
    });
    const spoiler = file.filename.startsWith('SPOILER_') ? { spoiler: true } : {};
    return { state: 'drawn', ...moved, result: { from: 'discord', ref, ...spoiler } };
  };

  /** The same result where only its owner sees it: the last place where it can still be shown. */
  const drawDirect = async (card: Card, view: View, payload: Payload): Promise<Drawn> => {
    const channel = await openDirect(card.user);
    const answer = await post(channel, payload, `card ${card.message}`);
    const message = written.parse(answer).id;
    const { token: _, ...rest } = card;
    return drawn(answer, view, { ...rest, channel, message, ephemeral: false, member: true });
  };

  const edit = (card: Card, payload: Payload, cosmetic: boolean): Promise<unknown> => {
    const token = liveToken(card, clock.now());
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
      : requests.withToken({ ...ask, route: Routes.webhookMessage(card.app, token, card.message) });
  };

  /** Past the token's life only the bot itself can edit, where it is present and the message is everybody's. */
  const isReachable = (card: Card): boolean =>
    liveToken(card, clock.now()) !== undefined || (card.member && !card.ephemeral);

  const drawFinal = async (card: Card, view: View, payload: Payload): Promise<Drawn> => {
    const result = view.media !== undefined;
    const elsewhere = (): Promise<Drawn> | Drawn =>
      result ? drawDirect(card, view, payload) : { state: 'gone' };
    if (!isReachable(card))
      return card.ephemeral || result ? drawDirect(card, view, payload) : { state: 'gone' };
    try {
      return drawn(await edit(card, payload, false), view);
    } catch (error) {
      if (isProblem(error, ...tokenOver) && card.token !== undefined) {
        const { token: _, ...rest } = card;
        return drawFinal(rest, view, payload);
      }
      if (isProblem(error, ...gone)) return elsewhere();
      throw error;
    }
  };

  const settle = async (card: Card, attempt: () => Promise<Drawn> | Drawn): Promise<Drawn> => {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof DiscordProblem)) throw error;
      if (isProblem(error, ...gone)) return { state: 'gone' };
      if (isProblem(error, ...tooLarge) && sizes.lower(card.message, card.limit))
        return { state: 'later', afterMs: 0 };
      if (error.kind === 'refused') throw error;
      return { state: 'later', afterMs: Math.max(error.afterMs, 1_000) };
    }
  };

  return {
    async draw(ref: CardRef, view: View, importance: 'cosmetic' | 'final'): Promise<Drawn> {
      const card = readCard(ref);
      const payload = renderView(view, { spoiler: card.spoiler });
      if (importance === 'final') {
        budget.forget(card.message);
        return settle(card, () => drawFinal(card, view, payload));
      }
      if (!isReachable(card) || !budget.allows(card.message, JSON.stringify(payload.body)))
        return { state: 'drawn' };
      return settle(card, async () => {
        await edit(card, payload, true);
        return { state: 'drawn' };
      });
    },

    async erase(ref: CardRef): Promise<void> {
      const card = readCard(ref);
      if (!isReachable(card)) return;
      const token = liveToken(card, clock.now());
      const ask = { doing: 'remove a card', method: 'DELETE' as const, repeatable: true };
      const asBot = () =>
        requests.asBot({ ...ask, route: Routes.channelMessage(card.channel, card.message) });
      try {
        if (token === undefined) await asBot();
        else
          await requests.withToken({ ...ask, route: Routes.webhookMessage(card.app, token, card.message) });
      } catch (error) {
        if (isProblem(error, ...tokenOver) && card.member && !card.ephemeral) await asBot().catch(ignoreGone);
        else ignoreGone(error);
      }
    },

    async say(to: { readonly place: Place } | { readonly caller: Caller }, view: View): Promise<Drawn> {
      const payload = renderView(view);
      const user = 'caller' in to ? to.caller.id : '';
      const none: Card = {
        app: '',
        channel: '',
        message: '',
        user,
        at: 0,
        ephemeral: false,
        member: true,
        limit: sizes.standard,
        spoiler: false,
      };
      return settle(none, async () => {
        const channel = 'caller' in to ? await openDirect(to.caller.id) : to.place.channel;
        // A line of the log may well be said twice; what is told to a person is told once.
        const purpose = 'caller' in to ? `${user} ${JSON.stringify(payload.body)}` : randomUUID();
        const answer = await post(channel, payload, purpose);
        return drawn(answer, view, { ...none, channel, message: written.parse(answer).id, at: clock.now() });
      });
    },

    limits(ref: CardRef): MediaLimits {
      const { message, limit } = readCard(ref);
      const bytes = sizes.of(message, limit);
      return { imageBytes: bytes, fileBytes: bytes, videoBytes: bytes };
    },
  };
};

const ignoreGone = (error: unknown): void => {
  if (!isProblem(error, ...gone, ...tokenOver)) throw error;
};
