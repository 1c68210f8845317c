import { type Broken, desk, incoming, reply, to } from './faults.ts';

/** Mistakes with messages and cards. */
export const replies: readonly Broken[] = [
  {
    does: 'answers in the direct chat',
    caughtBy: [
      'a command is received with caller and place, and answered where it was typed',
      'a message that shows a job to everybody is seen by everybody',
    ],
    fault: () => to((each) => ({ ...each, room: `dm-${each.person}` })),
  },
  {
    does: 'answers in the room what was typed in a thread',
    caughtBy: ['what was typed in a thread is answered there'],
    fault: () => to((each) => ({ ...each, thread: undefined })),
  },
  {
    does: 'takes a direct chat for a room',
    caughtBy: ['a direct chat is a community of its own, in which nobody is a moderator'],
    fault: () =>
      incoming(({ place }) => ({ place: { ...place, direct: false, community: `web:${place.channel}` } })),
  },
  {
    does: 'does not wait for the desk',
    caughtBy: ['a slow desk is waited for'],
    fault: () =>
      desk(({ text }) => ({
        text: (each) =>
          Promise.race([text(each), new Promise<undefined>((done) => setImmediate(done, undefined))]),
      })),
  },
  {
    does: 'posts private answers publicly',
    caughtBy: [
      'a private message is for its caller only',
      'a message that is private in place stays in the room',
      'a private card is for its caller only, and so is its result',
      'a private question is for its caller only, and its answer is about the room',
      'a quiet question stays in the room',
    ],
    fault: () => to((each) => ({ ...each, only: undefined })),
  },
  {
    does: 'ignores that a message may be private in place',
    caughtBy: ['a message that is private in place stays in the room'],
    fault: () =>
      reply('message', (each) => (each.private === 'in-place' ? { ...each, private: false } : each)),
  },
  {
    does: 'ignores that a message replaces the question',
    caughtBy: ['a message that answers a button takes the place of the question'],
    fault: () => reply('message', (each) => ({ ...each, replaces: false })),
  },
  {
    does: 'keeps the question that a private message has answered',
    caughtBy: ['a private message that answers a button leaves no question'],
    fault: () =>
      reply('message', (each) => ({
        ...each,
        replaces: each.private === true ? false : (each.replaces ?? false),
      })),
  },
  {
    does: 'replaces every message whose button is pressed',
    caughtBy: ['a message that replaces nothing leaves the message with the button'],
    fault: () => reply('message', (each) => ({ ...each, replaces: true })),
  },
  {
    does: 'keeps the question after a written answer',
    caughtBy: [
      'a message after a written answer leaves no open question',
      'a card after a written answer leaves no open question',
      'after a written answer the further question is the open one',
    ],
    fault: () =>
      desk(({ answer }) => ({
        async answer(each) {
          const given = await answer(each);
          return 'answers' in given ? { ...given, answers: '' } : given;
        },
      })),
  },
  {
    does: 'shows cards to their callers only',
    caughtBy: ['the card of a job shows where it stands, to everybody'],
    fault: () => reply('card', (each) => ({ ...each, private: true })),
  },
  {
    does: 'reports a card twice',
    caughtBy: ['a card is reported once, with its job, when it is visible'],
    fault: () =>
      desk(({ shown }) => ({
        async shown(...card) {
          await shown(...card);
          await shown(...card);
        },
      })),
  },
  {
    does: 'reports a card before it is visible',
    caughtBy: ['a card is reported once, with its job, when it is visible'],
    fault: () => ({
      api: (api) => ({
        async post(where, what) {
          setImmediate(() => void api.post(where, what));
          return { ...where, id: '1', body: what };
        },
      }),
    }),
  },
  {
    does: 'reports no card that a button led to',
    caughtBy: ['a button can lead to a new card'],
    fault: () =>
      desk(({ press }) => ({
        async press(each) {
          const given = await press(each);
          return given.kind === 'card' ? { kind: 'message', view: given.view } : given;
        },
      })),
  },
  {
    does: 'ignores that a card takes the place of the question',
    caughtBy: ['a card takes the place of the question that it answers'],
    fault: () => reply('card', (each) => ({ ...each, replaces: false })),
  },
  {
    does: 'shows the first card of an album alone',
    caughtBy: ['each card of an album is a message of its own, reported with its job'],
    fault: () => reply('card', ({ others: _others, ...each }) => each),
  },
  {
    does: 'shows the other cards of an album to everybody',
    caughtBy: ['the cards of a private album are for its caller only'],
    fault: () =>
      reply('card', (each) => ({
        ...each,
        others: (each.others ?? []).map((other) => ({ ...other, private: false })),
      })),
  },
  {
    does: 'shows a card of an album again',
    caughtBy: ['of an album whose first card is visible only the others are shown'],
    fault: () => reply('card', ({ isShown: _isShown, ...each }) => each),
  },
  {
    does: 'gives every post a random id, so that a repeat posts twice',
    caughtBy: [
      'a command that is delivered again is answered once',
      'a job whose command is delivered again has one card',
      'a press that is delivered again is answered once',
      'a written answer that is delivered again is answered once',
      'what is delivered again to the next process is answered once',
      'what is delivered again after a crash is answered once',
      'a card that a crash kept from being confirmed is there once',
    ],
    fault: () => to((each) => ({ ...each, key: undefined })),
  },
];
