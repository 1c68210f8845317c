import { defineButton } from '../../src/command/command.ts';

/** `erase:<draft>` asks for confirmation, `erase:<draft>:yes` deletes, `erase:<draft>:no` goes back. */
export const erase = defineButton({
  verb: 'erase',
  about: 'draft',
  openToBlocked: true,
  async run({ privacy, words }, draft, [sure]) {
    if (sure === 'no') return draft.turn(0);
    if (sure !== 'yes')
      return {
        kind: 'replace',
        view: {
          tone: 'ask',
          title: words.privacy.title,
          lines: [privacy.keepsChat ? words.privacy.sureHere : words.privacy.sure],
          buttons: [
            [
              { action: `erase:${draft.id}:yes`, label: words.privacy.sureButton, style: 'danger' },
              { action: `erase:${draft.id}:no`, label: words.buttons.cancel },
            ],
          ],
        },
      };
    const erased = await privacy.eraseMe();
    await draft.forget();
    return {
      kind: 'replace',
      view: {
        tone: 'done',
        title: words.privacy.title,
        lines: [erased.finished ? words.privacy.erased(erased.jobs) : words.privacy.erasing],
      },
    };
  },
});
