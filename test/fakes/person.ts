/** The words in which the adapter suite and the e2e tests tell what people in front of a platform do and see. */

/** A message of the bot's as a person sees it. */
export interface SeenMessage {
  readonly id: string;
  readonly text: string;
  /** Labels, in reading order. */
  readonly buttons: readonly string[];
  readonly media?: { readonly kind: 'image' | 'video' | 'file'; readonly bytes: Uint8Array };
}

/** A command as somebody types it. */
export interface Line {
  /** The command without its slash, with its subcommand: `alias create`. */
  readonly command: string;
  readonly given?: Readonly<Record<string, string>>;
  readonly photos?: Readonly<Record<string, Uint8Array>>;
}

/** The common room, or the person's direct chat with the bot. */
export type Spot = 'room' | 'direct';

/**
 * Somebody in front of a chat platform. `Question`: what stands for a question that is asked; `Done`: what a test is given for
 * an action.
 */
export interface PersonInChat<Message extends SeenMessage, Question, Done> {
  types(line: Line): Done;
  /** Presses a button, or chooses from a menu or among tiles. */
  presses(message: Message, label: string): Done;
  /** Presses with an action that no button of the message has. */
  forges(message: Message, action: string): Done;
  /** Answers a question in the way that the platform offers for it: in a form, or with the next message. */
  answers(question: Question, answer: string): Promise<Awaited<Done>>;
  /** Takes a message of the bot's away, as a moderator of the platform can. */
  takesDown(message: Message): void | Promise<void>;
  /** The bot's messages that this person sees where they are, oldest first, with those that only they see. */
  sees(): readonly Message[] | Promise<readonly Message[]>;
  /** The same person somewhere else. */
  at(spot: Spot): PersonInChat<Message, Question, Done>;
}
