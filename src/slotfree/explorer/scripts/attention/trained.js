// The trained models inside this page, as Python's `slotfree.explorer.trained` wrote them.

import { BaselineTransformer } from "./attention/baseline.js";
import { CaseSequenceTask } from "./attention/case_sequence.js";
import { SlotFreeTransformer } from "./attention/slot_free.js";

const KINDS = { SlotFreeTransformer, BaselineTransformer };

/** Return {task, starts, models}: keys of random starts, and by name a model, its weights and how it was trained. */
export function trainedModels(told) {
  const models = Object.entries(told.models).map(([name, each]) => {
    const { model } = each.settings;
    const [W_Q, W_K, W_V] = [each.W_Q, each.W_K, each.W_V].map(unpacked);
    const weights = { W_Q, W_K, W_V, inputs: each.inputs, projected: each.projected };
    return [name, { ...each, model: new KINDS[model.is](model), weights }];
  });
  const starts = told.starts.map((key) => BigInt(`0x${key}`));
  return { ...told, task: new CaseSequenceTask(told.task), starts, models: Object.fromEntries(models) };
}

/** Numbers in single precision, least significant byte first, out of base 64. */
function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Float64Array.from({ length: bytes.length / 4 }, (_, i) => view.getFloat32(4 * i, true));
}
