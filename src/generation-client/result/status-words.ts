export type ServiceJobState = 'waiting' | 'running' | 'completed' | 'failed';
export type StatusFamily = 'general' | 'face-v6' | 'multi-v5' | 'video';

/** The status words in the interface, by job family. */
const VOCABULARY: Record<StatusFamily, Record<string, ServiceJobState>> = {
  general: { QUEUED: 'waiting', RUNNING: 'running', COMPLETED: 'completed', FAILED: 'failed' },
  'face-v6': { IN_QUEUE: 'waiting', COMPLETED: 'completed', FAILED: 'failed' },
  'multi-v5': { IN_QUEUE: 'waiting', PROCESSING: 'running', COMPLETED: 'completed', FAILED: 'failed' },
  video: { IN_QUEUE: 'waiting', IN_PROGRESS: 'running', COMPLETED: 'completed', FAILED: 'failed' },
};

const everyFamily: Record<string, ServiceJobState> = Object.assign({}, ...Object.values(VOCABULARY));
const MAX_REMEMBERED = 100;

/**
 * Maps status words to states. A word of another family keeps its meaning; an unknown word cannot be final (the interface
 * names those), so the job counts as running. Unexpected words are reported once each.
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
    if (!reported.has(name) && reported.size < MAX_REMEMBERED) {
      reported.add(name);
      onUnexpectedWord(family, key.slice(0, 40), state);
    }
    return state;
  };
}

function lookUp(words: Readonly<Record<string, ServiceJobState>>, key: string): ServiceJobState | undefined {
  return Object.hasOwn(words, key) ? words[key] : undefined;
}
