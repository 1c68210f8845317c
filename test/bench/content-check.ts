/**
 * What the content check costs: CPU of the finder's process for a picture, beside that of finding faces in the same picture in the
 * same run; its memory; and how long another person waits beside one with many pictures, in looks at one picture. Argument: looks (40).
 */
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import sharp from 'sharp';
import { createFaceFinder } from '../../src/faces/finder.ts';

const looks = Number(process.argv[2] ?? 40);
/** The longest side of a photo as Telegram sends it. */
const SIDE = 1280;
/** The most CPU that a look at a picture may take. */
const MOST_CPU_MS = 100;
const TICK_MS = 10;

const sample = new URL('../../src/generation-service/samples/portrait.jpg', import.meta.url);
const photo = await sharp(readFileSync(sample)).resize(SIDE, SIDE, { fit: 'inside' }).jpeg().toBuffer();
const finder = createFaceFinder();

/** The CPU that the finder's processes have used so far: user and system time, after the name in parentheses. */
const cpuMs = (): number =>
  finder
    .pids()
    .map((pid) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [])
    .reduce((sum, fields) => sum + (Number(fields[11]) + Number(fields[12])) * TICK_MS, 0);

const memoryMb = (): number =>
  finder
    .pids()
    .map((pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]))
    .reduce((sum, kilobytes) => sum + kilobytes / 1024, 0);

const perLook = async (look: () => Promise<unknown>): Promise<number> => {
  const before = cpuMs();
  for (let done = 0; done < looks; done += 1) await look();
  return (cpuMs() - before) / looks;
};

await finder.find(photo);
const facesMb = memoryMb();
await finder.content(photo);
const bothMb = memoryMb();
const faces = await perLook(() => finder.find(photo));
const content = await perLook(() => finder.content(photo));
console.log(
  `content ${content.toFixed(0)} ms of CPU a picture (at most ${MOST_CPU_MS}), ${(content / faces).toFixed(2)} of finding faces (${faces.toFixed(0)} ms), n=${looks}`,
);
console.log(
  `memory ${facesMb.toFixed(0)} MB with faces alone, ${bothMb.toFixed(0)} MB with content, ${memoryMb().toFixed(0)} MB after ${2 * looks} looks`,
);

/** People are served in turns: the calm one waits for the look that is under way, and for one more at most. */
let busyDone = 0;
const busy = Array.from({ length: looks }, () =>
  finder.content(photo, { person: 'busy' }).then(() => {
    busyDone += 1;
  }),
);
await Promise.race(busy);
const before = busyDone;
await finder.content(photo, { person: 'calm' });
console.log(
  `a calm person waited for ${busyDone - before} of the ${looks - before} pictures that another had waiting`,
);
await Promise.all(busy);
console.log(`load ${loadavg()[0]?.toFixed(1)}`);
finder.close();
