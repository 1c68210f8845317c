/** Both platforms as people see them, so that one story can be told on each. */
import { eventually } from '../../eventually.ts';

/** A message as a person sees it. */
export interface Seen {
  readonly id: string;
  readonly text: string;
  /** Labels, in reading order. */
  readonly buttons: readonly string[];
  readonly media?: { readonly kind: 'image' | 'video' | 'file'; readonly bytes: Uint8Array };
  /** Seen by this person alone. */
  readonly private: boolean;
}

export interface Line {
  /** The command without its slash, with its subcommand: `alias create`. */
  readonly command: string;
  readonly given?: Readonly<Record<string, string>>;
  readonly photos?: Readonly<Record<string, Uint8Array>>;
}

export type Outcome = ReturnType<typeof createOutcome>;

export interface Member {
  /** The name of the person in records: `discord:123`. */
  readonly key: string;
  types(line: Line): Outcome;
  presses(message: Seen, label: string): Outcome;
  /** Writes the answer to a question: in the form that opened, or as the next message. */
  answers(question: Outcome, text: string): Promise<Outcome>;
  /** Presses with data that no button of the message has. */
  forges(message: Seen, data: string): Outcome;
  /** The data behind a button. */
  dataOf(message: Seen, label: string): string;
  /** The same message as it is now; undefined when it has gone or this person does not see it. */
  again(message: Pick<Seen, 'id'>): Seen | undefined;
  /** Takes a message of the bot's away. */
  takesDown(message: Seen): void;
  /** The bot's messages in the room that everybody sees. */
  room(): readonly Seen[];
  /** The bot's messages in the direct chat with this person. */
  inbox(): readonly Seen[];
  /** Becomes a moderator of the room, or stops being one. */
  moderates(yes: boolean): void;
  /** The same person, writing to the bot directly. */
  directly(): Member;
}

/**
 * A room is a community of its own, and its people are in no other: whoever has the same name there, or when a test is
 * tried once more, is somebody else, with nothing used up and nothing in hand.
 */
export interface Room {
  readonly community: string;
  member(name: string, options?: { readonly language?: string }): Member;
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
