import {
  type APIInteraction,
  type APIMessageComponentInteraction,
  type APIModalSubmitInteraction,
  InteractionResponseType,
  InteractionType,
} from 'discord.js';
import { waitAtMost } from '../../../base/clock.ts';
import type { Reply } from '../../../command/reply.ts';
import type { Log } from '../../../log/log.ts';
import type { Words } from '../../../words/words.ts';
import { DiscordProblem } from '../api/fault.ts';
import { readCaller } from '../api/interaction.ts';
import type { Requests } from '../api/requests.ts';
import { createInteractionToken } from './interaction-token.ts';
import { afterPress, afterThinking, firstResponder, type Responder } from './responder.ts';
import { createShow, type Showing, type ShowParts } from './show-reply.ts';

/** How long the desk may think before Discord is told that it does: as soon as a person would wonder. */
const THINK = 150;
/** A form can only be a first answer, so where one is likely it is worth waiting for; Discord waits 3 seconds. */
const THINK_OF_FORM = 1_200;

export type AnswerOptions = Pick<Showing, 'first' | 'spoiler' | 'quiet'>;

export type Answer = (
  interaction: APIInteraction,
  work: () => Promise<Reply>,
  options: AnswerOptions,
) => Promise<void>;

const hasMessage = (
  interaction: APIInteraction,
): interaction is APIMessageComponentInteraction | APIModalSubmitInteraction =>
  interaction.type === InteractionType.MessageComponent ||
  (interaction.type === InteractionType.ModalSubmit && interaction.message !== undefined);

/**
 * Runs the desk for one interaction and shows its reply: after a "thinking…" where the desk is to spend something or
 * takes its time, and directly where not.
 */
export const createAnswer = (
  parts: ShowParts & {
    readonly requests: Requests;
    readonly log: Log;
    readonly words: (locale: string) => Words;
  },
): Answer => {
  const { requests, clock, log } = parts;
  const show = createShow(parts);

  return async (interaction, work, options) => {
    const words = parts.words(readCaller(interaction).locale);
    const token = createInteractionToken(requests, clock, interaction);
    const ask = (): Promise<Reply> =>
      work().catch((error: unknown): Reply => {
        log.error({ err: error }, 'handling a command failed');
        return { kind: 'message', private: true, view: { tone: 'failed', lines: [words.somethingBroke] } };
      });

    const defer = async (): Promise<Responder | undefined> => {
      if (hasMessage(interaction)) {
        const made = await token.callback(InteractionResponseType.DeferredMessageUpdate).catch(inDoubt);
        return made === 'taken' ? undefined : afterPress(token);
      }
      const type = InteractionResponseType.DeferredChannelMessageWithSource;
      const made = await token.callback(type, token.flags(options.quiet)).catch(inDoubt);
      return made === 'taken' ? undefined : afterThinking(token, options.quiet);
    };

    /** Without a responder it was answered already, or too late: the same event came twice, or another process was quicker. */
    const tell = async (responder: Responder | undefined, reply: () => Promise<Reply>): Promise<void> => {
      if (responder !== undefined) await show(await reply(), responder, { interaction, words, ...options });
    };

    try {
      if (options.first === 'thinking') return await tell(await defer(), ask);
      const reply = ask();
      const quick = await waitAtMost(clock, options.first === 'form' ? THINK_OF_FORM : THINK, reply);
      await tell(quick === undefined ? await defer() : firstResponder(token), () => reply);
    } catch (error) {
      log.warn({ err: error }, 'an interaction could not be answered');
    }
  };
};

/** It may have arrived, and somebody waits then: the answer itself will show. */
const inDoubt = (error: unknown): object => {
  if (error instanceof DiscordProblem && error.kind === 'unknown') return {};
  throw error;
};
