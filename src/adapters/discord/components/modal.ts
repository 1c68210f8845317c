import {
  type APIAttachment,
  type APILabelComponent,
  type APIModalInteractionResponseCallbackData,
  type APIModalSubmitInteraction,
  ComponentType,
  TextInputStyle,
} from 'discord.js';
import { z } from 'zod';
import type { Records } from '../../../base/keyv/records.ts';
import type { Given } from '../../../command/option.ts';
import { albumOf, MOST_PHOTOS } from '../../../command/photo.ts';
import type { Question, ReplyOf } from '../../../command/reply.ts';
import { shorten } from '../../../command/shorten.ts';
import { readAttachment } from '../payloads/interaction.ts';
import { singleLine } from './escape.ts';
import { plainLine } from './lines.ts';

/** Makes Discord's forms (modals), keeps those that a button opens, and reads what was submitted. */

/** The prefix of a form's custom id; the draft's id follows. */
const FORM_PREFIX = 'f:';
/** The prefix of a form that was opened from a message with a question, which the answer replaces. */
const REPLACING_FORM_PREFIX = 'r:';
/** The prefix of a form that was opened from the menu of a message about a job; command, job and message follow. */
const JOB_FORM_PREFIX = 'j:';
/** The prefix of the button that opens a form. */
export const OPEN_FORM_PREFIX = 'w:';

const TITLE_LIMIT = 45;
const LABEL_LIMIT = 45;
const MOST_FIELDS = 5;
const MOST_CHOICES = 25;
const MOST_RADIO_BUTTONS = 10;
const CHOICE_LIMIT = 100;
const TEXT_LIMIT = 4000;
/** The suffix that marks the text field for values that are not in the list before it. */
const TYPED_SUFFIX = '~';

const cut = (text: string, most: number): string => shorten(singleLine(text), most) || '…';

const labelled = ({ label }: Question, component: APILabelComponent['component']): APILabelComponent => ({
  type: ComponentType.Label,
  label: cut(label, LABEL_LIMIT),
  component,
});

function textField(question: Question, id: string, required: boolean): APILabelComponent {
  const { max = CHOICE_LIMIT } = question;
  return labelled(question, {
    type: ComponentType.TextInput,
    custom_id: id,
    style: max > CHOICE_LIMIT ? TextInputStyle.Paragraph : TextInputStyle.Short,
    max_length: Math.min(max, TEXT_LIMIT),
    required,
  });
}

function choiceField(question: Question, required: boolean): APILabelComponent {
  const options = (question.choices ?? [])
    .filter(({ value }) => value !== '' && value.length <= CHOICE_LIMIT)
    .slice(0, MOST_CHOICES)
    .map(({ value, label }) => ({ value, label: cut(label, CHOICE_LIMIT) }));
  const common = { custom_id: question.option, required, options };
  const isShort = question.kind === 'choice' && options.length > 1 && options.length <= MOST_RADIO_BUTTONS;
  // Radio buttons show all choices at once, while a menu has to be opened first.
  if (isShort) return labelled(question, { type: ComponentType.RadioGroup, ...common });
  return labelled(question, { type: ComponentType.StringSelect, ...common });
}

function fields(question: Question): APILabelComponent[] {
  if (question.kind === 'image')
    return [
      labelled(question, {
        type: ComponentType.FileUpload,
        custom_id: question.option,
        required: true,
        file_types: ['image'],
        ...(question.album ? { max_values: MOST_PHOTOS } : {}),
      }),
    ];
  if ((question.choices ?? []).length === 0) return [textField(question, question.option, true)];
  if (question.kind === 'choice') return [choiceField(question, question.optional !== true)];
  // A list holds at most 25 filters; others are typed into the text field.
  return [choiceField(question, false), textField(question, `${question.option}${TYPED_SUFFIX}`, false)];
}

/** The questions from which a form is made; stored, because its button can be pressed after a restart. */
const stored = z.object({
  title: z.string(),
  questions: z
    .array(
      z.object({
        option: z.string(),
        label: z.string(),
        kind: z.enum(['choice', 'text', 'reference', 'image']),
        choices: z
          .array(z.object({ value: z.string(), label: z.string() }))
          .readonly()
          .exactOptional(),
        max: z.number().exactOptional(),
        album: z.literal(true).exactOptional(),
        optional: z.literal(true).exactOptional(),
      }),
    )
    .min(1)
    .readonly(),
});
export type FormSource = z.infer<typeof stored>;

export const formSource = ({ view, questions }: ReplyOf<'ask'>): FormSource => ({
  title: plainLine(view.title ?? questions[0].label),
  questions,
});

export const readFormSource = (value: unknown): FormSource | undefined => stored.safeParse(value).data;

export function makeForm(
  draft: string,
  source: FormSource,
  replaces: boolean,
): APIModalInteractionResponseCallbackData {
  return {
    custom_id: `${replaces ? REPLACING_FORM_PREFIX : FORM_PREFIX}${draft}`,
    title: cut(source.title, TITLE_LIMIT),
    components: source.questions.flatMap(fields).slice(0, MOST_FIELDS),
  };
}

/** What the form of a menu entry is about: the number of its entry, the job, and the message. */
const jobForm = /^j:(\d{1,2}):([\w-]{1,56}):(\d{1,20})$/;

/** Makes the form of a menu entry of a message about a job. A submitted form can be forged, so all of this is checked then. */
export const makeJobForm = (
  entry: number,
  job: string,
  message: string,
  title: string,
  question: Question,
): APIModalInteractionResponseCallbackData => ({
  custom_id: `${JOB_FORM_PREFIX}${entry}:${job}:${message}`,
  title: cut(title, TITLE_LIMIT),
  components: fields(question).slice(0, MOST_FIELDS),
});

/** Reads the custom id of such a form; undefined for any other form. */
export function readJobForm(customId: string) {
  const [, entry, job, message] = jobForm.exec(customId) ?? [];
  if (entry === undefined || job === undefined || message === undefined) return undefined;
  return { entry: Number(entry), job, message };
}

const FORM_LIFE_MS = 24 * 3_600_000;

const asked = z.object({ person: z.string() });

/** The person who was asked, from the stored form. */
export const formOwner = (form: unknown): string | undefined => asked.safeParse(form).data?.person;

/** Stores a form for a day, in which a button can open it. */
export const keepForm = (state: Records, person: string, draft: string, source: FormSource) =>
  state.set(`form:${draft}`, { ...source, person }, FORM_LIFE_MS);

/** Reads the form of a button; only the person who was asked can open it. */
export async function findForm(
  state: Records,
  person: string,
  draft: string,
): Promise<FormSource | 'notYours' | 'stale'> {
  const kept = await state.get(`form:${draft}`);
  const owner = formOwner(kept);
  return owner !== undefined && owner !== person ? 'notYours' : (readFormSource(kept) ?? 'stale');
}

const field = z.object({
  type: z.number(),
  custom_id: z.string(),
  value: z.string().nullish(),
  values: z.array(z.string()).nullish(),
});

/** The draft's id in the custom id of a form or of the button that opens it. */
export const draftOf = (customId: string): string => customId.slice(customId.indexOf(':') + 1);

/** Reads the answers of a submitted form. `unusable`: the option whose photo cannot be used. */
export function readSubmittedForm(interaction: APIModalSubmitInteraction) {
  const id = interaction.data.custom_id;
  const answers: Record<string, Given[string]> = {};
  const files = new Map<string, APIAttachment>(Object.entries(interaction.data.resolved?.attachments ?? {}));
  let unusable: string | undefined;
  for (const row of interaction.data.components) {
    const read = field.safeParse('component' in row ? row.component : undefined);
    const values = read.data?.values ?? [];
    const value = read.data?.value ?? values[0];
    const option = read.data?.custom_id.replace(TYPED_SUFFIX, '');
    if (option === undefined || value === undefined || value === '') continue;
    // Only a file upload can name an attachment.
    if (read.data?.type !== ComponentType.FileUpload) {
      answers[option] = value;
      continue;
    }
    const photos = values
      .map((each) => files.get(each))
      .flatMap((file) => (file === undefined ? [] : readAttachment(file)))
      .filter((photo) => photo !== 'unusable');
    const photo = albumOf(photos);
    if (photo === undefined) unusable = option;
    else answers[option] = photo;
  }
  return { draft: draftOf(id), replaces: id.startsWith(REPLACING_FORM_PREFIX), answers, unusable };
}
