import { WHOLE } from '../../src/base/area.ts';
import { buttonName } from '../../src/command/button-names.ts';
import type { ButtonDeclaration } from '../../src/command/command.ts';
import type { FaceCheckEvent } from '../../src/command/face-check-port.ts';
import { completesQuestion } from '../../src/command/reply.ts';
import { CONSENT_VERSION } from '../../src/words/consent-version.ts';

type DraftButton = Extract<ButtonDeclaration, { readonly about: 'draft' }>;

const button = (verb: string, run: DraftButton['run']): DraftButton => ({ verb, about: 'draft', run });

/** The choices after the check of a photo, and the event as which each is counted. */
const CHOSEN: ReadonlyMap<string, FaceCheckEvent> = new Map([
  ['anyway', 'anyway'],
  ['groupswap', 'everybody'],
  ['faceswap', 'one-face'],
]);

/** The buttons of a draft. */
export const draftButtons: readonly DraftButton[] = [
  // `pick:<draft>:<option>:<value>`: one answer. A value may contain colons (16:9).
  button('pick', (_, draft, [option = '', ...value]) => draft.choose(option, value.join(':'))),
  // `ask:<draft>:<option>`: asks for this option instead.
  button('ask', (_, draft, [option = '']) => draft.ask(option)),
  // `page:<draft>:<number>`: another page of a long list.
  button('page', (_, draft, [number = '']) => draft.turn(/^\d{1,4}$/.test(number) ? Number(number) : 0)),
  // `do:<draft>:<command>`: what to do with a bare photo.
  button('do', (_, draft, [command = '']) => draft.become(command)),
  // `album:<draft>:all`, `album:<draft>:first`: what to make of several photos.
  button('album', (_, draft, [which]) => draft.takeAlbum(which === 'all')),
  // `consent:<draft>:<version of the wording>`: stores the consent, then continues the command, which asks again if the button is
  // older than the wording. Buttons of before there were versions have none.
  button('consent', async ({ ports: { privacy } }, draft, [version = '1']) => {
    if (version === String(CONSENT_VERSION)) await privacy.consent();
    return draft.proceed();
  }),
  // `face:<draft>:<option>:<id>`: a saved face of the presser as the photo.
  button('face', async ({ ports: { faces } }, draft, [option = '', id = '']) => {
    const { name } = await faces.find({ id });
    return draft.choose(option, { from: 'face', name });
  }),
  // `look:<draft>:<number, anyway or a command>`: whom of the photo to use, or what to use it for.
  button(
    'look',
    async ({ words, ports: { faceCheck } }, { photos: [photo], people, ...draft }, [chosen = '']) => {
      const person = /^\d{1,2}$/.test(chosen) ? people?.[Number(chosen) - 1] : undefined;
      const event = person === undefined ? CHOSEN.get(chosen) : 'one-of-them';
      // The question was answered before, or the press is forged.
      if (people === undefined || event === undefined || photo === undefined || !('ref' in photo))
        return { kind: 'stale', text: words.press.stale };
      const decided = { ...photo, part: person ?? WHOLE };
      const reply = await (person !== undefined || event === 'anyway'
        ? draft.choose('photo', decided)
        : draft.switchTo(chosen, decided));
      if (completesQuestion(reply)) faceCheck.count(event);
      return reply;
    },
  ),
  // `erase:<draft>` asks for confirmation, `erase:<draft>:yes` deletes, `erase:<draft>:no` goes back.
  {
    ...button('erase', async ({ words, ports: { privacy } }, draft, [sure]) => {
      if (sure === 'no') return draft.turn(0);
      const { privacy: said } = words;
      const { title } = said;
      if (sure !== 'yes') {
        const lines = [privacy.keepsChat ? said.sureHere : said.sure];
        const yes = { action: `erase:${draft.id}:yes`, label: said.sureButton, style: 'danger' } as const;
        const no = { action: `erase:${draft.id}:no`, label: buttonName('cancel', words) };
        return { kind: 'replace', view: { tone: 'ask', title, lines, buttons: [[yes, no]] } };
      }
      const erased = await privacy.eraseMe();
      await draft.forget();
      const lines = [erased.finished ? said.erased(erased.jobs) : said.erasing];
      return { kind: 'replace', view: { tone: 'done', title, lines } };
    }),
    openToBlocked: true,
  },
];
