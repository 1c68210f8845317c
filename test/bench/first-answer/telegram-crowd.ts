import { jpeg } from '../../fakes/pictures.ts';
import type { FakeTelegram } from '../../fakes/telegram/telegram.ts';
import { people } from './contest.ts';
import type { Crowd } from './load.ts';

const photo = await jpeg();

/** People who take turns, each in a chat of their own. */
export const crowdAt = (fake: FakeTelegram): Crowd => {
  const crowd = Array.from({ length: people }, (_, index) => fake.person(`P${index}`));
  let next = 0;
  return {
    say() {
      const person = crowd[next++ % crowd.length];
      person?.types(person.chat, '/faceswap 12 female', { photo });
      return String(person?.user.id);
    },
    onAnswer(tell) {
      fake.onCall(({ method, values }) => {
        if (method === 'sendMessage') tell(String(values.chat_id));
      });
    },
  };
};
