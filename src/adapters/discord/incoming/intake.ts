import {
  type APIInteraction,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
  Routes,
} from 'discord.js';
import { type Clock, waitAtMost } from '../../../base/clock.ts';
import { createFairBudget } from '../../../base/fair-budget.ts';
import { createOverloadCheck } from '../../../base/overload.ts';
import { createInHand } from '../../../command/desk/intake-limits.ts';
import type { Log } from '../../../log/log.ts';
import type { Words } from '../../../words/words.ts';
import { readCaller } from '../api/interaction.ts';
import type { Requests } from '../api/requests.ts';

/** Interactions on their way through the desk. */
export interface Intake {
  take(interaction: APIInteraction): void;
  /** Why nothing more is taken for now. */
  overload(): string | undefined;
  /** Settles when nothing is in hand any more, or after this long. */
  idle(mostMs: number): Promise<void>;
}

/** An answer takes milliseconds, so a crowd is served; what one person has in hand at once is what could hold others up. */
const LIMITS = { perPerson: 10, perChat: 100, perCrowd: 500 };
/** While somebody types, only the latest suggestions are of use. */
const SUGGESTION_LIMITS = { ...LIMITS, perPerson: 5 };
/** The last resort, far above what the limits per person and per server let through in ordinary times. */
const mostInProgress = 2_000;

/**
 * Worked on at once, in all and of one server: the first answers of others do not wait until a whole crowd has been
 * answered. What takes longer than `SLOW_MS` gives its turn to the next.
 */
const TURNS = { total: 200, perPerson: 50 };
const SLOW_MS = 250;
/** Discord waits 3 seconds: what comes to its turn later is answered in vain. */
const LATE_MS = 3_000;

/** A server is one chat: its channels are as many as its members like. */
const chatOf = ({ guild_id, channel, channel_id }: APIInteraction): string =>
  guild_id ?? channel?.id ?? channel_id ?? '';

/** Bounds what one person and one server keep busy; the rest is refused, and told so once a minute. */
export const createIntake = (options: {
  readonly handle: (interaction: APIInteraction) => Promise<void>;
  readonly requests: Requests;
  readonly clock: Clock;
  readonly log: Log;
  readonly words: (locale: string) => Words;
}): Intake => {
  const { clock, log } = options;
  const inHand = new Set<Promise<void>>();
  const ordinary = createInHand(clock, LIMITS, 'person');
  const suggestions = createInHand(clock, SUGGESTION_LIMITS, 'person');

  const overload = createOverloadCheck(
    `Discord: ${mostInProgress} interactions are in progress; no more are accepted until some of them are done`,
    () => inHand.size >= mostInProgress,
    (reason) => log.warn(reason),
  );

  const refuse = async (interaction: APIInteraction, why: 'perPerson' | 'perChat'): Promise<void> => {
    const content = options.words(readCaller(interaction).locale).busy[why];
    const data = { content, flags: MessageFlags.Ephemeral, allowed_mentions: { parse: [] } };
    await options.requests
      .withToken({
        doing: 'refuse an interaction',
        method: 'POST',
        route: Routes.interactionCallback(interaction.id, interaction.token),
        body: { type: InteractionResponseType.ChannelMessageWithSource, data },
        repeatable: false,
        withinMs: 2_500,
        patienceMs: 2_500,
      })
      .catch(() => undefined);
  };

  const turns = createFairBudget(TURNS);
  const serially = async (chat: string, work: () => Promise<void>): Promise<void> => {
    const received = clock.now();
    const turn = await turns.take(chat, 1);
    const cancel = clock.after(SLOW_MS, turn.release);
    try {
      if (clock.now() - received < LATE_MS) await work();
    } finally {
      cancel();
      turn.release();
    }
  };
  const begin = (chat: string, work: () => Promise<void>, end?: () => void): void => {
    const mine = serially(chat, work)
      .catch((error: unknown) => log.error({ err: error }, 'an interaction could not be handled'))
      .finally(() => {
        end?.();
        inHand.delete(mine);
      });
    inHand.add(mine);
  };

  return {
    overload,
    take(interaction) {
      if (overload() !== undefined) return;
      const isSuggestion = interaction.type === InteractionType.ApplicationCommandAutocomplete;
      const who = { person: readCaller(interaction).id, chat: chatOf(interaction) };
      const admission = (isSuggestion ? suggestions : ordinary).enter(who);
      if ('refused' in admission) {
        const { refused, tell } = admission;
        if (tell && !isSuggestion) begin(who.chat, () => refuse(interaction, refused));
        return;
      }
      begin(who.chat, () => options.handle(interaction), admission.leave);
    },
    async idle(mostMs) {
      await waitAtMost(clock, mostMs, Promise.allSettled(inHand));
    },
  };
};
