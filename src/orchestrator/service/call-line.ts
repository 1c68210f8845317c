import { keepLatest } from '../../base/keep-latest.ts';
import type { Pace } from '../../generation-client/wire/call.ts';
import type { Lane } from '../../generation-client/wire/transport.ts';

const MOST_REMEMBERED = 1_000;

interface Waiting {
  readonly begin: () => void;
  /**
   * The asker's community and person. Askers take turns in their lane; calls without askers begin in the order of their
   * arrival.
   */
  readonly askers: readonly string[];
}

/**
 * The queue of calls to the service: weighted fair queuing among the lanes, and round-robin among the askers of a lane, so that
 * no asker's calls delay those of others by more than a few. The lanes are kept by hand: an idle limiter of Bottleneck begins a
 * call after 3.5 ms, passes about 390 a second, and has priorities, but no shares.
 */
export function createCallLine() {
  /**
   * The share of each lane while calls wait in all of them; a share that is not used goes to the other lanes. If lanes have
   * made equal progress, the first one is next.
   */
  const lanes: Readonly<Record<Lane, ReturnType<typeof createLane>>> = {
    moderator: createLane(2),
    submit: createLane(8),
    poll: createLane(4),
    read: createLane(1),
    background: createLane(1),
  };
  const all = Object.values(lanes);
  /** The progress of the lane that had the last turn. */
  let progress = 0;

  const add = (lane: Lane, call: Waiting): void => {
    const { waiting } = lanes[lane];
    // A lane that was empty does not catch up on the turns that it did not need.
    if (waiting.length === 0) lanes[lane].progress = Math.max(lanes[lane].progress, progress);
    waiting.push(call);
  };

  return {
    waiting: (lane?: Lane): number =>
      (lane === undefined ? all : [lanes[lane]]).reduce((sum, { waiting }) => sum + waiting.length, 0),
    /** A `Pace` that adds calls to the line; a call begins when `next` takes it out. */
    paced:
      (added: () => void): Pace =>
      (lane, attempt, askers = []) =>
        new Promise((resolve, reject) => {
          add(lane, { begin: () => void attempt().then(resolve, reject), askers });
          added();
        }),
    /** Removes and returns the call whose turn it is. */
    next(): Waiting | undefined {
      const [first, ...others] = all.filter(({ waiting }) => waiting.length > 0);
      if (first === undefined) return undefined;
      const lane = others.reduce((best, each) => (each.progress < best.progress ? each : best), first);
      progress = lane.progress;
      return lane.take();
    },
  };
}

function createLane(share: number) {
  const waiting: Waiting[] = [];
  /** The number of each asker's latest turn. */
  const latest = new Map<string, number>();
  let turns = 0;

  const latestOf = ({ askers }: Waiting): readonly number[] =>
    askers.map((asker) => latest.get(asker) ?? 0).toSorted((a, b) => b - a);
  /**
   * Whether `a` is before `b`: the askers' latest turns are compared, the most recent first, so that within a community the
   * person who has waited longer for a turn comes first.
   */
  const isBefore = (a: Waiting, b: Waiting): boolean => {
    const own = latestOf(a);
    const other = latestOf(b);
    const at = own.findIndex((turn, index) => turn !== other[index]);
    return at >= 0 && Number(own[at]) < Number(other[at]);
  };
  const nextIndex = (): number =>
    waiting[0]?.askers.length === 0
      ? 0
      : waiting.reduce((best, call, index) => {
          const leader = waiting[best];
          return leader !== undefined && isBefore(call, leader) ? index : best;
        }, 0);

  const lane = {
    waiting,
    progress: 0,
    take(): Waiting | undefined {
      lane.progress += 1 / share;
      turns += 1;
      const [call] = waiting.splice(nextIndex(), 1);
      for (const asker of call?.askers ?? []) {
        latest.delete(asker);
        latest.set(asker, turns);
      }
      keepLatest(latest, MOST_REMEMBERED);
      return call;
    },
  };
  return lane;
}
