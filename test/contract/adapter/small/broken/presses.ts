import { type Broken, believing, body, desk, reply, same, silent } from './faults.ts';

/** Mistakes with buttons and questions. */
export const presses: readonly Broken[] = [
  {
    does: 'answers a press with a new message instead of another one',
    caughtBy: ['a button can replace its message', 'another page takes the place of the one before'],
    fault: () => reply('replace', ({ view: shown }) => ({ kind: 'message', view: shown })),
  },
  {
    does: 'believes forged presses',
    caughtBy: ['a forged press replaces nothing', 'a forged press removes nothing'],
    fault: () => believing,
  },
  {
    does: 'does nothing for moderators',
    caughtBy: ['a moderator’s press replaces the message of somebody else'],
    fault: () => reply('replace', (each) => (each.moderated ? { kind: 'note', text: 'no' } : each)),
  },
  {
    does: 'removes no message by its button',
    caughtBy: ['a button can remove its message', 'the button of an erased card removes the message'],
    fault: () => reply('remove', ({ note: text }) => ({ kind: 'note', text })),
  },
  {
    does: 'does not say that a message was removed',
    caughtBy: ['whoever removes a message is told'],
    fault: () => reply('remove', (each) => ({ ...each, note: '' })),
  },
  {
    does: 'takes everybody who presses for the first person',
    caughtBy: ['a press is received with its person; a note goes to them and changes nothing'],
    fault: () =>
      desk(({ press }) => ({ press: (each) => press({ ...each, caller: { ...each.caller, id: 'ann' } }) })),
  },
  {
    does: 'gives no notes to commands',
    caughtBy: [
      'a note that answers a command is read by its caller',
      'a note about the whole chat is read by the caller',
    ],
    fault: () => reply('note', (each) => ({ ...each, known: true })),
  },
  {
    does: 'ignores that something was answered before',
    caughtBy: ['what was answered before is not answered again'],
    fault: () => reply('note', ({ kind, text }) => ({ kind, text })),
  },
  {
    does: 'lets a press wait that was answered before',
    caughtBy: ['a press waits for an answer, also if it was answered before'],
    fault: () => reply('note', (each) => (each.known ? silent(each) : each)),
  },
  {
    does: 'lets somebody wait who presses the button of somebody else',
    caughtBy: ['whoever presses the button of somebody else is told'],
    fault: () => reply('note', (each) => (each.notYours ? silent(each) : each)),
  },
  {
    does: 'lets somebody wait who presses an outdated button',
    caughtBy: ['whoever presses the button of an outdated question is told'],
    fault: () => reply('note', (each) => (each.stale ? silent(each) : each)),
  },
  {
    does: 'does for every button what the first one does',
    caughtBy: ['each button does what it says', 'a choice is answered by its button'],
    fault: () => body((each) => ({ ...each, buttons: same(each.buttons) })),
  },
  {
    does: 'does for every tile what the first one does',
    caughtBy: ['a tile that is pressed acts like a button, for whoever pressed it'],
    fault: () => body((each) => ({ ...each, tiles: same(each.tiles) })),
  },
  {
    does: 'shows eight buttons at most',
    caughtBy: ['one of many choices is answered in the same way'],
    fault: () => body((each) => ({ ...each, buttons: each.buttons.slice(0, 8) })),
  },
  {
    does: 'loses what was written',
    caughtBy: ['a missing text is asked for, and the written answer is received'],
    fault: () => desk(({ answer }) => ({ answer: (each) => answer({ ...each, answers: {} }) })),
  },
  {
    does: 'hands in an answer under another name',
    caughtBy: ['a missing filter is asked for by name'],
    fault: () =>
      desk(({ answer }) => ({
        answer: (each) => answer({ ...each, answers: { answer: Object.values(each.answers)[0] ?? '' } }),
      })),
  },
  {
    does: 'takes a photo for a text',
    caughtBy: ['a missing photo is asked for, and arrives'],
    fault: () =>
      desk(({ answer }) => ({
        answer: (each) => answer({ ...each, answers: { photo: String(each.answers.photo) } }),
      })),
  },
  {
    does: 'shows no questions',
    caughtBy: ['a question is shown to its caller'],
    fault: () => reply('ask', () => ({ kind: 'note', text: 'Something is missing.', known: true })),
  },
  {
    does: 'takes every answer for one to the latest question',
    caughtBy: ['two questions are answered each for itself'],
    fault: () =>
      desk(({ press }) => ({ press: (each) => press({ ...each, action: each.action.replace('d1', 'd2') }) })),
  },
  {
    does: 'ignores that a further question replaces the one before',
    caughtBy: ['a further question takes the place of the one before'],
    fault: () => reply('ask', (each) => ({ ...each, replaces: false })),
  },
];
