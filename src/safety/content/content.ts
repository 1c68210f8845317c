import { z } from 'zod';

/** What the model tells pictures apart by, in the order of its numbers. */
const CLASSES = ['drawing', 'hentai', 'neutral', 'porn', 'sexy'] as const;

/** Rounded numbers may be a little over 1. */
const share = z.number().min(0).max(1.001);

/** How much a picture looks like one of each class; together about 1. */
export const contentShape = z.object({
  drawing: share,
  hentai: share,
  neutral: share,
  porn: share,
  sexy: share,
} satisfies Record<(typeof CLASSES)[number], z.ZodType>);
export type Content = Readonly<z.infer<typeof contentShape>>;

/** `sexy` would double the false alarms. */
const riskOf = ({ porn, hentai }: Content): number => porn + hentai;

/** Of 359 harmless pictures 4 are over it. A person decides about a result that is; the model errs both ways. */
export const INTIMATE_THRESHOLD = 0.85;

export const looksIntimate = (content: Content): boolean => riskOf(content) > INTIMATE_THRESHOLD;

/** What is said of the worst of several views of a picture. */
export const worstOf = (contents: readonly Content[]): Content | undefined =>
  contents.toSorted((one, other) => riskOf(other) - riskOf(one))[0];

export const contentOf = (numbers: Float32Array | undefined): Content =>
  contentShape.parse(Object.fromEntries(CLASSES.map((name, index) => [name, numbers?.[index]])));
