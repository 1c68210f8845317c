import {
  type APIInteraction,
  type APIMessageComponentInteraction,
  type APIModalSubmitInteraction,
  InteractionResponseType,
  InteractionType,
} from 'discord.js';
import type { Clock } from '../../clock.ts';
import type { Reply } from '../../command/reply.ts';
import type { Log } from '../../log.ts';
import type { Words } from '../../words/words.ts';
import { createLine } from './line.ts';
import { readCaller } from './parse.ts';
import type { Requests } from './requests.ts';
import { createShow, type ShowParts } from './show.ts';
import { afterPress, afterThinking, firstSpeaker, type Speaker } from './speak.ts';

/** How long the desk may think before Discord is told that it does: as soon as a person would wonder. */
const THINK = 150;
/** A form can only be a first answer, so where one is likely it is worth waiting for; Discord waits 3 seconds. */
const THINK_OF_FORM = 1_200;

export interface AnswerOptions {
  readonly prefersForm: boolean;
  readonly spoiler: boolean;
  /** Whether a "thinking…" would be for the caller alone, before the desk has said so. */
  readonly quiet: boolean;
}

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

/** Runs the desk for one interaction and shows its reply: directly when it is quick, after a "thinking…" when not. */
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
    const line = createLine(requests, clock, interaction);
    const reply = work().catch((error: unknown): Reply => {
      log.error({ err: error }, 'the desk broke');
      return { kind: 'message', private: true, view: { tone: 'failed', lines: [words.somethingBroke] } };
    });

    const defer = async (): Promise<Speaker | undefined> => {
      if (hasMessage(interaction)) {
        const made = await line.callback(InteractionResponseType.DeferredMessageUpdate);
        return made === 'taken' ? undefined : afterPress(line);
      }
      const type = InteractionResponseType.DeferredChannelMessageWithSource;
      const made = await line.callback(type, line.flags(options.quiet));
      return made === 'taken' ? undefined : afterThinking(line, options.quiet);
    };

    try {
      const quick = await within(clock, reply, options.prefersForm ? THINK_OF_FORM : THINK);
      const speaker = quick === undefined ? await defer() : firstSpeaker(line);
      // Answered already, or too late: the same event came twice, or another process was quicker.
      if (speaker === undefined) return;
      await show(quick ?? (await reply), speaker, { interaction, words, ...options });
    } catch (error) {
      log.warn({ err: error }, 'an interaction could not be answered');
    }
  };
};

const within = <T>(clock: Clock, work: Promise<T>, ms: number): Promise<T | undefined> =>
  new Promise((resolve, reject) => {
    const stop = clock.after(ms, () => resolve(undefined));
    work.then(resolve, reject).finally(stop);
  });
