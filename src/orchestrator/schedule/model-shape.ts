import { z } from 'zod';
import { jobKinds } from '../../command/kinds.ts';

const positive = z.number().positive();
const lognormal = z.looseObject({ medianMs: positive, sigma: positive });
const belief = z.looseObject({ scores: z.array(z.number()).max(100), fit: lognormal });
const ms = z.number().min(0);
const seen = z.array(z.union([z.tuple([ms, ms]), z.tuple([ms, ms, ms, ms])])).max(10_000);

const model = z.looseObject({
  kind: z.enum(jobKinds),
  prior: lognormal,
  seen,
  beliefs: z.looseObject({ total: belief, queue: belief, run: belief }),
  scouts: seen.optional(),
  scoutsWanted: z.number().optional(),
  moves: z.number().optional(),
  drift: z
    .array(z.looseObject({ sum: z.number(), lessons: z.number(), since: z.number().nullable() }))
    .optional(),
});

/** Whether this is what was learned of durations: one that is not is learned anew. */
export const durationRecords = {
  isValid: (kind: string, value: unknown): boolean => {
    const read = model.safeParse(value);
    return read.success && read.data.kind === kind;
  },
};
