import type { APIInteraction } from 'discord.js';
import { waitAtMost } from '../../../../base/clock.ts';
import type { Reply } from '../../../../command/reply.ts';
import { readCaller } from '../../api/interaction.ts';
import type { DiscordParts } from '../../api/requests.ts';
import type { Owed, OwedAnswers } from './owed-answers.ts';
import { createResponder } from './responder.ts';
import { type ShowContext, showReply } from './show-reply.ts';

/** After this, "thinking…" is shown. */
export const DEFER_AFTER_MS = 150;
/** A form can only be the first answer, so it is waited for longer; Discord's limit is 3 seconds. */
export const DEFER_FORM_AFTER_MS = 1_200;

export type AnswerOptions = Pick<ShowContext, 'first' | 'spoiler' | 'quiet'>;

/** This many conflicts within this time are reported. */
const CONFLICTS = 3;
const CONFLICTS_MS = 600_000;

export const refusal = (text: string): Reply => ({
  kind: 'message',
  private: true,
  view: { tone: 'failed', lines: [text] },
});

export type Answer = (
  interaction: APIInteraction,
  work: () => Promise<Reply>,
  options: AnswerOptions,
) => Promise<void>;

/**
 * Runs the desk for one interaction and shows its reply: after "thinking…" where the desk may spend credits, is slow, or the
 * interaction may have been handled already, which Discord then says; else directly.
 */
export function createAnswer(
  parts: DiscordParts & {
    /** Discord sent these again after a connection was lost: a process that died may have handled them. */
    readonly repeated: WeakSet<APIInteraction>;
    readonly owed: OwedAnswers;
  },
): Answer {
  const { requests, clock, log } = parts;
  let conflicts: readonly number[] = [];
  /** One that came once may have been answered by an attempt of ours that seemed to fail. */
  const answeredElsewhere = (interaction: APIInteraction): void => {
    if (parts.repeated.has(interaction)) return;
    const now = clock.now();
    conflicts = [...conflicts.filter((at) => now - at < CONFLICTS_MS), now].slice(-CONFLICTS);
    if (conflicts.length === CONFLICTS) parts.tellOwners('discord-conflict');
  };

  return async (interaction, work, options) => {
    const words = parts.words(readCaller(interaction).locale);
    let owed: Owed | undefined;
    const responder = createResponder(
      requests,
      clock,
      interaction,
      () => answeredElsewhere(interaction),
      async (as) => {
        const shows = as === 'pressed' ? 'nothing' : 'thinking';
        owed ??= await parts.owed.begin(interaction, shows, options.first === 'thinking');
      },
    );
    const runDesk = (): Promise<Reply> =>
      work().catch((error: unknown) => {
        log.error({ err: error }, 'handling a command failed');
        return refusal(words.somethingBroke);
      });
    const defer = (): Promise<void> =>
      responder.defer(interaction.message === undefined ? 'thinking' : 'pressed', options.quiet);
    const answer = async (): Promise<void> => {
      if (options.first === 'thinking' || parts.repeated.has(interaction)) await defer();
      if (responder.state() === 'taken') return;
      const reply = runDesk();
      const limit = options.first === 'form' ? DEFER_FORM_AFTER_MS : DEFER_AFTER_MS;
      if (responder.state() === 'fresh' && (await waitAtMost(clock, limit, reply)) === undefined)
        await defer();
      if (responder.state() !== 'taken')
        await showReply(await reply, responder, { ...parts, ...options, interaction, words });
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
