import type { Clock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';

/** One thing that must work for the program to be ready. */
export interface ReadinessCheck {
  readonly name: string;
  /** Resolves to the reason why not, or to undefined when ready. The reason is public: no secret, no address. */
  check(signal: AbortSignal): Promise<string | undefined>;
  /** More about what is ready, e.g. that it stands by; public, too. */
  readonly detail?: () => string | undefined;
  /** The public reason when the check throws. */
  readonly whenFailed?: (error: unknown) => string;
  /** What may be the cause when it takes too long; public, too. */
  readonly whenLate?: string;
}

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
  /** For how long an answer is reused. */
  readonly keptMs?: number;
  /** Called once per failing check until it succeeds again; the page does not show the error. */
  onError(name: string, error: unknown): void;
}

/** The page is public and a check costs a call to the service, so results are reused. */
const KEPT_MS = 2_000;

/** Runs all checks at once, each with a time limit. Concurrent callers share one round. */
export function createReadiness(options: ReadinessOptions): () => Promise<Readiness> {
  const { now } = options.clock;
  const { keptMs = KEPT_MS } = options;
  const told = new Set<string>();
  const ask = (each: ReadinessCheck) => askOne(each, options, told);
  let round: { readonly answer: Promise<Readiness>; until: number } | undefined;
  return () => {
    if (round !== undefined && now() < round.until) return round.answer;
    const fresh = { answer: askAll(options.checks, ask), until: Number.POSITIVE_INFINITY };
    round = fresh;
    return fresh.answer.finally(() => {
      fresh.until = now() + keptMs;
    });
  };
}

type Ask = (check: ReadinessCheck) => Promise<string | undefined>;

async function askAll(checks: readonly ReadinessCheck[], ask: Ask): Promise<Readiness> {
  const answers = await Promise.all(
    checks.map(async (each) => {
      const reason = await ask(each);
      if (reason !== undefined) return [each.name, { ok: false, reason }] as const;
      return [each.name, { ok: true, ...defined({ detail: each.detail?.() }) }] as const;
    }),
  );
  return { ready: answers.every(([, { ok }]) => ok), checks: Object.fromEntries(answers) };
}

function askOne(
  { name, check, whenFailed = () => 'the check failed; the log says why', whenLate }: ReadinessCheck,
  { clock, timeoutMs = 3_000, onError }: ReadinessOptions,
  told: Set<string>,
) {
  const controller = new AbortController();
  return new Promise<string | undefined>((resolve) => {
    const cancel = clock.after(timeoutMs, () => {
      const late = `no answer within ${timeoutMs} ms`;
      resolve(whenLate === undefined ? late : `${late}: ${whenLate}`);
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
    // The async wrapper turns a synchronous throw into a rejection.
    (async () => check(controller.signal))().then(answered, failed);
  });
}
