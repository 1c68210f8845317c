import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { compileFunction } from 'node:vm';
import { type CompiledModel, loadAndCompile, loadLiteRt, Tensor } from '@litertjs/core';

const require = createRequire(import.meta.url);

/** This build gives the same results on every processor, and needs no threads. */
const RUNTIME = require.resolve('@litertjs/core/wasm/litert_wasm_compat_internal.js');
const PERSON_MODEL = require.resolve('@mediapipe/selfie_segmentation/selfie_segmentation.tflite');
const FACE_MODELS = require.resolve('@mediapipe/face_mesh/face_mesh_solution_packed_assets.data');
/** The positions of the models in that file, as its loader (`face_mesh_solution_packed_assets_loader.js`) has them. */
const LANDMARKS = [2_495_952, 3_737_848] as const;
const DETECTOR = [3_757_224, 3_986_256] as const;

export interface Model {
  /** The side in pixels of the square that the model takes. */
  readonly side: number;
  /** Runs the model on red, green and blue of each pixel; returns all of its outputs. */
  run(pixels: Float32Array): Promise<readonly Float32Array[]>;
}

/** Loads the models from the installed packages. */
export async function loadModels() {
  await startRuntime();
  const faces = readFileSync(FACE_MODELS);
  const [detector, landmarks, person] = await Promise.all([
    loadModel(faces.subarray(...DETECTOR)),
    loadModel(faces.subarray(...LANDMARKS)),
    loadModel(readFileSync(PERSON_MODEL)),
  ]);
  return { detector, landmarks, person };
}

/** Starts LiteRT. It is made for browsers: its loader is a script for a web worker, so the functions of one are emulated. */
async function startRuntime(): Promise<void> {
  const importScripts = (file: string): void => {
    const module = { exports: {} };
    const script = compileFunction(
      readFileSync(file, 'utf8'),
      ['exports', 'require', 'module', '__filename', '__dirname'],
      { filename: file },
    );
    script(module.exports, require, module, file, dirname(file));
    Object.assign(globalThis, { ModuleFactory: module.exports });
  };
  Object.assign(globalThis, { self: globalThis, importScripts });
  await loadLiteRt(RUNTIME);
}

export async function loadModel(bytes: Uint8Array): Promise<Model> {
  const model: CompiledModel = await loadAndCompile(Uint8Array.from(bytes), { accelerator: 'wasm' });
  const shape = [...(model.getInputDetails()[0]?.shape ?? [])];
  return {
    side: shape[1] ?? 0,
    async run(pixels) {
      const input = new Tensor(pixels, shape);
      const outputs = await model.run(input);
      input.delete();
      return outputs.map((output) => {
        const numbers = Float32Array.from(output.toTypedArray());
        output.delete();
        return numbers;
      });
    },
  };
}
