import { holds } from '../../eventually.ts';
import { filesOf, menuOf } from '../../fakes/discord/components.ts';
import { display } from '../../fakes/discord/markdown.ts';
import type { Attached } from '../../fakes/discord/people.ts';
import type { Message } from '../../fakes/discord/world.ts';
import { resultOf } from '../stage/pictures.ts';

/** A message once it is there and holds what is looked for. */
export const found = (
  read: () => Message | undefined,
  fits: (message: Message) => boolean,
): Promise<Message> =>
  holds(() => {
    const message = read();
    if (message === undefined || !fits(message)) throw new Error(`not yet: ${message?.content}`);
    return message;
  });

/** A result: the picture over a menu shows what can be chosen. */
export const hasFile = (message: Message): boolean =>
  filesOf(message).length === 1 && menuOf(message) === undefined;
export const says =
  (text: string) =>
  (message: Message): boolean =>
    display(message.content).text.includes(text);

export const photo = async (): Promise<Attached> => ({
  name: 'me.png',
  type: 'image/png',
  bytes: await resultOf('#c08040', 120, 180),
});
