import type { Media } from '../../../../src/command/view.ts';

/** A chat platform in memory, as small as the adapter suite allows. Its texts have markup: a backslash makes a character plain. */

export interface Body {
  readonly text: string;
  readonly buttons: readonly { readonly action: string; readonly label: string }[];
  readonly tiles: readonly { readonly action: string; readonly label: string }[];
  readonly media?: Exclude<Media, { kind: 'link' }>;
  /** The question that the message asks, where it can be answered in writing. */
  readonly ask?: { readonly draft: string; readonly option: string };
}

interface To {
  readonly room: string;
  readonly thread?: string | undefined;
  /** The one person who sees it. */
  readonly only?: string | undefined;
  /** What is posted twice under one key is one post. */
  readonly key?: string | undefined;
  /** The person whose words it answers. */
  readonly person?: string | undefined;
}

export interface Post extends To {
  readonly id: string;
  body: Body;
}

export interface User {
  readonly id: string;
  readonly name: string;
  readonly language: string;
  readonly roles: readonly string[];
}

export interface Where {
  readonly id: string;
  readonly user: User;
  readonly room: string;
  readonly thread?: string;
}

export type Event = Where &
  (
    | { readonly kind: 'line'; readonly text: string; readonly photos: readonly string[] }
    | { readonly kind: 'press'; readonly post: string; readonly action: string }
    | {
        readonly kind: 'form';
        readonly post: string;
        readonly value: string;
        readonly photos: readonly string[];
      }
  );

export interface Listener {
  /** Resolves to a note for the person, if there is one; the event is delivered again if it never does. */
  event(event: Event): Promise<string | undefined>;
  /** Labels that are offered to somebody who types. */
  complete(
    where: Omit<Where, 'id'>,
    typing: { readonly command: string; readonly option: string; readonly typed: string },
  ): Promise<readonly string[]>;
}

/** The error for a room, post or person that does not exist. */
export class Missing extends Error {}
/** The platform does not answer. */
export class Away extends Error {}

export const MOST_COMPLETIONS = 5;
export const MOST_TEXT = 5_000;
export const MOST_BYTES = 10_000_000;

const RULES: readonly { readonly pattern: RegExp; readonly list?: 'links' | 'mentions' }[] = [
  { pattern: /^\\([\s\S])/ },
  { pattern: /^\[((?:\\.|[^\]])*)\]\((https?:[^)]*)\)/, list: 'links' },
  { pattern: /^(https?:\/\/\S+)/, list: 'links' },
  { pattern: /^(@\w+)/, list: 'mentions' },
  { pattern: /^\*((?:\\[\s\S]|[^\\*])+)\*/ },
];

/** A text as a person sees it, and the effects that it has. */
export const display = (
  source: string,
): { readonly text: string; readonly links: readonly string[]; readonly mentions: readonly string[] } => {
  const found = { links: [] as string[], mentions: [] as string[] };
  let text = '';
  for (let rest = source; rest !== ''; ) {
    const [hit] = RULES.flatMap(({ pattern, list }) => {
      const match = pattern.exec(rest);
      return match === null ? [] : [{ match, list }];
    });
    const inner = hit?.match[1] ?? rest[0] ?? '';
    if (hit?.list !== undefined) found[hit.list].push(hit.match[2] ?? inner);
    text += hit === undefined || hit.match[0].startsWith('\\') ? inner : display(inner).text;
    rest = rest.slice(hit?.match[0].length ?? 1);
  }
  return { text, ...found };
};

export const createPlatform = () => {
  const posts = new Map<string, Post>();
  const files = new Map<string, Uint8Array>();
  const members = new Map<string, Map<string, 'member' | 'moderator'>>();
  const users = new Map<string, User>();
  const complaints: string[] = [];
  const unhandled = new Map<string, { readonly event: Event; readonly told: (note: string) => void }>();
  let listener: Listener | undefined;
  const latest = new Map<string, () => void>();
  let count = 0;
  let isAway = false;
  const newId = (): string => String(++count);

  const deliver = (event: Event, told: (note: string) => void): void => {
    const to = listener;
    if (to === undefined) return;
    void to.event(event).then(
      (note) => {
        unhandled.delete(event.id);
        if (note !== undefined) told(note);
      },
      (error: unknown) => void complaints.push(`an event was not handled: ${error}`),
    );
  };

  const check = (body: Body): Body => {
    if (isAway) throw new Away('no answer');
    if (body.text.length > MOST_TEXT || (body.media?.bytes.byteLength ?? 0) > MOST_BYTES)
      throw new Error('too long');
    return body;
  };

  const fileId = (post: string): string => `result-${post}`;
  const keepFile = ({ id, body }: Post): void => {
    if (body.media !== undefined) files.set(fileId(id), body.media.bytes);
  };

  const existing = (id: string): Post => {
    const post = posts.get(id);
    if (post === undefined) throw new Missing(`no post ${id}`);
    return post;
  };

  return {
    posts,
    members,
    users,
    files,
    complaints,
    newId,
    fileId,
    /** Connects a listener, which gets all events that nobody has handled. */
    listen(to: Listener | undefined): void {
      listener = to;
      for (const { event, told } of unhandled.values()) deliver(event, told);
    },
    send(event: Event, told: (note: string) => void): void {
      unhandled.set(event.id, { event, told });
      const send = (): void => deliver(event, told);
      latest.set(event.user.id, send);
      send();
    },
    async complete(...asked: Parameters<Listener['complete']>): Promise<readonly string[]> {
      const offered = (await listener?.complete(...asked)) ?? [];
      if (offered.length > MOST_COMPLETIONS) complaints.push(`${offered.length} completions`);
      return offered;
    },
    /** Delivers a person's latest event once more. */
    repeat: (person: string): void => latest.get(person)?.(),
    setAway(away: boolean): void {
      isAway = away;
    },
    /** The calls that an adapter can make. */
    api: {
      async post(to: To, body: Body): Promise<Post> {
        check(body);
        if (!members.has(to.room)) throw new Missing(`no room ${to.room}`);
        const known = [...posts.values()].find(({ key }) => key !== undefined && key === to.key);
        const post: Post = known ?? { ...to, id: newId(), body };
        post.body = body;
        posts.set(post.id, post);
        keepFile(post);
        return post;
      },
      async edit(id: string, body: Body): Promise<Post> {
        check(body);
        const post = existing(id);
        post.body = body;
        keepFile(post);
        return post;
      },
      async remove(id: string): Promise<void> {
        if (isAway) throw new Away('no answer');
        existing(id);
        posts.delete(id);
      },
      async get(id: string): Promise<Post | undefined> {
        return posts.get(id);
      },
      async findByKey(wanted: string): Promise<Post | undefined> {
        return [...posts.values()].find(({ key }) => key === wanted);
      },
      async file(id: string): Promise<Uint8Array | undefined> {
        return files.get(id);
      },
      async member(room: string, person: string): Promise<'member' | 'moderator' | undefined> {
        return members.get(room)?.get(person);
      },
      async rooms(): Promise<readonly string[]> {
        return [...members.keys()];
      },
      async name(person: string): Promise<string | undefined> {
        return users.get(person)?.name;
      },
      /** Deletes everything that answers a person. */
      async erase(person: string): Promise<void> {
        for (const [id, post] of posts) {
          if (post.person !== person) continue;
          posts.delete(id);
          files.delete(fileId(id));
        }
      },
    },
  };
};

export type Platform = ReturnType<typeof createPlatform>;
export type Api = Platform['api'];
