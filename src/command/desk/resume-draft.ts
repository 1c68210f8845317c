import { defined } from '../../base/defined.ts';
import { wordsFor } from '../../words/words.ts';
import { requireAction } from '../command.ts';
import type { Incoming } from '../desk.ts';
import { type Draft, draftPhotos } from '../draft.ts';
import { UserError } from '../errors.ts';
import type { Given } from '../option.ts';
import { isChannelSpeaker, personKey } from '../place.ts';
import type { Reply } from '../reply.ts';
import { tokens } from '../text/tokens.ts';
import type { PendingCommand } from './parts/dependencies.ts';
import { namingCommand } from './parts/error-reply.ts';
import type { DeskWithRefusals } from './parts/turn-away.ts';
import { ask } from './questions/ask.ts';
import { readLine } from './read-line.ts';
import type { RunCommand } from './run-command.ts';

export type Resume = ReturnType<typeof createResume>;

/** A draft counts as the event that began it, so that concurrent answers make one job. */
const continued = (incoming: Incoming, { event, place, againOf }: Draft): Incoming => ({
  ...incoming,
  event,
  isNew: false,
  press: incoming.event,
  place,
  ...defined({ againOf }),
});

/** Continues drafts, for the person they belong to. */
export function createResume(desk: DeskWithRefusals, run: RunCommand['run']) {
  const stale = ({ caller }: Incoming): UserError =>
    new UserError(wordsFor(caller.locale).press.stale, 'limit');

  /**
   * A draft continues in its own place and for its own caller, even if another person pressed elsewhere; only the language
   * follows the presser.
   */
  const pendingOf = (incoming: Incoming, draft: Draft) => {
    const { subcommand, given } = draft;
    const command = desk.commands.find((each) => each.name === draft.command);
    if (command === undefined) throw stale(incoming);
    const { options } = requireAction(command, subcommand, wordsFor(incoming.caller.locale));
    const pending = { incoming: continued(incoming, draft), command, subcommand, given, draft };
    return { options, pending: pending satisfies PendingCommand };
  };

  return {
    async own(
      id: string,
      { caller, place }: Pick<Incoming, 'caller' | 'place'>,
    ): Promise<Draft | 'stale' | 'notYours'> {
      const draft = /^[\w-]{1,32}$/.test(id) ? await desk.drafts.load(id) : undefined;
      if (draft === undefined) return 'stale';
      const anybodys = isChannelSpeaker(draft.caller.id) && draft.place.channel === place.channel;
      return anybodys || personKey(draft.caller) === personKey(caller) ? draft : 'notYours';
    },
    async withAnswers(incoming: Incoming, draft: Draft, answers: Given, page = 0): Promise<Reply> {
      const { options, pending } = pendingOf(incoming, draft);
      // Unknown options are ignored: the form is forged or outdated.
      const known = Object.entries(answers).filter(([name]) => Object.hasOwn(options, name));
      return run({ ...pending, given: { ...draft.given, ...Object.fromEntries(known) }, page });
    },
    async ask(incoming: Incoming, draft: Draft, option: string, page = 0): Promise<Reply> {
      const { options, pending } = pendingOf(incoming, draft);
      if (!Object.hasOwn(options, option)) throw stale(incoming);
      return ask(desk, pending, [option], page);
    },
    /** Goes on with another command, and with what was given for options that it has, too. */
    async switchTo(incoming: Incoming, draft: Draft, command: string, answers: Given): Promise<Reply> {
      if (draft.subcommand !== undefined) throw stale(incoming);
      const { options, pending } = pendingOf(incoming, { ...draft, command });
      const given = Object.entries({ ...draft.given, ...answers });
      const known = given.filter(([name]) => Object.hasOwn(options, name));
      return run({ ...pending, given: Object.fromEntries(known) });
    },
    /** Passes the draft's photos and text to another command. */
    async as(incoming: Incoming, draft: Draft, name: string): Promise<Reply> {
      const command = desk.commands.find((each) => each.name === name && each.generates);
      if (command === undefined) throw stale(incoming);
      const readAndRun = async () => {
        // A photo's caption becomes the text after the command.
        const pieces = tokens(String(draft.given.text ?? ''));
        const line = { name, bot: undefined, command, subcommand: undefined, pieces };
        const { given } = await readLine(desk, incoming, line, draftPhotos(draft));
        return run({ incoming: continued(incoming, draft), command, given, draft });
      };
      return namingCommand({ command, admitted: true }, readAndRun);
    },
  };
}
