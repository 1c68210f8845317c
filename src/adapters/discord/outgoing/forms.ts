import {
  type APIAttachment,
  type APILabelComponent,
  type APIModalInteractionResponseCallbackData,
  type APIModalSubmitInteraction,
  ComponentType,
  TextInputStyle,
} from 'discord.js';
import { z } from 'zod';
import type { Given } from '../../../command/option.ts';
import type { Question, Reply } from '../../../command/reply.ts';
import { shorten } from '../../../command/shorten.ts';
import { readAttachment } from '../api/interaction.ts';
import { plain } from './escape.ts';
import { plainLine } from './lines.ts';

/** Prefixes of custom ids; the draft's id follows. */
const formPrefix = 'f:';
/** Opened from a message with a question: the answer replaces that message. */
const replacingFormPrefix = 'r:';
/** The button that opens it. */
export const openFormPrefix = 'w:';

const titleLimit = 45;
const labelLimit = 45;
const mostFields = 5;
const mostChoices = 25;
const choiceLimit = 100;
const textLimit = 4000;
/** Marks the text field for values that are not in the list next to it. */
const typedSuffix = '~';

const cut = (text: string, most: number): string => shorten(plain(text), most) || '…';

const textField = (question: Question, id: string, required: boolean): APILabelComponent => ({
  type: ComponentType.Label,
  label: cut(question.label, labelLimit),
  component: {
    type: ComponentType.TextInput,
    custom_id: id,
    style: (question.max ?? choiceLimit) > choiceLimit ? TextInputStyle.Paragraph : TextInputStyle.Short,
    max_length: Math.min(question.max ?? choiceLimit, textLimit),
    required,
  },
});

const choiceField = (question: Question, required: boolean): APILabelComponent => ({
  type: ComponentType.Label,
  label: cut(question.label, labelLimit),
  component: {
    type: ComponentType.StringSelect,
    custom_id: question.option,
    required,
    options: (question.choices ?? [])
      .filter(({ value }) => value !== '' && value.length <= choiceLimit)
      .slice(0, mostChoices)
      .map(({ value, label }) => ({ value, label: cut(label, choiceLimit) })),
  },
});

const fields = (question: Question): APILabelComponent[] => {
  if (question.kind === 'image')
    return [
      {
        type: ComponentType.Label,
        label: cut(question.label, labelLimit),
        component: {
          type: ComponentType.FileUpload,
          custom_id: question.option,
          required: true,
          file_types: ['image'],
        },
      },
    ];
  if ((question.choices ?? []).length === 0) return [textField(question, question.option, true)];
  if (question.kind === 'choice') return [choiceField(question, true)];
  // A list holds 25 filters; others are typed.
  return [choiceField(question, false), textField(question, `${question.option}${typedSuffix}`, false)];
};

const stored = z.object({
  title: z.string(),
  questions: z
    .array(
      z.object({
        option: z.string(),
        label: z.string(),
        kind: z.enum(['choice', 'text', 'reference', 'image']),
        choices: z.array(z.object({ value: z.string(), label: z.string() })).exactOptional(),
        max: z.number().exactOptional(),
      }),
    )
    .min(1),
});

/** What a form is made from; stored, because its button can be pressed after a restart. */
export interface FormSource {
  readonly title: string;
  readonly questions: readonly Question[];
}

export const formSource = (ask: Extract<Reply, { kind: 'ask' }>): FormSource => ({
  title: plainLine(ask.view.title ?? ask.questions[0].label),
  questions: ask.questions,
});

export const readFormSource = (value: unknown): FormSource | undefined => stored.safeParse(value).data;

export const makeForm = (
  draft: string,
  source: FormSource,
  replaces: boolean,
): APIModalInteractionResponseCallbackData => ({
  custom_id: `${replaces ? replacingFormPrefix : formPrefix}${draft}`,
  title: cut(source.title, titleLimit),
  components: source.questions.flatMap(fields).slice(0, mostFields),
});

const field = z.object({
  type: z.number(),
  custom_id: z.string(),
  value: z.string().nullish(),
  values: z.array(z.string()).nullish(),
});

/** The draft's id in the custom id of a form or of the button that opens it. */
export const draftOf = (customId: string): string => customId.slice(formPrefix.length);

/** `unusable`: the option whose photo cannot be used. */
export const readForm = (interaction: APIModalSubmitInteraction) => {
  const id = interaction.data.custom_id;
  const answers: Record<string, Given[string]> = {};
  const files = new Map<string, APIAttachment>(Object.entries(interaction.data.resolved?.attachments ?? {}));
  let unusable: string | undefined;
  for (const row of interaction.data.components) {
    const read = field.safeParse('component' in row ? row.component : undefined);
    const value = read.data?.value ?? read.data?.values?.[0];
    const option = read.data?.custom_id.replace(typedSuffix, '');
    if (option === undefined || value === undefined || value === '') continue;
    // Only a file upload can name an attachment.
    if (read.data?.type !== ComponentType.FileUpload) {
      answers[option] = value;
      continue;
    }
    const file = files.get(value);
    const photo = file === undefined ? 'unusable' : readAttachment(file);
    if (photo === 'unusable') unusable = option;
    else answers[option] = photo;
  }
  return { draft: draftOf(id), replaces: id.startsWith(replacingFormPrefix), answers, unusable };
};
