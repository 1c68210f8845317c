import { type Broken, desk, incoming, reply, to } from './faults.ts';

/** Mistakes with messages and cards. */
export const replies: Broken = {
  'answers in the direct chat': [
    to((each) => ({ ...each, room: `dm-${each.person}` })),
    'a command is received with caller and place, and answered where it was typed',
    'a message that shows a job to everybody is seen by everybody',
  ],
  'answers in the room what was typed in a thread': [
    to((each) => ({ ...each, thread: undefined })),
    'what was typed in a thread is answered there',
  ],
  'takes a direct chat for a room': [
    incoming(({ place }) => ({ place: { ...place, direct: false, community: `web:${place.channel}` } })),
    'a direct chat is a community of its own, in which nobody is a moderator',
  ],
  'does not wait for the desk': [
    desk(({ text }) => ({
      text: (each) =>
        Promise.race([text(each), new Promise<undefined>((done) => setImmediate(done, undefined))]),
    })),
    'a slow desk is waited for',
  ],
  'posts private answers publicly': [
    to((each) => ({ ...each, only: undefined })),
    'a private message is for its caller only',
    'a message that is private in place stays in the room',
    'a private card is for its caller only, and so is its result',
    'a private question is for its caller only, and its answer is about the room',
    'a quiet question stays in the room',
  ],
  'ignores that a message may be private in place': [
    reply('message', (each) => (each.private === 'in-place' ? { ...each, private: false } : each)),
    'a message that is private in place stays in the room',
  ],
  'ignores that a message replaces the question': [
    reply('message', (each) => ({ ...each, replaces: false })),
    'a message that answers a button takes the place of the question',
  ],
  'keeps the question that a private message has answered': [
    reply('message', (each) => ({
      ...each,
      replaces: each.private === true ? false : (each.replaces ?? false),
    })),
    'a private message that answers a button leaves no question',
  ],
  'replaces every message whose button is pressed': [
    reply('message', (each) => ({ ...each, replaces: true })),
    'a message that replaces nothing leaves the message with the button',
  ],
  'keeps the question after a written answer': [
    desk(({ answer }) => ({
      async answer(each) {
        const given = await answer(each);
        return 'answers' in given ? { ...given, answers: '' } : given;
      },
    })),
    'a message after a written answer leaves no open question',
    'a card after a written answer leaves no open question',
    'after a written answer the further question is the open one',
  ],
  'shows cards to their callers only': [
    reply('card', (each) => ({ ...each, private: true })),
    'the card of a job shows where it stands, to everybody',
  ],
  'reports a card twice': [
    desk(({ shown }) => ({
      async shown(...card) {
        await shown(...card);
        await shown(...card);
      },
    })),
    'a card is reported once, with its job, when it is visible',
  ],
  'reports a card before it is visible': [
    {
      api: (api) => ({
        async post(where, what) {
          setImmediate(() => void api.post(where, what));
          return { ...where, id: '1', body: what };
        },
      }),
    },
    'a card is reported once, with its job, when it is visible',
  ],
  'reports no card that a button led to': [
    desk(({ press }) => ({
      async press(each) {
        const given = await press(each);
        return given.kind === 'card' ? { kind: 'message', view: given.view } : given;
      },
    })),
    'a button can lead to a new card',
  ],
  'ignores that a card takes the place of the question': [
    reply('card', (each) => ({ ...each, replaces: false })),
    'a card takes the place of the question that it answers',
  ],
  'shows the first card of an album alone': [
    reply('card', ({ others: _others, ...each }) => each),
    'each card of an album is a message of its own, reported with its job',
  ],
  'shows the other cards of an album to everybody': [
    reply('card', (each) => ({
      ...each,
      others: (each.others ?? []).map((other) => ({ ...other, private: false })),
    })),
    'the cards of a private album are for its caller only',
  ],
  'shows a card of an album again': [
    reply('card', ({ isShown: _isShown, ...each }) => each),
    'of an album whose first card is visible only the others are shown',
  ],
  'gives every post a random id, so that a repeat posts twice': [
    to((each) => ({ ...each, key: undefined })),
    'a command that is delivered again is answered once',
    'a job whose command is delivered again has one card',
    'a press that is delivered again is answered once',
    'a written answer that is delivered again is answered once',
    'what is delivered again to the next process is answered once',
    'what is delivered again after a crash is answered once',
    'a card that a crash kept from being confirmed is there once',
  ],
};
