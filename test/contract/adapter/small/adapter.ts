import { type Adapter, type AdapterOptions, PhotoGone } from '../../../../src/adapters/adapter.ts';
import { createMeanwhile } from '../../../../src/adapters/meanwhile.ts';
import type { Incoming } from '../../../../src/command/desk.ts';
import { UserError } from '../../../../src/command/errors.ts';
import type { PhotoRef } from '../../../../src/command/photo.ts';
import { type Caller, type CardRef, directCommunity, type Place } from '../../../../src/command/place.ts';
import { cardsOf, type DrawOutcome, isRepetition, type Reply } from '../../../../src/command/reply.ts';
import {
  barText,
  channelText,
  type Line,
  personText,
  type Span,
  TONE_MARKS,
  type View,
} from '../../../../src/command/view.ts';
import { wordsFor } from '../../../../src/words/words.ts';
import {
  type Api,
  Away,
  type Body,
  type Event,
  type Listener,
  Missing,
  MOST_BYTES,
  MOST_COMPLETIONS,
  MOST_TEXT,
  type Post,
  type User,
  type Where,
} from './platform.ts';

/** An adapter for the small platform, which does all that the suite demands and nothing else. */

const plain = (text: string): string => text.replace(/[\\*@[:]/g, '\\$&');

const writeSpan = (span: Span): string => {
  if (typeof span === 'string') return plain(span);
  if ('bold' in span) return `*${plain(span.bold)}*`;
  if ('code' in span) return plain(span.code);
  if ('quote' in span) return plain(span.quote);
  if ('command' in span) return plain(`/${span.command}`);
  if ('person' in span) return plain(personText(span));
  if ('channel' in span) return plain(channelText(span));
  return `[${plain(span.link)}](${span.url})`;
};

const writeLine = (line: Line): string =>
  typeof line === 'string' ? plain(line) : line.map(writeSpan).join('');

const render = ({ tone, title, bar, lines, media, tiles = [], buttons = [] }: View): Body => {
  const written = [
    ...(title === undefined ? [] : [TONE_MARKS[tone] + writeLine(title)]),
    ...(bar === undefined ? [] : [barText(bar)]),
    ...lines.map(writeLine),
    ...(media?.kind === 'link' ? [writeSpan({ link: media.label, url: media.url })] : []),
  ].join('\n');
  return {
    text: written.slice(0, MOST_TEXT),
    tiles,
    buttons: buttons.flat(),
    ...(media === undefined || media.kind === 'link' ? {} : { media }),
  };
};

const cardOf = (post: string): CardRef => ({ platform: 'web', ref: post });
const photoOf = (ref: string): PhotoRef => ({ from: 'web', ref });
const directRoom = (person: string): string => `dm-${person}`;

const isForOne = (reply: Reply): boolean => 'audience' in reply && reply.audience !== 'everyone';

export const createSmallAdapter = (
  api: Api,
  { desk, state }: Pick<AdapterOptions, 'desk' | 'state'>,
  listen: (listener: Listener | undefined) => void,
): Adapter => {
  const inProgress = new Set<Promise<unknown>>();
  let isRunning = false;

  const placeOf = ({ user, room, thread }: Omit<Where, 'id'>): Place => {
    const direct = room === directRoom(user.id);
    return {
      platform: 'web',
      community: direct ? directCommunity(`web:${user.id}`) : `web:${room}`,
      channel: room,
      direct,
      ...(thread === undefined ? {} : { thread }),
    };
  };
  const callerOf = ({ id, name, language: locale }: User): Caller => ({ platform: 'web', id, name, locale });
  const incomingOf = (event: Event): Incoming => ({
    event: `web:${event.id}`,
    caller: callerOf(event.user),
    place: placeOf(event),
    roles: event.user.roles,
    answer: cardOf(event.id),
  });

  const show = async (reply: Reply, event: Event, pressed: Post | undefined): Promise<string | undefined> => {
    const { room, thread, user } = event;
    const put = async (view: View, ask?: Body['ask']): Promise<Post> => {
      const body = { ...render(view), ...(ask === undefined ? {} : { ask }) };
      const answered =
        'answers' in reply && reply.answers ? await state.get<string>(reply.answers) : undefined;
      const asksAlone = view.tone === 'ask' && pressed?.only === user.id;
      const only = (asksAlone || isForOne(reply)) && room !== directRoom(user.id) ? user.id : undefined;
      const mayReplace = 'replaces' in reply && reply.replaces === true && pressed?.only === only;
      const replaced = mayReplace
        ? await api.edit(pressed?.id ?? '', body).catch(() => undefined)
        : undefined;
      const post = replaced ?? (await api.post({ room, thread, only, person: user.id, key: event.id }, body));
      if (answered !== undefined && answered !== post.id) await api.remove(answered).catch(() => undefined);
      if ('replaces' in reply && reply.replaces && pressed !== undefined && pressed.id !== post.id)
        await api.remove(pressed.id).catch(() => undefined);
      return post;
    };
    switch (reply.kind) {
      case 'message':
        await put(reply.view);
        return undefined;
      case 'result':
        await desk.resultShown(reply, cardOf((await put(reply.view)).id));
        return undefined;
      case 'card':
      case 'further-cards':
        for (const card of cardsOf(reply)) {
          const only = card.audience === 'caller' && room !== directRoom(user.id) ? user.id : undefined;
          const beside = { room, thread, only, person: user.id, key: `${event.id} ${card.job}` };
          const post = card === reply ? await put(card.view) : await api.post(beside, render(card.view));
          await desk.cardShown(card.job, cardOf(post.id));
        }
        return undefined;
      case 'ask': {
        const [{ option }] = reply.questions;
        await state.set(reply.draft, (await put(reply.view, { draft: reply.draft, option })).id);
        return undefined;
      }
      case 'replace':
        if (pressed === undefined) return wordsFor(user.language).press.stale;
        await api.edit(pressed.id, render(reply.view));
        return undefined;
      case 'remove':
        if (pressed !== undefined) await api.remove(pressed.id).catch(() => undefined);
        return reply.note;
      default:
        return event.kind === 'press' || !isRepetition(reply) ? reply.text : undefined;
    }
  };

  /** The message with the pressed button; undefined: it has no such button, because a press can be forged. */
  const pressedIn = async (event: Event): Promise<Post | undefined> => {
    if (event.kind !== 'press') return undefined;
    const post = await api.get(event.post);
    const all = [...(post?.body.buttons ?? []), ...(post?.body.tiles ?? [])];
    return all.some(({ action }) => action === event.action) ? post : undefined;
  };

  const ask = async (
    event: Event,
    pressed: Post | undefined,
    meanwhile: NonNullable<Incoming['meanwhile']>,
  ): Promise<Reply | undefined> => {
    const incoming = { ...incomingOf(event), meanwhile };
    if (event.kind === 'line')
      return desk.text({ ...incoming, text: event.text, photos: event.photos.map(photoOf) });
    if (event.kind === 'form') {
      const form = (await api.get(event.post))?.body.ask;
      const [photo] = event.photos;
      return desk.answer({
        ...incoming,
        draft: form?.draft ?? '',
        answers: { [form?.option ?? '']: photo === undefined ? event.value : photoOf(photo) },
      });
    }
    const own = pressed === undefined ? {} : { pressed: cardOf(pressed.id) };
    return desk.press({ ...incoming, ...own, action: event.action });
  };

  const handle = async (event: Event): Promise<string | undefined> => {
    const turnedAway =
      event.kind === 'line' && event.photos.some((photo) => photo === 'unusable')
        ? await desk.turnAway(incomingOf(event))
        : undefined;
    const command = event.kind === 'line' ? /^\/(\w+)/.exec(event.text)?.[1] : undefined;
    const refused = command && (await desk.refusal({ ...incomingOf(event), command, given: {} }));
    const pressed = await pressedIn(event);
    const known = turnedAway ?? (refused || undefined);
    const waitingKey = `${event.id} meanwhile`;
    let waiting = await api.findByKey(waitingKey);
    const meanwhile = createMeanwhile(
      async (shown) => {
        const { room, thread, user } = event;
        const only = shown.audience === 'caller' && room !== directRoom(user.id) ? user.id : undefined;
        const body = render(shown.view);
        waiting =
          shown.replaces && pressed !== undefined
            ? await api.edit(pressed.id, body)
            : await api.post({ room, thread, only, person: user.id, key: waitingKey }, body);
      },
      { debug: () => undefined },
    );
    const asked = known === undefined ? ask(event, pressed, meanwhile.show) : Promise.resolve(known);
    const reply = await asked.catch(
      (): Reply => ({
        kind: 'message',
        audience: 'caller',
        view: { tone: 'failed', lines: [wordsFor(event.user.language).somethingBroke] },
      }),
    );
    const answer = await meanwhile.followedBy(reply);
    if (answer === undefined) return undefined;
    return waiting === undefined
      ? show(answer, event, pressed)
      : show('audience' in answer ? { ...answer, replaces: true } : answer, event, waiting);
  };

  const outcome = async (attempt: () => Promise<Post>): Promise<DrawOutcome> => {
    try {
      const { id, body } = await attempt();
      const result = body.media?.kind === 'image' ? { result: photoOf(`result-${id}`) } : {};
      return { state: 'drawn', card: cardOf(id), ...result };
    } catch (error) {
      if (error instanceof Missing) return { state: 'gone' };
      if (error instanceof Away) return { state: 'later', afterMs: 1_000, unsent: true };
      throw error;
    }
  };

  return {
    platform: 'web',
    keepsChat: true,
    sharesOnce: true,
    async start() {
      isRunning = true;
      listen({
        event(event) {
          const work = handle(event).finally(() => inProgress.delete(work));
          inProgress.add(work);
          return work;
        },
        async complete(where, typing) {
          const incoming = { caller: callerOf(where.user), place: placeOf(where), ...typing };
          return (await desk.complete(incoming, MOST_COMPLETIONS)).map(({ label }) => label);
        },
      });
    },
    async stop() {
      isRunning = false;
      listen(undefined);
      await Promise.allSettled(inProgress);
    },
    draw: (card, view, importance) =>
      outcome(async () => {
        const { media } = (importance === 'cosmetic' && (await api.get(card.ref))?.body) || {};
        return api.edit(card.ref, { ...(media && { media }), ...render(view) });
      }),
    async removeMessage(card) {
      await api.remove(card.ref).catch((error: unknown) => {
        if (!(error instanceof Missing)) throw error;
      });
      return 'gone';
    },
    async find(answer) {
      const post = await api.findByKey(answer.ref);
      return post && cardOf(post.id);
    },
    say: (to, view, share) =>
      outcome(() => {
        const { caller } = 'caller' in to ? to : (share ?? {});
        const where =
          'caller' in to
            ? { room: directRoom(to.caller.id) }
            : { room: to.place.channel, thread: to.place.thread };
        return api.post({ ...where, person: caller?.id, key: share && `share:${share.job}` }, render(view));
      }),
    forget: ({ id }) => api.erase(id),
    async photo({ ref }, maxBytes, _signal, reserve) {
      const bytes = await api.file(ref);
      if (bytes === undefined) throw new PhotoGone('there is no such file');
      if (bytes.byteLength > maxBytes) throw new UserError('The photo is too large.');
      await reserve?.(bytes.byteLength);
      return bytes;
    },
    limits: () => ({ imageBytes: MOST_BYTES, fileBytes: MOST_BYTES, videoBytes: MOST_BYTES }),
    isMember: async ({ id }, { channel }) => (await api.member(channel, id)) !== undefined,
    isModerator: async ({ id }, { channel, direct }) =>
      !direct && (await api.member(channel, id)) === 'moderator',
    communityInfo: async ({ channel }) =>
      (await api.rooms()).includes(channel) ? { name: channel } : undefined,
    communities: async () => (await api.rooms()).map((room) => ({ community: `web:${room}` })),
    personName: api.name,
    isSame: (one, other) => one.ref === other.ref,
    link: ({ ref }) => `https://small.example/${ref}`,
    standsBy: () => undefined,
    trouble: () => (isRunning ? undefined : 'not connected'),
  };
};
