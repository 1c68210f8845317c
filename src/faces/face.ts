import { z } from 'zod';

/** A face in a photo. Coordinates are pixels of the upright photo (orientation applied). */
export const faceShape = z.object({
  /** x, y, z of 468 points; z is in the unit of x, smaller is nearer. */
  points: z.instanceof(Float32Array).refine(({ length }) => length === 468 * 3),
  box: z.object({ left: z.number(), top: z.number(), width: z.number(), height: z.number() }),
  score: z.number(),
  /**
   * The rotation in radians; 0 looks into the camera, upright. Yaw turns to the right of the picture, pitch down, roll tilts
   * clockwise.
   */
  pose: z.object({ yaw: z.number(), pitch: z.number(), roll: z.number() }),
});
/** A face that the finder has found. */
export type Face = Readonly<z.infer<typeof faceShape>>;

const side = z.int().min(1).max(4_096);

/** A mask of the people in a photo: how much each pixel belongs to a person, 0 to 255, row by row. */
export const cutOutShape = z
  .object({ width: side, height: side, alpha: z.instanceof(Uint8Array) })
  .refine(({ width, height, alpha }) => alpha.length === width * height);
/** A mask of the people in a photo. */
export type CutOut = Readonly<z.infer<typeof cutOutShape>>;
