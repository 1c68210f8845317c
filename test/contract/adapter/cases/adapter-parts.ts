import { expect } from 'vitest';
import { type Adapter, type MediaLimits, PhotoGone } from '../../../../src/adapters/adapter.ts';
import { jpeg } from '../../../fakes/pictures.ts';
import { asks, busy, done, line } from '../views.ts';
import { type Cases, needing, turns } from './cases.ts';
import { openQuestion } from './messages.ts';
import { drawCases, sayCases } from './outgoing.ts';
import { photoCases, resultOf, soon } from './photos.ts';

/** The methods by which the rest of the program uses an adapter. */

export const adapterCases = {
  platform: {
    'an adapter names its platform in everything that it tells': async (scene) => {
      const { card } = await scene.openCard();
      const { platform } = scene.stage.adapter;
      const { caller, place, photos } = await scene.heard(1);

      expect(caller.platform).toBe(platform);
      expect(place.platform).toBe(platform);
      expect(card.platform).toBe(platform);
      expect(photos[0]?.from).toBe(platform);
    },
  },
  start: {
    'an adapter is connected once it is started': async ({ stage: { adapter } }) =>
      expect(adapter.trouble() ?? adapter.standsBy?.()).toBeUndefined(),
  },
  stop: {
    'an adapter that is stopped accepts nothing': async (scene) => {
      await scene.openCard();
      await scene.stage.adapter.stop();
      await scene.ann.types({ command: 'help' }).catch(() => undefined);
      await turns();

      expect(scene.desk.heard).toHaveLength(1);
    },
    'the stop of an adapter waits for what is in progress': async (scene) => {
      let isAnswered = false;
      scene.desk.replies(async () => {
        await scene.holds(() => expect(isStopping).toBe(true));
        await turns();
        isAnswered = true;
        return { kind: 'message', audience: 'everyone', view: line('Just in time') };
      });
      let isStopping = false;
      await scene.ann.types({ command: 'help' });
      await scene.heard(1);
      const stopped = scene.stage.adapter.stop();
      isStopping = true;
      await stopped;
      expect(isAnswered).toBe(true);

      // Some adapters show nothing while they are stopped.
      await scene.stage.crash();
      // On some platforms an answer that took long is seen by Ann alone.
      expect((await scene.ann.sees()).map(({ text }) => text)).toEqual(['Just in time']);
    },
  },
  draw: drawCases,
  removeMessage: {
    'removing a message takes it out of the room, and is repeatable': async (scene) => {
      const { card } = await scene.openCard();
      await scene.stage.adapter.removeMessage(card);
      expect(await scene.bob.sees()).toEqual([]);

      await scene.stage.adapter.removeMessage(card);
      await scene.stage.crash();
      await scene.stage.adapter.removeMessage(card);

      expect(await scene.bob.sees()).toEqual([]);
    },
  },
  find: {
    'a card that was not confirmed is found by the answer that it is, and nothing else is': needing(
      ['find'],
      async (scene) => {
        const { find } = scene.stage.adapter;
        const job = `${scene.job}-found`;
        scene.desk.replies({ kind: 'card', job, view: busy('Where am I?', 0, job), audience: 'everyone' });
        await scene.ann.types({
          command: 'faceswap',
          given: { filter: '12' },
          photos: { photo: await jpeg() },
        });
        const { answer } = await scene.heard(1);
        await scene.reads(scene.ann, 'Where am I?');

        if (answer === undefined || find === undefined) throw new Error('there is nothing to look for');
        await scene.stage.crash();
        await scene.stage.adapter.find?.(answer, job);
        const found = await scene.stage.adapter.find?.(answer, job);
        if (found === undefined) throw new Error('it was not found');
        await scene.stage.adapter.draw(found, busy('Here', 0.5), 'final');
        expect((await scene.last(scene.bob, 1)).text).toContain('Here');

        await scene.stage.adapter.removeMessage(found);
        expect(await scene.stage.adapter.find?.(answer, job)).toBeUndefined();
      },
    ),
  },
  say: sayCases,
  sharesOnce: 'tested with `say`',
  keepsChat: {
    'a chat that an adapter stores goes with the person': needing(['keepsChat'], async (scene) => {
      const { card } = await scene.openCard();
      const result = resultOf(await scene.stage.adapter.draw(card, done(await jpeg()), 'final'));
      const share = { caller: scene.ann.caller, job: `${scene.job}-shared` };
      await scene.stage.adapter.say({ place: scene.stage.place }, line('Shared'), share);
      expect(await scene.bob.sees()).toHaveLength(2);

      for (let times = 0; times < 2; times += 1) await scene.stage.adapter.forget(scene.ann.caller);
      expect(await scene.bob.sees()).toEqual([]);
      expect((await scene.stage.adapter.draw(card, line('Back'), 'final')).state).toBe('gone');
      await expect(scene.stage.adapter.photo(result, 1e6, soon())).rejects.toBeInstanceOf(PhotoGone);
    }),
  },
  forget: {
    'nothing about a person is stored after they were forgotten': needing(['forgetting'], async (scene) => {
      const { id } = scene.ann.caller;
      await scene.show({ kind: 'message', audience: 'caller', view: line('Remember me') });
      await openQuestion(scene, asks('d1'));
      scene.desk.replies({ kind: 'message', audience: 'everyone', view: line('And me') });
      await scene.bob.types({ command: 'help' });
      await scene.reads(scene.bob, 'And me');

      for (let times = 0; times < 2; times += 1) await scene.stage.adapter.forget(scene.ann.caller);
      expect(await scene.stage.stored()).not.toMatch(new RegExp(`Remember me|\\b${id}\\b`));
      expect((await scene.all(scene.bob)).map(({ text }) => text).join()).toContain('And me');
    }),
  },
  photo: photoCases,
  limits: {
    'an adapter says how much a message carries': async (scene) => {
      const { card } = await scene.openCard();
      const leastOf = ({ imageBytes, fileBytes, videoBytes }: MediaLimits): number =>
        Math.min(imageBytes, fileBytes, videoBytes);

      expect(leastOf(scene.stage.adapter.limits(card))).toBeGreaterThan(1_000_000);
      expect(leastOf(scene.stage.adapter.limits())).toBeGreaterThan(1_000_000);
    },
  },
  isMember: {
    'members are those who are in the community': needing(['isMember'], async (scene) => {
      const { adapter, place, stranger } = scene.stage;
      await scene.ann.types({ command: 'help' });
      await scene.heard(1);

      expect(await adapter.isMember?.(scene.ann.caller, place)).toBe(true);
      expect(await adapter.isMember?.(stranger, place)).toBe(false);
    }),
  },
  isModerator: {
    'moderators are those of the platform': async (scene) => {
      const { adapter, place, stranger } = scene.stage;
      expect(await adapter.isModerator(scene.mod.caller, place)).toBe(true);
      expect(await adapter.isModerator(scene.ann.caller, place)).toBe(false);
      expect(await adapter.isModerator(stranger, place)).toBe(false);

      await scene.stage.crash();
      expect(await scene.stage.adapter.isModerator(scene.mod.caller, place)).toBe(true);
    },
  },
  communityInfo: {
    'an adapter knows the name of a community': needing(['communityInfo'], async (scene) => {
      const info = await scene.stage.adapter.communityInfo?.(scene.stage.place);
      expect(info?.name).toMatch(/./);
    }),
  },
  communities: {
    'an adapter lists the communities that the bot is in': needing(['communities'], async (scene) =>
      expect((await scene.stage.adapter.communities?.())?.map(({ community }) => community)).toContain(
        scene.stage.place.community,
      ),
    ),
  },
  personName: {
    'an adapter knows people’s names': needing(['personName'], async (scene) => {
      const { adapter, place, ann } = scene.stage;
      await ann.types({ command: 'help' });
      const { caller } = await scene.heard(1);
      expect(await adapter.personName?.(caller.id, place)).toBe(caller.name);
    }),
  },
  isSame: {
    'a message is the same whatever it shows, and another is not': needing(['isSame'], async (scene) => {
      const { card } = await scene.openCard();
      const drawn = await scene.stage.adapter.draw(card, done(await jpeg()), 'final');
      const { card: other } = await scene.openCard();
      const now = drawn.state === 'drawn' ? (drawn.card ?? card) : card;

      expect(scene.stage.adapter.isSame?.(card, now)).toBe(true);
      expect(scene.stage.adapter.isSame?.(card, other)).toBe(false);
    }),
  },
  link: {
    'each message has a link of its own': needing(['link'], async (scene) => {
      const { link } = scene.stage.adapter;
      const { card } = await scene.openCard();
      const { card: other } = await scene.openCard();
      const links = [card, other].map((each) => link?.(each, scene.stage.place));

      for (const each of links) expect(each).toMatch(/^https:\/\//);
      expect(links[0]).not.toBe(links[1]);
    }),
  },
  readLink:
    'tested in test/adapters/telegram/api/public-links.test.ts, because only Telegram has public names',
  standsBy: 'tested with `start`',
  trouble: 'tested with `start`',
} satisfies Record<keyof Adapter, Cases>;
