import { type APIInteraction, InteractionType } from 'discord.js';
import { waitAtMost } from '../../../base/clock.ts';
import { createFairBudget } from '../../../base/limits/fair-budget.ts';
import { createEventLimiter } from '../../../command/desk/access/event-limiter.ts';
import { wordsFor } from '../../../words/words.ts';
import { newMessage, renderView } from '../components/message.ts';
import { type Arrived, readCaller } from '../payloads/interaction.ts';
import { FIRST_ANSWER } from '../replies/responder.ts';
import type { DiscordContext } from '../rest/api.ts';

/** How many interactions may be in progress at once. */
const LIMITS = { perPerson: 10, perChat: 100, perCrowd: 500 };
/** Autocompletion has a lower limit, because only the latest suggestions matter while a person types. */
const SUGGESTION_LIMITS = { ...LIMITS, perPerson: 5 };
/** The limit of all interactions in progress, which the limits per person and per server normally stay far below. */
const MOST_IN_PROGRESS = 2_000;
const OVERLOAD = `Discord: ${MOST_IN_PROGRESS} interactions are in progress; no more are accepted until some of them are done`;

/** How many interactions are handled at once, in all and for one server. A slow one stops counting after `SLOW_MS`. */
const CONCURRENCY = { total: 200, perPerson: 50 };
const SLOW_MS = 250;
/** Discord accepts a first answer within 3 seconds only. */
const ANSWER_WITHIN_MS = 3_000;

/** The chat that limits count by. A server counts as one chat, because its members can create any number of channels. */
const chatOf = ({ guild_id, channel, channel_id }: APIInteraction): string =>
  guild_id ?? channel?.id ?? channel_id ?? '';

/**
 * Accepts interactions within limits per person and per server, and passes them to `handle`. Interactions above the limits
 * are refused, with an answer at most once a minute for each person.
 */
export function createIntake(
  { api, clock, log }: Pick<DiscordContext, 'api' | 'clock' | 'log'>,
  handle: (interaction: Arrived) => Promise<void>,
) {
  const inProgress = new Set<Promise<void>>();
  const ordinary = createEventLimiter(clock, LIMITS, 'person');
  const suggestions = createEventLimiter(clock, SUGGESTION_LIMITS, 'person');

  let wasOverloaded = false;
  /** Why nothing more is accepted, if there is an overload; logged once each time that one begins. */
  const overload = (): string | undefined => {
    const isNew = !wasOverloaded;
    wasOverloaded = inProgress.size >= MOST_IN_PROGRESS;
    if (wasOverloaded && isNew) log.warn(OVERLOAD);
    return wasOverloaded ? OVERLOAD : undefined;
  };

  const refuse = async (interaction: APIInteraction, why: 'perPerson' | 'perChat'): Promise<void> => {
    const text = wordsFor(readCaller(interaction).locale).busy[why];
    const message = newMessage(renderView({ tone: 'info', lines: [text] }), true);
    const { interactions } = api.within(FIRST_ANSWER);
    await interactions.reply(interaction.id, interaction.token, message).catch(() => undefined);
  };

  const turns = createFairBudget(CONCURRENCY);
  const inTurn = async (chat: string, work: () => Promise<void>): Promise<void> => {
    const received = clock.now();
    const turn = await turns.take(chat, 1);
    const cancel = clock.after(SLOW_MS, turn.release);
    try {
      if (clock.now() - received < ANSWER_WITHIN_MS) await work();
    } finally {
      cancel();
      turn.release();
    }
  };
  const start = (chat: string, work: () => Promise<void>, end?: () => void): Promise<void> => {
    const mine = inTurn(chat, work)
      .catch((error: unknown) => log.error({ err: error }, 'an interaction could not be handled'))
      .finally(() => {
        end?.();
        inProgress.delete(mine);
      });
    inProgress.add(mine);
    return mine;
  };

  return {
    /** Why nothing more is accepted at the moment, if so. */
    overload,
    /** Resolves when the interaction was handled or refused. */
    async take(interaction: APIInteraction, isRepeated = false): Promise<void> {
      const arrived: Arrived = { ...interaction, arrivedAt: clock.now(), isRepeated };
      if (overload() !== undefined) return;
      const isSuggestion = interaction.type === InteractionType.ApplicationCommandAutocomplete;
      const who = { person: readCaller(interaction).id, chat: chatOf(interaction) };
      const admission = (isSuggestion ? suggestions : ordinary).enter(who);
      if ('refused' in admission) {
        const { refused, tell } = admission;
        if (tell && !isSuggestion) await start(who.chat, () => refuse(interaction, refused));
        return;
      }
      await start(who.chat, () => handle(arrived), admission.leave);
    },
    /** Resolves when no interaction is in progress, or after `mostMs`. */
    async idle(mostMs: number): Promise<void> {
      await waitAtMost(clock, mostMs, Promise.allSettled(inProgress));
    },
  };
}

export type Intake = ReturnType<typeof createIntake>;
