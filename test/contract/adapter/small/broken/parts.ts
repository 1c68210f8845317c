import type { Fault } from '../driver.ts';
import { adapter, type Broken, incoming, to } from './faults.ts';

/** Mistakes with what the rest of the program asks for. */
export const parts: readonly Broken[] = [
  {
    does: 'names another platform',
    caughtBy: ['it names its platform in everything'],
    fault: () => incoming(({ caller }) => ({ caller: { ...caller, platform: 'telegram' } })),
  },
  {
    does: 'always has trouble, and always stands by',
    caughtBy: [
      'it is connected once it is started',
      'it has no trouble while it is connected',
      'it does not stand by while it receives',
    ],
    fault: () => adapter(() => ({ trouble: () => 'trouble', standsBy: () => 'waiting' })),
  },
  {
    does: 'does not stop',
    caughtBy: ['after the stop nothing is accepted'],
    fault: () => adapter(() => ({ stop: async () => undefined })),
  },
  {
    does: 'does not wait for what is in progress when it stops',
    caughtBy: ['the stop waits for what is in progress'],
    fault: () => adapter(({ stop }) => ({ stop: async () => void stop() })),
  },
  {
    does: 'posts the result as a new message',
    caughtBy: ['a card becomes the result in place'],
    fault: () => ({ api: (api) => ({ edit: (_id, what) => api.post({ room: 'corner' }, what) }) }),
  },
  {
    does: 'loses the buttons of a result',
    caughtBy: ['a card becomes the result in place'],
    fault: () => ({ api: (api) => ({ edit: (id, what) => api.edit(id, { ...what, buttons: [] }) }) }),
  },
  {
    does: 'loses the picture when it is drawn again',
    caughtBy: ['a final edit may be repeated, also by another process: one message with one picture'],
    fault: () => {
      const drawn = new Set<string>();
      return {
        api: (api) => ({
          edit(id, { media: picture, ...rest }) {
            const isFirst = !drawn.has(id);
            drawn.add(id);
            return api.edit(id, isFirst && picture !== undefined ? { ...rest, media: picture } : rest);
          },
        }),
      };
    },
  },
  {
    does: 'brings back a message that was taken away',
    caughtBy: ['a card that was taken away is gone, for every edit'],
    fault: () => ({
      api: (api) => ({
        edit: (id, what) => api.edit(id, what).catch(() => api.post({ room: 'corner' }, what)),
      }),
    }),
  },
  {
    does: 'throws while the platform is away',
    caughtBy: ['while the platform is away an edit is for later, and then takes effect'],
    fault: () =>
      adapter(({ draw }) => ({
        async draw(...drawing) {
          const drawn = await draw(...drawing);
          if (drawn.state === 'later') throw new Error('away');
          return drawn;
        },
      })),
  },
  {
    does: 'throws when a message to be removed is gone',
    caughtBy: [
      'removing takes the message out of the room, and is repeatable',
      'a card that was taken away can be removed',
    ],
    fault: () => ({
      api: (api) => ({
        remove: (id) =>
          api.remove(id).catch(() => {
            throw new Error('gone');
          }),
      }),
    }),
  },
  {
    does: 'finds no card',
    caughtBy: ['a card that was not confirmed is found by its answer, and only that'],
    fault: () => adapter(() => ({ find: async () => undefined })),
  },
  {
    does: 'finds cards that are gone',
    caughtBy: ['a card that was not confirmed is found by its answer, and only that'],
    fault: () => {
      let found: Awaited<ReturnType<NonNullable<ReturnType<NonNullable<Fault['adapter']>>['find']>>>;
      return adapter(({ find }) => ({
        async find(...asked) {
          found = (await find?.(...asked)) ?? found;
          return found;
        },
      }));
    },
  },
  {
    does: 'says in the room what is for one person',
    caughtBy: ['the bot can send messages by itself: in the room, and to one person'],
    fault: () => to((each) => ({ ...each, room: 'corner' })),
  },
  {
    does: 'says in the room what is for a thread',
    caughtBy: ['the bot can send messages into a thread'],
    fault: () => to((each) => ({ ...each, thread: undefined })),
  },
  {
    does: 'does not say where its message is',
    caughtBy: ['a message that the bot sent by itself can be edited and removed'],
    fault: () =>
      adapter(({ say }) => ({
        async say(...said) {
          const drawn = await say(...said);
          return drawn.state === 'drawn' ? { state: 'drawn' } : drawn;
        },
      })),
  },
  {
    does: 'throws when the room is gone',
    caughtBy: ['a room that is gone, or somebody who cannot be reached, is no error'],
    fault: () =>
      adapter(({ say }) => ({
        async say(...said) {
          const drawn = await say(...said);
          if (drawn.state === 'gone') throw new Error('gone');
          return drawn;
        },
      })),
  },
  {
    does: 'shares twice',
    caughtBy: ['what is shared again is the same message'],
    fault: () => adapter(({ say }) => ({ say: (where, what) => say(where, what) })),
  },
  {
    does: 'takes everything that is shared for the same',
    caughtBy: ['what is shared again is the same message'],
    fault: () => to((each) => (each.key?.startsWith('share:') ? { ...each, key: 'share' } : each)),
  },
  {
    does: 'forgets nobody',
    caughtBy: ['a chat that it stores goes with the person'],
    fault: () => adapter(() => ({ forget: async () => undefined })),
  },
  {
    does: 'stores whom it has seen',
    caughtBy: ['nothing about a person is stored after they were forgotten'],
    fault: () => ({
      desk: ({ text }, state) => ({
        async text(each) {
          await state.set(`seen:${each.caller.id}`, each.text);
          return text(each);
        },
      }),
    }),
  },
  {
    does: 'fetches photos of any size',
    caughtBy: ['the photo of a command can be fetched, and is refused when it is larger than allowed'],
    fault: () => adapter(({ photo }) => ({ photo: (ref, _most, ...rest) => photo(ref, 1e9, ...rest) })),
  },
  {
    does: 'fetches only photos that were sent to this process',
    caughtBy: [
      'the photo of a command can be fetched by another process',
      'a result can be fetched again as the photo of the next job, by another process, too',
    ],
    fault: () => {
      let processes = 0;
      return adapter(({ photo }) => {
        const own = ++processes;
        return { photo: (ref, ...rest) => photo(own === 1 ? ref : { ...ref, ref: '' }, ...rest) };
      });
    },
  },
  {
    does: 'does not say that a photo is gone',
    caughtBy: ['a photo that no longer exists is gone'],
    fault: () =>
      adapter(({ photo }) => ({
        photo: (...asked) =>
          photo(...asked).catch(() => {
            throw new Error('try again');
          }),
      })),
  },
  {
    does: 'reserves no memory',
    caughtBy: ['memory is reserved before a photo is in it'],
    fault: () => adapter(({ photo }) => ({ photo: (ref, most, signal) => photo(ref, most, signal) })),
  },
  {
    does: 'carries nothing',
    caughtBy: ['it says how much a message carries'],
    fault: () => adapter(() => ({ limits: () => ({ imageBytes: 0, fileBytes: 0, videoBytes: 0 }) })),
  },
  {
    does: 'takes everybody for a member and a moderator',
    caughtBy: ['members are those who are in the community', 'moderators are those of the platform'],
    fault: () => adapter(() => ({ isMember: async () => true, isModerator: async () => true })),
  },
  {
    does: 'has moderators in direct chats',
    caughtBy: ['nobody is a moderator of a direct chat'],
    fault: () =>
      adapter(({ isModerator }) => ({
        isModerator: (who, place) => isModerator(who, { ...place, direct: false }),
      })),
  },
  {
    does: 'knows nothing by name',
    caughtBy: [
      'it knows the name of a community',
      'it lists the communities that the bot is in',
      'it knows people’s names',
    ],
    fault: () =>
      adapter(() => ({
        communityInfo: async () => ({}),
        communities: async () => [],
        personName: async () => undefined,
      })),
  },
  {
    does: 'takes all messages for the same',
    caughtBy: [
      'a message is the same whatever it shows, and another is not',
      'each message has a link of its own',
    ],
    fault: () => adapter(() => ({ isSame: () => true, link: () => 'https://small.example/' })),
  },
];
