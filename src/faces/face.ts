/** A face that was found. Coordinates are pixels of the upright photo (orientation applied). */
export interface Face {
  /** x, y, z of 468 points, 1,404 numbers; z in the same unit as x, smaller is nearer. */
  readonly points: Float32Array;
  readonly box: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
  readonly score: number;
  /** Radians; 0 looks into the camera, upright. Yaw looks to the right of the picture, pitch down, roll tilts clockwise. */
  readonly pose: { readonly yaw: number; readonly pitch: number; readonly roll: number };
}

/** How far each pixel belongs to a person, 0 to 255, row by row. */
export interface CutOut {
  readonly width: number;
  readonly height: number;
  readonly alpha: Uint8Array;
}
