import type { Desk, Incoming, Suggestion } from '../../src/command/desk.ts';
import type { Given } from '../../src/command/option.ts';
import type { PhotoRef } from '../../src/command/photo.ts';
import type { CardRef } from '../../src/command/place.ts';
import type { Reply } from '../../src/command/reply.ts';

/** An event that an adapter handed in, however the platform carries it. */
export interface Heard extends Incoming {
  readonly via: 'command' | 'press' | 'answer';
  /** The name of a command, the action of a button or the id of a draft. */
  readonly what: string;
  readonly photos: readonly PhotoRef[];
  readonly given: Given;
  /** A line of text as it was written, on the platforms that have lines. */
  readonly line?: string;
}

/** A reply to come: what the desk answers, throws, or makes of the event. */
export type Script = Reply | Error | Promise<Reply> | ((heard: Heard) => Reply | Promise<Reply>);

/** A desk that answers with what the test wrote down beforehand and remembers what it was handed. */
export interface ScriptedDesk extends Desk {
  /** The replies to come, in order. */
  replies(...script: readonly Script[]): void;
  readonly heard: readonly Heard[];
  readonly cards: readonly { readonly job: string; readonly card: CardRef }[];
  /** The place where each job's result was shown last, beside its card. */
  readonly results: ReadonlyMap<string, CardRef | undefined>;
  /** Awaited after a card was reported. */
  reported: () => Promise<void>;
  /** Jobs whose cards could not be shown. */
  readonly unseen: readonly string[];
  /** The reply that everybody gets who is blocked; undefined: nobody is. */
  turnedAway: Reply | undefined;
  /** Whether a command is refused, and how; it may take its time. */
  refused: Promise<Reply | undefined>;
  /** Suggestions for somebody who types, for the limit that the adapter names. */
  completions: (limit: number) => readonly Suggestion[];
  /** Events that have made a job. */
  readonly jobs: Set<string>;
}

const photosIn = (given: Given): readonly PhotoRef[] =>
  Object.values(given).filter((value): value is PhotoRef => typeof value === 'object');

/** Opens a desk for tests of adapters, which answers a note while nothing is scripted. */
export const createScriptedDesk = (): ScriptedDesk => {
  const script: Script[] = [];
  const heard: Heard[] = [];
  const cards: { readonly job: string; readonly card: CardRef }[] = [];
  const results = new Map<string, CardRef | undefined>();
  const unseen: string[] = [];

  const hear = async (what: Heard): Promise<Reply> => {
    heard.push(what);
    const next = script.shift();
    if (next === undefined) return { kind: 'note', text: 'nothing was scripted' };
    if (next instanceof Error) throw next;
    return typeof next === 'function' ? next(what) : next;
  };

  const desk: ScriptedDesk = {
    turnedAway: undefined,
    refused: Promise.resolve(undefined),
    completions: () => [],
    reported: async () => undefined,
    jobs: new Set(),
    replies: (...more) => void script.push(...more),
    heard,
    cards,
    results,
    unseen,
    command: ({ command, given, ...incoming }) =>
      hear({ ...incoming, via: 'command', what: command, given, photos: photosIn(given) }),
    text: async ({ text, photos, ...incoming }) => {
      const command = /^\/(\w+)/.exec(text)?.[1];
      // A line that is no command answers the question that was asked last.
      return command === undefined
        ? hear({ ...incoming, via: 'answer', what: 'text', given: {}, photos, line: text })
        : hear({ ...incoming, via: 'command', what: command, given: {}, photos, line: text });
    },
    press: ({ action, ...incoming }) =>
      hear({ ...incoming, via: 'press', what: action, given: {}, photos: [] }),
    answer: ({ draft, answers, ...incoming }) =>
      hear({ ...incoming, via: 'answer', what: draft, given: answers, photos: photosIn(answers) }),
    complete: async (_incoming, limit) => desk.completions(limit),
    turnAway: async () => desk.turnedAway,
    inLanguage: async (incoming) => incoming,
    refusal: () => desk.refused,
    hasJob: async (event) => desk.jobs.has(event),
    async cardShown(job, card) {
      if (card === undefined) unseen.push(job);
      else cards.push({ job, card });
      await desk.reported();
    },
    resultShown: async ({ job }, card) => void results.set(job, card),
  };
  return desk;
};
