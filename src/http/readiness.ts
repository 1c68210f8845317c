import type { Clock } from '../base/clock.ts';

/** One thing that must work before traffic is welcome. */
export interface ReadinessCheck {
  readonly name: string;
  /** Resolves to the reason why not, or to nothing when ready. The reason is public: no secret, no address. */
  check(signal: AbortSignal): Promise<string | undefined>;
  /** The reason to give when it throws, where more can be said than that the log knows. */
  readonly whenFailed?: (error: unknown) => string;
}

export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, { readonly ok: boolean; readonly reason?: string }>>;
}

export interface ReadinessOptions {
  readonly checks: readonly ReadinessCheck[];
  readonly clock: Clock;
  readonly timeoutMs?: number;
  /** An error is for the log, once until that check is well again; the page says only that there was one. */
  onError(name: string, error: unknown): void;
}

/** The page is open to everybody and a check costs a call to the service: an answer is good for a moment. */
const KEPT_MS = 2_000;

/** Asks all checks at once, each with a time limit. Callers within a moment share one round of asking. */
export function createReadiness(options: ReadinessOptions): () => Promise<Readiness> {
  const { now } = options.clock;
  const told = new Set<string>();
  const ask = (each: ReadinessCheck) => askOne(each, options, told);
  let round: { readonly answer: Promise<Readiness>; until: number } | undefined;
  return () => {
    if (round !== undefined && now() < round.until) return round.answer;
    const fresh = { answer: askAll(options.checks, ask), until: Number.POSITIVE_INFINITY };
    round = fresh;
    return fresh.answer.finally(() => {
      fresh.until = now() + KEPT_MS;
    });
  };
}

type Ask = (check: ReadinessCheck) => Promise<string | undefined>;

async function askAll(checks: readonly ReadinessCheck[], ask: Ask): Promise<Readiness> {
  const answers = await Promise.all(
    checks.map(async (each) => {
      const reason = await ask(each);
      return [each.name, reason === undefined ? { ok: true } : { ok: false, reason }] as const;
    }),
  );
  return { ready: answers.every(([, { ok }]) => ok), checks: Object.fromEntries(answers) };
}

function askOne(
  { name, check, whenFailed = () => 'the check failed; the log says why' }: ReadinessCheck,
  { clock, timeoutMs = 3_000, onError }: ReadinessOptions,
  told: Set<string>,
) {
  const controller = new AbortController();
  return new Promise<string | undefined>((resolve) => {
    const cancel = clock.after(timeoutMs, () => {
      resolve(`no answer within ${timeoutMs} ms`);
      controller.abort();
    });
    const settle = (reason: string | undefined) => {
      cancel();
      resolve(reason);
    };
    const failed = (error: unknown) => {
      if (!controller.signal.aborted && !told.has(name)) {
        told.add(name);
        onError(name, error);
      }
      settle(whenFailed(error));
    };
    const answered = (reason: string | undefined) => {
      if (reason === undefined) told.delete(name);
      settle(reason);
    };
    // The async wrapper turns a check that throws at once into one that rejects.
    (async () => check(controller.signal))().then(answered, failed);
  });
}
