import { defineButton } from '../../src/command/command.ts';

/** `face:<draft>:<option>:<id>`: a saved face of the presser as the photo. */
export const face = defineButton({
  verb: 'face',
  about: 'draft',
  async run({ faces }, draft, [option = '', id = '']) {
    const { name } = await faces.find({ id });
    return draft.choose(option, { from: 'face', name });
  },
});
