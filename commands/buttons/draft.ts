import { WHOLE } from '../../src/base/area.ts';
import { defineButton } from '../../src/command/command.ts';
import type { LookEvent } from '../../src/command/ports.ts';
import { isNextStep } from '../../src/command/reply.ts';

/** `pick:<draft>:<option>:<value>`: one answer. */
export const pick = defineButton({
  verb: 'pick',
  about: 'draft',
  // A value may contain colons (16:9).
  run: (_context, draft, [option = '', ...value]) => draft.choose(option, value.join(':')),
});

/** `ask:<draft>:<option>`: asks for this option instead. */
export const ask = defineButton({
  verb: 'ask',
  about: 'draft',
  run: (_context, draft, [option = '']) => draft.ask(option),
});

/** `page:<draft>:<number>`: another page of a long list. */
export const page = defineButton({
  verb: 'page',
  about: 'draft',
  run: (_context, draft, [number = '']) => draft.turn(/^\d{1,4}$/.test(number) ? Number(number) : 0),
});

/** `do:<draft>:<command>`: what to do with a bare photo. */
export const act = defineButton({
  verb: 'do',
  about: 'draft',
  run: (_context, draft, [command = '']) => draft.become(command),
});

/** `album:<draft>:all`, `album:<draft>:first`: what to make of several photos. */
export const album = defineButton({
  verb: 'album',
  about: 'draft',
  run: (_context, draft, [which]) => draft.takeAlbum(which === 'all'),
});

/** `consent:<draft>`: stores the consent, then continues the command. */
export const consent = defineButton({
  verb: 'consent',
  about: 'draft',
  async run({ privacy }, draft) {
    await privacy.consent();
    return draft.proceed();
  },
});

/** `face:<draft>:<option>:<id>`: a saved face of the presser as the photo. */
export const face = defineButton({
  verb: 'face',
  about: 'draft',
  async run({ faces }, draft, [option = '', id = '']) {
    const { name } = await faces.find({ id });
    return draft.choose(option, { from: 'face', name });
  },
});

/** What people choose after a look at their photo, and how it is counted. */
const CHOSEN: ReadonlyMap<string, LookEvent> = new Map([
  ['anyway', 'anyway'],
  ['groupswap', 'everybody'],
  ['faceswap', 'one-face'],
]);

/** `look:<draft>:<number, anyway or a command>`: whom of the photo to use, or what to use it for. */
export const look = defineButton({
  verb: 'look',
  about: 'draft',
  async run({ words, looks }, { photos: [photo], people, ...draft }, [chosen = '']) {
    const person = /^\d{1,2}$/.test(chosen) ? people?.[Number(chosen) - 1] : undefined;
    const event = person === undefined ? CHOSEN.get(chosen) : 'one-of-them';
    // It was answered, or is forged.
    if (people === undefined || event === undefined || photo === undefined || !('ref' in photo))
      return { kind: 'note', text: words.press.stale, stale: true };
    const decided = { ...photo, part: person ?? WHOLE };
    const reply = await (person !== undefined || event === 'anyway'
      ? draft.choose('photo', decided)
      : draft.switchTo(chosen, decided));
    if (isNextStep(reply)) looks.count(event);
    return reply;
  },
});
