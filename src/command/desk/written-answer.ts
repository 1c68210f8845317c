import { wordsFor } from '../../words/words.ts';
import { requireAction } from '../command.ts';
import { describe } from '../describe.ts';
import type { TextMessage } from '../desk.ts';
import { type Draft, loosePhotos } from '../draft.ts';
import { looksLikeLink } from '../link.ts';
import type { Given } from '../option.ts';
import { choiceNamed } from '../read-arguments.ts';
import { completesQuestion, type Reply } from '../reply.ts';
import { shorten } from '../shorten.ts';
import { isYesOrNo } from '../text/could-be-value.ts';
import { givePhotos } from '../text/grammar.ts';
import type { DeskWithRefusals } from './parts/turn-away.ts';
import { rows } from './questions/paging.ts';
import type { Resume } from './resume-draft.ts';

/** Marks the question as answered, unless this was no answer to it. */
const answering = (draft: Draft, reply: Reply): Reply =>
  completesQuestion(reply) ? { ...reply, answers: draft.id } : reply;

/** A message without a command: an answer to a question, a bare photo, or not for us. */
export function createWrittenAnswer(desk: DeskWithRefusals, resume: Resume) {
  const answersIn = (draft: Draft, { text, photos, caller, place }: TextMessage): Given | undefined => {
    const { asked } = draft;
    const command = desk.commands.find((each) => each.name === draft.command);
    if (asked === undefined || command === undefined) return undefined;
    const said = text.trim();
    const words = wordsFor(caller.locale);
    const action = requireAction(command, draft.subcommand, words);
    if (draft.awaits === 'text') {
      if (said === '' || photos.length > 0) return undefined;
      const option = action.options[asked];
      const isAnswer =
        option?.kind === 'choice'
          ? choiceNamed(said.toLowerCase(), [...option.choices, ...(option.minors ?? [])], words) !==
            undefined
          : option?.kind !== 'flag' || isYesOrNo(said);
      // In a group, text that matches no choice is not an answer.
      if (!isAnswer && !place.direct) return undefined;
      return { [asked]: said };
    }
    if (photos.length === 0) return looksLikeLink(said) ? { [asked]: said } : undefined;
    const { [asked]: _before, ...given } = draft.given;
    return givePhotos(action, given, photos);
  };

  const askWhatToDo = async ({ event, caller, place, text, photos }: TextMessage): Promise<Reply> => {
    const words = wordsFor(caller.locale);
    const offered = desk.commands.filter((command) => command.generates);
    const given: Given = {
      ...loosePhotos(photos),
      ...(text.trim() === '' ? {} : { text: shorten(text.trim(), 2000) }),
    };
    const id = desk.newId();
    await desk.drafts.savePhotos({ id, command: '', given, caller, place, event });
    const buttons = offered.map(({ name }) => ({ action: `do:${id}:${name}`, label: `/${name}` }));
    return {
      kind: 'message',
      audience: 'everyone',
      view: {
        tone: 'ask',
        title: words.ask.whatToDo,
        lines: [
          words.ask.whatToDoLine,
          ...offered.map((command) => [{ bold: `/${command.name}` }, ` ${describe(words, command)}`]),
        ],
        buttons: rows(buttons, 2),
      },
    };
  };

  return async (message: TextMessage): Promise<Reply | undefined> => {
    const { caller, place, photos } = message;
    const draft = await desk.drafts.awaiting(caller, place);
    const answers = draft && answersIn(draft, message);
    if (draft !== undefined && answers !== undefined)
      return answering(draft, await resume.withAnswers(message, draft, answers));
    if (!place.direct) return undefined;
    const turnedAway = await desk.unapprovedReply(message);
    if (turnedAway !== undefined) return turnedAway;
    if (photos.length > 0) return askWhatToDo(message);
    if (draft?.awaits !== 'image' || draft.asked === undefined || draft.people !== undefined)
      return undefined;
    return answering(draft, await resume.ask(message, draft, draft.asked));
  };
}
