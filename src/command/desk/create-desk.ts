import { defined } from '../../base/defined.ts';
import type { Words } from '../../words/words.ts';
import type { Command } from '../command.ts';
import { type Desk, type Incoming, incomingOf } from '../desk.ts';
import { UserError } from '../errors.ts';
import type { Reply } from '../reply.ts';
import { complete } from '../search/complete.ts';
import { commandName, headOf, nearestCommands } from '../text/grammar.ts';
import { createBlockedReply } from './blocked-reply.ts';
import type { DeskParts } from './desk-parts.ts';
import { createAsking } from './drafts-and-questions.ts';
import { createPress } from './handle-press.ts';
import { createPeople } from './known-users.ts';
import { actionOf } from './pending-command.ts';
import { createReadLine } from './read-line.ts';
import { createResume } from './resume-draft.ts';
import { createPerform } from './run-command.ts';
import { createWrittenAnswer } from './written-answer.ts';

/** The desk of all platforms. No user input makes it throw. */
export function createDesk(parts: DeskParts): Desk {
  const asking = createAsking(parts);
  const people = createPeople();
  for (const { caller, place } of parts.knownUsers ?? []) people.noticed(caller, place);
  const blockedReply = createBlockedReply(parts);
  const performing = createPerform(parts, asking, people, blockedReply);
  const readLine = createReadLine(parts);
  const resume = createResume(parts, asking, performing, readLine);
  const press = createPress(parts, performing, resume, blockedReply);
  const writtenAnswer = createWrittenAnswer(parts, resume);
  const wordsOf = (incoming: Pick<Incoming, 'caller'>): Words => parts.words(incoming.caller.locale);

  /** Blocked people get no error details. */
  const toErrorReply = async (error: unknown, incoming: Incoming, command?: Command): Promise<Reply> => {
    const blocked = await blockedReply(incoming).catch(() => undefined);
    return blocked ?? performing.toErrorReply(error, wordsOf(incoming), command);
  };

  const guarded = async <R>(incoming: Incoming, run: () => Promise<R>) => {
    try {
      return await run();
    } catch (error) {
      return toErrorReply(error, incoming);
    }
  };

  const commandOf = (name: string): Command | undefined => parts.commands.find((each) => each.name === name);

  return {
    command: (incoming) =>
      guarded(incoming, async () => {
        const command = commandOf(incoming.command);
        if (command === undefined) return performing.start(incoming, incoming.command, incoming.given);
        const { subcommand, given } = incoming;
        return performing.perform({
          incoming: incomingOf(incoming),
          command,
          given,
          ...defined({ subcommand }),
        });
      }),

    text: (incoming) =>
      guarded(incoming, async () => {
        const { place, text, photos } = incoming;
        const name = commandName(text);
        if (name === undefined) return writtenAnswer(incoming);
        const command = commandOf(name);
        // In a group, a command unlike any of ours is for another bot, unless it names us.
        const isAddressed = headOf(text)?.bot !== undefined;
        const forUs = place.direct || isAddressed || nearestCommands(name, parts.commands).length > 0;
        if (command === undefined && !forUs) return undefined;
        try {
          const line = await readLine(incoming, text, photos);
          if (line === undefined) return undefined;
          const { subcommand, given } = line;
          return await performing.perform({
            incoming: incomingOf(incoming),
            command: line.command,
            given,
            ...defined({ subcommand }),
          });
        } catch (error) {
          return toErrorReply(error, incoming, command);
        }
      }),

    press: (incoming) => guarded(incoming, () => press(incoming)),

    answer: (incoming) =>
      guarded(incoming, async () => {
        const draft = await resume.own(incoming.draft, incoming);
        if (typeof draft === 'string') throw new UserError(wordsOf(incoming).press[draft], 'limit');
        return resume.withAnswers(incoming, draft, incoming.answers);
      }),

    complete: ({ caller, place, command: name, subcommand, option, typed, given = {} }, limit) => {
      const command = commandOf(name);
      try {
        if (command === undefined) return [];
        const words = wordsOf({ caller });
        const { options } = actionOf(command, subcommand, words);
        return complete(
          { options, option, typed, given, community: place.community, words },
          parts.knownNames,
          parts.commands,
          limit,
        );
      } catch (error) {
        if (!(error instanceof UserError)) parts.onError(error, 'complete');
        return [];
      }
    },

    blockedReply,
    shown: performing.shown,
  };
}
