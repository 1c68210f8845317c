import type { Desk, Incoming } from '../../../../src/command/desk.ts';
import type { Note, Reply, ReplyOf } from '../../../../src/command/reply.ts';
import type { Line, View } from '../../../../src/command/view.ts';
import type { Fault } from './driver.ts';
import type { Api, Body } from './platform.ts';

/** Ways in which an adapter can be wrong. */

type Kind = Reply['kind'];
type Of<K extends Kind> = ReplyOf<K>;

/** Replies of one kind are taken for others. */
export const reply = <K extends Kind>(kind: K, change: (reply: Of<K>) => Reply): Fault => {
  const isMeant = (given: Reply | undefined): given is Of<K> => given?.kind === kind;
  const changed = async <R extends Reply | undefined>(answer: Promise<R>): Promise<Reply | R> => {
    const given = await answer;
    return isMeant(given) ? change(given) : given;
  };
  return desk((own) => ({
    text: (incoming) => changed(own.text(incoming)),
    press: async (incoming) => changed<Reply>(own.press(incoming)),
    answer: async (incoming) => changed<Reply>(own.answer(incoming)),
  }));
};

/** A reply of one kind has no such flag. */
export const flagless = <K extends Kind>(kind: K, flag: Exclude<keyof Of<K>, 'kind'>): Fault =>
  reply(kind, (given) => ({ ...given, [flag]: undefined }));

/** Notes of this kind are empty. */
export const silent = (kind: Note['kind']): Fault => reply(kind, (given) => ({ ...given, text: '' }));

/** Notes of this kind are shown as every note is. */
export const asNote = (kind: Note['kind']): Fault => reply(kind, ({ text }) => ({ kind: 'note', text }));

/** Notes of this kind are told to everybody. */
export const toldToAll = (kind: Note['kind']): Fault =>
  reply(kind, ({ text }) => ({
    kind: 'message',
    audience: 'everyone',
    view: { tone: 'info', lines: [text] },
  }));

/** The adapter shows another view. */
export const view = (change: (view: View) => View): Fault =>
  desk((own) => ({
    async text(incoming) {
      const given = await own.text(incoming);
      return given !== undefined && 'view' in given ? { ...given, view: change(given.view) } : given;
    },
  }));

/** Spans with this key are left out. */
export const without = (key: string): Fault => {
  const left = (line: Line): Line =>
    typeof line === 'string' ? line : line.filter((span) => typeof span === 'string' || !(key in span));
  return view((each) => ({ ...each, lines: each.lines.map(left) }));
};

/** The adapter tells something else of an event. */
export const incoming = (change: (incoming: Incoming) => Partial<Incoming>): Fault =>
  desk((own) => ({
    text: (each) => own.text({ ...each, ...change(each) }),
    press: (each) => own.press({ ...each, ...change(each) }),
    answer: (each) => own.answer({ ...each, ...change(each) }),
  }));

type Told<Part extends 'press' | 'answer' | 'text'> = Parameters<Desk[Part]>[0];
export const press = (change: (each: Told<'press'>) => Told<'press'>): Fault =>
  desk((own) => ({ press: (each) => own.press(change(each)) }));
export const answer = (change: (given: Told<'answer'>['answers']) => Told<'answer'>['answers']): Fault =>
  desk((own) => ({ answer: (each) => own.answer({ ...each, answers: change(each.answers) }) }));
export const text = (change: (each: Told<'text'>) => Partial<Told<'text'>>): Fault =>
  desk((own) => ({ text: (each) => own.text({ ...each, ...change(each) }) }));

export const desk = (change: NonNullable<Fault['desk']>): Fault => ({ desk: change });
export const adapter = (change: NonNullable<Fault['adapter']>): Fault => ({ adapter: change });
export const api = (change: NonNullable<Fault['api']>): Fault => ({ api: change });

/** The adapter posts or edits something else. */
export const body = (change: (body: Body) => Partial<Body>): Fault =>
  api((own) => ({
    post: (to, each) => own.post(to, { ...each, ...change(each) }),
    edit: (id, each) => own.edit(id, { ...each, ...change(each) }),
  }));
export const written = (pattern: RegExp, instead: string): Fault =>
  body((each) => ({ text: each.text.replaceAll(pattern, instead) }));

export const media = (change: Partial<NonNullable<Body['media']>>): Fault =>
  body((each) =>
    each.media === undefined ? {} : { media: { ...each.media, ...change } as typeof each.media },
  );

type To = Parameters<Api['post']>[0];
export const to = (change: (to: To) => Partial<To>): Fault =>
  api((own) => ({ post: (each, what) => own.post({ ...each, ...change(each) }, what) }));

/** All buttons do what the first one does. */
export const same = <T extends { readonly action: string }>(all: readonly T[]): readonly T[] =>
  all.map((each) => ({ ...each, action: all[0]?.action ?? '' }));
