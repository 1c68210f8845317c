import type { Reply } from '../../../../../src/command/reply.ts';
import { type Broken, desk, incoming, press, text } from './faults.ts';

/** Mistakes with what the desk is told. */
export const events: Broken = {
  'gives all commands one id': [
    text((each) => ({ ...each, event: 'web:line' })),
    'every event has an id of its own',
  ],
  'gives all presses of a button one id': [
    press((each) => ({ ...each, event: `web:${each.pressed?.ref}` })),
    'every press has an id of its own',
  ],
  'gives an event another id each time': [
    () => {
      let count = 0;
      return incoming(() => ({ event: `web:${++count}` }));
    },
    'a command that is delivered again is answered once',
    'what a crash interrupted is handled by the next process, under the same id',
  ],
  'confirms an event before it is handled': [
    {
      listener: (listener) => ({
        async event(each) {
          void listener.event(each);
          return undefined;
        },
      }),
    },
    'what a crash interrupted is handled by the next process, under the same id',
  ],
  'takes everybody for English': [
    {
      listener: (listener) => ({
        event: (each) => listener.event({ ...each, user: { ...each.user, language: 'en' } }),
      }),
    },
    'the caller has id, name and language',
    'an error of the desk is answered in the caller’s language, without its details',
  ],
  'does not say where a button was pressed': [
    press((each) => ({ ...each, place: { ...each.place, channel: '', community: 'web:' } })),
    'what happens in the room has the room as its place',
  ],
  'knows no roles': [incoming(() => ({ roles: [] })), 'the roles of the caller come with the event'],
  'does not say which message was pressed': [
    press(({ pressed: _pressed, ...each }) => each),
    'a press says which message was pressed',
  ],
  'says of the wrong message that it was pressed': [
    desk(({ press, shown }) => {
      let latest = '';
      return {
        async shown(job, card) {
          latest = card?.ref ?? '';
          await shown(job, card);
        },
        press: (each) => press({ ...each, pressed: { platform: 'web', ref: latest } }),
      };
    }),
    'a press says which message was pressed',
  ],
  'loses the options of a command': [
    text((each) => ({ ...each, text: each.text.split(' ')[0] ?? '' })),
    'the options of a command are received',
  ],
  'shows errors as they are': [
    () => {
      const told = (error: unknown): Reply => ({ kind: 'note', text: String(error) });
      return desk(({ text, press }) => ({
        text: (each) => text(each).catch(told),
        press: (each) => press(each).catch(told),
      }));
    },
    'an error of the desk is answered in the caller’s language, without its details',
    'an error of the desk after a press is answered, too',
  ],
  'offers more completions than the platform shows': [
    desk(({ complete }) => ({ complete: (each) => complete(each, 50) })),
    'as many completions are offered as the platform shows',
  ],
  'does not ask beforehand whether a command is refused': [
    desk(() => ({ refusal: async () => undefined })),
    'a refusal that is known beforehand is for its caller only',
  ],
  'does not ask whether somebody is turned away': [
    desk(() => ({ turnAway: async () => undefined })),
    'whoever is turned away gets no other answer',
  ],
};
