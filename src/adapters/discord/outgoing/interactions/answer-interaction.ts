import {
  type APIInteraction,
  type APIMessageComponentInteraction,
  type APIModalSubmitInteraction,
  InteractionResponseType,
  InteractionType,
} from 'discord.js';
import { waitAtMost } from '../../../../base/clock.ts';
import type { Reply } from '../../../../command/reply.ts';
import { readCaller } from '../../api/interaction.ts';
import type { DiscordParts } from '../../api/requests.ts';
import { createInteractionToken } from './interaction-token.ts';
import type { Owed, OwedAnswers } from './owed-answers.ts';
import { createResponder } from './responder.ts';
import { createShow, type ShowContext, type ShowParts } from './show-reply.ts';

/** After this, "thinking…" is shown. */
export const DEFER_AFTER_MS = 150;
/** A form can only be the first answer, so it is waited for longer; Discord's limit is 3 seconds. */
export const DEFER_FORM_AFTER_MS = 1_200;

export type AnswerOptions = Pick<ShowContext, 'first' | 'spoiler' | 'quiet'>;

/** This many conflicts within this time are reported. */
const CONFLICTS = 3;
const CONFLICTS_MS = 600_000;

export type Answer = (
  interaction: APIInteraction,
  work: () => Promise<Reply>,
  options: AnswerOptions,
) => Promise<void>;

function hasMessage(
  interaction: APIInteraction,
): interaction is APIMessageComponentInteraction | APIModalSubmitInteraction {
  return (
    interaction.type === InteractionType.MessageComponent ||
    (interaction.type === InteractionType.ModalSubmit && interaction.message !== undefined)
  );
}

/**
 * Runs the desk for one interaction and shows its reply: after "thinking…" where the desk may spend credits, is slow, or the
 * interaction may have been handled already, which Discord then says; else directly.
 */
export function createAnswer(
  parts: DiscordParts &
    ShowParts & {
      /** Discord sent it again after a connection was lost: a process that died may have handled it. */
      readonly isRepeated: (interaction: APIInteraction) => boolean;
      readonly owed: Pick<OwedAnswers, 'begin'>;
    },
): Answer {
  const { requests, clock, log } = parts;
  let conflicts: readonly number[] = [];
  /** One that came once may have been answered by an attempt of ours that seemed to fail. */
  const answeredElsewhere = (interaction: APIInteraction): void => {
    if (parts.isRepeated(interaction)) return;
    const now = clock.now();
    conflicts = [...conflicts.filter((at) => now - at < CONFLICTS_MS), now].slice(-CONFLICTS);
    if (conflicts.length === CONFLICTS) parts.tellOwners('discord-conflict');
  };
  const show = createShow(parts);

  return async (interaction, work, options) => {
    const words = parts.words(readCaller(interaction).locale);
    let owed: Owed | undefined;
    const token = createInteractionToken(
      requests,
      clock,
      interaction,
      () => answeredElsewhere(interaction),
      async (type) => {
        const shows = type === InteractionResponseType.DeferredMessageUpdate ? 'nothing' : 'thinking';
        owed ??= await parts.owed.begin(interaction, shows, options.first === 'thinking');
      },
    );
    const runDesk = (): Promise<Reply> =>
      work().catch((error: unknown): Reply => {
        log.error({ err: error }, 'handling a command failed');
        return { kind: 'message', private: true, view: { tone: 'failed', lines: [words.somethingBroke] } };
      });

    const responder = createResponder(token);
    const defer = (): Promise<void> =>
      responder.defer(hasMessage(interaction) ? 'pressed' : 'thinking', options.quiet);
    const answer = async (): Promise<void> => {
      if (options.first === 'thinking' || parts.isRepeated(interaction)) await defer();
      if (responder.state() === 'taken') return;
      const reply = runDesk();
      const limit = options.first === 'form' ? DEFER_FORM_AFTER_MS : DEFER_AFTER_MS;
      if (responder.state() === 'fresh' && (await waitAtMost(clock, limit, reply)) === undefined)
        await defer();
      if (responder.state() !== 'taken')
        await show(await reply, responder, { interaction, words, ...options });
    };
    try {
      await answer();
      await owed?.over();
    } catch (error) {
      owed?.left();
      log.warn({ err: error }, 'an interaction could not be answered');
    }
  };
}
