import type { CardRef } from '../../../../src/command/place.ts';
import type { Reply } from '../../../../src/command/reply.ts';
import type { Fault } from './driver.ts';
import {
  adapter,
  answer,
  api,
  asNote,
  body,
  desk,
  flagless,
  incoming,
  media,
  press,
  reply,
  same,
  silent,
  text,
  to,
  toldToAll,
  view,
  without,
  written,
} from './faults.ts';
import { MOST_TEXT } from './platform.ts';

type Mistake = Fault | (() => Fault);

/** Everybody sees messages that are for one person. */
const publicly = to(() => ({ only: undefined }));
/** A repeat posts twice. */
const keyless = to(() => ({ key: undefined }));
/** An answer for the presser takes the place of the message that everybody sees. */
const toCard = desk((own) => ({
  async press(each) {
    const given = await own.press(each);
    return given.kind === 'message' ? { kind: 'replace', view: given.view } : given;
  },
}));
const inDirectChat = to(({ person }) => ({ room: `dm-${person}` }));
const threadless = to(() => ({ thread: undefined }));
/** The desk is told of no way to show something while an answer takes long. */
const unsaid = incoming(() => ({ meanwhile: () => undefined }));
/** A message that was shown meanwhile stays beside the answer. */
const staying = api((own) => ({ edit: (_id, what) => own.post({ room: 'corner' }, what) }));
/** The question stays open after a written answer. */
const unclosed = desk(({ answer: answered }) => ({
  async answer(each) {
    const given = await answered(each);
    return 'answers' in given ? { ...given, answers: '' } : given;
  },
}));
/** Every message seems to have the button that a forged press names. */
const believing = api((own) => ({
  async get(id) {
    const post = await own.get(id);
    return post && { ...post, body: { ...post.body, buttons: [{ action: 'delete:1', label: '' }] } };
  },
}));
const unremoved = reply('remove', ({ note }) => ({ kind: 'note', text: note }));
const unescaped = written(/\\/g, '');
const english: Fault = {
  listener: (own) => ({ event: (each) => own.event({ ...each, user: { ...each.user, language: 'en' } }) }),
};
const told = (error: unknown): Reply => ({ kind: 'note', text: String(error) });
const outspoken = desk((own) => ({
  text: (each) => own.text(each).catch(told),
  press: (each) => own.press(each).catch(told),
}));
const nameless = adapter(() => ({
  communityInfo: async () => ({}),
  communities: async () => [],
  personName: async () => undefined,
}));
const trusting = adapter(() => ({ isMember: async () => true, isModerator: async () => true }));
const uniform = adapter(() => ({ isSame: () => true, link: () => 'https://small.example/' }));
/** Only photos that were sent to this process are fetched. */
const ownPhotos = (): Fault => {
  let processes = 0;
  return adapter(({ photo }) => {
    const own = ++processes;
    return { photo: (ref, ...rest) => photo(own === 1 ? ref : { ...ref, ref: '' }, ...rest) };
  });
};
const failing = async (work: Promise<unknown>): Promise<never> => {
  await work;
  throw new Error('it failed');
};

/** The mistakes that each case must notice, by its title. */
export const broken: Readonly<Record<string, Mistake | readonly Mistake[]>> = {
  'a command is received with caller and place, and answered where it was typed': inDirectChat,
  'what was typed in a thread is answered there': threadless,
  'a direct chat is a community of its own, in which nobody is a moderator': [
    incoming(({ place }) => ({ place: { ...place, direct: false, community: `web:${place.channel}` } })),
    adapter((own) => ({ isModerator: (who, place) => own.isModerator(who, { ...place, direct: false }) })),
  ],
  'a private message is for its caller only': publicly,
  'a button’s answer for one person is seen by nobody else': [publicly, toCard],
  'a message that is private in place stays in the room': reply('message', (each) =>
    each.audience === 'caller-in-place' ? { ...each, audience: 'everyone' } : each,
  ),
  'a message that answers a button takes the place of the question': flagless('message', 'replaces'),
  'a private message that answers a button leaves no question': flagless('message', 'replaces'),
  'a message that replaces nothing leaves the message with the button': reply('message', (each) => ({
    ...each,
    replaces: true,
  })),
  'a result that was asked for again is seen by everybody': inDirectChat,
  'a private result that was asked for again is for its caller only': publicly,
  'where a result is shown is reported, so that it can be deleted there': desk(() => ({
    resultShown: async () => undefined,
  })),
  'a result that a button shows to one person is seen by nobody else': publicly,
  'a result that answers a button takes the place of the question': flagless('result', 'replaces'),
  'a result after a written answer leaves no open question': unclosed,
  'a message after a written answer leaves no open question': unclosed,
  'the card of a job shows where it stands, to everybody': reply('card', (each) => ({
    ...each,
    audience: 'caller',
  })),
  'a card is reported once, with its job, when it is visible': [
    desk(({ cardShown: shown }) => ({
      async cardShown(...card) {
        await shown(...card);
        await shown(...card);
      },
    })),
    api((own) => ({
      async post(where, what) {
        setImmediate(() => void own.post(where, what));
        return { ...where, id: '1', body: what };
      },
    })),
  ],
  'a button can lead to a new card': desk((own) => ({
    async press(each) {
      const given = await own.press(each);
      return given.kind === 'card' ? { kind: 'message', audience: 'everyone', view: given.view } : given;
    },
  })),
  'a card that a crash kept from being confirmed is there once': keyless,
  'each card of an album is a message of its own, reported with its job': flagless('card', 'others'),
  'each card of a private album is for its caller only, and so is its result': reply(
    'card',
    ({ others = [], ...each }) => ({
      ...each,
      others: others.map((other) => ({ ...other, audience: 'everyone' })),
    }),
  ),
  'of an album whose first card is visible only the others are shown': reply(
    'further-cards',
    ({ cards: [first, ...others], ...each }) =>
      first === undefined
        ? { kind: 'further-cards', cards: [] }
        : { ...each, ...first, kind: 'card', others },
  ),
  'a private card is for its caller only, and so is its result': publicly,
  'the card of a private job that a button makes is for its presser only, and so is its result': publicly,
  'a card takes the place of the question that it answers': flagless('card', 'replaces'),
  'a card after a written answer leaves no open question': unclosed,

  'a button can replace its message': reply('replace', (each) => ({
    kind: 'message',
    audience: 'everyone',
    view: each.view,
  })),
  'a forged press replaces nothing': believing,
  'a moderator’s press replaces the message of somebody else': reply('replace', (each) =>
    each.evenIfOld ? { kind: 'note', text: 'no' } : each,
  ),
  'a button can remove its message': unremoved,
  'whoever removes a message is told': reply('remove', (each) => ({ ...each, note: '' })),
  'a button can remove an old message': unremoved,
  'a forged press removes nothing': believing,
  'a press is received with its person; a note goes to them and changes nothing': press((each) => ({
    ...each,
    caller: { ...each.caller, id: 'ann' },
  })),
  'a note that answers a command is read by its caller': reply('note', (each) => ({
    ...each,
    kind: 'told-before',
  })),
  'a note that concerns the whole chat is read by its caller': silent('chat-note'),
  'what a person was told before is not told again': asNote('told-before'),
  'what a chat was told before is not told to it again': toldToAll('chat-told-before'),
  'a card that is visible is the answer: nothing is added to it': toldToAll('card-shown-before'),
  'a press on a card that is visible is answered by a note': silent('card-shown-before'),
  'a press waits for an answer, also if it was answered before': silent('told-before'),
  'whoever presses the button of somebody else is told': silent('not-yours'),
  'whoever presses the button of an outdated question is told': silent('stale'),
  'a choice is answered by its button': body(({ buttons }) => ({ buttons: same(buttons) })),
  'one of many choices is answered by its button, too': body(({ buttons }) => ({
    buttons: buttons.slice(0, 8),
  })),
  'a missing text is asked for, and the written answer is received': answer(() => ({})),
  'a missing filter is asked for by name': answer((all) => ({ answer: Object.values(all)[0] ?? '' })),
  'a missing photo is asked for, and arrives': answer(({ photo }) => ({ photo: String(photo) })),
  'two questions are answered each for itself': press((each) => ({
    ...each,
    action: each.action.replace('d1', 'd2'),
  })),
  'a private question is for its caller only': publicly,
  'the answer to a private question is about the room': publicly,
  'a question that is private in place stays in the room': publicly,
  'a further question takes the place of the one before': flagless('ask', 'replaces'),
  'a further question is for the person who alone sees the one before': publicly,
  'after a written answer the further question is the open one': unclosed,

  'text has no effect: no mention, no markup, no link': unescaped,
  'bold text is read as it is': unescaped,
  'code is read as it is': unescaped,
  'a quote is read as it is': unescaped,
  'only a link is a link': written(/\[(.*?)\]\(.*?\)/g, '$1'),
  'a command is read by its name': without('command'),
  'a person is shown, and not notified': without('person'),
  'a role is shown, and nobody is notified': without('isRole'),
  'a channel is shown in a line': without('channel'),
  'a result is shown in the message, or attached to it': media({ as: 'inline', kind: 'image' }),
  'an answer has its file in the message, or attached to it': media({ as: 'inline', kind: 'image' }),
  'a file that is a spoiler is hidden': media({ spoiler: false }),
  'a result that is too large for the platform is a link': view(({ media: _media, ...rest }) => rest),
  'what shows somebody’s photo is not stored': desk((own, state) => ({
    async text(each) {
      const given = await own.text(each);
      const shown = given !== undefined && 'view' in given ? given.view.media : undefined;
      if (shown !== undefined && 'bytes' in shown)
        await state.set('cache', Buffer.from(shown.bytes).toString('base64'));
      return given;
    },
  })),
  'a screen reader can say what a file shows': media({ alt: '' }),
  'tiles are shown with their picture, in their order': [
    body(({ tiles }) => ({ tiles: tiles.toReversed() })),
    api((own) => ({ post: (where, { media: _media, ...rest }) => own.post(where, rest) })),
  ],
  'another page of tiles takes the place of the one before': reply('replace', (each) => ({
    kind: 'message',
    audience: 'everyone',
    view: each.view,
  })),
  'a tile that is pressed acts like a button, for whoever pressed it': body(({ tiles }) => ({
    tiles: same(tiles),
  })),
  'buttons are shown in their order, row by row, and each does what it says': [
    body(({ buttons }) => ({ buttons: buttons.toReversed() })),
    body(({ buttons }) => ({ buttons: same(buttons) })),
  ],
  'a message of every tone shows its title and its lines': view(({ title, ...rest }) =>
    rest.tone === 'failed' || title === undefined ? rest : { ...rest, title },
  ),
  'a text that is too long for a message is shortened': body((each) => ({
    text: each.text.length < MOST_TEXT ? each.text : `${each.text}…`,
  })),
  'a message shows its progress bar': written(/[▰▱]+/g, ''),

  'every event has an id of its own, and so has every press': [
    text(() => ({ event: 'web:line' })),
    press((each) => ({ ...each, event: `web:${each.pressed?.ref}` })),
  ],
  'a command that is delivered again is answered once': keyless,
  'a job whose command is delivered again has one card': keyless,
  'a press that is delivered again is answered once': keyless,
  'a written answer that is delivered again is answered once': keyless,
  'an event that is delivered again to the next process is answered once': keyless,
  'an event that is delivered again after a crash is answered once': keyless,
  'an event that a crash interrupted is not new to the next process': incoming(() => ({ isNew: true })),
  'an event that a crash interrupted is handled by the next process, under the same id': [
    () => {
      let count = 0;
      return incoming(() => ({ event: `web:${++count}` }));
    },
    {
      listener: (own) => ({
        async event(each) {
          void own.event(each);
          return undefined;
        },
      }),
    },
  ],
  'the caller of an event has id, name and language': english,
  'an event in the room has the room as its place': press((each) => ({
    ...each,
    place: { ...each.place, channel: '', community: 'web:' },
  })),
  'the roles of the caller come with the event': incoming(() => ({ roles: [] })),
  'a press says which message was pressed': [
    press(({ pressed: _pressed, ...each }) => each),
    desk((own) => {
      let latest = '';
      return {
        async cardShown(job, card) {
          latest = card?.ref ?? '';
          await own.cardShown(job, card);
        },
        press: (each) => own.press({ ...each, pressed: { platform: 'web', ref: latest } }),
      };
    }),
  ],
  'the options of a command are received': text((each) => ({ text: each.text.split(' ')[0] ?? '' })),
  'an error of the desk is answered in the caller’s language, without its details': [english, outspoken],
  'an error of the desk after a press is answered, too': outspoken,
  'what is shown while a command takes long becomes its card': [unsaid, staying],
  'what is shown while a private command takes long is for its caller only, and so is its card': [
    unsaid,
    publicly,
  ],
  'what is shown while a press takes long takes the place of the question, and becomes the card': [
    unsaid,
    staying,
  ],
  'a refusal, too, takes the place of what was shown while a press took long': unsaid,
  'what is shown while a press of a card takes long leaves the card as it is': [
    unsaid,
    incoming(({ meanwhile }) => ({ meanwhile: (shown) => meanwhile?.({ ...shown, replaces: true }) })),
  ],
  'what a crash leaves of an answer that took long becomes the answer of the next process': api(() => ({
    findByKey: async () => undefined,
  })),
  'as many completions are offered as the platform shows': desk((own) => ({
    complete: (each) => own.complete(each, 50),
  })),
  'a refusal that is known beforehand is for its caller only': desk(() => ({
    refusal: async () => undefined,
  })),
  'whoever is turned away gets no other answer': desk(() => ({ turnAway: async () => undefined })),

  'an adapter names its platform in everything that it tells': incoming(({ caller }) => ({
    caller: { ...caller, platform: 'telegram' },
  })),
  'an adapter is connected once it is started': [
    adapter(() => ({ trouble: () => 'trouble' })),
    adapter(() => ({ standsBy: () => 'waiting' })),
  ],
  'an adapter that is stopped accepts nothing': adapter(() => ({ stop: async () => undefined })),
  'the stop of an adapter waits for what is in progress': adapter(({ stop }) => ({
    stop: async () => void stop(),
  })),
  'a card becomes the result in place': [
    api((own) => ({ edit: (_id, what) => own.post({ room: 'corner' }, what) })),
    api((own) => ({ edit: (id, what) => own.edit(id, { ...what, buttons: [] }) })),
  ],
  'a final edit that is repeated, also by another process, leaves one message with one picture': () => {
    const drawn = new Set<string>();
    return api((own) => ({
      edit(id, { media: picture, ...rest }) {
        const isFirst = !drawn.has(id);
        drawn.add(id);
        return own.edit(id, isFirst && picture !== undefined ? { ...rest, media: picture } : rest);
      },
    }));
  },
  'a result that late progress was drawn over is as before, once its end is drawn again': adapter(
    ({ draw }) => ({ draw: (card, view) => draw(card, view, 'final') }),
  ),
  'a card that a moderator took away is gone, for every edit': api((own) => ({
    edit: (id, what) => own.edit(id, what).catch(() => own.post({ room: 'corner' }, what)),
  })),
  'while the platform is away an edit is for later, and then takes effect': adapter(({ draw }) => ({
    draw: async (...drawing) => {
      const drawn = draw(...drawing);
      return (await drawn).state === 'later' ? failing(drawn) : drawn;
    },
  })),
  'removing a message takes it out of the room, and is repeatable': api((own) => ({
    remove: (id) => own.remove(id).catch((error: unknown) => failing(Promise.resolve(error))),
  })),
  'a card that was not confirmed is found by the answer that it is, and nothing else is': [
    adapter(() => ({ find: async () => undefined })),
    () => {
      let found: CardRef | undefined;
      return adapter(({ find }) => ({
        async find(...asked) {
          found = (await find?.(...asked)) ?? found;
          return found;
        },
      }));
    },
  ],
  'the bot can send messages by itself: in the room, and to one person': to(() => ({ room: 'corner' })),
  'the bot can send messages into a thread': threadless,
  'a message that the bot sent by itself can be edited and removed': adapter(({ say }) => ({
    async say(...said) {
      const drawn = await say(...said);
      return drawn.state === 'drawn' ? { state: 'drawn' } : drawn;
    },
  })),
  'a room that is gone, or somebody who cannot be reached, is no error': adapter(({ say }) => ({
    async say(...said) {
      const drawn = say(...said);
      return (await drawn).state === 'gone' ? failing(drawn) : drawn;
    },
  })),
  'a result that is shared again is the same message': [
    adapter(({ say }) => ({ say: (where, what) => say(where, what) })),
    to(({ key }) => (key?.startsWith('share:') ? { key: 'share' } : {})),
  ],
  'a chat that an adapter stores goes with the person': adapter(() => ({ forget: async () => undefined })),
  'nothing about a person is stored after they were forgotten': desk((own, state) => ({
    async text(each) {
      await state.set(`seen:${each.caller.id}`, each.text);
      return own.text(each);
    },
  })),
  'the photo of a command can be fetched, and is refused when it is larger than allowed': adapter(
    ({ photo }) => ({ photo: (ref, _most, ...rest) => photo(ref, 1e9, ...rest) }),
  ),
  'the photo of a command can be fetched by another process': ownPhotos,
  'a result can be fetched again as the photo of the next job, by another process, too': ownPhotos,
  'a photo that no longer exists is gone': adapter(({ photo }) => ({
    photo: (...asked) => photo(...asked).catch(() => failing(Promise.resolve())),
  })),
  'memory is reserved before a photo is in it': adapter(({ photo }) => ({
    photo: (ref, most, signal) => photo(ref, most, signal),
  })),
  'an adapter says how much a message carries': adapter(() => ({
    limits: () => ({ imageBytes: 0, fileBytes: 0, videoBytes: 0 }),
  })),
  'members are those who are in the community': trusting,
  'moderators are those of the platform': trusting,
  'an adapter knows the name of a community': nameless,
  'an adapter lists the communities that the bot is in': nameless,
  'an adapter knows people’s names': nameless,
  'a message is the same whatever it shows, and another is not': uniform,
  'each message has a link of its own': uniform,
};
