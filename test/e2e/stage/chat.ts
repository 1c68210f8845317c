/** Both platforms as people see them, so that one story can be told on each. */
import { eventually } from '../../eventually.ts';
import type { Line, PersonInChat, SeenMessage, Spot } from '../../fakes/person.ts';

export type { Line };

/** A message as a person sees it. */
export interface Seen extends SeenMessage {
  /** Seen by this person alone. */
  readonly private: boolean;
}

export type Outcome = ReturnType<typeof createOutcome>;

/** Somebody in a room. A question is what an action led to, because a form may open without a message. */
export interface Person extends PersonInChat<Seen, Outcome, Outcome> {
  /** The name of the person in records: `discord:123`. */
  readonly key: string;
  /** The action of a button, or of an entry of a menu. */
  actionOf(message: Seen, label: string): string;
  /** The same message as it is now; undefined when it has gone or this person does not see it. */
  again(message: Pick<Seen, 'id'>): Seen | undefined;
  takesDown(message: Seen): void;
  sees(): readonly Seen[];
  /** The bot's messages where this person is that everybody sees. */
  seenByAll(): readonly Seen[];
  /** Becomes a moderator of the room, or stops being one. */
  moderates(yes: boolean): void;
  at(spot: Spot): Person;
}

/**
 * A room is a community of its own, and its people are in no other: whoever has the same name there, or when a test is
 * tried once more, is somebody else, with nothing used up and nothing in hand.
 */
export interface Room {
  readonly community: string;
  person(name: string, options?: { readonly language?: string }): Person;
}

export interface Platform {
  readonly name: 'discord' | 'telegram';
  /** A new one each time, so that no test meets another's messages or limits. */
  room(options?: {
    readonly hearsAll?: boolean;
    /** A server in which only the people themselves have the bot, where the platform has such. */
    readonly foreign?: boolean;
    readonly name?: string;
  }): Room;
}

/**
 * What came of something that a person did: notes, new messages, and the message whose button was pressed. `read` is asked
 * again and again until one of what it sees fits.
 */
export const createOutcome = (read: () => readonly Seen[]) => {
  /** Waits for a message that fits. */
  const until = (fits: (seen: Seen) => boolean, what: string): Promise<Seen> =>
    eventually(
      () => read().find(fits),
      what,
      () => `; seen:\n${describe(read())}`,
    );
  const isSaid = (words: string | RegExp, text: string): boolean =>
    typeof words === 'string' ? text.includes(words) : words.test(text);
  return {
    /** All messages that it led to, as they are now. */
    now: read,
    until,
    /** `Cancel` is on the card of a job that is not over. */
    offers: (label: string) => until(({ buttons }) => buttons.includes(label), `the button ${label}`),
    answer: () => until(({ text }) => text !== '', 'an answer'),
    /** A picture or a video. */
    result: (what = 'a result') => until(({ media }) => media !== undefined, what),
    says: (words: string | RegExp) => until(({ text }) => isSaid(words, text), `"${words}"`),
  };
};

const describe = (all: readonly Seen[]): string =>
  all.map(({ text, buttons, media }) => `- ${text} [${buttons}] ${media?.kind ?? ''}`).join('\n');
