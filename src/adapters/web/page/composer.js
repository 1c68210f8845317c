import { Refused, say } from './api.js';
import { createAttachments, receivePhotos } from './attachments.js';
import { createCompletion } from './complete.js';
import { byId } from './elements.js';
import { label } from './labels.js';
import { setSending, setTooLong } from './notice.js';
import { toast } from './toast.js';

/** The message form. It is created once, and told when person or room change. */

/** @typedef {{ session: import('./api.js').Session, room: string }} Scene */

export function createComposer() {
  const form = byId('composer', HTMLFormElement);
  const input = byId('message', HTMLTextAreaElement);
  const button = byId('send', HTMLButtonElement);
  const attachments = createAttachments(() => scene?.session.mostPhotos ?? Number.POSITIVE_INFINITY);
  /** @type {ReturnType<typeof createCompletion> | undefined} */
  let completion;
  /** @type {Scene | undefined} */
  let scene;
  /** The end of the queue of messages, which are sent one after the other to keep their order. */
  let sending = Promise.resolve();
  let waiting = 0;

  const length = byId('length', HTMLElement);
  let tooLong = false;

  /** Fits the field to its text; a text that is too long is marked instead of cut. */
  const measure = () => {
    input.style.height = 'auto';
    input.style.height = `${Math.min(input.scrollHeight, 200)}px`;
    const most = scene?.session.mostText ?? Number.POSITIVE_INFINITY;
    const written = input.value.trim().length;
    length.textContent = written > most ? `${written} / ${most}` : '';
    if (tooLong === written > most) return;
    tooLong = !tooLong;
    input.ariaInvalid = tooLong ? 'true' : null;
    setTooLong(tooLong);
  };

  /** @param {boolean} again */
  const trying = (again) => {
    button.title = again ? label('tryingAgain') : '';
  };

  /** @param {{ room: string, text: string, photos: readonly File[] }} message */
  const send = async (message) => {
    try {
      await say(message, trying);
    } catch (error) {
      toast(error instanceof Refused ? error.message : label('notSent'));
      // The text is put back if nothing else was typed meanwhile.
      if (input.value === '') input.value = message.text;
      if (attachments.count() === 0) attachments.addAll(message.photos);
      measure();
    }
  };

  /** @param {string} text @param {Promise<readonly File[]>} photos */
  const queue = (text, photos) => {
    const room = scene?.room;
    if (room === undefined) return;
    waiting += 1;
    if (waiting === 1) setSending(true);
    button.ariaBusy = 'true';
    sending = sending.then(async () => {
      await send({ room, text, photos: await photos });
      waiting -= 1;
      if (waiting > 0) return;
      button.ariaBusy = null;
      setSending(false);
    });
  };

  const submit = () => {
    const text = input.value.trim();
    if (text === '' && attachments.count() === 0) return input.focus();
    if (tooLong) return setTooLong(true);
    queue(text, attachments.take());
    input.value = '';
    completion?.close();
    measure();
    input.focus();
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });
  input.addEventListener('input', () => {
    measure();
    // Suggestions are closed, because they would cover the notice.
    if (tooLong) completion?.close();
    else completion?.update();
  });
  input.addEventListener('blur', () => completion?.close());
  input.addEventListener('keydown', (event) => {
    if (completion?.key(event)) return;
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    submit();
  });
  receivePhotos(() => attachments);

  return {
    /** @param {Scene} next */
    enter(next) {
      if (scene?.session !== next.session) {
        completion?.close();
        completion = createCompletion({ commands: next.session.commands, room: () => scene?.room ?? '' });
      }
      scene = next;
      measure();
    },
    /** Fills in an example without sending it. @param {string} text @param {readonly string[]} samples */
    async suggest(text, samples) {
      await attachments.take();
      for (const name of samples) await attachments.sample(name);
      input.value = text;
      measure();
      input.focus();
    },
    /** @param {string} name */
    async addSample(name) {
      await attachments.sample(name);
      input.focus();
    },
    /** Sends a text with the attached photos, and leaves the typed text in the field. @param {string} text */
    sendWithPhotos: (text) => queue(text, attachments.take()),
    /** @param {string} text @param {readonly File[]} photos */
    send: (text, photos) => queue(text, Promise.resolve(photos)),
  };
}
