import type { Fault } from '../driver.ts';
import { adapter, type Broken, incoming, to } from './faults.ts';

/** Mistakes with what the rest of the program asks for. */
export const parts: Broken = {
  'names another platform': [
    incoming(({ caller }) => ({ caller: { ...caller, platform: 'telegram' } })),
    'it names its platform in everything',
  ],
  'always has trouble, and always stands by': [
    adapter(() => ({ trouble: () => 'trouble', standsBy: () => 'waiting' })),
    'it is connected once it is started',
    'it has no trouble while it is connected',
    'it does not stand by while it receives',
  ],
  'does not stop': [adapter(() => ({ stop: async () => undefined })), 'after the stop nothing is accepted'],
  'does not wait for what is in progress when it stops': [
    adapter(({ stop }) => ({ stop: async () => void stop() })),
    'the stop waits for what is in progress',
  ],
  'posts the result as a new message': [
    { api: (api) => ({ edit: (_id, what) => api.post({ room: 'corner' }, what) }) },
    'a card becomes the result in place',
  ],
  'loses the buttons of a result': [
    { api: (api) => ({ edit: (id, what) => api.edit(id, { ...what, buttons: [] }) }) },
    'a card becomes the result in place',
  ],
  'loses the picture when it is drawn again': [
    () => {
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
    'a final edit may be repeated, also by another process: one message with one picture',
  ],
  'brings back a message that was taken away': [
    {
      api: (api) => ({
        edit: (id, what) => api.edit(id, what).catch(() => api.post({ room: 'corner' }, what)),
      }),
    },
    'a card that was taken away is gone, for every edit',
  ],
  'throws while the platform is away': [
    adapter(({ draw }) => ({
      async draw(...drawing) {
        const drawn = await draw(...drawing);
        if (drawn.state === 'later') throw new Error('away');
        return drawn;
      },
    })),
    'while the platform is away an edit is for later, and then takes effect',
  ],
  'throws when a message to be removed is gone': [
    {
      api: (api) => ({
        remove: (id) =>
          api.remove(id).catch(() => {
            throw new Error('gone');
          }),
      }),
    },
    'removing takes the message out of the room, and is repeatable',
    'a card that was taken away can be removed',
  ],
  'finds no card': [
    adapter(() => ({ find: async () => undefined })),
    'a card that was not confirmed is found by its answer, and only that',
  ],
  'finds cards that are gone': [
    () => {
      let found: Awaited<ReturnType<NonNullable<ReturnType<NonNullable<Fault['adapter']>>['find']>>>;
      return adapter(({ find }) => ({
        async find(...asked) {
          found = (await find?.(...asked)) ?? found;
          return found;
        },
      }));
    },
    'a card that was not confirmed is found by its answer, and only that',
  ],
  'says in the room what is for one person': [
    to((each) => ({ ...each, room: 'corner' })),
    'the bot can send messages by itself: in the room, and to one person',
  ],
  'says in the room what is for a thread': [
    to((each) => ({ ...each, thread: undefined })),
    'the bot can send messages into a thread',
  ],
  'does not say where its message is': [
    adapter(({ say }) => ({
      async say(...said) {
        const drawn = await say(...said);
        return drawn.state === 'drawn' ? { state: 'drawn' } : drawn;
      },
    })),
    'a message that the bot sent by itself can be edited and removed',
  ],
  'throws when the room is gone': [
    adapter(({ say }) => ({
      async say(...said) {
        const drawn = await say(...said);
        if (drawn.state === 'gone') throw new Error('gone');
        return drawn;
      },
    })),
    'a room that is gone, or somebody who cannot be reached, is no error',
  ],
  'shares twice': [
    adapter(({ say }) => ({ say: (where, what) => say(where, what) })),
    'what is shared again is the same message',
  ],
  'takes everything that is shared for the same': [
    to((each) => (each.key?.startsWith('share:') ? { ...each, key: 'share' } : each)),
    'what is shared again is the same message',
  ],
  'forgets nobody': [
    adapter(() => ({ forget: async () => undefined })),
    'a chat that it stores goes with the person',
  ],
  'stores whom it has seen': [
    {
      desk: ({ text }, state) => ({
        async text(each) {
          await state.set(`seen:${each.caller.id}`, each.text);
          return text(each);
        },
      }),
    },
    'nothing about a person is stored after they were forgotten',
  ],
  'fetches photos of any size': [
    adapter(({ photo }) => ({ photo: (ref, _most, ...rest) => photo(ref, 1e9, ...rest) })),
    'the photo of a command can be fetched, and is refused when it is larger than allowed',
  ],
  'fetches only photos that were sent to this process': [
    () => {
      let processes = 0;
      return adapter(({ photo }) => {
        const own = ++processes;
        return { photo: (ref, ...rest) => photo(own === 1 ? ref : { ...ref, ref: '' }, ...rest) };
      });
    },
    'the photo of a command can be fetched by another process',
    'a result can be fetched again as the photo of the next job, by another process, too',
  ],
  'does not say that a photo is gone': [
    adapter(({ photo }) => ({
      photo: (...asked) =>
        photo(...asked).catch(() => {
          throw new Error('try again');
        }),
    })),
    'a photo that no longer exists is gone',
  ],
  'reserves no memory': [
    adapter(({ photo }) => ({ photo: (ref, most, signal) => photo(ref, most, signal) })),
    'memory is reserved before a photo is in it',
  ],
  'carries nothing': [
    adapter(() => ({ limits: () => ({ imageBytes: 0, fileBytes: 0, videoBytes: 0 }) })),
    'it says how much a message carries',
  ],
  'takes everybody for a member and a moderator': [
    adapter(() => ({ isMember: async () => true, isModerator: async () => true })),
    'members are those who are in the community',
    'moderators are those of the platform',
  ],
  'has moderators in direct chats': [
    adapter(({ isModerator }) => ({
      isModerator: (who, place) => isModerator(who, { ...place, direct: false }),
    })),
    'nobody is a moderator of a direct chat',
  ],
  'knows nothing by name': [
    adapter(() => ({
      communityInfo: async () => ({}),
      communities: async () => [],
      personName: async () => undefined,
    })),
    'it knows the name of a community',
    'it lists the communities that the bot is in',
    'it knows people’s names',
  ],
  'takes all messages for the same': [
    adapter(() => ({ isSame: () => true, link: () => 'https://small.example/' })),
    'a message is the same whatever it shows, and another is not',
    'each message has a link of its own',
  ],
};
