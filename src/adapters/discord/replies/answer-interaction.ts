import { waitAtMost } from '../../../base/clock.ts';
import type { Incoming } from '../../../command/desk.ts';
import { type Reply, refusal } from '../../../command/reply.ts';
import { wordsFor } from '../../../words/words.ts';
import type { AdapterDependencies } from '../../adapter.ts';
import { createMeanwhile } from '../../meanwhile.ts';
import { renderView } from '../components/message.ts';
import { type Arrived, readCaller } from '../payloads/interaction.ts';
import type { DiscordContext } from '../rest/api.ts';
import type { Owed, OwedAnswers } from './owed-answers.ts';
import { createResponder } from './responder.ts';
import { type AnswerOptions, type ShowReply, stillHasPressed } from './show-reply.ts';

/** If the desk has not answered after this time, "thinking…" is shown. */
export const DEFER_AFTER_MS = 150;
/**
 * How long the desk may take where the answer may be a form, which can only be the first answer; Discord's limit is 3
 * seconds.
 */
export const DEFER_FORM_AFTER_MS = 1_200;

/** An interaction this old is acknowledged before the desk runs, because it may be too late for an answer. */
const LATE_AFTER_MS = 1_500;

/** The owners are told when this many interactions were answered elsewhere within `CONFLICTS_MS`. */
const CONFLICTS = 3;
const CONFLICTS_MS = 600_000;

/** Runs `work` for an interaction and shows its reply; without `options` the reply is ephemeral. */
export type AnswerInteraction = (
  interaction: Arrived,
  work: (meanwhile: NonNullable<Incoming['meanwhile']>) => Promise<Reply>,
  options?: AnswerOptions,
) => Promise<void>;

/**
 * Runs the desk for one interaction and shows its reply. "Thinking…" is sent first if the desk may spend credits or is slow,
 * or if the interaction came late or may have been handled already, because Discord's answer to it tells whether an answer
 * is still possible.
 */
export function createAnswer(
  common: DiscordContext,
  showReply: ShowReply,
  owedAnswers: Pick<OwedAnswers, 'begin'>,
  tellOwners: AdapterDependencies['tellOwners'],
): AnswerInteraction {
  const { clock, log } = common;
  let conflicts: readonly number[] = [];
  /**
   * Counts interactions that something else has answered. A single one may have been an attempt of ours that seemed to fail.
   */
  const answeredElsewhere = (): void => {
    const now = clock.now();
    conflicts = [...conflicts.filter((at) => now - at < CONFLICTS_MS), now].slice(-CONFLICTS);
    if (conflicts.length === CONFLICTS) tellOwners('discord-conflict');
  };

  return async (interaction, work, options = { first: 'answer', spoiler: false, quiet: true }) => {
    let owed: Owed | undefined;
    const responder = createResponder(common, interaction, answeredElsewhere, async (as) => {
      const shows = as === 'pressed' ? 'nothing' : 'thinking';
      owed ??= await owedAnswers.begin(interaction, shows, options.first === 'thinking');
    });
    let deferral: Promise<void> | undefined;
    const defer = (): Promise<void> => {
      deferral ??= responder.defer(interaction.message === undefined ? 'thinking' : 'pressed', options.quiet);
      return deferral;
    };
    const meanwhile = createMeanwhile(async (shown) => {
      await defer();
      const isInPlace = shown.replaces === true && stillHasPressed(interaction);
      await responder.meanwhile(renderView(shown.view, { isMeanwhile: true }), isInPlace);
      if (isInPlace) await owed?.shows('thinking');
    }, log);
    const runDesk = (): Promise<Reply> =>
      work(meanwhile.show).catch((error: unknown) => {
        log.error({ err: error }, 'handling a command failed');
        return refusal(wordsFor(readCaller(interaction).locale).somethingBroke);
      });
    const answer = async (): Promise<void> => {
      const waited = clock.now() - interaction.arrivedAt;
      if (options.first === 'thinking' || interaction.isRepeated || waited >= LATE_AFTER_MS) await defer();
      if (responder.state() === 'taken') return;
      const reply = runDesk();
      const formLimit = options.first === 'form' ? DEFER_FORM_AFTER_MS - waited : 0;
      const limit = Math.max(formLimit, DEFER_AFTER_MS);
      if (responder.state() === 'fresh' && (await waitAtMost(clock, limit, reply)) === undefined)
        await defer();
      const answered = await meanwhile.followedBy(await reply);
      if (responder.state() !== 'taken') await showReply(answered, interaction, options, responder);
      await responder.removeMeanwhile();
    };
    try {
      await answer();
      await owed?.answered(responder.state() !== 'taken');
    } catch (error) {
      log.warn({ err: error }, 'an interaction could not be answered');
      await owed?.giveUp();
    }
  };
}
