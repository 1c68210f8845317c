import type { z } from 'zod';
import type { InEveryLanguage, Language } from '../words/language.ts';
import {
  GENDERS,
  PICTURE_RATIOS,
  QUALITIES,
  VIDEO_ASPECTS,
  VIDEO_DURATIONS,
  VIDEO_MODELS,
  type VideoDuration,
  type VideoModel,
} from './choices.ts';
import {
  alwaysGiven,
  choice,
  classicStyle,
  constant,
  type Field,
  filter,
  flag,
  optional,
  photo,
  photos,
  prompt,
  sentAsPosition,
  style,
  withFilterNumberOnly,
} from './field.ts';
import type { StatusPathName } from './status-paths.ts';

/**
 * The room's entry: one row for each kind of job, which is a run endpoint of the generation service with the command that makes
 * requests to it. `src/command/request.ts` derives from a row what a person's request holds, its stored shape, photos, texts,
 * filter, label, repeat and the buttons of its result; `src/generation-client/endpoint.ts` derives the request to the service
 * and its price.
 */

/** The two kinds of credentials. Each is for one half of the service, with durations and outages of its own. */
export type Credentials = 'key' | 'token';

type Output = 'image' | 'video';

/** Prices in credits. Prices that the interface does not show are assumptions; the prices of videos are a setting. */
export interface Prices {
  readonly face: number;
  readonly group: number;
  video(model: VideoModel, duration: VideoDuration): number;
}

type Fields = Readonly<Record<string, Field>>;

/** The validated values of a row's fields, on which its rules and price depend. */
type Sent<Each extends Fields> = {
  readonly [Name in keyof Each as Each[Name] extends { sent: z.ZodType } ? Name : never]: Each[Name] extends {
    sent: infer Rule extends z.ZodType;
  }
    ? z.output<Rule>
    : never;
};

/** A rule of the service about several fields, with the message that states it. */
interface Rule<Values> {
  holds(values: Values): boolean;
  readonly message: string;
}

/** A kind of job; see `KINDS`. */
export interface KindRow<Each extends Fields = Fields> {
  /** The title of its cards. */
  readonly name: InEveryLanguage;
  readonly command: string;
  /** The values of the command's options that choose this kind. */
  readonly chosenBy?: Readonly<Record<string, string>>;
  readonly path: string;
  /** The status path of the endpoint's family and version, on which its jobs are polled. */
  readonly status: StatusPathName;
  readonly credentials: Credentials;
  readonly output: Output;
  /** The fields of the request, in the order in which they are sent. */
  readonly fields: Each;
  /** The interface does not show the names of the fields, so an owner can replace them (`GENERATION_ASSUMPTIONS`). */
  readonly areNamesAssumed?: true;
  readonly rules?: readonly Rule<Sent<Each>>[];
  price(prices: Prices, values: Sent<Each>): number;
}

/** Infers the types of a row's rules and price from its fields. */
const kind = <const Each extends Fields>(row: KindRow<Each>): KindRow<Each> => row;

const IMAGE = { credentials: 'key', output: 'image' } as const;
const VIDEO = { credentials: 'token', output: 'video' } as const;

const gender = sentAsPosition(
  choice('gender', GENDERS, 'The gender must be male, female, boy, girl or group.'),
);
const ratio = optional(choice('ratio', PICTURE_RATIOS, 'The ratio must be portrait, landscape or square.'));
const quality = choice('quality_mode', QUALITIES, 'The quality must be v6.1 or v6.');
const outpaint = flag('outpaint', 'Outpaint must be yes or no.');
const videoModel = choice('model', VIDEO_MODELS, 'The model must be simple, advanced or performance.');
const duration = choice('duration', VIDEO_DURATIONS, 'The duration must be 4s, 6s or 8s.');
const aspect = choice('aspect_ratio', VIDEO_ASPECTS, 'The aspect must be auto, 16:9, 9:16, 3:2 or 2:3.');

const groupNeedsNumber = {
  holds: (values: { readonly gender: string; readonly filter: number | string }) =>
    values.gender !== 'group' || typeof values.filter === 'number',
  message: 'A group photo works only with a catalog number as filter, not with a UUID.',
};

// The interface says "a prompt and input images" without the name; the one plural name that it shows for images is
// `input_images`, of v4.
const groupPrompt = { photos: photos('input_images'), prompt: prompt('prompt') } as const;

/** All kinds of jobs by their stored names. */
export const KINDS = {
  'face-swap-v6': kind({
    ...IMAGE,
    name: {
      en: 'Face swap',
      de: 'Gesichtstausch',
      es: 'Cambio de cara',
      fr: 'Échange de visage',
      pt: 'Troca de rosto',
    },
    command: 'faceswap',
    chosenBy: { engine: 'v6' },
    path: '/v6/run/face_swap',
    status: 'face-v6',
    fields: {
      photo: photo('base64'),
      gender,
      filter: filter('filter_id', 'face'),
      ratio,
      // A UUID filter has a workflow of its own, and with it a quality of its own.
      quality: optional(
        withFilterNumberOnly(
          quality,
          'Quality can be chosen only with a catalog number as filter; a UUID filter has its own.',
        ),
      ),
    },
    rules: [groupNeedsNumber],
    price: () => 2,
  }),
  // The interface says that v5 "follows the same process" as v6, so its fields are those of v6, without quality_mode (a switch
  // between variants of v6).
  'face-swap-v5': kind({
    ...IMAGE,
    name: {
      en: 'Face swap (v5)',
      de: 'Gesichtstausch (v5)',
      es: 'Cambio de cara (v5)',
      fr: 'Échange de visage (v5)',
      pt: 'Troca de rosto (v5)',
    },
    command: 'faceswap',
    chosenBy: { engine: 'v5' },
    path: '/v5/run/face_swap',
    status: 'face-v5',
    fields: { photo: photo('base64'), gender, filter: filter('filter_id', 'face'), ratio },
    areNamesAssumed: true,
    rules: [groupNeedsNumber],
    price: ({ face }) => face,
  }),
  // The interface shows `image` and `filter_id` in the alias flow. It does not name the optional fields; the names of v6 are
  // the best guess.
  'face-swap-v1': kind({
    ...IMAGE,
    name: {
      en: 'Face swap (v1)',
      de: 'Gesichtstausch (v1)',
      es: 'Cambio de cara (v1)',
      fr: 'Échange de visage (v1)',
      pt: 'Troca de rosto (v1)',
    },
    command: 'faceswap',
    chosenBy: { engine: 'v1' },
    path: '/v1/run/faceswap',
    status: 'face-v2',
    fields: {
      photo: photo('image'),
      filter: filter('filter_id', 'face-v1'),
      gender: alwaysGiven(gender),
      ratio,
    },
    areNamesAssumed: true,
    price: ({ face }) => face,
  }),
  // The interface shows only `prompt`. The photo has the name that the sibling endpoint of the same flow (v1 run) uses.
  'self-prompt': kind({
    ...IMAGE,
    name: {
      en: 'Portrait from a prompt',
      de: 'Porträt nach Beschreibung',
      es: 'Retrato descrito',
      fr: 'Portrait décrit',
      pt: 'Retrato descrito',
    },
    command: 'faceswap',
    path: '/v2/run/self-prompt',
    status: 'face-v2',
    fields: { photo: photo('image'), prompt: prompt('prompt'), gender: optional(gender), ratio },
    areNamesAssumed: true,
    price: ({ face }) => face,
  }),
  'multi-swap-realistic': kind({
    ...IMAGE,
    name: {
      en: 'Group swap',
      de: 'Gruppentausch',
      es: 'Cambio en grupo',
      fr: 'Échange de groupe',
      pt: 'Troca em grupo',
    },
    command: 'groupswap',
    chosenBy: { look: 'realistic' },
    path: '/v5/run/multi_swap',
    status: 'realistic',
    fields: { photo: photo('input_image'), style: style('style_id', 'realistic'), outpaint },
    price: () => 3,
  }),
  'multi-swap-realistic-prompt': kind({
    ...IMAGE,
    name: {
      en: 'Group from a prompt',
      de: 'Gruppe nach Beschreibung',
      es: 'Grupo descrito',
      fr: 'Groupe décrit',
      pt: 'Grupo descrito',
    },
    command: 'groupswap',
    chosenBy: { look: 'realistic' },
    path: '/v5/run/multi_swap_self_prompt',
    status: 'realistic',
    fields: groupPrompt,
    areNamesAssumed: true,
    price: () => 3,
  }),
  // The interface says that "the stylized filter flow uses the same process" as realistic v5, so it has the same three fields.
  'multi-swap-stylized': kind({
    ...IMAGE,
    name: {
      en: 'Stylized group swap',
      de: 'Stilisierter Gruppentausch',
      es: 'Cambio en grupo estilizado',
      fr: 'Échange de groupe stylisé',
      pt: 'Troca em grupo estilizada',
    },
    command: 'groupswap',
    chosenBy: { look: 'stylized' },
    path: '/v1/run/stylized_multi_swap',
    status: 'stylized',
    fields: {
      photo: photo('input_image'),
      style: style('style_id', 'stylized'),
      outpaint: { ...outpaint, sent: outpaint.schema.default(false) },
    },
    areNamesAssumed: true,
    price: ({ group }) => group,
  }),
  'multi-swap-stylized-prompt': kind({
    ...IMAGE,
    name: {
      en: 'Stylized group from a prompt',
      de: 'Stilisierte Gruppe nach Beschreibung',
      es: 'Grupo estilizado descrito',
      fr: 'Groupe stylisé décrit',
      pt: 'Grupo estilizado descrito',
    },
    command: 'groupswap',
    chosenBy: { look: 'stylized' },
    path: '/v1/run/stylized_multi_swap_self_prompt',
    status: 'stylized',
    fields: groupPrompt,
    areNamesAssumed: true,
    price: ({ group }) => group,
  }),
  'multi-swap-classic': kind({
    ...IMAGE,
    name: {
      en: 'Classic group swap',
      de: 'Klassischer Gruppentausch',
      es: 'Cambio en grupo clásico',
      fr: 'Échange de groupe classique',
      pt: 'Troca em grupo clássica',
    },
    command: 'groupswap',
    chosenBy: { look: 'classic' },
    path: '/v4/multi_swap_styles/',
    status: 'classic',
    fields: { style: classicStyle('filter_id'), photos: photos('input_images') },
    price: ({ group }) => group,
  }),
  'single-frame-video': kind({
    ...VIDEO,
    name: { en: 'Video', de: 'Video aus einem Foto', es: 'Vídeo', fr: 'Vidéo', pt: 'Vídeo' },
    command: 'animate',
    path: '/v1/run/single_frame_video',
    status: 'video',
    fields: {
      photo: photo('prompt_image'),
      prompt: prompt('prompt'),
      model: videoModel,
      duration,
      aspect: alwaysGiven(aspect),
    },
    rules: [
      {
        holds: (values) => values.model !== 'simple' || values.duration === '4s',
        message: 'The model "simple" makes only 4s videos.',
      },
      {
        holds: (values) => values.model === 'performance' || (values.aspect ?? 'auto') === 'auto',
        message: 'An aspect other than "auto" works only with the model "performance".',
      },
    ],
    price: (prices, values) => prices.video(values.model, values.duration),
  }),
  'first-last-frame-video': kind({
    ...VIDEO,
    name: {
      en: 'Transition video',
      de: 'Übergangsvideo',
      es: 'Vídeo de transición',
      fr: 'Vidéo de transition',
      pt: 'Vídeo de transição',
    },
    command: 'transition',
    path: '/v1/run/first_last_frame_video',
    status: 'video',
    fields: {
      first: photo('first_frame', 'The first frame'),
      last: photo('last_frame', 'The last frame'),
      prompt: prompt('prompt'),
      model: constant(
        'model',
        'advanced',
        'First and last frame videos work only with the model "advanced".',
      ),
      duration,
    },
    price: (prices, values) => prices.video(values.model, values.duration),
  }),
};

/** The name of a kind of job, which is stored. */
export type JobKind = keyof typeof KINDS;

const isJobKind = (name: string): name is JobKind => Object.hasOwn(KINDS, name);

export const jobKinds: readonly JobKind[] = Object.keys(KINDS).filter(isJobKind);

/** The command that makes jobs of this kind. For an unknown kind, which another version may have stored, the kind itself. */
export const commandOf = (kind: string): string => (isJobKind(kind) ? KINDS[kind].command : kind);

/** Whether jobs of this kind make pictures or videos. */
export const outputOf = (kind: JobKind): Output => KINDS[kind].output;

/** The name of a kind in a language. */
export const kindName = (kind: JobKind, { language }: { readonly language: Language }): string =>
  KINDS[kind].name[language];

/** The credentials that the endpoint of this kind takes. */
export const credentialsOf = (kind: JobKind): Credentials => KINDS[kind].credentials;

/** The status path of a kind. Kinds with the same path share its ids: within a path an id stands for one job. */
export const statusPathNameOf = (kind: JobKind): StatusPathName => KINDS[kind].status;
