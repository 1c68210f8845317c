import { z } from 'zod';
import { DAY_MS } from '../../base/clock.ts';
import type { Records } from '../../base/keyv/records.ts';
import type { CardRef } from '../../command/place.ts';
import { PLATFORMS } from '../../platforms/platforms.ts';

/** As long as records of jobs, and a day for those that end last. */
const LIFE_MS = 31 * DAY_MS;
/** A result is shown in fewer messages; the bot refuses to show it in another one. */
const MOST_MESSAGES = 100;

const messageShape = z.object({
  card: z.object({ platform: z.enum(PLATFORMS), ref: z.string() }),
  /** For people who can see the message. */
  link: z.string().exactOptional(),
});
const shape = z.object({
  /** Whose result it is (`personKey`). */
  owner: z.string(),
  messages: z.array(messageShape),
  /** The events that were about to be answered with the result: where is not known yet, or will never be, because the process died. */
  begun: z.array(z.string()),
});
type Shown = Readonly<z.infer<typeof shape>>;
/** A message that shows a result beside the job's card. */
export type ResultMessage = Readonly<z.infer<typeof messageShape>>;

/** Tells the store whose each record is, so that it is deleted with that person's data, and whether it is valid. */
export const resultMessageRecordRules = {
  ownerOf: (_: string, value: unknown): string | undefined => shape.safeParse(value).data?.owner,
  isValid: (_: string, value: unknown): boolean => shape.safeParse(value).success,
};

export type ResultMessages = ReturnType<typeof createResultMessages>;

/** The messages that show a job's result beside its card, by the id of the job. */
export function createResultMessages(records: Records) {
  const read = (stored: unknown): Shown | undefined => shape.safeParse(stored).data;
  const isSame = (a: CardRef, b: CardRef): boolean => a.platform === b.platform && a.ref === b.ref;

  return {
    /** Notes that an event is about to be answered with the result. False: there are too many messages with it. */
    async begin(job: string, owner: string, event: string): Promise<boolean> {
      let hasRoom = true;
      await records.update<unknown>(
        job,
        (stored) => {
          const { messages = [], begun = [] } = read(stored) ?? {};
          const others = begun.filter((each) => each !== event);
          hasRoom = messages.length + others.length < MOST_MESSAGES;
          return hasRoom ? { owner, messages, begun: [...others, event] } : undefined;
        },
        LIFE_MS,
      );
      return hasRoom;
    },
    /** Notes where the answer to that event is; undefined: it is nowhere. */
    async shown(
      job: string,
      owner: string,
      event: string,
      message: ResultMessage | undefined,
    ): Promise<void> {
      await records.update<unknown>(
        job,
        (stored) => {
          const before = read(stored) ?? { messages: [], begun: [] };
          const others = before.messages.filter(({ card }) => !message || !isSame(card, message.card));
          const messages = message === undefined ? before.messages : [...others, message];
          return { owner, messages, begun: before.begun.filter((each) => each !== event) };
        },
        LIFE_MS,
      );
    },
    /** `unknown`: the number of messages that may show it as well, of which nobody knows where they are. */
    async of(
      job: string,
    ): Promise<{ readonly messages: readonly ResultMessage[]; readonly unknown: number }> {
      const { messages = [], begun = [] } = read(await records.get(job)) ?? {};
      return { messages, unknown: begun.length };
    },
    forget: (job: string): Promise<boolean> => records.delete(job),
    /** The jobs of messages that fit. Read in pages, so that nobody waits for all of them. */
    async *findJobs(fits: (message: ResultMessage) => boolean): AsyncGenerator<string> {
      for await (const [job, stored] of records.iterator()) if (read(stored)?.messages.some(fits)) yield job;
    },
  };
}
