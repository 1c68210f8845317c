import { answer, type Broken, believing, body, press, reply, same, silent } from './faults.ts';

/** Mistakes with buttons and questions. */
export const presses: Broken = {
  'answers a press with a new message instead of another one': [
    reply('replace', ({ view: shown }) => ({ kind: 'message', view: shown })),
    'a button can replace its message',
    'another page takes the place of the one before',
  ],
  'believes forged presses': [believing, 'a forged press replaces nothing', 'a forged press removes nothing'],
  'does nothing for moderators': [
    reply('replace', (each) => (each.moderated ? { kind: 'note', text: 'no' } : each)),
    'a moderator’s press replaces the message of somebody else',
  ],
  'removes no message by its button': [
    reply('remove', ({ note: text }) => ({ kind: 'note', text })),
    'a button can remove its message',
    'the button of an erased card removes the message',
  ],
  'does not say that a message was removed': [
    reply('remove', (each) => ({ ...each, note: '' })),
    'whoever removes a message is told',
  ],
  'takes everybody who presses for the first person': [
    press((each) => ({ ...each, caller: { ...each.caller, id: 'ann' } })),
    'a press is received with its person; a note goes to them and changes nothing',
  ],
  'gives no notes to commands': [
    reply('note', (each) => ({ ...each, known: true })),
    'a note that answers a command is read by its caller',
    'a note about the whole chat is read by the caller',
  ],
  'ignores that something was answered before': [
    reply('note', ({ kind, text }) => ({ kind, text })),
    'what was answered before is not answered again',
  ],
  'lets a press wait that was answered before': [
    reply('note', (each) => (each.known ? silent(each) : each)),
    'a press waits for an answer, also if it was answered before',
  ],
  'lets somebody wait who presses the button of somebody else': [
    reply('note', (each) => (each.notYours ? silent(each) : each)),
    'whoever presses the button of somebody else is told',
  ],
  'lets somebody wait who presses an outdated button': [
    reply('note', (each) => (each.stale ? silent(each) : each)),
    'whoever presses the button of an outdated question is told',
  ],
  'does for every button what the first one does': [
    body((each) => ({ ...each, buttons: same(each.buttons) })),
    'each button does what it says',
    'a choice is answered by its button',
  ],
  'does for every tile what the first one does': [
    body((each) => ({ ...each, tiles: same(each.tiles) })),
    'a tile that is pressed acts like a button, for whoever pressed it',
  ],
  'shows eight buttons at most': [
    body((each) => ({ ...each, buttons: each.buttons.slice(0, 8) })),
    'one of many choices is answered in the same way',
  ],
  'loses what was written': [
    answer((each) => ({ ...each, answers: {} })),
    'a missing text is asked for, and the written answer is received',
  ],
  'hands in an answer under another name': [
    answer((each) => ({ ...each, answers: { answer: Object.values(each.answers)[0] ?? '' } })),
    'a missing filter is asked for by name',
  ],
  'takes a photo for a text': [
    answer((each) => ({ ...each, answers: { photo: String(each.answers.photo) } })),
    'a missing photo is asked for, and arrives',
  ],
  'shows no questions': [
    reply('ask', () => ({ kind: 'note', text: 'Something is missing.', known: true })),
    'a question is shown to its caller',
  ],
  'takes every answer for one to the latest question': [
    press((each) => ({ ...each, action: each.action.replace('d1', 'd2') })),
    'two questions are answered each for itself',
  ],
  'ignores that a further question replaces the one before': [
    reply('ask', (each) => ({ ...each, replaces: false })),
    'a further question takes the place of the one before',
  ],
};
