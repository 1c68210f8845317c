import type { APIInteraction } from 'discord.js';
import { z } from 'zod';
import { sleep, waitAtMost } from '../../../base/clock.ts';
import type { Records } from '../../../base/keyv/records.ts';
import type { Desk } from '../../../command/desk.ts';
import type { CardRef } from '../../../command/place.ts';
import type { View } from '../../../command/view.ts';
import { newMessage, renderView } from '../components/message.ts';
import type { Drawing } from '../messages/draw-card.ts';
import { ignoreGone } from '../messages/outcome.ts';
import { answerCard, cardRef, liveToken, readCard, TOKEN_LIFE_MS } from '../payloads/card-ref.ts';
import { eventOf } from '../payloads/interaction.ts';
import type { DiscordContext } from '../rest/api.ts';

/** A first answer that comes later than this because of a slow store would be in danger for a note that is rarely needed. */
const NOTE_WITHIN_MS = 150;
const LOOK_EVERY_MS = 5_000;
/** Longer than Discord may deliver it again, to a process that handles it, and than a living process is away from the store. */
const LEFT_FOR_MS = 12_000;

const note = z.object({
  /** Its answer, as it was before it was given. */
  card: z.string(),
  /** The process that handles it, as in `Members`; none if it could not answer. */
  process: z.string(),
  /** What is shown meanwhile; a press shows nothing. */
  shows: z.enum(['thinking', 'nothing']),
  /** All that it can have done is to make a job: without one nothing was done. */
  makesJob: z.boolean(),
});
type Note = z.infer<typeof note>;

/** Owner and shape of the notes, for the store. */
export const owedRecords = {
  ownerOf: (_: string, value: unknown): string | undefined => {
    const { data } = note.safeParse(value);
    return data && `discord:${readCard({ platform: 'discord', ref: data.card }).user}`;
  },
  isValid: (_: string, value: unknown): boolean => note.safeParse(value).success,
};

/**
 * Interactions that were acknowledged and not answered yet. If their process dies, another one, or the next, says so where
 * "thinking…" would stay for ever: it does not handle them again, since some of it may be done.
 */
export function createOwedAnswers(
  { api, members, clock, log, words, stop }: DiscordContext,
  notes: Records,
  desk: Pick<Desk, 'hasJob'>,
  { find, draw }: Pick<Drawing, 'find' | 'draw'>,
) {
  /** Being handled here. */
  const open = new Set<string>();
  /** Since when no live process seems to handle each of them. */
  let leftSince: ReadonlyMap<string, number> = new Map();

  /** In place of "thinking…", if it is still there. */
  const replaceThinking = async (card: CardRef, event: string, view: View): Promise<void> => {
    // A job finds and draws its card by itself.
    const found = (await desk.hasJob(event)) ? undefined : await find(card, event);
    const drawn = found && (await draw(found, view, 'final'));
    if (drawn?.state === 'later') throw new Error('Discord does not take it now');
  };

  /** Rejects if it is to be tried again. */
  const tell = async (id: string, { card, shows, makesJob }: Note): Promise<void> => {
    const ref: CardRef = { platform: 'discord', ref: card };
    const read = readCard(ref);
    const token = liveToken(read, clock.now());
    const { interrupted, maybeInterrupted } = words(read.locale).notes;
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
      // What this process could not answer is included, also where it could not mark the note.
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
     * Before it is acknowledged: the other way round, a kill in between would leave a "thinking…" that has no note, while a note of
     * what was never acknowledged does no harm. A slow store is not waited for: without a first answer in time all is lost.
     */
    async begin(interaction: APIInteraction, shows: Note['shows'], makesJob: boolean) {
      const { id } = interaction;
      // Delivered twice: the first handler owes the answer.
      if (open.has(id)) {
        const nothing = async (): Promise<void> => undefined;
        return { shows: nothing, over: nothing, left: nothing };
      }
      open.add(id);
      const { ref: card } = cardRef(answerCard(interaction, clock.now()));
      const mine: Note = { card, process: members.process, shows, makesJob };
      // The note of a process that died stays: it may have acknowledged it.
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
        /** What is to be replaced if this process dies. */
        async shows(now: Note['shows']): Promise<void> {
          const change = (kept?: Note): Note | undefined => kept && { ...kept, shows: now };
          if (await stored) await notes.update(id, change, TOKEN_LIFE_MS).catch(failed);
        },
        /** It could not be answered: the process that looks may be another one. */
        async left(): Promise<void> {
          open.delete(id);
          const giveUp = (kept?: Note): Note | undefined => kept && { ...kept, process: '' };
          if (await stored) await notes.update(id, giveUp, TOKEN_LIFE_MS).catch(failed);
        },
        /** It is answered, here or by another process. `isOurs`: here, so that no process before has acknowledged it. */
        async over(isOurs: boolean): Promise<void> {
          if ((await stored) || isOurs) await notes.delete(id).catch(failed);
          open.delete(id);
        },
      };
    },
    /** For what other processes left, until the stop. */
    look: (): Promise<void> =>
      members
        .hold('discord-owed', lookForever, stop)
        .catch((error: unknown) => log.warn({ err: error }, 'what was left unanswered is not looked for')),
  };
}

export type OwedAnswers = ReturnType<typeof createOwedAnswers>;
export type Owed = Awaited<ReturnType<OwedAnswers['begin']>>;
