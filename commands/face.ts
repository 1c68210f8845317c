import { defineAction, defineCommandGroup } from '../src/command/command.ts';
import type { SavedFace } from '../src/command/faces-port.ts';
import type { Option } from '../src/command/option.ts';
import type { Reply } from '../src/command/reply.ts';
import { localDay } from '../src/command/time-zone.ts';
import type { Line } from '../src/command/view.ts';
import { GENDERS } from '../src/kinds/choices.ts';
import type { Words } from '../src/words/words.ts';
import { options, subcommands, translations } from './texts/face.ts';

const name = { kind: 'face', description: options.name, required: true } as const satisfies Option;

/** Always private: the names of a person's saved faces must not appear in a group. */
const privateReply = ({ face }: Words, ...lines: readonly Line[]): Reply => ({
  kind: 'message',
  audience: 'caller',
  view: { tone: 'info', title: face.title, lines },
});

function faceLine({ name, gender, usedAt }: SavedFace, isDefault: boolean, words: Words, zone: string): Line {
  const details = [
    ...(isDefault ? [words.face.isDefault] : []),
    ...(gender === undefined ? [] : [words.choices[gender] ?? gender]),
    words.face.usedOn(localDay(zone, usedAt)),
  ];
  return [{ bold: name }, ` · ${details.join(' · ')}`];
}

export default defineCommandGroup({
  name: 'face',
  description: 'Faces that you keep for later, in every community',
  translations,
  personal: true,
  checksFaces: true,
  examples: ['/face save me', '/face list', '/face default me', '/face delete me'],
  subcommands: {
    save: defineAction({
      description: 'Keep a photo, encrypted, to use it without sending it again',
      translations: subcommands.save,
      options: {
        name: { kind: 'face', fresh: true, description: 'Its name: a-z, 0-9 and -', required: true },
        photo: { kind: 'image', description: 'The photo with the face', required: true },
        gender: { kind: 'choice', description: 'Who is in the photo', choices: GENDERS },
      },
      async run({ args, words, consentQuestion, photoQuestion, ports: { faces } }) {
        // Before a person confirms what would fail anyway.
        await faces.list();
        const wanted = args.gender === 'group' ? 'some' : 'one';
        const question = (await consentQuestion()) ?? (await photoQuestion(args.photo, { wanted }));
        if (question !== undefined) return question;
        const outcome = await faces.save(args.name, args.photo, args.gender);
        return privateReply(words, words.face[outcome](args.name), words.face.kept);
      },
    }),
    list: defineAction({
      description: 'Your faces',
      translations: subcommands.list,
      openToBlocked: true,
      options: {},
      async run({ words, ports: { faces, settings } }) {
        const [all, zone] = await Promise.all([faces.list(), settings.timeZone()]);
        const lines = all.map((face, index) => faceLine(face, index === 0, words, zone));
        return privateReply(words, ...(lines.length === 0 ? [words.face.none] : lines));
      },
    }),
    delete: defineAction({
      description: 'Delete a face',
      translations: subcommands.delete,
      openToBlocked: true,
      options: { name },
      async run({ args, words, ports: { faces } }) {
        const [before] = await faces.list();
        const [first] = await faces.delete(args.name);
        const isOther = first !== undefined && first.name !== before?.name;
        const lines = isOther ? [words.face.nowDefault(first.name)] : [];
        return privateReply(words, words.face.deleted(args.name), ...lines);
      },
    }),
    default: defineAction({
      description: 'The face that is offered where a photo is asked for',
      translations: subcommands.default,
      options: { name },
      async run({ args, words, ports: { faces } }) {
        await faces.setDefault(args.name);
        return privateReply(words, words.face.nowDefault(args.name));
      },
    }),
  },
});
