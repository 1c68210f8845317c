import { z } from 'zod';
import type { Records } from '../../base/keyv/records.ts';
import type { CardRef } from '../../command/place.ts';
import { PLATFORMS } from '../../platforms/platforms.ts';

const shape = z.object({
  messages: z.array(z.object({ platform: z.enum(PLATFORMS), ref: z.string() })),
  tries: z.int().min(0),
  /** When the next try is due. */
  due: z.number(),
});
export type MessageDeletion = Readonly<z.infer<typeof shape>>;

/** Nobody's own: a person who deletes their data does not end a deletion. It tells only where messages are. */
export const messageDeletionRecordRules = {
  isValid: (_: string, value: unknown): boolean => shape.safeParse(value).success,
};

export type MessageDeletions = ReturnType<typeof createMessageDeletions>;

/** Messages that are still to be deleted, by the job whose result they show. */
export function createMessageDeletions(records: Records, now: () => number) {
  const read = (stored: unknown): MessageDeletion | undefined => shape.safeParse(stored).data;
  const isSame = (a: CardRef, b: CardRef): boolean => a.platform === b.platform && a.ref === b.ref;
  return {
    /** Adds messages; those that are waiting stay. */
    async add(job: string, messages: readonly CardRef[], due: number): Promise<void> {
      await records.update<unknown>(job, (stored) => {
        const before = read(stored);
        const others = (before?.messages ?? []).filter((each) => !messages.some((own) => isSame(own, each)));
        return { messages: [...others, ...messages], tries: before?.tries ?? 0, due };
      });
    },
    /** After a try with `tried`: those of them that are `left` wait until `due`, or are given up if that is undefined. */
    async tried(
      job: string,
      tried: readonly CardRef[],
      left: readonly CardRef[],
      due: number | undefined,
    ): Promise<void> {
      await records.update<unknown>(
        job,
        (stored) => {
          const before = read(stored);
          if (before === undefined) return undefined;
          const isWaiting = (card: CardRef): boolean =>
            !tried.some((each) => isSame(each, card)) ||
            (due !== undefined && left.some((each) => isSame(each, card)));
          const messages = before.messages.filter(isWaiting);
          return { messages, tries: before.tries + 1, due: due ?? before.due };
        },
        // A record without messages is deleted.
        (after) => (read(after)?.messages.length === 0 ? 0 : undefined),
      );
    },
    async due(): Promise<readonly (MessageDeletion & { readonly job: string })[]> {
      const found: (MessageDeletion & { readonly job: string })[] = [];
      for await (const [job, stored] of records.iterator()) {
        const deletion = read(stored);
        if (deletion !== undefined && deletion.due <= now()) found.push({ ...deletion, job });
      }
      return found;
    },
  };
}
