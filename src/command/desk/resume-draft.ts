import { defined } from '../../base/defined.ts';
import { type Incoming, incomingOf } from '../desk.ts';
import type { Draft } from '../draft.ts';
import { UserError } from '../errors.ts';
import type { Given } from '../option.ts';
import type { PhotoRef } from '../photo.ts';
import { isChannelSpeaker, personKey } from '../place.ts';
import type { Reply } from '../reply.ts';
import type { DeskParts } from './desk-parts.ts';
import type { Asking } from './drafts-and-questions.ts';
import { actionOf, type PendingCommand } from './pending-command.ts';
import type { ReadLine } from './read-line.ts';
import type { Perform } from './run-command.ts';

/** Continues drafts, for the person they belong to. */
export interface Resume {
  own(id: string, by: Pick<Incoming, 'caller' | 'place'>): Promise<Draft | 'stale' | 'notYours'>;
  withAnswers(incoming: Incoming, draft: Draft, answers: Given, page?: number): Promise<Reply>;
  ask(incoming: Incoming, draft: Draft, option: string, page?: number): Promise<Reply>;
  /** Passes the draft's photos and text to another command. */
  as(incoming: Incoming, draft: Draft, command: string): Promise<Reply>;
}

/** A draft counts as the event that began it, so that concurrent answers make one job. */
function continued(incoming: Incoming, draft: Draft): Incoming {
  return {
    ...incomingOf(incoming),
    event: draft.event,
    press: incoming.event,
    place: draft.place,
    ...defined({ againOf: draft.againOf }),
  };
}

export function createResume(
  parts: DeskParts,
  { ask }: Asking,
  { perform, toErrorReply }: Perform,
  readLine: ReadLine,
): Resume {
  /**
   * A draft continues in its own place and for its own caller, whoever pressed and wherever; only the language follows
   * the presser.
   */
  const pendingOf = (incoming: Incoming, draft: Draft, answers: Given): PendingCommand => {
    const words = parts.words(incoming.caller.locale);
    const command = parts.commands.find((each) => each.name === draft.command);
    if (command === undefined) throw new UserError(words.press.stale, 'limit');
    const { options } = actionOf(command, draft.subcommand, words);
    // Ignore unknown options: the form is forged or outdated.
    const known = Object.fromEntries(
      Object.entries(answers).filter(([name]) => Object.hasOwn(options, name)),
    );
    return {
      incoming: continued(incoming, draft),
      command,
      given: { ...draft.given, ...known },
      draft,
      ...defined({ subcommand: draft.subcommand }),
    };
  };

  return {
    async own(id, { caller, place }) {
      const draft = /^[\w-]{1,32}$/.test(id) ? await parts.drafts.load(id) : undefined;
      if (draft === undefined) return 'stale';
      const anybodys = isChannelSpeaker(draft.caller.id) && draft.place.channel === place.channel;
      return anybodys || personKey(draft.caller) === personKey(caller) ? draft : 'notYours';
    },
    withAnswers: async (incoming, draft, answers, page = 0) =>
      perform({ ...pendingOf(incoming, draft, answers), page }),
    async ask(incoming, draft, option, page = 0) {
      const pending = pendingOf(incoming, draft, {});
      const words = parts.words(incoming.caller.locale);
      const { options } = actionOf(pending.command, pending.subcommand, words);
      if (!Object.hasOwn(options, option)) throw new UserError(words.press.stale, 'limit');
      return ask(pending, [option], page);
    },
    async as(incoming, draft, name) {
      const words = parts.words(incoming.caller.locale);
      const command = parts.commands.find((each) => each.name === name && each.generates);
      if (command === undefined) throw new UserError(words.press.stale, 'limit');
      const photos = Object.values(draft.given).filter(
        (value): value is PhotoRef => typeof value === 'object',
      );
      // A photo's caption becomes the text after the command.
      const said = `/${name} ${draft.given.text ?? ''}`;
      try {
        const line = await readLine(incoming, said, photos);
        const given = line?.given ?? {};
        return await perform({ incoming: continued(incoming, draft), command, given, draft });
      } catch (error) {
        return toErrorReply(error, words, command);
      }
    },
  };
}
