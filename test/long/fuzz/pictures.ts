import {
  animatedWebp,
  emptyScansJpeg,
  exifMazeJpeg,
  hollowJpeg,
  hollowPng,
  inflatingPng,
  manyChunksPng,
  manyChunksWebp,
  manyScansJpeg,
  manySegmentsJpeg,
  mismatchedWebp,
  plainPng,
  plainWebp,
  polyglot,
  profiledJpeg,
  profiledWebp,
  truncated,
} from '../../fakes/hostile-pictures.ts';

const large = { width: 4_000, height: 4_000 };
const largest = { width: 8_000, height: 5_000 };
const small = { width: 200, height: 300 };

/** Hostile pictures of each kind that costs its reader more than its sender. */
export const hostilePictures: readonly [Buffer, ...Buffer[]] = [
  manyScansJpeg(large, 40_000),
  emptyScansJpeg(large, 40_000),
  // A JPEG with sixty scans is below every bound on structure, so only the limit of CPU time ends its decoding.
  manyScansJpeg(large, 60),
  manySegmentsJpeg(small, 5_000, 8),
  profiledJpeg(small, Buffer.alloc(3_000_000, 'p')),
  exifMazeJpeg(small),
  hollowJpeg({ width: 65_000, height: 65_000 }),
  hollowJpeg(largest),
  hollowPng(largest),
  hollowPng({ width: 60_000, height: 60_000 }),
  plainPng({ ...largest, interlaced: true }),
  plainPng({ ...small, piece: 1 }),
  manyChunksPng(small, 100_000),
  inflatingPng(small, 'zTXt', 50_000_000),
  inflatingPng(small, 'iTXt', 50_000_000),
  inflatingPng(small, 'iCCP', 50_000_000),
  animatedWebp(large, 20_000),
  manyChunksWebp(small, 50_000),
  mismatchedWebp(small, large),
  profiledWebp(small, Buffer.alloc(3_000_000, 'p')),
  truncated(plainPng(large)),
  truncated(plainWebp(large)),
  polyglot(plainPng(small), Buffer.from('<script>alert(1)</script>')),
  Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9000" height="9000"/>'),
  Buffer.alloc(0),
];
