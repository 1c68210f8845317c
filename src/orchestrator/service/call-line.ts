import { keepLatest } from '../../base/keep-latest.ts';
import type { Pace } from '../../generation-client/wire/call.ts';
import type { Lane } from '../../generation-client/wire/transport.ts';

const MOST_REMEMBERED = 1_000;

interface Waiting {
  readonly begin: () => void;
  /** These take turns in their lane; calls without any begin in the order of their arrival. */
  readonly askers: readonly string[];
}

/**
 * The calls that wait for their turn. No asker's calls delay those of others by more than a few. The lanes are kept by hand: an
 * idle limiter of Bottleneck begins a call after 3.5 ms, passes about 390 a second, and has priorities, but no shares.
 */
export function createCallLine() {
  /**
   * Each with its part of the calls while some wait in every lane; what one does not need goes to the others. If lanes are
   * equally far, the first one is next.
   */
  const lanes: Readonly<Record<Lane, ReturnType<typeof createLane>>> = {
    moderator: createLane(2),
    submit: createLane(8),
    poll: createLane(4),
    read: createLane(1),
    background: createLane(1),
  };
  const all = Object.values(lanes);
  /** How far the lane is that had the last turn. */
  let progress = 0;

  const add = (lane: Lane, call: Waiting): void => {
    const { waiting } = lanes[lane];
    // A lane in which nothing waited has saved no turns up.
    if (waiting.length === 0) lanes[lane].progress = Math.max(lanes[lane].progress, progress);
    waiting.push(call);
  };

  return {
    waiting: (lane?: Lane): number =>
      (lane === undefined ? all : [lanes[lane]]).reduce((sum, { waiting }) => sum + waiting.length, 0),
    /** Calls begin when they are taken out. */
    paced:
      (added: () => void): Pace =>
      (lane, attempt, askers = []) =>
        new Promise((resolve, reject) => {
          add(lane, { begin: () => void attempt().then(resolve, reject), askers });
          added();
        }),
    /** Takes out the call whose turn it is. */
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
  /** In one community, the person who had no turn for longer is before the others. */
  const isBefore = (a: Waiting, b: Waiting): boolean => {
    const [own, other] = [latestOf(a), latestOf(b)];
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
