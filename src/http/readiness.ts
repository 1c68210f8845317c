import { type Clock, waitAtMost } from '../base/clock.ts';
import { defined } from '../base/defined.ts';

/** A check of one thing that must work for the program to be ready. */
export interface ReadinessCheck {
  readonly name: string;
  /**
   * Resolves with the reason why it is not ready, or with undefined. The reason is public: it contains no secret and no
   * address.
   */
  check(signal: AbortSignal): Promise<string | undefined>;
  /** Public detail about something that is ready, e.g. that it is on standby. */
  readonly detail?: () => string | undefined;
  /** The public reason if the check throws. */
  readonly whenFailed?: (error: unknown) => string;
  /** The public guess of the cause if the check takes too long. */
  readonly whenLate?: string;
}

/** The outcome of all checks. */
export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<
    Record<string, { readonly ok: boolean; readonly reason?: string; readonly detail?: string }>
  >;
}

export interface ReadinessOptions {
  readonly checks: readonly ReadinessCheck[];
  readonly clock: Clock;
  readonly timeoutMs?: number;
  /** For how long a result is cached. */
  readonly keptMs?: number;
  /** Called once per failing check until it succeeds again; the page does not show the error. */
  onError(name: string, error: unknown): void;
}

/** Creates a function that runs all checks concurrently, each with a timeout. Concurrent callers share one round. */
export function createReadiness(options: ReadinessOptions): () => Promise<Readiness> {
  // Results are cached because the page is public and a check costs a call to the service.
  const { checks, clock, timeoutMs = 3_000, keptMs = 2_000, onError } = options;
  const told = new Set<string>();

  /** Runs one check; returns why it is not ready. */
  const reasonOf = async (each: ReadinessCheck): Promise<string | undefined> => {
    const { name, whenFailed = () => 'the check failed; the log says why', whenLate } = each;
    const controller = new AbortController();
    const ask = async () => {
      try {
        const reason = await each.check(controller.signal);
        if (reason === undefined) told.delete(name);
        return { reason };
      } catch (error) {
        if (!controller.signal.aborted && !told.has(name)) {
          told.add(name);
          onError(name, error);
        }
        return { reason: whenFailed(error) };
      }
    };
    const answer = await waitAtMost(clock, timeoutMs, ask());
    if (answer !== undefined) return answer.reason;
    controller.abort();
    const late = `no answer within ${timeoutMs} ms`;
    return whenLate === undefined ? late : `${late}: ${whenLate}`;
  };
  const askAll = async (): Promise<Readiness> => {
    const answers = await Promise.all(
      checks.map(async (each) => {
        const reason = await reasonOf(each);
        if (reason !== undefined) return [each.name, { ok: false, reason }] as const;
        return [each.name, { ok: true, ...defined({ detail: each.detail?.() }) }] as const;
      }),
    );
    return { ready: answers.every(([, { ok }]) => ok), checks: Object.fromEntries(answers) };
  };

  let round: { readonly answer: Promise<Readiness>; until: number } | undefined;
  return () => {
    if (round !== undefined && clock.now() < round.until) return round.answer;
    const fresh = { answer: askAll(), until: Number.POSITIVE_INFINITY };
    round = fresh;
    return fresh.answer.finally(() => {
      fresh.until = clock.now() + keptMs;
    });
  };
}
