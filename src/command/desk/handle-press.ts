import type { Words } from '../../words/words.ts';
import { actionIn, type ButtonContext, type StartedAs } from '../command.ts';
import type { Incoming } from '../desk.ts';
import { type Draft, type DraftHandle, decideAlbum, draftPhotos } from '../draft.ts';
import type { JobSummary } from '../jobs-port.ts';
import type { Given } from '../option.ts';
import { isPersonal, type Place } from '../place.ts';
import { inPlace, isRefusal, type Reply } from '../reply.ts';
import { hasFollowUp } from '../request.ts';
import { ENTRY_NUMBER, withNextEntry } from '../waiting-lists.ts';
import { judgePress } from './access/check-access.ts';
import { contextFor } from './parts/dependencies.ts';
import type { DeskWithRefusals } from './parts/turn-away.ts';
import type { Resume } from './resume-draft.ts';
import type { RunCommand } from './run-command.ts';

const JOB_ID = /^[\w-]{1,56}$/;
/** The list that contains a job's button: its draft and page. */
const LIST_AND_PAGE = /^([\w-]+)\.(\d{1,4})$/;

/** Where a job was asked for; `pressedIn` may be a direct chat, or a list in another community. */
function placeOf({ community, channel = '' }: JobSummary, pressedIn: Place): Place {
  if (community === pressedIn.community) return pressedIn;
  return { platform: pressedIn.platform, community, channel, direct: isPersonal(community) };
}

/** Handles button presses. Their data is untrusted: everything is looked up and checked again. */
export function createPress(desk: DeskWithRefusals, start: RunCommand['start'], resume: Resume) {
  const { turnAway } = desk;
  /** A suggested text is encoded in a button as `#` and its number. */
  const meaning = (draft: Draft, option: string, value: string, words: Words): string => {
    const command = desk.commands.find((each) => each.name === draft.command);
    const declared = command && actionIn(command, draft.subcommand)?.options[option];
    if (declared?.kind !== 'text' || declared.ideas === undefined) return value;
    return words.ideas[declared.ideas][Number(/^#(\d)$/.exec(value)?.[1])] ?? value;
  };

  const turn = async (incoming: Incoming, draft: Draft, page: number): Promise<Reply> => {
    const turned =
      draft.asked === undefined
        ? await resume.withAnswers(incoming, draft, {}, page)
        : await resume.ask(incoming, draft, draft.asked, page);
    // A question stays a question on every page, so that platforms with forms keep its form.
    if (turned.kind !== 'message' || isRefusal(turned)) return inPlace(turned);
    return { kind: 'replace', view: turned.view };
  };

  /** A message that is shown meanwhile replaces the question, as the answer does. */
  const meanwhileInPlace = ({ meanwhile, ...incoming }: Incoming): Incoming =>
    meanwhile === undefined
      ? incoming
      : { ...incoming, meanwhile: (shown) => meanwhile({ ...shown, replaces: true }) };

  const handleOf = (incoming: Incoming, draft: Draft, words: Words): DraftHandle => ({
    id: draft.id,
    photos: draftPhotos(draft),
    people: draft.people,
    async choose(option, value) {
      const answers = {
        [option]: typeof value === 'string' ? meaning(draft, option, value, words) : value,
      };
      return inPlace(await resume.withAnswers(incoming, draft, answers));
    },
    ask: async (option) => inPlace(await resume.ask(incoming, draft, option)),
    turn: (page) => turn(incoming, draft, page),
    proceed: async () => inPlace(await resume.withAnswers(incoming, draft, {})),
    become: async (command) => inPlace(await resume.as(incoming, draft, command)),
    switchTo: async (command, photo) => inPlace(await resume.switchTo(incoming, draft, command, { photo })),
    async takeAlbum(all) {
      const decided = { ...draft, given: decideAlbum(draft.given, all) };
      return inPlace(await resume.withAnswers(incoming, decided, {}));
    },
    forget: () => desk.drafts.forget(draft),
  });

  /** Redraws a list after one of its jobs was deleted, if its draft still exists. */
  const withoutIt = async (incoming: Incoming, list: string, note: string): Promise<Reply> => {
    const [, id = '', page = ''] = LIST_AND_PAGE.exec(list) ?? [];
    const draft = await resume.own(id, incoming);
    return typeof draft === 'string' ? { kind: 'note', text: note } : turn(incoming, draft, Number(page));
  };

  return async ({ action, pressed, ...rest }: Incoming & { readonly action: string }): Promise<Reply> => {
    const [verb = '', id = '', ...details] = action.length <= 64 ? action.split(':') : [];
    // A list is not the card of one job.
    const incoming = details.length === 0 && pressed !== undefined ? { ...rest, pressed } : rest;
    const { caller, place } = incoming;
    const context: ButtonContext = {
      ...contextFor(desk, incoming),
      start: (command: string, given: Given, as?: StartedAs) =>
        start({ ...incoming, press: incoming.event, ...as }, command, given),
    };
    const { ports, words } = context;
    const { press } = words;
    const notYours: Reply = { kind: 'not-yours', text: press.notYours };
    const button = desk.buttons.find((each) => each.verb === verb);
    if (button === undefined) return { kind: 'note', text: press.stale };
    if (button.about === 'draft') {
      const draft = await resume.own(id, incoming);
      if (draft === 'notYours') return notYours;
      if (draft === 'stale') return { kind: 'stale', text: press.stale };
      // A draft continues in the place where it began.
      const turnedAway = button.openToBlocked ? undefined : await turnAway({ caller, place: draft.place });
      const handle = handleOf(meanwhileInPlace(incoming), draft, words);
      return turnedAway ?? button.run(context, handle, details);
    }
    if (button.about !== 'job') {
      const { about } = button;
      const [number, ...rest] = details;
      const isInList = about !== 'overview' && number !== undefined && ENTRY_NUMBER.test(number);
      const isWellFormed = JOB_ID.test(id) && rest.length === 0 && (number === undefined || isInList);
      if (!isWellFormed) return { kind: 'note', text: press.notFound };
      const turnedAway = button.openToBlocked ? undefined : await turnAway(incoming);
      if (turnedAway !== undefined) return turnedAway;
      const answer = await button.run(context, id);
      return isInList ? withNextEntry(answer, about, Number(number), words) : answer;
    }
    const [list, ...excess] = details;
    const isWellFormed =
      JOB_ID.test(id) && excess.length === 0 && (list === undefined || LIST_AND_PAGE.test(list));
    const job = isWellFormed ? await ports.jobs.find(id) : undefined;
    const gone = job === undefined && isWellFormed && list === undefined ? button.gone : undefined;
    // Without the record, its owner is unknown.
    if (gone !== undefined && (place.direct || (await ports.isModerator()))) return gone(context, id);
    const verdict = await judgePress(button.access, job, caller, place, ports.isModerator);
    if (job === undefined || verdict === 'not-found') return { kind: 'note', text: press.notFound };
    if (verdict === 'not-yours') return notYours;
    if (!hasFollowUp(job.kind, verb)) return { kind: 'note', text: press.stale };
    const where = button.actsThere ? placeOf(job, place) : place;
    const turnedAway = button.openToBlocked ? undefined : await turnAway({ caller, place: where });
    if (turnedAway !== undefined) return turnedAway;
    const reply = await button.run(context, job);
    return reply.kind === 'remove' && list !== undefined ? withoutIt(incoming, list, reply.note) : reply;
  };
}
