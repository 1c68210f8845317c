import { bytes, float, int, ints, tableOfFields, type Value, vector, writeFlatBuffer } from './flatbuffer.ts';
import type { Activation, Network, Operator } from './network.ts';

/** Numbers of TensorFlow Lite's schema (`schema.fbs`, version 3): the operator, the kind of its options, its version. */
const CODES: Readonly<Record<Operator['kind'], readonly [operator: number, options: number]>> = {
  add: [0, 11],
  'average-pool': [1, 5],
  conv: [3, 1],
  'depthwise-conv': [4, 2],
  dense: [9, 8],
  softmax: [25, 9],
};
const KINDS = Object.keys(CODES);
const ACTIVATIONS: Readonly<Record<Activation, number>> = { none: 0, relu: 1, relu6: 3 };
const VERSION = 3;
const PADDING = { same: 0, valid: 1 };

/** A network as the file that LiteRT loads. */
export function toTflite({ input, operators }: Network): Uint8Array {
  // The first buffer is empty by definition: tensors without numbers of their own name it.
  const buffers: Value[] = [tableOfFields()];
  const tensors: Value[] = [];
  const addTensor = (shape: readonly number[], numbers?: Float32Array): number => {
    const buffer = numbers === undefined ? 0 : buffers.push(tableOfFields(bytes(numbers))) - 1;
    return tensors.push(tableOfFields(ints(shape), undefined, int(buffer))) - 1;
  };
  const picture = addTensor([1, ...input]);
  const outputs: number[] = [];

  const written = operators.map((operator) => {
    const inputs = operator.inputs.map((index) => outputs[index] ?? picture);
    if ('weights' in operator) {
      inputs.push(addTensor(operator.weights.shape, operator.weights.values));
      inputs.push(addTensor([operator.bias.length], operator.bias));
    }
    const isFlat = operator.kind === 'dense' || operator.kind === 'softmax';
    const output = addTensor(isFlat ? [1, operator.size[2]] : [1, ...operator.size]);
    outputs.push(output);
    const [, optionsKind] = CODES[operator.kind];
    return tableOfFields(
      int(KINDS.indexOf(operator.kind)),
      ints(inputs),
      ints([output]),
      int(optionsKind),
      optionsOf(operator),
    );
  });

  const graph = tableOfFields(
    vector(tensors),
    ints([picture]),
    ints([outputs.at(-1) ?? picture]),
    vector(written),
  );
  const codes = Object.values(CODES).map(([code]) => tableOfFields(int(code), undefined, int(1), int(code)));
  return writeFlatBuffer(
    tableOfFields(int(VERSION), vector(codes), vector([graph]), undefined, vector(buffers)),
    'TFL3',
  );
}

function optionsOf(operator: Operator): Value {
  switch (operator.kind) {
    case 'conv':
      return tableOfFields(
        int(PADDING.same),
        int(operator.stride),
        int(operator.stride),
        int(ACTIVATIONS[operator.activation]),
      );
    case 'depthwise-conv':
      return tableOfFields(
        int(PADDING.same),
        int(operator.stride),
        int(operator.stride),
        // One output for each input.
        int(1),
        int(ACTIVATIONS[operator.activation]),
      );
    case 'average-pool':
      return tableOfFields(
        int(PADDING.valid),
        int(operator.side),
        int(operator.side),
        int(operator.side),
        int(operator.side),
      );
    case 'dense':
      return tableOfFields(int(ACTIVATIONS[operator.activation]));
    case 'softmax':
      return tableOfFields(float(1));
    case 'add':
      return tableOfFields(int(ACTIVATIONS.none));
  }
}
