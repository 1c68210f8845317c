import type { Desk, Incoming } from '../../../../../src/command/desk.ts';
import type { Reply } from '../../../../../src/command/reply.ts';
import type { Line, View } from '../../../../../src/command/view.ts';
import type { Fault } from '../driver.ts';
import type { Api, Body } from '../platform.ts';

/** By what an adapter does wrong: the one mistake, and the cases that must notice it. */
export type Broken = Readonly<Record<string, readonly [fault: Fault | (() => Fault), ...cases: string[]]>>;

type Kind = Reply['kind'];
type Of<K extends Kind> = Extract<Reply, { kind: K }>;

type Press = Parameters<Desk['press']>[0];
type Answer = Parameters<Desk['answer']>[0];
type Text = Parameters<Desk['text']>[0];

/** Replies of one kind are taken for others. */
export const reply = <K extends Kind>(kind: K, change: (reply: Of<K>) => Reply): Fault => {
  const isMeant = (given: Reply | undefined): given is Of<K> => given?.kind === kind;
  const changed = async <R extends Reply | undefined>(answer: Promise<R>): Promise<Reply | R> => {
    const given = await answer;
    return isMeant(given) ? change(given) : given;
  };
  return {
    desk: (desk) => ({
      text: (incoming) => changed(desk.text(incoming)),
      press: async (incoming) => changed<Reply>(desk.press(incoming)),
      answer: async (incoming) => changed<Reply>(desk.answer(incoming)),
    }),
  };
};

/** What is shown is another view. */
export const view = (change: (view: View) => View): Fault => ({
  desk: (desk) => ({
    async text(incoming) {
      const given = await desk.text(incoming);
      return given !== undefined && 'view' in given ? { ...given, view: change(given.view) } : given;
    },
  }),
});

/** Spans with this key are left out. */
export const without = (key: string): Fault => {
  const left = (line: Line): Line =>
    typeof line === 'string' ? line : line.filter((span) => typeof span === 'string' || !(key in span));
  return view((each) => ({ ...each, lines: each.lines.map(left) }));
};

/** What is told of an event is something else. */
export const incoming = (change: (incoming: Incoming) => Partial<Incoming>): Fault => ({
  desk: (desk) => ({
    text: (each) => desk.text({ ...each, ...change(each) }),
    press: (each) => desk.press({ ...each, ...change(each) }),
    answer: (each) => desk.answer({ ...each, ...change(each) }),
  }),
});

/** What is told of a press is something else. */
export const press = (change: (each: Press) => Press): Fault =>
  desk((own) => ({ press: (each) => own.press(change(each)) }));
export const answer = (change: (each: Answer) => Answer): Fault =>
  desk((own) => ({ answer: (each) => own.answer(change(each)) }));
export const text = (change: (each: Text) => Text): Fault =>
  desk((own) => ({ text: (each) => own.text(change(each)) }));

export const desk = (change: (desk: Desk) => Partial<Desk>): Fault => ({ desk: change });

/** What is posted or edited is something else. */
export const body = (change: (body: Body) => Body): Fault => ({
  api: (api) => ({
    post: (to, each) => api.post(to, change(each)),
    edit: (id, each) => api.edit(id, change(each)),
  }),
});

export const media = (
  change: (media: NonNullable<Body['media']>) => Partial<NonNullable<Body['media']>>,
): Fault =>
  body((each) =>
    each.media === undefined
      ? each
      : { ...each, media: { ...each.media, ...change(each.media) } as NonNullable<Body['media']> },
  );

type To = Parameters<Api['post']>[0];
export const to = (change: (to: To) => To): Fault => ({
  api: (api) => ({ post: (each, what) => api.post(change(each), what) }),
});

export const adapter = (change: NonNullable<Fault['adapter']>): Fault => ({ adapter: change });

export const same = <T extends { readonly action: string }>(all: readonly T[]): readonly T[] =>
  all.map((each) => ({ ...each, action: all[0]?.action ?? '' }));

/** Every press is believed. */
export const believing: Fault = {
  api: (api) => ({
    async get(id) {
      const post = await api.get(id);
      return post && { ...post, body: { ...post.body, buttons: [{ action: 'delete:1', label: '' }] } };
    },
  }),
};

export const silent = (reply: Of<'note'>): Reply => ({ ...reply, text: '' });
