import { z } from 'zod';
import type { View } from '../../../command/view.ts';
import type { Drawn } from '../../adapter.ts';
import { type Card, cardRef } from '../api/card-ref.ts';
import { DiscordProblem, isProblem } from '../api/fault.ts';
import { attachmentRef } from '../api/photo-ref.ts';
import type { SizeLimits } from '../api/size-limits.ts';

/** What came of an attempt to show something, in the words of the adapter interface. */

/** A permission that is missing, or automatic moderation. Something else may still be shown. */
const barred = [50013, 200_000, 20_009, 240_000] as const;
/** The message, its channel or our access to it no longer exists; or an archived thread; or it is barred. */
export const gone = [10003, 10008, 50001, 50083, 50007, 50278, 50033, 10013, ...barred] as const;
/** The token no longer opens this interaction. */
export const tokenOver = [10015, 50027, 10062, 401] as const;

/** For what is to be removed: it has gone already. */
export const ignoreGone = (error: unknown): void => {
  if (!isProblem(error, ...gone, ...tokenOver)) throw error;
};

const tooLarge = [40005, 50045, 413] as const;
/** A file is not taken here, and never will be. */
export const fileRefused = [...barred, ...tooLarge] as const;

const written = z.object({
  id: z.string(),
  channel_id: z.string(),
  attachments: z.array(z.object({ id: z.string(), url: z.string(), filename: z.string() })),
});

export const writtenId = (answer: unknown): string => written.parse(answer).id;

/** `card`: where the message is, when that is a new place. */
export const drawn = (answer: unknown, view: View, card?: Card): Drawn => {
  const message = written.safeParse(answer).data;
  const file = message?.attachments[0];
  const moved = card === undefined ? {} : { card: cardRef(card) };
  if (message === undefined || file === undefined || view.media?.kind !== 'image')
    return { state: 'drawn', ...moved };
  const ref = attachmentRef({ url: file.url, id: file.id, channel: message.channel_id, message: message.id });
  const spoiler = file.filename.startsWith('SPOILER_') ? { spoiler: true } : {};
  return { state: 'drawn', ...moved, result: { from: 'discord', ref, ...spoiler } };
};

/** Failures that waiting cures become `later`, final ones `gone`; what nobody foresaw is thrown. */
export const settle = async (
  attempt: () => Promise<Drawn> | Drawn,
  size?: { readonly sizes: SizeLimits; readonly card: Card },
): Promise<Drawn> => {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof DiscordProblem)) throw error;
    if (isProblem(error, ...barred)) return { state: 'gone', stands: true };
    if (isProblem(error, ...gone)) return { state: 'gone' };
    // Asked for again at once, it is made to fit the limit that was lowered here.
    if (isProblem(error, ...tooLarge) && size?.sizes.lower(size.card.message, size.card.limit) === true)
      return { state: 'later', afterMs: 0 };
    if (error.kind === 'refused') throw error;
    return { state: 'later', afterMs: Math.max(error.afterMs, 1_000) };
  }
};
