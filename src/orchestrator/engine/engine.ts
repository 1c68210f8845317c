/** What an engine is given: which steps are due, and how to run one. */
export interface EngineWork {
  due(now: number, limit: number): readonly string[];
  nextDue(after: number): number | undefined;
  /** Never rejects; false: it broke, and the record is as it was. */
  step(id: string): Promise<boolean>;
  /** What is due could not be found out; it is asked again after a while. */
  failed(error: unknown): void;
}

/** Decides when and where steps run. */
export interface Engine {
  start(): void;
  /** A job has been written down that is due then. */
  expect(due: number): void;
  readonly inHand: number;
  /** Takes no more and waits for the steps in hand. */
  stop(): Promise<void>;
}
