import type { ButtonContext } from '../command.ts';
import { type Incoming, incomingOf } from '../desk.ts';
import type { Draft, DraftHandle } from '../draft.ts';
import { isNextStep, type Reply } from '../reply.ts';
import { judgeGone, judgePress } from './check-press.ts';
import type { DeskParts } from './desk-parts.ts';
import { actionOf } from './pending-command.ts';
import type { Resume } from './resume-draft.ts';
import type { Perform } from './run-command.ts';
import type { TurnAway } from './turn-away.ts';

const jobId = /^[\w-]{1,56}$/;
/** The list in which a job's button stands: its draft and the page. */
const listed = /^([\w-]+)\.(\d{1,4})$/;

/** The question has been answered: what comes next may take its place. */
const inPlace = (reply: Reply): Reply => (isNextStep(reply) ? { ...reply, replaces: true } : reply);

/** Buttons: their data is hostile, so everything is looked up and everyone is checked again. */
export const createPress = (parts: DeskParts, performing: Perform, resume: Resume, turnAway: TurnAway) => {
  const visitFor = (incoming: Incoming): ButtonContext => ({
    ...parts.portsFor(incoming),
    ...incoming,
    words: parts.words(incoming.caller.locale),
    commands: parts.commands,
    now: parts.clock.now(),
    start: (command, given, as) =>
      performing.start({ ...incoming, press: incoming.event, ...as }, command, given),
  });

  /** A ready-made text stands in a button as `#` and its number. */
  const meaning = (draft: Draft, option: string, value: string, visit: ButtonContext): string => {
    const command = parts.commands.find((each) => each.name === draft.command);
    const declared = command && actionOf(command, draft.subcommand, visit.words).options[option];
    if (declared?.kind !== 'text' || declared.ideas === undefined) return value;
    return visit.words.ideas[declared.ideas][Number(/^#(\d)$/.exec(value)?.[1])] ?? value;
  };

  const handleOf = (incoming: Incoming, draft: Draft, visit: ButtonContext): DraftHandle => ({
    id: draft.id,
    choose: async (option, value) =>
      inPlace(await resume.withAnswers(incoming, draft, { [option]: meaning(draft, option, value, visit) })),
    ask: async (option) => inPlace(await resume.ask(incoming, draft, option)),
    turn: async (page) => {
      const turned =
        draft.asked === undefined
          ? await resume.withAnswers(incoming, draft, {}, page)
          : await resume.ask(incoming, draft, draft.asked, page);
      // A question stays one on every page: where platforms have forms, its form stays with it.
      if (turned.kind === 'ask' || !isNextStep(turned)) return inPlace(turned);
      return 'view' in turned ? { kind: 'replace', view: turned.view } : turned;
    },
    proceed: async () => inPlace(await resume.withAnswers(incoming, draft, {})),
    become: async (command) => inPlace(await resume.as(incoming, draft, command)),
    forget: () => parts.drafts.forget(draft),
  });

  /** A list stays when something in it goes: it shows what is left, where it is still known what it showed. */
  const withoutIt = async (
    incoming: Incoming,
    visit: ButtonContext,
    list: string,
    note: string,
  ): Promise<Reply> => {
    const [, id = '', page = ''] = listed.exec(list) ?? [];
    const draft = await resume.own(id, incoming);
    if (typeof draft === 'string') return { kind: 'note', text: note };
    return handleOf(incoming, draft, visit).turn(Number(page));
  };

  return async ({ action, pressed, ...rest }: Incoming & { readonly action: string }): Promise<Reply> => {
    const [verb = '', id = '', ...details] = action.length <= 64 ? action.split(':') : [];
    // A message that lists several is nobody's card.
    const incoming = incomingOf(details.length === 0 && pressed !== undefined ? { ...rest, pressed } : rest);
    const { caller, place } = incoming;
    const visit = visitFor(incoming);
    const note = (text: string): Reply => ({ kind: 'note', text });
    const notYours: Reply = { kind: 'note', text: visit.words.press.notYours, notYours: true };
    const button = parts.buttons.find((each) => each.verb === verb);
    if (button === undefined) return note(visit.words.press.stale);
    if (button.about === 'draft') {
      const draft = await resume.own(id, incoming);
      if (draft === 'notYours') return notYours;
      if (draft === 'stale') return { kind: 'note', text: visit.words.press.stale, stale: true };
      // It is continued where it began.
      const turnedAway = button.evenBlocked ? undefined : await turnAway({ caller, place: draft.place });
      if (turnedAway !== undefined) return turnedAway;
      return button.run(visit, handleOf(incoming, draft, visit), details);
    }
    const [list, ...excess] = details;
    const wellFormed = jobId.test(id) && excess.length === 0 && (list === undefined || listed.test(list));
    const job = wellFormed ? await parts.findJob(id) : undefined;
    const gone = job === undefined && wellFormed && list === undefined ? button.gone : undefined;
    if (gone !== undefined && (await judgeGone(place, visit.isModerator))) return gone(visit, id);
    const verdict = await judgePress(button.access, job, caller, place, visit.isModerator);
    if (job === undefined || verdict === 'not-found') return note(visit.words.press.notFound);
    if (verdict === 'not-yours') return notYours;
    const turnedAway = button.evenBlocked ? undefined : await turnAway(incoming);
    if (turnedAway !== undefined) return turnedAway;
    const reply = await button.run(visit, job);
    return reply.kind === 'remove' && list !== undefined
      ? withoutIt(incoming, visit, list, reply.note)
      : reply;
  };
};
