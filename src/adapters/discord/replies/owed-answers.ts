import type { APIInteraction } from 'discord.js';
import { z } from 'zod';
import { sleep, waitAtMost } from '../../../base/clock.ts';
import type { Records } from '../../../base/keyv/records.ts';
import type { Desk } from '../../../command/desk.ts';
import type { CardRef } from '../../../command/place.ts';
import type { View } from '../../../command/view.ts';
import { wordsFor } from '../../../words/words.ts';
import { newMessage, renderView } from '../components/message.ts';
import type { Drawing } from '../messages/draw-card.ts';
import { ignoreGone } from '../messages/outcome.ts';
import { answerCard, cardRef, liveToken, readCard, TOKEN_LIFE_MS } from '../payloads/card-ref.ts';
import { eventOf } from '../payloads/interaction.ts';
import type { DiscordContext } from '../rest/api.ts';

/** How long the first answer waits for its note; a slow store must not make the answer miss Discord's deadline. */
const NOTE_WITHIN_MS = 150;
const LOOK_EVERY_MS = 5_000;
/**
 * How long no process must seem to handle an interaction: longer than Discord may deliver it again, or a living process may
 * lose the store.
 */
const LEFT_FOR_MS = 12_000;

const note = z.object({
  /** The card reference of the answer, from before its message existed. */
  card: z.string(),
  /** The id of the process that handles the interaction (`Members`); empty if that process could not answer. */
  process: z.string(),
  /** The person sees this meanwhile: "thinking…", or nothing after a press. */
  shows: z.enum(['thinking', 'nothing']),
  /** Whether making a job is all that the interaction can have done, so that without a job nothing was done. */
  makesJob: z.boolean(),
});
type Note = z.infer<typeof note>;

/** Tells the store whose each note is, and whether it is valid. */
export const owedAnswerRecordRules = {
  ownerOf: (_: string, value: unknown): string | undefined => {
    const { data } = note.safeParse(value);
    return data && `discord:${readCard({ platform: 'discord', ref: data.card }).user}`;
  },
  isValid: (_: string, value: unknown): boolean => note.safeParse(value).success,
};

/**
 * Notes interactions that were acknowledged and not answered yet. If their process dies, another process, or the next one,
 * tells the person, where "thinking…" would stay for ever. The interaction is not handled again, because it may have had
 * effects.
 */
export function createOwedAnswers(
  { api, members, clock, log, stop }: DiscordContext,
  notes: Records,
  desk: Pick<Desk, 'hasJob'>,
  { find, draw }: Pick<Drawing, 'find' | 'draw'>,
) {
  /** The ids of interactions that this process is handling. */
  const open = new Set<string>();
  /** When each noted interaction was first seen without a live process that handles it. */
  let leftSince: ReadonlyMap<string, number> = new Map();

  /** Shows the view in place of "thinking…", if that is still shown. */
  const replaceThinking = async (card: CardRef, event: string, view: View): Promise<void> => {
    // If there is a job, its own steps find and draw the card.
    const found = (await desk.hasJob(event)) ? undefined : await find(card, event);
    const drawn = found && (await draw(found, view, 'final'));
    if (drawn?.state === 'later') throw new Error('Discord does not take it now');
  };

  /** Tells the person that the interaction was interrupted; rejects if that is to be tried again. */
  const tell = async (id: string, { card, shows, makesJob }: Note): Promise<void> => {
    const ref: CardRef = { platform: 'discord', ref: card };
    const read = readCard(ref);
    const token = liveToken(read, clock.now());
    const { interrupted, maybeInterrupted } = wordsFor(read.locale).notes;
    const view: View = { tone: 'failed', lines: [makesJob ? interrupted : maybeInterrupted] };
    if (token === undefined) return;
    if (shows === 'thinking') return replaceThinking(ref, eventOf(id), view);
    const message = newMessage(renderView(view), true);
    await api.within({ repeatable: true }).webhooks.execute(read.app, token, message).catch(ignoreGone);
  };

  const lookOnce = async (): Promise<void> => {
    const before = leftSince;
    const left = new Map<string, number>();
    leftSince = left;
    let living: ReadonlySet<string> | undefined;
    for await (const [id, value] of notes.iterator()) {
      const { data } = note.safeParse(value);
      if (data === undefined || open.has(id)) continue;
      living ??= new Set((await members.list()).filter((each) => each.isAlive).map((each) => each.process));
      // Interactions of this process are included, in case it could not mark one as given up.
      if (data.process !== members.process && living.has(data.process)) continue;
      left.set(id, before.get(id) ?? clock.now());
      if (clock.now() - (left.get(id) ?? 0) < LEFT_FOR_MS) continue;
      await tell(id, data).then(
        () => notes.delete(id),
        (error: unknown) => log.debug({ err: error }, 'that nothing was answered is told later'),
      );
    }
  };
  const lookForever = async (ended: AbortSignal): Promise<void> => {
    leftSince = new Map();
    while (!ended.aborted) {
      await lookOnce().catch((error: unknown) =>
        log.debug({ err: error }, 'what a process left unanswered is looked for again'),
      );
      await sleep(clock, LOOK_EVERY_MS, ended).catch(() => undefined);
    }
  };

  return {
    /**
     * Notes an interaction before it is acknowledged. In the other order, a kill in between would leave a "thinking…"
     * without a note, while a note of an interaction that was never acknowledged does no harm. A slow store is waited for
     * only `NOTE_WITHIN_MS`.
     */
    async begin(interaction: APIInteraction, shows: Note['shows'], makesJob: boolean) {
      const { id } = interaction;
      // Discord delivered the interaction twice, and the first handler owes the answer.
      if (open.has(id)) {
        const nothing = async (): Promise<void> => undefined;
        return { shows: nothing, answered: nothing, giveUp: nothing };
      }
      open.add(id);
      const { ref: card } = cardRef(answerCard(interaction, clock.now()));
      const mine: Note = { card, process: members.process, shows, makesJob };
      // A note of a process that died is kept, because that process may have acknowledged the interaction.
      const stored = notes
        .update<unknown>(id, (kept) => kept ?? mine, TOKEN_LIFE_MS)
        .then((kept) => note.safeParse(kept).data?.process === mine.process)
        .catch((error: unknown) => {
          log.debug({ err: error }, 'an interaction could not be noted');
          return false;
        });
      await waitAtMost(clock, NOTE_WITHIN_MS, stored);
      const failed = (error: unknown): void =>
        log.debug({ err: error }, 'the note of an interaction stays as it was');
      return {
        /** Updates what the person sees, which is to be replaced if this process dies. */
        async shows(now: Note['shows']): Promise<void> {
          const change = (kept?: Note): Note | undefined => kept && { ...kept, shows: now };
          if (await stored) await notes.update(id, change, TOKEN_LIFE_MS).catch(failed);
        },
        /** Gives up the interaction, which could not be answered, so that any process tells the person. */
        async giveUp(): Promise<void> {
          open.delete(id);
          const change = (kept?: Note): Note | undefined => kept && { ...kept, process: '' };
          if (await stored) await notes.update(id, change, TOKEN_LIFE_MS).catch(failed);
        },
        /**
         * Deletes the note of an answered interaction. `isOurs`: this process answered, so the note can be deleted whoever
         * wrote it.
         */
        async answered(isOurs: boolean): Promise<void> {
          if ((await stored) || isOurs) await notes.delete(id).catch(failed);
          open.delete(id);
        },
      };
    },
    /** Looks for interactions that other processes have left, until the adapter stops. */
    look: (): Promise<void> =>
      members
        .hold('discord-owed', lookForever, stop)
        .catch((error: unknown) => log.warn({ err: error }, 'what was left unanswered is not looked for')),
  };
}

export type OwedAnswers = ReturnType<typeof createOwedAnswers>;
export type Owed = Awaited<ReturnType<OwedAnswers['begin']>>;
