import { z } from 'zod';
import type { StatusFamily } from '../../kinds/status-paths.ts';
import { InvalidResponse, UnusableResult } from '../wire/errors.ts';
import { webLinkFrom } from '../wire/inputs.ts';
import { plainText } from '../wire/plain-text.ts';
import type { ScannedResult } from './result-stream.ts';

/** Whether an id of the service is safe to use in a path: it must not change the path, even when a proxy decodes it. */
export const isJobId = (id: string): boolean =>
  /^[\x21-\x7e]{1,256}$/.test(id) && !/^\.\.?$|[/\\?#%]/.test(id);

/** Ids may be strings or numbers: some services write numbers. */
const written = z.union([z.string().trim(), z.int().transform(String)]);

export const jobIdShape = written.refine(isJobId);

/** The id in a response, valid or not, to be compared with the requested one. */
const namedId = written.optional().catch(undefined);

/** The state of a job at the service, independent of the words of its family. */
export type ServiceJobState = 'waiting' | 'running' | 'completed' | 'failed';

/** The status words that the interface documents, by family of endpoints. */
const VOCABULARY: Record<StatusFamily, Record<string, ServiceJobState>> = {
  general: { QUEUED: 'waiting', RUNNING: 'running', COMPLETED: 'completed', FAILED: 'failed' },
  'face-v6': { IN_QUEUE: 'waiting', COMPLETED: 'completed', FAILED: 'failed' },
  'multi-v5': { IN_QUEUE: 'waiting', PROCESSING: 'running', COMPLETED: 'completed', FAILED: 'failed' },
  video: { IN_QUEUE: 'waiting', IN_PROGRESS: 'running', COMPLETED: 'completed', FAILED: 'failed' },
};

const everyFamily: Record<string, ServiceJobState> = Object.assign({}, ...Object.values(VOCABULARY));
const MOST_REMEMBERED = 100;

/**
 * Maps status words to states. A word of another family keeps its meaning. An unknown word cannot be final (the interface
 * documents the final ones), so the job counts as running. Each unexpected word is reported once.
 */
export function createStatusReader(
  onUnexpectedWord: (family: StatusFamily, word: string, readAs: ServiceJobState) => void,
  extraWords: Readonly<Record<string, ServiceJobState>> = {},
): (family: StatusFamily, word: string) => ServiceJobState {
  const reported = new Set<string>();
  return (family, word) => {
    const key = word
      .trim()
      .toUpperCase()
      .replace(/[\s-]+/g, '_');
    const known = lookUp(extraWords, key) ?? lookUp(VOCABULARY[family], key);
    if (known !== undefined) return known;
    const state = lookUp(everyFamily, key) ?? 'running';
    const name = `${family} ${key.slice(0, 40)}`;
    if (!reported.has(name) && reported.size < MOST_REMEMBERED) {
      reported.add(name);
      onUnexpectedWord(family, key.slice(0, 40), state);
    }
    return state;
  };
}

const lookUp = (
  words: Readonly<Record<string, ServiceJobState>>,
  key: string,
): ServiceJobState | undefined => (Object.hasOwn(words, key) ? words[key] : undefined);

/** The result of a job: the bytes of a picture, or the address of a video. */
export type GenerationOutput = { kind: 'image'; bytes: Buffer } | { kind: 'video'; url: string };

/** The answer to a poll. */
export type StatusReport =
  | { state: 'waiting' }
  | { state: 'running' }
  | { state: 'completed'; output: GenerationOutput }
  | { state: 'failed'; reason: string | undefined };

const word = z.string().trim().min(1).max(200);
const statusAnswer = z.object({ id: namedId, status: word, output: z.unknown().optional() });
const looseText = z.string().optional().catch(undefined);
const videoOutput = z
  .object({ video_url: looseText, video_status: looseText, video_error: looseText })
  .catch({ video_url: undefined, video_status: undefined, video_error: undefined });
const failureWords = z
  .object({
    error: looseText,
    error_message: looseText,
    message: looseText,
    detail: looseText,
    reason: looseText,
  })
  .catch({});

interface StatusQuestion {
  /** The id of the requested job. */
  id: string;
  /** Size of the whole answer in bytes. */
  size: number;
  kind: 'image' | 'video';
  /** Maps a status word of the job's family to a state. */
  stateOf: (word: string) => ServiceJobState;
  secrets: readonly string[];
  baseUrl: string;
}

/** Limit of the answer of an unfinished job, which is polled often. */
const MOST_UNFINISHED_BYTES = 1024 * 1024;

/** Validates a status response and turns it into a report. Throws `InvalidResponse` or `UnusableResult`. */
export function readStatusReport(scanned: ScannedResult, question: StatusQuestion): StatusReport {
  const { id, size, kind, stateOf, secrets, baseUrl } = question;
  const answer = statusAnswer.safeParse(scanned.rest);
  if (!answer.success) throw new InvalidResponse('the answer has no status');
  // An answer about another job is refused, because its result may be another user's.
  if (answer.data.id !== undefined && answer.data.id !== id)
    throw new UnusableResult('the answer is about another job');
  const state = stateOf(answer.data.status);
  if (state === 'waiting' || state === 'running') {
    if (size > MOST_UNFINISHED_BYTES) throw new UnusableResult('an unfinished job with a large answer');
    return { state };
  }
  const video = videoOutput.parse(answer.data.output);
  if (state === 'failed' || (kind === 'video' && video.video_status?.toLowerCase() === 'failed')) {
    return {
      state: 'failed',
      reason: reasonOf(scanned.rest, answer.data.output, video.video_error, secrets),
    };
  }
  if (kind === 'video') return { state, output: readVideo(video.video_url, baseUrl) };
  // For repeated keys the last one counts, so the picture must still be in the parsed document.
  if (scanned.picture === undefined || !pictureInPlace.safeParse(scanned.rest).success) {
    throw new UnusableResult('a completed job without a picture');
  }
  return { state, output: { kind: 'image', bytes: scanned.picture } };
}

const pictureInPlace = z.object({ output: z.object({ images: z.tuple([z.string()], z.unknown()) }) });

function readVideo(text: string | undefined, baseUrl: string): GenerationOutput {
  const url = text === undefined ? undefined : webLinkFrom(text.trim(), baseUrl);
  if (url === undefined) throw new UnusableResult('a completed job without a video link');
  return { kind: 'video', url };
}

function reasonOf(
  rest: unknown,
  output: unknown,
  videoError: string | undefined,
  secrets: readonly string[],
): string | undefined {
  const candidates = [
    videoError,
    ...Object.values(failureWords.parse(output)),
    ...Object.values(failureWords.parse(rest)),
  ];
  for (const candidate of candidates) {
    const text = plainText(candidate ?? '', secrets);
    if (text !== '') return text;
  }
  return undefined;
}
