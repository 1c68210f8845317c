import {
  type APIAttachment,
  type APILabelComponent,
  type APIModalInteractionResponseCallbackData,
  type APIModalSubmitInteraction,
  ComponentType,
  TextInputStyle,
} from 'discord.js';
import { z } from 'zod';
import { defined } from '../../../base/defined.ts';
import type { Given } from '../../../command/option.ts';
import type { Question, Reply } from '../../../command/reply.ts';
import { shorten } from '../../../command/shorten.ts';
import { readAttachment } from '../api/interaction.ts';
import { plain } from './escape.ts';
import { plainLine } from './lines.ts';

/** A form asks for everything that is missing at once. */
const FORM = 'f:';
/** The same, opened from a message that only asked: what comes next takes that message's place. */
const REPLACING_FORM = 'r:';
/** The button that opens it. */
export const OPEN_FORM = 'w:';

const TITLE = 45;
const LABEL = 45;
const FIELDS = 5;
const CHOICES = 25;
const CHOICE = 100;
const TEXT = 4000;
/** Marks the field in which a value can be written that is not in the list beside it. */
const WRITTEN = '~';

const cut = (text: string, most: number): string => shorten(plain(text), most) || '…';

const textField = (question: Question, id: string, required: boolean): APILabelComponent => ({
  type: ComponentType.Label,
  label: cut(question.label, LABEL),
  component: {
    type: ComponentType.TextInput,
    custom_id: id,
    style: (question.max ?? CHOICE) > CHOICE ? TextInputStyle.Paragraph : TextInputStyle.Short,
    max_length: Math.min(question.max ?? CHOICE, TEXT),
    required,
  },
});

const choiceField = (question: Question, required: boolean): APILabelComponent => ({
  type: ComponentType.Label,
  label: cut(question.label, LABEL),
  component: {
    type: ComponentType.StringSelect,
    custom_id: question.option,
    required,
    options: (question.choices ?? [])
      .filter(({ value }) => value !== '' && value.length <= CHOICE)
      .slice(0, CHOICES)
      .map(({ value, label }) => ({ value, label: cut(label, CHOICE) })),
  },
});

const fields = (question: Question): APILabelComponent[] => {
  if (question.kind === 'image')
    return [
      {
        type: ComponentType.Label,
        label: cut(question.label, LABEL),
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
  // A list holds 25; any other filter is given by its number or name.
  return [choiceField(question, false), textField(question, `${question.option}${WRITTEN}`, false)];
};

const stored = z.object({
  title: z.string(),
  questions: z
    .array(
      z.object({
        option: z.string(),
        label: z.string(),
        kind: z.enum(['choice', 'text', 'reference', 'image']),
        choices: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
        max: z.number().optional(),
      }),
    )
    .min(1),
});

/** What a form is made from; kept for the button that opens it, which can be pressed after a restart. */
export type FormSource = { readonly title: string; readonly questions: readonly Question[] };

export const formSource = (ask: Extract<Reply, { kind: 'ask' }>): FormSource => ({
  title: plainLine(ask.view.title ?? ask.questions[0].label),
  questions: ask.questions,
});

export const readFormSource = (value: unknown): FormSource | undefined => {
  const read = stored.safeParse(value);
  if (!read.success) return undefined;
  const questions = read.data.questions.map(({ choices, max, ...rest }) => ({
    ...rest,
    ...defined({ choices, max }),
  }));
  return { title: read.data.title, questions };
};

export const makeForm = (
  draft: string,
  source: FormSource,
  replaces: boolean,
): APIModalInteractionResponseCallbackData => ({
  custom_id: `${replaces ? REPLACING_FORM : FORM}${draft}`,
  title: cut(source.title, TITLE),
  components: source.questions.flatMap(fields).slice(0, FIELDS),
});

const field = z.object({
  type: z.number(),
  custom_id: z.string(),
  value: z.string().nullish(),
  values: z.array(z.string()).nullish(),
});

interface FilledForm {
  readonly draft: string;
  readonly replaces: boolean;
  readonly answers: Given;
  /** The option whose photo cannot be used. */
  readonly unusable?: string;
}

/** The draft that a form, or the button that opens it, is about. */
export const draftOf = (customId: string): string => customId.slice(FORM.length);

/** The filled-in fields by option. */
export const readForm = (interaction: APIModalSubmitInteraction): FilledForm => {
  const id = interaction.data.custom_id;
  const head = { draft: draftOf(id), replaces: id.startsWith(REPLACING_FORM) };
  const answers: Record<string, Given[string]> = {};
  const files = new Map<string, APIAttachment>(Object.entries(interaction.data.resolved?.attachments ?? {}));
  let unusable: string | undefined;
  for (const row of interaction.data.components) {
    const read = field.safeParse('component' in row ? row.component : undefined);
    const value = read.data?.value ?? read.data?.values?.[0];
    const option = read.data?.custom_id.replace(WRITTEN, '');
    if (option === undefined || value === undefined || value === '') continue;
    // What is written is no file, even where it reads like the name of one.
    if (read.data?.type !== ComponentType.FileUpload) {
      answers[option] = value;
      continue;
    }
    const file = files.get(value);
    const photo = file === undefined ? 'unusable' : readAttachment(file);
    if (photo === 'unusable') unusable = option;
    else answers[option] = photo;
  }
  return { ...head, answers, ...defined({ unusable }) };
};
