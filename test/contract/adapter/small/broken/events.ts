import type { Reply } from '../../../../../src/command/reply.ts';
import { type Broken, desk, incoming } from './faults.ts';

/** Mistakes with what the desk is told. */
export const events: readonly Broken[] = [
  {
    does: 'gives all commands one id',
    caughtBy: ['every event has an id of its own'],
    fault: () => desk(({ text }) => ({ text: (each) => text({ ...each, event: 'web:line' }) })),
  },
  {
    does: 'gives all presses of a button one id',
    caughtBy: ['every press has an id of its own'],
    fault: () =>
      desk(({ press }) => ({ press: (each) => press({ ...each, event: `web:${each.pressed?.ref}` }) })),
  },
  {
    does: 'gives an event another id each time',
    caughtBy: [
      'a command that is delivered again is answered once',
      'what a crash interrupted is handled by the next process, under the same id',
    ],
    fault: () => {
      let count = 0;
      return incoming(() => ({ event: `web:${++count}` }));
    },
  },
  {
    does: 'confirms an event before it is handled',
    caughtBy: ['what a crash interrupted is handled by the next process, under the same id'],
    fault: () => ({
      listener: (listener) => ({
        async event(each) {
          void listener.event(each);
          return undefined;
        },
      }),
    }),
  },
  {
    does: 'takes everybody for English',
    caughtBy: [
      'the caller has id, name and language',
      'an error of the desk is answered in the caller’s language, without its details',
    ],
    fault: () => ({
      listener: (listener) => ({
        event: (each) => listener.event({ ...each, user: { ...each.user, language: 'en' } }),
      }),
    }),
  },
  {
    does: 'does not say where a button was pressed',
    caughtBy: ['what happens in the room has the room as its place'],
    fault: () =>
      desk(({ press }) => ({
        press: (each) => press({ ...each, place: { ...each.place, channel: '', community: 'web:' } }),
      })),
  },
  {
    does: 'knows no roles',
    caughtBy: ['the roles of the caller come with the event'],
    fault: () => incoming(() => ({ roles: [] })),
  },
  {
    does: 'does not say which message was pressed',
    caughtBy: ['a press says which message was pressed'],
    fault: () => desk(({ press }) => ({ press: ({ pressed: _pressed, ...each }) => press(each) })),
  },
  {
    does: 'says of the wrong message that it was pressed',
    caughtBy: ['a press says which message was pressed'],
    fault: () =>
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
  },
  {
    does: 'loses the options of a command',
    caughtBy: ['the options of a command are received'],
    fault: () =>
      desk(({ text }) => ({ text: (each) => text({ ...each, text: each.text.split(' ')[0] ?? '' }) })),
  },
  {
    does: 'shows errors as they are',
    caughtBy: [
      'an error of the desk is answered in the caller’s language, without its details',
      'an error of the desk after a press is answered, too',
    ],
    fault: () => {
      const told = (error: unknown): Reply => ({ kind: 'note', text: String(error) });
      return desk(({ text, press }) => ({
        text: (each) => text(each).catch(told),
        press: (each) => press(each).catch(told),
      }));
    },
  },
  {
    does: 'offers more completions than the platform shows',
    caughtBy: ['as many completions are offered as the platform shows'],
    fault: () => desk(({ complete }) => ({ complete: (each) => complete(each, 50) })),
  },
  {
    does: 'does not ask beforehand whether a command is refused',
    caughtBy: ['a refusal that is known beforehand is for its caller only'],
    fault: () => desk(() => ({ refusal: async () => undefined })),
  },
  {
    does: 'does not ask whether somebody is turned away',
    caughtBy: ['whoever is turned away gets no other answer'],
    fault: () => desk(() => ({ turnAway: async () => undefined })),
  },
];
